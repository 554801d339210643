"""The candidate's side of the seam: what it is given, what it hears, what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from core.schemas.call_trace import PartyRecord, ToolCall
from core.schemas.tools import Tool


@dataclass(frozen=True)
class CandidateView:
    """All a candidate is given before the call: its rendered instructions and tools."""

    instructions: str
    """Rendered operating instructions."""
    tools: tuple[Tool, ...]
    """The tools it may call, without the harness's success conditions."""


@dataclass(frozen=True)
class Hearing:
    """A caller turn as it reached the candidate."""

    fragments: tuple[str, ...]
    """The words of each fragment, in order; an empty text is silence."""


@dataclass(frozen=True)
class ToolAnswer:
    """The answer to one tool call."""

    call_id: str
    """The call it answers."""
    tool: str
    """Its tool."""
    result: dict[str, JsonValue]
    """The returned object."""


@dataclass(frozen=True)
class ToolAnswers:
    """The answers to all calls of the last turn, in order."""

    answers: tuple[ToolAnswer, ...]
    """One per call."""
    calls_allowed: bool = True
    """False once the chain limit was reached: only speech is accepted in reply."""


@dataclass(frozen=True)
class AgentTurn:
    """What a candidate answers: speech, tool calls, or both."""

    speech: str = ""
    """Words said aloud; blank is silence."""
    calls: tuple[ToolCall, ...] = ()
    """Tool calls, answered in order. Ids are renumbered by the loop."""
    raw: str = ""
    """The model's reply as it came, where it was more than speech and calls."""
    attempts: tuple[str, ...] = ()
    """Requests that failed before this turn was answered, each with the reason."""


class AgentDisconnected(Exception):
    """The candidate is gone in mid-call: its fault, graded as it stands."""


class AgentProtocolError(Exception):
    """The candidate broke its protocol: its fault, graded as it stands."""


class Candidate(Protocol):
    """One candidate in one call; a new object is made for every attempt at a call.

    Raises AgentDisconnected or AgentProtocolError for the candidate's own faults, ProviderError for ours.
    """

    def record(self) -> PartyRecord:
        """The party with all its settings, for the trace."""
        ...

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Speak first."""
        ...

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """Answer what was heard, or go on after tool results."""
        ...
