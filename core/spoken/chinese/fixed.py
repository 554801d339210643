"""Figures in Chinese with a way of saying of their own: internet addresses, versions, powers, parts of a thousand, 24/7."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.spoken.chinese.numerals import HANZI_DIGIT, cardinal, decimal_words, digit_words, to_figures
from core.spoken.english.tokens import is_version

_GROUP = rf"(?:\d{{1,3}}|[{HANZI_DIGIT.replace('两', '')}]{{1,3}})"
_EDGES = rf"(?<![\d{HANZI_DIGIT}.点])(?<!\d,)", rf"(?!,?[\d{HANZI_DIGIT}]|[.点][\d{HANZI_DIGIT}])"
_ADDRESS = re.compile(rf"{_EDGES[0]}{_GROUP}(?:[.点]{_GROUP}){{3}}{_EDGES[1]}")
_NAMED = r"(?:(?<=版本)|(?<=版本号)|(?<=v)|(?<=version )|(?<=安卓)|(?<=系统))[是为]? ?"
_VERSION = re.compile(rf"{_NAMED}(?P<groups>{_GROUP}(?:[.点]{_GROUP}){{2}}){_EDGES[1]}")
_PAIR = rf"(?:\d{{1,2}}|[{HANZI_DIGIT.replace('两', '')}]{{1,2}})"
_SMALL_VERSION = re.compile(rf"{_EDGES[0]}(?<![十百千万]){_PAIR}(?:[.点]{_PAIR}){{2,3}}{_EDGES[1]}(?![.点])")
_LABELLED = re.compile(r"(?:码|号)[是为:]? ?$")
_POWER = re.compile(r"(?<![\d.,^])(\d{1,9})\^(\d{1,3})(?![\d^])")
_PER_MILLE = re.compile(r"(?<![\d.,])(\d{1,9}(?:\.\d{1,9})?) ?‰")
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
    found += [_dotted(plain, *match.span()) for match in _SMALL_VERSION.finditer(plain) if _is_version(match, found)]
    for match in _POWER.finditer(plain):
        words = f"{cardinal(int(match[1]))}的{cardinal(int(match[2]))}次方"
        found.append(Fixed(*match.span(), words, f"{int(match[1])}的{int(match[2])}次方"))
    for match in _PER_MILLE.finditer(plain):
        found.append(Fixed(*match.span(), f"千分之{decimal_words(match[1])}", f"千分之{match[1]}"))
    return sorted(found, key=lambda item: item.start)


def _is_version(match: re.Match[str], found: list[Fixed]) -> bool:
    """Whether small figures parted by points are a version or a section: 1.0.2."""
    free = all(match.end() <= item.start or match.start() >= item.end for item in found)
    labelled = _LABELLED.search(match.string[max(0, match.start() - 3) : match.start()]) is not None
    return free and not labelled and is_version(re.split("[.点]", to_figures(match.group())))


def _dotted(plain: str, start: int, end: int) -> Fixed:
    groups = re.split("[.点]", to_figures(plain[start:end]))
    return Fixed(start, end, "点".join(digit_words(group, "幺") for group in groups), "点".join(groups))
