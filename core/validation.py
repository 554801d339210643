"""Pydantic's errors as faults an author can act on, and what is left of a file without its faulty parts.

Pydantic names the chosen member of a tagged union inside an error's location; authors do not write that name, so it is
taken out of field paths here.
"""

from __future__ import annotations

import copy
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from core.schemas import checks, matchers

_TAGS = frozenset((*matchers.TAGS, *checks.TAGS))


def faults_of(error: ValidationError, data: Any) -> list[tuple[str, str]]:
    """(field path, reason) of every error."""
    return [(_dotted(_path(item, data)), _reason(item)) for item in error.errors()]


def without_fault(error: ValidationError, data: Any) -> Any | None:
    """`data` without what the errors name, so that the rest can still be audited; None where nothing is left."""
    data = copy.deepcopy(data)
    for item in sorted(error.errors(), key=lambda e: len(e["loc"]), reverse=True):
        path = _path(item, data)
        if item["type"] == "missing":
            path = path[:-1]
        if not path:
            return None
        _delete(data, path)
    return data


def _path(item: ErrorDetails, data: Any) -> tuple[str | int, ...]:
    """The error's location in the file: union tags and dictionary-key markers taken out."""
    path: list[str | int] = []
    node, tag_seen = data, False
    for part in item["loc"]:
        if part == "[key]":
            continue
        if isinstance(node, dict) and part in _TAGS and part in node and not tag_seen and _is_tagged(node):
            tag_seen = True
            continue
        path.append(part)
        tag_seen = False
        try:
            node = node[part]
        except (KeyError, IndexError, TypeError):
            node = None
    return tuple(path)


def _is_tagged(node: dict[Any, Any]) -> bool:
    return sum(key in _TAGS for key in node) == 1


def _delete(data: Any, path: tuple[str | int, ...]) -> None:
    node = data
    try:
        for part in path[:-1]:
            node = node[part]
        del node[path[-1]]
    except (KeyError, IndexError, TypeError):
        return


def _dotted(path: tuple[str | int, ...]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _reason(item: ErrorDetails) -> str:
    message = item["msg"].removeprefix("Value error, ")
    if item["type"] == "extra_forbidden":
        return "unknown field: remove it or check its spelling"
    if item["type"] == "missing":
        return "required field is missing"
    found = item["input"]
    shown = "" if isinstance(found, dict | list) else f", found {found!r}"
    return f"{message[0].lower()}{message[1:]}{shown}"
