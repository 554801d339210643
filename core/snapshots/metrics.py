"""Figures of a set of answers: how errors count, what each figure is, and what a detector that does not listen would score.

Fraud is the positive class. An answer that is no label is a miss of its class: it stays in the denominator of the class's recall,
of accuracy and of the predicted-fraud ratio, and is neither a true negative nor a false alarm, so no detector gains by staying
silent. Precision is over answers that are labels. A figure without a denominator is 0. All of them follow from six counts:

    precision = tp / (tp + fp)                recall of fraud = tp / (tp + fn + fraud errors)
    F1 = 2 precision recall / (precision + recall); Macro-F1 the mean over both classes; balanced accuracy that of both recalls
    accuracy = (tp + tn) / n                  predicted-fraud ratio = (tp + fp) / n
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from core.schemas.detections import Baseline, ClassMetrics, DetectionError, PriorBaseline, Response, Scores
from core.schemas.snapshots import Label

ERROR_POLICY = "errors-are-misses-v1"
"""Name and version of how answers that are no label count, for summaries."""

COUNTS = ("tp", "tn", "fp", "fn", "fraud_errors", "nonfraud_errors")
"""The six counts, in the order of their columns."""

_COLUMN: dict[tuple[Label, Label | None], int] = {
    (Label.FRAUD, Label.FRAUD): 0,
    (Label.NONFRAUD, Label.NONFRAUD): 1,
    (Label.NONFRAUD, Label.FRAUD): 2,
    (Label.FRAUD, Label.NONFRAUD): 3,
    (Label.FRAUD, None): 4,
    (Label.NONFRAUD, None): 5,
}

Numbers = npt.NDArray[np.float64]
"""Counts with the six columns last, or one number per leading index."""

Item = TypeVar("Item")


class Gold(NamedTuple):
    """What a snapshot says of one call."""

    sample_id: str
    tree_id: str
    label: Label


class ScoredCall(NamedTuple):
    """A call and what a detector answered; exactly one of `answer` and `error` is None."""

    sample_id: str
    tree_id: str
    label: Label
    answer: Label | None
    error: DetectionError | None


def scored_calls(gold: Iterable[Gold], responses: Iterable[Response]) -> tuple[ScoredCall, ...]:
    """Every call of `gold`, in order of its id, with its one response.

    Raises:
        ValueError: a call or a response is there twice, or one is there without the other.
    """
    calls = _once("call", ((call.sample_id, call) for call in gold))
    answers = _once("response", ((response.sample_id, response) for response in responses))
    for what, ids in (("calls without a response", calls.keys() - answers), ("responses about no call", answers.keys() - calls)):
        if ids:
            raise ValueError(f"{len(ids)} {what}, the first {min(ids)!r}: figures need exactly one answer to every call")
    return tuple(ScoredCall(*calls[i], answers[i].parsed, answers[i].error) for i in sorted(calls))


def _once(what: str, items: Iterable[tuple[str, Item]]) -> dict[str, Item]:
    found: dict[str, Item] = {}
    for name, item in items:
        if name in found:
            raise ValueError(f"{what} {name!r} is there twice")
        found[name] = item
    return found


def outcomes(truth: Sequence[Label], answers: Sequence[Label | None]) -> npt.NDArray[np.int64]:
    """For each call the column of COUNTS that it adds to.

    Raises:
        ValueError: no calls, another number of answers than of calls, or something that is no label.
    """
    if len(truth) != len(answers):
        raise ValueError(f"{len(answers)} answers to {len(truth)} calls")
    if not truth:
        raise ValueError("no calls: there is nothing to measure")
    columns = np.empty(len(truth), dtype=np.int64)
    for place, pair in enumerate(zip(truth, answers, strict=True)):
        if pair not in _COLUMN:
            raise ValueError(f"call {place} has the label {pair[0]!r} and the answer {pair[1]!r}: labels are FRAUD and NONFRAUD")
        columns[place] = _COLUMN[pair]
    return columns


def rates(counts: Numbers) -> dict[str, Numbers]:
    """Every figure of ClassMetrics from counts of shape (..., 6), each of shape (...)."""
    tp, tn, fp, fn, fraud_errors, nonfraud_errors = np.moveaxis(counts, -1, 0)
    n = counts.sum(axis=-1)
    precision, recall = _ratio(tp, tp + fp), _ratio(tp, tp + fn + fraud_errors)
    other_precision, other_recall = _ratio(tn, tn + fn), _ratio(tn, tn + fp + nonfraud_errors)
    fraud_f1 = _ratio(2 * precision * recall, precision + recall)
    nonfraud_f1 = _ratio(2 * other_precision * other_recall, other_precision + other_recall)
    return {
        "accuracy": _ratio(tp + tn, n),
        "fraud_precision": precision,
        "fraud_recall": recall,
        "nonfraud_recall": other_recall,
        "fraud_f1": fraud_f1,
        "nonfraud_f1": nonfraud_f1,
        "macro_f1": (fraud_f1 + nonfraud_f1) / 2,
        "balanced_accuracy": (recall + other_recall) / 2,
        "predicted_fraud_ratio": _ratio(tp + fp, n),
        "error_rate": _ratio(fraud_errors + nonfraud_errors, n),
        "coverage": _ratio(tp + tn + fp + fn, n),
    }


def _ratio(above: Numbers, below: Numbers) -> Numbers:
    return np.divide(above, below, out=np.zeros(np.shape(below)), where=below != 0)


def class_metrics(truth: Sequence[Label], answers: Sequence[Label | None]) -> ClassMetrics:
    """Figures of `answers`, where None is an answer that is no label.

    Raises:
        ValueError: no calls, another number of answers than of calls, or something that is no label.
    """
    counts = np.bincount(outcomes(truth, answers), minlength=len(COUNTS))
    figures = {name: float(value) for name, value in rates(counts.astype(np.float64)).items()}
    return ClassMetrics.model_validate({"n": len(truth), **dict(zip(COUNTS, counts.tolist(), strict=True)), **figures})


def parsed_only(calls: Sequence[ScoredCall]) -> tuple[ScoredCall, ...]:
    """The calls whose answer is a label: the second row of a table, which tells nothing of those that were left out."""
    return tuple(call for call in calls if call.answer is not None)


def metrics_of(calls: Sequence[ScoredCall]) -> ClassMetrics:
    """`class_metrics` of scored calls."""
    return class_metrics([call.label for call in calls], [call.answer for call in calls])


def scores_of(metrics: ClassMetrics) -> Scores:
    """The figures that tables show, out of all."""
    return Scores.model_validate({name: getattr(metrics, name) for name in Scores.model_fields})


def error_counts(calls: Iterable[ScoredCall]) -> dict[Label, dict[DetectionError, int]]:
    """Answers that are no label, by class and kind; kinds that did not happen are left out, classes never."""
    found = Counter((call.label, call.error) for call in calls)
    return {label: {kind: found[label, kind] for kind in DetectionError if found[label, kind]} for label in Label}


def prior_baselines(fraud: int, nonfraud: int) -> tuple[PriorBaseline, ...]:
    """What detectors that do not listen score on so many fraud and lawful calls.

    The coin's figures are those of its expected counts, half of each class called fraud. Raises ValueError without calls.
    """
    if fraud < 0 or nonfraud < 0 or fraud + nonfraud == 0:
        raise ValueError(f"no baseline for {fraud} fraud and {nonfraud} lawful calls")
    counts: Mapping[Baseline, tuple[float, ...]] = {
        Baseline.ALL_FRAUD: (fraud, 0, nonfraud, 0, 0, 0),
        Baseline.ALL_NONFRAUD: (0, nonfraud, 0, fraud, 0, 0),
        Baseline.COIN: (fraud / 2, nonfraud / 2, nonfraud / 2, fraud / 2, 0, 0),
    }
    figures = rates(np.array([counts[name] for name in Baseline], dtype=np.float64))
    return tuple(
        PriorBaseline(name=name, scores=Scores.model_validate({key: float(figures[key][row]) for key in Scores.model_fields}))
        for row, name in enumerate(Baseline)
    )
