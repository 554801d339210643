"""How collapse changed from one snapshot to the next, configuration by configuration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from core.schemas.detections import Collapse, EvaluationSummary, Move, Transitions
from core.snapshots.aggregation import deduplicate

Value = TypeVar("Value")


def transitions(before: Iterable[EvaluationSummary], after: Iterable[EvaluationSummary]) -> Transitions:
    """Collapse tags of the configurations that two snapshots have in common; a repeated configuration counts once.

    Parse collapse stands beside each tag and changes none. With two snapshots a change may come from the calls that were sampled
    as well as from the month.

    Raises:
        ValueError: a side is empty or of several snapshots, both are the same snapshot, or the rules differ.
    """
    sides = tuple(before), tuple(after)
    names = [_the_only((one.run.snapshot_id, one.run.root_sha256) for one in side) for side in sides]
    if names[0] == names[1]:
        raise ValueError(f"both sides are snapshot {names[0][0]}: a change needs two")
    rules = _the_only(one.collapse.rules for side in sides for one in side)
    first, second = (_by_detector(side) for side in sides)
    moves = tuple(_move(first[key], second[key]) for key in sorted(first.keys() & second))
    cells = Counter((move.before.tag, move.after.tag) for move in moves)
    return Transitions(
        before=names[0][0],
        after=names[1][0],
        rules=rules,
        table={one: {other: cells[one, other] for other in Collapse} for one in Collapse},
        moves=moves,
        only_before=tuple(sorted(first.keys() - second)),
        only_after=tuple(sorted(second.keys() - first)),
    )


def _by_detector(summaries: Iterable[EvaluationSummary]) -> Mapping[str, EvaluationSummary]:
    counted, _repeated = deduplicate(summaries, lambda one: one.run)
    return {one.detector_key: one for one in counted}


def _the_only(values: Iterable[Value]) -> Value:
    """The value that all share."""
    found = set(values)
    if len(found) != 1:
        listed = ", ".join(sorted(map(str, found))) or "none"
        raise ValueError(f"each side of a transition is of one snapshot and both of one version of rules, not of {listed}")
    return found.pop()


def _move(before: EvaluationSummary, after: EvaluationSummary) -> Move:
    return Move(
        detector_key=before.detector_key,
        detector=before.run.detector,
        mode=before.run.mode,
        prompt_language=before.run.prompt_language,
        before=before.collapse,
        after=after.collapse,
        balanced_accuracy_change=after.metrics.balanced_accuracy - before.metrics.balanced_accuracy,
    )
