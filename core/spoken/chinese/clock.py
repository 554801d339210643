"""Times of day in Chinese: 下午两点半, 三点一刻, 差五分三点, 晚上十点零五分, 14:30, 14时30分, 2:30 PM.

A time without its part of day is read as a person on a business line means it: one to six is the afternoon, seven to eleven
the morning, twelve noon. A part of day said elsewhere in the same text decides first, and so does the 24-hour clock. 晚上十二点
is midnight. "三点五" is a decimal unless 分 or a part of day is said with it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from core.spoken.chinese.dates import small
from core.spoken.chinese.numerals import HANZI_DIGIT, cardinal

Half = Literal["", "dawn", "am", "noon", "pm", "night"]

_PARTS: dict[str, Half] = {
    **dict.fromkeys(("凌晨", "清晨", "清早"), "dawn"),
    **dict.fromkeys(("早晨", "早上", "上午", "早"), "am"),
    **dict.fromkeys(("中午", "正午"), "noon"),
    **dict.fromkeys(("下午", "午后", "傍晚"), "pm"),
    **dict.fromkeys(("晚上", "晚间", "夜里", "夜间", "半夜", "深夜", "午夜", "晚"), "night"),
}
_NAMED = "|".join(sorted((part for part in _PARTS if len(part) > 1), key=len, reverse=True))
_PART = rf"(?:(?P<part>{_NAMED}|(?<=[今明昨天一二三四五六日号])[早晚])的? ?)?"
_HOUR = r"(?P<hour>二?十[一二三四五六七八九]?|[零一二三四五六七八九两]|2[0-4]|[01]?\d)"
_MINUTE = r"(?:零[零一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?|[1-5]\d|0\d)"
_FEW = r"(?:[一二三四五六七八九两]|\d)"
_FEN = r"分(?!之[一二三四五六七八九十百\d])钟?"
_QUARTER = r"[一三1-3]刻"
_GUARD = rf"(?<![{HANZI_DIGIT}\d十百千万点:.第])"
_STRIKE = r"(?:点(?P<strike>钟)?|时(?![间候代期段刻])(?P<formal>))"
_SPOKEN = re.compile(
    rf"{_GUARD}{_PART}{_GUARD}{_HOUR} ?{_STRIKE}(?:"
    rf"(?P<sharp>整)|(?P<half>半)|(?P<quarter>{_QUARTER})|差(?P<back>{_FEW}|十)分"
    rf"|过?(?P<minute>{_MINUTE})(?P<minutes>{_FEN})?(?![{HANZI_DIGIT}\d十百千万])|过?(?P<few>{_FEW}){_FEN})?"
)
_BEFORE = re.compile(rf"{_PART}差(?:(?P<minute>{_FEW}|十|二十)分钟?|(?P<quarter>一刻)) ?(?:到)?{_HOUR}点钟?")
_COLON = re.compile(
    rf"{_PART}(?:(?P<early>[ap])\.?m\.? ?)?(?<![\d:.])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])"
    r"(?: ?(?P<late>[ap])\.?m(?![a-z])\.?)?"
)
_LETTERS = re.compile(r"(?<![\d:.a-z])(?P<hour>1[0-2]|[1-9]) ?(?P<late>[ap])\.?m(?![a-z])\.?")
_VAGUE = re.compile(r"(?<=[差有早晚快慢多少大小好高低近远])一点|一点(?=[^\W\d_])")
"""一点 in a word or before another character is "a little", unless a part of day leads it."""
_WORDS = {"a": "上午", "p": "下午"}


@dataclass(frozen=True, slots=True)
class SaidTime:
    """A time as said over plain characters: hour and minute on the clock named, and the part of day where one was said."""

    start: int
    end: int
    hour: int
    minute: int
    half: Half = ""
    part: str = ""
    """The part of day in words, 上午 or 下午 for AM and PM."""
    marked: bool = True
    """Nobody would take it for anything but a time."""
    full: bool = False
    """On the 24-hour clock."""
    figures: bool = False
    """Written in figures."""

    @property
    def sure(self) -> bool:
        """Whether the half of day is known."""
        return bool(self.half) or self.full

    def clock(self, hint: Half = "") -> str:
        """ "HH:MM"; `hint` is a part of day said elsewhere."""
        hour = self.hour % 24
        if not self.full:
            hour = _on_the_day(self.hour, self.half or hint)
        return f"{hour:02d}:{self.minute:02d}"


def _on_the_day(hour: int, half: Half) -> int:
    """An hour of 1 to 12 on the 24-hour clock."""
    match half:
        case "dawn":
            return hour % 12
        case "am":
            return hour
        case "noon":
            return hour if hour >= 10 else hour + 12
        case "pm":
            return hour % 12 + 12
        case "night":
            return hour + 12 if 5 <= hour < 12 else hour % 12
        case "":
            return hour % 12 + 12 if hour <= 6 or hour == 12 else hour


def find_times(plain: str) -> list[SaidTime]:
    """Every time, in order; those not `marked` are an hour with no more than 点 behind it."""
    every = [said for said in (_read(match) for pattern in _FORMS for match in pattern.finditer(plain)) if said is not None]
    found: list[SaidTime] = []
    for said in sorted(every, key=lambda item: (item.start, -item.end)):
        if not found or said.start >= found[-1].end:
            found.append(said)
    return found


_FORMS = (_SPOKEN, _BEFORE, _COLON, _LETTERS)


def _read(match: re.Match[str]) -> SaidTime | None:
    groups = match.groupdict()
    letter = groups.get("early") or groups.get("late")
    part = groups.get("part") or ("" if letter is None else _WORDS[letter])
    hour, written = small(groups["hour"]), groups["hour"]
    minute = _minute(match)
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    if match.re is _BEFORE or groups.get("back"):
        hour, minute = (hour - 1) % 24 if hour > 12 else (hour - 2) % 12 + 1, 60 - minute
    full = not 0 < hour <= 12 or (match.re is _COLON and len(written) == 2 and written[0] == "0" and not part)
    marked = match.re is not _SPOKEN or bool(part) or _is_marked(match)
    if not marked and _VAGUE.match(match.string, match.start("hour")):
        return None
    return SaidTime(*match.span(), hour, minute, "" if full else _PARTS.get(part, ""), part, marked, full, written.isdecimal())


def _is_marked(match: re.Match[str]) -> bool:
    keys = ("strike", "sharp", "half", "quarter", "back", "minutes", "few")
    formal = match["formal"] is not None and (match["hour"].isdecimal() or match["minute"] is not None)
    return formal or any(match[key] for key in keys) or (match["minute"] is not None and "零" not in match["minute"])


def _minute(match: re.Match[str]) -> int:
    groups = match.groupdict()
    if groups.get("half"):
        return 30
    if groups.get("quarter"):
        return 15 * small(groups["quarter"][0])
    text = groups.get("minute") or groups.get("few") or groups.get("back")
    return small(text.lstrip("零")) if text and text.strip("零0") else 0


def hint_of(plain: str) -> Half:
    """The part of day that the text names, empty when none or more than one."""
    halves = {_PARTS[found.group()] for found in re.finditer(_NAMED, plain)}
    return halves.pop() if len(halves) == 1 else ""


def say_clock(hour: int, minute: int) -> str:
    """Hour and minute: 9, 5 are 九点零五分, 2, 0 两点."""
    spoken = f"{'两' if hour == 2 else cardinal(hour)}点"
    return spoken + (f"{'零' if minute < 10 else ''}{cardinal(minute)}分" if minute else "")


def say_time(value: str) -> str:
    """A time for the ear, never ambiguous: "14:30" is 下午两点半."""
    hour, minute = (int(part) for part in value.split(":"))
    bounds = ((6, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"))
    part = next(name for bound, name in bounds if hour < bound)
    face = hour if hour <= 12 else hour - 12
    return part + (f"{'两' if face == 2 else cardinal(face)}点半" if minute == 30 else say_clock(face, minute))
