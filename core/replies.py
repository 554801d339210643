"""Reading the one JSON object a chat model was asked for, whatever it put around it."""

from __future__ import annotations

import json
import re

from pydantic import JsonValue

from core.schemas.base import is_json

_TAGS = r"(?:think|thinking|reasoning)"
_THOUGHTS = re.compile(rf"<{_TAGS}>.*?</{_TAGS}>", re.DOTALL | re.IGNORECASE)
_UNOPENED = re.compile(rf"^.*</{_TAGS}>", re.DOTALL | re.IGNORECASE)
_UNCLOSED = re.compile(rf"<{_TAGS}>.*$", re.DOTALL | re.IGNORECASE)
_OBJECT = re.compile(r"\{\s*[\"}]")
"""Where a JSON object begins; a brace in prose is followed by something else."""


def without_thoughts(text: str) -> str:
    """`text` without what stands in think tags.

    Some templates open the tag in the prompt, so what stands before a closing tag alone is thought too; and a reply cut
    off in mid-thought has nothing but thoughts after its opening tag.
    """
    return _UNCLOSED.sub("", _UNOPENED.sub("", _THOUGHTS.sub("", text)))


def json_object(raw: str) -> dict[str, JsonValue]:
    """The object in a reply that may have thoughts, fences or prose around it.

    Raises:
        ValueError: none, a broken one, or several, in one line that can be given back to the model.
    """
    text = raw if _is_whole(raw) else without_thoughts(raw)
    begin = _OBJECT.search(text)
    start = begin.start() if begin else max(text.find("{"), 0)
    try:
        value, end = json.JSONDecoder(object_pairs_hook=_once_each).raw_decode(text[start:].lstrip())
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON: {error.msg} at character {error.pos}") from None
    except ValueError as error:  # a number of thousands of digits, a key that stands twice
        raise ValueError(f"not valid JSON: {error}") from None
    except RecursionError:
        raise ValueError("not valid JSON: nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError(f"wrong reply: reply is a {type(value).__name__}, not an object")
    if _OBJECT.search(text, start + end):
        raise ValueError("not valid JSON: Extra data: more than one object")
    if not is_json(value):
        raise ValueError("wrong reply: half of a surrogate pair, or a number that JSON cannot write")
    return value


def _once_each(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    """The object; two values for one key are two answers, of which none is taken for the answer."""
    found: dict[str, JsonValue] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key[:60]!a} stands twice in an object")
        found[key] = value
    return found


def _is_whole(raw: str) -> bool:
    """Whether the reply begins with its object, so that a think tag in it can only be part of a value."""
    return bool(_OBJECT.match(raw.lstrip()))
