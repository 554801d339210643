"""Words and their stems, by which the offline parties recognise what a question or a tool is about."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'"})
_ENDINGS = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "er",
    "eds",
    "ed",
    "es",
    "s",
    "al",
    "ly",
    "e",
    "y",
)
STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before but by can could did do does else for from
    get give go had has have he hello her here hi him his how i i'd i'll i'm i've if in into is it it's its just let like may
    me might mine more my need no not now of off oh ok okay on one only or our out over please say she should so some sorry
    speak tell than thank thanks that that's the their them then there these they this those to today too up us use very want was
    we well were what what's when where which while who whom why will with would yes you you'd you're your yours""".split()
)
"""Words that say nothing about the matter."""


def words(text: str) -> list[str]:
    """The words and numbers of a text, casefolded, in order."""
    return _WORD.findall(text.translate(_APOSTROPHES).casefold())


def has_phrase(text: str, phrase: str) -> bool:
    """Whether the phrase occurs as whole words, whatever stands between them but words."""
    return f" {' '.join(words(phrase))} " in f" {' '.join(words(text))} "


def has_any(text: str, phrases: tuple[str, ...]) -> bool:
    """Whether any of the phrases occurs."""
    joined = f" {' '.join(words(text))} "
    return any(f" {phrase} " in joined for phrase in phrases)


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its common English ending: "booking", "booked" and "book" meet; never below three letters."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]
    return word


def stems(text: str) -> frozenset[str]:
    """Stems of the words that say something about the matter; `snake_case` names are read as words."""
    return frozenset(stem(word) for word in words(text.replace("_", " ")) if word not in STOP_WORDS)


def overlap(one: str, other: str) -> int:
    """How many stems two texts share."""
    return len(stems(one) & stems(other))


def humanised(name: str) -> str:
    """A `snake_case` or `camelCase` name as words; a number at its end, which only tells names apart, is left out."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").casefold()
    return re.sub(r"\s+", " ", re.sub(r"\b\d+\b", " ", spaced)).strip()
