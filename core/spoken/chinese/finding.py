"""Finding a known value in a Chinese text, in whatever form it is said or written, and only as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from core.spoken.chinese.choices import phrase_places
from core.spoken.chinese.claims import Claims, claims_of
from core.spoken.chinese.clock import hint_of
from core.spoken.chinese.names import find_names
from core.spoken.chinese.normal import chinese_units
from core.spoken.chinese.passage import passage_of
from core.spoken.chinese.reading import read_values
from core.spoken.kinds import Kind, Value
from core.spoken.phrases import find_phrase


def find_value(value: Value, kind: Kind, text: str, *, now: date | None = None) -> tuple[int, int] | None:
    """The first place of a canonical value in `text`, None when it does not stand there as a whole."""
    if kind in (Kind.NAME, Kind.CHOICE, Kind.TEXT):
        phrase = _phrase(str(value), text)
        return phrase or (_spelled(claims_of(text), str(value)) if kind is Kind.NAME else None)
    if kind is Kind.DATE:
        return next(_dates(claims_of(text), date.fromisoformat(str(value)), now), None)
    if kind is Kind.TIME:
        return next(_times(claims_of(text), str(value)), None)
    readings = read_values(text, kind, now=now)
    found = next(((item.start, item.end) for item in readings if item.value == value), None)
    return found or (_verbatim(str(value), text) if kind is Kind.CODE else None)


def _verbatim(code: str, text: str) -> tuple[int, int] | None:
    """A code written in one piece, also beside another number or code that a listener would take for a part of it."""
    passage = passage_of(text)
    match = re.search(rf"(?<![a-z0-9.-]){re.escape(code.casefold())}(?![a-z0-9.-])", passage.plain)
    mixed = not code.isdecimal() and not code.isalpha()
    return passage.original(*match.span()) if match is not None and mixed else None


def _dates(claims: Claims, day: date, now: date | None) -> Iterator[tuple[int, int]]:
    """A date agrees when every part said agrees; parts left out are counted from `now` in either direction."""
    for said in claims.dates:
        near = now is not None and day in (said.resolve(now), said.resolve(now, past=True))
        if near or said.matches(day):
            yield claims.passage.original(said.start, said.end)


def _times(claims: Claims, clock: str) -> Iterator[tuple[int, int]]:
    """A time whose half of day was left out agrees with either half."""
    hint = hint_of(claims.passage.plain)
    for said in claims.times:
        either = not said.sure and not hint and _face(said.clock()) == _face(clock)
        if said.clock(hint) == clock or either:
            yield claims.passage.original(said.start, said.end)


def _face(clock: str) -> tuple[int, str]:
    """What the hands of a clock show."""
    return int(clock[:2]) % 12, clock[3:]


def _phrase(phrase: str, text: str) -> tuple[int, int] | None:
    return find_phrase(phrase, text, chinese_units, phrase_places)


def _spelled(claims: Claims, name: str) -> tuple[int, int] | None:
    """A name said character by character with pauses between."""
    plain = "".join(char for char in name.casefold() if char.isalpha())
    found = (item for item in find_names(claims.passage, claims.rest) if item.text.casefold() == plain)
    return next((claims.passage.original(item.start, item.end) for item in found), None)
