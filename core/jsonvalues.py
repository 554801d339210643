"""Reading JSON values whatever their shape."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue


def leaves(value: JsonValue) -> Iterator[JsonValue]:
    """Every value that is neither object nor list, in order, nulls too."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    else:
        yield value
