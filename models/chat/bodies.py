"""The reply in a body of OpenAI's form, read as it came: nothing the model wrote is mended, whatever its shape.

litellm raises for content in parts, for calls without a function and for arguments it cannot read, as if the server were broken,
and makes several calls of one that it thinks was meant so. But what the server answered is the model's.
"""

from __future__ import annotations

import json
import math
from typing import Any

from core.schemas.base import encodable
from models.chat.reply import Answered, CallRequest, Json

_SPOKEN = ("text", "output_text")
"""Kinds of parts that are words."""
_LONGEST_NUMBER = 4300
"""Digits that Python reads as a whole number."""


def read_reply(body: str) -> Answered | None:
    """The reply in a body; None where it has another form, or tells of an error."""
    try:
        value = json.loads(body, parse_int=_number)
        choice = value["choices"][0]
        message, failed = choice["message"], value.get("error") or choice.get("error")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    if not isinstance(message, dict) or failed:
        return None
    sent = message.get("tool_calls")
    entries = sent if isinstance(sent, list) else [] if sent is None else [sent]
    text = _text(message.get("content")) or _spoken(message)
    calls = tuple(_call(entry, place) for place, entry in enumerate(entries))
    refusal, used = message.get("refusal"), value.get("usage")
    tokens = used if isinstance(used, dict) else {}
    return Answered(
        text=text,
        tool_calls=calls,
        finish_reason=str(choice.get("finish_reason") or ""),
        refusal=encodable(refusal) if isinstance(refusal, str) else "",
        message=_message(message, text, entries, calls),
        prompt_tokens=count(tokens.get("prompt_tokens")),
        completion_tokens=count(tokens.get("completion_tokens")),
    )


def told_error(body: str) -> tuple[str, object] | None:
    """Words and code of the error that a body tells of in a success; None where it tells of none."""
    try:
        value = json.loads(body)
        error = value.get("error") or value["choices"][0].get("error")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    if isinstance(error, dict):
        return str(error.get("message") or error), error.get("code") or error.get("status")
    return (str(error), None) if error else None


def count(value: Any) -> int:
    """A number of tokens; 0 for what is none."""
    return value if isinstance(value, int) and value > 0 else 0


def clean(value: Any) -> Any:
    """JSON without what no file can carry: lone halves of surrogate pairs, numbers that are none."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {encodable(str(name)): clean(item) for name, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return [clean(item) for item in value] if isinstance(value, list) else value


def without_sound(message: Json) -> Json:
    """A message without the sound of a reply in sound: endpoints take its id back, and nothing here keeps recordings."""
    audio = message.get("audio")
    if not isinstance(audio, dict):
        return message
    return {**message, "audio": {name: value for name, value in audio.items() if name != "data"}}


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else float(digits)


def _named(entry: Any) -> bool:
    """Whether an entry is a call of a function, whatever its arguments are."""
    function = entry.get("function") if isinstance(entry, dict) else None
    return isinstance(function, dict) and isinstance(function.get("name"), str | None)


def _text(content: Any) -> str:
    """The words of all parts, one after the other; pictures and thoughts are none."""
    words = []
    for part in content if isinstance(content, list) else [content]:
        spoken = isinstance(part, dict) and part.get("type", "text") in _SPOKEN
        word = part.get("text") if spoken else part
        words += [word] if isinstance(word, str) else []
    return encodable("".join(words))


def _spoken(message: Json) -> str:
    """The transcript of a reply in sound; empty where there is none."""
    audio = message.get("audio")
    words = audio.get("transcript") if isinstance(audio, dict) else None
    return encodable(words) if isinstance(words, str) else ""


def _call(entry: Any, place: int) -> CallRequest:
    """A call; one without a function, or with a name that is none, has no name, and all of it stands for its arguments."""
    name, arguments = (entry["function"].get("name"), entry["function"].get("arguments")) if _named(entry) else (None, entry)
    own = entry.get("id") if isinstance(entry, dict) else None
    if _named(entry) and arguments is None:
        arguments = ""
    return CallRequest(
        id=encodable(own) if isinstance(own, str) and own else f"call_{place}",
        name=encodable(name or ""),
        arguments=encodable(arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)),
    )


def _message(message: Json, text: str, entries: list[Any], calls: tuple[CallRequest, ...]) -> Json:
    """The message to send back: as it came, since some endpoints sign parts of it, with content and calls in the usual shape.

    What is empty is left out, and a call's `index`: strict servers refuse to take them back.
    """
    own = {name: value for name, value in without_sound(clean(message)).items() if value not in (None, [], {})}
    made = []
    for entry, call in zip(entries, calls, strict=True):
        named = _named(entry)
        rest = {name: value for name, value in clean(entry).items() if name != "index"} if named else {}
        function = {**(rest.get("function") or {}), "name": call.name, "arguments": call.arguments}
        made.append({**rest, "id": call.id, "type": "function", "function": function})
    own.pop("tool_calls", None)
    return {**own, "role": "assistant", "content": text, **({"tool_calls": made} if made else {})}
