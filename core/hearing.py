"""What hearing cost: word and character errors, their alignment, and whether known values survived.

Errors are counted on normalised units (see `core.text`). An empty hypothesis deletes every unit of its reference; an empty
reference has no units, so its insertions are counted as they are and its own rate is their number. Rates of many turns are
pooled: summed edits over summed reference units, never a mean of rates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import jiwer

from core.spoken import Kind, Now, Unit, find_value, read
from core.text import normalised_units, normaliser_of

KNOWN_VALUES = "values-v2"
"""Goes up with any change of how known values are read, found or compared."""

Operation = Literal["equal", "substitute", "delete", "insert"]

_OPERATIONS: dict[str, Operation] = {"equal": "equal", "substitute": "substitute", "delete": "delete", "insert": "insert"}
_AS_IS = jiwer.Compose([jiwer.ReduceToListOfListOfWords()])


@dataclass(frozen=True, slots=True)
class WordErrors:
    """Edits that turn a reference into what was heard, in units (words or characters)."""

    substitutions: int
    deletions: int
    insertions: int
    reference_units: int

    @property
    def edits(self) -> int:
        """All edits together."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float:
        """Edits per reference unit, 0 or more (above 1 when more is inserted than was said); an empty reference counts as one."""
        return self.edits / max(1, self.reference_units)


@dataclass(frozen=True, slots=True)
class Aligned:
    """One stretch of an alignment: what was said and what was heard there, in normalised units."""

    operation: Operation
    reference: tuple[str, ...]
    heard: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A known fact that was said in one utterance: `said` is its span there, `heard` what stands in its place afterwards.

    `heard` is None when nothing does. It is found by alignment and only explains; `survived` alone is scored.
    """

    key: str
    kind: Kind
    said: str
    survived: bool
    heard: str | None


def word_errors(reference: str, heard: str, normaliser: str) -> WordErrors:
    """Word errors after normalising both sides alike."""
    return _errors(_texts(reference, normaliser), _texts(heard, normaliser))


def char_errors(reference: str, heard: str, normaliser: str) -> WordErrors:
    """Character errors after normalising both sides alike; spaces are not counted, so word division costs nothing."""
    return _errors(list("".join(_texts(reference, normaliser))), list("".join(_texts(heard, normaliser))))


def pool(errors: Iterable[WordErrors]) -> WordErrors:
    """Errors of many turns as one: every count summed."""
    listed = list(errors)
    return WordErrors(
        sum(item.substitutions for item in listed),
        sum(item.deletions for item in listed),
        sum(item.insertions for item in listed),
        sum(item.reference_units for item in listed),
    )


def alignment(reference: str, heard: str, normaliser: str) -> list[Aligned]:
    """How the two sides correspond, in order, for display."""
    said, hypothesis = _texts(reference, normaliser), _texts(heard, normaliser)
    return [
        Aligned(operation, tuple(said[said_from:said_to]), tuple(hypothesis[heard_from:heard_to]))
        for operation, said_from, said_to, heard_from, heard_to in _stretches(said, hypothesis)
    ]


def known_values(
    facts: Mapping[str, tuple[object, Kind]],
    intended: str,
    heard: str,
    *,
    language: str = "en",
    now: Now = None,
) -> list[KnownValue]:
    """Which facts the utterance `intended` carries, and whether each is still carried by `heard`; facts not said are left out.

    Raises InputError when a fact is no value of its kind.
    """
    found: list[KnownValue] = []
    for key, (value, kind) in facts.items():
        span = find_value(value, kind, intended, language=language, now=now)
        if span is None:
            continue
        place = find_value(value, kind, heard, language=language, now=now)
        survived = place is not None
        if place is None:
            place = _in_place_of(span, intended, heard, normaliser_of(language))
            place = None if place is None else _reading_over(place, heard, kind, language, now)
        text = None if place is None else heard[place[0] : place[1]]
        found.append(KnownValue(key, kind, intended[span[0] : span[1]], survived, text))
    return found


def _reading_over(place: tuple[int, int], heard: str, kind: Kind, language: str, now: Now) -> tuple[int, int]:
    """The value of the kind that overlaps `place` most, as a listener reads it; `place` itself where none does."""
    readings = [] if kind in (Kind.TEXT, Kind.CHOICE, Kind.NAME) else read(heard, kind, language=language, now=now)
    overlaps = [(min(place[1], item.end) - max(place[0], item.start), (item.start, item.end)) for item in readings]
    size, range_read = max(overlaps, default=(0, place))
    return range_read if size > 0 else place


def _in_place_of(span: tuple[int, int], intended: str, heard: str, normaliser: str) -> tuple[int, int] | None:
    """The range of `heard` that the alignment puts where `span` of `intended` was, with what was inserted around it."""
    said, hypothesis = normalised_units(intended, normaliser), normalised_units(heard, normaliser)
    first, last = _covered(said, span)
    inside: list[Unit] = []
    for operation, said_from, said_to, heard_from, heard_to in _stretches([u.text for u in said], [u.text for u in hypothesis]):
        if operation == "insert" and first <= said_from <= last:
            inside += hypothesis[heard_from:heard_to]
        elif operation in ("equal", "substitute"):
            start, end = max(said_from, first), min(said_to, last)
            inside += hypothesis[heard_from + start - said_from : heard_from + end - said_from] if start < end else []
    return (min(unit.start for unit in inside), max(unit.end for unit in inside)) if inside else None


def _covered(units: Sequence[Unit], span: tuple[int, int]) -> tuple[int, int]:
    """The range of units that overlap a span of the text."""
    inside = [at for at, unit in enumerate(units) if unit.start < span[1] and unit.end > span[0]]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _texts(text: str, normaliser: str) -> list[str]:
    return [unit.text for unit in normalised_units(text, normaliser)]


def _errors(reference: list[str], heard: list[str]) -> WordErrors:
    counts = {"substitute": 0, "delete": 0, "insert": 0}
    for operation, said_from, said_to, heard_from, heard_to in _stretches(reference, heard):
        if operation != "equal":
            counts[operation] += max(said_to - said_from, heard_to - heard_from)
    return WordErrors(counts["substitute"], counts["delete"], counts["insert"], len(reference))


def _stretches(reference: list[str], heard: list[str]) -> list[tuple[Operation, int, int, int, int]]:
    """jiwer's alignment of two lists of units; empty sides, which it does not take, are settled here."""
    if not reference or not heard:
        if not reference and not heard:
            return []
        return [("delete", 0, len(reference), 0, 0)] if reference else [("insert", 0, 0, 0, len(heard))]
    output = jiwer.process_words(" ".join(reference), " ".join(heard), _AS_IS, _AS_IS)
    return [
        (_OPERATIONS[chunk.type], chunk.ref_start_idx, chunk.ref_end_idx, chunk.hyp_start_idx, chunk.hyp_end_idx)
        for chunk in output.alignments[0]
    ]
