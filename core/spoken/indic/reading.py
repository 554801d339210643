"""Reading values of each kind, and finding known ones, in the languages of India."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import partial

from core.spoken.english.choices import phrase_places
from core.spoken.english.digits import find_digits
from core.spoken.english.money import SaidAmount, bare_amounts, quantities
from core.spoken.indic.claims import Understood, minus_of, understand
from core.spoken.indic.clock import part_of_day
from core.spoken.indic.normal import indic_units
from core.spoken.indic.talk import find_names, read_yes_no
from core.spoken.kinds import Kind, Reading, Value
from core.spoken.phrases import find_phrase, read_choices, read_whole

Found = tuple[int, int, Value]
"""First token, token after the last, canonical value."""


def read_values(
    text: str, kind: Kind, language: str, *, now: date | None = None, choices: Sequence[str] = (), past: bool = False
) -> list[Reading]:
    """Values of `kind` in `text`, in order, none overlapping; what is absent or ambiguous is left out."""
    if kind is Kind.TEXT:
        return read_whole(text)
    if kind is Kind.CHOICE:
        return read_choices(text, choices, partial(indic_units, language=language), phrase_places)
    understood = understand(text, language)
    if kind is Kind.YES_NO:
        return read_yes_no(understood.parsed)
    found = _dates(understood, now, past) if kind is Kind.DATE else _READERS[kind](understood)
    spans = [(understood.parsed.own.span(first, last), value) for first, last, value in found]
    return [Reading(kind, value, start, end, text[start:end]) for (start, end), value in spans]


def _dates(understood: Understood, now: date | None, past: bool) -> list[Found]:
    resolved = [(said.first, said.last, said.resolve(now, past)) for said in understood.claims.dates]
    return [(first, last, day.isoformat()) for first, last, day in resolved if day is not None]


def _times(understood: Understood) -> list[Found]:
    hint = part_of_day(understood.parsed)
    return [(said.first, said.last, said.clock(hint)) for said in understood.claims.times]


def _money(understood: Understood) -> list[Found]:
    claims = understood.claims
    amounts = list(claims.amounts) or bare_amounts(claims.sentence, claims.taken)
    return [(first, last, round(float(value), 2)) for first, last, value in (_signed(understood, item) for item in amounts)]


def _numbers(understood: Understood) -> list[Found]:
    claims = understood.claims
    items = sorted([*claims.amounts, *quantities(claims.sentence, claims.taken)], key=lambda item: item.first)
    signed = [_signed(understood, item) for item in items]
    return [(first, last, int(value) if value % 1 == 0 else float(value)) for first, last, value in signed]


def _signed(understood: Understood, item: SaidAmount) -> tuple[int, int, Decimal]:
    """An amount with the minus before it, a sign or a word."""
    minus = minus_of(understood.parsed, item.first)
    return item.first - minus, item.last, -item.value if minus else item.value


_READERS: dict[Kind, Callable[[Understood], list[Found]]] = {
    Kind.TIME: _times,
    Kind.MONEY: _money,
    Kind.NUMBER: _numbers,
    Kind.EMAIL: lambda it: [(item.first, item.last, item.text) for item in it.claims.emails],
    Kind.NAME: lambda it: [(item.first, item.last, item.text) for item in find_names(it.parsed, it.claims.taken)],
    Kind.CODE: lambda it: [(item.first, item.last, item.text) for item in it.codes],
    Kind.DIGITS: lambda it: [(item.first, item.last, item.text) for item in find_digits(it.claims.sentence, it.claims.taken)],
}


def find_value(value: Value, kind: Kind, text: str, language: str, *, now: date | None = None) -> tuple[int, int] | None:
    """The first place of a canonical value in `text`, None when it does not stand there as a whole."""
    if kind in (Kind.NAME, Kind.CHOICE, Kind.TEXT):
        return find_phrase(str(value), text, partial(indic_units, language=language), phrase_places)
    understood = understand(text, language)
    if kind is Kind.DATE:
        return next(_places_of_day(understood, date.fromisoformat(str(value)), now), None)
    if kind is Kind.TIME:
        return next(_places_of_time(understood, str(value)), None)
    readings = read_values(text, kind, language, now=now)
    return next(((item.start, item.end) for item in readings if item.value == value), None)


def _places_of_day(understood: Understood, day: date, now: date | None) -> Iterator[tuple[int, int]]:
    """A date agrees when every part said agrees; parts left out are counted from `now` in either direction."""
    for said in understood.claims.dates:
        near = now is not None and day in (said.resolve(now), said.resolve(now, past=True))
        if near or said.matches(day):
            yield understood.parsed.own.span(said.first, said.last)


def _places_of_time(understood: Understood, clock: str) -> Iterator[tuple[int, int]]:
    """A time whose half of day was left out agrees with either half."""
    hint = part_of_day(understood.parsed)
    for said in understood.claims.times:
        either = not said.sure and not hint and _face(said.clock()) == _face(clock)
        if said.clock(hint) == clock or either:
            yield understood.parsed.own.span(said.first, said.last)


def _face(clock: str) -> tuple[int, str]:
    """What the hands of a clock show."""
    return int(clock[:2]) % 12, clock[3:]
