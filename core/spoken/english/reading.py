"""Reading values of each kind out of an English text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.spoken.english.choices import read_choices, read_yes_no
from core.spoken.english.clock import SaidTime, find_times, hint_of
from core.spoken.english.dates import DAY_FIRST_REGIONS, SaidDate, find_dates
from core.spoken.english.digits import find_codes, find_digits
from core.spoken.english.emails import find_emails
from core.spoken.english.money import SaidAmount, bare_amounts, find_amounts
from core.spoken.english.names import find_names
from core.spoken.english.sentence import Sentence, parse
from core.spoken.kinds import Kind, Reading, Value


def read_values(
    text: str, kind: Kind, *, region: str = "", now: date | None = None, choices: Sequence[str] = (), past: bool = False
) -> list[Reading]:
    """Values of `kind` in `text`, in order, none overlapping; what is absent or ambiguous is left out."""
    if kind is Kind.TEXT:
        return _whole(text)
    if kind is Kind.CHOICE:
        return read_choices(text, choices)
    sentence = parse(text)
    if kind is Kind.YES_NO:
        return read_yes_no(sentence)
    found: list[tuple[int, int, Value]]
    if kind is Kind.DATE:
        found = _dates(sentence, region, now, past)
    elif kind is Kind.TIME:
        found = _times(sentence, region)
    elif kind is Kind.MONEY:
        found = [(item.first, item.last, round(float(item.value), 2)) for item in amounts(sentence, region)]
    elif kind is Kind.NUMBER:
        found = _numbers(sentence, region)
    elif kind is Kind.EMAIL:
        found = [(item.first, item.last, item.text) for item in find_emails(sentence)]
    elif kind is Kind.NAME:
        found = [(item.first, item.last, item.text) for item in find_names(sentence)]
    elif kind is Kind.CODE:
        found = [(item.first, item.last, item.text) for item in find_codes(sentence, taken(sentence, region))]
    else:
        found = [(item.first, item.last, item.text) for item in find_digits(sentence, taken(sentence, region))]
    return [_reading(sentence, kind, first, last, value) for first, last, value in found]


def _reading(sentence: Sentence, kind: Kind, first: int, last: int, value: Value) -> Reading:
    start, end = sentence.span(first, last)
    return Reading(kind, value, start, end, sentence.text[start:end])


def _whole(text: str) -> list[Reading]:
    stripped = text.strip()
    start = text.find(stripped)
    return [Reading(Kind.TEXT, " ".join(stripped.split()), start, start + len(stripped), stripped)] if stripped else []


def dates(sentence: Sentence, region: str, now: date | None = None) -> list[SaidDate]:
    """Dates as said, by the habits of the region."""
    return find_dates(sentence, region in DAY_FIRST_REGIONS, now)


def times(sentence: Sentence, region: str, unmarked: bool = True) -> list[SaidTime]:
    """Times as said that are no part of a date."""
    days = _covered([day for day in dates(sentence, region) if day.month is not None])
    spans = [time for time in find_times(sentence) if not days & set(range(time.first, time.last))]
    return [time for time in spans if time.marked or unmarked]


def amounts(sentence: Sentence, region: str) -> list[SaidAmount]:
    """Amounts with their currency; where no currency is said at all, lone numerals."""
    marked = find_amounts(sentence)
    return marked or bare_amounts(sentence, taken(sentence, region))


def taken(sentence: Sentence, region: str) -> set[int]:
    """Tokens that are part of an address, a date, a time or an amount that could be nothing else."""
    spans: list[SaidDate | SaidTime | SaidAmount] = [*dates(sentence, region), *times(sentence, region, unmarked=False)]
    spans += find_amounts(sentence)
    covered = _covered(spans)
    for email in find_emails(sentence):
        covered |= set(range(email.first, email.last))
    return covered


def _covered(spans: Sequence[SaidDate | SaidTime | SaidAmount]) -> set[int]:
    return {at for span in spans for at in range(span.first, span.last)}


def _dates(sentence: Sentence, region: str, now: date | None, past: bool) -> list[tuple[int, int, Value]]:
    found: list[tuple[int, int, Value]] = []
    for said in dates(sentence, region, now):
        day = said.resolve(now, "past" if past else "future")
        if day is not None:
            found.append((said.first, said.last, day.isoformat()))
    return found


def _times(sentence: Sentence, region: str) -> list[tuple[int, int, Value]]:
    hint = hint_of(sentence)
    return [(said.first, said.last, said.clock(hint)) for said in times(sentence, region)]


def _numbers(sentence: Sentence, region: str) -> list[tuple[int, int, Value]]:
    marked = find_amounts(sentence)
    covered = taken(sentence, region)
    found: list[tuple[int, int, Value]] = [(item.first, item.last, _number(item)) for item in marked]
    for item in bare_amounts(sentence, covered):
        first, negative = item.first, False
        if sentence.fold(first - 1) in ("minus", "negative"):
            first, negative = first - 1, True
        elif first and sentence.tokens[first].gap.endswith("-") and not sentence.tokens[first].gap[:-1].strip():
            negative = sentence.tokens[first].gap != "-"
        value = _number(item)
        found.append((first, item.last, -value if negative else value))
    return sorted(found, key=lambda item: item[0])


def _number(item: SaidAmount) -> int | float:
    return int(item.value) if item.value == item.value.to_integral_value() else float(item.value)
