"""Figures in Chinese with a way of saying of their own: internet addresses, versions, 24/7."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.spoken.chinese.numerals import HANZI_DIGIT, digit_words, to_figures

_GROUP = rf"(?:\d{{1,3}}|[{HANZI_DIGIT.replace('两', '')}]{{1,3}})"
_EDGES = rf"(?<![\d{HANZI_DIGIT}.点])(?<!\d,)", rf"(?!,?[\d{HANZI_DIGIT}]|[.点][\d{HANZI_DIGIT}])"
_ADDRESS = re.compile(rf"{_EDGES[0]}{_GROUP}(?:[.点]{_GROUP}){{3}}{_EDGES[1]}")
_NAMED = r"(?:(?<=版本)|(?<=版本号)|(?<=v)|(?<=version )|(?<=安卓)|(?<=系统))[是为]? ?"
_VERSION = re.compile(rf"{_NAMED}(?P<groups>{_GROUP}(?:[.点]{_GROUP}){{2}}){_EDGES[1]}")
_ALWAYS = re.compile(r"(?<![\d/.:])24/7(?![\d/.:])")


@dataclass(frozen=True, slots=True)
class Fixed:
    """Figures over the plain characters `start` to `end`, as they are said and as they are compared."""

    start: int
    end: int
    words: str
    written: str


def find_fixed(plain: str) -> list[Fixed]:
    """Every such place, in order."""
    found = [_dotted(plain, *match.span()) for match in _ADDRESS.finditer(plain)]
    found = [item for item in found if all(int(group) <= 255 for group in item.written.split("点"))]
    found += [_dotted(plain, *match.span("groups")) for match in _VERSION.finditer(plain)]
    found += [Fixed(*match.span(), "七天二十四小时", "7天24小时") for match in _ALWAYS.finditer(plain)]
    return sorted(found, key=lambda item: item.start)


def _dotted(plain: str, start: int, end: int) -> Fixed:
    groups = re.split("[.点]", to_figures(plain[start:end]))
    return Fixed(start, end, "点".join(digit_words(group, "幺") for group in groups), "点".join(groups))
