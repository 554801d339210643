"""Who may see what: the two judges' views. A judge is handed a view and nothing else.

Views hold no expected action, check, matcher result, hidden state or brief (the conversation judge not even the goal), so a
judge cannot grade against what should have happened instead of what the trace shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from core.schemas.base import Diagnostic
from core.schemas.call_trace import ChannelEvent, EndReason, Role
from core.schemas.scenario import Anchors, Excerpt


@dataclass(frozen=True)
class CriterionView:
    """A criterion as a judge sees it."""

    id: str
    """Criterion id."""
    diagnostic: Diagnostic
    """What it observes."""
    statement: str
    """What is asked of the agent."""
    anchors: Anchors
    """What each label looks like."""
    excerpts: tuple[Excerpt, ...]
    """Instructions it rests on."""


@dataclass(frozen=True)
class CallView:
    """One tool call as a judge sees it: raw call and result, no matcher results."""

    tool: str
    """Tool name."""
    arguments: JsonValue
    """Arguments, parsed where possible."""
    result: dict[str, JsonValue]
    """The returned object."""
    message: int
    """Index of the agent message that carries the call."""
    result_message: int
    """Index of the tool message that answers it."""
    ended_call: bool
    """Whether it ended the call."""
    refused: bool = False
    """Whether no tool was reached: the name is unknown, or the call came past the chain limit."""


@dataclass(frozen=True)
class MessageView:
    """One message as a judge sees it: for the caller, intended and heard words side by side."""

    index: int
    """Message index, to be cited as evidence."""
    role: Role
    """Whose it is."""
    content: str
    """What the candidate heard or said."""
    intended: str | None
    """For the first fragment of a caller turn: what was meant; null elsewhere."""
    events: tuple[ChannelEvent, ...]
    """For the first fragment of a caller turn: what the line did."""
    turn: int | None
    """For a caller message: its turn."""


@dataclass(frozen=True)
class TaskView:
    """What the task judge sees."""

    prompt: str
    """The candidate's rendered instructions."""
    goal: str
    """What a good call achieves."""
    criteria: tuple[CriterionView, ...]
    """Task criteria."""
    messages: tuple[MessageView, ...]
    """The conversation."""
    calls: tuple[CallView, ...]
    """Tool calls and results."""
    end: EndReason
    """Why the call ended."""
    rejections: tuple[str, ...] = ()
    """On a second attempt: what was wrong with the first judgements; the view then holds only their items."""

    def second_attempt(self, faults: Mapping[str, str]) -> TaskView:
        """The view with only the items that `faults` names, and what was wrong with their judgements."""
        return replace(self, criteria=_named(self.criteria, faults), rejections=_rejections(faults))


@dataclass(frozen=True)
class ConversationView:
    """What the conversation judge sees."""

    language: str
    """Required BCP 47 tag."""
    script: str
    """Required ISO 15924 script."""
    ratings: tuple[Diagnostic, ...]
    """Built-in ratings that apply."""
    criteria: tuple[CriterionView, ...]
    """Conversation criteria."""
    messages: tuple[MessageView, ...]
    """The conversation, without the system prompt."""
    calls: tuple[CallView, ...]
    """Tool calls and results."""
    end: EndReason
    """Why the call ended."""
    rejections: tuple[str, ...] = ()
    """On a second attempt: what was wrong with the first judgements; the view then holds only their items."""

    def second_attempt(self, faults: Mapping[str, str]) -> ConversationView:
        """The view with only the items that `faults` names, and what was wrong with their judgements."""
        ratings = tuple(diagnostic for diagnostic in self.ratings if diagnostic.value in faults)
        return replace(self, criteria=_named(self.criteria, faults), ratings=ratings, rejections=_rejections(faults))


def _named(criteria: tuple[CriterionView, ...], faults: Mapping[str, str]) -> tuple[CriterionView, ...]:
    return tuple(criterion for criterion in criteria if criterion.id in faults)


def _rejections(faults: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}: {fault}" for name, fault in faults.items())
