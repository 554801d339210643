"""Dashes between two numbers, amounts, times or days in English that mean "to", and those that do not.

A dash that joins the groups of an id, a date or a telephone number is none of them: it stays a mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from core.spoken.english.calendar_names import MONTH, SHORT_WEEKDAYS, WEEKDAYS
from core.spoken.english.currencies import CODES, SIGNS
from core.spoken.english.function_words import FUNCTION_WORDS
from core.spoken.folding import Token

LABELS = frozenset(
    """number numbers code pin id account reference ref order ticket case card phone call dial extension ext ending digits
    serial unit flat apartment apt suite room model part zip postcode flight policy booking invoice #""".split()
)
"""Before figures that are an id."""
_VERBS = frozenset({"order", "call", "part", "room"})
"""Those among them that may be something else where figures count what follows: "order 3-5 boxes"."""
COUNTED = frozenset(
    """pages page ages aged chapters between from lines items questions steps rows years weeks days months hours minutes
    lessons levels grades sizes rooms floors""".split()
)
"""Before numbers from one to another."""
_HALVES = frozenset({"am", "pm", "a", "p"})
_UNITS = frozenset(
    "k m bn mn cr g mg kg km cm mm ml l gb mb kb tb h hr hrs min mins s ft in lb lbs oz x mph kwh st nd rd th".split()
)
"""Letters right behind figures that leave them a number."""
_SURE = frozenset({"%", "¢", "degrees", "celsius", "fahrenheit", *SIGNS})
_ISO_BEFORE, _ISO = re.compile(r"(?<!\d)\d{4}-\d\d?-\d\d?$"), re.compile(r"\d{4}-\d\d?-\d\d?(?!\d)")
_DASH = re.compile("[-\u2010-\u2015\u2212]+")
_GAPS = frozenset({"-", " - ", ".-", ". - ", "--", " -- "})
_NAMES = (frozenset(MONTH), frozenset(WEEKDAYS) | SHORT_WEEKDAYS)


_PAUSE = " \u2014 "
"""A dash between two clauses, which joins no figures."""


@dataclass(frozen=True, slots=True)
class _Side:
    """The figures on one side of a dash; `sure` where they never are a group of an id: an amount, a share, a time."""

    figures: str
    after: int
    """The token after it."""
    sure: bool
    unit: bool = False
    half: bool = False
    """With am or pm."""

    @property
    def plain(self) -> bool:
        """Whether it is nothing but digits."""
        return self.figures.isdecimal() and not self.sure and not self.unit

    @property
    def value(self) -> float:
        """The number, of figures without colons or bars."""
        return float(self.figures.replace(",", ""))


