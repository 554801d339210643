"""Intervals know that calls of a tree are alike, and resampled subsets have the ratio, the calls and the answers they claim."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.schemas.detections import Baseline, Interval, Scores
from core.schemas.snapshots import Label
from core.snapshots.intervals import SEEDS, SEEDS_METHOD, TREES_METHOD, seed_interval, tree_intervals
from core.snapshots.metrics import ScoredCall, metrics_of, scores_of
from core.snapshots.resampling import RATIOS, can_resample, draw, resample
from tests.core.snapshot_answers import FRAUD, NONFRAUD, answered

SEED = 7


def _alike(trees: int, fraud: int, nonfraud: int, right: float) -> list[ScoredCall]:
    """A detector that is right on all calls of a tree or wrong on all: the strongest effect that trees can have."""
    wrong = {FRAUD: NONFRAUD, NONFRAUD: FRAUD}
    calls = []
    for t in range(trees):
        for i, label in enumerate([FRAUD] * fraud + [NONFRAUD] * nonfraud):
            answer = label if t < right * trees else wrong[label]
            calls.append(ScoredCall(f"s{t}-{i}", f"t{t}", label, answer, None))
    return calls


def _width(found: Interval) -> float:
    return found.high - found.low


def test_trees_widen_intervals() -> None:
    """With 16 calls in each of 56 trees, all right or all wrong, the interval over trees is about four times as wide as one that
    takes calls for independent, since the variance of a mean of clusters is that of calls times their number in a cluster."""
    calls = _alike(56, 10, 6, right=0.75)
    honest = tree_intervals(calls, SEED)
    naive = tree_intervals([call._replace(tree_id=call.sample_id) for call in calls], SEED)

    for name in ("accuracy", "balanced_accuracy", "macro_f1", "fraud_f1"):
        assert _width(honest[name]) > 2 * _width(naive[name]) > 0
    # One call in 16 is its tree's accuracy, so 56 coin tosses of 0.75: 1.96 * sqrt(0.75 * 0.25 / 56) = 0.1134 on either side.
    assert _width(honest["accuracy"]) / 2 == pytest.approx(0.1134, abs=0.012)
    assert _width(naive["accuracy"]) / 2 == pytest.approx(0.1134 / 4, abs=0.004)


def test_an_interval_names_its_method() -> None:
    """So that a table can say how it was made; every figure of a table has one."""
    found = tree_intervals(_alike(8, 2, 1, right=0.5), SEED)

    assert set(Scores.model_fields) == set(found)
    assert {"tree-stratified-percentile-2000-v1"} == {TREES_METHOD} == {one.method for one in found.values()}
    assert "t-5-seeds-v1" == SEEDS_METHOD == seed_interval([0.5] * 5).method


def test_two_trees_give_the_hand_computed_interval() -> None:
    """One tree all right, one all wrong: samples have an accuracy of 0, 1/2, 1 with the shares 1/4, 1/2, 1/4, so both ends are
    extremes; the same seed gives the same, another order of calls too."""
    calls = _alike(2, 2, 1, right=0.5)
    found = tree_intervals(calls, SEED)

    assert Interval(low=0.0, high=1.0, method=TREES_METHOD) == found["accuracy"]
    assert found == tree_intervals(calls[::-1], SEED)


def test_another_seed_gives_another_interval() -> None:
    """The seed is used."""
    calls = [call._replace(answer=None) if i % 7 == 0 else call for i, call in enumerate(_alike(40, 3, 2, right=0.6))]

    assert tree_intervals(calls, 1) != tree_intervals(calls, 2)


def test_one_tree_has_no_interval() -> None:
    """A single tree says nothing about spread."""
    assert {} == tree_intervals(_alike(1, 2, 1, right=1), SEED)


def test_perfect_answers_have_an_interval_of_no_width() -> None:
    """Legal, and not widened."""
    found = tree_intervals(_alike(9, 2, 1, right=1), SEED)

    assert (1.0, 1.0) == (found["macro_f1"].low, found["macro_f1"].high)
    assert (0.0, 0.0) == (found["error_rate"].low, found["error_rate"].high)


def test_no_sample_lacks_a_class() -> None:
    """Nine trees of fraud and two of lawful calls, all right: without strata one sample in nine, (9 / 11) ** 11, would have
    no lawful call and a recall of 0."""
    calls = [call._replace(tree_id=f"t{i}") for i, call in enumerate(answered(tp=9, tn=2))]

    assert 1.0 == tree_intervals(calls, SEED)["nonfraud_recall"].low


def test_samples_spread_as_a_literal_resampling() -> None:
    """Drawn together they spread as a plain loop does that redraws trees within their strata and measures the calls again."""
    rng = np.random.default_rng(3)
    calls = []
    for t in range(30):
        labels = [[FRAUD, FRAUD, NONFRAUD], [FRAUD], [NONFRAUD, NONFRAUD]][t % 3]
        good = rng.random()
        for i, label in enumerate(labels * (1 + t % 2)):
            answers: list[Label | None] = [label, FRAUD, None]
            answer = answers[int(rng.choice(3, p=[good, (1 - good) * 0.8, (1 - good) * 0.2]))]
            calls.append(ScoredCall(f"s{t}-{i}", f"t{t:02}", label, answer, None))
    strata = [[[call for call in calls if call.tree_id == f"t{t:02}"] for t in range(s, 30, 3)] for s in range(3)]
    values = []
    for _ in range(2000):
        drawn = [call for trees in strata for i in rng.integers(len(trees), size=len(trees)) for call in trees[i]]
        values.append(metrics_of(drawn).macro_f1)
    low, high = np.quantile(values, [0.025, 0.975])
    found = tree_intervals(calls, SEED)["macro_f1"]

    assert [low, high] == pytest.approx([found.low, found.high], abs=0.02)


def test_the_interval_over_seeds_is_student_s() -> None:
    """Hand-computed: values 0.1 to 0.5 have mean 0.3 and deviation sqrt(0.025), so 2.776445 * sqrt(0.025 / 5) = 0.196324 on
    either side (t table, four degrees of freedom: 2.776)."""
    found = seed_interval([0.1, 0.2, 0.3, 0.4, 0.5])

    assert [0.3 - 0.196324, 0.3 + 0.196324] == pytest.approx([found.low, found.high], abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_the_interval_over_seeds_stays_where_figures_lie(values: list[float]) -> None:
    """Within 0 and 1, around the mean, without width for equal values."""
    found = seed_interval(values)

    assert 0 <= found.low <= np.mean(values) + 1e-12
    assert np.mean(values) - 1e-12 <= found.high <= 1
    assert (values[0], values[0]) == ((same := seed_interval([values[0]] * 5)).low, same.high)


def test_the_interval_over_seeds_takes_one_value_each() -> None:
    """Four values are not five seeds."""
    with pytest.raises(ValueError, match="4 values for the seeds 13, 29, 47, 71, 97"):
        seed_interval([0.1] * 4)


# Resampling


@pytest.mark.parametrize(("ratio", "sizes"), [((1, 2), (150, 300)), ((1, 1), (300, 300)), ((2, 1), (600, 300))])
def test_a_draw_is_the_largest_of_its_ratio(ratio: tuple[int, int], sizes: tuple[int, int]) -> None:
    """Of 600 and 300 calls, without replacement."""
    labels = {call.sample_id: call.label for call in answered(tp=600, tn=300)}
    ids = draw(labels, ratio, 13, "e")

    assert sizes == tuple(sum(labels[i] == label for i in ids) for label in Label)
    assert sorted(set(ids)) == list(ids)


def test_a_draw_depends_on_calls_seed_ratio_and_experiment_alone() -> None:
    """The same in any order; another seed, ratio or experiment draws others, and the five seeds differ among each other."""
    labels = {call.sample_id: call.label for call in answered(tp=60, tn=90)}
    shuffled = dict(reversed(labels.items()))

    assert draw(labels, (1, 1), 13, "e") == draw(shuffled, (1, 1), 13, "e")
    assert draw(labels, (1, 1), 13, "e") != draw(labels, (1, 1), 13, "f")
    draws = [draw(labels, (1, 1), seed, "e") for seed in SEEDS]
    assert all(one != other for one, other in pairwise(sorted(draws)))


def test_draws_never_change() -> None:
    """Frozen: the seeds, and what they draw. Golden values of this implementation, kept so that published subsets stay."""
    labels = {f"s{i}": FRAUD if i % 2 else NONFRAUD for i in range(12)}
    found = {seed: [i for i in draw(labels, (1, 2), seed, "snapshot") if labels[i] == FRAUD] for seed in SEEDS[:2]}

    assert (13, 29, 47, 71, 97) == SEEDS
    assert {13: ["s1", "s5", "s9"], 29: ["s1", "s11", "s7"]} == found


def test_all_fraud_gains_from_the_ratio_alone() -> None:
    """The paper's appendix C: F1 0.500, 0.667, 0.800 at 1:2, 1:1, 2:1, balanced accuracy 0.5 and lawful recall 0 throughout."""
    found = resample(answered(tp=600, fp=300), "snapshot")

    assert [(1, 2, 450), (1, 1, 600), (2, 1, 900)] == [(one.fraud, one.nonfraud, one.n) for one in found]
    assert [0.5, 2 / 3, 0.8] == pytest.approx([one.mean.fraud_f1 for one in found], abs=1e-9)
    assert {(0.5, 0.0)} == {(one.mean.balanced_accuracy, one.mean.nonfraud_recall) for one in found}
    for one in found:
        (constant,) = (line.scores for line in one.baselines if line.name == Baseline.ALL_FRAUD)
        assert one.mean.model_dump() == pytest.approx(constant.model_dump(), abs=1e-9)
        assert 0 == pytest.approx(_width(one.intervals["fraud_f1"]), abs=1e-9)


