"""SPEC 9, `ringback gate`: bounds on a run's numbers; what was not measured fails."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import UsageError
from core.schemas.base import Condition, Diagnostic
from core.schemas.hearing import ErrorRate, KnownValueReport
from core.schemas.run import ConditionSummary, Precision, Score, SuccessRate
from core.schemas.usage import Usage
from gateway.gates import MEASURES, Gate, check_gates, parse_gate
from tests.support.summaries import condition, passes, summary

TEXT, ASR = Condition.TEXT, Condition.ASR
MEASURED: dict[str, dict[str, Any]] = {
    "overall": {"overall": Score(score=0.5)},
    "task": {"task": Score(score=0.5)},
    "conversation": {"conversation": Score(score=0.5)},
    "success": {"success": SuccessRate(rate=0.5)},
    "wer": {"wer": ErrorRate(rate=0.5)},
    "cer": {"cer": ErrorRate(rate=0.5)},
    "known_value_accuracy": {"known_value_accuracy": KnownValueReport(rate=0.5)},
    "coverage": {"overall": Score(score=1, coverage=0.5)},
    "dropped": {"planned": 8, "dropped": {"simulation": {"caller": 1}, "infrastructure": {"clip": 1, "timeout": 2}}},
    "ungraded": {"planned": 8, "ungraded": 4},
    "unplayed": {"planned": 8, "unplayed": 4},
    "agent_faults": {"ends": {"tool_end": 2, "agent_idle": 1, "protocol_error": 1}},
    "detectable": {"precision": Precision(error=None, detectable=0.5)},
    "repeat_sd": {"precision": Precision(error=None, detectable=None, repeat_sd=0.5)},
    **{item.value: {"diagnostics": {item: Score(score=0.5)}} for item in Diagnostic},
}


def _passes(gate: Gate, **measured: Any) -> bool:
    (held,) = check_gates(summary({TEXT: condition(**measured)}), [TEXT], [gate])
    return held.passed


def test_every_number_of_a_condition_can_be_held_to_a_bound() -> None:
    """Both pillars, overall, success, what hearing cost, what became of the calls, precision and the ten diagnostics."""
    assert set(MEASURES) - {"cost"} == set(MEASURED)
    assert 25 == len(MEASURES)


@pytest.mark.parametrize("measure", MEASURED)
def test_a_measure_is_held_to_its_own_bound(measure: str) -> None:
    """The bound itself is allowed, on either side."""
    for bound, lower, expected in ((0.5, True, True), (0.51, True, False), (0.5, False, True), (0.49, False, False)):
        assert expected == _passes(Gate(measure, bound, lower), **MEASURED[measure])


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("measure", [*MEASURED, "pass@1", "pass^3", "pass^2_lower"])
def test_a_measure_that_is_missing_never_passes(measure: str, lower: bool) -> None:
    """Nothing passes for want of an answer, not even a bound that every number keeps; it is missing and has not failed."""
    everything = -1e9 if lower else 1e9
    assert not _passes(Gate(measure, everything, lower))
    (held,) = check_gates(summary({TEXT: condition()}), [TEXT], [Gate(measure, everything, lower)])
    assert held.missing
    assert str(held).startswith(f"none  text: {measure} not measured, wanted")
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
        "none  text: task not measured, wanted <= 70",
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
        ({measure: ErrorRate(rate=None)}, f"none  asr: {measure} not measured"),
        ({}, f"none  asr: {measure} not measured"),
    ]
    for measured, line in rates:
        conditions = {TEXT: condition(), AUTHORED: condition(), ASR: condition(**measured), AUDIO: condition()}
        assert [f"{line}, wanted <= 0.2"] == _found(conditions, gate)


@pytest.mark.parametrize("measure", ["wer", "cer", "known_value_accuracy"])
def test_a_bound_that_no_condition_measures_is_missing_in_all(measure: str) -> None:
    """Nothing passes because nobody could answer."""
    gate = Gate(measure, 1e9, False)
    expected = [f"none  {name}: {measure} not measured, wanted <= 1e+09" for name in ("text", "audio")]
    if measure == "known_value_accuracy":
        expected = expected[:1]
    assert expected == _found({TEXT: condition(), AUDIO: condition()}, gate)
    assert [f"none  audio: {measure} not measured, wanted <= 1e+09"] == _found({AUDIO: condition()}, gate)


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


def test_every_k_is_held_under_both_conventions() -> None:
    """pass@k and pass^k leave scenarios with lost tries out; with `_lower` a lost try is a failure."""
    conditions = {TEXT: condition(passes=passes(0.75, 0.9, 0.5, scenarios=6, excluded=1, lost=1))}
    values = {"pass@1": 0.75, "pass@3": 0.9, "pass^3": 0.5, "pass^3_lower": 0.25, "pass@3_lower": 0.45, "pass^2": 0.625}
    for measure, value in values.items():
        assert [
            f"pass  text: {measure} {value:.4g}, wanted >= {value:g}",
            f"FAIL  text: {measure} {value:.4g}, wanted >= 0.95",
        ] == _found(conditions, parse_gate(f"{measure}={value}", lower=True), parse_gate(f"{measure}=.95", lower=True))
    assert ["none  text: pass^4 not measured, wanted >= 0.1"] == _found(conditions, parse_gate("pass^4=.1", lower=True))


def test_success_over_repeats_needs_both_pillars_judged() -> None:
    """It stands on the overall score, and is withheld with it."""
    short = Score(score=90, coverage=0.5)
    (held,) = check_gates(
        summary({TEXT: condition(passes=passes(1, 1, 1, scenarios=6, excluded=0), task=short)}), [TEXT], [Gate("pass^3", 0, True)]
    )
    assert (False, False) == (held.passed, held.missing)


def test_cost_holds_the_run() -> None:
    """One line whatever the conditions: the sum over all parties, 0 for programs, missing where a price is unknown."""
    run, gate = summary({TEXT: condition(), ASR: condition()}), Gate("cost", 1.5, False)

    def found(**usage: Usage) -> list[str]:
        return [str(held) for held in check_gates(run.model_copy(update={"usage": usage}), [TEXT, ASR], [gate])]

    assert ["pass  run: cost 0, wanted <= 1.5"] == found()
    assert ["pass  run: cost 1.5, wanted <= 1.5"] == found(caller=Usage(cost_usd=1.0), judge=Usage(cost_usd=0.5))
    assert ["FAIL  run: cost 1.6, wanted <= 1.5"] == found(candidate=Usage(cost_usd=1.6))
    assert ["none  run: cost not measured, wanted <= 1.5"] == found(candidate=Usage(cost_usd=1.0, unpriced=1))


def test_the_machine_form_says_the_same() -> None:
    """Condition, measure, value, the bound under its side, and whether it passed."""
    held = check_gates(
        summary({TEXT: condition(task=Score(score=69.5))}), [TEXT], [Gate("task", 70, True), Gate("wer", 1, False)]
    )
    assert [
        {"condition": "text", "measure": "task", "value": 69.5, "min": 70, "short": None, "missing": False, "passed": False},
        {"condition": "text", "measure": "wer", "value": None, "max": 1, "short": None, "missing": True, "passed": False},
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
        ("pass^0=1", "no measure 'pass^0'"),
        ("pass=1", "no measure 'pass'"),
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
