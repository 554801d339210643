"""Intervals of a snapshot's figures: over trees for the snapshot itself, over seeds for resampled subsets.

Calls of one tree share participants, opening and risk words, so a detector tends to be right or wrong on all of them; a bootstrap
over calls would pretend that they are independent. Trees are redrawn whole, with replacement. They are stratified by the classes
they hold (both, fraud alone, lawful alone), as many from each stratum as it has, so that no sample lacks a class of the snapshot.
The interval is the 2.5 % and 97.5 % percentile of the figure over the samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.schemas.detections import Interval, Scores
from core.seeds import generator
from core.snapshots.metrics import COUNTS, Numbers, ScoredCall, outcomes, rates

SAMPLES = 2000
"""Bootstrap samples behind every interval over trees."""

TREES_METHOD = f"tree-stratified-percentile-{SAMPLES}-v1"
"""Name and version of the bootstrap over trees."""

SEEDS = (13, 29, 47, 71, 97)
"""The five frozen seeds of every resampling."""

SEEDS_METHOD = f"t-{len(SEEDS)}-seeds-v1"
"""Name and version of the interval over seeds."""

T_QUANTILE = 2.7764451051977987
"""97.5 % point of Student's t with four degrees of freedom."""


def tree_intervals(calls: Sequence[ScoredCall], seed: int) -> dict[str, Interval]:
    """95 % interval of each figure of Scores by bootstrap over trees; empty for a single tree, which says nothing about spread.

    Samples depend on the seed, the trees and their classes, not on the answers nor on the order of calls, so detectors of one
    snapshot share them. Raises ValueError where there are no calls.
    """
    columns = outcomes([call.label for call in calls], [call.answer for call in calls])
    trees, tree = np.unique([call.tree_id for call in calls], return_inverse=True)
    if len(trees) < 2:
        return {}
    cells = np.bincount(tree * len(COUNTS) + columns, minlength=len(trees) * len(COUNTS))
    counts = cells.reshape(len(trees), len(COUNTS)).astype(np.float64)
    figures = rates(_times_drawn(_strata(counts), seed) @ counts)
    names = list(Scores.model_fields)
    low, high = np.quantile(np.stack([figures[name] for name in names]), [0.025, 0.975], axis=1)
    return {name: Interval(low=float(low[row]), high=float(high[row]), method=TREES_METHOD) for row, name in enumerate(names)}


def _strata(counts: Numbers) -> npt.NDArray[np.int64]:
    """For each tree which classes it holds: 1 fraud, 2 lawful, 3 both."""
    tp, tn, fp, fn, fraud_errors, nonfraud_errors = counts.T
    fraud, nonfraud = tp + fn + fraud_errors > 0, tn + fp + nonfraud_errors > 0
    return np.asarray(fraud + 2 * nonfraud, dtype=np.int64)


def _times_drawn(strata: npt.NDArray[np.int64], seed: int) -> Numbers:
    """How often each tree is drawn in each sample, shape (SAMPLES, trees)."""
    rng = generator(seed, "tree-bootstrap")
    drawn = np.zeros((SAMPLES, len(strata)))
    for stratum in np.unique(strata):
        members = np.flatnonzero(strata == stratum)
        picks = rng.integers(len(members), size=(SAMPLES, len(members)))
        cells = np.arange(SAMPLES)[:, None] * len(members) + picks
        drawn[:, members] = np.bincount(cells.ravel(), minlength=cells.size).reshape(SAMPLES, len(members))
    return drawn


def seed_interval(values: Sequence[float]) -> Interval:
    """95 % t-interval of the mean over the five seeds, cut to 0..1, where every figure lies; equal values give one of no width.

    Raises:
        ValueError: not one value per seed.
    """
    if len(values) != len(SEEDS):
        raise ValueError(f"{len(values)} values for the seeds {', '.join(map(str, SEEDS))}: give one each")
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
    half = T_QUANTILE * deviation / math.sqrt(len(values))
    return Interval(low=max(0.0, mean - half), high=min(1.0, mean + half), method=SEEDS_METHOD)
