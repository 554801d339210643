"""SPEC 3: reruns of an invalid caller, and whose fault a dropped case is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.bundle import Bundle
from core.caller import Caller
from core.candidate import AgentDisconnected, AgentProtocolError, Candidate
from core.errors import ClipError, EngineError, InputError, OperatorError, ProviderError, RingbackError, UsageError, WeightsError
from core.line import Heard, Line, LineTurn, TextLine, TextLines
from core.metered import Told
from core.runs.play import MAX_RERUNS, Dropped, Parties, Played, play_case
from core.runs.runner import run_cases
from core.runs.store import RunStore
from core.schemas.base import Condition, sha256
from core.schemas.call_trace import EndReason
from core.schemas.run import CaseKey, DropClass
from core.schemas.scenario import Scenario
from core.schemas.usage import Usage
from core.seeds import component_seeds
from tests.support.parties import GREETING, ListCaller, ListCandidate, call, say, turn
from tests.support.runs import CODE, REPLIES, TURNS, parties, player, run_file
from tests.support.scenes import minimal

CASE = CaseKey(scenario="renew-loan", condition=Condition.TEXT)
BAD = "no JSON"


def _play(made: Parties, case: CaseKey = CASE, bundle: Bundle | None = None) -> Played | Dropped:
    return play_case(case, bundle or minimal(), made, 7, CODE)


def _finished(made: Parties, case: CaseKey = CASE) -> Played:
    played = _play(made, case)
    assert isinstance(played, Played)
    return played


class _Attempts:
    """Parties whose n-th attempt is played with the n-th list of replies."""

    def __init__(self, *attempts: list[str | Exception]) -> None:
        self._attempts = iter(attempts)
        self.callers: list[ListCaller] = []
        self.candidates: list[ListCandidate] = []
        self.line_seeds: list[int] = []
        self.parties = Parties(caller=self._caller, candidate=self._candidate, lines={Condition.TEXT: self})

    def _caller(self, scenario: Scenario) -> Caller:
        assert scenario is minimal().scenarios["renew-loan"]
        self.callers.append(ListCaller(next(self._attempts)))
        return self.callers[-1]

    def _candidate(self, scenario: Scenario) -> Candidate:
        assert scenario is minimal().scenarios["renew-loan"]
        self.candidates.append(ListCandidate(TURNS))
        return self.candidates[-1]

    def settings(self) -> dict[str, Any]:
        return {}

    def open(self, scenario: Scenario, seed: int) -> Line:
        del scenario
        self.line_seeds.append(seed)
        return TextLine()


# -- a finished call ------------------------------------------------------------------------------------------------------


def test_a_finished_call_is_a_trace_with_everything_that_decided_it() -> None:
    """The header names bundle, scenario, agent, condition, repeat, rerun, prompt, seeds, parties, line and code."""
    case = CaseKey(scenario="renew-loan", condition=Condition.AUTHORED, repeat=2)
    header = _finished(parties(), case).trace.header
    bundle = minimal()
    assert (bundle.file.id, "1.0.0", bundle.bundle_hash) == (header.bundle, header.bundle_version, header.bundle_hash)
    assert ("renew-loan", "corner-library", "en") == (header.scenario, header.agent, header.language)
    assert (Condition.AUTHORED, 2, 0) == (header.condition, header.repeat, header.rerun)
    assert sha256(bundle.prompt(bundle.scenarios["renew-loan"])) == header.prompt_sha256
    assert component_seeds(7, "renew-loan", 2, 0, Condition.AUTHORED) == header.seeds
    assert ("test:caller", "test:candidate") == (header.caller.party, header.candidate.party)
    assert ("authored-1", CODE) == (header.line["line"], header.code)


@pytest.mark.parametrize(
    ("fault", "end"),
    [
        ([AgentDisconnected("gone")], EndReason.AGENT_DISCONNECTED),
        ([AgentProtocolError("broken")], EndReason.PROTOCOL_ERROR),
        ([turn("")], EndReason.AGENT_IDLE),
        ([turn("", call("unknown", x=1))] * 2 + [turn("Well?")], EndReason.TURN_LIMIT),
    ],
)
def test_an_agents_own_fault_is_never_dropped(fault: list[Any], end: EndReason) -> None:
    """Disconnecting, breaking protocol, idling and unknown tools end the call; it is kept and graded as it stands."""
    assert end is _finished(parties(turns=[*fault])).trace.end


# -- reruns -----------------------------------------------------------------------------------------------------------------


def test_an_invalid_caller_restarts_the_conversation_with_fresh_parties() -> None:
    """Nothing of the failed attempt is in the trace but the number of the rerun."""
    attempts = _Attempts([REPLIES[0], BAD], [BAD], list(REPLIES))
    played = _finished(attempts.parties)
    assert 2 == played.trace.header.rerun
    assert [3, 2, 2] == [len(caller.views) for caller in attempts.callers]
    assert 3 == len(attempts.candidates)
    assert [(), ()] == [item.rejected for item in played.trace.caller_turns]
    assert GREETING == played.trace.messages[1].content


def test_a_rerun_has_new_seeds_for_the_parties_and_the_same_for_the_line() -> None:
    """The rerun is part of the parties' seeds and not of the voices' or the line's."""
    attempts = _Attempts([BAD], list(REPLIES))
    header = _finished(attempts.parties).trace.header
    assert 1 == len(set(attempts.line_seeds))
    assert attempts.line_seeds[0] == header.seeds.speech
    assert header.seeds == component_seeds(7, "renew-loan", 0, 1, Condition.TEXT)
    assert attempts.callers[0].seeds[0] != attempts.callers[1].seeds[0] == header.seeds.caller


