"""A text cut into tokens and numerals once, shared by every reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from core.spoken.english.numerals import Chunk, find_chunks
from core.spoken.folding import Token, tokenise

FUNCTION_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before but by can could did do does each either else
    for from get give had has have he her here hers him his how i if in into is it its just let like may me might mine my no
    none nor not now of off ok okay on only onto or our ours out over per please right she should since so some sorry than
    thank thanks that the their them then there these they this those to too under until up us very was we well were what
    when where which while who whom whose why will with would yes yeah you your yours i'm i've i'd i'll it's that's there's
    we're we've you're don't isn't wasn't can't""".split()
)
"""Words that never are a counted thing, part of a name or of an address."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text, its tokens and its numerals; `at` finds the numeral that starts at a token, `ending` the one that ends before it."""

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

    def glued(self, index: int) -> bool:
        """Whether nothing stands between this token and the one before it."""
        return 0 < index < len(self.tokens) and self.tokens[index].gap == ""

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Offsets in the text of the tokens `first` to `last` (exclusive)."""
        return self.tokens[first].start, self.tokens[last - 1].end


@lru_cache(maxsize=1024)
def parse(text: str) -> Sentence:
    """Cut `text`; the same text is cut once."""
    tokens = tuple(tokenise(text))
    chunks = tuple(find_chunks(tokens))
    return Sentence(text, tokens, chunks, {c.first: c for c in chunks}, {c.last: c for c in chunks})


@dataclass(frozen=True, slots=True)
class Claim:
    """Tokens `first` to `last` (exclusive) that a reader understood as one value, in a form nobody says otherwise."""

    first: int
    last: int


def is_content(sentence: Sentence, index: int) -> bool:
    """Whether a word that can be counted follows directly ("nights" in "30 nights")."""
    return (
        index < len(sentence.tokens)
        and sentence.gap(index) == ""
        and sentence.fold(index).isalpha()
        and len(sentence.fold(index)) > 1
        and sentence.fold(index) not in FUNCTION_WORDS
    )


Finder = Callable[[Sentence], list[Claim]]
