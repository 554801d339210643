"""Tool calls written into a text: between tags, in a fence or bare, as models do that have no tool calls of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

_START = re.compile(r"\{\s*\"(?:name|arguments|parameters|type|function)\"")
_OPEN, _CLOSE = "<tool_call>", "</tool_call>"
_BROKEN = re.compile(rf"{_OPEN}(.*?)(?:{_CLOSE}|\Z)", re.DOTALL)
_NAME = re.compile(r"\"name\"\s*:\s*\"([^\"]*)\"")
_EMPTY_FENCE = re.compile(r"```\w*[\s,\[\]]*(?:```|\Z)")


@dataclass(frozen=True)
class WrittenCall:
    """One call as it was written."""

    name: str
    """The function's name."""
    arguments: Any
    """Its arguments: an object, or the text where they could not be read."""


def split_calls(text: str, names: Collection[str]) -> tuple[str, tuple[WrittenCall, ...]]:
    """The words of a reply, and the calls in it.

    An object that stands outside of `<tool_call>` tags is a call only where its name is one of `names`: an agent may well speak
    of other things in braces. Inside the tags every name counts, and what cannot be read is a call with broken arguments.
    """
    calls: list[WrittenCall] = []
    words: list[str] = []
    end = 0
    for found in _START.finditer(text):
        if found.start() < end:
            continue
        try:
            value, length = json.JSONDecoder().raw_decode(text[found.start() :])
        except (ValueError, RecursionError):
            continue
        call = _call(value)
        tagged = text[: found.start()].rstrip().endswith(_OPEN)
        if call is not None and (tagged or call.name in names):
            calls.append(call)
            words.append(text[end : found.start()])
            end = found.start() + length
    rest = "".join([*words, text[end:]])
    for found in _BROKEN.finditer(rest):
        if broken := found[1].strip(" \t\r\n,[]"):
            name = _NAME.search(broken)
            calls.append(WrittenCall(name[1] if name else "", broken))
    if not calls:
        return text.strip(), ()
    return _EMPTY_FENCE.sub("", _BROKEN.sub("", rest)).strip().strip(",[] \t\r\n").strip(), tuple(calls)


def _call(value: Any) -> WrittenCall | None:
    """`{"name", "arguments"}`, the same with `parameters`, or either wrapped as a function call."""
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("function"), dict):
        value = value["function"]
    name = value.get("name")
    arguments = value.get("arguments", value.get("parameters"))
    return WrittenCall(name, arguments) if isinstance(name, str) and isinstance(arguments, dict | str) else None
