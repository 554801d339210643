"""Where what was heard differs from what was said, as a reader sees it in the original spelling.

The marks come from the alignment that error rates are counted on, so a number written another way is no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from core.hearing import alignment
from core.spoken import Unit
from core.text import normalised_units

Mark = Literal["same", "changed", "lost", "added"]
"""`changed` stands on both sides, `lost` only where it was said, `added` only where it was heard."""


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


def compare_words(said: str, heard: Sequence[str], normaliser: str) -> Marked:
    """Align the words said with the fragments heard, in order, and mark both sides. Unknown normalisers raise UsageError."""
    joined = " ".join(heard)
    if joined == said:
        return Marked(_pieces(said, (), 0, len(said)), tuple(_pieces(text, (), 0, len(text)) for text in heard))
    said_marks: list[Mark] = []
    heard_marks: list[Mark] = []
    # Neighbouring edits are one to a reader: a name heard as two words is changed, not changed and then added to.
    for same, stretches in groupby(alignment(said, joined, normaliser), key=lambda stretch: stretch.operation == "equal"):
        run = list(stretches)
        before, after = sum(len(each.reference) for each in run), sum(len(each.heard) for each in run)
        both: Mark = "same" if same else "changed"
        said_marks += [both if after else "lost"] * before
        heard_marks += [both if before else "added"] * after
    heard_units = _settled(normalised_units(joined, normaliser), heard_marks)
    fragments = []
    start = 0
    for text in heard:
        fragments.append(_pieces(joined, heard_units, start, start + len(text)))
        start += len(text) + 1
    said_units = _settled(normalised_units(said, normaliser), said_marks)
    return Marked(_pieces(said, said_units, 0, len(said)), tuple(fragments))


def _settled(units: Sequence[Unit], marks: Sequence[Mark]) -> list[tuple[Unit, Mark]]:
    """Units with one mark per place: a number of several units, only some of which differ, is changed as a whole."""
    places: dict[tuple[int, int], set[Mark]] = {}
    for unit, mark in zip(units, marks, strict=True):
        places.setdefault((unit.start, unit.end), set()).add(mark)
    return [
        (unit, mark if len(places[unit.start, unit.end]) == 1 else "changed") for unit, mark in zip(units, marks, strict=True)
    ]


def _pieces(text: str, units: Sequence[tuple[Unit, Mark]], start: int, end: int) -> tuple[Piece, ...]:
    """`text[start:end]` cut where the mark changes; what stands between two units of one mark goes with them."""
    marks: list[Mark] = ["same"] * (end - start)
    before: Mark = "same"
    reached = start
    for unit, mark in units:
        if mark != "same":
            first = min(unit.start, reached) if before == mark else unit.start
            for place in range(max(first, start), min(unit.end, end)):
                marks[place - start] = mark
        before, reached = mark, max(reached, unit.end)
    pieces: list[Piece] = []
    for character, mark in zip(text[start:end], marks, strict=True):
        if pieces and pieces[-1].mark == mark:
            pieces[-1] = Piece(pieces[-1].text + character, mark)
        else:
            pieces.append(Piece(character, mark))
    return tuple(pieces)
