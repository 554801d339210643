"""Times of day in English: "half past two", "ten fifteen in the morning", "10:15 AM", "10.15 a.m.", "14:30", "noon".

A time without its half of day is read as a person on a business line means it: one to six is the afternoon, seven to
eleven the morning, twelve noon; "seven thirty" is 07:30. A part of day said elsewhere in the same text ("Friday afternoon
at two") decides first, and so does writing on the 24-hour clock ("07:30", "14:30").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from core.spoken.english.currencies import CODES, SIGNS
from core.spoken.english.dashes import COUNTED, LABELS
from core.spoken.english.number_words import cardinal, digit_words
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import Sentence, is_content

Half = Literal["", "am", "pm", "night"]

_PARTS: dict[str, Half] = {"morning": "am", "afternoon": "pm", "evening": "pm", "tonight": "night", "night": "night"}
_LEADS = (("in", "the"), ("and", "the"), ("at",), ("this",), ("tomorrow",), ("in",))
"""What may stand between a time and its part of day; "and the" is how recognisers hear "in the"."""
_NAMED = {"noon": 12, "midday": 12, "midnight": 0}
_CUES = frozenset("at around by about until till before after from to between time".split())
_GOES_WITH_TIMES = frozenset("would is was works suits will please sounds".split())
"""Words after a dotted number that make it a time where one is looked for."""
_SIGNS = frozenset({"%", "/", *SIGNS})
_TELLING = frozenset("at by till until before after it's time".split())
_IS = frozenset({"is", "was"})
_NO_CLOCK = frozenset({"minus", *SIGNS, *CODES, *COUNTED, *LABELS}) | frozenset(
    "temperature temperatures from between score scores ratio scale odds about around for in".split()
)
"""Before "ten to eleven" that is from ten to eleven of something."""
_JOINED = ("", "-")


@dataclass(frozen=True, slots=True)
class SaidTime:
    """A time as said: hour and minute on the clock named, and the half of day where one was said."""

    first: int
    last: int
    hour: int
    minute: int
    half: Half = ""
    marked: bool = True
    """Nobody would take it for anything but a time."""
    full: bool = False
    """Said on the 24-hour clock."""

    @property
    def sure(self) -> bool:
        """Whether the half of day is known."""
        return bool(self.half) or self.full or not 0 < self.hour <= 12

    def clock(self, hint: Half = "") -> str:
        """ "HH:MM"; `hint` is a half of day said elsewhere."""
        hour = self.hour % 24
        half = self.half or hint
        if not self.full and 0 < self.hour <= 12:
            afternoon = 1 <= hour <= 6 or hour == 12
            if half == "night":
                afternoon = 5 <= hour < 12
            elif half:
                afternoon = half == "pm"
            hour = hour % 12 + (12 if afternoon else 0)
        return f"{hour:02d}:{self.minute:02d}"


def find_times(sentence: Sentence) -> list[SaidTime]:
    """Every time, in order; those not `marked` are two bare numerals ("ten fifteen") or an hour after a word like "at"."""
    found: list[SaidTime] = []
    index = 0
    while index < len(sentence.tokens):
        said = _time_at(sentence, index)
        if said is not None:
            found.append(said)
        index = index + 1 if said is None else said.last
    return found


def hint_of(sentence: Sentence) -> Half:
    """The half of day that the text names, empty when none or more than one."""
    halves = {_PARTS[token.fold] for token in sentence.tokens if token.fold in _PARTS}
    return halves.pop() if len(halves) == 1 else ""


def _time_at(sentence: Sentence, index: int) -> SaidTime | None:
    if sentence.fold(index) in _NAMED:
        return SaidTime(index, index + 1, _NAMED[sentence.fold(index)], 0, full=True)
    chunk = sentence.at.get(index)
    if chunk is None and sentence.fold(index) not in ("half", "quarter", "a"):
        return None
    relative = _relative(sentence, index)
    if relative is not None or chunk is None or chunk.ordinal or sentence.fold(index - 1) in _SIGNS:
        return relative if sentence.fold(index - 1) not in _SIGNS else None
    return next((said for said in (form(sentence, chunk) for form in _FORMS) if said is not None), None)


def _relative(sentence: Sentence, index: int) -> SaidTime | None:
    """ "half past two", "a quarter to nine", "twenty past ten", "seven minutes to four"."""
    at = index + 1 if sentence.fold(index) == "a" else index
    chunk = sentence.at.get(at)
    exact = sentence.fold(at) in ("half", "quarter")
    if exact:
        minutes, at = (30 if sentence.fold(at) == "half" else 15), at + 1
    elif chunk is not None and chunk.whole and 0 < int(chunk.digits) < 60:
        minutes, at = int(chunk.digits), chunk.last
        exact = sentence.fold(at) in ("minute", "minutes")
        at += exact
        if not exact and minutes % 5:
            return None
    else:
        return None
    back = (sentence.fold(at) in ("to", "till") and not sentence.sign(at)) or (
        sentence.fold(at) in ("of", "before") and exact and minutes < 30
    )
    if (not back and sentence.fold(at) not in ("past", "after")) or (sentence.fold(at) == "after" and not exact):
        return None
    said = _hour_of(sentence, at + 1)
    if said is None:
        return None
    hour, last, named = said
    half, last = _half_after(sentence, last)
    bare = back and not (half or exact or named)
    if bare and (is_content(sentence, last) or sentence.fold(last) in _SIGNS or sentence.fold(index - 1) in _NO_CLOCK):
        return None
    if back:
        hour, minutes = ((hour - 1) % 24 if named else (hour - 2) % 12 + 1), 60 - minutes
    return SaidTime(index, last, hour, minutes, half, marked=not bare or _told(sentence, index), full=named)


def _told(sentence: Sentence, index: int) -> bool:
    """Whether what stands before token `index`, or nothing, makes "ten to eleven" from there on a time of day."""
    it_is = sentence.fold(index - 1) in _IS and sentence.fold(index - 2) in ("it", "time", "that")
    return index == 0 or sentence.gap(index) != "" or sentence.fold(index - 1) in _TELLING or it_is


def _hour_of(sentence: Sentence, index: int) -> tuple[int, int, bool] | None:
    """The hour said at a token, the token after it, and whether it was named (noon)."""
    word = sentence.fold(index)
    if word in _NAMED:
        return _NAMED[word], index + 1, True
    chunk = sentence.at.get(index)
    if chunk is None or not chunk.whole or not 1 <= int(chunk.digits) <= 12 or _goes_on(sentence, chunk.last):
        return None
    return int(chunk.digits), chunk.last, False


def _goes_on(sentence: Sentence, index: int) -> bool:
    """Whether another numeral belongs to the one that ends before token `index`."""
    return index in sentence.at and sentence.gap(index) in (*_JOINED, ":", ".")


def _colon(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """10:15, 10:15:00, 10:15 a.m."""
    minute = sentence.at.get(chunk.last)
    if minute is None or not (chunk.literal and minute.literal) or sentence.tokens[chunk.last].gap != ":":
        return None
    if not chunk.whole or len(minute.digits) != 2 or int(minute.digits) > 59 or len(chunk.digits) > 2 or int(chunk.digits) > 24:
        return None
    last = minute.last
    if last in sentence.at and sentence.tokens[last].gap == ":":
        last = sentence.at[last].last
    half, last = _half_after(sentence, last)
    full = not half and chunk.digits.startswith("0")
    return SaidTime(chunk.first, last, int(chunk.digits), int(minute.digits), half, full=full)


def _dotted(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """10.15 a.m.; without a half of day only "at 10.15" is sure to be a time, and "10.30 would be fine" may be one."""
    if not chunk.literal or len(chunk.fraction) != 2 or int(chunk.fraction) > 59 or not 0 < int(chunk.digits) <= 23:
        return None
    half, last = _half_after(sentence, chunk.last)
    following = sentence.fold(chunk.last)
    said = SaidTime(chunk.first, last, int(chunk.digits), int(chunk.fraction), half)
    if half:
        return said
    if sentence.fold(chunk.first - 1) == "at" and not is_content(sentence, chunk.last) and following not in _SIGNS:
        return said
    return replace(said, marked=False) if following in _GOES_WITH_TIMES else None


def _oclock(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """ "ten o'clock"."""
    words = (sentence.fold(chunk.last), sentence.fold(chunk.last + 1))
    size = 1 if words[0] in ("o'clock", "oclock") else 2 if words == ("o", "clock") else 0
    if not size or not chunk.whole or not 1 <= int(chunk.digits) <= 24:
        return None
    half, last = _half_after(sentence, chunk.last + size)
    return SaidTime(chunk.first, last, int(chunk.digits), 0, half)


def _pair(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """Hour and minute one after the other: "ten fifteen", "nine oh five"."""
    if not chunk.whole or len(chunk.digits) > 2 or not 1 <= int(chunk.digits) <= 23 or _follows(sentence, chunk):
        return None
    minute = sentence.at.get(chunk.last)
    if minute is None or not minute.whole or sentence.gap(chunk.last) not in _JOINED or sentence.glued(chunk.last):
        return None
    digits, last = minute.digits, minute.last
    unit = sentence.at.get(last)
    if digits == "0" and unit is not None and unit.whole and len(unit.digits) == 1 and sentence.gap(last) == "":
        digits, last = f"0{unit.digits}", unit.last
    if len(digits) != 2 or int(digits) > 59:
        return None
    half, after = _half_after(sentence, last)
    if not half and len(minute.digits) == 1 and _breath_group_follows(sentence, last):
        return None
    if not half and (
        sentence.gap(chunk.last) or _goes_on(sentence, last) or is_content(sentence, last) or sentence.fold(last) in _SIGNS
    ):
        return None
    return SaidTime(chunk.first, after, int(chunk.digits), int(digits), half, marked=bool(half))


def _breath_group_follows(sentence: Sentence, index: int) -> bool:
    """Whether single digits follow after a comma: "four zero four, five five five" is the start of a telephone number."""
    chunk = sentence.at.get(index)
    return chunk is not None and sentence.gap(index) == "," and len(chunk.digits) == 1 and _goes_on(sentence, chunk.last)


def _compact(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """1015 a.m., 230pm, 635 in the evening, 1430 hours."""
    if not chunk.literal or not chunk.whole or not 3 <= len(chunk.digits) <= 4:
        return None
    hour, minute = int(chunk.digits[:-2]), int(chunk.digits[-2:])
    half, last = _half_after(sentence, chunk.last)
    if minute > 59 or hour > 24:
        return None
    if half and 1 <= hour <= 12:
        return SaidTime(chunk.first, last, hour, minute, half)
    if len(chunk.digits) == 4 and sentence.fold(chunk.last) in ("hours", "hrs"):
        return SaidTime(chunk.first, chunk.last + 1, hour, minute, full=True)
    return None


def _hour(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """A bare hour: "two p.m.", "seven in the evening", and unmarked "at seven"."""
    if not chunk.whole or len(chunk.digits) > 2 or not 1 <= int(chunk.digits) <= 12 or _follows(sentence, chunk):
        return None
    half, last = _half_after(sentence, chunk.last)
    if half:
        return SaidTime(chunk.first, last, int(chunk.digits), 0, half)
    if _goes_on(sentence, last) or (last in sentence.at and sentence.gap(last) == ","):
        return None
    if is_content(sentence, last) or sentence.fold(last) in {*_SIGNS, "of"}:
        return None
    alone = len(sentence.tokens) == chunk.last - chunk.first
    before = sentence.ending.get(chunk.first - 1)
    ranged = before is not None and sentence.fold(before.first - 1) in ("from", "between")
    cued = sentence.fold(chunk.first - 1) in _CUES and (before is None or ranged)
    return SaidTime(chunk.first, last, int(chunk.digits), 0, marked=False) if alone or cued else None


_FORMS: tuple[Callable[[Sentence, Chunk], SaidTime | None], ...] = (_colon, _dotted, _oclock, _pair, _compact, _hour)


def _follows(sentence: Sentence, chunk: Chunk) -> bool:
    """Whether another numeral stands directly before."""
    return chunk.first in sentence.ending and sentence.gap(chunk.first) in (*_JOINED, ":", ".", "/")


def _half_after(sentence: Sentence, index: int) -> tuple[Half, int]:
    """The half of day said from token `index` on, and the token after it ("" and `index` when none is)."""
    half, last = _letters_after(sentence, index)
    if half:
        return half, last
    if sentence.fold(index) == "tonight":
        return "night", index + 1
    for lead in _LEADS:
        at = index + len(lead)
        if all(sentence.fold(index + place) == word for place, word in enumerate(lead)) and sentence.fold(at) in _PARTS:
            return _PARTS[sentence.fold(at)], at + 1
    return "", index


def _letters_after(sentence: Sentence, index: int) -> tuple[Half, int]:
    """ "am", "p.m.", "p m"."""
    word, after = sentence.fold(index), sentence.fold(index + 1)
    if sentence.gap(index) not in ("", ",", "."):
        return "", index
    if word in ("am", "pm"):
        return ("am" if word == "am" else "pm"), index + 1
    if word in ("a", "p") and after == "m" and sentence.gap(index + 1) in ("", "."):
        return ("am" if word == "a" else "pm"), index + 2
    return "", index


def clock_words(hour: int, minute: int) -> str:
    """Hour and minute of the 12-hour clock: "nine oh five", "ten" on the hour."""
    spoken = cardinal(hour)
    if minute == 0:
        return spoken
    return f"{spoken} oh {digit_words(str(minute))}" if minute < 10 else f"{spoken} {cardinal(minute)}"


def say_time(value: str) -> str:
    """A time for the ear, never ambiguous: "14:30" is "two thirty in the afternoon"."""
    hour, minute = (int(part) for part in value.split(":"))
    if minute == 0 and hour in (0, 12):
        return "midnight" if hour == 0 else "noon"
    if 1 <= hour < 12:
        part = "in the morning"
    elif 12 <= hour < 18:
        part = "in the afternoon"
    else:
        part = "in the evening" if 18 <= hour < 21 else "at night"
    oclock = "" if minute else " o'clock"
    return f"{clock_words((hour - 1) % 12 + 1, minute)}{oclock} {part}"
