"""Times of day in English: "half past two", "ten fifteen in the morning", "10:15 AM", "10.15 a.m.", "14:30", "noon".

A time without a part of day is read as a person on a business line means it: one to six is the afternoon, seven to
eleven the morning, twelve noon; "seven thirty" is 07:30. A part of day said elsewhere in the same text ("Friday afternoon
at two") decides first, and so does writing of the 24-hour clock ("07:30", "14:30").
"""

from __future__ import annotations

from dataclasses import dataclass

from core.spoken.english.numerals import Chunk, cardinal, digit_words
from core.spoken.english.sentence import Sentence, is_content

_PARTS = {"morning": "am", "afternoon": "pm", "evening": "pm", "tonight": "night", "night": "night", "noontime": "pm"}
_NAMED = {"noon": (12, 0), "midday": (12, 0), "midnight": (0, 0)}
_CUES = frozenset({"at", "around", "by", "about", "until", "till", "before", "after", "from", "to", "between", "time"})
_HOURS = range(25)


@dataclass(frozen=True, slots=True)
class SaidTime:
    """A time as said: hour and minute of the clock named, and the half of day when one was said ("am", "pm", "night").

    `marked`: nobody would take it for anything but a time. `sure`: the half of day is known.
    """

    first: int
    last: int
    hour: int
    minute: int
    half: str = ""
    marked: bool = True
    full: bool = False
    """Written or said on the 24-hour clock."""

    @property
    def sure(self) -> bool:
        """Whether the half of day was said."""
        return bool(self.half) or self.full or self.hour > 12 or self.hour == 0

    def clock(self, hint: str = "") -> str:
        """ "HH:MM"; `hint` is a half of day said elsewhere."""
        half = self.half or hint
        hour = self.hour % 24
        if self.full or hour > 12 or hour == 0:
            pass
        elif half == "am":
            hour %= 12
        elif half == "pm":
            hour = hour % 12 + 12
        elif half == "night":
            hour = hour % 12 + (12 if 5 <= hour < 12 else 0)
        elif 1 <= hour <= 6:
            hour += 12
        return f"{hour:02d}:{self.minute:02d}"


def find_times(sentence: Sentence) -> list[SaidTime]:
    """Every time, in order; those not `marked` are two bare numerals ("ten fifteen") or an hour after "at"."""
    found: list[SaidTime] = []
    index = 0
    while index < len(sentence.tokens):
        said = _named(sentence, index) or _relative(sentence, index) or _numeric(sentence, index)
        if said is None:
            index += 1
            continue
        found.append(said)
        index = said.last
    return found


def hint_of(sentence: Sentence) -> str:
    """The half of day that the text names, empty when none or more than one."""
    halves = {_PARTS[token.fold] for token in sentence.tokens if token.fold in _PARTS}
    return halves.pop() if len(halves) == 1 else ""


def _named(sentence: Sentence, index: int) -> SaidTime | None:
    named = _NAMED.get(sentence.fold(index))
    if named is None:
        return None
    return SaidTime(index, index + 1, named[0], named[1], full=True)


def _relative(sentence: Sentence, index: int) -> SaidTime | None:
    """ "half past two", "quarter to nine", "twenty past ten"."""
    first, at = index, index
    word = sentence.fold(at)
    if word == "a" and sentence.fold(at + 1) in ("quarter", "half"):
        at, word = at + 1, sentence.fold(at + 1)
    chunk = sentence.at.get(at)
    if word == "half":
        minutes, at = 30, at + 1
    elif word == "quarter":
        minutes, at = 15, at + 1
    elif chunk is not None and chunk.whole and 0 < int(chunk.digits) < 60:
        minutes, at = int(chunk.digits), chunk.last
        if sentence.fold(at) in ("minutes", "minute"):
            at += 1
    else:
        return None
    direction = sentence.fold(at)
    hour = sentence.at.get(at + 1)
    last, value = at + 2, _NAMED[sentence.fold(at + 1)][0] if sentence.fold(at + 1) in _NAMED else 0
    named = sentence.fold(at + 1) in _NAMED
    if not named:
        if hour is None or not hour.whole or not 1 <= int(hour.digits) <= 12 or sentence.fold(hour.last) == ":":
            return None
        last, value = hour.last, int(hour.digits)
    if direction in ("past", "after") and (direction == "past" or word == "quarter" or word == "half"):
        pass
    elif (direction in ("to", "till", "before", "of") and word in ("quarter",)) or (
        direction in ("to", "till") and chunk is not None
    ):
        if direction == "to" and chunk is not None and minutes % 5 and sentence.fold(at - 1) not in ("minutes", "minute"):
            return None
        value = (value - 1) % 24 if named else (value - 2) % 12 + 1
        minutes = 60 - minutes
    else:
        return None
    half, last = _half_after(sentence, last)
    return SaidTime(first, last, value, minutes, half, full=named)


