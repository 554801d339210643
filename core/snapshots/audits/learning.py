"""Training and testing on calls without any of their siblings, whatever learner is passed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from core.schemas.audits import Probe
from core.schemas.detections import ClassMetrics, Interval
from core.schemas.snapshots import Label
from core.snapshots.audits.splitting import FOLDS, folds
from core.snapshots.intervals import tree_intervals
from core.snapshots.metrics import ScoredCall, metrics_of

Item_contra = TypeVar("Item_contra", contravariant=True)
T = TypeVar("T")


class Trained(Protocol[Item_contra]):
    """A learner after training."""

    def predict(self, items: Sequence[Item_contra]) -> list[Label]:
        """A label for each item."""
        ...


class Learner(Protocol[Item_contra]):
    """Something that learns labels of items: texts, or features by name. It keeps nothing from one training to the next."""

    @property
    def name(self) -> str:
        """What it is, with its settings."""
        ...

    def fit(self, items: Sequence[Item_contra], labels: Sequence[Label]) -> Trained[Item_contra]:
        """Train on items of both labels."""
        ...


@dataclass(frozen=True)
class Bounds:
    """Where the figures of a probe must lie."""

    at_least: float | None = None
    """Least Macro-F1."""
    at_most: float | None = None
    """Greatest Macro-F1 and balanced accuracy."""
    upper_at_most: float | None = None
    """Greatest upper end of both intervals."""

    def hold(self, metrics: ClassMetrics, intervals: Sequence[Interval | None]) -> bool:
        """Whether figures lie there; an interval that is missing where it is bounded does not."""
        both = (metrics.macro_f1, metrics.balanced_accuracy)
        uppers = [1.0 if found is None else found.high for found in intervals]
        return (
            (self.at_least is None or metrics.macro_f1 >= self.at_least)
            and (self.at_most is None or max(both) <= self.at_most)
            and (self.upper_at_most is None or max(uppers) <= self.upper_at_most)
        )


FREE = Bounds()
"""No bounds."""
SIDE_DOOR = Bounds(at_most=0.55, upper_at_most=0.60)
"""What a part of a call that must not tell the label may show."""
EVIDENCE = Bounds(at_least=0.90)
"""What the evidence alone must show."""
HARD_TIER = Bounds(at_least=0.55, at_most=0.80)
"""Where the full text of sibling calls must lie: neither open nor closed."""


def probe(
    name: str,
    items: Sequence[T],
    labels: Sequence[Label],
    groups: Sequence[str],
    learner: Learner[T],
    seed: int,
    bounds: Bounds = FREE,
) -> Probe:
    """Figures of a learner over all items, each answered by a training that saw no item of its group.

    Raises:
        ValueError: fewer groups than folds, or all items are of one label.
    """
    scored = out_of_fold(items, items, labels, groups, learner, seed)
    metrics = metrics_of(scored)
    intervals = tree_intervals(scored, seed)
    both = (intervals.get("macro_f1"), intervals.get("balanced_accuracy"))
    return Probe(
        name=name,
        learner=learner.name,
        metrics=metrics,
        macro_f1=both[0],
        balanced_accuracy=both[1],
        at_least=bounds.at_least,
        at_most=bounds.at_most,
        upper_at_most=bounds.upper_at_most,
        holds=bounds.hold(metrics, both),
    )


def out_of_fold(
    trained_on: Sequence[T],
    tested_on: Sequence[T],
    labels: Sequence[Label],
    groups: Sequence[str],
    learner: Learner[T],
    seed: int,
) -> tuple[ScoredCall, ...]:
    """Each item of `tested_on` answered after training on the items of `trained_on` in other folds; both stand in one order.

    Raises:
        ValueError: fewer groups than folds, or a training set of one label.
    """
    fold = folds(groups, labels, seed)
    answers: dict[int, Label] = {}
    for held in range(FOLDS):
        train = [i for i, of in enumerate(fold) if of != held]
        test = [i for i, of in enumerate(fold) if of == held]
        fitted = fit(learner, [trained_on[i] for i in train], [labels[i] for i in train])
        answers.update(zip(test, fitted.predict([tested_on[i] for i in test]), strict=True))
    return tuple(ScoredCall(f"{i:06d}", groups[i], labels[i], answers[i], None) for i in range(len(labels)))


def fit(learner: Learner[T], items: Sequence[T], labels: Sequence[Label]) -> Trained[T]:
    """Train; raises ValueError where only one label is there to learn."""
    if len(set(labels)) < 2:
        raise ValueError(
            f"{len(labels)} items of one label cannot train {learner.name}: give more trees, or trees of both labels"
        )
    return learner.fit(items, labels)
