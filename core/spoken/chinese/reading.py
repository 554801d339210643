"""Reading values of each kind out of a Chinese text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise

from core.spoken.chinese.choices import phrase_places, read_yes_no
from core.spoken.chinese.claims import Claims, claims_of
from core.spoken.chinese.clock import hint_of
from core.spoken.chinese.dashes import TO
from core.spoken.chinese.dates import with_weekdays
from core.spoken.chinese.identifiers import find_codes, find_digits, find_runs, in_letters, stands_alone
from core.spoken.chinese.measures import counted
from core.spoken.chinese.money import is_group
from core.spoken.chinese.names import find_names
from core.spoken.chinese.normal import chinese_units
from core.spoken.chinese.numerals import Numeral
from core.spoken.chinese.passage import passage_of
from core.spoken.kinds import Kind, Reading, Value
from core.spoken.phrases import read_choices, read_whole

Found = tuple[int, int, Value]
"""First plain character, plain character after the last, canonical value."""

_HALF = re.compile(r"(?:个|瓶|杯|斤|公斤|米|公里|小时|天|年)半")


def read_values(
    text: str, kind: Kind, *, now: date | None = None, choices: Sequence[str] = (), past: bool = False
) -> list[Reading]:
    """Values of `kind` in `text`, in order, none overlapping; what is absent or ambiguous is left out."""
    if kind is Kind.TEXT:
        return read_whole(text)
    if kind is Kind.CHOICE:
        return read_choices(text, choices, chinese_units, phrase_places)
    if kind is Kind.YES_NO:
        return read_yes_no(passage_of(text))
    claims = claims_of(text)
    found = _dates(claims, now, past) if kind is Kind.DATE else _READERS[kind](claims)
    readings: list[Reading] = []
    for first, last, value in found:
        start, end = claims.passage.original(first, last)
        readings.append(Reading(kind, value, start, end, text[start:end]))
    return readings


def _dates(claims: Claims, now: date | None, past: bool) -> list[Found]:
    dates = with_weekdays(claims.passage.plain, claims.dates)
    resolved = [(said.start, said.end, said.resolve(now, past)) for said in dates]
    return [(start, end, day.isoformat()) for start, end, day in resolved if day is not None]


def _times(claims: Claims) -> list[Found]:
    hint = hint_of(claims.passage.plain)
    return [(said.start, said.end, said.clock(hint)) for said in claims.times]


def _money(claims: Claims) -> list[Found]:
    amounts = [(item.start, item.end, item.value) for item in claims.amounts]
    if not amounts:
        amounts = [item for item in _quantities(claims) if not _beside_number(claims, item[0], item[1])]
        amounts = [item for item in amounts if not counted(claims.rest, item[1]) and claims.rest[item[1] : item[1] + 1] != TO]
    return [(start, end, round(float(value), 2)) for start, end, value in amounts]


def _beside_number(claims: Claims, start: int, end: int) -> bool:
    """Whether another numeral is part of the same run or a percent sign belongs to this one."""
    near = any(item.percent and item.start <= start < item.end for item in claims.numerals)
    return (
        near
        or is_group(claims.rest, start, end)
        or any(
            claims.rest[min(end, item.end) : max(start, item.start)].strip(" ,-.") == ""
            for item in claims.numerals
            if item.end <= start or item.start >= end
        )
    )


def _numbers(claims: Claims) -> list[Found]:
    other = [(item.start, item.end, item.value) for item in claims.amounts]
    other += [(item.start, item.end, item.value) for item in claims.fractions]
    return [
        (start, end, int(value) if value == value.to_integral_value() else float(value))
        for start, end, value in sorted([*other, *_quantities(claims)])
    ]


def _quantities(claims: Claims) -> list[tuple[int, int, Decimal]]:
    """Numbers outside other values; digits said one after the other are one number, 负 goes with what follows."""
    rest = claims.rest
    # groups with a pause between them are several numbers, not one
    runs = [run for run in find_runs(rest, claims.numerals) if all(a.end == b.start for a, b in pairwise(run))]
    items = [(run[0], run[-1].end, _together(run)) for run in runs]
    items += [(item, item.end, item.value) for item in claims.numerals if item.whole]
    found: list[tuple[int, int, Decimal]] = []
    for numeral, end, value in sorted(items, key=lambda item: item[0].start):
        start = numeral.start
        if not _is_quantity(rest, numeral, start, end):
            continue
        half = _HALF.match(rest, end)
        more = Decimal(0) if half is None else Decimal("-0.5" if numeral.negative else "0.5")
        found.append((start, end if half is None else half.end(), value + more))
    return found


def _together(run: list[Numeral]) -> Decimal:
    value = Decimal("".join(part.digits for part in run))
    return -value if run[0].negative else value


def _is_quantity(plain: str, numeral: Numeral, start: int, end: int) -> bool:
    before, after = plain[max(0, start - 1) : start], plain[end : end + 2]
    if before == "第" or after == "分之" or plain[:start].endswith("分之") or (numeral.literal and in_letters(plain, start, end)):
        return False
    little = plain[start:end] == "一" and after.startswith("点")
    if little or (plain[start:end] == "十" and after.startswith("分") and after != "分钟"):
        return False
    if end - start == 1 and not numeral.literal and not counted(plain, end):
        return stands_alone(plain, start, end)
    return True


_READERS: dict[Kind, Callable[[Claims], list[Found]]] = {
    Kind.TIME: _times,
    Kind.MONEY: _money,
    Kind.NUMBER: _numbers,
    Kind.EMAIL: lambda claims: [(item.start, item.end, item.text) for item in claims.emails],
    Kind.NAME: lambda claims: [(item.start, item.end, item.text) for item in find_names(claims.passage, claims.rest)],
    Kind.CODE: lambda claims: [
        (item.start, item.end, item.text) for item in find_codes(claims.passage, claims.rest, claims.numerals)
    ],
    Kind.DIGITS: lambda claims: [(item.start, item.end, item.text) for item in find_digits(claims.rest, claims.numerals)],
}
