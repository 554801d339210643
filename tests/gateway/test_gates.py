"""SPEC 9, `ringback gate`: bounds on a run's numbers; what was not measured fails."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import UsageError
from core.schemas.base import Condition, Diagnostic
from core.schemas.hearing import ErrorRate, KnownValueReport
from core.schemas.run import ConditionSummary, Score, SuccessRate
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
    (held,) = check_gates(summary({TEXT: condition(**measured)}), [TEXT], [gate])
    return held.passed


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


AUTHORED, AUDIO = Condition.AUTHORED, Condition.AUDIO


def _found(conditions: dict[Condition, ConditionSummary], *gates: Gate) -> list[str]:
    return [str(held) for held in check_gates(summary(conditions), list(conditions), gates)]


def test_each_condition_is_held_to_each_bound() -> None:
    """One line each, saying what was found and what was wanted, in the order of the conditions, however they are stored."""
    stored = {
        ASR: condition(overall=Score(score=69.99), task=Score(score=70)),
        TEXT: condition(overall=Score(score=81.237), task=Score(score=None)),
    }
    gates = parse_gate("overall=70", lower=True), parse_gate("task=70", lower=False)
    assert [
        "pass  text: overall 81.24, wanted >= 70",
        "FAIL  text: task not measured, wanted <= 70",
        "FAIL  asr: overall 69.99, wanted >= 70",
        "pass  asr: task 70, wanted <= 70",
    ] == _found(stored, *gates)


@pytest.mark.parametrize("measure", ["wer", "cer"])
def test_errors_of_hearing_hold_the_conditions_that_transcribe(measure: str) -> None:
    """Text, authored and audio calls have none, and are passed over where a condition has one or should have one."""
    gate = Gate(measure, 0.2, False)
    rates: list[tuple[dict[str, Any], str]] = [
        ({measure: ErrorRate(rate=0.1)}, f"pass  asr: {measure} 0.1"),
        ({measure: ErrorRate(rate=0.3)}, f"FAIL  asr: {measure} 0.3"),
        ({measure: ErrorRate(rate=None)}, f"FAIL  asr: {measure} not measured"),
        ({}, f"FAIL  asr: {measure} not measured"),
    ]
    for measured, line in rates:
        conditions = {TEXT: condition(), AUTHORED: condition(), ASR: condition(**measured), AUDIO: condition()}
        assert [f"{line}, wanted <= 0.2"] == _found(conditions, gate)


@pytest.mark.parametrize("measure", ["wer", "cer", "known_value_accuracy"])
def test_a_bound_that_no_condition_measures_fails_them_all(measure: str) -> None:
    """Nothing passes because nobody could answer."""
    gate = Gate(measure, 1e9, False)
    expected = [f"FAIL  {name}: {measure} not measured, wanted <= 1e+09" for name in ("text", "audio")]
    if measure == "known_value_accuracy":
        expected = expected[:1]
    assert expected == _found({TEXT: condition(), AUDIO: condition()}, gate)
    assert [f"FAIL  audio: {measure} not measured, wanted <= 1e+09"] == _found({AUDIO: condition()}, gate)


def test_audio_is_held_where_it_was_measured() -> None:
    """A condition that has the number is held to it, whichever it is."""
    conditions = {ASR: condition(wer=ErrorRate(rate=0.1)), AUDIO: condition(wer=ErrorRate(rate=0.3))}
    assert ["pass  asr: wer 0.1, wanted <= 0.2", "FAIL  audio: wer 0.3, wanted <= 0.2"] == _found(
        conditions, Gate("wer", 0.2, False)
    )


@pytest.mark.parametrize("measure", ["overall", "task", "conversation", "success", *(item.value for item in Diagnostic)])
def test_a_score_on_too_little_judged_weight_fails(measure: str) -> None:
    """Below a coverage of 0.8 no score passes, whatever it is; at 0.8 it is held to its bound."""
    for coverage, expected in ((0.79, False), (0.8, True)):
        whole: dict[str, Any] = {"overall": Score(score=90, coverage=coverage), "success": SuccessRate(rate=90)}
        measured = {**whole, measure: Score(score=90, coverage=coverage)} if measure in ("task", "conversation") else whole
        if measure in set(Diagnostic):
            measured = {"diagnostics": {Diagnostic(measure): Score(score=90, coverage=coverage)}}
        (held,) = check_gates(summary({TEXT: condition(**measured)}), [TEXT], [Gate(measure, 1, True)])
        assert expected == held.passed
        assert expected == (held.short is None)
        assert expected == (f"{measure} 90 not judged enough (only {coverage:.2f} of the" not in str(held))


def test_the_machine_form_says_the_same() -> None:
    """Condition, measure, value, the bound under its side, and whether it passed."""
    held = check_gates(
        summary({TEXT: condition(task=Score(score=69.5))}), [TEXT], [Gate("task", 70, True), Gate("wer", 1, False)]
    )
    assert [
        {"condition": "text", "measure": "task", "value": 69.5, "min": 70, "short": None, "passed": False},
        {"condition": "text", "measure": "wer", "value": None, "max": 1, "short": None, "passed": False},
    ] == [item.to_json() for item in held]


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
