"""The English normaliser: one form for everything that can be written in several ways, and never one form for two values.

Numbers, ordinals, times, dates, amounts, addresses and spelled letters come to one form whether they were said or written;
every digit becomes a unit of its own, so that "441-2907", "four four one, two nine zero seven" and "4412907" agree, while
the decimal point stays as a unit ("1.50" is not "150"), leading zeros stay, and an id stays apart from a number that
counts what follows it ("12, 3 nights" is not "1, 23 nights").
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from core.spoken.english.abbreviations import expanded
from core.spoken.english.calendar_names import MONTHS
from core.spoken.english.claims import Claims, apart, claims_of, covered
from core.spoken.english.clock import SaidTime
from core.spoken.english.currencies import CENTS, COINS, SIGNS
from core.spoken.english.dates import SaidDate
from core.spoken.english.digits import find_runs
from core.spoken.english.emails import SaidEmail
from core.spoken.english.letters import find_spelled
from core.spoken.english.money import SaidAmount
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import RANGE_WORDS
from core.spoken.kinds import Unit

APART = "|"
"""Unit between an id and a number right after it that counts something."""

_FILLERS = frozenset("uh um uhm erm er hmm hm mm mhm".split())
_SPLIT = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "let's": "let us"} | {
    "gonna": "going to", "wanna": "want to", "gotta": "got to", "y'all": "you all", "o'clock": "oclock", "ma'am": "madam",
}  # fmt: skip
_IS = frozenset("it he she that this what who where when how why there here everything something name".split())
_SUFFIXES = (("n't", "not"), ("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'d", "would"))
_ALIKE = {
    "ok": "okay", "mister": "mr", "missus": "mrs", "doctor": "dr", "apt": "apartment", "ave": "avenue", "blvd": "boulevard",
    "alright": "all right", "wifi": "wi fi", "email": "e mail", "emails": "e mails", "voicemail": "voice mail",
    "zipcode": "zip code", "postcode": "post code", "saint": "st", "versus": "vs", "mum": "mom", "til": "until", "till": "until",
    "into": "in to", "onto": "on to", "login": "log in", "signup": "sign up", "setup": "set up", "checkup": "check up",
    "lb": "pounds", "lbs": "pounds", "kilometre": "kilometer", "kilometres": "kilometers", "kmh": "kilometers per hour",
    "kph": "kilometers per hour", "mph": "miles per hour",
}  # fmt: skip
_SIGNS = {"%": "percent", "&": "and", "+": "plus", "#": "number", "@": "at", "_": "underscore"}
_AMERICAN = (
    ("colour", "color"), ("favour", "favor"), ("honour", "honor"), ("labour", "labor"), ("neighbour", "neighbor"),
    ("behaviour", "behavior"), ("flavour", "flavor"), ("harbour", "harbor"), ("humour", "humor"), ("rumour", "rumor"),
    ("centre", "center"), ("theatre", "theater"), ("metre", "meter"), ("litre", "liter"), ("fibre", "fiber"),
    ("cancell", "cancel"), ("travell", "travel"), ("labell", "label"), ("modell", "model"), ("signall", "signal"),
    ("cheque", "check"), ("grey", "gray"), ("licence", "license"), ("defence", "defense"), ("offence", "offense"),
    ("programme", "program"), ("catalogue", "catalog"), ("dialogue", "dialog"), ("enquir", "inquir"), ("fulfill", "fulfil"),
    ("jewellery", "jewelry"), ("judgement", "judgment"), ("storey", "story"), ("tyre", "tire"),
    ("aeroplane", "airplane"), ("organis", "organiz"), ("recognis", "recogniz"), ("realis", "realiz"), ("apologis", "apologiz"),
    ("authoris", "authoriz"), ("finalis", "finaliz"), ("prioritis", "prioritiz"), ("customis", "customiz"),
    ("summaris", "summariz"), ("specialis", "specializ"), ("pyjama", "pajama"),
)  # fmt: skip


def english_units(text: str, region: str = "") -> list[Unit]:
    """The normalised units of an English text of a region, each with its place in the text."""
    return list(_units(text, region))


@lru_cache(maxsize=2048)
def _units(text: str, region: str) -> tuple[Unit, ...]:
    return tuple(_Writer(claims_of(text, region)).write())


class _Writer:
    """Walks a sentence once; what was understood as one value is written as that value, the rest word by word."""

    def __init__(self, claims: Claims) -> None:
        sentence = self.sentence = claims.sentence
        dates = [item for item in claims.dates if item.month is not None]
        times = [item for item in claims.times if item.marked]
        self.in_date = covered(dates)
        self.values: dict[int, SaidEmail | SaidDate | SaidTime | SaidAmount] = {item.first: item for item in claims.emails}
        for values in ([item for item in dates if not item.worded], times, claims.amounts):
            self.values |= {item.first: item for item in values}
        taken = covered(claims.emails) | self.in_date | covered(times) | covered(claims.amounts)
        runs = find_runs(sentence, taken)
        self.apart = {run[0].first for before, run in pairwise(runs) if before[-1].last == run[0].first}
        self.inside = {at for run in runs for at in range(run[0].first, run[-1].last)}
        self.starts = {*sentence.at, *self.values}
        self.ends = {*sentence.ending, *(value.last for value in self.values.values()), *(item.last for item in dates)}
        self.spelled = {item.first: item for item in apart(find_spelled(sentence, minimum=2), taken)}

    def write(self) -> list[Unit]:
        """Every unit, in order."""
        units: list[Unit] = []
        index = 0
        while index < len(self.sentence.tokens):
            texts, last = self._next(index)
            start, end = self.sentence.span(index, last)
            units += [Unit(text, start, end) for text in texts]
            index = last
        return units

    def _next(self, index: int) -> tuple[list[str], int]:
        """The units from token `index` on and the token after what they cover."""
        value = self.values.get(index)
        if value is not None:
            return self._value(value), value.last
        chunk = self.sentence.at.get(index)
        if chunk is not None:
            texts = ([APART] if index in self.apart else []) + _figures(chunk)
            if chunk.ordinal and index not in self.in_date:
                texts.append("th")
            return texts, chunk.last
        spelled = self.spelled.get(index)
        if spelled is not None and spelled.plain and not set(spelled.text) <= {"a", "i", "o"}:
            return list(_expand(spelled.text)), spelled.last
        return self._word(index), index + 1

    def _value(self, value: SaidEmail | SaidDate | SaidTime | SaidAmount) -> list[str]:
        if isinstance(value, SaidEmail):
            names = {".": "dot", "@": "at", "-": "dash", "_": "underscore", "+": "plus"}
            return [names.get(part, part) for part in re.findall(r"[a-z]+|\d|[.@_+-]", value.text)]
        if isinstance(value, SaidDate):
            texts = [MONTHS[(value.month or 1) - 1].lower(), *str(value.day)]
            return texts + (list(str(value.year)) if value.year is not None else [])
        if isinstance(value, SaidTime):
            return self._time(value)
        minus = ["minus"] if value.value < 0 else []
        size = abs(value.value) / value.times
        small = COINS.get(value.unit, "") if 0 < size < 1 and round(size, 2) == size else ""
        if small or value.unit in CENTS.values():
            return [*minus, *format((size * 100).normalize(), "f"), small or value.unit]
        whole, _, fraction = format(size, "f").partition(".")
        fraction = fraction.rstrip("0")
        unit = [] if value.shared else value.unit.lower().split()
        return [*minus, *whole, *(["point", *fraction.ljust(0 if value.shared else 2, "0")] if fraction else []), *unit]

    def _time(self, value: SaidTime) -> list[str]:
        words = [self.sentence.fold(at) for at in range(value.first, value.last)]
        if words in (["noon"], ["midday"], ["midnight"]):
            return words
        texts = list(str(value.hour)) + (list(f"{value.minute:02d}") if value.minute else [])
        tail = self._part_of_day(words)
        return texts + (["oclock"] if not value.minute and not value.half else []) + tail

    def _part_of_day(self, words: list[str]) -> list[str]:
        if words[-1] in ("am", "pm"):
            return [words[-1]]
        if words[-1] == "m":
            return [f"{words[-2]}m"]
        for place, word in enumerate(words):
            if word in ("in", "at", "this", "tomorrow", "tonight") and place:
                return words[place:]
        return []

    def _word(self, index: int) -> list[str]:
        token = self.sentence.tokens[index]
        word = token.fold
        full = expanded(self.sentence, index)
        if full is not None:
            return [text for part in full.words.lower().split() for text in _expand(part)]
        if word in _SIGNS:
            return [_SIGNS[word]]
        if word in RANGE_WORDS and index in self.ends and index + 1 in self.starts:
            return ["to"]
        if word in SIGNS:
            return SIGNS[word].lower().split()
        if word in ("/", "/-", "\u2044") or word in _FILLERS:
            return []
        if word == "negative" and index + 1 in self.sentence.at:
            return ["minus"]
        if word in ("dash", "hyphen") and index - 1 in self.inside and index + 1 in self.inside:
            return []
        if index in self.in_date and word in ("the", "of"):
            return []
        if index in self.in_date and word[:3] in _MONTH_STARTS:
            return [_MONTH_STARTS[word[:3]]]
        texts = []
        if token.gap == "." and index and len(word) > 1 and self.sentence.fold(index - 1).isalnum():
            texts.append("dot")
        return [*texts, *_expand(word)]


def _figures(chunk: Chunk) -> list[str]:
    """The digits of a number; halves, quarters and the like beside a whole number are decimals, other fractions a over b."""
    if chunk.share is None:
        return [*chunk.digits, *(["point", *chunk.fraction] if chunk.fraction else [])]
    above, below = chunk.share
    whole, _, fraction = format(chunk.value, "f").partition(".")
    if chunk.digits != "0" and len(fraction) <= 4:
        return [*whole, "point", *fraction]
    return [*([*chunk.digits, "and"] if chunk.digits != "0" else []), *str(above), "over", *str(below)]


_MONTH_STARTS = {name[:3].lower(): name.lower() for name in MONTHS}


@lru_cache(maxsize=4096)
def _expand(word: str) -> tuple[str, ...]:
    """Contractions, spelling variants, accents and possessive apostrophes of one word."""
    word = "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))
    if word in _SPLIT:
        return tuple(_SPLIT[word].split())
    for suffix, full in _SUFFIXES:
        if word.endswith(suffix) and len(word) > len(suffix):
            return (*_expand(word[: -len(suffix)]), full)
    if word.endswith("'s") and word[:-2] in _IS:
        return word[:-2], "is"
    word = word.replace("'", "")
    if word in _ALIKE:
        return tuple(_ALIKE[word].split())
    for british, american in _AMERICAN:
        if word.startswith(british):
            word = american + word[len(british) :]
    return (word,)
