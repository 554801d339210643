"""The baselines as audits and detectors use them: learners of texts, learners of named features, and the frozen encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar

import numpy as np

from core.errors import UsageError
from core.schemas.snapshots import Label
from core.snapshots.audits.distance import Encoder
from core.snapshots.audits.features import Features
from core.snapshots.audits.report import Learners
from models.baselines import sklearning

ENCODER = f"char-hash-{sklearning.GRAMS[0]}-{sklearning.GRAMS[1]}-svd-{sklearning.DIMENSIONS}-v1"
"""Name and version of the frozen encoder: equal texts to learn its axes from make equal vectors."""
T = TypeVar("T")


class TrainedBaseline(Generic[T]):
    """A trained baseline: steps that make numbers of items, and a classifier of numbers."""

    def __init__(self, steps: Any, classifier: Any) -> None:
        self._steps = steps
        self._classifier = classifier

    def predict(self, items: Sequence[T]) -> list[Label]:
        """A label for each item."""
        return [Label(str(found)) for found in self._classifier.predict(self._numbers(items))] if items else []

    def scores(self, items: Sequence[T]) -> list[float] | None:
        """Confidence in FRAUD, 0 to 1, for each item; None for a learner that has none, such as a support vector machine."""
        if not items:
            return []
        if not hasattr(self._classifier, "predict_proba"):
            return None
        column = list(self._classifier.classes_).index(Label.FRAUD.value)
        return [float(found[column]) for found in self._classifier.predict_proba(self._numbers(items))]

    def _numbers(self, items: Sequence[T]) -> Any:
        return self._steps.transform(list(items))


@dataclass(frozen=True)
class TextBaseline:
    """A learner of texts in one setting."""

    name: str
    """What it is, with its setting."""
    encoding: str
    """How texts become numbers."""
    classifier: Callable[[], Any]
    """Makes an untrained classifier of numbers."""

    def fit(self, items: Sequence[str], labels: Sequence[Label]) -> TrainedBaseline[str]:
        """Train on texts of both labels; raises MissingExtraError where scikit-learn is not installed."""
        steps, numbers = _encoded(self.encoding, tuple(items))
        return TrainedBaseline(steps, self.classifier().fit(numbers, [label.value for label in labels]))


@dataclass(frozen=True)
class FeatureBaseline:
    """A learner of named features in one setting."""

    name: str
    """What it is, with its setting."""
    classifier: Callable[[], Any]
    """Makes an untrained classifier of numbers."""

    def fit(self, items: Sequence[Features], labels: Sequence[Label]) -> TrainedBaseline[Features]:
        """Train on features of both labels; raises MissingExtraError where scikit-learn is not installed."""
        steps = sklearning.pipeline(sklearning.named_features())
        numbers = steps.fit_transform([dict(item) for item in items])
        return TrainedBaseline(steps, self.classifier().fit(numbers, [label.value for label in labels]))


@lru_cache(maxsize=6)
def _encoded(encoding: str, texts: tuple[str, ...]) -> tuple[Any, Any]:
    """Steps that were fitted to texts, and the texts as numbers; kept for a while, since several learners train on the same."""
    steps = sklearning.pipeline([sklearning.tfidf()] if encoding == TFIDF else sklearning.hashed_and_reduced(len(texts)))
    return steps, steps.fit_transform(list(texts))


TFIDF = "tfidf"
"""The encoding that weighs character runs by the training texts."""
_TEXTS: Mapping[str, tuple[str, tuple[float, ...], Callable[[float], Any]]] = {
    "tfidf-lr": (TFIDF, (10.0, 1.0, 100.0), sklearning.logistic_regression),
    "tfidf-svm": (TFIDF, (1.0, 0.1, 10.0), sklearning.linear_svm),
    "frozen-encoder": (ENCODER, (10.0, 1.0, 100.0), sklearning.logistic_regression),
}
TEXT_LEARNERS = tuple(_TEXTS)
"""Names of the learners of texts."""


def settings_of(name: str) -> tuple[TextBaseline, ...]:
    """A learner of texts in the settings to choose from, its usual one first; raises UsageError on an unknown name."""
    if name not in _TEXTS:
        raise UsageError(f"text baseline {name!r} is not known: use one of {', '.join(TEXT_LEARNERS)}")
    encoding, strengths, make = _TEXTS[name]
    marked = name if encoding == TFIDF else f"{name} {encoding}"
    return tuple(TextBaseline(f"{marked} C={strength:g}", encoding, partial(make, strength)) for strength in strengths)


def text_learner(name: str) -> TextBaseline:
    """A learner of texts in its usual setting; raises UsageError on an unknown name."""
    return settings_of(name)[0]


def feature_learners() -> tuple[FeatureBaseline, ...]:
    """Learners of named features: a linear one, and one that finds what only a combination or a middle value tells."""
    return (
        FeatureBaseline("lr C=1", partial(sklearning.logistic_regression, 1.0)),
        FeatureBaseline("tree depth=4", partial(sklearning.shallow_tree, 4)),
    )


def frozen_encoder() -> Encoder:
    """The frozen encoder for distances; its axes are those of the texts it is given, in their order."""
    return Encoder(ENCODER, lambda texts: np.asarray(_encoded(ENCODER, tuple(texts))[1], dtype=np.float64))


def standard_learners() -> Learners:
    """What an audit of a snapshot is made with: every learner in its usual setting."""
    return Learners(tuple(text_learner(name) for name in TEXT_LEARNERS), feature_learners(), frozen_encoder())
