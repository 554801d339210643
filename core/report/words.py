"""Where what was heard differs from what was said, word by word, as a reader sees it in the original spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from core.spoken.kinds import Unit

Mark = Literal["same", "changed", "lost", "added"]
"""`changed` stands on both sides, `lost` only where it was said, `added` only where it was heard."""

Units = Callable[[str], Sequence[Unit]]
"""Cuts a text into compared units; two texts agree where their units do, however they are spelled."""


@dataclass(frozen=True)
class Piece:
    """A run of text with one mark."""

    text: str
    mark: Mark


@dataclass(frozen=True)
class Marked:
    """Both sides of one caller turn; the pieces of each text join to exactly that text."""

    said: tuple[Piece, ...]
    heard: tuple[tuple[Piece, ...], ...]

    @property
    def differs(self) -> bool:
        """Whether any unit was changed, lost or added."""
        return any(piece.mark != "same" for pieces in (self.said, *self.heard) for piece in pieces)


def plain_units(text: str) -> list[Unit]:
    """Words without case and punctuation: the comparison for a language that has no normaliser."""
    found = re.finditer(r"[^\W_]+(?:['’][^\W_]+)*", text)
    return [Unit(match.group().casefold(), match.start(), match.end()) for match in found]


def compare_words(said: str, heard: Sequence[str], units: Units = plain_units) -> Marked:
    """Align the words said with the fragments heard, in order, and mark both sides."""
    said_units = list(units(said))
    placed = [(number, unit) for number, text in enumerate(heard) for unit in units(text)]
    said_marks: list[Mark] = ["same"] * len(said_units)
    heard_marks: list[Mark] = ["same"] * len(placed)
    matcher = SequenceMatcher(None, [unit.text for unit in said_units], [unit.text for _, unit in placed], autojunk=False)
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        if tag == "equal":
            continue
        said_marks[a_from:a_to] = ["lost" if tag == "delete" else "changed"] * (a_to - a_from)
        heard_marks[b_from:b_to] = ["added" if tag == "insert" else "changed"] * (b_to - b_from)
    fragments = []
    for number, text in enumerate(heard):
        pairs = [(unit, mark) for (where, unit), mark in zip(placed, heard_marks, strict=True) if where == number]
        fragments.append(_pieces(text, pairs))
    return Marked(_pieces(said, list(zip(said_units, said_marks, strict=True))), tuple(fragments))


def _pieces(text: str, units: Sequence[tuple[Unit, Mark]]) -> tuple[Piece, ...]:
    """The whole text cut where the mark changes; what stands between two units of one mark goes with them."""
    pieces: list[Piece] = []
    position = 0
    index = 0
    while index < len(units):
        mark = units[index][1]
        last = index
        while last + 1 < len(units) and units[last + 1][1] == mark:
            last += 1
        if mark != "same":
            start, end = max(position, units[index][0].start), units[last][0].end
            if start > position:
                pieces.append(Piece(text[position:start], "same"))
            if end > start:
                pieces.append(Piece(text[start:end], mark))
            position = max(position, end)
        index = last + 1
    if position < len(text):
        pieces.append(Piece(text[position:], "same"))
    return tuple(pieces)
