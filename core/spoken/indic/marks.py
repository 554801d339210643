"""Signs between and before figures that are said as words: a minus, the dash of a range, a half.

Each becomes a token that is folded like its word and keeps the sign as its text, so that "-5" is read like "माइनस 5", "5–10" like
"5 से 10" and "½ कप" like "आधा कप". A dash that may as well part an id or a code ("441-2907") stays what it is: no token at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from core.spoken.english.tokens import is_version
from core.spoken.folding import Token
from core.spoken.indic.folded import FRACTIONS, folded

DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d")
_LONG = frozenset("\u2012\u2013\u2014\u2015")
"""Dashes that writers put into ranges and hardly ever into ids."""
_DASH = "[" + "".join(sorted(DASHES - {"-"})) + "-]"
_MONEY = r"[$£€₹¥৳૱௹]\s?"
_FIGURE = rf"(?:{_MONEY})?\d+(?:,\d+)*(?:[.:]\d+)?(?!\d)\s?%?"
_RANGE = re.compile(
    rf"(?<![\w,:/])(?<!\d\.)(?<!{_DASH})(?P<low>{_FIGURE})\s?(?P<dash>{_DASH})\s?(?P<high>{_FIGURE})(?![A-Z\d]|[.,:/]\d|\s?{_DASH}\s?\d)"
)
_MINUS = re.compile(
    rf"(?:(?<=[\s(\[\"'\u2018\u201c:=])|^)(?P<sign>{_DASH})(?=(?:{_MONEY}|[A-Za-z]{{2,3}}\.?\s?)?\d)|(?<=[$£€₹¥৳૱௹])(?P<inner>{_DASH})(?=\d)"
)
_TRUE_MINUS = re.compile(r"\u2212(?=\s?(?:[$£€₹¥৳૱௹]\s?)?\d)")
_DATE = r"(?:\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}/\d{1,2}|\d{4}-\d{2}-\d{2})"
_DATES = re.compile(rf"(?<![\w./-]){_DATE}\s?(?P<dash>{_DASH})\s?{_DATE}(?![\w/-])")
_MONEY_SIGNS = frozenset("$£€₹¥৳૱௹")
_LONG_FIGURES = re.compile(rf"\D*(?:0\d|\d{{8,}}|\d+(?:/|{_DASH}\d|:\d))")
"""Figures that no minus stands before: ids, dates, times."""
_QUOTIENT = re.compile(r"(?<![\w./,-])([13])/([24])(?=\s?([^\W\d_][^\s\d,.;:!?।/]*))")
_QUOTIENTS = {("1", "2"): "½", ("1", "4"): "¼", ("3", "4"): "¾"}
_YEARS = range(1900, 2100)
_SMALL = 3
"""Figures that a hyphen may make a range of, where something follows that they count."""
_LONG_SMALL = 4
"""The same for a dash."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What the signs are called in a language, folded."""

    minus: str
    to: str
    parts: dict[str, tuple[str, ...]]
    """A sign of a fraction to its words."""
    measures: frozenset[str]
    """What halves and quarters are taken of."""
    uncounted: frozenset[str]
    """Words that count nothing: function words and names of ids, such as "नंबर"."""
    counted: frozenset[str]
    """Words that only a number has beside it: currencies and hours."""
    ids: frozenset[str]
    """Words before which figures are an id."""
    marks: Container[str]
    """What stands before an amount for its currency."""
    groups: tuple[frozenset[str], ...]
    """Words that range over each other: months, and lakhs and crores."""
    ahead: dict[str, tuple[str, ...]]
    """A sign before a number to its words."""
    units: dict[str, tuple[str, ...]]
    """A unit behind a number to its words."""
    dot: str


