"""Which measures are no headline: those of which too little was judged."""

from __future__ import annotations

from core.schemas.base import Diagnostic
from core.schemas.run import ConditionSummary, Score

COVERAGE_FLOOR = 0.8
"""Judged weight over applicable weight below which no headline is printed."""


def is_short(score: Score) -> bool:
    """Whether too little was judged for this score to be a headline."""
    return score.coverage is not None and score.coverage < COVERAGE_FLOOR


def not_covered(held: ConditionSummary, measure: str) -> bool:
    """Whether too little was judged for a measure of a condition to be a headline, or to pass a gate.

    `measure` is `task`, `conversation`, `overall`, a diagnostic, or another measure of the condition. Whatever stands on the
    overall score (`overall`, `success`, `passes`) needs both pillars. What no judge decides, such as `wer`, is always covered.
    """
    return any(is_short(score) for score in _parts(held, measure))


def shortfall(held: ConditionSummary, measure: str) -> str | None:
    """Why a measure is no headline, to be read after a colon; None where it is one."""
    short = [score.coverage for score in _parts(held, measure) if score.coverage is not None and is_short(score)]
    if not short:
        return None
    return f"only {min(short):.2f} of the applicable weight was judged (at least {COVERAGE_FLOOR:g} is needed)"


def _parts(held: ConditionSummary, measure: str) -> tuple[Score, ...]:
    match measure:
        case "task":
            return (held.task,)
        case "conversation":
            return (held.conversation,)
        case "overall" | "success" | "passes":
            return (held.task, held.conversation, held.overall)
    diagnostic = held.diagnostics.get(Diagnostic(measure)) if measure in set(Diagnostic) else None
    return () if diagnostic is None else (diagnostic,)
