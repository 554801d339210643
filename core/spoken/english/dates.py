"""Dates in English: "March fourteenth, nineteen eighty two", "the 23rd of October", "3/14/1982", "next Tuesday", "tomorrow".

Written with slashes the month comes first, except in regions that write the day first. "Next Tuesday" and "Tuesday" are
the first Tuesday after today. Without a year (or a month) a date is the next such day, or the last one when the past is
preferred; with no `now` to count from it cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from core.spoken.english.numerals import Chunk, cardinal, digit_words, ordinal
from core.spoken.english.sentence import FUNCTION_WORDS, Sentence

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH = {name.lower(): number for number, name in enumerate(MONTHS, start=1)}
_MONTH |= {name.lower()[:3]: number for number, name in enumerate(MONTHS, start=1)} | {"sept": 9}
_WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
}  # fmt: skip
_OFFSETS = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
DAY_FIRST_REGIONS = frozenset({"GB", "AU", "NZ", "IE", "IN", "ZA"})

Prefer = Literal["future", "past"]


@dataclass(frozen=True, slots=True)
class SaidDate:
    """A date as said; what was not said is None. `weekday` and `offset` (days from today) stand for relative ones."""

    first: int
    last: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    offset: int | None = None
    back: bool = False
    """ "last Tuesday": counts backwards whatever is preferred."""

    def resolve(self, now: date | None, prefer: Prefer) -> date | None:
        """The day meant, None where it cannot be known."""
        if self.year is not None and self.month is not None and self.day is not None:
            return _day(self.year, self.month, self.day)
        if now is None:
            return None
        if self.offset is not None:
            return now + timedelta(days=self.offset)
        step = -1 if self.back or prefer == "past" else 1
        if self.weekday is not None:
            return now + timedelta(days=step * ((step * (self.weekday - now.weekday())) % 7 or 7))
        if self.month is not None and self.day is not None:
            candidates = (_day(now.year + step * years, self.month, self.day) for years in range(9))
        else:
            months = (now.year * 12 + now.month - 1 + step * count for count in range(13))
            candidates = (_day(total // 12, total % 12 + 1, self.day or 0) for total in months)
        return next((day for day in candidates if day is not None and (day - now).days * step >= 0), None)

    def matches(self, day: date) -> bool:
        """Whether every part that was said agrees with `day` (relative dates never do without a now)."""
        if self.offset is not None or self.weekday is not None or self.day is None or self.month is None:
            return False
        return (self.year in (None, day.year)) and self.month == day.month and self.day == day.day


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def find_dates(sentence: Sentence, day_first: bool = False, now: date | None = None) -> list[SaidDate]:
    """Every date, in order. `now` only settles years written with two digits."""
    found: list[SaidDate] = []
    index = 0
    while index < len(sentence.tokens):
        said = (
            _written(sentence, index, day_first, now)
            or _month_first(sentence, index)
            or _day_then_month(sentence, index)
            or _relative(sentence, index)
            or _day_alone(sentence, index)
        )
        if said is None:
            index += 1
            continue
        if found and found[-1].weekday is not None and said.month is not None and said.first == found[-1].last:
            said = SaidDate(found.pop().first, said.last, said.year, said.month, said.day)
        found.append(said)
        index = said.last
    return found


def _written(sentence: Sentence, index: int, day_first: bool, now: date | None) -> SaidDate | None:
    """2026-03-14, 3/14/1982, 3/14, 14.03.1982."""
    parts: list[str] = []
    signs: set[str] = set()
    at = index
    if sentence.fold(index - 1) == "/" or (sentence.gap(index) in ("-", ".") and sentence.fold(index - 1).isdigit()):
        return None
    while sentence.fold(at).isdigit() and len(parts) < 3:
        parts.append(sentence.fold(at))
        at += 1
        if len(parts) == 3 or at >= len(sentence.tokens):
            break
        if sentence.fold(at) == "/" and sentence.glued(at) and sentence.glued(at + 1):
            signs.add("/")
            at += 1
        elif sentence.tokens[at].gap in ("-", "."):
            signs.add(sentence.tokens[at].gap)
        else:
            break
    if sentence.fold(at - 1) == "/" or len(signs) != 1 or len(parts) < 2 or (len(parts) == 2 and "/" not in signs):
        return None
    if (sentence.fold(at) == "/" and sentence.glued(at)) or (at < len(sentence.tokens) and sentence.tokens[at].gap in ("-", ".")):
        if sentence.fold(at).isdigit() or sentence.fold(at) == "/":
            return None
    numbers = [int(part) for part in parts]
    if len(parts) == 3 and len(parts[0]) == 4:
        year, month, day = numbers
        if max(len(parts[1]), len(parts[2])) > 2:
            return None
    else:
        if len(parts[0]) > 2 or len(parts[1]) > 2:
            return None
        month, day = numbers[:2]
        if day_first or "." in signs or month > 12:
            month, day = day, month
        if len(parts) == 2:
            return SaidDate(index, at, None, month, day) if _day(2000, month, day) else None
        if len(parts[2]) == 2 and "-" not in signs:
            year = _century(numbers[2], now)
        elif len(parts[2]) == 4:
            year = numbers[2]
        else:
            return None
    return SaidDate(index, at, year, month, day) if _day(year, month, day) else None


def _century(year: int, now: date | None) -> int:
    pivot = (now.year + 10) % 100 if now is not None else 40
    return 2000 + year if year <= pivot else 1900 + year


def _month_at(sentence: Sentence, index: int) -> int:
    """The month named at a token, 0 for none; "may" and "mar" only where they cannot be another word."""
    word = sentence.fold(index)
    number = _MONTH.get(word, 0)
    if word == "may" and sentence.tokens[index].text == "may" and sentence.fold(index - 1) != "of":
        following = sentence.at.get(index + 1)
        return number if following is not None and following.ordinal else 0
    return number


def _is_day(chunk: Chunk | None) -> bool:
    return chunk is not None and not chunk.fraction and len(chunk.digits) <= 2 and 1 <= int(chunk.digits) <= 31


def _month_first(sentence: Sentence, index: int) -> SaidDate | None:
    month = _month_at(sentence, index)
    if not month:
        return None
    at = index + 1
    if sentence.fold(at) == "the":
        at += 1
    chunk = sentence.at.get(at)
    if chunk is None or not _is_day(chunk) or sentence.gap(at) not in ("", "."):
        return None
    if chunk.last < len(sentence.tokens) and sentence.tokens[chunk.last].gap == ":":
        return None
    year, last = _year(sentence, chunk.last)
    day = int(chunk.digits)
    return SaidDate(index, last, year, month, day) if _day(year or 2000, month, day) else None


def _day_then_month(sentence: Sentence, index: int) -> SaidDate | None:
    """ "the twenty third of October", "14 March 1982"."""
    first = index
    if sentence.fold(index) == "the":
        index += 1
    chunk = sentence.at.get(index)
    if chunk is None or not _is_day(chunk):
        return None
    at = chunk.last
    if sentence.fold(at) == "of":
        at += 1
    if at >= len(sentence.tokens) or sentence.gap(at) != "":
        return None
    month = _month_at(sentence, at)
    if not month or (sentence.fold(at) == "may" and sentence.tokens[at].text == "may" and sentence.fold(at - 1) != "of"):
        return None
    year, last = _year(sentence, at + 1)
    day = int(chunk.digits)
    return SaidDate(first, last, year, month, day) if _day(year or 2000, month, day) else None


def _year(sentence: Sentence, index: int) -> tuple[int | None, int]:
    """A year from token `index` on and the token after it; (None, index) when none is said."""
    if sentence.gap(index) not in ("", ","):
        return None, index
    at = index + 1 if sentence.fold(index) in ("in", "of") and index + 1 in sentence.at else index
    chunk = sentence.at.get(at)
    if chunk is None or not chunk.whole:
        return None, index
    if len(chunk.digits) == 4 and 1000 <= int(chunk.digits) <= 2999:
        return int(chunk.digits), chunk.last
    if len(chunk.digits) != 2 or not 10 <= int(chunk.digits) <= 29 or chunk.literal:
        return None, index
    second = sentence.at.get(chunk.last)
    if second is None or not second.whole or sentence.gap(chunk.last) not in ("", "-"):
        return None, index
    digits, last = second.digits, second.last
    if digits == "0":
        unit = sentence.at.get(last)
        if unit is None or len(unit.digits) != 1 or sentence.gap(last) != "":
            return None, index
        digits, last = f"0{unit.digits}", unit.last
    year = int(chunk.digits + digits) if len(digits) == 2 else 0
    return (year, last) if 1900 <= year <= 2099 else (None, index)


def _relative(sentence: Sentence, index: int) -> SaidDate | None:
    word = sentence.fold(index)
    if word == "day" and sentence.fold(index + 1) in ("after", "before"):
        base = {"after tomorrow": 2, "before yesterday": -2}.get(f"{sentence.fold(index + 1)} {sentence.fold(index + 2)}")
        return SaidDate(index, index + 3, offset=base) if base is not None else None
    if word in _OFFSETS:
        return SaidDate(index, index + 1, offset=_OFFSETS[word])
    if word in _WEEKDAYS:
        before = sentence.fold(index - 1)
        first = index - 1 if before in ("next", "this", "last", "coming") else index
        return SaidDate(first, index + 1, weekday=_WEEKDAYS[word], back=before == "last")
    if word == "in" and (index + 1 in sentence.at or sentence.fold(index + 1) == "a"):
        chunk = sentence.at.get(index + 1)
        last = chunk.last if chunk is not None else index + 2
        days = {"day": 1, "days": 1, "week": 7, "weeks": 7}.get(sentence.fold(last), 0)
        if days and (chunk is None or (chunk.whole and len(chunk.digits) <= 3)):
            return SaidDate(index, last + 1, offset=days * (int(chunk.digits) if chunk is not None else 1))
    return None


def _day_alone(sentence: Sentence, index: int) -> SaidDate | None:
    """ "the fifteenth", where no noun follows that it could count."""
    if sentence.fold(index) != "the":
        return None
    chunk = sentence.at.get(index + 1)
    if chunk is None or not chunk.ordinal or not _is_day(chunk):
        return None
    after = sentence.fold(chunk.last)
    if after in ("of", "one", "time") or (sentence.gap(chunk.last) == "" and after and after not in FUNCTION_WORDS):
        return None
    return SaidDate(index, chunk.last, day=int(chunk.digits))


def say_date(value: str) -> str:
    """ "2026-03-14" is "March fourteenth, twenty twenty six"."""
    day = date.fromisoformat(value)
    return f"{MONTHS[day.month - 1]} {ordinal(day.day)}, {say_year(day.year)}"


def say_year(year: int) -> str:
    """2026 is "twenty twenty six", 2006 "two thousand six", 1905 "nineteen oh five"."""
    century, rest = divmod(year, 100)
    if (century in (10, 20) and rest < 10) or not 10 <= century <= 20:
        return cardinal(year)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} {f'oh {digit_words(str(rest))}' if rest < 10 else cardinal(rest)}"
