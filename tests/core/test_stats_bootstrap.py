"""Intervals are drawn hierarchically, deterministically, and never pretend to more than the data holds."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.stats.bootstrap import Interval, Place, interval, sample_counts

SEED = 7


def _grid(agents: int, scenarios: int, repeats: int) -> list[Place]:
    return [Place(f"a{a}", f"a{a}-s{s}", r) for a in range(agents) for s in range(scenarios) for r in range(repeats)]


def test_nothing_gives_no_interval() -> None:
    """No cases: no mean, rather than 0."""
    assert interval([], [], SEED) is None


def test_one_case_has_a_mean_but_no_interval() -> None:
    """A single case says nothing about spread, so both ends are null."""
    assert Interval(42.0, None, None) == interval([Place("a", "s", 0)], [42.0], SEED)


def test_a_repeated_case_is_refused() -> None:
    """The same scenario and repeat given twice would be counted as two draws."""
    with pytest.raises(ValueError, match="appears twice"):
        interval([Place("a", "s", 0), Place("a", "s", 0)], [1.0, 1.0], SEED)


def test_a_wrong_number_of_values_is_refused() -> None:
    """Every place has exactly one value."""
    with pytest.raises(ValueError, match="1 values for 2 places"):
        interval(_grid(1, 2, 1), [1.0], SEED)


def test_two_agents_give_the_hand_computed_interval() -> None:
    """Two agents with one scenario each: sample means are 0, 50, 100 with probability 1/4, 1/2, 1/4, so the 2.5 % and
    97.5 % points are the extremes."""
    assert Interval(50.0, 0.0, 100.0) == interval([Place("a", "s", 0), Place("b", "t", 0)], [0.0, 100.0], SEED)


def test_the_share_of_sample_means_is_the_binomial_one() -> None:
    """Hand-computed: with two agents of one scenario each, each agent is drawn twice in a quarter of the 2,000 samples."""
    counts = sample_counts((Place("a", "s", 0), Place("b", "t", 0)), SEED)

    assert (2000, 2) == counts.shape
    assert abs(float(np.mean(counts[:, 0] == 2)) - 0.25) < 0.03
    assert np.all(counts.sum(axis=1) == 2)


def test_agents_are_the_first_level() -> None:
    """Ten equal scenarios per agent do not shrink the interval: the agents are what varies. A flat bootstrap over these
    twenty cases would give about +-21 around 50; here both ends are the agents' own values."""
    places = _grid(2, 10, 1)
    values = [0.0 if place.agent == "a0" else 100.0 for place in places]

    assert Interval(50.0, 0.0, 100.0) == interval(places, values, SEED)


def test_repeats_vary_inside_their_scenario() -> None:
    """One agent, one scenario, two repeats: sample means are 0, 50, 100, from the repeats alone."""
    assert Interval(50.0, 0.0, 100.0) == interval(_grid(1, 1, 2), [0.0, 100.0], SEED)


def test_samples_spread_as_a_literal_resampling() -> None:
    """Samples drawn together spread as a plain loop does that redraws agents, scenarios and repeats; groups differ in size."""
    rng = np.random.default_rng(3)
    tree = {f"a{a}": {f"a{a}-s{s}": list(range(1 + (a + s) % 3)) for s in range(1 + a)} for a in range(4)}
    places = tuple(Place(a, s, r) for a, scenarios in tree.items() for s, repeats in scenarios.items() for r in repeats)
    values = dict(zip(places, rng.normal(50, 20, len(places)), strict=True))
    means = []
    for _ in range(2500):
        drawn = []
        for a in rng.choice(list(tree), len(tree)):
            for s in rng.choice(list(tree[a]), len(tree[a])):
                drawn += [values[Place(str(a), str(s), int(r))] for r in rng.choice(tree[a][s], len(tree[a][s]))]
        means.append(float(np.mean(drawn)))
    counts = sample_counts(places, SEED)
    found = counts @ np.array(list(values.values())) / counts.sum(axis=1)

    assert np.mean(means) == pytest.approx(np.mean(found), abs=0.8)
    assert np.std(means) == pytest.approx(np.std(found), abs=0.6)


@settings(deadline=None, max_examples=30)
@given(st.floats(-1e6, 1e6, allow_nan=False), st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))
def test_equal_values_have_an_interval_of_no_width(value: float, agents: int, scenarios: int, repeats: int) -> None:
    """For constant data mean and both ends are exactly the constant."""
    places = _grid(agents, scenarios, repeats)
    found = interval(places, [value] * len(places), SEED)

    assert found is not None
    assert value == found.mean
    assert {value} >= {found.low, found.high} - {None}


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_the_order_of_cases_does_not_matter(data: st.DataObject) -> None:
    """Shuffled cases give the same interval, bit for bit."""
    places = _grid(3, 2, 2)
    values = data.draw(st.lists(st.floats(0, 100), min_size=len(places), max_size=len(places)))
    order = data.draw(st.permutations(range(len(places))))

    expected = interval(places, values, SEED)
    actual = interval([places[i] for i in order], [values[i] for i in order], SEED)

    assert expected == actual


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 100), min_size=12, max_size=12))
def test_ends_lie_within_the_data(values: list[float]) -> None:
    """A percentile of means of the data cannot leave the data's range, and low is not above high."""
    found = interval(_grid(3, 2, 2), values, SEED)

    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


def test_another_process_gives_the_same_interval() -> None:
    """No hash seed and no global generator decides anything."""
    code = (
        "from core.stats.bootstrap import Place, interval;"
        "print(repr(interval([Place(f'a{i%3}', f's{i}', 0) for i in range(12)], [float(i*i) for i in range(12)], 7)))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1")
    }

    assert 1 == len(outputs)
    assert "Interval(mean=" in outputs.pop()


def test_another_seed_gives_other_samples() -> None:
    """The seed is used."""
    places, values = _grid(4, 3, 1), [float(i * i) for i in range(12)]

    assert interval(places, values, 1) != interval(places, values, 2)
