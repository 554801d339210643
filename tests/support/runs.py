"""A run of the small bundle: its manifest, parties that follow lists, and what plays one case into a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from core.bundle import Bundle
from core.candidate import AgentTurn
from core.line import AuthoredLines, LineFactory, TextLines
from core.runs.plan import plan_cases
from core.runs.play import Dropped, Parties, play_case
from core.runs.runner import CaseResult
from core.runs.store import RunStore
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion, PartyRecord
from core.schemas.run import CaseKey, RunFile, Timing
from tests.support.parties import GREETING, ListCaller, ListCandidate, call, say, turn
from tests.support.scenes import minimal

CODE = CodeVersion(version="0.0.0")
TIMING = Timing(started_s=0, seconds=0, host="test", python="3")
CONDITIONS = (Condition.TEXT, Condition.AUTHORED)
TURNS: tuple[AgentTurn | Exception, ...] = (
    turn(GREETING),
    turn("What is your card number?"),
    turn("One moment.", call("find_card", card_number="04412907")),
    turn("Found it. Goodbye!", call("end_call", concluding_message="Bye.")),
)
REPLIES: tuple[str | Exception, ...] = (say("Hello, about my library card, please."), say("It is 5519 0368."))


def parties(
    turns: Sequence[AgentTurn | Exception] = TURNS,
    replies: Sequence[str | Exception] = REPLIES,
    text: LineFactory | None = None,
) -> Parties:
    """Fresh list-driven parties for every attempt, on the two text lines."""
    return Parties(
        caller=lambda _scenario: ListCaller(replies),
        candidate=lambda _scenario: ListCandidate(turns),
        lines={Condition.TEXT: text or TextLines(), Condition.AUTHORED: AuthoredLines()},
    )


def run_file(of: Bundle | None = None, **changes: Any) -> RunFile:
    """The manifest of a run of both scenarios on both text lines."""
    bundle = of or minimal()
    settings: dict[str, Any] = {
        "bundle": bundle.file.id,
        "bundle_version": bundle.file.version,
        "bundle_hash": bundle.bundle_hash,
        "bundle_locked": bundle.locked,
        "bundle_path": "minimal",
        "caller": PartyRecord(party="test:caller"),
        "candidate": PartyRecord(party="test:candidate"),
        "judge": PartyRecord(party="test:judge"),
        "lines": {Condition.TEXT: {"line": "text-1"}, Condition.AUTHORED: {"line": "authored-1"}},
        "seed": 7,
        "repeats": 1,
        "record": False,
        "cases": plan_cases(bundle, CONDITIONS),
        "code": CODE,
        "argv": ("ringback", "run"),
    }
    return RunFile.model_validate(settings | changes)


def player(store: RunStore, made: Parties | None = None) -> Callable[[CaseKey], CaseResult]:
    """Plays a case of the small bundle and stores it."""
    used = made or parties()

    def play(case: CaseKey) -> CaseResult:
        played = play_case(case, minimal(), used, 7, CODE)
        if isinstance(played, Dropped):
            return CaseResult(case.name, drop_class=played.drop_class, reason=played.reason)
        return CaseResult(case.name, trace_sha256=store.save_case(case.name, played.trace, played.line, TIMING))

    return play
