"""Finding a known value in an English text, in whatever form it is said or written, and only as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from core.spoken.english.choices import phrase_places
from core.spoken.english.claims import Claims, claims_of
from core.spoken.english.clock import hint_of
from core.spoken.english.letters import find_spelled
from core.spoken.english.normal import english_units
from core.spoken.english.reading import read_values
from core.spoken.english.sentence import Sentence
from core.spoken.kinds import Kind, Value
from core.spoken.phrases import find_phrase


def find_value(value: Value, kind: Kind, text: str, *, region: str = "", now: date | None = None) -> tuple[int, int] | None:
    """The first place of a canonical value in `text`, None when it does not stand there as a whole."""
    if kind in (Kind.NAME, Kind.CHOICE, Kind.TEXT):
        phrase = _phrase(str(value), text)
        return phrase or (_spelled(claims_of(text).sentence, str(value)) if kind is Kind.NAME else None)
    if kind is Kind.DATE:
        return next(_dates(claims_of(text, region), date.fromisoformat(str(value)), now), None)
    if kind is Kind.TIME:
        return next(_times(claims_of(text, region), str(value)), None)
    readings = read_values(text, kind, region=region, now=now)
    return next(((item.start, item.end) for item in readings if item.value == value), None)


def _dates(claims: Claims, day: date, now: date | None) -> Iterator[tuple[int, int]]:
    """A date agrees when every part said agrees; parts left out are counted from `now` in either direction."""
    for said in claims.dates:
        near = now is not None and day in (said.resolve(now), said.resolve(now, past=True))
        if near or said.matches(day):
            yield claims.sentence.span(said.first, said.last)


def _times(claims: Claims, clock: str) -> Iterator[tuple[int, int]]:
    """A time whose half of day was left out agrees with either half."""
    hint = hint_of(claims.sentence)
    for said in claims.times:
        either = not said.sure and not hint and _face(said.clock()) == _face(clock)
        if said.clock(hint) == clock or either:
            yield claims.sentence.span(said.first, said.last)


def _face(clock: str) -> tuple[int, str]:
    """What the hands of a clock show."""
    return int(clock[:2]) % 12, clock[3:]


def _phrase(phrase: str, text: str) -> tuple[int, int] | None:
    return find_phrase(phrase, text, english_units, phrase_places)


def _spelled(sentence: Sentence, name: str) -> tuple[int, int] | None:
    """A one-word name that stands only as letters with words between them ("B as in bravo")."""
    plain = "".join(char for char in name.casefold() if char.isalpha())
    return next((sentence.span(item.first, item.last) for item in find_spelled(sentence) if item.text == plain), None)
