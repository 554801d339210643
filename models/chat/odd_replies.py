"""Replies whose message stands in its place and has not its shape: content in parts, calls without a function or a name.

litellm raises for most of them as for a broken server, and of content in parts it may keep the last. But the server has
answered, and what it answered is the model's: it is read here from the body as it came, and nothing in it is mended.
"""

from __future__ import annotations

import json
from typing import Any

from core.schemas.base import encodable
from models.chat.reply import Answered, CallRequest, Json

_SPOKEN = ("text", "output_text")
"""Kinds of parts that are words."""


def read_odd(body: str) -> Answered | None:
    """The reply in a body of OpenAI's form; None where it has the usual shape, or there is none."""
    try:
        value = json.loads(body)
        choice, used = value["choices"][0], value.get("usage")
        message = choice["message"]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    if not isinstance(message, dict):
        return None
    content, sent = message.get("content"), message.get("tool_calls")
    calls = sent if isinstance(sent, list) else [] if sent is None else [sent]
    if isinstance(content, str | None) and isinstance(sent, list | None) and all(map(_usual, calls)):
        return None
    text, read = _text(content), tuple(_call(call, place) for place, call in enumerate(calls))
    tokens = used if isinstance(used, dict) else {}
    return Answered(
        text=text,
        tool_calls=read,
        finish_reason=str(choice.get("finish_reason") or ""),
        message=_message(text, read),
        prompt_tokens=_count(tokens.get("prompt_tokens")),
        completion_tokens=_count(tokens.get("completion_tokens")),
    )


def _usual(call: Any) -> bool:
    """Whether litellm reads a call; it knows what to make of a name or of arguments that are not there."""
    function = call.get("function") if isinstance(call, dict) else None
    return (
        isinstance(function, dict)
        and isinstance(function.get("name"), str | None)
        and isinstance(function.get("arguments"), str | dict | None)
    )


def _text(content: Any) -> str:
    """The words of all parts, one after the other; pictures and thoughts are none."""
    words = []
    for part in content if isinstance(content, list) else [content]:
        spoken = isinstance(part, dict) and part.get("type", "text") in _SPOKEN
        word = part.get("text") if spoken else part
        words += [word] if isinstance(word, str) else []
    return encodable("".join(words))


def _call(call: Any, place: int) -> CallRequest:
    """A call; one without a function, or with a name that is none, has no name, and all of it stands for its arguments."""
    name, arguments = (call["function"].get("name"), call["function"].get("arguments")) if _usual(call) else (None, call)
    own = call.get("id") if isinstance(call, dict) else None
    return CallRequest(
        id=encodable(own) if isinstance(own, str) else f"call_{place}",
        name=encodable(name or ""),
        arguments=encodable(arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)),
    )


def _message(text: str, calls: tuple[CallRequest, ...]) -> Json:
    """The message in the usual shape, since servers refuse a conversation that holds another."""
    made = [{"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}} for call in calls]
    return {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
