"""SPEC 9, `ringback gate`: bounds on a run's numbers; what was not measured fails."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import UsageError
from core.schemas.base import Condition, Diagnostic
from core.schemas.run import ErrorRate, KnownValueReport, Score, SuccessRate
from gateway.gates import MEASURES, Gate, check_gates, parse_gate
from tests.support.summaries import condition, summary

TEXT, ASR = Condition.TEXT, Condition.ASR
MEASURED: dict[str, dict[str, Any]] = {
    "overall": {"overall": Score(score=0.5)},
    "task": {"task": Score(score=0.5)},
    "conversation": {"conversation": Score(score=0.5)},
    "success": {"success": SuccessRate(rate=0.5)},
    "wer": {"wer": ErrorRate(rate=0.5)},
    "cer": {"cer": ErrorRate(rate=0.5)},
    "known_value_accuracy": {"known_value_accuracy": KnownValueReport(rate=0.5)},
    **{item.value: {"diagnostics": {item: Score(score=0.5)}} for item in Diagnostic},
}


def _passes(gate: Gate, **measured: Any) -> bool:
    ((_, passed),) = check_gates(summary({TEXT: condition(**measured)}), [TEXT], [gate])
    return passed


def test_every_number_of_a_condition_can_be_held_to_a_bound() -> None:
    """Both pillars, overall, success, what hearing cost and the ten diagnostics."""
    assert set(MEASURES) == set(MEASURED)
    assert 17 == len(MEASURES)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_is_held_to_its_own_bound(measure: str) -> None:
    """The bound itself is allowed, on either side."""
    for bound, lower, expected in ((0.5, True, True), (0.51, True, False), (0.5, False, True), (0.49, False, False)):
        assert expected == _passes(Gate(measure, bound, lower), **MEASURED[measure])


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_that_is_missing_fails_whatever_the_bound(measure: str, lower: bool) -> None:
    """Nothing passes for want of an answer, not even a bound that every number keeps."""
    everything = -1e9 if lower else 1e9
    assert not _passes(Gate(measure, everything, lower))
    if measure in ("wer", "cer"):
        assert not _passes(Gate(measure, everything, lower), **{measure: ErrorRate(rate=None)})


def test_zero_is_a_number() -> None:
    """A score of nothing is measured, and an error rate without errors passes."""
    assert _passes(Gate("overall", 0, True), overall=Score(score=0.0))
    assert not _passes(Gate("overall", 1, True), overall=Score(score=0.0))
    assert _passes(Gate("wer", 0, False), wer=ErrorRate(rate=0.0))


def test_each_condition_is_held_to_each_bound() -> None:
    """One line each, saying what was found and what was wanted."""
    held = summary(
        {TEXT: condition(overall=Score(score=81.237)), ASR: condition(overall=Score(score=69.99), wer=ErrorRate(rate=0.25))}
    )
    found = list(check_gates(held, [TEXT, ASR], [parse_gate("overall=70", lower=True), parse_gate("wer=0.2", lower=False)]))
    assert [
        ("pass  text: overall 81.24, wanted >= 70", True),
        ("FAIL  text: wer not measured, wanted <= 0.2", False),
        ("FAIL  asr: overall 69.99, wanted >= 70", False),
        ("FAIL  asr: wer 0.25, wanted <= 0.2", False),
    ] == found


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("overall=70", ("overall", 70.0)),
        ("wer=.2", ("wer", 0.2)),
        ("task=-1", ("task", -1.0)),
        ("closing=1e1", ("closing", 10.0)),
    ],
)
def test_a_gate_is_measure_equals_number(text: str, gate: tuple[str, float]) -> None:
    """Read as it is written."""
    assert Gate(*gate, True) == parse_gate(text, lower=True)
    assert Gate(*gate, False) == parse_gate(text, lower=False)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("overal=70", "no measure 'overal'; measures: overall, task, conversation, success, wer"),
        ("", "no measure ''"),
        ("=70", "no measure ''"),
        ("overall", "'overall': write overall=<number>, with an equals sign"),
        ("overall=", "'overall=': write overall=<number>"),
        ("overall=high", "'overall=high': write overall=<number>"),
        ("overall=70=80", "'overall=70=80': write overall=<number>"),
        ("overall=nan", "'overall=nan': write overall=<number>"),
        ("wer=inf", "'wer=inf': write wer=<number>"),
    ],
)
def test_a_gate_that_means_nothing_is_refused(text: str, reason: str) -> None:
    """An unknown measure lists the known ones; a bound that no number can miss or keep is no bound."""
    with pytest.raises(UsageError) as caught:
        parse_gate(text, lower=True)
    assert str(caught.value).startswith(reason)