def test_draws_are_logged_and_hold_the_stored_answers() -> None:
    """Figures of every draw can be made again from its ids; its mean and interval from the draws."""
    calls = answered(tp=70, fn=20, fraud_errors=10, tn=30, fp=15, nonfraud_errors=5)
    by_id = {call.sample_id: call for call in calls}
    for one in resample(calls, "snapshot"):
        assert list(SEEDS) == [drawn.seed for drawn in one.draws]
        for drawn in one.draws:
            assert one.n == len(drawn.sample_ids)
            assert drawn.scores == scores_of(metrics_of([by_id[i] for i in drawn.sample_ids]))
        values = [drawn.scores.macro_f1 for drawn in one.draws]
        assert one.mean.macro_f1 == pytest.approx(np.mean(values))
        assert seed_interval(values) == one.intervals["macro_f1"]


@settings(max_examples=20)
@given(st.integers(0, 400), st.integers(0, 300))
def test_recalls_do_not_follow_the_ratio(found: int, right: int) -> None:
    """Whatever the detector, recalls at each ratio lie around those of all calls: only F1, accuracy and predictions may move."""
    calls = answered(tp=found, fn=400 - found, tn=right, fp=300 - right)
    for one in resample(calls, "snapshot"):
        assert found / 400 == pytest.approx(one.mean.fraud_recall, abs=0.06)
        assert right / 300 == pytest.approx(one.mean.nonfraud_recall, abs=0.06)


def test_a_ratio_out_of_reach_is_refused() -> None:
    """One lawful call cannot be the two of 1:2; the message says what there is."""
    calls = answered(tp=5, tn=1)

    assert not can_resample({call.sample_id: call.label for call in calls})
    assert can_resample({call.sample_id: call.label for call in answered(tp=2, tn=2)})
    with pytest.raises(ValueError, match="too few calls for 1 fraud to 2 lawful ones"):
        resample(calls, "snapshot")


def test_ratios_are_the_paper_s() -> None:
    """Fraud to lawful calls, arXiv 2609.18748, appendix C."""
    assert ((1, 2), (1, 1), (2, 1)) == RATIOS