def with_ranges(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with a word for every dash that means "to", or a minus between two figures."""
    found = list(tokens[:1])
    for index in range(1, len(tokens)):
        token = tokens[index]
        word = _word(tokens, index, text) if token.gap in _GAPS else ""
        if word == _PAUSE:
            token = replace(token, gap=_PAUSE)
        elif word:
            before = tokens[index - 1].end
            dash = _DASH.search(text, before, token.start)
            start, end = dash.span() if dash is not None else (before, token.start)
            found.append(Token(word, text[start:end], start, end, " "))
            token = replace(token, gap=" ")
        found.append(token)
    return found


def _word(tokens: Sequence[Token], index: int, text: str) -> str:
    """What the dash before a token is said as, a pause as such, "" for nothing."""
    written = text[tokens[index - 1].end : tokens[index].start]
    spaced = written != written.strip()
    if spaced and "\u2014" in written:
        return _PAUSE
    names = (tokens[index - 1].fold, tokens[index].fold)
    if any(set(names) <= known for known in _NAMES):
        return "to"
    left, right = _left(tokens, index - 1), _right(tokens, index)
    if _ISO_BEFORE.search(text[max(0, tokens[index - 1].end - 11) : tokens[index - 1].end]) and _ISO.match(
        text, tokens[index].start
    ):
        return "to" if spaced or "-" not in written else ""
    if tokens[index].fold in MONTH and left is not None and tokens[index - 2].fold in MONTH:
        return "to"
    if left is None or right is None:
        return ""
    if "\u2212" in written:
        return "minus"
    ranged = _is_range(tokens, index, left, right, "-" in written)
    months = tokens[max(0, index - 2)].fold, tokens[right.after].fold if right.after < len(tokens) else ""
    return _to(tokens, left, right, dated=not MONTH.keys().isdisjoint(months)) if ranged else ""


def _left(tokens: Sequence[Token], at: int) -> _Side | None:
    """The figures that end with a token, with what is written behind them."""
    sure = unit = half = False
    if at and tokens[at].fold in ("am", "pm"):
        half, at = True, at - 1
    elif at > 1 and tokens[at].fold == "m" and tokens[at - 1].fold in _HALVES:
        half, at = True, at - 2
    elif at and tokens[at].fold in _UNITS and tokens[at].gap == "":
        unit, at = True, at - 1
    while at and tokens[at].fold in _SURE and not tokens[at].fold.isdecimal():
        sure, at = True, at - 1
    if not tokens[at].fold.isdecimal():
        return None
    figures = tokens[at].fold
    while at and _carries_on(tokens, at):
        bar = tokens[at - 1].fold == "/"
        figures = f"{tokens[at - 1 - bar].fold}{'/' if bar else tokens[at].gap}{figures}"
        at -= 1 + bar
    if at:
        before, gap = tokens[at - 1], tokens[at].gap
        money = before.fold in SIGNS or (before.fold in CODES and gap in ("", " ", ". ", "."))
        if not money and (gap.endswith("-") or (gap in ("", ".") and not before.fold.isdecimal())):
            return None
        sure = sure or money
    return _Side(figures, 0, sure or half or _is_clock(figures), unit, half)


def _carries_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether the figures at a token go on from those before it."""
    if tokens[at - 1].fold == "/":
        return at > 1 and tokens[at].gap == tokens[at - 1].gap == "" and tokens[at - 2].fold.isdecimal()
    return tokens[at].gap in (",", ".", ":") and tokens[at - 1].fold.isdecimal()


def _right(tokens: Sequence[Token], at: int) -> _Side | None:
    """The figures that begin with a token, with what is written behind them."""
    sure = False
    if tokens[at].fold in ("minus", *SIGNS):
        sure, at = True, at + 1
    if at >= len(tokens) or not tokens[at].fold.isdecimal():
        return None
    figures, at = tokens[at].fold, at + 1
    while at < len(tokens) and (tokens[at].fold.isdecimal() or tokens[at].fold == "/"):
        bar = tokens[at].fold == "/" and at + 1 < len(tokens) and tokens[at].gap == tokens[at + 1].gap == ""
        if not (bar and tokens[at + 1].fold.isdecimal()) and not (tokens[at].gap in (",", ".", ":") and tokens[at].fold != "/"):
            break
        figures += f"/{tokens[at + 1].fold}" if bar else f"{tokens[at].gap}{tokens[at].fold}"
        at += 1 + bar
    following = tokens[at] if at < len(tokens) else None
    if following is None:
        return _Side(figures, at, sure or _is_clock(figures))
    glued, word = following.gap == "", following.fold
    half = word in ("am", "pm") or (word in _HALVES and at + 1 < len(tokens) and tokens[at + 1].fold == "m")
    unit = glued and word in _UNITS
    sure = sure or half or word in _SURE or _is_clock(figures)
    if following.gap == "-" and word.isdecimal():
        return None
    if (glued and not (sure or unit or word == "/-")) or (following.gap == "." and not half):
        return None
    return _Side(figures, at, sure, unit, half)


def _is_clock(figures: str) -> bool:
    return re.fullmatch(r"\d{1,2}:\d\d", figures) is not None


def _is_range(tokens: Sequence[Token], index: int, left: _Side, right: _Side, hyphen: bool) -> bool:
    """Whether the numbers on both sides are from one to the other."""
    bars = ["/" in side.figures for side in (left, right)]
    if any(bars):
        return all(bars)
    if right.figures.isdecimal() and int(right.figures) > 12 and (right.half or _part_of_day(tokens, right.after)):
        return False  # 6-35 pm is a time of its own
    if left.sure or right.sure:
        return True
    if any(re.search(r":|\..*\.", side.figures) for side in (left, right)):
        return False
    rising = left.value < right.value
    if not (left.plain and right.plain):
        return rising
    a, b = left.figures, right.figures
    if any(len(digits) > 1 and digits[0] == "0" for digits in (a, b)) or a == b or (a, b) == ("24", "7"):
        return False
    behind = _counts(tokens, right.after)
    if _labelled(tokens, index, but=_VERBS if behind else frozenset()):
        return False
    counted = behind or tokens[max(0, index - 2)].fold in COUNTED
    sizes = len(a), len(b)
    if sizes == (4, 2):
        return 1900 <= int(a) <= 2099 and int(b) == (int(a) + 1) % 100
    if sizes == (4, 4):
        years = 1900 <= int(a) < int(b) <= 2099
        return years or (rising and counted and not hyphen)
    if max(sizes) <= 2:
        return True
    if max(sizes) <= 3:
        return rising and (counted or not hyphen)
    return rising and counted and not hyphen and max(sizes) <= 4


def _part_of_day(tokens: Sequence[Token], at: int) -> bool:
    """ "in the evening" at a token."""
    words = [token.fold for token in tokens[at : at + 3]]
    return words[:1] == ["in"] and words[-1] in ("morning", "afternoon", "evening")


def _labelled(tokens: Sequence[Token], index: int, but: Set[str]) -> bool:
    """Whether the figures on the left are said to be an id: "my code is 12-15"; words of `but` say nothing."""
    at = index - 2
    while at >= max(0, index - 5) and tokens[at].fold in FUNCTION_WORDS:
        at -= 1
    return at >= 0 and tokens[at].fold in LABELS - but


def _counts(tokens: Sequence[Token], at: int) -> bool:
    """Whether something that can be counted stands at a token."""
    if at >= len(tokens) or tokens[at].gap.strip(" -"):
        return False
    word = tokens[at].fold
    return word == "%" or (word.isalpha() and len(word) > 1 and word not in FUNCTION_WORDS)


def _to(tokens: Sequence[Token], left: _Side, right: _Side, dated: bool) -> str:
    """ "to", or another word where "ten to eleven" would be heard as ten minutes before eleven."""
    hours = left.plain and not dated and int(left.figures) % 5 == 0 and 0 < int(left.figures) < 60
    if not hours or not right.figures.isdecimal() or not 1 <= int(right.figures) <= 12 or right.unit:
        return "to"
    if right.half:
        return "until"
    return "to" if right.sure or _counts(tokens, right.after) else "through"
