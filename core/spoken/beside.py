"""Finding a known value right beside another one, where a listener without it would run the two together.

"code QX338805 ann at example dot com" may be one long address; somebody who knows the code or the address finds it all the
same. A text is parted only where something that can be nothing but a value of another kind ends or starts. Two runs of
digits side by side stay one, since nothing says where the first ends, unless each is written as one long word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from core.spoken.kinds import Kind, Reading, Value
from core.spoken.languages import Language, language_of

_READ = (Kind.EMAIL, Kind.DATE, Kind.TIME, Kind.MONEY, Kind.CODE, Kind.NAME, Kind.DIGITS)
"""What a value may stand beside. Single words that may be a name are left out: every word may be one."""
_NUMERIC = frozenset({Kind.DIGITS, Kind.CODE, Kind.NUMBER})
_LONG = 5
"""Digits from which a written word is an id of its own."""
_MARKS = " ,.;:!?\t\n\u3001\u3002\uff0c\uff1b"
"""What may stand between two values."""


@dataclass(frozen=True, slots=True)
class _Seam:
    """A place where a text may be parted, with what is read right before it and right after it."""

    at: int
    before: tuple[Reading, ...]
    after: tuple[Reading, ...]
    long: bool
    """Whether long written numbers stand on both sides."""


def find_beside(value: Value, kind: Kind, text: str, *, tag: str, now: date | None) -> tuple[int, int] | None:
    """Offsets of the first place where a canonical value touches a value of another kind, None when there is none."""
    language, region = language_of(tag)
    for seam in _seams(text, tag, now):
        if _bounds(seam.before, kind, seam.long):
            right = text[seam.at :]
            place = language.find(value, kind, right, region=region, now=now)
            if place is not None and not right[: place[0]].strip(_MARKS):
                return seam.at + place[0], seam.at + place[1]
        if _bounds(seam.after, kind, seam.long):
            place = _last(language, value, kind, text[: seam.at], region, now)
            if place is not None:
                return place
    return None


def _bounds(others: tuple[Reading, ...], kind: Kind, long: bool) -> bool:
    """Whether what was read on the other side shows where a value of `kind` ends."""
    digits = next((item for item in others if item.kind is Kind.DIGITS), None)
    if digits is None:
        return any(item.kind is not kind and (long or not {item.kind, kind} <= _NUMERIC) for item in others)
    if kind in _NUMERIC:
        return long and kind is Kind.CODE
    spoken = kind in (Kind.EMAIL, Kind.DATE) and len(str(digits.value)) >= _LONG
    return spoken or _is_long(digits.text)


def _last(language: Language, value: Value, kind: Kind, left: str, region: str, now: date | None) -> tuple[int, int] | None:
    """Where the value stands at the very end of `left`."""
    start = 0
    while (place := language.find(value, kind, left[start:], region=region, now=now)) is not None:
        if not left[start + place[1] :].strip(_MARKS):
            return start + place[0], start + place[1]
        start += max(place[1], 1)
    return None


@lru_cache(maxsize=1024)
def _seams(text: str, tag: str, now: date | None) -> tuple[_Seam, ...]:
    """Every start of a word in or beside a reading where readings end or start."""
    language, region = language_of(tag)

    def reading(part: str, kind: Kind) -> list[Reading]:
        found = language.read(part, kind, region=region, now=now, choices=(), past=False)
        return [item for item in found if kind is not Kind.NAME or len(item.text.split()) > 1]

    spans = [(item.start, item.end) for kind in _READ for item in reading(text, kind)]
    starts = [0, *(match.start() for match in re.finditer(r"(?<=\s)\S", text)), len(text)]
    seams = []
    for before_that, at, after_that in zip(starts, starts[1:], starts[2:], strict=False):
        if not any(start < after_that and not text[end:before_that].strip(_MARKS) for start, end in spans):
            continue
        left, right = text[:at], text[at:]
        before = [item for kind in _READ for item in reading(left, kind) if not left[item.end :].strip(_MARKS)]
        after = [item for kind in _READ for item in reading(right, kind) if not right[: item.start].strip(_MARKS)]
        if before or after:
            seams.append(_Seam(at, tuple(before), tuple(after), _is_long(left.split()[-1]) and _is_long(right.split()[0])))
    return tuple(seams)


def _is_long(text: str) -> bool:
    return sum(char.isdecimal() for char in text) >= _LONG
