"""What a run can show: the smallest difference it would find, and what repeats alone do to one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stats.bootstrap import Interval, Place, interval
from core.stats.precision import agent_error, detectable, half_width, repeat_bound, repeat_spread


def _grid(agents: int, scenarios: int, repeats: int = 1) -> list[Place]:
    return [Place(f"a{a:02}", f"a{a:02}-s{s}", r) for a in range(agents) for s in range(scenarios) for r in range(repeats)]


def test_the_error_is_that_of_the_means_of_equal_agents() -> None:
    """With agents of one size, the textbook error of their means: SD of (40, 50, 90) over the root of three."""
    values = [30.0, 50.0, 50.0, 50.0, 90.0, 90.0]
    error = agent_error(_grid(3, 2), values)

    assert np.std([40.0, 50.0, 90.0], ddof=1) / math.sqrt(3) == pytest.approx(error)


def test_scenarios_that_repeat_their_agent_add_nothing() -> None:
    """Ten equal scenarios of each agent are no more than one: the error does not shrink."""
    once, tenfold = agent_error(_grid(2, 1), [0.0, 100.0]), agent_error(_grid(2, 10), [0.0] * 10 + [100.0] * 10)

    assert 50.0 == once == pytest.approx(tenfold)


def test_one_agent_has_no_error() -> None:
    """Nothing is known of how agents vary."""
    assert agent_error(_grid(1, 5), [1.0, 2.0, 3.0, 4.0, 5.0]) is None
    assert agent_error([], []) is None


def test_the_detectable_difference_by_hand() -> None:
    """Half the interval, and 0.8416 standard errors (the 80 % point of the normal distribution) beyond it."""
    assert 3.0 + 0.8416 * 1.5 == pytest.approx(detectable([3.0], [1.5]), abs=1e-4)
    assert 5.0 + 0.8416 * 13.0 == pytest.approx(detectable([3.0, 4.0], [5.0, 12.0]), abs=1e-3)


def test_a_difference_of_that_size_is_found_in_four_of_five_comparisons() -> None:
    """300 simulated comparisons of 30 agents with 5 scenarios each: the interval excludes none in about 80 % of them."""
    rng = np.random.default_rng(11)
    places, found = _grid(30, 5), 0
    draws = [np.repeat(rng.normal(size=30), 5) + rng.normal(size=150) for _ in range(300)]
    known = [interval(places, draw.tolist(), 1) for draw in draws]
    sizes = [
        detectable([half_width(each) or 0.0], [agent_error(places, draw.tolist()) or 0.0])
        for each, draw in zip(known, draws, strict=True)
        if each
    ]
    effect = float(np.mean(sizes))
    for each in known:
        assert each is not None
        assert each.low is not None
        found += each.low + effect > 0

    assert 0.73 < found / 300 < 0.87


def test_repeats_spread_around_their_own_scenario() -> None:
    """By hand: squares 2 and 8 around two means, over one and one degrees of freedom; scenarios' own levels do not count."""
    assert math.sqrt(5.0) == repeat_spread(_grid(1, 2, 2), [10.0, 12.0, 90.0, 94.0])
    assert 0.0 == repeat_spread(_grid(1, 2, 2), [10.0, 10.0, 90.0, 90.0])
    assert repeat_spread(_grid(2, 2), [1.0, 2.0, 3.0, 4.0]) is None
    assert repeat_spread([], []) is None


@given(st.lists(st.floats(0, 100), min_size=4, max_size=4), st.floats(-50, 50))
def test_moving_a_scenario_moves_no_spread(values: list[float], shift: float) -> None:
    """What a scenario is worth on average is no repeat noise."""
    places = _grid(1, 2, 2)
    moved = [values[0] + shift, values[1] + shift, *values[2:]]

    assert repeat_spread(places, values) == pytest.approx(repeat_spread(places, moved), abs=1e-6)


def test_what_repeats_do_to_a_difference() -> None:
    """1.96 standard deviations of the sum of both sides' variances."""
    assert 1.95996 * 5.0 == pytest.approx(repeat_bound([9.0, 16.0]), abs=1e-3)
    assert 0.0 == repeat_bound([0.0, 0.0])


def test_half_of_an_interval() -> None:
    """Null where there is none."""
    assert 2.0 == half_width(Interval(5.0, 4.0, 8.0))
    assert half_width(Interval(5.0, None, None)) is None
