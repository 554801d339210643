"""Sibling calls that are built are hard in their words, told by their evidence and by nothing else, in each language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from core.schemas.audits import Probe
from core.schemas.snapshots import Label, SnapshotCall
from core.snapshots.audits.difficulty import negative_difficulty
from core.snapshots.audits.learning import EVIDENCE, HARD_TIER, SIDE_DOOR, probe
from core.snapshots.audits.samples import Part, imported_samples, samples
from core.snapshots.audits.verdicts import ENOUGH_CALLS, ENOUGH_TREES, HARDER_BY, LINEAR, SIBLINGS, UNRELATED
from core.snapshots.everyday import everyday_calls
from models.baselines.learners import TEXT_LEARNERS, settings_of, text_learner
from tests.bench.siblings import assigned, balanced, build, doors, oracle

TREES, PER_LABEL, SEED = 36, 6, 1
SHUT = ("opening", "voice", "delivery", "length")
"""Parts of a call that must not tell its label."""

pytestmark = pytest.mark.slow


class Siblings(NamedTuple):
    """What the offline agents built in one language."""

    language: str
    every: Sequence[SnapshotCall]
    """All calls."""
    sample: Sequence[SnapshotCall]
    """As many of each label from every tree."""


@pytest.fixture(scope="module", params=["en", "zh"])
def siblings(request: pytest.FixtureRequest) -> Siblings:
    """The calls of one build."""
    calls = [call for tree in build(request.param, TREES, SEED) for call in tree.calls]
    return Siblings(request.param, calls, balanced(calls, PER_LABEL, SEED))


def _told(calls: Sequence[SnapshotCall], part: Part, learner: str) -> Probe:
    texts = samples(calls, part)
    labels, trees = [text.label for text in texts], [text.group for text in texts]
    bounds = EVIDENCE if part is Part.EVIDENCE else HARD_TIER
    return probe(part.value, [text.text for text in texts], labels, trees, text_learner(learner), SEED, bounds)


def test_built_siblings_are_hard_in_words_and_plain_in_evidence(siblings: Siblings) -> None:
    """At least 400 balanced calls of 16 trees: whole 0.55 to 0.80 for every learner, evidence 0.90, recorded actions 1.0."""
    calls = siblings.sample
    assert len(calls) >= ENOUGH_CALLS
    assert len({call.tree_id for call in calls}) >= ENOUGH_TREES
    assert len(calls) == 2 * sum(call.label is Label.FRAUD for call in calls)
    assert (0.55, 0.80, 0.90) == (HARD_TIER.at_least, HARD_TIER.at_most, EVIDENCE.at_least)
    told = [*(_told(calls, Part.WHOLE, name) for name in TEXT_LEARNERS), _told(calls, Part.EVIDENCE, "tfidf-lr")]
    assert [] == [(found.name, found.learner, found.metrics.macro_f1) for found in told if not found.holds]
    assert 1.0 == oracle(siblings.every, siblings.language)


def test_no_side_door_of_built_siblings_is_open(siblings: Siblings) -> None:
    """Opening, voices, deliveries and lengths: at most 0.55, and the upper end of the interval at most 0.60."""
    assert (0.55, 0.60) == (SIDE_DOOR.at_most, SIDE_DOOR.upper_at_most)
    voices = assigned(siblings.every, SEED)
    found = [door for door in doors(siblings.sample, voices, SEED) if door.name in SHUT]
    assert set(SHUT) == {door.name for door in found}
    assert [] == [(door.name, door.learner, door.metrics.balanced_accuracy) for door in found if not door.holds]


def test_built_siblings_are_harder_than_everyday_dialogues(siblings: Siblings) -> None:
    """By 0.15 Macro-F1 and more, for both linear learners on the same fraud calls; everyday dialogues are Chinese."""
    if siblings.language != "zh":
        assert [] == [call for call in everyday_calls(per_plot=1) if call.language == siblings.language]
        return
    by_label = {label: [text for text in samples(siblings.sample) if text.label is label] for label in Label}
    tiers = {UNRELATED: imported_samples(everyday_calls()), SIBLINGS: by_label[Label.NONFRAUD]}
    learners = {name: settings_of(name)[:1] for name in LINEAR}
    found = negative_difficulty(by_label[Label.FRAUD], tiers, learners, SEED, most=150)
    easy, hard = ({score.learner: score.mean for score in tier.scores} for tier in found.tiers)
    assert [] == [name for name in LINEAR if easy[name] - hard[name] < HARDER_BY]
