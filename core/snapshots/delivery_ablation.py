"""The delivery ablation without its sound: which calls of a month are drawn, and what two halves of answers come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.errors import InputError
from core.schemas.delivery_ablation import AblatedDetector
from core.schemas.detections import EvaluationRun, Response
from core.schemas.snapshots import Label, ManifestRow
from core.seeds import generator
from core.snapshots.metrics import class_metrics

ENOUGH = 15
"""Calls from which the benchmark's description asks for this."""


def shares(rows: Sequence[ManifestRow], calls: int) -> dict[Label, int]:
    """Calls of each label among `calls`: in the month's own ratio, one of each at least.

    Raises:
        InputError: the month has too few calls, or fewer than two are asked for.
    """
    fraud = sum(row.call.label is Label.FRAUD for row in rows)
    if not 2 <= calls <= len(rows) or fraud in (0, len(rows)):
        raise InputError(
            f"{calls} calls of both labels out of {fraud} fraud and {len(rows) - fraud} lawful ones: ask for 2 to {len(rows)}"
        )
    wanted = min(max(round(calls * fraud / len(rows)), 1), calls - 1)
    return {Label.FRAUD: wanted, Label.NONFRAUD: calls - wanted}


def queues(rows: Iterable[ManifestRow], seed: int) -> dict[Label, list[ManifestRow]]:
    """Every call of a month by its label, in the order in which they are drawn: one of each tree, then a second of each."""
    known = sorted(rows, key=lambda row: row.call.sample_id)
    shuffled = [known[place] for place in generator(seed, "delivery-ablation").permutation(len(known))]
    found: dict[Label, list[ManifestRow]] = {}
    for label in Label:
        seen: dict[str, int] = {}
        placed = []
        for row in shuffled:
            if row.call.label is label:
                number = seen[row.call.tree_id] = seen.get(row.call.tree_id, -1) + 1
                placed.append((number, row))
        found[label] = [row for _, row in sorted(placed, key=lambda pair: pair[0])]
    return found


def compared(
    run: EvaluationRun, rows: Sequence[ManifestRow], delivery: Iterable[Response], neutral: Iterable[Response]
) -> AblatedDetector:
    """One detector's answers about both halves of the same calls.

    Raises:
        ValueError: not exactly one answer to every call of each half.
    """
    truth = [row.call.label for row in rows]
    halves = [_answers(rows, responses) for responses in (delivery, neutral)]
    with_it, without = (class_metrics(truth, answers) for answers in halves)
    return AblatedDetector(
        detector=run.detector,
        mode=run.mode,
        prompt_language=run.prompt_language,
        settings=run.settings,
        delivery=with_it,
        neutral=without,
        fraud_f1_change=without.fraud_f1 - with_it.fraud_f1,
        balanced_accuracy_change=without.balanced_accuracy - with_it.balanced_accuracy,
        changed=sum(one != other for one, other in zip(*halves, strict=True)),
    )


def pooled_f1(detectors: Sequence[AblatedDetector]) -> tuple[float, float]:
    """Fraud F1 of all answers together, with delivery and without: from their summed counts."""
    found = []
    for half in ("delivery", "neutral"):
        figures = [getattr(each, half) for each in detectors]
        tp, fp = (sum(getattr(of, name) for of in figures) for name in ("tp", "fp"))
        missed = sum(of.fn + of.fraud_errors for of in figures)
        found.append(2 * tp / (2 * tp + fp + missed) if tp else 0.0)
    return found[0], found[1]


def largest_changes(detectors: Iterable[AblatedDetector]) -> dict[str, float]:
    """Detector to its largest absolute change of fraud F1."""
    found: dict[str, float] = {}
    for each in detectors:
        found[each.detector] = max(found.get(each.detector, 0.0), abs(each.fraud_f1_change))
    return found


def _answers(rows: Sequence[ManifestRow], responses: Iterable[Response]) -> list[Label | None]:
    kept: Mapping[str, Label | None] = {response.sample_id: response.parsed for response in responses}
    if kept.keys() != {row.call.sample_id for row in rows}:
        raise ValueError(f"{len(kept)} answers to {len(rows)} calls: figures need exactly one answer to every call")
    return [kept[row.call.sample_id] for row in rows]
