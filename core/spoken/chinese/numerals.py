"""Chinese numerals, spoken, written or mixed: 一百二十九, 三点一四, 二零二六, 3万5, 1,200, 百分之十五.

A numeral with a scale (十百千万亿) is one number; bare digits follow each other in a run ("四四一") that may be an id. Two
neighbouring digits before what they count ("七八个") are a guess at a number, and are left as words.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from core.spoken.chinese.measures import MEASURE

DIGITS = "零一二三四五六七八九"
HANZI_DIGIT = "零一二三四五六七八九两幺"
_GROUPS = r"(?<!\d,)(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3})(?!,?\d)"
"""By thousands, or by lakhs and crores; figures joined by commas are read as a whole or not at all."""
ARABIC = rf"(?:{_GROUPS}|\d+)"
_TO_ARABIC = str.maketrans("零一二三四五六七八九两幺", "012345678921")
_BIG = {"万": 4, "亿": 8}
_LARGEST = 10**16
"""From here on numbers are said digit by digit; cn2an names no larger scale."""

_HEAD = rf"(?:十|(?:{ARABIC}(?:\.\d+)?|[一二三四五六七八九两])[十百千万亿])"
_LAST = rf"(?:零?(?:[一二三四五六七八九]|[1-9](?![.,]\d))(?![{HANZI_DIGIT}\d十百千万亿]))?"
_SCALED = rf"{_HEAD}(?:零?(?:\d+|[一二三四五六七八九两])?[十百千万亿])*{_LAST}"
_POINT = rf"点[{DIGITS}]+(?![{HANZI_DIGIT}十百千分刻毛角])[万亿]?"
_NUMERAL = re.compile(
    rf"(?P<percent>百分之百)|(?P<share>百分之)?(?:"
    rf"(?<![{HANZI_DIGIT}\d.])(?P<scaled>{_SCALED})(?P<point>{_POINT})?"
    rf"|(?<![{HANZI_DIGIT}\d.])(?P<spoken>[{HANZI_DIGIT}]+)(?P<spoken_point>{_POINT})"
    rf"|(?<![\d.,])(?P<comma>\d{{1,3}}(?:\.\d{{3}})+,\d{{1,2}})(?![,.]?\d)"
    rf"|(?<!\d)(?<!\d[.,])(?P<written>{ARABIC}\.\d+)(?![.,]?\d)"
    rf"|(?<!\d)(?P<grouped>{_GROUPS})(?!\.\d)"
    rf"|(?P<figures>\d+)"
    rf"|(?P<run>[{HANZI_DIGIT}]+))(?P<sign>[ ]?%)?"
)
_MINUS = re.compile(r"(?<!正)负$")
_LOWER_SHARE = re.compile(r"到\d+(?:\.\d+)? ?%")
"""Behind the lower end of 10-20%, which is a share too."""
_GUESS = re.compile(rf"(?:一两|两三|三四|三五|四五|五六|六七|七八|八九)(?=[十百千万亿]|点|{MEASURE})")


@dataclass(frozen=True, slots=True)
class Numeral:
    """One numeral over the plain characters `start` to `end`.

    `digits` is what it comes to in figures ("四四一" keeps its leading zeros, "一百二十九" is 129), `fraction` what stands
    after the point. `whole` marks a number with a scale or a point, which never is a group of an id; `literal` one written in
    figures; `percent` one out of a hundred; `negative` one with 负 or a minus, which is part of the span.
    """

    start: int
    end: int
    digits: str
    fraction: str = ""
    whole: bool = False
    literal: bool = False
    percent: bool = False
    negative: bool = False

    @property
    def value(self) -> Decimal:
        """The quantity."""
        size = Decimal(f"{self.digits}.{self.fraction}" if self.fraction else self.digits)
        return -size if self.negative else size


def find_numerals(plain: str) -> list[Numeral]:
    """Every numeral of a plain text, in order, none overlapping."""
    return list(_walk(plain))


def _walk(plain: str) -> Iterator[Numeral]:
    at = 0
    while match := _NUMERAL.search(plain, at):
        guess = _GUESS.match(plain, match.start())
        alone = guess is not None and plain[guess.start() - 1 : guess.start()] not in tuple(HANZI_DIGIT)
        if guess is not None and alone and not match["share"]:
            at = guess.end()
            while at < len(plain) and plain[at] in "十百千万亿":
                at += 1
            continue
        numeral = _numeral(match)
        at = match.end() if numeral is None else numeral.end
        if numeral is not None:
            share = numeral.literal and _LOWER_SHARE.match(plain, numeral.end) is not None
            numeral = replace(numeral, whole=True, percent=True) if share else numeral
            negative = _MINUS.search(plain[max(0, numeral.start - 2) : numeral.start]) is not None
            yield replace(numeral, start=numeral.start - 1, negative=True) if negative else numeral


def _numeral(match: re.Match[str]) -> Numeral | None:
    start, end = match.span()
    if match["percent"]:
        return Numeral(start, end, "100", whole=True, percent=True)
    percent = match["share"] is not None or "%" in (match["sign"] or "")
    if match["scaled"]:
        return _scaled(match, percent)
    if match["spoken"]:
        digits, fraction = _shifted(to_figures(match["spoken"]), match["spoken_point"])
        return Numeral(start, end, digits, fraction, whole=True, percent=percent)
    if match["written"] or match["comma"]:
        text = match["written"] or match["comma"].replace(".", "").replace(",", ".")
        digits, _, fraction = text.replace(",", "").partition(".")
        return Numeral(start, end, digits, fraction, whole=True, literal=True, percent=percent)
    if match["grouped"]:
        return Numeral(start, end, match["grouped"].replace(",", ""), whole=True, literal=True, percent=percent)
    text = match["figures"] or match["run"]
    return Numeral(start, end, to_figures(text), whole=percent, literal=match["figures"] is not None, percent=percent)


def _scaled(match: re.Match[str], percent: bool) -> Numeral | None:
    """The longest head of the match that is a number; what follows it is read on its own."""
    text = match["scaled"]
    literal = any(char.isdecimal() for char in text)
    for size in range(len(text), 0, -1):
        value = number_of(text[:size])
        if value is None:
            continue
        if size < len(text):
            return Numeral(
                match.start(), match.start("scaled") + size, value, whole=True, literal=literal, percent=bool(match["share"])
            )
        digits, fraction = _shifted(value, match["point"] or "")
        return Numeral(match.start(), match.end(), digits, fraction, whole=True, literal=literal, percent=percent)
    return None


def _shifted(digits: str, point: str) -> tuple[str, str]:
    """Whole figures and those after the point; "三点五万" moves the point."""
    places = _BIG.get(point[-1:], 0)
    fraction = to_figures(point.strip("点万亿"))
    if not places:
        return digits, fraction
    fraction = fraction.ljust(places, "0")
    return str(int(digits + fraction[:places])), fraction[places:]


def to_figures(text: str) -> str:
    """Digits of either writing as 0-9."""
    return text.translate(_TO_ARABIC)


_FRACTION = re.compile(r"(?<![\d./])(?:(?P<whole>\d{1,4}) )?(?<![\d./])(?P<above>\d{1,4})[/⁄](?P<below>\d{1,4})(?![\d./])")


@dataclass(frozen=True, slots=True)
class Fraction:
    """A fraction in figures over the plain characters `start` to `end`, beside a whole number or none ("")."""

    start: int
    end: int
    whole: str
    above: int
    below: int

    @property
    def value(self) -> Decimal:
        """The quantity."""
        return Decimal(self.whole or 0) + Decimal(self.above) / (self.below or 1)


def find_fractions(plain: str) -> list[Fraction]:
    """Fractions in figures: 1/2, 1 1/2."""
    found: list[Fraction] = []
    for match in _FRACTION.finditer(plain):
        above, below, whole = int(match["above"]), int(match["below"]), match["whole"] or ""
        mixed = whole and above < below and not (len(whole) > 1 and whole[0] == "0")
        start = match.start() if mixed else match.start("above")
        found.append(Fraction(start, match.end(), whole if mixed else "", above, below))
    return found


@lru_cache(maxsize=4096)
def number_of(text: str) -> str | None:
    """A whole number with a scale in figures ("三万五" is 35000); None when it is none."""
    if len(text) > 1 and text[-2] == "亿" and text[-1] in HANZI_DIGIT:
        text += "千万"
    try:
        value = Decimal(str(importlib.import_module("cn2an").cn2an(text.replace(",", ""), "smart")))
    except (ValueError, KeyError, IndexError):
        return None
    return str(int(value)) if value == value.to_integral_value() else None


def digit_words(digits: str, one: str = "一") -> str:
    """Digits one by one; `one` is how 1 is said (幺 in ids)."""
    return "".join(one if char == "1" else DIGITS[int(char)] for char in digits)


@lru_cache(maxsize=4096)
def cardinal(number: int) -> str:
    """A whole number in words, 两 before a scale: 129 is 一百二十九, 2200 两千两百; from 10**16 on digit by digit."""
    if number < 0:
        return f"负{cardinal(-number)}"
    if number >= _LARGEST:
        return digit_words(str(number))
    high, low = divmod(number, 10**8)
    if high:  # the library leaves out the zero of 一亿零一千
        rest = f"{'零' if low < 10**7 else ''}{re.sub('^十', '一十', cardinal(low))}" if low else ""
        return f"{cardinal(high)}亿{rest}"
    words = str(importlib.import_module("cn2an").an2cn(str(number)))
    return re.sub(r"(?<!十)二(?=[百千万亿])", "两", words)


def decimal_words(written: str) -> str:
    """A number as written in words, every digit after the point said: "-3.50" is 负三点五零."""
    whole, _, fraction = format(Decimal(written), "f").lstrip("-").partition(".")
    minus = "负" if written.startswith("-") else ""
    return minus + cardinal(int(whole)) + (f"点{digit_words(fraction)}" if fraction else "")
