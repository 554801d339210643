"""What a chat model answered, whoever it is."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from core.replies import without_thoughts
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
    refusal: str = ""
    """The model's words where it declined in a place of its own."""
    prompt_tokens: int = Field(default=0, ge=0)
    """Tokens sent, by the endpoint's count."""
    completion_tokens: int = Field(default=0, ge=0)
    """Tokens received, thoughts included."""
    counted: bool = True
    """Whether the endpoint counted the tokens; else they are reckoned from lengths."""
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
    """What failed before it came, what was left out of the request and what cut it short, each a short line."""
    dropped: tuple[str, ...]
    """Settings that the endpoint does not take."""

    refusal: str = ""
    """The model's words where it declined in a place of its own."""

    @property
    def raw(self) -> str:
        """The text as it came: after its thoughts, where the endpoint has set them apart; a refusal where there is no text."""
        thoughts = self.message.get("reasoning_content") or self.message.get("reasoning")
        text = self.text or self.refusal
        return f"<think>{thoughts}</think>{text}" if isinstance(thoughts, str) else text

    @property
    def ending(self) -> str:
        """What ended the reply, where it was not the model itself or it declined; empty for an ordinary end."""
        if self.refusal:
            return f"declined by the model: {' '.join(self.refusal.split())[:200]}"
        return _ENDINGS.get(self.finish_reason, "")


def without_thinking(message: Json) -> Json:
    """A message to send back without what the model thought."""
    fields = message.get("provider_specific_fields")
    left = {name: value for name, value in message.items() if name not in _THINKING}
    if isinstance(fields, dict):
        left["provider_specific_fields"] = {name: value for name, value in fields.items() if name not in _THINKING}
    content = left.get("content")
    return {**left, "content": without_thoughts(content).strip()} if isinstance(content, str) else left


_THINKING = ("reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks")
_ENDINGS = {
    "length": "cut off at its largest length",
    "max_tokens": "cut off at its largest length",
    "content_filter": "withheld by the provider's filter",
}
