"""How small a difference a run can show, and how much of a difference is the luck of its repeats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import numpy as np

from core.stats.bootstrap import Interval, Place

POWER = 0.8
"""Share of comparisons in which a true difference as large as the detectable one is found."""

_Z_POWER = NormalDist().inv_cdf(POWER)
_Z_INTERVAL = NormalDist().inv_cdf(0.975)


def agent_error(places: Sequence[Place], values: Sequence[float]) -> float | None:
    """Standard error of the unweighted mean, from the variance between agents; None with fewer than two agents.

    It is the linearised error of a mean over clusters of any size, (A / (A - 1) * sum_a (n_a (m_a - m))^2)^0.5 / N.
    """
    sums: dict[str, list[float]] = {}
    mean = math.fsum(values) / len(values) if values else 0.0
    for place, value in zip(places, values, strict=True):
        sums.setdefault(place.agent, []).append(value - mean)
    if len(sums) < 2:
        return None
    squares = math.fsum(math.fsum(each) ** 2 for each in sums.values())
    return math.sqrt(squares * len(sums) / (len(sums) - 1)) / len(values)


def detectable(halves: Iterable[float], errors: Iterable[float]) -> float:
    """The true difference of two means that their 95 % interval tells from none in 80 % of comparisons, 0 and up.

    `halves` are half widths of the intervals of both sides, or of the one interval of paired differences; `errors` the standard
    errors between agents. An effect is found where it lies beyond half the interval; the chance of that moves by the true error.
    """
    return math.hypot(*halves) + _Z_POWER * math.hypot(*errors)


def half_width(found: Interval) -> float | None:
    """Half the width of an interval; None where there is none."""
    return None if found.low is None or found.high is None else (found.high - found.low) / 2


def repeat_spread(places: Sequence[Place], values: Sequence[float]) -> float | None:
    """Standard deviation of repeats within their scenario, pooled over scenarios; None where none was repeated."""
    groups: dict[tuple[str, str], list[float]] = {}
    for place, value in zip(places, values, strict=True):
        groups.setdefault((place.agent, place.scenario), []).append(value)
    freedom = sum(len(group) - 1 for group in groups.values())
    if not freedom:
        return None
    squares = math.fsum(float(np.var(group)) * len(group) for group in groups.values())
    return math.sqrt(squares / freedom)


def repeat_bound(variances: Iterable[float]) -> float:
    """What repeats alone do to a difference, at 95 %: 1.96 standard deviations of the sum of `variances`."""
    return _Z_INTERVAL * math.sqrt(math.fsum(variances))
