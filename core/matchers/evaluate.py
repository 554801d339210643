"""Evaluating matchers: one value against one predicate, and an object against a set, each with its reason.

Known differences from lax matchers elsewhere: a missing value fails everything that does not speak of absence, also
`not` of a value; text "50" is not the number 50; booleans are not numbers; 5 equals 5.0; texts without a digit are never
the same by `digits`; `contains` on text holds only for whole words and numbers, so 10 is neither in 110 nor in 10.50.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

from core.matchers.comparing import Way, fold, is_scalar, plain, same, says, value_read, way_of
from core.matchers.currency import currency_of
from core.matchers.references import References
from core.matchers.whole import has_words
from core.schemas.call_trace import MatcherResult
from core.schemas.matchers import (
    Absent,
    All,
    AnyOf,
    Compare,
    Contains,
    Equals,
    Extra,
    Matcher,
    Not,
    OneOf,
    Present,
    Range,
    Regex,
    Subset,
)
from core.spoken import Kind


class Missing:
    """The one value that stands for an argument that is not there."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


class Verdict(NamedTuple):
    """Whether a matcher held, and why."""

    ok: bool
    reason: str


def evaluate(matcher: Matcher, value: JsonValue | Missing, references: References, *, search: bool = False) -> Verdict:
    """Whether `value` satisfies `matcher`.

    With `search`, a `regex` may match anywhere in the text instead of all of it: the way checks look into speech.
    """
    if isinstance(matcher, All | AnyOf | Not):
        return _combined(matcher, value, references, search)
    if isinstance(matcher, Absent):
        return Verdict(_is_absent(value), f"expected nothing, found {value!r}")
    if _is_absent(value):
        return Verdict(False, f"expected {describe(matcher, references)}, found nothing")
    assert not isinstance(value, Missing)
    if isinstance(matcher, Present):
        return Verdict(True, f"found {value!r}")
    ok = _holds(matcher, value, references, search)
    return Verdict(ok, f"expected {describe(matcher, references)}, found {value!r}{_as_read(matcher, value, references)}")


def match_arguments(
    matchers: Mapping[str, Matcher],
    arguments: Mapping[str, JsonValue],
    references: References,
    extra: Extra = Extra.ALLOW,
) -> tuple[MatcherResult, ...]:
    """Every matcher of a set against an object, then every argument without one, where those are refused.

    A null argument counts as one that is not there.
    """
    results = []
    for name, matcher in matchers.items():
        verdict = evaluate(matcher, arguments.get(name, MISSING), references)
        results.append(MatcherResult(argument=name, ok=verdict.ok, reason=verdict.reason))
    for name, value in arguments.items() if extra is Extra.REFUSE else ():
        if name not in matchers and value is not None:
            reason = f"expected no further argument, found {value!r}"
            results.append(MatcherResult(argument=name, ok=False, reason=reason))
    return tuple(results)


def describe(matcher: Matcher, references: References) -> str:
    """The matcher in words, references resolved."""
    match matcher:
        case Equals():
            names = (matcher.equals, *matcher.aliases)
            return " or ".join(repr(references.resolve(name)) for name in names) + _by(way_of(matcher, references))
        case OneOf():
            names = matcher.one_of
            return "one of " + ", ".join(repr(references.resolve(name)) for name in names) + _by(way_of(matcher, references))
        case Contains():
            return f"something containing {references.resolve(matcher.contains)!r}{_by(way_of(matcher, references))}"
        case Regex():
            return f"text like /{matcher.regex}/{_by(Way(matcher.compare))}"
        case Range():
            return _interval(matcher, references)
        case Subset():
            return "an object with " + ", ".join(f"{k}: {describe(m, references)}" for k, m in matcher.subset.items())
        case Present():
            return "a value"
        case Absent():
            return "nothing"
        case All():
            return " and ".join(describe(item, references) for item in matcher.all)
        case AnyOf():
            return " or ".join(describe(item, references) for item in matcher.any)
        case Not():
            return f"not {describe(matcher.not_, references)}"


def _is_absent(value: JsonValue | Missing) -> bool:
    return value is None or isinstance(value, Missing)


def _by(way: Way) -> str:
    """The options of a comparison in words."""
    words = [option.value for option in (way.compare, way.kind) if option is not None]
    if way.tolerance is not None:
        words += [f"within {way.tolerance.abs:g}"] if way.tolerance.abs is not None else []
        words += [f"within {way.tolerance.rel * 100:g} %"] if way.tolerance.rel is not None else []
    words += ["in any order"] if way.unordered else []
    return f" ({', '.join(words)})" if words else ""


