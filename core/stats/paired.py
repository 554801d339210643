"""Paired comparison: differences within scenarios, on the cases both sides completed.

Repeats are averaged first, over the repeats both sides completed; then agents, and scenarios within agents, are redrawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.stats.bootstrap import Interval, Place, interval

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


def compare(a: Mapping[Place, float], b: Mapping[Place, float], seed: int) -> Comparison:
    """Compare two sides that hold one value per completed case; cases only one side completed are left out."""
    pairs: dict[tuple[str, str], list[float]] = {}
    for place in sorted(a.keys() & b.keys()):
        pairs.setdefault((place.agent, place.scenario), []).append(a[place] - b[place])
    means = {key: sum(values) / len(values) for key, values in pairs.items()}
    places = [Place(agent, scenario, 0) for agent, scenario in means]
    values = list(means.values())
    return Comparison(
        differences=dict(sorted((scenario, value) for (_agent, scenario), value in means.items())),
        interval=interval(places, values, seed),
        wins=sum(value >= TIE for value in values),
        losses=sum(value <= -TIE for value in values),
        ties=sum(abs(value) < TIE for value in values),
    )
