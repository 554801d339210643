"""Bars between two figures in English: fractions ("2/3 cup"), shares of a count ("4/5 stars"), rates ("$5/month").

A bar of anything that could be a date or an id stays a mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.spoken.days import day_of
from core.spoken.english.dashes import LABELS
from core.spoken.english.function_words import FUNCTION_WORDS
from core.spoken.folding import Token

FRACTION = "\u2044"
"""The fold of a bar that makes a fraction of the figures around it."""
_MEASURED = frozenset(
    """cup cups inch inches mile miles hour hours teaspoon teaspoons tsp tablespoon tablespoons tbsp pound pounds lb lbs oz
    ounce ounces gallon gallons pint pints quart quarts liter liters litre litres kilo kilos kg km meter meters metre metres
    yard yards foot feet acre acres majority share full price off mile size dozen day days year years page pages stick sticks
    tablet tablets pill pills dose doses slice slices bottle bottles portion portions vote ownership empty done bath baths
    bathroom bathrooms zip""".split()
)
"""Behind a fraction."""
_RATED = frozenset("stars star points people customers users patients calls cases times questions attempts".split())
"""Behind so many out of so many."""
_RATES = frozenset("month week day year hour night person minute mile user item kg lb km piece head unit visit gallon".split())


def with_bars(tokens: list[Token]) -> list[Token]:
    """The tokens with every bar that is sure folded into what it means."""
    if not any(token.fold in ("/", FRACTION) for token in tokens):
        return tokens
    found: list[Token] = []
    for index, token in enumerate(tokens):
        words = _words(tokens, index) if token.fold == "/" else ()
        found += [Token(word, token.text, token.start, token.end, " " if word.isalpha() else token.gap) for word in words or ()]
        if not words:
            found.append(replace(token, gap=" ") if _after_word(found) else token)
    return found


def _after_word(found: Sequence[Token]) -> bool:
    """Whether a bar that became a word was just written."""
    return bool(found) and found[-1].text == "/" and found[-1].fold.isalpha()


def _words(tokens: Sequence[Token], index: int) -> tuple[str, ...]:
    """What a bar is said as, none where it stays a mark."""
    if not 0 < index < len(tokens) - 1 or tokens[index].gap or tokens[index + 1].gap:
        return ()
    above, below = tokens[index - 1].fold, tokens[index + 1].fold
    if below in _RATES and _is_rated(tokens, index - 1):
        return ("per",)
    if not (above.isdecimal() and below.isdecimal()) or not _stands_alone(tokens, index):
        return ()
    numerator, denominator = int(above), int(below)
    if denominator < 2 or above == below or (numerator, denominator) == (24, 7):
        return ()
    following = tokens[index + 2] if index + 2 < len(tokens) else None
    behind = following.fold if following is not None and following.gap.strip(" -") == "" else ""
    if behind in _RATED and numerator <= denominator:
        return ("out", "of")
    mixed = index > 1 and tokens[index - 2].fold.isdecimal() and tokens[index - 1].gap == " "
    part = numerator < denominator <= 16
    if behind in _MEASURED or (part and (mixed or behind == "of")):
        return (FRACTION,)
    if any(day_of(2000, month, day) for month, day in ((numerator, denominator), (denominator, numerator))):
        return ()
    return (FRACTION,) if numerator < denominator <= 20 else ("over",)


def _is_rated(tokens: Sequence[Token], at: int) -> bool:
    """Whether an amount, a number or a unit behind one ends with a token."""
    number = tokens[at].fold.isdecimal() or (at > 0 and tokens[at - 1].fold.isdecimal())
    return number and (tokens[at].fold.isdecimal() or tokens[at].fold.isalpha())


def _stands_alone(tokens: Sequence[Token], index: int) -> bool:
    """Whether two figures around a bar are no part of anything longer, and no id."""
    first, after = tokens[index - 1], tokens[index + 2] if index + 2 < len(tokens) else None
    if any(len(tokens[at].fold) > 3 or tokens[at].fold[0] == "0" for at in (index - 1, index + 1)):
        return False
    joined = index > 1 and first.gap in ("", "-", ".", ",", ":")
    goes_on = after is not None and (after.gap == "" or (after.gap in (".", ",", ":", "-") and after.fold.isdecimal()))
    at = index - 2
    while at >= max(0, index - 5) and tokens[at].fold in FUNCTION_WORDS:
        at -= 1
    labelled = at >= 0 and tokens[at].fold in LABELS
    return not (joined or goes_on or labelled)
