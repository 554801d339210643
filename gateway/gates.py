"""Bounds on a run's numbers. Nothing passes for want of an answer: a number on too little judged weight fails, and one that the
run does not hold is no answer at all."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from core.errors import UsageError
from core.report.phrases import agent_faults
from core.runs.coverage import shortfall
from core.schemas.base import Condition, Diagnostic
from core.schemas.run import ConditionSummary, Summary

_OF_CONDITIONS: dict[str, Callable[[ConditionSummary], float | None]] = {
    "overall": lambda held: held.overall.score,
    "task": lambda held: held.task.score,
    "conversation": lambda held: held.conversation.score,
    "success": lambda held: held.success.rate,
    "wer": lambda held: held.wer.rate if held.wer else None,
    "cer": lambda held: held.cer.rate if held.cer else None,
    "known_value_accuracy": lambda held: held.known_value_accuracy.rate,
    "coverage": lambda held: held.overall.coverage,
    "dropped": lambda held: _share(sum(sum(reasons.values()) for reasons in held.dropped.values()), held.planned),
    "ungraded": lambda held: _share(held.ungraded, held.planned),
    "unplayed": lambda held: _share(held.unplayed, held.planned),
    "agent_faults": lambda held: _share(sum(agent_faults(held).values()), sum(held.ends.values())),
    "detectable": lambda held: held.precision.detectable,
    "repeat_sd": lambda held: held.precision.repeat_sd,
}
COST = "cost"
"""What the whole run cost, in US dollars; a bound on it holds the run and no condition."""

MEASURES = (*_OF_CONDITIONS, COST, *(d.value for d in Diagnostic))
"""Every measure by name; beside them stand `pass@<k>` and `pass^<k>`, and the same with `_lower`."""

_PASS = re.compile(r"pass([@^])([1-9][0-9]{0,4})(_lower)?")

_TRANSCRIBING = frozenset({Condition.ASR})
_MEASURED_IN = {
    "wer": _TRANSCRIBING,
    "cer": _TRANSCRIBING,
    "known_value_accuracy": frozenset({Condition.TEXT, Condition.AUTHORED, Condition.ASR}),
}
"""Conditions that a measure of hearing belongs to; the others are held to it only where they have it."""


@dataclass(frozen=True)
class Gate:
    """One bound."""

    measure: str
    """What is held to it."""
    bound: float
    """The bound, itself allowed."""
    lower: bool
    """Whether it is a lower bound."""


@dataclass(frozen=True)
class Held:
    """One condition, or the whole run, held to one bound."""

    condition: Condition | None
    """The condition; None for the whole run."""
    gate: Gate
    """The bound."""
    value: float | None
    """What was measured; None where nothing was."""
    short: str | None = None
    """Why too little was judged for the value to stand; None where it stands."""

    @property
    def passed(self) -> bool:
        """Whether the value is there, stands, and keeps the bound."""
        if self.value is None or self.short is not None:
            return False
        return self.value >= self.gate.bound if self.gate.lower else self.value <= self.gate.bound

    @property
    def missing(self) -> bool:
        """Whether the run does not hold the value, so that nothing can be said."""
        return self.value is None

    def __str__(self) -> str:
        found = "not measured" if self.value is None else f"{self.value:.4g}"
        doubt = "" if self.value is None or self.short is None else f" not judged enough ({self.short})"
        sign = ">=" if self.gate.lower else "<="
        verdict = "none" if self.missing else "pass" if self.passed else "FAIL"
        held = self.condition.value if self.condition else "run"
        return f"{verdict}  {held}: {self.gate.measure} {found}{doubt}, wanted {sign} {self.gate.bound:g}"

    def to_json(self) -> dict[str, JsonValue]:
        """The machine form."""
        return {
            "condition": self.condition.value if self.condition else None,
            "measure": self.gate.measure,
            "value": self.value,
            "min" if self.gate.lower else "max": self.gate.bound,
            "short": self.short,
            "missing": self.missing,
            "passed": self.passed,
        }


def parse_gate(text: str, *, lower: bool) -> Gate:
    """Read `measure=value`; raises UsageError."""
    name, equals, number = text.partition("=")
    if name not in MEASURES and not _PASS.fullmatch(name):
        raise UsageError(f"no measure {name!r}; measures: {', '.join(MEASURES)}, pass@<k>, pass^<k>, either with _lower")
    try:
        bound = float(number)
    except ValueError:
        bound = math.nan
    if not math.isfinite(bound):
        raise UsageError(f"{text!r}: write {name}=<number>{'' if equals else ', with an equals sign'}")
    return Gate(name, bound, lower)


def check_gates(summary: Summary, conditions: Sequence[Condition], gates: Sequence[Gate]) -> Iterator[Held]:
    """Each of the conditions held to each bound, in the order of `Condition`, then the run to bounds on its cost.

    A measure of hearing holds the conditions that can have it; where none of them is there, it holds them all and is missing.
    """
    for condition in Condition:
        for gate in gates:
            if gate.measure != COST and condition in conditions and condition in _holds(summary, conditions, gate.measure):
                held = summary.conditions[condition]
                yield Held(condition, gate, _value(held, gate.measure), _doubt(held, gate.measure))
    yield from (Held(None, gate, _cost(summary)) for gate in gates if gate.measure == COST)


def _holds(summary: Summary, conditions: Sequence[Condition], measure: str) -> list[Condition]:
    """Which of the chosen conditions a bound on `measure` holds: never none."""
    if measure not in _MEASURED_IN:
        return list(conditions)
    able = [c for c in conditions if c in _MEASURED_IN[measure] or _value(summary.conditions[c], measure) is not None]
    return able or list(conditions)


def _value(held: ConditionSummary, measure: str) -> float | None:
    if measure in _OF_CONDITIONS:
        return _OF_CONDITIONS[measure](held)
    if found := _PASS.fullmatch(measure):
        return _pass_value(held, found[1], int(found[2]), lower=found[3] is not None)
    diagnostic = held.diagnostics.get(Diagnostic(measure))
    return diagnostic.score if diagnostic else None


def _pass_value(held: ConditionSummary, which: str, k: int, *, lower: bool) -> float | None:
    one = next((each for each in held.passes.by_k if each.k == k), None) if held.passes else None
    if one is None:
        return None
    if lower:
        return one.pass_at_lower if which == "@" else one.pass_hat_lower
    return (one.pass_at if which == "@" else one.pass_hat).rate


def _doubt(held: ConditionSummary, measure: str) -> str | None:
    """Why too little was judged for the value to stand; a bound on the coverage itself is no headline."""
    return None if measure == "coverage" else shortfall(held, "passes" if _PASS.fullmatch(measure) else measure)


def _cost(summary: Summary) -> float | None:
    """US dollars; None where the sum is a lower bound: a request has no known price, or work was cut short."""
    used = summary.usage.values()
    return None if summary.cuts or any(each.unpriced for each in used) else sum(each.cost_usd for each in used)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
