"""`offline:reference`: the author's own solution of a scenario. No candidate under test, but a ceiling and a proof.

It says and calls what `offline.agent` holds, turn by turn, whatever it hears: that a scenario can be solved, and what a solved
call scores, is shown by playing it. Every other candidate learns nothing of that block.
"""

from __future__ import annotations

from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswers
from core.errors import UsageError
from core.schemas.call_trace import PartyRecord, ToolCall
from core.schemas.scenario import Scenario

VERSION = "reference-1"


class ReferenceCandidate:
    """Implements `core.candidate.Candidate`. Deterministic: neither the seed nor the caller decides anything."""

    def __init__(self, scenario: Scenario) -> None:
        """Raises UsageError for a scenario whose author wrote no solution."""
        if not scenario.offline.agent:
            raise UsageError(f"scenario {scenario.id!r} has no offline.agent: write its solution, or choose another candidate")
        self._turns = iter(scenario.offline.agent)

    def record(self) -> PartyRecord:
        """The party and its version."""
        return PartyRecord(party="offline:reference", settings={"version": VERSION})

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """The first turn."""
        del view, seed
        return self._next()

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """The next turn, after a caller turn as after tool results; silence when there is none left."""
        del observation
        return self._next()

    def _next(self) -> AgentTurn:
        turn = next(self._turns, None)
        if turn is None:
            return AgentTurn()
        calls = tuple(
            ToolCall(id=str(number), tool=call.tool, arguments=call.arguments) for number, call in enumerate(turn.calls)
        )
        return AgentTurn(speech=turn.say, calls=calls)
