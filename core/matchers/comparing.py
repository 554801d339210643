"""Whether two values are the same: as JSON, folded as text, read as a kind of value, within a tolerance, in any order."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from pydantic import JsonValue

from core.matchers.assign import assign
from core.matchers.currency import currency_of, same_currency
from core.matchers.references import References
from core.schemas.matchers import Compare, Contains, Equals, OneOf, Tolerance
from core.spoken import Kind, Value, find_value, read
from core.spoken.canonical import comparable, typed
from core.text import collapse_spaces, nfkc_casefold

_ENGLISH = "en"


class Way(NamedTuple):
    """How two values are compared; by default as JSON values, with 5 equal to 5.0."""

    compare: Compare | None = None
    """How texts are folded."""
    kind: Kind | None = None
    """The kind of value both are read as."""
    language: str = _ENGLISH
    """BCP 47 tag of the words."""
    now: str | None = None
    """Moment that relative dates and missing years count from."""
    tolerance: Tolerance | None = None
    """How far two numbers may be apart."""
    unordered: bool = False
    """Whether lists may come in any order."""


EXACTLY = Way()
"""The comparison without options."""


def way_of(matcher: Equals | OneOf | Contains, references: References) -> Way:
    """The comparison a matcher asks for; language and moment are the scenario's where it names none."""
    language, now = matcher.language or references.language, matcher.now or references.now
    if isinstance(matcher, Contains):
        return Way(matcher.compare, matcher.kind, language, now)
    return Way(matcher.compare, matcher.kind, language, now, matcher.tolerance, matcher.unordered)


def same(found: JsonValue, wanted: JsonValue, way: Way = EXACTLY) -> bool:
    """Whether two values are the same; objects and lists are, where all their parts are.

    A value that cannot be read as the kind asked for is the same as nothing. A relative tolerance is a share of `wanted`.
    """
    if way.kind is not None and _readable(found, way.kind) and _readable(wanted, way.kind):
        return _same_kind(found, wanted, way.kind, way)
    if way.compare is not None and is_scalar(found) and is_scalar(wanted):
        folded = fold(found, way.compare)
        return folded == fold(wanted, way.compare) and (folded != "" or way.compare is not Compare.DIGITS)
    if isinstance(found, bool) or isinstance(wanted, bool):
        return isinstance(found, bool) and isinstance(wanted, bool) and found == wanted
    if isinstance(found, int | float) and isinstance(wanted, int | float):
        return found == wanted or _near(found, wanted, way.tolerance)
    if isinstance(found, list) and isinstance(wanted, list):
        return _same_list(found, wanted, way)
    if isinstance(found, dict) and isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(same(found[key], wanted[key], way) for key in found)
    return type(found) is type(wanted) and found == wanted


def fold(value: JsonValue, compare: Compare | None) -> str:
    """A scalar as text under a comparison."""
    text = value if isinstance(value, str) else plain(value)
    if compare is Compare.DIGITS:
        return "".join(str(int(char)) for char in text if char.isdecimal())
    if compare is Compare.CASEFOLD:
        return text.casefold()
    if compare is Compare.NORMALIZED:
        return collapse_spaces(nfkc_casefold(text))
    return text


def value_read(value: JsonValue, kind: Kind, way: Way) -> Value | None:
    """The value of a kind that a text or number is, in canonical form; None where it is none, or several.

    Nothing else may stand beside an id, and only words beside other kinds ("by March 14"). Words are read in the language of
    the comparison, and in English where it finds nothing, since tools are often called in English whatever is spoken.
    """
    written = typed(value, kind)
    # Only a reading knows a region's order of day and month, and that words among letters spell ("Q for Quebec").
    if not isinstance(value, str) or (written is not None and kind not in (Kind.DATE, Kind.CODE)):
        return written
    besides = str.isalnum if kind in (Kind.DIGITS, Kind.CODE) else str.isdecimal
    for language in dict.fromkeys((way.language, _ENGLISH)):
        found = read(value, kind, language=language, now=way.now)
        if len(found) == 1 and not any(map(besides, value[: found[0].start] + value[found[0].end :])):
            return found[0].value
    return written


def says(text: str, wanted: JsonValue, kind: Kind, way: Way) -> bool:
    """Whether a text carries a value of a kind, in any spoken or written form."""
    known = value_read(wanted, kind, way)
    languages = dict.fromkeys((way.language, _ENGLISH))
    return known is not None and any(_carries(text, known, wanted, kind, way._replace(language=name)) for name in languages)


def _carries(text: str, known: Value, wanted: JsonValue, kind: Kind, way: Way) -> bool:
    place = find_value(known, kind, text, language=way.language, now=way.now)
    while place is not None:
        if kind is not Kind.MONEY or _same_money(text[slice(*place)], wanted, way):
            return True
        text = text[place[1] :]
        place = find_value(known, kind, text, language=way.language, now=way.now)
    return False


def is_scalar(value: JsonValue) -> bool:
    """Whether a value is a text or a number."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def plain(value: JsonValue) -> str:
    """A value as text; 5.0 is "5"."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _readable(value: JsonValue, kind: Kind) -> bool:
    return is_scalar(value) or (kind is Kind.YES_NO and isinstance(value, bool))


def _same_kind(found: JsonValue, wanted: JsonValue, kind: Kind, way: Way) -> bool:
    a, b = value_read(found, kind, way), value_read(wanted, kind, way)
    if a is None or b is None or (kind is Kind.MONEY and not _same_money(found, wanted, way)):
        return False
    if isinstance(a, int | float) and isinstance(b, int | float) and kind is not Kind.YES_NO:
        return a == b or _near(a, b, way.tolerance)
    return comparable(a, kind) == comparable(b, kind)


def _same_money(found: JsonValue, wanted: JsonValue, way: Way) -> bool:
    """Whether both are said in one currency; a number, or an amount without a currency, is in any."""
    if not isinstance(found, str) or not isinstance(wanted, str):
        return True
    return same_currency(currency_of(found, way.language), currency_of(wanted, way.language))


def _near(found: float, wanted: float, tolerance: Tolerance | None) -> bool:
    """Counted in decimals, so that 0.4 is within 0.1 of 0.3."""
    if tolerance is None:
        return False
    a, b = Decimal(str(found)), Decimal(str(wanted))
    if not (a.is_finite() and b.is_finite()):
        return False
    return abs(a - b) <= max(Decimal(str(tolerance.abs or 0)), Decimal(str(tolerance.rel or 0)) * abs(b))


def _same_list(found: list[JsonValue], wanted: list[JsonValue], way: Way) -> bool:
    if len(found) != len(wanted):
        return False
    if not way.unordered:
        return all(same(a, b, way) for a, b in zip(found, wanted, strict=True))
    # Each element found may stand for one wanted element only.
    fits = [[place for place, item in enumerate(found) if same(item, want, way)] for want in wanted]
    return None not in assign(fits)
