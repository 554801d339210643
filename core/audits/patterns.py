"""Regular expressions of authors: they must compile, and must not be able to take catastrophic time.

The cost of a pattern is bounded at load, so no trace can hang a grader.
"""

from __future__ import annotations

import re
from functools import lru_cache
from re import _parser as parser  # type: ignore[attr-defined]

from core.audits.ambiguity import MAX_POSITIONS, TEXT_LENGTH, TooLarge, cost_of

MAX_LENGTH = 500
MAX_STEPS = 1e8
"""Steps that searching a text of TEXT_LENGTH characters may take: about a second."""


@lru_cache(maxsize=4096)
def pattern_fault(pattern: str) -> str | None:
    """Why a pattern cannot be used, or None."""
    if len(pattern) > MAX_LENGTH:
        return f"the pattern has {len(pattern)} characters; {MAX_LENGTH} are allowed"
    try:
        re.compile(pattern)
        cost = cost_of(parser.parse(pattern))
    except re.error as error:
        where = f" at character {error.pos}" if error.pos is not None else ""
        return f"not a regular expression: {error.msg}{where}, found {pattern!r}"
    except (RecursionError, OverflowError, TooLarge):
        return f"the pattern is too large: {MAX_POSITIONS} places for a character are allowed, found {pattern!r}"
    if cost.exponential:
        return f"a repeat can match one text in two ways, which can take catastrophic time, found {pattern!r}"
    if cost.steps > MAX_STEPS:
        return (
            f"repeats that can share a text can take catastrophic time ({cost.steps:.0e} steps on {TEXT_LENGTH} characters),"
            f" found {pattern!r}"
        )
    return None
