"""Dates in English: "March fourteenth, nineteen eighty two", "the 23rd of October", "3/14/1982", "next Tuesday", "tomorrow".

Written with slashes the month comes first, except in regions that write the day first. "Next Tuesday" and "Tuesday" are
the first Tuesday after today. Without a year (or a month) a date is the next such day, or the last one when the past is
preferred; with no `now` to count from it cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from core.spoken.days import Step, day_of, full_year, nearest_day, nearest_weekday
from core.spoken.english.calendar_names import MONTH, MONTHS, WEEKDAYS
from core.spoken.english.function_words import FUNCTION_WORDS
from core.spoken.english.number_words import cardinal, digit_words, ordinal
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import RANGE_WORDS, Sentence, is_content

DAY_FIRST_REGIONS = frozenset({"GB", "AU", "NZ", "IE", "IN", "ZA"})

_BEFORE_DAY = frozenset("on by from until till since before after dated".split())
"""Words after which 24/7 is a day."""
_OFFSETS = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
_FAR = {("day", "after", "tomorrow"): 2, ("day", "before", "yesterday"): -2}
_SPANS = {"day": 1, "days": 1, "week": 7, "weeks": 7}


@dataclass(frozen=True, slots=True)
class SaidDate:
    """A date as said; what was not said is None. `weekday` (Monday 0) and `offset` (days from today) stand for relative ones."""

    first: int
    last: int
    year: int | None = None
    """Two digits when `short`."""
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    offset: int | None = None
    back: bool = False
    """ "last Tuesday": counts backwards whatever is preferred."""
    short: bool = False
    worded: bool = True
    """Said with words, not written in figures alone."""

    def resolve(self, now: date | None, past: bool = False) -> date | None:
        """The day meant, None where it cannot be known."""
        if self.month is not None and self.day is not None and self.year is not None:
            return day_of(self._full_year(now), self.month, self.day)
        if now is None:
            return None
        if self.offset is not None:
            return now + timedelta(days=self.offset)
        step: Step = -1 if self.back or past else 1
        if self.weekday is not None:
            return nearest_weekday(now, self.weekday, step)
        return nearest_day(now, self.month, self.day or 0, step)

    def _full_year(self, now: date | None) -> int:
        return full_year(self.year or 0, now) if self.short else self.year or 0

    def matches(self, day: date) -> bool:
        """Whether a month and a day were said and every part said agrees with `day`."""
        year = self.year is None or self.year == (day.year % 100 if self.short else day.year)
        return year and (self.month, self.day) == (day.month, day.day)


def find_dates(sentence: Sentence, day_first: bool = False) -> list[SaidDate]:
    """Every date, in order, a weekday and the date it names as one."""
    found: list[SaidDate] = []
    index = 0
    while index < len(sentence.tokens):
        said = _date_at(sentence, index, day_first)
        if said is None:
            index += 1
            continue
        index = said.last
        names_weekday = said.weekday is None and said.offset is None
        if found and found[-1].weekday is not None and found[-1].last == said.first and names_weekday:
            said = replace(said, first=found.pop().first)
        found.append(said)
        later = _until(sentence, said)
        if later is not None:
            found[-1] = replace(said, year=later.year)
            found.append(later)
            index = later.last
    return found


def _until(sentence: Sentence, said: SaidDate) -> SaidDate | None:
    """The last day of "March 3–5" and "March third to fifth", whose month is said once."""
    chunk = sentence.at.get(said.last + 1)
    day = said.worded and said.month is not None and said.year is None
    if not day or chunk is None or not _is_day(chunk) or sentence.gap(chunk.first):
        return None
    if sentence.fold(said.last) not in RANGE_WORDS:
        return None
    named = _month_at(sentence, chunk.last) or sentence.fold(chunk.last) in ("of", "am", "pm", "o'clock")
    clock = chunk.last < len(sentence.tokens) and sentence.tokens[chunk.last].gap == ":"
    if named or clock or not (chunk.ordinal or sentence.sign(said.last)) or is_content(sentence, chunk.last):
        return None
    return _with_year(sentence, chunk.first, said.month or 0, int(chunk.digits), chunk.last)


def _date_at(sentence: Sentence, index: int, day_first: bool) -> SaidDate | None:
    if sentence.fold(index) == "the" or index in sentence.at:
        return _figures(sentence, index, day_first) or _day_then_month(sentence, index) or _day_alone(sentence, index)
    return _month_first(sentence, index) or _relative(sentence, index)


def _figures(sentence: Sentence, index: int, day_first: bool) -> SaidDate | None:
    """2026-03-14, 3/14/1982, 3/14, 14.03.1982."""
    parts, sign, last = _figure_groups(sentence, index)
    if len(parts) not in (2, 3) or (len(parts) == 2 and sign != "/"):
        return None
    if parts == ["24", "7"] and sentence.fold(index - 1) not in _BEFORE_DAY:
        return None
    numbers = [int(part) for part in parts]
    sizes = [len(part) for part in parts]
    if len(parts) == 3 and sizes[0] == 4:
        year, month, day = numbers
        said = SaidDate(index, last, year, month, day, worded=False) if max(sizes[1:]) <= 2 else None
    elif max(sizes[:2]) > 2 or (len(parts) == 3 and sizes[2] != 4 and not (sizes[2] == 2 and sign == "/")):
        return None
    else:
        month, day = numbers[:2]
        if day_first or sign == "." or (month > 12 and len(parts) == 3):
            month, day = day, month
        short = len(parts) == 3 and sizes[2] == 2
        said = SaidDate(index, last, numbers[2] if len(parts) == 3 else None, month, day, short=short, worded=False)
    year_known = said is not None and said.year is not None and not said.short
    return said if said is not None and day_of(said.year or 1 if year_known else 2000, said.month or 0, said.day or 0) else None


def _figure_groups(sentence: Sentence, index: int) -> tuple[list[str], str, int]:
    """Groups of figures glued by one sign, the sign and the token after them; no groups where the run goes on either way."""
    if not sentence.fold(index).isdecimal() or _figure_sign(sentence, index - 1 if sentence.fold(index - 1) == "/" else index):
        return [], "", index
    parts, signs, at = [sentence.fold(index)], set(), index + 1
    while sign := _figure_sign(sentence, at):
        at += sign == "/"
        parts.append(sentence.fold(at))
        signs.add(sign)
        at += 1
    return (parts, signs.pop(), at) if len(signs) == 1 else ([], "", index)


def _figure_sign(sentence: Sentence, index: int) -> str:
    """The sign that glues the figures before token `index` to those at it (or after it, for a slash), "" for none."""
    if not 0 < index < len(sentence.tokens) or not sentence.fold(index - 1).isdecimal():
        return ""
    if sentence.fold(index) == "/":
        return "/" if sentence.glued(index) and sentence.glued(index + 1) and sentence.fold(index + 1).isdecimal() else ""
    gap = sentence.tokens[index].gap
    return gap if gap in ("-", ".") and sentence.fold(index).isdecimal() else ""


def _month_at(sentence: Sentence, index: int) -> int:
    """The month named at a token, 0 for none; lower-case "may" only after "of"."""
    word = sentence.fold(index)
    if word == "may" and sentence.tokens[index].text == "may" and sentence.fold(index - 1) != "of":
        following = sentence.at.get(index + 1)
        return 5 if following is not None and following.ordinal else 0
    return MONTH.get(word, 0)


def _is_day(chunk: Chunk | None) -> bool:
    return (
        chunk is not None
        and not chunk.fraction
        and chunk.share is None
        and len(chunk.digits) <= 2
        and 1 <= int(chunk.digits) <= 31
    )


def _month_first(sentence: Sentence, index: int) -> SaidDate | None:
    """ "March fourteenth", "March the 14th, 1982"."""
    month = _month_at(sentence, index)
    if not month:
        return None
    at = index + 2 if sentence.fold(index + 1) == "the" else index + 1
    chunk = sentence.at.get(at)
    if chunk is None or not _is_day(chunk) or sentence.gap(at) not in ("", "."):
        return None
    if chunk.last < len(sentence.tokens) and sentence.tokens[chunk.last].gap == ":":
        return None
    return _with_year(sentence, index, month, int(chunk.digits), chunk.last)


def _day_then_month(sentence: Sentence, index: int) -> SaidDate | None:
    """ "the twenty third of October", "14 March 1982"."""
    chunk = sentence.at.get(index + 1 if sentence.fold(index) == "the" else index)
    if chunk is None or not _is_day(chunk):
        return None
    if sentence.fold(chunk.last) in RANGE_WORDS and (sentence.sign(chunk.last) or chunk.ordinal):
        later = _day_then_month(sentence, chunk.last + 1)
        return None if later is None else replace(later, first=index, last=chunk.last, day=int(chunk.digits))
    at = chunk.last + 1 if sentence.fold(chunk.last) == "of" else chunk.last
    month = _month_at(sentence, at) if sentence.gap(at) == "" else 0
    return _with_year(sentence, index, month, int(chunk.digits), at + 1) if month else None


def _with_year(sentence: Sentence, first: int, month: int, day: int, last: int) -> SaidDate | None:
    year, last = _year(sentence, last)
    return SaidDate(first, last, year, month, day) if day_of(2000 if year is None else year, month, day) else None


def _year(sentence: Sentence, index: int) -> tuple[int | None, int]:
    """A year from token `index` on and the token after it; None and `index` when none is said."""
    at = index + 1 if sentence.fold(index) in ("in", "of") else index
    chunk = sentence.at.get(at)
    if chunk is None or not chunk.whole or sentence.gap(index) not in ("", ","):
        return None, index
    if len(chunk.digits) == 4 and 1000 <= int(chunk.digits) <= 2999:
        return int(chunk.digits), chunk.last
    second = sentence.at.get(chunk.last)
    if chunk.literal or len(chunk.digits) != 2 or second is None or not second.whole or sentence.gap(chunk.last) not in ("", "-"):
        return None, index
    digits, last = second.digits, second.last
    unit = sentence.at.get(last)
    if digits == "0" and unit is not None and len(unit.digits) == 1 and sentence.gap(last) == "":
        digits, last = f"0{unit.digits}", unit.last
    year = int(chunk.digits + digits) if len(digits) == 2 else 0
    return (year, last) if 1100 <= year <= 2099 else (None, index)


def _relative(sentence: Sentence, index: int) -> SaidDate | None:
    """ "tomorrow", "the day after tomorrow", "next Tuesday", "in three days"."""
    word = sentence.fold(index)
    far = _FAR.get((word, sentence.fold(index + 1), sentence.fold(index + 2)))
    if far is not None:
        return SaidDate(index, index + 3, offset=far)
    if word in _OFFSETS:
        return SaidDate(index, index + 1, offset=_OFFSETS[word])
    if word in ("next", "this", "last", "coming") and sentence.fold(index + 1) in WEEKDAYS:
        return SaidDate(index, index + 2, weekday=WEEKDAYS[sentence.fold(index + 1)], back=word == "last")
    if word in WEEKDAYS:
        return SaidDate(index, index + 1, weekday=WEEKDAYS[word])
    if word != "in":
        return None
    chunk = sentence.at.get(index + 1)
    last = chunk.last if chunk is not None else index + 2
    days = _SPANS.get(sentence.fold(last), 0)
    if not days or not (sentence.fold(index + 1) == "a" or (chunk is not None and chunk.whole and len(chunk.digits) <= 3)):
        return None
    return SaidDate(index, last + 1, offset=days * (int(chunk.digits) if chunk is not None else 1))


def _day_alone(sentence: Sentence, index: int) -> SaidDate | None:
    """ "the fifteenth", where no noun follows that it could count."""
    chunk = sentence.at.get(index + 1)
    if sentence.fold(index) != "the" or chunk is None or not chunk.ordinal or not _is_day(chunk):
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
    """2026 is "twenty twenty six", 2006 "two thousand six", 1905 "nineteen oh five", 1900 "nineteen hundred"."""
    century, rest = divmod(year, 100)
    if not 11 <= century <= 20 or (century == 20 and rest < 10):
        return cardinal(year)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} oh {digit_words(str(rest))}" if rest < 10 else f"{cardinal(century)} {cardinal(rest)}"
