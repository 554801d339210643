"""A text cut into tokens and numerals once, shared by every reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.spoken.english.function_words import FUNCTION_WORDS
from core.spoken.english.numerals import Chunk, find_chunks
from core.spoken.english.tokens import is_sign, tokens_of
from core.spoken.folding import Token

_PRONOUN_ONE = frozenset({"this", "that", "the", "which", "another", "any", "no", "every", "each", "only", "some"})
RANGE_WORDS = frozenset({"to", "through", "until"})
"""What stands between the ends of a range."""
_AFTER_PRONOUN = frozenset("moment second sec minute thing of more".split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text, its tokens and its numerals; `at` finds the numeral starting at a token, `ending` the one ending before it."""

    text: str
    tokens: tuple[Token, ...]
    chunks: tuple[Chunk, ...]
    at: dict[int, Chunk]
    ending: dict[int, Chunk]

    def fold(self, index: int) -> str:
        """The folded token, empty beyond either end."""
        return self.tokens[index].fold if 0 <= index < len(self.tokens) else ""

    def gap(self, index: int) -> str:
        """What stands before the token, stripped; a full stop beyond the end."""
        return self.tokens[index].gap.strip() if 0 <= index < len(self.tokens) else "."

    def has(self, index: int, words: Sequence[str]) -> bool:
        """Whether the folded words stand at token `index` with nothing but spaces or hyphens between them."""
        if index + len(words) > len(self.tokens):
            return False
        tokens = self.tokens[index : index + len(words)]
        return all(token.fold == word for token, word in zip(tokens, words, strict=True)) and all(
            token.gap.strip() in ("", "-") for token in tokens[1:]
        )

    def glued(self, index: int) -> bool:
        """Whether nothing stands between this token and the one before it."""
        return 0 < index < len(self.tokens) and self.tokens[index].gap == ""

    def sign(self, index: int) -> str:
        """The word that a sign at this token is said as, "" where a word or figures stand."""
        token = self.tokens[index] if 0 <= index < len(self.tokens) else None
        return token.fold if token is not None and is_sign(token) else ""

    def ranged(self, index: int) -> bool:
        """Whether a dash that means "to" stands at this token."""
        return self.sign(index) in RANGE_WORDS

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Offsets in the text of the tokens `first` to `last` (exclusive)."""
        return self.tokens[first].start, self.tokens[last - 1].end


@lru_cache(maxsize=1024)
def parse(text: str) -> Sentence:
    """Cut `text`; the same text is cut once."""
    tokens = tuple(tokens_of(text))
    chunks = tuple(find_chunks(tokens))
    return Sentence(text, tokens, chunks, {c.first: c for c in chunks}, {c.last: c for c in chunks})


def is_content(sentence: Sentence, index: int) -> bool:
    """Whether something that can be counted follows directly: "nights" in "30 nights", "%" in "30%"."""
    word = sentence.fold(index)
    if sentence.gap(index) != "":
        return False
    return word == "%" or (word.isalpha() and len(word) > 1 and word not in FUNCTION_WORDS)


def is_pronoun(sentence: Sentence, chunk: Chunk) -> bool:
    """Whether "one" is no number: "this one", "one moment"."""
    if sentence.fold(chunk.first) != "one" or chunk.last != chunk.first + 1:
        return False
    return sentence.fold(chunk.first - 1) in _PRONOUN_ONE or sentence.fold(chunk.last) in _AFTER_PRONOUN
