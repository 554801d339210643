"""Reading values of each kind out of an English text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from core.spoken.english.choices import phrase_places, read_yes_no
from core.spoken.english.claims import Claims, claims_of
from core.spoken.english.clock import hint_of
from core.spoken.english.digits import find_codes, find_digits
from core.spoken.english.money import bare_amounts, quantities
from core.spoken.english.names import find_names
from core.spoken.english.normal import english_units
from core.spoken.english.sentence import parse
from core.spoken.kinds import Kind, Reading, Value
from core.spoken.phrases import read_choices, read_whole

Found = tuple[int, int, Value]
"""First token, token after the last, canonical value."""


def read_values(
    text: str, kind: Kind, *, region: str = "", now: date | None = None, choices: Sequence[str] = (), past: bool = False
) -> list[Reading]:
    """Values of `kind` in `text`, in order, none overlapping; what is absent or ambiguous is left out."""
    if kind is Kind.TEXT:
        return read_whole(text)
    if kind is Kind.CHOICE:
        return read_choices(text, choices, english_units, phrase_places)
    if kind is Kind.YES_NO:
        return read_yes_no(parse(text))
    claims = claims_of(text, region)
    found = _dates(claims, now, past) if kind is Kind.DATE else _READERS[kind](claims)
    readings: list[Reading] = []
    for first, last, value in found:
        start, end = claims.sentence.span(first, last)
        readings.append(Reading(kind, value, start, end, text[start:end]))
    return readings


def _dates(claims: Claims, now: date | None, past: bool) -> list[Found]:
    resolved = [(said.first, said.last, said.resolve(now, past)) for said in claims.dates]
    return [(first, last, day.isoformat()) for first, last, day in resolved if day is not None]


def _times(claims: Claims) -> list[Found]:
    hint = hint_of(claims.sentence)
    return [(said.first, said.last, said.clock(hint)) for said in claims.times]


def _money(claims: Claims) -> list[Found]:
    amounts = list(claims.amounts) or bare_amounts(claims.sentence, claims.taken)
    return [(item.first, item.last, round(float(item.value), 2)) for item in amounts]


def _numbers(claims: Claims) -> list[Found]:
    items = sorted([*claims.amounts, *quantities(claims.sentence, claims.taken)], key=lambda item: item.first)
    whole = [item.value == item.value.to_integral_value() for item in items]
    return [
        (item.first, item.last, int(item.value) if is_whole else float(item.value))
        for item, is_whole in zip(items, whole, strict=True)
    ]


_READERS: dict[Kind, Callable[[Claims], list[Found]]] = {
    Kind.TIME: _times,
    Kind.MONEY: _money,
    Kind.NUMBER: _numbers,
    Kind.EMAIL: lambda claims: [(item.first, item.last, item.text) for item in claims.emails],
    Kind.NAME: lambda claims: [(item.first, item.last, item.text) for item in find_names(claims.sentence, claims.taken)],
    Kind.CODE: lambda claims: [(item.first, item.last, item.text) for item in find_codes(claims.sentence, claims.taken)],
    Kind.DIGITS: lambda claims: [(item.first, item.last, item.text) for item in find_digits(claims.sentence, claims.taken)],
}
