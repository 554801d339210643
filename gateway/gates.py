"""Bounds on a run's numbers. A number that is missing or rests on too little fails: nothing passes for want of an answer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from core.errors import UsageError
from core.runs.coverage import shortfall
from core.schemas.base import Condition, Diagnostic
from core.schemas.run import ConditionSummary, Summary

MEASURES = ("overall", "task", "conversation", "success", "wer", "cer", "known_value_accuracy", *(d.value for d in Diagnostic))

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
    """One condition held to one bound."""

    condition: Condition
    """The condition."""
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

    def __str__(self) -> str:
        found = "not measured" if self.value is None else f"{self.value:.4g}"
        doubt = "" if self.value is None or self.short is None else f" not judged enough ({self.short})"
        sign = ">=" if self.gate.lower else "<="
        verdict = "pass" if self.passed else "FAIL"
        return f"{verdict}  {self.condition.value}: {self.gate.measure} {found}{doubt}, wanted {sign} {self.gate.bound:g}"

    def to_json(self) -> dict[str, JsonValue]:
        """The machine form."""
        return {
            "condition": self.condition.value,
            "measure": self.gate.measure,
            "value": self.value,
            "min" if self.gate.lower else "max": self.gate.bound,
            "short": self.short,
            "passed": self.passed,
        }


def parse_gate(text: str, *, lower: bool) -> Gate:
    """Read `measure=value`; raises UsageError."""
    name, equals, number = text.partition("=")
    if name not in MEASURES:
        raise UsageError(f"no measure {name!r}; measures: {', '.join(MEASURES)}")
    try:
        bound = float(number)
    except ValueError:
        bound = math.nan
    if not math.isfinite(bound):
        raise UsageError(f"{text!r}: write {name}=<number>{'' if equals else ', with an equals sign'}")
    return Gate(name, bound, lower)


def check_gates(summary: Summary, conditions: Sequence[Condition], gates: Sequence[Gate]) -> Iterator[Held]:
    """Each of the conditions held to each bound, in the order of `Condition`.

    A measure of hearing holds the conditions that can have it; where none of them is there, it holds (and fails) them all.
    """
    for condition in Condition:
        for gate in gates:
            if condition in conditions and condition in _holds(summary, conditions, gate.measure):
                held = summary.conditions[condition]
                yield Held(condition, gate, _value(held, gate.measure), shortfall(held, gate.measure))


def _holds(summary: Summary, conditions: Sequence[Condition], measure: str) -> list[Condition]:
    """Which of the chosen conditions a bound on `measure` holds: never none."""
    if measure not in _MEASURED_IN:
        return list(conditions)
    able = [c for c in conditions if c in _MEASURED_IN[measure] or _value(summary.conditions[c], measure) is not None]
    return able or list(conditions)


def _value(held: ConditionSummary, measure: str) -> float | None:
    if measure == "success":
        return held.success.rate
    if measure == "wer":
        return held.wer.rate if held.wer else None
    if measure == "cer":
        return held.cer.rate if held.cer else None
    if measure == "known_value_accuracy":
        return held.known_value_accuracy.rate
    if measure in ("overall", "task", "conversation"):
        score = {"overall": held.overall, "task": held.task, "conversation": held.conversation}[measure]
        return score.score
    diagnostic = held.diagnostics.get(Diagnostic(measure))
    return diagnostic.score if diagnostic else None