def test_three_reruns_are_the_most() -> None:
    """The fourth attempt may still succeed; after it the case is dropped, and that is the simulation's fault."""
    assert 3 == _finished(_Attempts([BAD], [BAD], [BAD], list(REPLIES)).parties).trace.header.rerun
    attempts = _Attempts([BAD], [BAD], [BAD], [BAD], list(REPLIES))
    dropped = _play(attempts.parties)
    assert isinstance(dropped, Dropped)
    assert (MAX_RERUNS, 4) == (3, len(attempts.callers))
    assert DropClass.SIMULATION is dropped.drop_class
    assert "caller_invalid: not valid JSON: Expecting value at character 0" == dropped.reason


# -- what it cost -----------------------------------------------------------------------------------------------------------


class _Paid(ListCaller):
    """A caller whose every reply costs a cent."""

    def usage(self) -> Usage:
        return Usage(requests=len(self.views), cost_usd=0.01 * len(self.views))

    def tell(self, told: Told) -> None:
        """Nobody listens."""


class _PaidCandidate(ListCandidate):
    """A candidate whose every answer costs a dollar."""

    def usage(self) -> Usage:
        return Usage(requests=1 + len(self.observations), cost_usd=1.0 + len(self.observations))

    def tell(self, told: Told) -> None:
        """Nobody listens."""


def _paid(*attempts: list[str | Exception]) -> Parties:
    left = iter(attempts)
    return replace(parties(), caller=lambda _scenario: _Paid(next(left)), candidate=lambda _scenario: _PaidCandidate(TURNS))


def test_what_reruns_used_counts_with_the_call() -> None:
    """An attempt that was thrown away was paid for; programs are left out."""
    once, twice = _play(_paid(list(REPLIES))), _play(_paid([BAD], list(REPLIES)))
    assert {"caller": 2, "candidate": 4} == {role: used.requests for role, used in once.usage.items()}
    assert {"caller": 4, "candidate": 5} == {role: used.requests for role, used in twice.usage.items()}
    assert (0.04, 5.0) == (twice.usage["caller"].cost_usd, twice.usage["candidate"].cost_usd)
    assert {} == _play(parties()).usage


@pytest.mark.parametrize(("attempts", "replies"), [([[BAD]] * 4, 8), ([[ProviderError("HTTP 503")]], 1)])
def test_a_dropped_case_was_paid_for_too(attempts: list[list[str | Exception]], replies: int) -> None:
    """Four attempts of two replies each where the caller was invalid, and the one that met the failing provider."""
    dropped = _play(_paid(*attempts))
    assert isinstance(dropped, Dropped)
    assert replies == dropped.usage["caller"].requests


# -- faults that are not the agent's ----------------------------------------------------------------------------------------


class _FailingLine(TextLine):
    def __init__(self, error: RingbackError) -> None:
        self._error = error

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        raise self._error


class _FailingLines(TextLines):
    def __init__(self, error: RingbackError) -> None:
        self._error = error

    def open(self, scenario: Scenario, seed: int) -> Line:
        return _FailingLine(self._error)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ClipError("the clip of turn 1 is silent"), "clip: the clip of turn 1 is silent"),
        (EngineError("the voice stopped"), "provider: the voice stopped"),
        (ProviderError("HTTP 503 after 5 attempts"), "provider: HTTP 503 after 5 attempts"),
    ],
)
@pytest.mark.parametrize("where", ["line", "caller", "candidate"])
def test_our_engine_or_provider_failing_drops_the_case_as_infrastructure(error: RingbackError, reason: str, where: str) -> None:
    """Whoever it strikes, it says nothing about the candidate, and starting again is not tried here."""
    made = {
        "line": lambda: parties(text=_FailingLines(error)),
        "caller": lambda: parties(replies=[error]),
        "candidate": lambda: parties(turns=[turn(GREETING), error]),
    }[where]()
    dropped = _play(made)
    assert isinstance(dropped, Dropped)
    assert (DropClass.INFRASTRUCTURE, reason) == (dropped.drop_class, dropped.reason)


@pytest.mark.parametrize(
    "error", [OperatorError("disk full"), WeightsError("no weights"), InputError("bad file"), UsageError("bad word")]
)
def test_an_error_of_the_machine_or_the_input_is_raised(error: RingbackError) -> None:
    """Those stop the run: every other case would fail too."""
    with pytest.raises(type(error)):
        _play(parties(turns=[turn(GREETING), error]))


def test_the_three_classes_never_mix() -> None:
    """There are two classes of drops; what the agent does wrong is in neither."""
    assert {"simulation", "infrastructure"} == {item.value for item in DropClass}


@pytest.mark.parametrize("replies", [[BAD], [ProviderError("down")]], ids=["simulation", "infrastructure"])
def test_nothing_of_a_dropped_case_is_saved(tmp_path: Path, replies: list[Any]) -> None:
    """A case folder is complete or not there at all."""
    store = RunStore.begin(tmp_path / "run", run_file(), minimal())
    run_cases(store, [CASE], player(store, parties(replies=[say("Hello, you."), *replies])))
    assert not store.has(CASE.name)
    assert [] == [path for path in (tmp_path / "run").rglob("*") if "renew-loan--text" in path.name]
