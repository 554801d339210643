"""Paired comparison: differences within scenarios, on the cases both sides completed.

Repeats are averaged first, over the repeats both sides completed; then agents, and scenarios within agents, are redrawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import variance

from core.stats.bootstrap import Interval, Place, interval
from core.stats.precision import agent_error, detectable, half_width, repeat_bound, repeat_spread

TIE = 1e-9
"""A difference smaller than this is a tie."""


@dataclass(frozen=True)
class Comparison:
    """A paired comparison a - b."""

    differences: Mapping[str, float]
    """Scenario to difference, sorted by scenario."""
    interval: Interval | None
    """Mean difference with its interval; None where no scenario was completed by both."""
    wins: int
    """Scenarios where a scored higher."""
    losses: int
    """Scenarios where b scored higher."""
    ties: int
    """Scenarios with a difference below 1e-9."""
    detectable: float | None
    """The smallest true difference found with a power of 0.8 by comparing in pairs; None with fewer than two agents."""
    detectable_unpaired: float | None
    """The same by comparing the two means."""
    repeat_noise: float | None
    """How far the mean moves, at 95 %, for the luck of repeats alone; None where no scenario has two of both."""
    repeat_share: float | None
    """Share, 0 to 1, of the variance of the differences that repeats explain; None where there is none to explain."""


def compare(a: Mapping[Place, float], b: Mapping[Place, float], seed: int) -> Comparison:
    """Compare two sides that hold one value per completed case; cases only one side completed are left out."""
    single = {place: a[place] - b[place] for place in sorted(a.keys() & b.keys())}
    pairs: dict[Place, list[float]] = {}
    for place, difference in single.items():
        pairs.setdefault(Place(place.agent, place.scenario, 0), []).append(difference)
    means = {place: sum(values) / len(values) for place, values in pairs.items()}
    values = list(means.values())
    noise = _noise(single, pairs)
    return Comparison(
        differences=dict(sorted((place.scenario, value) for place, value in means.items())),
        interval=interval(list(means), values, seed),
        wins=sum(value >= TIE for value in values),
        losses=sum(value <= -TIE for value in values),
        ties=sum(abs(value) < TIE for value in values),
        detectable=_detectable((means,), seed),
        detectable_unpaired=_detectable((a, b), seed),
        repeat_noise=None if noise is None else repeat_bound([each / len(noise) ** 2 for each in noise]),
        repeat_share=None if noise is None else _share(sum(noise) / len(noise), values),
    )


def _detectable(sides: Sequence[Mapping[Place, float]], seed: int) -> float | None:
    found = [interval(list(side), list(side.values()), seed) for side in sides]
    halves = [half_width(each) for each in found if each is not None]
    errors = [agent_error(list(side), list(side.values())) for side in sides]
    known = [each for each in (*halves, *errors) if each is not None]
    return detectable(known[: len(sides)], known[len(sides) :]) if len(known) == 2 * len(sides) else None


def _noise(single: Mapping[Place, float], pairs: Mapping[Place, Sequence[float]]) -> list[float] | None:
    """The variance that repeats leave in the difference of each scenario; None where none was repeated."""
    spread = repeat_spread(list(single), list(single.values()))
    return None if spread is None else [spread**2 / len(values) for values in pairs.values()]


def _share(noise: float, values: Sequence[float]) -> float | None:
    whole = variance(values) if len(values) > 1 else 0.0
    return min(1.0, noise / whole) if whole > TIE**2 else None
