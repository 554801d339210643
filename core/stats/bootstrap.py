"""Intervals by hierarchical bootstrap: redraw agents, then scenarios within agents, then repeats within scenarios.

Scenarios that share one long set of instructions are not independent samples, and repeats of one scenario even less; a
bootstrap over cases alone would pretend they are and is not offered.

The estimator is the unweighted mean over the redrawn cases. A sample draws A agents with replacement from the A agents;
each drawn agent draws as many scenarios, with replacement, as it has, and each drawn scenario as many repeats. Drawing the
same agent c times and S scenarios each time is the same as drawing c * S scenarios once, so a sample is a vector of counts
over cases drawn from nested multinomial distributions, and all samples of one measure are one matrix product.
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

METHOD = f"hierarchical-percentile-{SAMPLES}-v1"
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
    means = origin + (counts @ shifted) / counts.sum(axis=1)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(mean, float(low), float(high))


@lru_cache(maxsize=16)
def sample_counts(places: tuple[Place, ...], seed: int) -> npt.NDArray[np.float64]:
    """How often each case is drawn in each sample, shape (SAMPLES, cases), for sorted places.

    Kept for a while, since many measures of a run stand on the same cases.
    """
    counts = _draw(places, generator(seed, "bootstrap"))
    counts.setflags(write=False)
    return counts


def _draw(places: Sequence[Place], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    agents = _groups([place.agent for place in places])
    counts = np.zeros((SAMPLES, len(places)))
    drawn_agents = rng.multinomial(len(agents), [1 / len(agents)] * len(agents), size=SAMPLES)
    for column, (start, stop) in enumerate(agents):
        scenarios = _groups([place.scenario for place in places[start:stop]])
        drawn = _uniform(drawn_agents[:, column] * len(scenarios), len(scenarios), rng)
        for position, (first, last) in enumerate(scenarios):
            repeats = last - first
            counts[:, start + first : start + last] = _uniform(drawn[:, position] * repeats, repeats, rng)
    return counts


def _uniform(draws: npt.NDArray[np.int64], cells: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """For each sample, `draws` balls into equal `cells`."""
    if cells == 1:
        return draws[:, np.newaxis]
    return rng.multinomial(draws, [1 / cells] * cells)


def _groups(names: Sequence[str]) -> list[tuple[int, int]]:
    """Start and stop of each run of equal names."""
    starts = [index for index, name in enumerate(names) if index == 0 or names[index - 1] != name]
    return list(zip(starts, [*starts[1:], len(names)], strict=True))