def with_marks(tokens: Sequence[Token], text: str, signs: Signs) -> list[Token]:
    """The tokens of `text` with its minus signs, its ranges and its halves as tokens of their own."""
    tokens = _with_dots(_quotients(_with_units(tokens, text, signs), text, signs), signs)
    found = _dashes(tokens, text, signs)
    waiting = deque(sorted(found))
    marked: list[Token] = []
    for index, plain in enumerate(tokens):
        token = plain
        if waiting and waiting[0] < token.start:
            at = waiting.popleft()
            before, _, after = token.gap.rpartition("-")
            marked.append(Token(found[at], text[at], at, at + 1, before))
            token = replace(token, gap=after)
        marked += _worded(token, _called(tokens, index, signs))
        if len(marked) > 2 and marked[-2].fold == signs.minus and marked[-3].text in _MONEY_SIGNS and marked[-2].gap == "":
            marked[-3:-1] = _swapped(*marked[-3:-1])
    return marked


def _swapped(sign: Token, minus: Token) -> tuple[Token, Token]:
    """ "₹-50" with its minus before the currency."""
    return replace(sign, fold=minus.fold, text=minus.text), replace(minus, fold=sign.fold, text=sign.text)


def _called(tokens: Sequence[Token], index: int, signs: Signs) -> tuple[str, ...]:
    """The words that a sign is called by: a fraction alone, a sign before a number, a unit behind one; none for others."""
    token = tokens[index]
    follows = index > 0 and tokens[index - 1].fold.isdecimal() and token.gap.strip(" ") == ""
    if token.fold in FRACTIONS:
        return () if follows else signs.parts[token.fold]
    if token.fold in signs.units:
        shouted = token.text.isascii() and token.text.isupper() and token.fold.isalpha()
        glued_on = index + 1 < len(tokens) and tokens[index + 1].gap == "" and tokens[index + 1].fold.isdecimal()
        return () if not follows or shouted or glued_on else signs.units[token.fold]
    return signs.ahead.get(token.fold, ())


def _worded(token: Token, words: tuple[str, ...]) -> Iterator[Token]:
    """A sign as its words, one that has none as it is."""
    for place, word in enumerate(words or (token.fold,)):
        yield replace(token, fold=word, gap=" " if place else token.gap)


def _with_units(tokens: Sequence[Token], text: str, signs: Signs) -> Sequence[Token]:
    """The tokens with a unit that is written with points, "कि.मी", as one."""
    kept: list[Token] = []
    for token in tokens:
        whole = f"{kept[-1].fold}.{token.fold}" if kept and token.gap == "." else ""
        if whole in signs.units:
            kept[-1] = replace(kept[-1], fold=whole, text=text[kept[-1].start : token.end], end=token.end)
        else:
            kept.append(token)
    return kept


def _with_dots(tokens: Sequence[Token], signs: Signs) -> Sequence[Token]:
    """The tokens with the points of a version or of an internet address as words."""
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        last = index + 1
        while last < len(tokens) and tokens[last].gap == "." and tokens[index].fold.isdecimal() and tokens[last].fold.isdecimal():
            last += 1
        groups = [token.fold for token in tokens[index:last]]
        address = len(groups) == 4 and all(len(group) <= 3 and int(group) <= 255 for group in groups)
        labelled = index > 0 and tokens[index - 1].fold in signs.ids
        said = address or (not labelled and is_version(groups))
        found.append(tokens[index])
        for left, token in pairwise(tokens[index:last]):
            dot = Token(signs.dot, ".", left.end, token.start, " ")
            found += [dot, replace(token, gap=" ")] if said else [token]
        index = last
    return found


def _quotients(tokens: Sequence[Token], text: str, signs: Signs) -> Sequence[Token]:
    """ "1/2 कप" with its figures as one sign."""
    if "/" not in text:
        return tokens
    found = {
        match.start(): _QUOTIENTS[match[1], match[2]]
        for match in _QUOTIENT.finditer(text)
        if (match[1], match[2]) in _QUOTIENTS and folded(match[3]) in signs.measures
    }
    kept = [token for at, token in enumerate(tokens) if not any(tokens[at - n].start in found for n in (1, 2) if at >= n)]
    return [replace(it, fold=found[it.start], text=found[it.start], end=it.end + 2) if it.start in found else it for it in kept]