def _numeric(sentence: Sentence, index: int) -> SaidTime | None:
    chunk = sentence.at.get(index)
    if chunk is None or chunk.ordinal or sentence.fold(index - 1) in ("$", "£", "€", "₹"):
        return None
    return (
        _colon(sentence, chunk)
        or _dotted(sentence, chunk)
        or _oclock(sentence, chunk)
        or _pair(sentence, chunk)
        or _compact(sentence, chunk)
        or _hour(sentence, chunk)
    )


def _colon(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """10:15, 10:15:00, 10:15 a.m."""
    minute = sentence.at.get(chunk.last)
    if minute is None or not (chunk.literal and minute.literal) or sentence.tokens[chunk.last].gap != ":":
        return None
    if not chunk.whole or len(minute.digits) != 2 or int(minute.digits) > 59 or len(chunk.digits) > 2:
        return None
    if int(chunk.digits) not in _HOURS:
        return None
    last = minute.last
    seconds = sentence.at.get(last)
    if seconds is not None and seconds.literal and sentence.tokens[last].gap == ":":
        last = seconds.last
    half, last = _half_after(sentence, last)
    full = not half and chunk.digits.startswith("0")
    return SaidTime(chunk.first, last, int(chunk.digits), int(minute.digits), half, full=full)


def _dotted(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """10.15 a.m.; without a half of day only "at 10.15" counts, and not as marked."""
    if not chunk.literal or len(chunk.fraction) != 2 or int(chunk.fraction) > 59 or not 0 < int(chunk.digits) <= 23:
        return None
    half, last = _half_after(sentence, chunk.last)
    if not half and (sentence.fold(chunk.first - 1) != "at" or is_content(sentence, chunk.last) or sentence.glued(chunk.last)):
        return None
    return SaidTime(chunk.first, last, int(chunk.digits), int(chunk.fraction), half, marked=bool(half))


def _oclock(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    last = chunk.last
    if sentence.fold(last) not in ("o'clock", "oclock") and not (
        sentence.fold(last) == "o" and sentence.fold(last + 1) == "clock"
    ):
        return None
    if not chunk.whole or not 1 <= int(chunk.digits) <= 24:
        return None
    half, last = _half_after(sentence, last + (1 if "clock" in sentence.fold(last) else 2))
    return SaidTime(chunk.first, last, int(chunk.digits), 0, half)


def _pair(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """Hour and minute said one after the other: "ten fifteen", "nine oh five"."""
    if not chunk.whole or not 1 <= int(chunk.digits) <= 23 or len(chunk.digits) > 2 or _adjacent_before(sentence, chunk):
        return None
    minute = sentence.at.get(chunk.last)
    if minute is None or not minute.whole or sentence.gap(chunk.last) != "" or sentence.glued(chunk.last):
        return None
    digits, last = minute.digits, minute.last
    if digits == "0":
        unit = sentence.at.get(last)
        if unit is None or len(unit.digits) != 1 or unit.fraction or sentence.gap(last) != "":
            return None
        digits, last = f"0{unit.digits}", unit.last
    if len(digits) != 2 or int(digits) > 59:
        return None
    half, after = _half_after(sentence, last)
    if not half and ((last in sentence.at and sentence.gap(last) in ("", "-")) or is_content(sentence, last)):
        return None
    return SaidTime(chunk.first, after, int(chunk.digits), int(digits), half, marked=bool(half))


def _compact(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """1015 a.m., 230pm, 1430 hours."""
    if not chunk.literal or not chunk.whole or not 3 <= len(chunk.digits) <= 4:
        return None
    hour, minute = int(chunk.digits[:-2]), int(chunk.digits[-2:])
    if minute > 59 or hour > 24:
        return None
    half, last = _half_after(sentence, chunk.last, words=False)
    if half and 1 <= hour <= 12:
        return SaidTime(chunk.first, last, hour, minute, half)
    if len(chunk.digits) == 4 and sentence.fold(chunk.last) == "hours":
        return SaidTime(chunk.first, chunk.last + 1, hour, minute, full=True)
    return None


def _hour(sentence: Sentence, chunk: Chunk) -> SaidTime | None:
    """A bare hour: "two p.m.", "seven in the evening", and unmarked "at seven"."""
    if not chunk.whole or not 1 <= int(chunk.digits) <= 12 or len(chunk.digits) > 2 or _adjacent_before(sentence, chunk):
        return None
    half, last = _half_after(sentence, chunk.last)
    if half:
        return SaidTime(chunk.first, last, int(chunk.digits), 0, half)
    alone = len(sentence.tokens) == chunk.last - chunk.first
    after = sentence.at.get(chunk.last)
    if after is not None and sentence.gap(chunk.last) in ("", "-", ",", ":"):
        return None
    if is_content(sentence, chunk.last) or sentence.fold(chunk.last) in ("%", "of", "$", "£", "€"):
        return None
    if alone or sentence.fold(chunk.first - 1) in _CUES:
        return SaidTime(chunk.first, chunk.last, int(chunk.digits), 0, marked=False)
    return None


def _adjacent_before(sentence: Sentence, chunk: Chunk) -> bool:
    """Whether another numeral stands directly before."""
    return chunk.first in sentence.ending and sentence.gap(chunk.first) in ("", "-", ":", ".", "/")


def _half_after(sentence: Sentence, index: int, words: bool = True) -> tuple[str, int]:
    """The half of day said from token `index` on, and the token after it ("" and `index` when none is)."""
    word = sentence.fold(index)
    if index < len(sentence.tokens) and sentence.gap(index) in ("", ",", "."):
        if word in ("am", "pm"):
            return word, index + 1
        if word in ("a", "p") and sentence.fold(index + 1) == "m" and sentence.gap(index + 1) in ("", "."):
            return f"{word}m", index + 2
    if not words:
        return "", index
    at = index
    if sentence.fold(at) == "in" and sentence.fold(at + 1) == "the":
        at += 2
    elif sentence.fold(at) in ("at", "this", "tomorrow", "in"):
        at += 1
    elif sentence.fold(at) != "tonight":
        return "", index
    part = _PARTS.get(sentence.fold(at), "")
    return (part, at + 1) if part else ("", index)


def say_time(value: str) -> str:
    """A time for the ear, never ambiguous: "14:30" is "two thirty in the afternoon"."""
    hour, minute = (int(part) for part in value.split(":"))
    if minute == 0 and hour in (0, 12):
        return "midnight" if hour == 0 else "noon"
    if hour < 5:
        part = "at night" if hour == 0 else "in the morning"
    elif hour < 12:
        part = "in the morning"
    elif hour < 18:
        part = "in the afternoon"
    elif hour < 21:
        part = "in the evening"
    else:
        part = "at night"
    spoken = cardinal((hour - 1) % 12 + 1)
    if minute == 0:
        return f"{spoken} o'clock {part}"
    return f"{spoken} {f'oh {digit_words(str(minute))}' if minute < 10 else cardinal(minute)} {part}"
