"""Audits of a snapshot's words and labels: what a shallow learner makes of them, and by which side door it could cheat."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from core.schemas.base import Model, Sha256
from core.schemas.detections import ClassMetrics, Interval
from core.schemas.snapshots import Label


class Probe(Model):
    """A learner that is shown one part of each call, tested on trees that it was not trained on."""

    name: str
    """The part it is shown."""
    learner: str
    """The learner, with its settings."""
    metrics: ClassMetrics
    """Figures over all calls, each answered by a learner that saw no call of its tree."""
    macro_f1: Interval | None
    """Interval of Macro-F1, with trees redrawn; null for a single tree."""
    balanced_accuracy: Interval | None
    """Interval of balanced accuracy."""
    at_least: float | None = None
    """Macro-F1 that it must reach; null for none."""
    at_most: float | None = None
    """Macro-F1 and balanced accuracy that it must not exceed; null for none."""
    upper_at_most: float | None = None
    """Upper ends of both intervals must not exceed this; null for none."""
    holds: bool
    """Whether it stays within these bounds."""


class LearnerScore(Model):
    """Macro-F1 of one learner on one tier of negatives."""

    learner: str
    """Name of the learner."""
    chosen: tuple[str, ...]
    """The settings that did best on each fold's validation calls."""
    values: tuple[float, ...]
    """Macro-F1 on each fold's balanced test calls."""
    mean: float
    """Their mean."""
    interval: Interval
    """Its interval."""


class Tier(Model):
    """One kind of lawful calls against the same fraud calls."""

    name: str
    """What the lawful calls are."""
    calls: int = Field(ge=1)
    """How many there are."""
    groups: int = Field(ge=1)
    """Trees, plots or single calls that are never parted."""
    overlap: float = Field(ge=0, le=1)
    """Jaccard index of the sets of character pairs, mean over all pairs of a fraud and a lawful call."""
    best_overlap: float = Field(ge=0, le=1)
    """The same with the nearest lawful call for each fraud call."""
    scores: tuple[LearnerScore, ...]
    """What the learners make of it."""
    test_ids: tuple[tuple[str, ...], ...]
    """Lawful calls each fold was tested on."""


class NegativeDifficulty(Model):
    """How well shallow learners tell the same fraud calls from different kinds of lawful ones."""

    seeds: tuple[int, ...]
    """Seed of each fold's draws."""
    fraud: int = Field(ge=1)
    """Fraud calls, the same for every tier."""
    train: tuple[int, ...]
    """Calls of each class each fold's settings were tried with; the same number in every tier."""
    validation: tuple[int, ...]
    """Calls of each class they were chosen by; then the learner is trained on both."""
    test: tuple[int, ...]
    """Calls of each class it was tested on."""
    test_ids: tuple[tuple[str, ...], ...]
    """Fraud calls each fold was tested on."""
    tiers: tuple[Tier, ...]
    """The kinds of lawful calls, in the order in which they were given."""


class SeparabilityRow(Model):
    """One set of texts under one learner."""

    name: str
    """Which texts it is tested on."""
    trained_on: str
    """Which texts it is trained on."""
    learner: str
    """The learner, with its settings."""
    groups: int = Field(ge=1)
    """Trees, plots or single calls."""
    metrics: ClassMetrics
    """Figures over all calls, each answered by a learner that saw no call of its group."""


class TreeTransfer(Model):
    """One tree that holds both classes."""

    tree_id: str
    """The tree."""
    calls: int = Field(ge=2)
    """Its calls."""
    held_out: float
    """Fraud F1 on its calls by a learner that was trained on every other tree."""


class Transfer(Model):
    """Leaving whole trees out against leaving out as many calls of all trees."""

    learner: str
    """The learner, with its settings."""
    trees: tuple[TreeTransfer, ...]
    """The trees that were left out in turn; each holds both classes. All others are trained on and never tested."""
    held_out: float
    """Mean fraud F1 over them."""
    leaky: float
    """The same over sets of as many calls of each class, drawn from all these trees, so that siblings are trained on."""
    gap: float
    """leaky - held_out."""