def _dashes(tokens: Sequence[Token], text: str, signs: Signs) -> dict[int, str]:
    """Where a dash is said as a word, and the word."""
    if DASHES.isdisjoint(text):
        return {}
    found = {match.start(): signs.minus for match in _TRUE_MINUS.finditer(text)}
    for match in _MINUS.finditer(text):
        at = match.start()
        beside = text[at - 1 : at] == " " and text[:at].rstrip(" ")[-1:].isdecimal()
        if not beside and text[at] not in "\u2014\u2015" and not _LONG_FIGURES.match(text[at + 1 :]):
            found[at] = signs.minus
    for match in _RANGE.finditer(text):
        if _ranges(match, tokens, signs):
            found[match.start("dash")] = signs.to
    found |= {match.start("dash"): signs.to for match in _DATES.finditer(text)}
    found |= dict.fromkeys(_counted_ranges(tokens, text, signs), signs.to)
    return found


def _counted_ranges(tokens: Sequence[Token], text: str, signs: Signs) -> Iterator[int]:
    """The dashes in "10 बजे–12 बजे" and "15 मार्च–20 अप्रैल": both ends count the same."""
    for at in range(1, len(tokens) - 2):
        noun, second = tokens[at], at + 1 + (tokens[at + 1].fold in signs.marks)
        if tokens[at + 1].gap.strip() != "-" or not tokens[at - 1].fold.isdecimal() or not noun.fold[0].isalpha():
            continue
        other = tokens[second + 1] if second + 1 < len(tokens) and tokens[second].fold.isdecimal() else None
        if other is None or noun.gap.strip() or other.gap.strip():
            continue
        if noun.fold == other.fold or any({noun.fold, other.fold} <= group for group in signs.groups):
            yield next(place for place in range(noun.end, tokens[at + 1].start) if text[place] in DASHES)


def _ranges(match: re.Match[str], tokens: Sequence[Token], signs: Signs) -> bool:
    """Whether two figures with a dash between them are the ends of a range."""
    low, high = match["low"], match["high"]
    clocks = [":" in low, ":" in high]
    if any(clocks):
        return all(clocks) or _is_hour(high if clocks[0] else low)
    plain = [re.sub(r"[^\d.]", "", part) for part in (low, high)]
    if any(len(part) > 1 and part[0] == "0" and part[1] != "." for part in plain):
        return False
    rising = Decimal(plain[0]) < Decimal(plain[1])
    valued = [re.search(r"[^\d.,\s]", part) is not None for part in (low, high)]
    if all(valued):
        return True
    if plain[0].isdecimal() and int(plain[0]) in _YEARS and plain[1] == f"{(int(plain[0]) + 1) % 100:02d}":
        return True
    if not rising:
        spaced = match.string[match.start("dash") - 1] == match.string[match.end("dash")] == " "
        return (spaced or match["dash"] in _LONG) and max(map(len, plain)) < _SMALL
    years = all(part.isdecimal() and int(part) in _YEARS for part in plain)
    if any(valued) or years or any("," in part for part in (low, high)):
        return True
    return _counts(match, plain, tokens, signs)


def _counts(match: re.Match[str], plain: list[str], tokens: Sequence[Token], signs: Signs) -> bool:
    """Whether a rising pair of plain figures is a range and no id: by its dash, by its size and by what stands beside it."""
    size = max(len(part) for part in plain)
    behind = bisect_left(tokens, match.end(), key=_start)
    ahead = bisect_left(tokens, match.start(), key=_start)
    following = tokens[behind].fold if behind < len(tokens) and tokens[behind].gap.strip() == "" else ""
    if following in signs.counted or (ahead and tokens[ahead - 1].fold in signs.marks):
        return True
    counted = following[:1].isalpha() and following not in signs.uncounted
    if match["dash"] in _LONG:
        return counted or size <= _LONG_SMALL
    if ahead and tokens[ahead - 1].fold in signs.ids:
        return False
    round_ones = all(part.endswith("00") for part in plain)
    return size < _SMALL or (counted and (size <= _SMALL or round_ones))


def _start(token: Token) -> int:
    return token.start


def _is_hour(figure: str) -> bool:
    return figure.isdecimal() and int(figure) <= 24
