"""Bounds on a run's numbers. A measure that is missing fails its gate: nothing passes for want of an answer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.errors import UsageError
from core.schemas.base import Condition, Diagnostic
from core.schemas.run import ConditionSummary, Summary

MEASURES = ("overall", "task", "conversation", "success", "wer", "cer", "known_value_accuracy", *(d.value for d in Diagnostic))


@dataclass(frozen=True)
class Gate:
    """One bound."""

    measure: str
    """What is held to it."""
    bound: float
    """The bound, itself allowed."""
    lower: bool
    """Whether it is a lower bound."""


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


def check_gates(summary: Summary, conditions: Sequence[Condition], gates: Sequence[Gate]) -> Iterator[tuple[str, bool]]:
    """One line per condition and gate, and whether it passed."""
    for condition in conditions:
        for gate in gates:
            value = _value(summary.conditions[condition], gate.measure)
            passed = value is not None and (value >= gate.bound if gate.lower else value <= gate.bound)
            sign = ">=" if gate.lower else "<="
            found = "not measured" if value is None else f"{value:.4g}"
            yield (
                f"{'pass' if passed else 'FAIL'}  {condition.value}: {gate.measure} {found}, wanted {sign} {gate.bound:g}",
                passed,
            )


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