class TreeDistance(Model):
    """Cosine distances between calls of one tree and of different trees."""

    part: Literal["whole", "suffix"]
    """The whole call, or what follows the opening that a tree's calls have in common."""
    encoder: str
    """What made vectors of the texts."""
    calls: int = Field(ge=2)
    """Calls."""
    trees: int = Field(ge=2)
    """Trees."""
    within: float
    """Mean over pairs of calls of one tree."""
    cross: float
    """Mean over pairs of calls of different trees."""
    ratio: float | None
    """cross / within; null where within is 0."""
    shuffled_ratio: float | None
    """The same with tree ids shuffled over the calls: about 1, whatever the calls are."""


class Dependence(Model):
    """How much a property says of the label."""

    name: str
    """The property."""
    observations: int = Field(ge=1)
    """Times it was seen: once in a call, or once in a turn."""
    values: int = Field(ge=1)
    """Different values it has."""
    bits: float
    """Mutual information of property and label, in bits."""
    by_chance: float
    """Mean of the same over the permutations: what a property that says nothing shows with so many values."""
    p_within: float
    """Share of permutations with at least as many bits, labels shuffled inside their trees."""
    p_between: float | None
    """The same with the property's values shuffled from tree to tree; null where it differs inside a tree."""
    permutations: int = Field(ge=1)
    """Permutations behind each share."""


class DuplicatePair(Model):
    """Two calls with nearly the same words."""

    first: str
    """Sample id."""
    second: str
    """Sample id."""
    jaccard: float
    """Jaccard index of their sets of shingles."""
    same_group: bool
    """Whether they are of one tree."""


class NearDuplicates(Model):
    """Pairs of calls whose words are nearly the same."""

    shingle: int = Field(ge=1)
    """Characters in a shingle, punctuation and spaces left out."""
    threshold: float
    """Jaccard index from which on a pair is listed."""
    pairs: int = Field(ge=0)
    """Pairs at or above it."""
    across_groups: int = Field(ge=0)
    """Those of different trees."""
    equal: int = Field(ge=0)
    """Those with equal words."""
    listed: tuple[DuplicatePair, ...]
    """The nearest of them, at most a hundred."""


class AuditReport(Model):
    """What the audits of one set of sibling calls found."""

    format: Literal["ringback-audit-1"] = "ringback-audit-1"
    """Version of this format."""
    seed: int
    """Seed of every draw in it."""
    calls: int = Field(ge=2)
    """Calls that were audited."""
    trees: int = Field(ge=2)
    """Trees they are leaves of."""
    labels: dict[Label, int]
    """Calls by label."""
    oracle: ClassMetrics | None
    """Labels read off the recorded plot actions; null where no reading of actions was given."""
    probes: tuple[Probe, ...]
    """What learners make of the whole call, of its evidence, and of each side door."""
    dependence: tuple[Dependence, ...]
    """What voices and deliveries say of the label."""
    distance: tuple[TreeDistance, ...]
    """How far calls of one tree lie apart."""
    transfer: Transfer
    """What a tree's siblings in training are worth."""
    duplicates: NearDuplicates
    """Nearly equal calls."""


class Verdict(StrEnum):
    """What came of holding a figure against its bound."""

    HOLDS = "holds"
    """Within the bound."""
    BROKEN = "broken"
    """Outside it."""
    CANNOT_TELL = "cannot_tell"
    """The calls are too few to say."""


class AuditCheck(Model):
    """One figure of an audit against its bound."""

    name: str
    """What was held against a bound."""
    verdict: Verdict
    """What came of it."""
    found: str
    """The figure and its bound, in words."""


class MonthAudit(Model):
    """The report of `ringback snapshot audit`: a month's calls before any detector is asked."""

    format: Literal["ringback-month-audit-1"] = "ringback-month-audit-1"
    """Version of this format."""
    snapshot_id: str
    """The month."""
    root_sha256: Sha256 | None
    """Its root hash; null for a build that is not frozen."""
    report: AuditReport
    """Audits of its sibling calls."""
    difficulty: NegativeDifficulty | None
    """Its fraud calls against other kinds of lawful calls; null where they cannot be compared, see the notes."""
    separability: tuple[SeparabilityRow, ...]
    """One learner on words as written, on transcripts and on calls of others, as far as they are there."""
    checks: tuple[AuditCheck, ...]
    """Every figure that has a bound."""
    notes: tuple[str, ...] = ()
    """What could not be done, and why."""
