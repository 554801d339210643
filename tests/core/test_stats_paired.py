"""Paired comparisons look at differences within scenarios, repeats averaged first."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.stats.bootstrap import Place
from core.stats.paired import compare


def _place(scenario: str, repeat: int = 0, agent: str = "a") -> Place:
    return Place(agent, scenario, repeat)


def test_only_cases_both_completed_count() -> None:
    """A scenario one side did not complete is in neither the mean nor the counts."""
    result = compare({_place("s"): 60.0, _place("t"): 90.0}, {_place("s"): 50.0}, 1)

    assert {"s": 10.0} == dict(result.differences)
    assert (1, 0, 0) == (result.wins, result.losses, result.ties)


def test_repeats_are_averaged_before_anything_else() -> None:
    """Hand-computed: scenario s differs by 10 and 30, mean 20; t by 0; the mean of both is 10, not the mean of three cases."""
    a = {_place("s", 0): 60.0, _place("s", 1): 80.0, _place("t", 0): 40.0}
    b = {_place("s", 0): 50.0, _place("s", 1): 50.0, _place("t", 0): 40.0}
    result = compare(a, b, 1)

    assert {"s": 20.0, "t": 0.0} == dict(result.differences)
    assert result.interval is not None
    assert 10.0 == result.interval.mean
    assert (1, 0, 1) == (result.wins, result.losses, result.ties)


def test_a_repeat_only_one_side_completed_is_left_out() -> None:
    """Repeats are paired with themselves: repeat 1 of b has no partner."""
    result = compare({_place("s", 0): 60.0}, {_place("s", 0): 50.0, _place("s", 1): 0.0}, 1)

    assert {"s": 10.0} == dict(result.differences)


@pytest.mark.parametrize(
    ("difference", "expected"),
    [(0.0, (0, 0, 1)), (9.9e-10, (0, 0, 1)), (-9.9e-10, (0, 0, 1)), (2e-9, (1, 0, 0)), (-2e-9, (0, 1, 0))],
)
def test_differences_below_a_billionth_are_ties(difference: float, expected: tuple[int, int, int]) -> None:
    """SPEC 6: tie = |d| < 1e-9."""
    result = compare({_place("s"): difference}, {_place("s"): 0.0}, 1)

    assert expected == (result.wins, result.losses, result.ties)


def test_nothing_in_common_gives_no_mean() -> None:
    """Without a common case there is no difference, rather than 0."""
    result = compare({_place("s"): 1.0}, {_place("t"): 1.0}, 1)

    assert result.interval is None
    assert (0, 0, 0) == (result.wins, result.losses, result.ties)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), min_size=2, max_size=8))
def test_swapping_sides_mirrors_the_comparison(pairs: list[tuple[float, float]]) -> None:
    """b - a has the opposite mean, mirrored ends and swapped wins and losses."""
    a = {_place(f"s{i}", agent=f"a{i % 2}"): x for i, (x, _y) in enumerate(pairs)}
    b = {_place(f"s{i}", agent=f"a{i % 2}"): y for i, (_x, y) in enumerate(pairs)}
    forth, back = compare(a, b, 1), compare(b, a, 1)

    assert (forth.wins, forth.losses, forth.ties) == (back.losses, back.wins, back.ties)
    assert forth.interval is not None
    assert back.interval is not None
    assert pytest.approx(-back.interval.mean, abs=1e-9) == forth.interval.mean
    assert back.interval.high is not None
    assert pytest.approx(-back.interval.high, abs=1e-6) == forth.interval.low


def _repeated(a: list[float]) -> dict[Place, float]:
    """Two repeats of one scenario of each of two agents."""
    return dict(zip([_place("s"), _place("s", 1), _place("t", 0, "b"), _place("t", 1, "b")], a, strict=True))


def test_what_repeats_do_to_a_difference_by_hand() -> None:
    """Differences 10 and 14 in s, 20 and 24 in t: repeats spread by the root of 8, so each mean of two has a variance of 4, the
    mean of both scenarios one of 2, and 4 of the variance of 50 between the means 12 and 22 is the luck of repeats."""
    result = compare(_repeated([10.0, 14.0, 20.0, 24.0]), _repeated([0.0, 0.0, 0.0, 0.0]), 1)

    assert 1.959964 * 2**0.5 == pytest.approx(result.repeat_noise)
    assert 0.08 == pytest.approx(result.repeat_share)


def test_noise_that_both_sides_share_cancels() -> None:
    """Where each repeat moves both sides alike, the differences of a scenario are equal and no noise is left in them."""
    result = compare(_repeated([13.0, 7.0, 24.0, 36.0]), _repeated([3.0, -3.0, 4.0, 16.0]), 1)

    assert (0.0, 0.0) == (result.repeat_noise, result.repeat_share)


def test_without_repeats_noise_is_unknown() -> None:
    """Null, not 0; and equal differences leave no variance to share."""
    result = compare({_place("s"): 5.0, _place("t"): 9.0}, {_place("s"): 1.0, _place("t"): 5.0}, 1)
    still = compare(_repeated([1.0] * 4), _repeated([1.0] * 4), 1)

    assert (None, None) == (result.repeat_noise, result.repeat_share)
    assert (0.0, None) == (still.repeat_noise, still.repeat_share)


def test_pairs_find_smaller_differences_than_means() -> None:
    """Scenarios differ by far more than candidates: in pairs that variance cancels, and equal differences find anything."""
    places = [_place(f"s{n}", 0, f"a{n}") for n in range(12)]
    a = {place: 8.0 * n for n, place in enumerate(places)}
    noisy = {place: 8.0 * n - 3.0 - n % 2 for n, place in enumerate(places)}
    result, exact = compare(a, noisy, 1), compare(a, {place: value - 3.0 for place, value in a.items()}, 1)

    assert result.detectable is not None
    assert result.detectable_unpaired is not None
    assert 0 < 10 * result.detectable < result.detectable_unpaired
    assert 0.0 == exact.detectable


def test_one_agent_finds_nothing() -> None:
    """How agents vary is unknown."""
    result = compare({_place("s"): 5.0, _place("t"): 9.0}, {_place("s"): 1.0, _place("t"): 2.0}, 1)

    assert (None, None) == (result.detectable, result.detectable_unpaired)
