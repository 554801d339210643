"""Comparing two conditions or two runs, pair by pair, on the cases both completed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from core.errors import InputError
from core.schemas.base import Condition, Pillar
from core.schemas.run import CaseSummary, Paired, RunFile, Summary
from core.stats.bootstrap import Place
from core.stats.paired import compare

MEASURES = ("overall", "task", "conversation")


@dataclass(frozen=True)
class Side:
    """One side of a comparison: one condition of one run."""

    name: str
    """How it is called, such as `runs/first@asr`."""
    run: RunFile
    """The run."""
    summary: Summary
    """Its summary."""
    condition: Condition
    """The condition."""

    def cases(self) -> list[CaseSummary]:
        """The graded cases of this condition."""
        return [case for case in self.summary.cases if case.condition is self.condition]


def choose_condition(summary: Summary, wanted: str | None, name: str) -> Condition:
    """The condition meant by `RUN[@condition]`; raises InputError where it is missing or not the only one."""
    present = list(summary.conditions)
    if wanted is None:
        if len(present) == 1:
            return present[0]
        raise InputError(f"{name}: this run has several conditions: write {name}@{present[0].value} (has: {', '.join(present)})")
    if wanted not in present:
        raise InputError(f"{name}: no condition {wanted!r} in this run; it has: {', '.join(present)}")
    return Condition(wanted)


def must_agree(a: Side, b: Side) -> list[str]:
    """What differs between two sides although a fair comparison needs it equal."""
    sides = [
        {
            "bundle": f"{side.run.bundle}@{side.run.bundle_version} {side.run.bundle_hash[:12]}",
            "caller": side.run.caller.to_json(),
            "judge": side.summary.signature.judge_key,
            "seed": side.run.seed,
        }
        for side in (a, b)
    ]
    return [
        f"{key}: {_short(sides[0][key])} against {_short(sides[1][key])}" for key in sides[0] if sides[0][key] != sides[1][key]
    ]


def compare_sides(a: Side, b: Side) -> list[Paired]:
    """Paired comparisons a - b of overall, task and conversation."""
    return [_paired(a, b, measure) for measure in MEASURES]


def _paired(a: Side, b: Side, measure: str) -> Paired:
    found = compare(_values(a, measure), _values(b, measure), a.run.seed)
    interval = found.interval
    return Paired(
        a=a.name,
        b=b.name,
        measure=measure,
        n=len(found.differences),
        mean=interval.mean if interval else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        wins=found.wins,
        losses=found.losses,
        ties=found.ties,
        differences=dict(found.differences),
    )


def _values(side: Side, measure: str) -> Mapping[Place, float]:
    values = {}
    for case in side.cases():
        score = case.overall if measure == "overall" else case.scores.get(Pillar(measure))
        if score is not None and case.overall is not None:
            values[Place(case.agent, case.scenario, case.repeat)] = score
    return values


def _short(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
