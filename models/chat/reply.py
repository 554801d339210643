"""What a chat model answered, whoever it is."""

from __future__ import annotations

from typing import Any

from core.schemas.base import Model
from core.schemas.usage import Usage

Json = dict[str, Any]
"""A message, a function or another part of a request, as the endpoint takes it."""


class CallRequest(Model):
    """A tool call as the endpoint sent it."""

    id: str
    """The endpoint's own name for it, by which it wants its result."""
    name: str
    """The function."""
    arguments: str
    """Its arguments as text, which may be no JSON."""


class Answered(Model):
    """A reply as it came, before anything is made of it."""

    text: str
    """Words; empty where there are none."""
    tool_calls: tuple[CallRequest, ...] = ()
    """Calls, in order."""
    finish_reason: str
    """Why it ends, such as `stop`, `length` or `tool_calls`."""
    message: Json
    """The whole message, to be appended to the conversation unchanged."""
    prompt_tokens: int = 0
    """Tokens sent, by the endpoint's count."""
    completion_tokens: int = 0
    """Tokens received, thoughts included."""
    listed_cost: float | None = None
    """What litellm's price list says, in US dollars; None where the model is not on it."""


class ChatReply(Model):
    """What a client gives back for one request."""

    text: str
    """Words; empty where there are none."""
    tool_calls: tuple[CallRequest, ...]
    """Calls, in order."""
    finish_reason: str
    """Why it ends, such as `stop`, `length` or `tool_calls`."""
    message: Json
    """The whole message, to be appended to the conversation unchanged."""
    usage: Usage
    """What this reply cost now; nothing where it came from the cache."""
    attempts: tuple[str, ...]
    """What failed before it came and what was left out of the request, each a short line; kept with a cached reply."""
    dropped: tuple[str, ...]
    """Settings that the endpoint does not take."""

    @property
    def raw(self) -> str:
        """The text as it came: after its thoughts, where litellm or the endpoint has set them apart."""
        thoughts = self.message.get("reasoning_content")
        return f"<think>{thoughts}</think>{self.text}" if thoughts else self.text
