"""Regular expressions of authors: they must compile, and must not be able to take catastrophic time.

Catastrophic backtracking needs an unbounded repeat inside an unbounded repeat; such patterns are refused at load, so no
trace can hang a grader.
"""

from __future__ import annotations

import re
from re import _constants as constants  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

MAX_LENGTH = 500
MAX_WIDE = 3
"""Unbounded repeats of `.` on one path through the pattern: each costs a power of the text's length."""
MAX_UNBOUNDED = 12
"""Unbounded repeats of any kind on one path through the pattern."""


def pattern_fault(pattern: str) -> str | None:
    """Why a pattern cannot be used, or None."""
    if len(pattern) > MAX_LENGTH:
        return f"the pattern has {len(pattern)} characters; {MAX_LENGTH} are allowed"
    try:
        re.compile(pattern)
    except re.error as error:
        where = f" at character {error.pos}" if error.pos is not None else ""
        return f"not a regular expression: {error.msg}{where}, found {pattern!r}"
    cost = _cost(parser.parse(pattern), inside=False)
    if cost.nested:
        return f"an unbounded repeat inside an unbounded repeat can take catastrophic time, found {pattern!r}"
    if cost.wide > MAX_WIDE:
        return f"{cost.wide} repeats of `.` in a row can take catastrophic time; {MAX_WIDE} are allowed, found {pattern!r}"
    if cost.unbounded > MAX_UNBOUNDED:
        return f"{cost.unbounded} unbounded repeats can take catastrophic time; {MAX_UNBOUNDED} are allowed, found {pattern!r}"
    return None


class _Cost(NamedTuple):
    """What a piece of a pattern may cost on its dearest path."""

    nested: bool = False
    unbounded: int = 0
    wide: int = 0


def _cost(tree: Any, *, inside: bool) -> _Cost:
    nested, unbounded, wide = False, 0, 0
    for op, argument in tree:
        repeats = op in (constants.MAX_REPEAT, constants.MIN_REPEAT) and argument[1] is constants.MAXREPEAT
        children = [_cost(child, inside=inside or repeats) for child in _children(op, argument)]
        nested = nested or (repeats and inside) or any(child.nested for child in children)
        unbounded += repeats + max((child.unbounded for child in children), default=0)
        is_wide = repeats and argument[2][0][0] is constants.ANY
        wide += is_wide + max((child.wide for child in children), default=0)
    return _Cost(nested, unbounded, wide)


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
