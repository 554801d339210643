"""Folding: NFKC and casefold a text without losing where each character came from, and cut it into tokens.

Everything that compares words works on folded text and reports offsets in the original, also where folding changes lengths
("ß" becomes "ss", "①" becomes "1", a letter and its combining accent become one character).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad", "-"),
        **dict.fromkeys("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff", " "),
        "\u201c": '"',
        "\u201d": '"',
    }
)
"""Typographic variants of one sign, each mapped to a single character so that offsets hold; direction marks become spaces."""

_BAR = "\u2044"
"""The bar of a fraction in one character."""

TOKEN = re.compile(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)*|[$£€₹@%_+#&/]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and, per folded character, the half-open range of the original it came from (None: one to one)."""

    text: str
    ranges: tuple[tuple[int, int], ...] | None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original text behind the folded characters `start` to `end` (at least one character)."""
        if self.ranges is None:
            return start, end
        return self.ranges[start][0], self.ranges[end - 1][1]


@dataclass(frozen=True, slots=True)
class Token:
    """A run of digits, a word or a sign. `fold` is folded, `text` as written; `gap` is what stands before it, folded."""

    fold: str
    text: str
    start: int
    end: int
    gap: str


def fold(text: str, parted: bool = False) -> Folded:
    """NFKC and casefold `text`; decimal digits of any script become 0-9, curly quotes and dashes their plain forms.

    `parted` sets a fraction in one character off from the figures beside it, so that 1½ is not 11⁄2, and puts ^ before an
    exponent, so that 5³ is not 53.
    """
    text = text.translate(_ALIKE)
    if text.isascii():
        return Folded(text.lower(), None)
    out: list[str] = []
    ranges: list[tuple[int, int]] = []
    position, length = 0, len(text)
    while position < length:
        end = position + 1
        while end < length and unicodedata.category(text[end])[0] == "M":
            end += 1
        piece = _plain_digits(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text[position:end]).casefold()))
        if parted and _is_raised(text[position]):
            before = text[position - 1 : position]
            piece = text[position] if not _counts(before) else piece if _is_raised(before) else f"^{piece}"
        if parted and len(piece) > 1 and _BAR in piece:
            piece = f" {piece} " if text[end : end + 1].isdecimal() else f" {piece}"
        out.append(piece)
        ranges.extend([(position, end)] * len(piece))
        position = end
    return Folded("".join(out), tuple(ranges))


def _is_raised(char: str) -> bool:
    """Whether a character is a raised figure."""
    return char.isdigit() and unicodedata.decomposition(char).startswith("<super>")


def _counts(char: str) -> bool:
    """Whether an exponent may stand behind a character: behind a figure. A raised figure elsewhere stays what it is."""
    return char.isdecimal() or _is_raised(char)


def _plain_digits(piece: str) -> str:
    if piece.isascii():
        return piece
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in piece)


def tokenise(text: str) -> list[Token]:
    """Cut `text` into tokens with offsets in `text` itself."""
    folded = fold(text)
    tokens: list[Token] = []
    previous = 0
    for match in TOKEN.finditer(folded.text):
        start, end = folded.original(match.start(), match.end())
        tokens.append(Token(match.group(), text[start:end], start, end, folded.text[previous : match.start()]))
        previous = match.end()
    return tokens
