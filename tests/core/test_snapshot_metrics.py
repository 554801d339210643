"""Figures of answers: what errors cost, what detectors that do not listen score, and when answers follow the calls no more."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.schemas.detections import Baseline, ClassMetrics, Collapse, DetectionError, Scores
from core.schemas.snapshots import Label
from core.snapshots.collapse import RULES, collapse_of
from core.snapshots.metrics import (
    class_metrics,
    error_counts,
    metrics_of,
    parsed_only,
    prior_baselines,
    scored_calls,
    scores_of,
)
from tests.core.snapshot_answers import FRAUD, NONFRAUD, answered, gold_of, responses_of

# Constant detectors at the three ratios of appendix C of the paper (arXiv 2609.18748), which prints 0.500 and 0.800 for the F1 of
# all-FRAUD and 0.5 for its balanced accuracy; the rest as exact fractions (that F1 is 2p / (1 + p) at a share p of fraud).
# Columns: accuracy, fraud F1, Macro-F1, predicted-fraud ratio.
CONSTANTS = [
    (1, 2, Baseline.ALL_FRAUD, 1 / 3, 1 / 2, 1 / 4, 1),
    (1, 2, Baseline.ALL_NONFRAUD, 2 / 3, 0, 2 / 5, 0),
    (1, 1, Baseline.ALL_FRAUD, 1 / 2, 2 / 3, 1 / 3, 1),
    (1, 1, Baseline.ALL_NONFRAUD, 1 / 2, 0, 1 / 3, 0),
    (2, 1, Baseline.ALL_FRAUD, 2 / 3, 4 / 5, 2 / 5, 1),
    (2, 1, Baseline.ALL_NONFRAUD, 1 / 3, 0, 1 / 4, 0),
    # A fair coin has precision p and recall 1/2, so F1 is p / (p + 1/2): hand-computed.
    (1, 2, Baseline.COIN, 1 / 2, 2 / 5, (2 / 5 + 4 / 7) / 2, 1 / 2),
    (1, 1, Baseline.COIN, 1 / 2, 1 / 2, 1 / 2, 1 / 2),
    (2, 1, Baseline.COIN, 1 / 2, 4 / 7, (2 / 5 + 4 / 7) / 2, 1 / 2),
]
ROWS = {Baseline.ALL_FRAUD: (1, 0), Baseline.ALL_NONFRAUD: (0, 1), Baseline.COIN: (1 / 2, 1 / 2)}
"""Recalls of fraud and of lawful calls."""


@pytest.mark.parametrize("times", [1, 300])
@pytest.mark.parametrize(("fraud", "nonfraud", "name", "accuracy", "f1", "macro", "ratio"), CONSTANTS)
def test_baselines_are_the_published_ones(
    fraud: int, nonfraud: int, name: Baseline, accuracy: float, f1: float, macro: float, ratio: float, times: int
) -> None:
    """To 1e-9, whatever the number of calls."""
    (found,) = (one.scores for one in prior_baselines(times * fraud, times * nonfraud) if one.name == name)

    assert Scores(
        accuracy=accuracy, fraud_f1=f1, macro_f1=macro, balanced_accuracy=0.5, fraud_recall=ROWS[name][0],
        nonfraud_recall=ROWS[name][1], predicted_fraud_ratio=ratio, error_rate=0,
    ).model_dump() == pytest.approx(found.model_dump(), abs=1e-9, rel=0)  # fmt: skip


@pytest.mark.parametrize("name", [Baseline.ALL_FRAUD, Baseline.ALL_NONFRAUD])
@pytest.mark.parametrize(("fraud", "nonfraud"), [(300, 600), (300, 300), (600, 300)])
def test_constant_answers_score_as_their_baseline(fraud: int, nonfraud: int, name: Baseline) -> None:
    """A detector that always says one word has the figures of the row beside it."""
    word = FRAUD if name == Baseline.ALL_FRAUD else NONFRAUD
    metrics = class_metrics([FRAUD] * fraud + [NONFRAUD] * nonfraud, [word] * (fraud + nonfraud))

    assert scores_of(metrics) == next(one.scores for one in prior_baselines(fraud, nonfraud) if one.name == name)


def test_a_biased_detector_of_the_paper_comes_out_as_derived() -> None:
    """The paper (arXiv 2609.18748) gives, at 1:1, a predicted-fraud ratio of 0.830 and a lawful recall of 0.233. From these
    follow, here of 1,000 calls each, a fraud recall of 0.893, balanced accuracy 0.563, F1 0.671 and Macro-F1 0.510."""
    found = metrics_of(answered(tp=893, fn=107, tn=233, fp=767))

    assert [0.83, 0.563, 0.671, 0.510] == pytest.approx(
        [found.predicted_fraud_ratio, found.balanced_accuracy, found.fraud_f1, found.macro_f1], abs=5e-4
    )


def test_the_hand_computed_table_with_errors() -> None:
    """Ten fraud calls: 6 found, 2 missed, 2 without a label; five lawful: 3 right, 1 false alarm, 1 without a label."""
    found = metrics_of(answered(tp=6, fn=2, fraud_errors=2, tn=3, fp=1, nonfraud_errors=1))

    assert ClassMetrics(
        n=15, tp=6, tn=3, fp=1, fn=2, fraud_errors=2, nonfraud_errors=1, accuracy=9 / 15, fraud_precision=6 / 7,
        fraud_recall=6 / 10, nonfraud_recall=3 / 5, fraud_f1=12 / 17, nonfraud_f1=3 / 5, macro_f1=(12 / 17 + 3 / 5) / 2,
        balanced_accuracy=3 / 5, predicted_fraud_ratio=7 / 15, error_rate=3 / 15, coverage=12 / 15,
    ).model_dump() == pytest.approx(found.model_dump(), abs=1e-9, rel=0)  # fmt: skip


def test_the_second_row_leaves_answers_without_a_label_out() -> None:
    """The same calls by their labels alone: recalls 6/8 and 3/4, nothing without a label."""
    calls = answered(tp=6, fn=2, fraud_errors=2, tn=3, fp=1, nonfraud_errors=1)
    found = metrics_of(parsed_only(calls))

    assert (12, 6 / 8, 3 / 4, 0.0, 1.0) == (found.n, found.fraud_recall, found.nonfraud_recall, found.error_rate, found.coverage)


def test_errors_never_help() -> None:
    """Unlike where an answer without a label counts as lawful, a detector that always refuses recalls nothing of either class."""
    found = metrics_of(answered(fraud_errors=600, nonfraud_errors=300))

    assert (0.0, 0.0, 0.0, 0.0, 1.0) == (
        found.fraud_recall,
        found.nonfraud_recall,
        found.accuracy,
        found.predicted_fraud_ratio,
        found.error_rate,
    )


@given(st.lists(st.tuples(st.sampled_from(Label), st.sampled_from([*Label, None])), min_size=1, max_size=40))
def test_figures_are_their_definitions(pairs: list[tuple[Label, Label | None]]) -> None:
    """Counted literally and divided exactly, each from the pairs themselves, errors as misses."""

    def ratio(above: Fraction | int, below: Fraction | int) -> Fraction:
        return Fraction(above) / Fraction(below) if below else Fraction(0)

    def f1(label: Label) -> tuple[Fraction, Fraction]:
        right = sum(pair == (label, label) for pair in pairs)
        precision = ratio(right, sum(answer == label for _truth, answer in pairs))
        recall = ratio(right, sum(truth == label for truth, _answer in pairs))
        return recall, ratio(2 * precision * recall, precision + recall)

    (recall, fraud_f1), (other_recall, other_f1) = f1(FRAUD), f1(NONFRAUD)
    found = class_metrics(*zip(*pairs, strict=True))

    assert {
        "accuracy": float(ratio(sum(truth == answer for truth, answer in pairs), len(pairs))),
        "fraud_f1": float(fraud_f1),
        "macro_f1": float((fraud_f1 + other_f1) / 2),
        "balanced_accuracy": float((recall + other_recall) / 2),
        "fraud_recall": float(recall),
        "nonfraud_recall": float(other_recall),
        "predicted_fraud_ratio": float(ratio(sum(answer == FRAUD for _truth, answer in pairs), len(pairs))),
        "error_rate": float(ratio(sum(answer is None for _truth, answer in pairs), len(pairs))),
    } == pytest.approx(scores_of(found).model_dump(), abs=1e-9, rel=0)
    assert len(pairs) == found.tp + found.tn + found.fp + found.fn + found.fraud_errors + found.nonfraud_errors


def test_nothing_is_measured_on_the_wrong_answers() -> None:
    """No silent cut to the shorter side, no figures of nothing, no labels but the two."""
    with pytest.raises(ValueError, match="1 answers to 3 calls"):
        class_metrics([FRAUD, FRAUD, NONFRAUD], [FRAUD])
    with pytest.raises(ValueError, match="no calls"):
        class_metrics([], [])
    with pytest.raises(ValueError, match="'SPAM'"):
        class_metrics([FRAUD], ["SPAM"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="None"):
        class_metrics([None], [FRAUD])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="no baseline"):
        prior_baselines(0, 0)


def test_every_call_has_exactly_one_response() -> None:
    """A response too many, too few, twice, or about another call is refused, so that nothing counts double."""
    calls = answered(tp=1, tn=1, nonfraud_errors=1)
    gold, responses = gold_of(calls), responses_of(calls)

    assert tuple(calls) == scored_calls(reversed(gold), reversed(responses))
    with pytest.raises(ValueError, match="response 's0' is there twice"):
        scored_calls(gold, [*responses, responses[0]])
    with pytest.raises(ValueError, match="call 's0' is there twice"):
        scored_calls([*gold, gold[0]], responses)
    with pytest.raises(ValueError, match="1 calls without a response, the first 's2'"):
        scored_calls(gold, responses[:2])
    with pytest.raises(ValueError, match="1 responses about no call, the first 's2'"):
        scored_calls(gold[:2], responses)


def test_a_response_is_a_label_or_an_error() -> None:
    """An answer with both, or with neither, is no response; its words are kept whatever it is."""
    (right, wrong) = responses_of(answered(tp=1, fraud_errors=1))

    assert ("FRAUD", "no idea") == (right.raw, wrong.raw)
    for change in ({"parsed": None}, {"error": "parse"}):
        with pytest.raises(ValidationError, match="either a label or an error"):
            type(right).model_validate({**right.to_json(), **change})  # type: ignore[dict-item]


def test_errors_are_counted_by_class_and_kind() -> None:
    """Both classes always, kinds as they happened."""
    calls = answered(fraud_errors=3, tn=1)
    calls[1] = calls[1]._replace(error=DetectionError.TIMEOUT)

    assert {FRAUD: {DetectionError.PARSE: 2, DetectionError.TIMEOUT: 1}, NONFRAUD: {}} == error_counts(calls)


# Each rule of collapse-v1 on both sides of its threshold, on 600 fraud and 300 lawful calls or as told.
TAGS = [
    # recall of fraud 0.95 and of lawful 0.10
    ({"tp": 570, "fn": 30, "fp": 270, "tn": 30}, Collapse.ALL_FRAUD),
    ({"tp": 569, "fn": 31, "fp": 270, "tn": 30}, Collapse.BIASED),
    ({"tp": 570, "fn": 30, "fp": 269, "tn": 31}, Collapse.BIASED),
    ({"tp": 600, "fp": 300}, Collapse.ALL_FRAUD),
    # the other way round
    ({"tp": 60, "fn": 540, "tn": 285, "fp": 15}, Collapse.ALL_NONFRAUD),
    ({"tp": 61, "fn": 539, "tn": 285, "fp": 15}, Collapse.BIASED),
    ({"tp": 60, "fn": 540, "tn": 284, "fp": 16}, Collapse.BIASED),
    ({"fn": 600, "tn": 300}, Collapse.ALL_NONFRAUD),
    # predicted-fraud ratio 0.20 from the share of fraud, above (0.5 of 100) and below (2/3 of 900)
    ({"tp": 50, "fp": 20, "tn": 30}, Collapse.BALANCED),
    ({"tp": 50, "fp": 21, "tn": 29}, Collapse.BIASED),
    ({"tp": 420, "fn": 180, "tn": 300}, Collapse.BALANCED),
    ({"tp": 419, "fn": 181, "tn": 300}, Collapse.BIASED),
    # smaller recall 0.30, of each class
    ({"tp": 600, "tn": 120, "fp": 180}, Collapse.BALANCED),
    ({"tp": 480, "fn": 120, "tn": 90, "fp": 210}, Collapse.BALANCED),
    ({"tp": 480, "fn": 120, "tn": 89, "fp": 211}, Collapse.BIASED),
    ({"tp": 30, "fn": 70, "tn": 600, "fp": 200}, Collapse.BALANCED),
    ({"tp": 29, "fn": 71, "tn": 600, "fp": 200}, Collapse.BIASED),
    ({"tp": 600, "tn": 300}, Collapse.BALANCED),
    # errors are misses: nothing is called lawful, but a class it is not
    ({"tp": 570, "fraud_errors": 30, "nonfraud_errors": 270, "tn": 30}, Collapse.ALL_FRAUD),
    ({"fraud_errors": 600, "nonfraud_errors": 300}, Collapse.BIASED),
]


@pytest.mark.parametrize(("counts", "expected"), TAGS)
def test_collapse_begins_where_the_rules_say(counts: dict[str, int], expected: Collapse) -> None:
    """One call more or less decides at each threshold."""
    found = collapse_of(metrics_of(answered(**counts)))

    assert (expected, "collapse-v1") == (found.tag, found.rules)
    assert (expected in (Collapse.ALL_FRAUD, Collapse.ALL_NONFRAUD)) == found.severe


@pytest.mark.parametrize(("errors", "expected"), [(179, False), (180, True)])
@pytest.mark.parametrize("of", ["fraud_errors", "nonfraud_errors"])
def test_parse_collapse_stands_beside_the_tag(errors: int, of: str, expected: bool) -> None:
    """From a fifth of 900 answers on; the tag is that of the counts all the same."""
    right = {"tp": 600, "tn": 300}
    right["tp" if of == "fraud_errors" else "tn"] -= errors
    found = collapse_of(metrics_of(answered(**right, **{of: errors})))

    assert (Collapse.BALANCED, expected) == (found.tag, found.parse_collapse)


def test_thresholds_are_decimal_numbers() -> None:
    """A ratio of 0.8 against a share of 0.6 lies 0.2 apart, which binary fractions make 0.20000000000000007."""
    assert RULES.ratio_gap < 0.8 - 0.6
    assert Collapse.BALANCED == collapse_of(metrics_of(answered(tp=60, fp=20, tn=20))).tag


def test_other_rules_are_told_by_their_version() -> None:
    """Rules are data: other thresholds give another tag under another name."""
    metrics = metrics_of(answered(tp=540, fn=60, fp=240, tn=60))
    loose = RULES.model_copy(update={"version": "mine-v1", "high_recall": 0.9, "low_recall": 0.2})

    assert (Collapse.BIASED, Collapse.ALL_FRAUD) == (collapse_of(metrics).tag, collapse_of(metrics, loose).tag)
    assert "mine-v1" == collapse_of(metrics, loose).rules


@pytest.mark.parametrize("counts", [{"tp": 3}, {"tn": 2, "nonfraud_errors": 1}])
def test_one_class_shows_no_collapse(counts: dict[str, int]) -> None:
    """Calling every call fraud is right where every call is fraud."""
    with pytest.raises(ValueError, match="both classes"):
        collapse_of(metrics_of(answered(**counts)))


@given(st.integers(570, 600), st.integers(0, 30))
def test_the_rule_implies_the_paper_s_words(tp: int, tn: int) -> None:
    """At two fraud calls in three, an all-FRAUD-like detector predicts fraud for at least 0.93 of calls, its accuracy
    lies within 0.034 of the share of fraud, its F1 from 2 * 570 / 1470 to 2 * 600 / 1470: 0.0245 below 0.8 to 0.0164 above."""
    metrics = metrics_of(answered(tp=tp, fn=600 - tp, tn=tn, fp=300 - tn))

    assert Collapse.ALL_FRAUD == collapse_of(metrics).tag
    assert metrics.predicted_fraud_ratio >= 0.93
    assert abs(metrics.accuracy - 2 / 3) <= 0.034
    assert -0.0245 <= metrics.fraud_f1 - 0.8 <= 0.017
