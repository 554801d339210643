"""The normaliser: one form for everything that can be written in several ways, and never one form for two values.

Every digit becomes a unit of its own, however the number was said or written; the decimal point stays as a unit, leading zeros
stay, and an id stays apart from a number right behind it. Words keep their vowel signs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from core.spoken.english.claims import covered
from core.spoken.english.clock import SaidTime
from core.spoken.english.dates import SaidDate
from core.spoken.english.digits import SaidDigits, find_runs
from core.spoken.english.emails import SaidEmail
from core.spoken.english.money import SaidAmount
from core.spoken.english.normal import APART
from core.spoken.english.number_words import ordinal
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import Sentence
from core.spoken.indic.claims import Understood, minus_of, understand
from core.spoken.indic.clock import say_part
from core.spoken.indic.folded import folded
from core.spoken.indic.grammar import LABELS, Grammar
from core.spoken.kinds import Unit

_SILENT = frozenset({*"$£€₹/", "/-"})
_LONGEST = 3
"""Figures of an ordinal with Latin letters behind it."""
_POINT = "."
"""Unit of the decimal point, which no word comes to."""


def indic_units(text: str, language: str) -> list[Unit]:
    """The normalised units of a text, each with its place in the text; `language` is a primary subtag."""
    return list(_units(text, language))


@lru_cache(maxsize=2048)
def _units(text: str, language: str) -> tuple[Unit, ...]:
    return tuple(_Writer(understand(text, language)).write())


class _Writer:
    """Walks a sentence once; what was understood as one value is written as that value, the rest word by word."""

    def __init__(self, understood: Understood) -> None:
        claims, self.parsed = understood.claims, understood.parsed
        self.grammar, self.own = self.parsed.grammar, self.parsed.own
        times = [item for item in claims.times if item.marked]
        figures = [item for item in claims.dates if item.month is not None and not item.worded]
        dated = covered(item for item in claims.dates if item.month is not None)
        self.values: dict[int, SaidEmail | SaidDate | SaidTime | SaidAmount | SaidDigits] = {}
        codes = [code for code in understood.codes if not code.text.isdecimal()]
        for values in (codes, claims.amounts, times, figures, claims.emails):
            self.values |= {item.first: item for item in values}
        runs = find_runs(claims.sentence, covered(claims.emails) | dated | covered(times) | covered(claims.amounts))
        self.apart = {run[0].first for before, run in pairwise(runs) if before[-1].last == run[0].first}
        self.shared = understood.shared
        self.inside = {at for run in runs for at in range(run[0].first, run[-1].last)}

    def write(self) -> list[Unit]:
        """Every unit, in order."""
        units: list[Unit] = []
        index = 0
        while index < len(self.own.tokens):
            texts, last = self._next(index)
            start, end = self.own.span(index, last)
            units += [Unit(text, start, end) for text in texts if text]
            index = last
        return units

    def _next(self, index: int) -> tuple[list[str], int]:
        """The units from token `index` on and the token after what they cover."""
        value = self.values.get(index)
        if value is not None:
            return self._value(value), value.last
        chunk = self.own.at.get(index)
        if chunk is not None:
            latin = latin_ordinal(self.own, chunk)
            if latin:
                return latin.split(), chunk.last + 1
            return [*([APART] if index in self.apart else []), *self._number(chunk)], chunk.last
        return self._word(index), index + 1

    def _number(self, chunk: Chunk) -> list[str]:
        texts = list(chunk.digits) + ([_POINT, *chunk.fraction] if chunk.fraction else [])
        return [*texts, self.grammar.lexicon.ordinal(chunk, self.own.tokens)] if chunk.ordinal else texts

    def _value(self, value: SaidEmail | SaidDate | SaidTime | SaidAmount | SaidDigits) -> list[str]:
        table = self.grammar.table
        if isinstance(value, SaidEmail):
            return self._email(value.text)
        if isinstance(value, SaidDigits):
            return list(value.text.lower())
        if isinstance(value, SaidDate):
            month = folded(table.days.months[(value.month or 1) - 1][0])
            return [*str(value.day), month, *(str(value.year) if value.year is not None else "")]
        if isinstance(value, SaidTime):
            texts = [*str(value.hour), *(f"{value.minute:02d}" if value.minute else ""), folded(table.clock.unit)]
            lettered = self.parsed.view.fold(value.last - 1) in ("am", "pm", "m")
            return [folded(say_part(value.clock(), self.grammar)), *texts] if lettered else texts
        if value.first in self.shared:
            return list(format(value.value, "f").partition(".")[0])
        small = 0 < value.value < 1 and value.unit == "rupees" and value.value == round(value.value, 2)
        unit = folded(currency("cents" if small else value.unit, self.grammar))
        if small or value.unit == "cents":
            return [*format((value.value * 100).normalize(), "f"), unit]
        whole, _, fraction = format(value.value, "f").partition(".")
        fraction = fraction.rstrip("0")
        return [*whole, *([_POINT, *fraction.ljust(2, "0")] if fraction else []), unit]

    def _email(self, text: str) -> list[str]:
        address = self.grammar.table.address
        names = {".": address.dot, "@": address.at, "-": address.dash, "_": address.underscore, "+": address.plus}
        parts = re.findall(r"[a-z]+|\d|[.@_+-]", text)
        return [folded(names[part][0]) if part in names else part for part in parts]

    def _word(self, index: int) -> list[str]:
        token, table = self.own.tokens[index], self.grammar.table
        signs = {"%": table.signs.percent, "&": table.signs.conjunction[0], "+": table.address.plus[0]}
        signs |= {"#": table.signs.number, "@": table.address.at[0], "_": table.address.underscore[0]}
        if token.fold in self.grammar.lexicon.minus and minus_of(self.parsed, index + 1) and index + 1 in self.own.at:
            return [self.grammar.lexicon.minus[0]]
        if token.fold in signs:
            return [folded(signs[token.fold])]
        if token.fold in _SILENT or token.fold in self.grammar.fillers:
            return []
        hyphen = self.parsed.view.fold(index) == "dash" and {index - 1, index + 1} <= self.inside
        if token.fold in LABELS:
            return list(token.fold)
        return [] if hyphen else self.grammar.alike.get(token.fold, token.fold).split()


def latin_ordinal(own: Sentence, chunk: Chunk) -> str:
    """The English ordinal that figures with Latin letters behind them are, "2nd", "" for anything else."""
    if not (chunk.literal and chunk.whole and len(chunk.digits) <= _LONGEST and own.glued(chunk.last)) or not int(chunk.digits):
        return ""
    number = int(chunk.digits)
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    alone = not (own.glued(chunk.last + 1) and own.fold(chunk.last + 1).isdecimal())
    return ordinal(number) if own.fold(chunk.last) == ending and alone else ""


def currency(unit: str, grammar: Grammar) -> str:
    """The word for a currency of the view."""
    money = grammar.table.money
    words = {"cents": money.cents, "dollars": money.dollars, "pounds": money.pounds, "euros": money.euros}
    return words.get(unit, money.rupees)[0]
