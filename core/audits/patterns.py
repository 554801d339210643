"""Regular expressions of authors: they must compile, and must not be able to take catastrophic time.

Catastrophic backtracking needs an unbounded repeat inside an unbounded repeat; such patterns are refused at load, so no
trace can hang a grader.
"""

from __future__ import annotations

import re
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

MAX_LENGTH = 500
MAX_UNBOUNDED = 6
"""Unbounded repeats side by side cost a power of the text's length each."""


def pattern_fault(pattern: str) -> str | None:
    """Why a pattern cannot be used, or None."""
    if len(pattern) > MAX_LENGTH:
        return f"the pattern has {len(pattern)} characters; {MAX_LENGTH} are allowed"
    try:
        re.compile(pattern)
    except re.error as error:
        where = f" at character {error.pos}" if error.pos is not None else ""
        return f"not a regular expression: {error.msg}{where}, found {pattern!r}"
    nested, unbounded = _repeats(parser.parse(pattern), inside=False)
    if nested:
        return f"an unbounded repeat inside an unbounded repeat can take catastrophic time, found {pattern!r}"
    if unbounded > MAX_UNBOUNDED:
        return f"{unbounded} unbounded repeats can take catastrophic time; {MAX_UNBOUNDED} are allowed, found {pattern!r}"
    return None


def _repeats(tree: Any, *, inside: bool) -> tuple[bool, int]:
    """Whether an unbounded repeat stands inside another, and how many there are."""
    nested, count = False, 0
    for op, argument in tree:
        unbounded = op in (constants.MAX_REPEAT, constants.MIN_REPEAT) and argument[1] is constants.MAXREPEAT
        count += unbounded
        nested = nested or (unbounded and inside)
        for child in _children(op, argument):
            child_nested, child_count = _repeats(child, inside=inside or unbounded)
            nested, count = nested or child_nested, count + child_count
    return nested, count


def _children(op: Any, argument: Any) -> list[Any]:
    if op in (constants.MAX_REPEAT, constants.MIN_REPEAT):
        return [argument[2]]
    if op is constants.SUBPATTERN:
        return [argument[3]]
    if op is constants.BRANCH:
        return list(argument[1])
    if op in (constants.ASSERT, constants.ASSERT_NOT):
        return [argument[1]]
    if op is constants.GROUPREF_EXISTS:
        return [branch for branch in argument[1:] if branch is not None]
    if op is constants.ATOMIC_GROUP:
        return [argument]
    if op is constants.POSSESSIVE_REPEAT:
        return [argument[2]]
    return []
