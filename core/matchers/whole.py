"""Whole words: whether a phrase ends where a reader sees a word end, in every script.

In scripts without spaces each character ends where the next begins; vowel signs and other marks belong to the letter before them.
A number that goes on after a point, comma or colon is another number.
"""

from __future__ import annotations

import re

from core.text import words

_JOINERS = "\u200c\u200d"
_NUMBER_BEFORE, _NUMBER_BEHIND = re.compile(r"\d[.,:]"), re.compile(r"[.,:]\d")


def has_words(text: str, phrase: str) -> bool:
    """Whether `phrase` stands in `text`, character by character, as whole words; never where it is empty."""
    start = text.find(phrase) if phrase else -1
    while start >= 0:
        if is_whole(text, start, start + len(phrase)):
            return True
        start = text.find(phrase, start + 1)
    return False


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether a word or number ends on both sides of `text[start:end]`, which is not empty."""
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    goes_on = (text[start].isdecimal() and _NUMBER_BEFORE.fullmatch(before)) or (
        text[end - 1].isdecimal() and _NUMBER_BEHIND.fullmatch(behind)
    )
    return not goes_on and _parted(text, start, before=True) and _parted(text, end, before=False)


def _parted(text: str, at: int, *, before: bool) -> bool:
    """Whether a word ends at a place; `before` tells on which side of it the text beyond the phrase is."""
    pair = text[:at].rstrip(_JOINERS)[-1:] + text[at:].lstrip(_JOINERS)[:1]
    if len(pair) < 2:
        return True
    pair = pair.replace("_", "a")
    beyond = pair[0] if before else pair[1]
    return not words(beyond) or len(words(pair)) == 2 or len(words(beyond * 2)) == 2
