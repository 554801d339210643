"""What became of each word of a turn: drops, doubles, substitutions and insertions, each with the class of word it befell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from core.hearing import alignment
from core.schemas.calibration import ErrorKind, WordClass
from core.spoken import Unit
from core.text import normalised_units, normaliser_of

FUNCTION_WORDS = {
    "en": frozenset(
        "a an the and or but if so as at by for from in into of off on onto out over than that then there this these those to"
        " under until up with without i me my mine you your yours he him his she her hers it its we us our ours they them their"
        " am is are was were be been being do does did have has had will would shall should can could may might must not no"
        " what which who when where why how".split()
    ),
    "hi": frozenset(
        "का की के को से में पर और या कि तो भी ही है हैं था थी थे हूँ हूं हो मैं मुझे मेरा मेरी मेरे आप आपका आपकी आपके यह ये वह वे इस उस इसे उसे ने तक".split()
    ),
}
"""Words that only join others, by primary language: closed classes (articles, pronouns, prepositions, auxiliaries)."""


@dataclass(frozen=True)
class WordError:
    """One stretch of words that was heard otherwise, all of one kind."""

    kind: ErrorKind
    """What became of them."""
    said: tuple[Unit, ...]
    """The words, with their places in what was said; of doubles and insertions, none."""
    heard: tuple[Unit, ...]
    """What was heard, with its places in the transcript."""

    @property
    def befallen(self) -> tuple[Unit, ...]:
        """The words whose class counts."""
        return self.said or self.heard


class Classes:
    """Tells the class of a word, for one language and the names a caller knows."""

    def __init__(self, language: str, names: tuple[str, ...] = ()) -> None:
        self._normaliser = normaliser_of(language)
        self._function = FUNCTION_WORDS.get(language.split("-")[0], frozenset())
        self._names = {unit.text for name in names for unit in normalised_units(name, self._normaliser)}

    def of(self, word: Unit) -> WordClass:
        """The class of a normalised word."""
        if any(char.isdecimal() for char in word.text):
            return WordClass.DIGIT
        if word.text in self._names:
            return WordClass.NAME
        if word.text in self._function:
            return WordClass.FUNCTION
        return WordClass.LETTER if len(word.text) == 1 and word.text.isascii() else WordClass.OTHER

    def count(self, said: str) -> Counter[WordClass]:
        """Words of each class in a text."""
        return Counter(self.of(unit) for unit in normalised_units(said, self._normaliser))

    def texts(self, said: str) -> list[str]:
        """The normalised words of a text."""
        return [unit.text for unit in normalised_units(said, self._normaliser)]


def errors_of(said: str, heard: str, language: str) -> Iterator[WordError]:
    """Every stretch that was heard otherwise, in order; an inserted stretch that repeats a neighbour is a double."""
    normaliser = normaliser_of(language)
    meant, arrived = normalised_units(said, normaliser), normalised_units(heard, normaliser)
    at = there = 0
    for step in alignment(said, heard, normaliser):
        words = tuple(meant[at : at + len(step.reference)])
        instead = tuple(arrived[there : there + len(step.heard)])
        if step.operation == "substitute":
            yield WordError(ErrorKind.SUBSTITUTE, words, instead)
        elif step.operation == "delete":
            yield WordError(ErrorKind.DROP, words, ())
        elif step.operation == "insert":
            before, after = (meant[max(0, at - len(instead)) : at], meant[at : at + len(instead)])
            twice = step.heard in (tuple(unit.text for unit in before), tuple(unit.text for unit in after))
            yield WordError(ErrorKind.DOUBLE if twice else ErrorKind.INSERT, (), instead)
        at, there = at + len(words), there + len(instead)
