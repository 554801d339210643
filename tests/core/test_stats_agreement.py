"""Agreement beyond chance: published examples to their printed digits, and what must hold of every table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.schemas.agreement import Metric, Weights
from core.stats.agreement import Matrix, alpha, coincidences, confusion, estimate, kappa, raw_agreement
from core.stats.bootstrap import Interval, Place

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", sections C to E: four observers, twelve units, missing values.
FOUR = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
UNITS = [[value - 1 for value in unit if value is not None] for unit in zip(*FOUR, strict=True)]


@pytest.mark.parametrize(("metric", "published"), [(Metric.NOMINAL, 0.743), (Metric.ORDINAL, 0.815), (Metric.INTERVAL, 0.849)])
def test_alpha_of_four_observers_with_missing_values(metric: Metric, published: float) -> None:
    """Krippendorff 2011: nominal 0.743, ordinal 0.815, interval 0.849."""
    assert published == pytest.approx(float(alpha(coincidences(UNITS, 5), metric)), abs=0.0005)


def test_alpha_of_two_observers() -> None:
    """Krippendorff 2011, sections A (two values, 0.095) and B (five values, 0.692)."""
    binary = list(zip(map(int, "0100000010"), map(int, "1110010000"), strict=True))
    words = [("abcde".index(a), "abcde".index(b)) for a, b in zip("aabbdcccedda", "babbbccceddd", strict=True)]

    assert 0.095 == pytest.approx(float(alpha(coincidences(binary, 2), Metric.NOMINAL)), abs=0.0005)
    assert 0.692 == pytest.approx(float(alpha(coincidences(words, 5), Metric.NOMINAL)), abs=0.0005)


def test_kappa_of_two_raters() -> None:
    """Fleiss, Levin and Paik 2003, "Statistical Methods for Rates and Proportions", table 18.1: kappa 0.676, agreement 0.89."""
    table = np.array([[75.0, 1, 4], [5, 4, 1], [0, 0, 10]])

    assert 0.676 == pytest.approx(float(kappa(table, Weights.NOMINAL)), abs=0.0005)
    assert 0.89 == pytest.approx(float(raw_agreement(table)))


@pytest.mark.parametrize(
    ("weights", "published"), [(Weights.NOMINAL, 0.4728), (Weights.LINEAR, 0.5684), (Weights.QUADRATIC, 0.6714)]
)
def test_weighted_kappa(weights: Weights, published: float) -> None:
    """Two radiologists, 85 mammograms, four ordered values: the Stata reference manual's `kap`, `wgt(w)` and `wgt(w2)`."""
    table = np.array([[21.0, 12, 0, 0], [4, 17, 1, 0], [3, 9, 15, 2], [0, 0, 0, 1]])

    assert published == pytest.approx(float(kappa(table, weights)), abs=0.00005)


PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40)


@given(PAIRS)
def test_agreement_does_not_depend_on_who_is_first(pairs: list[tuple[int, int]]) -> None:
    """Every measure is the same with the two raters exchanged, and at most 1; raw agreement is the share of equal pairs."""
    table = confusion(pairs, 5)
    for weights in Weights:
        one, other = float(kappa(table, weights)), float(kappa(table.T, weights))
        assert math.isnan(one) == math.isnan(other)
        assert math.isnan(one) or (one == pytest.approx(other) and one <= 1.0)
    assert sum(a == b for a, b in pairs) / len(pairs) == pytest.approx(float(raw_agreement(table)))


@given(PAIRS)
def test_all_equal_is_one_or_undefined(pairs: list[tuple[int, int]]) -> None:
    """Raters who always say the same agree wholly; where they only ever said one thing, nothing can be said."""
    same = [(first, first) for first, _second in pairs]
    table, together = confusion(same, 5), coincidences(same, 5)
    defined = len({first for first, _second in same}) > 1

    for found in [*(kappa(table, weights) for weights in Weights), *(alpha(together, metric) for metric in Metric)]:
        assert (float(found) == pytest.approx(1.0)) if defined else math.isnan(float(found))


def test_samples_are_computed_as_one_by_one() -> None:
    """Leading axes are samples: a stack of tables gives what each table gives alone."""
    rng = np.random.Generator(np.random.PCG64(1))
    tables = rng.integers(0, 9, size=(7, 5, 5)).astype(np.float64)
    symmetric = tables + tables.transpose(0, 2, 1)

    for weights in Weights:
        assert [float(kappa(table, weights)) for table in tables] == pytest.approx(kappa(tables, weights).tolist())
    for metric in Metric:
        assert [float(alpha(table, metric)) for table in symmetric] == pytest.approx(alpha(symmetric, metric).tolist())


def test_the_interval_redraws_cases_not_items() -> None:
    """Two calls of which one agrees wholly and one never: the interval reaches both, however many items the calls hold."""
    places = [Place("a", "one", 0), Place("b", "two", 0)]
    tables = [confusion([(0, 0), (1, 1)] * 50, 2), confusion([(0, 1), (1, 0)] * 50, 2)]
    found = estimate(raw_agreement, places, tables, seed=1)

    assert found is not None
    assert (0.5, 0.0, 1.0) == (found.mean, found.low, found.high)
    assert found == estimate(raw_agreement, places[::-1], tables[::-1], seed=1)


def test_no_interval_without_a_measure_or_a_second_case() -> None:
    """Undefined is None; one case has no interval; samples that leave the measure undefined are left out of it."""
    constant, mixed = confusion([(0, 0)], 2), confusion([(0, 0), (1, 1)], 2)
    place, other = Place("a", "one", 0), Place("a", "two", 0)
    one = estimate(raw_agreement, [place], [mixed], seed=1)
    some = estimate(_nominal_kappa, [place, other], [constant, confusion([(1, 1)], 2)], seed=1)

    assert estimate(_nominal_kappa, [place], [constant], seed=1) is None
    assert Interval(1.0, None, None) == one
    assert Interval(1.0, 1.0, 1.0) == some


def _nominal_kappa(table: Matrix) -> Matrix:
    return kappa(table, Weights.NOMINAL)
