"""A candidate that says and does what it was told beforehand, turn by turn: a yardstick for scenarios and their checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.bundle import Bundle
from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswers
from core.line import AuthoredLines, TextLines
from core.runs.play import Parties, Played, play_case
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion, PartyRecord, ToolCall, Trace
from core.schemas.run import CaseKey
from core.yamlfile import read_data
from models.parties.scripted import ScriptedCaller

SEED = 7


class ModelAgent:
    """Plays its entries in order, whatever it hears; silent when they are used up."""

    def __init__(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self._entries = list(entries)

    def record(self) -> PartyRecord:
        """A party without settings."""
        return PartyRecord(party="test:model")

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """The first entry."""
        del view, seed
        return self._next()

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """The next entry."""
        del observation
        return self._next()

    def _next(self) -> AgentTurn:
        if not self._entries:
            return AgentTurn()
        entry = self._entries.pop(0)
        calls = (ToolCall(id="1", tool=entry["tool"], arguments=entry["args"]),) if "tool" in entry else ()
        return AgentTurn(speech=entry["say"], calls=calls)


def model_calls() -> dict[str, list[dict[str, Any]]]:
    """Every model call, by `<scenario>@<condition>`."""
    calls: dict[str, list[dict[str, Any]]] = read_data(Path(__file__).with_name("model_calls.yaml"))
    return calls


def play(bundle: Bundle, name: str, entries: Sequence[Mapping[str, Any]]) -> Trace:
    """Play a model call with the scripted caller."""
    scenario, condition = name.split("@")
    parties = Parties(
        caller=lambda s: ScriptedCaller(s.offline),
        candidate=lambda _scenario: ModelAgent(entries),
        lines={Condition.TEXT: TextLines(), Condition.AUTHORED: AuthoredLines()},
    )
    case = CaseKey(scenario=scenario, condition=Condition(condition), repeat=0)
    played = play_case(case, bundle, parties, SEED, CodeVersion(version="test"))
    assert isinstance(played, Played), played
    return played.trace
