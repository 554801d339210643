"""Summaries with just the numbers a test is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.schemas.base import Condition, Pillar
from core.schemas.hearing import KnownValueReport, ValueAccuracy
from core.schemas.run import CaseSummary, ConditionSummary, Passes, PassK, Rate, Score, Signature, SuccessRate, Summary
from tests.support.runs import CODE
from tests.support.scenes import minimal

NO_SCORE = Score(score=None)


def condition(**measured: Any) -> ConditionSummary:
    """A condition in which nothing was measured but what is given."""
    empty: dict[str, Any] = {
        "n": 0,
        "planned": 0,
        "task": NO_SCORE,
        "conversation": NO_SCORE,
        "overall": NO_SCORE,
        "success": SuccessRate(rate=None),
        "known_value_accuracy": KnownValueReport(rate=None),
        "diagnostics": {},
    }
    return ConditionSummary.model_validate(empty | measured)


def passes(once: float, some: float, every: float, scenarios: int, excluded: int, lost: int = 0) -> Passes:
    """Success over three repeats: pass@1, pass@3 and pass^3, with 2 half way between; lower bounds are half of each."""
    shares = [(once, once), ((once + some) / 2, (once + every) / 2), (some, every)]
    by_k = [
        PassK(k=k, pass_at=Rate(rate=at), pass_hat=Rate(rate=hat), pass_at_lower=at / 2, pass_hat_lower=hat / 2)
        for k, (at, hat) in enumerate(shares, 1)
    ]
    return Passes(repeats=3, cutoff=70.0, scenarios=scenarios, excluded=excluded, lost=lost, by_k=tuple(by_k))


def case(scenario: str, on: Condition, task: float | None, conversation: float | None, repeat: int = 0) -> CaseSummary:
    """A graded case with its two pillars."""
    whole = None if task is None or conversation is None else (task + conversation) / 2
    return CaseSummary(
        case=f"{scenario}--{on.value}--r{repeat}",
        scenario=scenario,
        agent="corner-library",
        condition=on,
        repeat=repeat,
        end="caller_done",
        trace_sha256="0" * 64,
        scores={Pillar.TASK: task, Pillar.CONVERSATION: conversation},
        overall=whole,
        turns=1,
        known_values=ValueAccuracy(rate=None),
    )


def summary(conditions: Mapping[Condition, ConditionSummary], *cases: CaseSummary, judge_key: str = "judge-1") -> Summary:
    """A summary over these conditions and cases."""
    signature = Signature(
        bundle="minimal@1.0.0",
        bundle_hash=minimal().bundle_hash,
        caller="test:caller",
        candidate="test:candidate",
        judge="test:judge",
        judge_key=judge_key,
        seed=7,
        repeats=1,
        code=CODE,
        measures={},
        lines={},
    )
    return Summary(signature=signature, official=False, conditions=dict(conditions), cases=cases)
