"""Ordinals: "पाँचवीं", "5वीं" and "१ला" in Hindi and Marathi, "১ম" and "২১শে" in Bengali, "10ஆம்" in Tamil.

Few numbers have an ordinal that is a word of its own; what is written behind their figures is the tail of that word (পঞ্চম, ৫ম).
All others take an ending, before which some languages change the number: மூன்று, மூன்றாவது.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.spoken.indic.folded import folded
from core.spoken.indic.table import Ordinals, Words

_YEARS = range(1900, 2100)
"""Figures that are no ordinal whatever stands behind them: "2026મા" is miswritten "in 2026"."""

_LONGEST = 9
"""Figures of an ordinal."""

Changes = tuple[tuple[str, str], ...]
"""Ends of words and what they become, longest first."""


@dataclass(frozen=True, slots=True)
class OrdinalWords:
    """The ordinals of a language, folded for look-up, and how they are said."""

    endings: Mapping[str, str]
    """What is written behind figures to the ending it stands for; endings are folded."""
    tails: Mapping[tuple[int, str], str]
    """The same for a number whose ordinal is a word of its own."""
    words: Mapping[str, tuple[int, str]]
    """Ordinals that are words of their own: number and ending."""
    stems: Changes
    said: Mapping[str, str]
    """A folded ending to the ending as it is said."""
    cases: frozenset[str]
    """Folded cases that are written onto the same stem."""
    says: Mapping[tuple[int, str], str]
    """Number and folded ending to the word of its own that is said."""

    def ending(self, digits: str, written: str) -> str:
        """The ending that a folded word right behind figures stands for, "" where it makes no ordinal of them."""
        number = int(digits) if len(digits) <= _LONGEST and digits[0] != "0" else 0
        if not number or number in _YEARS:
            return ""
        return self.tails.get((number, written)) or self.endings.get(written, "")

    def parted(self, word: str, numerals: Mapping[str, object]) -> tuple[str, str, int] | None:
        """The numeral in a folded ordinal or case, the ending, and the length of the stem; None for any other word."""
        for written, ending in (*self.endings.items(), *zip(self.cases, self.cases, strict=True)):
            stem = word.removesuffix(written)
            if stem == word:
                continue
            numeral = next((numeral for numeral in self._unchanged(stem) if numeral in numerals), "")
            if numeral:
                return numeral, ending, len(stem)
        return None

    def say(self, number: int, cardinal: str, ending: str) -> str:
        """A number, given in words, with a folded ending."""
        return self.says.get((number, ending)) or changed(cardinal, self.stems) + self.said[ending]

    def with_case(self, words: str, case: str) -> str:
        """Words that end in a number with a case written onto it; "" where the number does not change before one."""
        stem = changed(words, self.stems)
        return stem + case if stem != words else ""

    def _unchanged(self, stem: str) -> Iterator[str]:
        for old, new in self.stems:
            if stem.endswith(new):
                numeral = stem[: len(stem) - len(new)] + old
                if changed(numeral, self.stems) == stem:
                    yield numeral
        if changed(stem, self.stems) == stem:
            yield stem


def changed(words: str, changes: Changes) -> str:
    """Words with the longest of the ends that they have replaced."""
    return next((words[: len(words) - len(old)] + new for old, new in changes if words.endswith(old)), words)


def longest_first(changes: Mapping[str, str]) -> Changes:
    """Changes in the order in which they are tried."""
    return tuple(sorted(changes.items(), key=lambda change: -len(change[0])))


def make_ordinals(ordinals: Ordinals, cases: Words) -> OrdinalWords:
    """The ordinals of a language from its table."""
    never = {folded(word) for word in ordinals.never}
    own = [(number, ending, words) for number, by_ending in ordinals.words.items() for ending, words in by_ending.items()]
    written = {folded(form): folded(ending) for ending, forms in ordinals.endings.items() for form in (ending, *forms)}
    return OrdinalWords(
        endings=dict(sorted(written.items(), key=lambda item: -len(item[0]))),
        tails={
            (number, tail): folded(ending)
            for number, ending, words in own
            for tail in _tails(words)
            if tail not in never and tail not in written
        },
        words={folded(word): (number, folded(ending)) for number, ending, words in own for word in words},
        stems=longest_first({folded(old): folded(new) for old, new in ordinals.stems.items()}),
        cases=frozenset(map(folded, cases)),
        said={folded(ending): ending for ending in ordinals.endings},
        says={(number, folded(ending)): words[0] for number, ending, words in own},
    )


def _tails(words: Words) -> Iterator[str]:
    """Every end of the words that begins with a letter."""
    for word in map(folded, words):
        yield from (word[at:] for at in range(1, len(word)) if unicodedata.category(word[at])[0] == "L")
