"""Pairs: two sets of cases compared scenario by scenario, and the error of hearing that stands beside each difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.runs.coverage import shortfall
from core.runs.estimates import MEASURES, rounded, rounded_number
from core.schemas.base import Pillar
from core.schemas.run import CaseSummary, ConditionSummary, Paired
from core.stats.bootstrap import Place
from core.stats.paired import compare


@dataclass(frozen=True)
class Half:
    """One side of a pair: one condition of one run."""

    name: str
    """How it is called."""
    cases: Sequence[CaseSummary]
    """Its finished cases."""
    held: ConditionSummary
    """Its summary."""


def paired(a: Half, b: Half, seed: int) -> list[Paired]:
    """Paired comparisons a - b by overall, task and conversation, on the cases both hold graded."""
    return [_paired(a, b, measure, seed) for measure in MEASURES]


def scenario_wer(a: Sequence[CaseSummary], b: Sequence[CaseSummary]) -> dict[str, float]:
    """Scenario to the word error rate, 0 and up, of a pair's transcribed side, repeats pooled; `b` counts where both were."""
    for cases in (b, a):
        pooled: dict[str, list[int]] = {}
        for case in cases:
            if case.wer is not None:
                held = pooled.setdefault(case.scenario, [0, 0])
                held[0] += case.wer.substitutions + case.wer.deletions + case.wer.insertions
                held[1] += case.wer.reference
        if pooled:
            return {name: edits / reference for name, (edits, reference) in pooled.items() if reference}
    return {}


def _paired(a: Half, b: Half, measure: str, seed: int) -> Paired:
    result = compare(scores_of(a.cases, measure), scores_of(b.cases, measure), seed)
    found = result.interval
    short = [f"{half.name}: {reason}" for half in (a, b) if (reason := shortfall(half.held, measure)) is not None]
    return Paired(
        a=a.name,
        b=b.name,
        measure=measure,
        n=len(result.differences),
        mean=None if found is None else rounded(found.mean),
        low=None if found is None else rounded(found.low),
        high=None if found is None else rounded(found.high),
        wins=result.wins,
        losses=result.losses,
        ties=result.ties,
        detectable=rounded(result.detectable),
        detectable_unpaired=rounded(result.detectable_unpaired),
        repeat_noise=rounded(result.repeat_noise),
        repeat_share=rounded(result.repeat_share),
        withheld="; ".join(short) or None,
        differences={scenario: rounded_number(value) for scenario, value in result.differences.items()},
    )


def scores_of(cases: Sequence[CaseSummary], measure: str) -> dict[Place, float]:
    """The unrounded scores by `overall`, `task` or `conversation` of the cases in which both pillars hold one."""
    values = {}
    for case in cases:
        score = case.overall if measure == "overall" else case.scores.get(Pillar(measure))
        if score is not None and case.overall is not None:
            values[Place(case.agent, case.scenario, case.repeat)] = score
    return values
