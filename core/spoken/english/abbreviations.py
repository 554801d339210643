"""Abbreviations in English that beside a number or a name can mean only one thing: "No. 5", "10 kg", "12 Main St", "Dr. Lee"."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from core.spoken.english.dashes import LABELS
from core.spoken.english.sentence import Sentence, is_content

_UNITS = {
    "kg": "kilogram", "km": "kilometer", "cm": "centimeter", "mm": "millimeter", "mg": "milligram", "ml": "milliliter",
    "ft": "foot", "oz": "ounce", "lb": "pound", "lbs": "pound", "hr": "hour", "hrs": "hour", "min": "minute", "mins": "minute",
    "sec": "second", "secs": "second", "yr": "year", "yrs": "year",
}  # fmt: skip
"""Behind a number, by what one of them is called. Single letters mean too many things (5G, 5m)."""
_RATES = {"mph": "miles per hour", "kph": "kilometers per hour", "kmh": "kilometers per hour"}
_BEFORE_NUMBER = {"ext": "extension", "apt": "apartment", "nos": "numbers"}
_STREETS = {"st": "street", "rd": "road", "ave": "avenue", "blvd": "boulevard", "ln": "lane", "dr": "drive"}
_NUMBERED = LABELS | frozenset("house registration serial plot gate platform train bus bed ward".split())
"""Before "no. 5" in small letters."""
_REACH = 4
"""How many tokens before a street its house number may stand."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """What an abbreviation stands for; `dotted` where a full stop behind it belongs to it and ends no sentence."""

    words: str
    dotted: bool


def expanded(sentence: Sentence, index: int) -> Expanded | None:
    """What the token stands for where that is sure, None for any other."""
    word = sentence.fold(index)
    if word in _UNITS or word in _RATES:
        return _unit(sentence, index)
    if word in _BEFORE_NUMBER or word == "no":
        return _before_number(sentence, index)
    if word in _STREETS and _is_street(sentence, index):
        return Expanded(_cased(_STREETS[word], sentence, index), _goes_on(sentence, index))
    named = word in ("dr", "st") and sentence.gap(index + 1) in ("", ".") and _capital(sentence, index + 1)
    if named and _capital(sentence, index):
        return Expanded("Doctor" if word == "dr" else "Saint", dotted=True)
    return None


def _unit(sentence: Sentence, index: int) -> Expanded | None:
    chunk, word = sentence.ending.get(index), sentence.fold(index)
    glued_on = sentence.glued(index + 1) and sentence.fold(index + 1).isalnum()
    if glued_on or sentence.tokens[index].text.isupper() or sentence.gap(index) not in ("", "-"):
        return None
    if chunk is None and sentence.sign(index - 1) == "per" and word in _UNITS:
        return Expanded(_UNITS[word], dotted=False)
    if chunk is None or chunk.ordinal:
        return None
    if word in _RATES:
        return Expanded(_RATES[word], _goes_on(sentence, index))
    one = chunk.value == Decimal(1) or sentence.gap(index) == "-"
    name = _UNITS[word]
    return Expanded(name if one else "feet" if name == "foot" else f"{name}s", _goes_on(sentence, index))


def _before_number(sentence: Sentence, index: int) -> Expanded | None:
    """ "ext. 21", "Apt. 4B", "No. 5", "house no. 12"; "no. 5 people came" is an answer."""
    word, chunk = sentence.fold(index), sentence.at.get(index + 1)
    if chunk is None or not chunk.literal or sentence.gap(index + 1) not in ("", "."):
        return None
    if word in ("no", "nos"):
        dotted = sentence.gap(index + 1) == "."
        labelled = sentence.fold(index - 1) in _NUMBERED and sentence.gap(index) == ""
        inside = index > 0 and sentence.gap(index) == "" and _capital(sentence, index)
        alone = _capital(sentence, index) and not is_content(sentence, chunk.last)
        if not dotted or not (labelled or inside or alone):
            return None
        words = "numbers" if word == "nos" else "number"
        return Expanded(_cased(words, sentence, index), dotted=True)
    return Expanded(_cased(_BEFORE_NUMBER[word], sentence, index), dotted=True)


def _is_street(sentence: Sentence, index: int) -> bool:
    """Whether the token ends the name of a street behind a house number: "12 Main St", "5th Ave"."""
    if not _capital(sentence, index) or sentence.gap(index) != "":
        return False
    if sentence.fold(index) == "dr" and sentence.gap(index + 1) in ("", ".") and _capital(sentence, index + 1):
        return False
    before = sentence.ending.get(index)
    if before is not None:
        return before.ordinal
    number = any(at in sentence.at for at in range(max(0, index - _REACH), index - 1))
    return number and _capital(sentence, index - 1) and len(sentence.fold(index - 1)) > 1


def _capital(sentence: Sentence, index: int) -> bool:
    token = sentence.tokens[index] if 0 <= index < len(sentence.tokens) else None
    return token is not None and token.text[:1].isupper() and token.fold.isalpha()


def _cased(words: str, sentence: Sentence, index: int) -> str:
    return words.capitalize() if _capital(sentence, index) else words


def _goes_on(sentence: Sentence, index: int) -> bool:
    """Whether the sentence goes on behind the token, so that a full stop there is none of the sentence."""
    following = sentence.tokens[index + 1] if index + 1 < len(sentence.tokens) else None
    return following is not None and (following.gap.startswith(".,") or not following.text[:1].isupper())
