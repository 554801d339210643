"""Intervals by hierarchical bootstrap: redraw agents, then scenarios within agents, then repeats within scenarios.

Scenarios that share one long set of instructions are not independent samples, and repeats of one scenario even less; a
bootstrap over cases alone would pretend they are and is not offered.

The estimator is the unweighted mean over the redrawn cases. A sample draws A agents with replacement from the A agents;
each drawn agent draws as many scenarios, with replacement, as it has, and each drawn scenario as many repeats. Every level is
drawn for many samples at once, and counted: a sample is how often each case was drawn, and all samples of one measure are one
matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.seeds import generator

SAMPLES = 2000
"""Bootstrap samples behind every interval."""

LEVEL = 0.95
"""Share of samples inside the interval."""

CHUNK = 200_000
"""Cases drawn at once, which bounds the memory that drawing takes."""

METHOD = f"hierarchical-percentile-{SAMPLES}-v2"
"""Name and version of this method, for signatures."""


class Place(NamedTuple):
    """Where a value stands in the hierarchy."""

    agent: str
    scenario: str
    repeat: int


@dataclass(frozen=True)
class Interval:
    """A mean and its percentile interval."""

    mean: float
    """Unweighted mean of the values."""
    low: float | None
    """Lower end; null for fewer than two values, which say nothing about spread."""
    high: float | None
    """Upper end."""


def interval(places: Sequence[Place], values: Sequence[float], seed: int) -> Interval | None:
    """Mean and 95 % hierarchical bootstrap interval of `values` at `places`; None where there are none.

    `places` names each case once, in any order, and `values[i]` stands at `places[i]`; the order does not matter. Raises
    ValueError on a repeated place or a wrong number of values.
    """
    if len(values) != len(places):
        raise ValueError(f"{len(values)} values for {len(places)} places")
    if len(set(places)) != len(places):
        raise ValueError("a case appears twice among the places of a bootstrap")
    if not values:
        return None
    pairs = sorted(zip(places, values, strict=True))
    data = np.array([value for _place, value in pairs], dtype=np.float64)
    # Taken from the first value, so that equal values have exactly their own mean and an interval of no width.
    origin = float(data[0])
    shifted = data - origin
    mean = origin + math.fsum(shifted.tolist()) / len(data)
    if len(data) < 2:
        return Interval(mean, None, None)
    counts = sample_counts(tuple(place for place, _value in pairs), seed)
    means = origin + _sums(counts, shifted) / counts.sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(mean, float(low), float(high))


def _sums(counts: npt.NDArray[np.uint16], values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The sum of each sample, some samples at a time, since counts are made as wide as values for the product."""
    step = max(1, CHUNK // len(values))
    return np.concatenate([counts[start : start + step] @ values for start in range(0, len(counts), step)])


@lru_cache(maxsize=2)
def sample_counts(places: tuple[Place, ...], seed: int) -> npt.NDArray[np.uint16]:
    """How often each case is drawn in each sample, shape (SAMPLES, cases), for sorted places.

    Kept for a while, since several measures of a run stand on the same cases, and two bytes wide, since a run may hold thousands:
    a case is drawn once in a sample on average, and never tens of thousands of times.
    """
    counts = _draw(places, generator(seed, "bootstrap"))
    counts.setflags(write=False)
    return counts


def _draw(places: Sequence[Place], rng: np.random.Generator) -> npt.NDArray[np.uint16]:
    agents = _Level.of([place.agent for place in places])
    scenarios = _Level.of([(place.agent, place.scenario) for place in places])
    # Agents hold scenarios, and scenarios hold cases: the first level is counted in scenarios, the second in cases.
    first = np.searchsorted(scenarios.first, agents.first)
    inside = _Level(first, np.diff(first, append=len(scenarios.first)))
    counts = np.empty((SAMPLES, len(places)), dtype=np.uint16)
    step = max(1, CHUNK // len(places))
    for start in range(0, SAMPLES, step):
        samples = min(step, SAMPLES - start)
        sample = np.repeat(np.arange(samples), len(agents.first))
        drawn = rng.integers(len(agents.first), size=len(sample))
        for level in (inside, scenarios):
            drawn, sample = level.draw(drawn, sample, rng)
        cells = np.bincount(sample * len(places) + drawn, minlength=samples * len(places))
        counts[start : start + samples] = cells.reshape(samples, len(places))
    return counts


class _Level(NamedTuple):
    """What each group of one level holds: members `first` to `first + size - 1`."""

    first: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]

    @classmethod
    def of(cls, names: Sequence[object]) -> _Level:
        """The runs of equal names."""
        first = np.array([i for i, name in enumerate(names) if i == 0 or names[i - 1] != name], dtype=np.int64)
        return cls(first, np.diff(first, append=len(names)))

    def draw(
        self, groups: npt.NDArray[np.int64], sample: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """From each drawn group as many members, with replacement, as it has; with the sample that each belongs to."""
        size = self.size[groups]
        first, width = np.repeat(self.first[groups], size), np.repeat(size, size)
        return first + (rng.random(len(first)) * width).astype(np.int64), np.repeat(sample, size)
