"""Folding for the scripts of India: what readers take for one spelling becomes one, and every offset stays known.

Beyond NFKC, case and digits of any script: joiners fall away; a nukta counts only where it makes another sound (ड and ड़, not
ज and ज़); candrabindu is anusvara in Devanagari and Gujarati; a nasal before a stop of its own place is anusvara (हिन्दी, हिंदी).
Vowel signs and viramas stay: they are half of what a word is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from core.spoken.folding import Folded, Token
from core.spoken.folding import fold as fold_plainly

_FIRST, _LAST = 0x0900, 0x0D7F
"""The nine Indic blocks from Devanagari to Malayalam, 128 code points each, laid out alike."""
_JOINERS = "\u200b\u200c\u200d"
_NUKTA = "\u093c"
_SPELLINGS = str.maketrans({"\u0901": "\u0902", "\u0a81": "\u0a82", "ऱ": "र", "ऩ": "न", "\u0abc": None, "\u0cbc": None})
_BARE = re.compile(f"([कखगजफय]){_NUKTA}")
"""Letters whose nukta writers of Hindi and Marathi leave out at will."""
_VIRAMA, _ANUSVARA = 0x4D, 0x02
_STOPS = {
    0x19: range(0x15, 0x19),
    0x1E: range(0x1A, 0x1E),
    0x23: range(0x1F, 0x23),
    0x28: range(0x24, 0x28),
    0x2E: range(0x2A, 0x2E),
}
"""Each nasal and the stops said in the same place, as offsets in their block."""
_ANUSVARA_BLOCKS = frozenset({0x0900, 0x0A80, 0x0C00, 0x0C80})
"""Devanagari, Gujarati, Telugu, Kannada: where half nasals are also written as anusvara."""
_INDIC = "\u0900-\u0963\u0971-\u0dff"
FRACTIONS = ("½", "¼", "¾")
"""Signs of a half, a quarter and three quarters, which numbers may end in."""
_HELD = {ord(sign): 0xE000 + place for place, sign in enumerate((*FRACTIONS, *"⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⁰¹²³⁴⁵⁶⁷⁸⁹"))}
"""Signs that NFKC would write as numbers, so that 1½ were 11/2 and 5³ were 53: each is kept as a sign of its own."""
_FREED = {held: chr(sign) for sign, held in _HELD.items()}
_TOKEN = re.compile(
    rf"\d+|km/h(?![^\W\d_])|°(?:[cf](?![^\W\d_]))?|(?<=\d)/-(?![\w-])|(?<=\d)[*×÷](?=\d)|(?<=\d )[*×÷](?= \d)"
    rf"|(?<![-=])[<>~≈≤≥±](?= ?-?[$£€₹৳]?\d)"
    rf"|[{_INDIC}]+|(?:(?![{_INDIC}])[^\W\d_])+(?:'[^\W\d_{_INDIC}]+)*|[$£€₹¥¢\u20a0-\u20cf@%‰_+#&/{''.join(_FREED.values())}]"
)

Split = Callable[[str], tuple[tuple[int, str], ...]]
"""Where a word parts into a number and an ending: where each of them ends and how it is folded; nothing for a whole word."""


def fold(text: str) -> Folded:
    """`text` folded; each folded character keeps the range of the original that it came from."""
    plain = fold_plainly(text.translate(_HELD))
    if plain.text.isascii():
        return plain
    out: list[str] = []
    ranges: list[tuple[int, int]] = []
    for start, end in _clusters(plain.text):
        piece = _one_spelling(plain.text[start:end])
        following = plain.text[end:].lstrip(_JOINERS)[:1]
        piece = _nasal(piece, following) or piece
        out.append(piece)
        ranges.extend([plain.original(start, end)] * len(piece))
    return Folded("".join(out).translate(_FREED), tuple(ranges))


def folded(word: str) -> str:
    """A word of a table in the form in which texts are compared."""
    return fold(word).text


def tokenise(text: str, split: Split) -> list[Token]:
    """Cut `text` into figures, words of one script and signs; a word that `split` parts becomes tokens without a gap."""
    plain = fold(text)
    tokens: list[Token] = []
    previous = 0
    for match in _TOKEN.finditer(plain.text):
        start = match.start()
        for size, piece in split(match.group()) or ((len(match.group()), match.group()),):
            end = match.start() + size
            first, last = plain.original(start, end)
            tokens.append(Token(piece, text[first:last], first, last, plain.text[previous:start]))
            previous = start = end
    return tokens


def script_folded(text: str) -> str:
    """`text` with every Indic script written in Devanagari, character for character.

    For a character error rate that hears past the script a recogniser chose to write in: the blocks are laid out alike, so
    the same sound has the same place in each. Offsets hold.
    """
    return "".join(chr(_FIRST + (ord(char) & 0x7F)) if _FIRST <= ord(char) <= _LAST else char for char in text)


def _clusters(text: str) -> list[tuple[int, int]]:
    """Each character with the marks on it."""
    starts = [at for at, char in enumerate(text) if not at or unicodedata.category(char)[0] != "M"]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _one_spelling(piece: str) -> str:
    if piece in _JOINERS:
        return ""
    return _BARE.sub(r"\1", piece.translate(_SPELLINGS))


def _nasal(piece: str, following: str) -> str:
    """The anusvara that a half nasal before `following` stands for, "" where it stands for itself."""
    if len(piece) != 2 or not following:
        return ""
    block, nasal = ord(piece[0]) & ~0x7F, ord(piece[0]) & 0x7F
    if block not in _ANUSVARA_BLOCKS or ord(piece[1]) != block + _VIRAMA or nasal not in _STOPS:
        return ""
    return chr(block + _ANUSVARA) if ord(following) - block in _STOPS[nasal] else ""
