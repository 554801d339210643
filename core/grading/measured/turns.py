"""A view read as turns: what the caller meant and what arrived, and what the agent did until the caller spoke again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.grading.views import CallView, ConversationView, MessageView
from core.schemas.call_trace import ChannelEvent, Role
from core.text import normalise, normaliser_of


@dataclass(frozen=True)
class HeardTurn:
    """One caller turn."""

    number: int
    """Counted from 1."""
    messages: tuple[int, ...]
    """Message indices of its fragments."""
    intended: str
    """What was meant."""
    fragments: tuple[str, ...]
    """What arrived."""
    events: tuple[ChannelEvent, ...]
    """What the line did."""

    @property
    def heard(self) -> str:
        """The fragments as one text."""
        return " ".join(self.fragments)

    @property
    def applied(self) -> tuple[ChannelEvent, ...]:
        """The events that changed something."""
        return tuple(event for event in self.events if event.applied and event.kind != "note")

    def heard_right(self, language: str) -> bool:
        """Whether the same words arrived, however they are written."""
        name = normaliser_of(language)
        return normalise(self.intended, name) == normalise(self.heard, name)


@dataclass(frozen=True)
class AgentTurnView:
    """All an agent said and did between two caller turns."""

    speech: tuple[MessageView, ...]
    """Its messages that sound."""
    calls: tuple[CallView, ...]
    """Its tool calls."""


def caller_turns(view: ConversationView) -> tuple[HeardTurn, ...]:
    """The caller's turns in order."""
    turns = []
    for first in (message for message in view.messages if message.intended is not None):
        pieces = [message for message in view.messages if message.role is Role.CALLER and message.turn == first.turn]
        turns.append(
            HeardTurn(
                number=first.turn or 0,
                messages=tuple(piece.index for piece in pieces),
                intended=first.intended or "",
                fragments=tuple(piece.content for piece in pieces),
                events=first.events,
            )
        )
    return tuple(turns)


def agent_turns(view: ConversationView) -> Iterator[AgentTurnView]:
    """The agent's turns in order, the opening one first; empty ones are left out."""
    group: list[MessageView] = []
    for message in view.messages:
        if message.role is Role.CALLER:
            if group:
                yield _agent_turn(group, view)
            group = []
        elif message.role is Role.AGENT:
            group.append(message)
    if group:
        yield _agent_turn(group, view)


def reply_after(index: int, view: ConversationView) -> AgentTurnView:
    """The agent's turn that follows message `index`, up to the next caller message; empty where there is none."""
    group = []
    for message in view.messages:
        if message.index <= index:
            continue
        if message.role is Role.CALLER:
            break
        if message.role is Role.AGENT:
            group.append(message)
    return _agent_turn(group, view)


def _agent_turn(messages: list[MessageView], view: ConversationView) -> AgentTurnView:
    indices = {message.index for message in messages}
    return AgentTurnView(
        speech=tuple(message for message in messages if message.content.strip()),
        calls=tuple(call for call in view.calls if call.message in indices),
    )
