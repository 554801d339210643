"""Class-prior resampling: the stored answers scored again on subsets with other ratios of fraud to lawful calls.

A ratio alone moves F1: whoever calls everything fraud has 0.5 at 1:2 and 0.8 at 2:1, and hears nothing. Recalls and balanced
accuracy must not move but by noise. No detector is asked again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from core.schemas.detections import PriorDraw, PriorResult, Scores
from core.schemas.snapshots import Label
from core.seeds import generator
from core.snapshots.intervals import SEEDS, seed_interval
from core.snapshots.metrics import ScoredCall, metrics_of, prior_baselines, scores_of

RATIOS = ((1, 2), (1, 1), (2, 1))
"""Fraud to lawful calls."""


def can_resample(labels: Mapping[str, Label]) -> bool:
    """Whether there are calls enough for every ratio."""
    return all(_units(labels, fraud, nonfraud) for fraud, nonfraud in RATIOS)


def draw(labels: Mapping[str, Label], ratio: tuple[int, int], seed: int, experiment: str) -> tuple[str, ...]:
    """Sample ids of the largest subset of this ratio, fraud to lawful, drawn without replacement, sorted.

    `labels` maps sample ids to labels, in any order. The draw depends on them, the seed, the ratio and the experiment's name,
    never on an answer, so all detectors of a snapshot are scored on the same calls.

    Raises:
        ValueError: there are too few calls for the ratio.
    """
    units = _units(labels, *ratio)
    if not units:
        raise ValueError(f"too few calls for {ratio[0]} fraud to {ratio[1]} lawful ones: {_sizes(labels)}")
    drawn: list[str] = []
    for label, parts in zip(Label, ratio, strict=True):
        pool = sorted(sample_id for sample_id, found in labels.items() if found == label)
        rng = generator(seed, "class-prior", experiment, f"{ratio[0]}:{ratio[1]}", label.value)
        drawn += [pool[i] for i in rng.permutation(len(pool))[: units * parts]]
    return tuple(sorted(drawn))


def _units(labels: Mapping[str, Label], fraud: int, nonfraud: int) -> int:
    sizes = _sizes(labels)
    return min(sizes[Label.FRAUD] // fraud, sizes[Label.NONFRAUD] // nonfraud)


def _sizes(labels: Mapping[str, Label]) -> dict[Label, int]:
    found = list(labels.values())
    return {label: found.count(label) for label in Label}


def resample(calls: Sequence[ScoredCall], experiment: str) -> tuple[PriorResult, ...]:
    """The answers scored at every ratio over the five seeds.

    Raises:
        ValueError: there are too few calls for a ratio.
    """
    by_id = {call.sample_id: call for call in calls}
    labels = {call.sample_id: call.label for call in calls}
    return tuple(_at_ratio(by_id, labels, ratio, experiment) for ratio in RATIOS)


def _at_ratio(
    by_id: Mapping[str, ScoredCall], labels: Mapping[str, Label], ratio: tuple[int, int], experiment: str
) -> PriorResult:
    draws = []
    for seed in SEEDS:
        ids = draw(labels, ratio, seed, experiment)
        draws.append(PriorDraw(seed=seed, sample_ids=ids, scores=scores_of(metrics_of([by_id[i] for i in ids]))))
    values = {name: [getattr(one.scores, name) for one in draws] for name in Scores.model_fields}
    n = len(draws[0].sample_ids)
    units = n // sum(ratio)
    return PriorResult(
        fraud=ratio[0],
        nonfraud=ratio[1],
        n=n,
        draws=tuple(draws),
        mean=Scores.model_validate({name: math.fsum(of) / len(of) for name, of in values.items()}),
        intervals={name: seed_interval(of) for name, of in values.items()},
        baselines=prior_baselines(ratio[0] * units, ratio[1] * units),
    )
