"""The one module that imports scikit-learn: steps by name, each made afresh, with a fixed seed and nothing from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.errors import MissingExtraError

SEED = 20_261_101
"""Seed of every solver; part of what the names in this package stand for."""
GRAMS = (2, 4)
"""Shortest and longest run of characters that counts as a feature."""
HASHED = 1 << 15
"""Columns that runs of characters are hashed into by the frozen encoder."""
DIMENSIONS = 64
"""Dimensions of the frozen encoder's vectors, at most."""


def tfidf() -> Any:
    """Weights of character runs, learned from the training texts."""
    text = _module("feature_extraction.text")
    return text.TfidfVectorizer(analyzer="char", ngram_range=GRAMS, sublinear_tf=True, lowercase=False)


def hashed_and_reduced(texts: int) -> list[Any]:
    """Steps of the frozen encoder for so many training texts: character runs hashed into a fixed number of columns, of which
    nothing is learned, then the training texts' main axes, then length one."""
    text = _module("feature_extraction.text")
    hashed = text.HashingVectorizer(analyzer="char", ngram_range=GRAMS, n_features=HASHED, alternate_sign=False, lowercase=False)
    svd = _module("decomposition").TruncatedSVD(n_components=max(1, min(DIMENSIONS, texts - 1)), random_state=SEED)
    return [hashed, svd, _module("preprocessing").Normalizer()]


def named_features() -> list[Any]:
    """Steps that make columns of features by name, words one column each, all of one scale."""
    vectorizer = _module("feature_extraction").DictVectorizer(sparse=False)
    return [vectorizer, _module("preprocessing").StandardScaler()]


def logistic_regression(strength: float) -> Any:
    """Logistic regression; `strength` is the inverse of its regularisation."""
    linear = _module("linear_model")
    return linear.LogisticRegression(C=strength, class_weight="balanced", solver="liblinear", max_iter=2000, random_state=SEED)


def linear_svm(strength: float) -> Any:
    """Linear support vector machine; `strength` is the inverse of its regularisation."""
    return _module("svm").LinearSVC(C=strength, class_weight="balanced", max_iter=20_000, random_state=SEED)


def shallow_tree(depth: int) -> Any:
    """Decision tree of at most so many questions, with at least five calls in every answer."""
    tree = _module("tree")
    return tree.DecisionTreeClassifier(max_depth=depth, min_samples_leaf=5, class_weight="balanced", random_state=SEED)


def pipeline(steps: Sequence[Any]) -> Any:
    """Steps one after the other as one estimator."""
    return _module("pipeline").make_pipeline(*steps)


def release() -> str:
    """Version of scikit-learn, on which the bytes of what is trained depend."""
    return str(_module("").__version__)


def _module(name: str) -> Any:
    """A module of scikit-learn, or all of it; raises MissingExtraError where it is not installed."""
    from importlib import import_module

    try:
        return import_module(f"sklearn.{name}" if name else "sklearn")
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] == "sklearn":
            raise MissingExtraError("scikit-learn", "baselines", "a classical text baseline") from None
        raise