def _as_read(matcher: Matcher, value: JsonValue, references: References) -> str:
    """What a value was read as, where it was read and that is not how it is written."""
    if not isinstance(matcher, Equals | OneOf) or matcher.kind is None or isinstance(value, list | dict):
        return ""
    known = value_read(value, matcher.kind, way_of(matcher, references))
    if known is None:
        return f", which is no {matcher.kind.value}"
    if (
        matcher.kind is Kind.MONEY
        and isinstance(value, str)
        and (unit := currency_of(value, way_of(matcher, references).language))
    ):
        return f", read as {known!r} in {unit}"
    return "" if known == value else f", read as {known!r}"


def _interval(matcher: Range, references: References) -> str:
    low, high = matcher.range.min, matcher.range.max
    if high is None:
        return f"a number of at least {_shown_end(low, references)}"
    if low is None:
        return f"a number of at most {_shown_end(high, references)}"
    return f"a number from {_shown_end(low, references)} to {_shown_end(high, references)}"


def _shown_end(end: float | str | None, references: References) -> str:
    resolved = references.resolve(end)
    return plain(resolved) if _is_number(resolved) else repr(resolved)


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _speaks_of_absence(matcher: Matcher) -> bool:
    """Whether a matcher says something of a missing value rather than of a value."""
    match matcher:
        case Absent() | Present():
            return True
        case All():
            return any(_speaks_of_absence(item) for item in matcher.all)
        case AnyOf():
            return any(_speaks_of_absence(item) for item in matcher.any)
        case Not():
            return _speaks_of_absence(matcher.not_)
    return False


def _combined(matcher: All | AnyOf | Not, value: JsonValue | Missing, references: References, search: bool) -> Verdict:
    if isinstance(matcher, Not):
        if _is_absent(value) and not _speaks_of_absence(matcher.not_):
            return Verdict(False, f"expected {describe(matcher, references)}, found nothing")
        inner = evaluate(matcher.not_, value, references, search=search)
        return Verdict(not inner.ok, f"expected not {describe(matcher.not_, references)}, found {value!r}")
    items = matcher.all if isinstance(matcher, All) else matcher.any
    verdicts = [evaluate(item, value, references, search=search) for item in items]
    ok = all(v.ok for v in verdicts) if isinstance(matcher, All) else any(v.ok for v in verdicts)
    relevant = [v.reason for v in verdicts if v.ok == ok]
    return Verdict(ok, "; ".join(relevant))


def _holds(matcher: Matcher, value: JsonValue, references: References, search: bool) -> bool:
    match matcher:
        case Equals():
            way, names = way_of(matcher, references), (matcher.equals, *matcher.aliases)
            return any(same(value, references.resolve(name), way) for name in names)
        case OneOf():
            way = way_of(matcher, references)
            return any(same(value, references.resolve(item), way) for item in matcher.one_of)
        case Range():
            return _in_range(matcher, value, references)
        case Regex():
            return _regex(matcher, value, search)
        case Contains():
            return _contains(matcher, value, references)
        case Subset():
            return isinstance(value, dict) and all(
                evaluate(item, value.get(key, MISSING), references).ok for key, item in matcher.subset.items()
            )
    raise AssertionError(f"unhandled matcher {matcher!r}")


def _in_range(matcher: Range, value: JsonValue, references: References) -> bool:
    """An end that is not given is open; one that resolves to no number makes the range fail."""
    if not _is_number(value):
        return False
    low, high = matcher.range.min, matcher.range.max
    return (low is None or _at_least(value, references.resolve(low))) and (
        high is None or _at_least(references.resolve(high), value)
    )


def _at_least(value: JsonValue, bound: JsonValue) -> bool:
    if isinstance(value, bool) or isinstance(bound, bool):
        return False
    return isinstance(value, int | float) and isinstance(bound, int | float) and value >= bound


def _regex(matcher: Regex, value: JsonValue, search: bool) -> bool:
    if not isinstance(value, str):
        return False
    text = fold(value, matcher.compare)
    flags = re.IGNORECASE if matcher.compare in (Compare.CASEFOLD, Compare.NORMALIZED) else 0
    found = re.search(matcher.regex, text, flags) if search else re.fullmatch(matcher.regex, text, flags)
    return found is not None


def _contains(matcher: Contains, value: JsonValue, references: References) -> bool:
    wanted, way = references.resolve(matcher.contains), way_of(matcher, references)
    if isinstance(value, list):
        return any(same(item, wanted, way) for item in value)
    if not isinstance(value, str) or not is_scalar(wanted):
        return False
    if way.kind is not None:
        return says(value, wanted, way.kind, way)
    haystack, needle = fold(value, matcher.compare), fold(wanted, matcher.compare)
    if matcher.compare is Compare.DIGITS and needle:
        runs = re.findall(r"\d+(?:[\s,.\-/]*\d+)*", value)
        return any(fold(run, Compare.DIGITS) == needle for run in runs)
    return has_words(haystack, needle)
