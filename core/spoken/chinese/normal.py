"""The Chinese normaliser: one unit per character, one form for every value however it is written, never one form for two values.

Numbers, times, dates, amounts, addresses and codes come to figures; traditional characters are simplified; punctuation,
spaces and hesitations fall away. The decimal point stays (2.50 is not 250), leading zeros stay, the groups of an id join
("四四一，二九零七" is "4412907"), and two numbers that only follow each other stay apart ("一百，二十" is not "120").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from core.spoken.chinese.claims import Claims, claims_of
from core.spoken.chinese.clock import SaidTime
from core.spoken.chinese.dates import SaidDate
from core.spoken.chinese.identifiers import find_runs
from core.spoken.chinese.measures import UNIT_SIGN, UNIT_SIGNS
from core.spoken.chinese.money import SIGNS as MONEY_SIGNS
from core.spoken.chinese.money import SaidAmount
from core.spoken.chinese.numerals import Fraction, Numeral, to_figures
from core.spoken.kinds import Unit

APART = "|"
"""Unit between two numbers that follow each other and are two."""
HESITATIONS = frozenset("嗯呃啊哦噢喔欸诶唉呀嘛")
"""Sounds that carry no meaning and are part of no word a caller needs."""
SIGNS = {"%": "百分号", "‰": "千分号", "&": "和", "+": "加", "=": "等于", "#": "井号", "@": "艾特", "_": "下划线", "°": "度"} | {
    "×": "乘以", "÷": "除以",
}  # fmt: skip
SIGNS |= MONEY_SIGNS
"""Signs outside values and what is said for them."""
AHEAD = {"~": "约", ">": "大于", "<": "小于", "±": "正负", "≥": "不小于", "≤": "不大于", "*": "乘以"}
"""Signs before a number and what is said for them; a star only between two."""

_DASH_WORD = re.compile(r"(?<=[a-z0-9])[ ,]*(?:横杠|短横|杠)")
"""A dash said inside a code, which is no part of it."""

Written = tuple[int, int, str]
"""A span of the plain text and its units, one per character."""


def chinese_units(text: str) -> list[Unit]:
    """The normalised units of a Chinese text, each with its place in the text."""
    return list(_units(text))


@lru_cache(maxsize=2048)
def _units(text: str) -> tuple[Unit, ...]:
    claims = claims_of(text)
    runs = find_runs(claims.loose, claims.loose_numerals)
    continued = {item.start for run in runs for item in run[1:]}
    units: list[Unit] = []
    for start, end, written in _every(claims, runs):
        span = claims.passage.original(start, end) if start < end else (0, 0)
        if units and units[-1].text.isdecimal() and written[:1].isdecimal() and start not in continued:
            units.append(Unit(APART, *claims.passage.original(start, start + 1)))
        exact = written == to_figures(claims.passage.plain[start:end])
        for place, char in enumerate(written):
            units.append(Unit(char, *(claims.passage.original(start + place, start + place + 1) if exact else span)))
    return tuple(units)


def _every(claims: Claims, runs: list[list[Numeral]]) -> Iterator[Written]:
    """The values of a text, and every character between them, in order."""
    plain = claims.passage.plain
    at = 0
    for start, end, written in [*sorted(_values(claims, runs)), (len(plain), len(plain), "")]:
        yield from _words(plain, at, start)
        yield start, end, written
        at = end


def _values(claims: Claims, runs: list[list[Numeral]]) -> Iterator[Written]:
    """Everything that has a form of its own; no two share a character."""
    yield from ((item.start, item.end, item.text) for item in claims.emails)
    yield from ((item.start, item.end, _date(item)) for item in claims.dates if item.fixed)
    yield from ((item.start, item.end, _time(item)) for item in claims.times if item.marked)
    yield from ((item.start, item.end, _amount(item)) for item in claims.amounts)
    yield from ((item.start, item.end, _fraction(item)) for item in claims.fractions)
    yield from ((item.start, item.end, item.written) for item in claims.fixed)
    for run in runs:
        yield from _run(claims.loose, run)
    for numeral in claims.loose_numerals:
        if numeral.whole:
            yield _with_unit(claims.loose, numeral.start, numeral.end, _number(numeral))


def _run(plain: str, run: list[Numeral]) -> Iterator[Written]:
    """The groups of an id, each at its place and nothing between them."""
    for before, item in zip([None, *run[:-1]], run, strict=True):
        if before is not None and before.end < item.start:
            yield before.end, item.start, ""
        written = _number(item)
        yield _with_unit(plain, item.start, item.end, written) if item is run[-1] else (item.start, item.end, written)


def _with_unit(plain: str, start: int, end: int, written: str) -> Written:
    sign = UNIT_SIGN.match(plain, end)
    return (start, end, written) if sign is None else (start, sign.end(), written + UNIT_SIGNS[sign[1]])


def _number(numeral: Numeral) -> str:
    sign = "负" if numeral.negative else ""
    return sign + numeral.digits + (f".{numeral.fraction}" if numeral.fraction else "") + ("%" if numeral.percent else "")


def _fraction(item: Fraction) -> str:
    return f"{item.whole}又{item.below}分之{item.above}" if item.whole else f"{item.below}分之{item.above}"


def _date(said: SaidDate) -> str:
    if said.near_year:
        near = {-2: "前", -1: "去", 0: "今", 1: "明", 2: "后"}[said.year or 0]
        return f"{near}年{said.month}月{said.day}日"
    year = "" if said.year is None else f"{said.year:02d}年" if said.short else f"{said.year}年"
    return f"{year}{said.month}月{said.day}日"


def _time(said: SaidTime) -> str:
    return f"{said.part}{said.hour}点" + (f"{said.minute:02d}" if said.minute else "")


def _amount(said: SaidAmount) -> str:
    whole, _, fraction = format(abs(said.value), "f").partition(".")
    fraction = fraction.rstrip("0")
    number = whole + (f".{fraction.ljust(2, '0')}" if fraction else "")
    return ("负" if said.value < 0 else "") + number + ("" if said.shared else said.unit)


def _words(plain: str, start: int, end: int) -> Iterator[Written]:
    """Characters outside values: signs in words, letters without accents; marks, spaces and hesitations fall away."""
    dashes = {at for match in _DASH_WORD.finditer(plain, start, end) for at in range(*match.span())}
    for at in range(start, end):
        char = plain[at]
        if char in SIGNS or is_ahead(plain, at):
            yield at, at + 1, SIGNS.get(char) or AHEAD[char]
        elif char.isalnum() and char not in HESITATIONS and at not in dashes:
            yield at, at + 1, _bare(char)


def is_ahead(plain: str, at: int) -> bool:
    """Whether a sign stands before a number."""
    if plain[at] == "*" and not re.search(r"\d ?$", plain[max(0, at - 2) : at]):
        return False
    return plain[at] in AHEAD and re.match(r" ?[负$¥€£]?\d", plain[at + 1 : at + 4]) is not None


@lru_cache(maxsize=4096)
def _bare(char: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFD", char) if not unicodedata.combining(part)) or char
