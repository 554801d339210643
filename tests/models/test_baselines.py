"""The classical text baselines: what they learn, what they are called, and how hard each tier is for them (checks 54 to 56)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from core.errors import MissingExtraError, UsageError
from core.schemas.snapshots import Label
from core.snapshots.audits.difficulty import Separability, negative_difficulty, separability
from core.snapshots.audits.features import Features, imported_metadata, length_features
from core.snapshots.audits.learning import SIDE_DOOR, probe
from core.snapshots.audits.report import audit_calls
from core.snapshots.audits.samples import Part, Sample, imported_samples, samples
from core.snapshots.everyday import everyday_calls
from core.snapshots.importing.collecting import Imported
from core.snapshots.importing.release28k import import_release28k
from models.baselines import learners
from models.baselines.learners import (
    ENCODER,
    TEXT_LEARNERS,
    feature_learners,
    frozen_encoder,
    settings_of,
    standard_learners,
    text_learner,
)
from tests.core.audit_calls import forest

FRAUD = [f"请把第{i}个口令念给我听" for i in range(12)]
LAWFUL = [f"周末一起去爬第{i}座山吧" for i in range(12)]
LABELS = [Label.FRAUD] * 12 + [Label.NONFRAUD] * 12


@pytest.mark.parametrize("name", TEXT_LEARNERS)
def test_a_text_baseline_learns_and_gives_the_same_again(name: str) -> None:
    """Every learner tells two plain kinds of text apart; trained twice it answers the same, to the last bit of its scores."""
    first, second = (text_learner(name).fit([*FRAUD, *LAWFUL], LABELS) for _ in range(2))
    asked = ["请把那个口令念给我听", "周末去爬哪座山", "口令", ""]
    assert [Label.FRAUD, Label.NONFRAUD] == first.predict(asked)[:2]
    assert (first.predict(asked), first.scores(asked)) == (second.predict(asked), second.scores(asked))
    assert ([], []) == (first.predict([]), first.scores([]))


def test_scores_are_confidence_in_fraud_where_there_is_one() -> None:
    """Logistic regression gives 0 to 1 and more for fraud; a support vector machine gives none."""
    scores = text_learner("tfidf-lr").fit([*FRAUD, *LAWFUL], LABELS).scores([FRAUD[0], LAWFUL[0]])
    assert scores is not None
    assert 0 <= scores[1] < 0.5 < scores[0] <= 1
    assert text_learner("tfidf-svm").fit([*FRAUD, *LAWFUL], LABELS).scores([FRAUD[0]]) is None


def test_a_learner_s_name_holds_its_setting_and_its_encoder() -> None:
    """Three settings each, the usual one first; the frozen encoder's id is part of the name that reports record."""
    assert ["tfidf-lr C=10", "tfidf-lr C=1", "tfidf-lr C=100"] == [found.name for found in settings_of("tfidf-lr")]
    assert f"frozen-encoder {ENCODER} C=10" == text_learner("frozen-encoder").name
    assert "char-hash-2-4-svd-64-v1" == ENCODER
    with pytest.raises(UsageError, match="text baseline 'bert' is not known: use one of tfidf-lr, tfidf-svm, frozen-encoder"):
        text_learner("bert")


def test_the_encoder_learns_from_training_texts_alone() -> None:
    """What it is later asked about changes neither its axes nor its answers."""
    trained = text_learner("frozen-encoder").fit([*FRAUD, *LAWFUL], LABELS)
    alone = trained.scores([FRAUD[3]])
    beside = trained.scores([FRAUD[3], *("完全不同的一句话" * 9 for _ in range(50))])
    assert alone is not None
    assert beside is not None
    assert alone[0] == pytest.approx(beside[0], abs=1e-12)


def test_the_frozen_encoder_makes_vectors_of_length_one() -> None:
    """One row per text, at most 64 dimensions, equal texts equal rows."""
    found = frozen_encoder().encode([*FRAUD, *LAWFUL, FRAUD[0]])
    assert (25, 24) == found.shape
    assert [1.0] * 25 == pytest.approx(list(np.linalg.norm(found, axis=1)))
    assert list(found[0]) == pytest.approx(list(found[24]), abs=1e-9)


def test_feature_learners_take_numbers_and_words() -> None:
    """A number alone, a word alone, and a middle value that only the tree finds."""
    linear, tree = feature_learners()
    words: Sequence[Features] = [{"voice": "a"}] * 10 + [{"voice": "b"}] * 10
    middle: Sequence[Features] = [{"turns": float(i % 3 * 10)} for i in range(30)]
    labels = [Label.FRAUD] * 10 + [Label.NONFRAUD] * 10
    for learner in (linear, tree):
        assert [Label.FRAUD, Label.NONFRAUD] == learner.fit(words, labels).predict([{"voice": "a"}, {"voice": "b"}])
    mid = [Label.FRAUD if i % 3 == 1 else Label.NONFRAUD for i in range(30)]
    assert mid == tree.fit(middle, mid).predict(middle)
    assert mid != linear.fit(middle, mid).predict(middle)


