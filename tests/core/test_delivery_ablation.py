"""The delivery ablation without its sound: which calls are drawn, and figures of two halves by hand."""

from __future__ import annotations

from collections import Counter

import pytest

from core.errors import InputError
from core.report.snapshots.ablation import ablation_lines
from core.schemas.delivery_ablation import AblatedCall, AblationConfig, DeliveryAblation
from core.schemas.detections import DetectionError, InputMode, Response
from core.schemas.snapshots import Label, ManifestRow
from core.snapshots.delivery_ablation import compared, largest_changes, pooled_f1, queues, shares
from tests.core.audit_calls import forest
from tests.core.snapshot_answers import run_of
from tests.support.text_months import text_rows

F, N = Label.FRAUD, Label.NONFRAUD


@pytest.fixture(scope="module")
def rows() -> list[ManifestRow]:
    """Calls of some trees, of both labels."""
    return text_rows(forest(6, 3))


def _answer(name: str, label: Label | None) -> Response:
    return Response(
        sample_id=name,
        audio_sha256=None,
        transcript_id=None,
        raw="",
        parsed=label,
        error=None if label else DetectionError.EMPTY,
        started_at="2026-11-30T00:00:00Z",
        latency_ms=0,
    )


def _half(rows: list[ManifestRow], *labels: Label | None) -> list[Response]:
    return [_answer(row.call.sample_id, label) for row, label in zip(rows, labels, strict=True)]


def _four(rows: list[ManifestRow]) -> list[ManifestRow]:
    """Two fraud calls, then two lawful ones."""
    return [[row for row in rows if row.call.label is label][place] for label in (F, N) for place in (0, 1)]


@pytest.mark.parametrize(("calls", "fraud"), [(2, 1), (3, 2), (9, 6), (15, 10), (18, 12)])
def test_labels_are_in_the_months_ratio_and_both_are_there(rows: list[ManifestRow], calls: int, fraud: int) -> None:
    """Fifteen calls of a month of 2 to 1 are ten and five."""
    month = [row for row in rows if row.call.label is F] + [row for row in rows if row.call.label is N][:9]
    assert {F: fraud, N: calls - fraud} == shares(month, calls)


@pytest.mark.parametrize("calls", [0, 1, 37])
def test_more_calls_than_there_are_or_fewer_than_labels_are_refused(rows: list[ManifestRow], calls: int) -> None:
    """With what the month has."""
    with pytest.raises(InputError, match="18 fraud and 18 lawful"):
        shares(rows, calls)


def test_a_month_of_one_label_is_refused(rows: list[ManifestRow]) -> None:
    """A recall of nothing is no figure."""
    with pytest.raises(InputError, match="18 fraud and 0 lawful"):
        shares([row for row in rows if row.call.label is F], 4)


def test_calls_are_drawn_from_as_many_trees_as_there_are(rows: list[ManifestRow]) -> None:
    """One of each tree before a second of any; by the seed alone, whatever order the rows come in."""
    drawn = queues(rows, 7)
    assert drawn == queues(list(reversed(rows)), 7)
    assert drawn != queues(rows, 8)
    for label in Label:
        assert Counter(row.call.sample_id for row in rows if row.call.label is label) == Counter(
            row.call.sample_id for row in drawn[label]
        )
        assert 6 == len({row.call.tree_id for row in drawn[label][:6]})


def test_a_change_is_without_delivery_less_with_it(rows: list[ManifestRow]) -> None:
    """By hand: with it tp 1, fn 1, tn 2, F1 2/3; without tp 2, fp 1, tn 1, F1 4/5; two calls were answered otherwise."""
    calls = _four(rows)
    found = compared(run_of("python:d"), calls, _half(calls, F, N, N, N), _half(calls, F, F, F, N))
    assert (2 / 3, 4 / 5) == pytest.approx((found.delivery.fraud_f1, found.neutral.fraud_f1))
    assert (4 / 5 - 2 / 3, 0.0, 2) == pytest.approx(
        (found.fraud_f1_change, found.balanced_accuracy_change, found.changed), abs=1e-12
    )


def test_an_answer_that_is_no_label_is_a_miss_and_a_change(rows: list[ManifestRow]) -> None:
    """As everywhere."""
    calls = _four(rows)
    found = compared(run_of("python:d"), calls, _half(calls, F, F, N, N), _half(calls, F, None, N, N))
    assert (0.5, 1, 1) == (found.neutral.fraud_recall, found.neutral.fraud_errors, found.changed)


def test_answers_about_other_calls_are_refused(rows: list[ManifestRow]) -> None:
    """No figure is made of some of the calls."""
    calls = _four(rows)
    whole = _half(calls, F, F, N, N)
    with pytest.raises(ValueError, match="3 answers to 4 calls"):
        compared(run_of("python:d"), calls, whole, whole[:3])


def test_answers_of_all_detectors_are_pooled_and_the_largest_change_is_found(rows: list[ManifestRow]) -> None:
    """By hand, over two detectors: with delivery tp 3, fn 1, F1 6/7; without tp 2, fp 1, fn 2, F1 4/7."""
    calls = _four(rows)
    one = compared(run_of("python:a"), calls, _half(calls, F, F, N, N), _half(calls, F, F, F, N))
    two = compared(run_of("python:b"), calls, _half(calls, F, N, N, N), _half(calls, N, N, N, N))
    assert (6 / 7, 4 / 7) == pytest.approx(pooled_f1([one, two]))
    assert {"python:a": 1 - 4 / 5, "python:b": 2 / 3} == pytest.approx(largest_changes([one, two]))
    silent = compared(run_of("python:c"), calls, *[_half(calls, None, None, None, None)] * 2)
    assert (0.0, 0.0) == pooled_f1([silent])


def test_the_table_tells_what_few_calls_cannot(rows: list[ManifestRow]) -> None:
    """Four calls are fewer than fifteen, and a change has its sign."""
    calls = _four(rows)
    each = compared(run_of("python:d"), calls, _half(calls, F, N, N, N), _half(calls, F, F, F, N))
    config = AblationConfig(
        snapshot_id="2026-11-zh",
        root_sha256="a" * 64,
        calls=4,
        seed=7,
        detectors=("python:d",),
        modes=(InputMode.ASR,),
        prompt=None,
        recogniser="auto",
    )
    both = [
        AblatedCall(
            sample_id=row.call.sample_id,
            tree_id=row.call.tree_id,
            label=row.call.label,
            delivery_sha256="a" * 64,
            neutral_sha256="b" * 64,
            delivery_s=60,
            neutral_s=61,
        )
        for row in calls
    ]
    found = DeliveryAblation(
        config=config,
        trees=2,
        calls=tuple(both),
        hearing={},
        delivery_cer=0.1,
        neutral_cer=0.05,
        detectors=(each,),
        pooled_delivery_f1=2 / 3,
        pooled_neutral_f1=4 / 5,
        largest_change={"python:d": 4 / 5 - 2 / 3},
    )
    shown = " ".join(" ".join(ablation_lines(found)).split())
    assert "4 calls of 2 trees (2 fraud, 2 lawful)" in shown
    assert "python:d asr 0.667 0.800 +0.133 0.750 0.750 +0.000 2 of 4" in shown
    assert "change +0.133" in shown
    assert "Fewer than 15 calls" in shown
