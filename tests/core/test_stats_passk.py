"""pass@k and pass^k are the published unbiased estimators."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.stats.passk import mean_pass_at, mean_pass_hat, pass_at, pass_hat


def test_values_computed_by_hand() -> None:
    """Two successes in five repeats, k = 2: of ten pairs, three hold no success and one holds only successes."""
    assert pytest.approx(0.7) == pass_at(2, 5, 2)
    assert pytest.approx(0.1) == pass_hat(2, 5, 2)


def test_both_are_the_success_rate_at_one() -> None:
    """With k = 1 both estimate plain success."""
    assert pytest.approx(0.4) == pass_at(2, 5, 1)
    assert pytest.approx(0.4) == pass_hat(2, 5, 1)


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n), st.integers(1, n))))
def test_they_count_subsets(case: tuple[int, int, int]) -> None:
    """The formulas equal counting all subsets of k repeats."""
    successes, repeats, k = case
    outcomes = [index < successes for index in range(repeats)]
    subsets = list(combinations(outcomes, k))

    assert pytest.approx(sum(any(s) for s in subsets) / len(subsets)) == pass_at(successes, repeats, k)
    assert pytest.approx(sum(all(s) for s in subsets) / len(subsets)) == pass_hat(successes, repeats, k)


def test_scenarios_with_too_few_repeats_are_left_out() -> None:
    """A scenario with one repeat says nothing about k = 2; if none is left the value is null."""
    assert 1.0 == mean_pass_hat([(2, 2), (0, 1)], 2)
    assert 0.5 == mean_pass_at([(2, 2), (0, 1)], 1)
    assert mean_pass_at([(1, 1)], 2) is None


@pytest.mark.parametrize(("successes", "repeats", "k"), [(3, 2, 1), (-1, 2, 1), (1, 2, 3), (1, 2, 0)])
def test_impossible_counts_are_refused(successes: int, repeats: int, k: int) -> None:
    """More successes than repeats, or k outside them, is an error of the caller."""
    with pytest.raises(ValueError, match="need 0 <= successes"):
        pass_at(successes, repeats, k)