def test_without_scikit_learn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is imported when a learner is trained, and what to install is said where it is absent."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'ringback\[baselines\]'"):
        text_learner("tfidf-lr").fit(["不曾见过的一句", "另一句"], [Label.FRAUD, Label.NONFRAUD])


@pytest.mark.slow
def test_an_audit_runs_with_the_standard_learners() -> None:
    """A clean forest: side doors shut for all learners but the words, distances above 1 with the encoder's id in the report."""
    report = audit_calls(forest(8, 3), standard_learners(), 3)
    assert {ENCODER} == {found.encoder for found in report.distance}
    assert all((found.ratio or 0) > 1 for found in report.distance if found.part == "whole")
    assert [] == [(f.name, f.learner) for f in report.probes if f.name in ("opening", "first-turn", "metadata") and not f.holds]
    assert 1.0 == next(found for found in report.probes if found.name == "evidence").metrics.macro_f1


@pytest.mark.slow
def test_unrelated_dialogues_are_told_from_fraud_by_every_learner() -> None:
    """Check 54 on words of our own: fraud siblings against everyday dialogues, five folds that part neither trees nor plots."""
    fraud = [found for found in samples(forest(10, 4)) if found.label == Label.FRAUD]
    tier = imported_samples(everyday_calls(per_plot=2))
    found = negative_difficulty(fraud, {"unrelated": tier}, {name: [text_learner(name)] for name in TEXT_LEARNERS}, 3)
    assert [True] * 3 == [score.mean >= 0.99 for score in found.tiers[0].scores]


@pytest.fixture(scope="module")
def release() -> Imported:
    """The part of the text release that is at hand."""
    return import_release28k(Path(os.environ["RINGBACK_TEST_DATA"]) / "teleantifraud-28k-text.tar.xz")


def _by_label(found: Sequence[Sample], label: Label) -> list[Sample]:
    return [sample for sample in found if sample.label == label]


@pytest.mark.data
@pytest.mark.slow
def test_ordinary_and_unrelated_negatives_are_as_good_as_separable(release: Imported) -> None:
    """Checks 54 and 55, on imported text: logistic regression and support vector machine reach 0.99 on both tiers."""
    texts = imported_samples(release.calls)
    tiers: Mapping[str, Sequence[Sample]] = {
        "unrelated": imported_samples(everyday_calls()),
        "ordinary": _by_label(texts, Label.NONFRAUD)[::8],
    }
    fraud = _by_label(texts, Label.FRAUD)[::20]
    found = negative_difficulty(fraud, tiers, {name: settings_of(name)[:1] for name in ("tfidf-lr", "tfidf-svm")}, 3, most=100)
    assert [("unrelated", [True, True]), ("ordinary", [True, True])] == [
        (tier.name, [score.mean >= 0.99 for score in tier.scores]) for tier in found.tiers
    ]
    assert found.tiers[0].overlap < found.tiers[1].overlap


@pytest.mark.data
@pytest.mark.slow
def test_imported_text_is_separable_and_its_side_doors_stand_open(release: Imported) -> None:
    """Checks 56 and 59: the external row is near 1, and the first turn, lengths and the callers' trade give its label away."""
    calls = [*release.calls[:3326:14], *release.calls[3326::6]]
    labels, groups = [call.label for call in calls], [call.group for call in calls]
    whole, first = imported_samples(calls), imported_samples(calls, Part.FIRST_TURN)
    rows = separability([Separability("28k text", "28k text", whole, whole)], text_learner("tfidf-svm"), 3)
    assert rows[0].metrics.macro_f1 >= 0.99
    first_turns = [sample.text for sample in first]
    assert not probe("first-turn", first_turns, labels, groups, text_learner("tfidf-lr"), 3, SIDE_DOOR).holds
    tree = feature_learners()[1]
    for name, features in {
        "length": [length_features(c) for c in calls],
        "metadata": [imported_metadata(c) for c in calls],
    }.items():
        assert not probe(name, features, labels, groups, tree, 3, SIDE_DOOR).holds


def test_encodings_are_kept_for_learners_of_the_same_texts() -> None:
    """Two settings that train on the same texts encode them once."""
    learners._encoded.cache_clear()
    for learner in settings_of("tfidf-lr"):
        learner.fit([*FRAUD, *LAWFUL], LABELS)
    assert (2, 1) == (learners._encoded.cache_info().hits, learners._encoded.cache_info().misses)
