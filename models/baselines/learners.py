"""The baselines as audits and detectors use them: learners of texts, learners of named features, and the frozen encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from core.errors import UsageError
from core.schemas.snapshots import Label
from core.snapshots.audits.distance import Encoder, Vectors
from core.snapshots.audits.features import Features
from models.baselines import sklearning

ENCODER = f"char-hash-{sklearning.GRAMS[0]}-{sklearning.GRAMS[1]}-svd-{sklearning.DIMENSIONS}-v1"
"""Name and version of the frozen encoder: equal texts to learn its axes from make equal vectors."""
T = TypeVar("T")


class TrainedBaseline(Generic[T]):
    """A trained baseline."""

    def __init__(self, fitted: Any) -> None:
        self._fitted = fitted

    def predict(self, items: Sequence[T]) -> list[Label]:
        """A label for each item."""
        return [Label(str(found)) for found in self._fitted.predict(list(items))] if items else []

    def scores(self, items: Sequence[T]) -> list[float] | None:
        """Confidence in FRAUD, 0 to 1, for each item; None for a learner that has none, such as a support vector machine."""
        if not items:
            return []
        if not hasattr(self._fitted, "predict_proba"):
            return None
        column = list(self._fitted.classes_).index(Label.FRAUD.value)
        return [float(found[column]) for found in self._fitted.predict_proba(list(items))]


@dataclass(frozen=True)
class Baseline(Generic[T]):
    """A learner in one setting; `fit` builds everything anew."""

    name: str
    """What it is, with its setting."""
    steps: Callable[[int], Sequence[Any]]
    """Its steps for so many training items."""

    def fit(self, items: Sequence[T], labels: Sequence[Label]) -> TrainedBaseline[T]:
        """Train on items of both labels; raises MissingExtraError where scikit-learn is not installed."""
        made = sklearning.pipeline(self.steps(len(items)))
        return TrainedBaseline(made.fit(list(items), [label.value for label in labels]))


_TEXTS: Mapping[str, tuple[tuple[float, ...], Callable[[float], Callable[[int], Sequence[Any]]]]] = {
    "tfidf-lr": (
        (10.0, 1.0, 100.0),
        lambda strength: lambda _texts: [sklearning.tfidf(), sklearning.logistic_regression(strength)],
    ),
    "tfidf-svm": (
        (1.0, 0.1, 10.0),
        lambda strength: lambda _texts: [sklearning.tfidf(), sklearning.linear_svm(strength)],
    ),
    "frozen-encoder": (
        (10.0, 1.0, 100.0),
        lambda strength: (
            lambda texts: [
                sklearning.hashed(),
                *sklearning.reduced(texts),
                sklearning.logistic_regression(strength),
            ]
        ),
    ),
}
TEXT_LEARNERS = tuple(_TEXTS)
"""Names of the learners of texts."""


def settings_of(name: str) -> tuple[Baseline[str], ...]:
    """A learner of texts in the settings to choose from, its usual one first; raises UsageError on an unknown name."""
    if name not in _TEXTS:
        raise UsageError(f"text baseline {name!r} is not known: use one of {', '.join(TEXT_LEARNERS)}")
    strengths, steps = _TEXTS[name]
    marked = f"{name} {ENCODER}" if name == "frozen-encoder" else name
    return tuple(Baseline(f"{marked} C={strength:g}", steps(strength)) for strength in strengths)


def text_learner(name: str) -> Baseline[str]:
    """A learner of texts in its usual setting; raises UsageError on an unknown name."""
    return settings_of(name)[0]


def feature_learners() -> tuple[Baseline[Features], ...]:
    """Learners of named features: a linear one, and one that finds what only a combination or a middle value tells."""
    return (
        Baseline("lr C=1", lambda _items: [*sklearning.named_features(), sklearning.logistic_regression(1.0)]),
        Baseline("tree depth=4", lambda _items: [*sklearning.named_features(), sklearning.shallow_tree(4)]),
    )


def frozen_encoder() -> Encoder:
    """The frozen encoder for distances; its axes are those of the texts it is given, in their order."""

    def encode(texts: Sequence[str]) -> Vectors:
        steps = sklearning.pipeline([sklearning.hashed(), *sklearning.reduced(len(texts))])
        return np.asarray(steps.fit_transform(list(texts)), dtype=np.float64)

    return Encoder(ENCODER, encode)
