"""A Chinese text made plain: folded, in simplified characters, with every place traceable to the text that was given.

Traditional characters are folded one by one, so that what a character becomes never depends on its neighbours.
"""

from __future__ import annotations

import importlib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.spoken.chinese.dashes import with_words
from core.spoken.folding import Folded, fold

PAUSES = " \t\n,.、;!?。-"
"""What may stand between the groups of an id."""
_ALIKE = str.maketrans("〇○帐", "零零账")
"""Characters written for one another: two forms of zero, and 帐单 for 账单."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and its plain form; spans are offsets in the plain form. A dash that is a word is that word in the plain form."""

    text: str
    folded: Folded
    plain: str

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the text behind the plain characters `start` to `end`."""
        return self.folded.original(start, end)

    def written(self, start: int, end: int) -> str:
        """The text as written behind the plain characters `start` to `end`."""
        first, last = self.original(start, end)
        return self.text[first:last]


@lru_cache(maxsize=1024)
def passage_of(text: str) -> Passage:
    """Fold `text`; the same text is folded once."""
    folded = fold(text, parted=True)
    return Passage(text, folded, with_words(text, folded, simplified(folded.text).translate(_ALIKE)))


def simplified(text: str) -> str:
    """Traditional characters as simplified ones, as many as before."""
    return text if text.isascii() else "".join(_simple(char) for char in text)


@lru_cache(maxsize=16384)
def _simple(char: str) -> str:
    if not is_hanzi(char):
        return char
    result = str(_converter().convert(char))
    return result if len(result) == 1 else char


@lru_cache(maxsize=1)
def _converter() -> Any:
    return importlib.import_module("opencc").OpenCC("t2s")


def is_hanzi(char: str) -> bool:
    """Whether a character is a Chinese one ("" is not)."""
    return char != "" and not char.isascii() and unicodedata.name(char, "").startswith("CJK UNIFIED")


def masked(plain: str, start: int, end: int) -> str:
    """`plain` with a span made unreadable, so that nothing else is read out of it."""
    return plain[:start] + "\0" * (end - start) + plain[end:]
