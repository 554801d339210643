"""Comparing two conditions or two runs, pair by pair, on the cases both completed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pydantic import JsonValue

from core.errors import InputError
from core.runs.pairs import Half, paired
from core.schemas.base import Condition
from core.schemas.run import CaseSummary, Paired, RunFile, Summary


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

    def half(self) -> Half:
        """This side of the pair."""
        return Half(self.name, self.cases(), self.summary.conditions[self.condition])


def conditions_of(summary: Summary) -> list[Condition]:
    """A run's conditions from text to audio; a saved summary holds them in the order of the alphabet."""
    return [condition for condition in Condition if condition in summary.conditions]


def choose_condition(summary: Summary, wanted: str | None, name: str) -> Condition:
    """The condition meant by `RUN[@condition]`; raises InputError where it is missing or not the only one."""
    present = conditions_of(summary)
    if wanted is None:
        if len(present) == 1:
            return present[0]
        raise InputError(f"{name}: this run has several conditions: write {name}@{present[0].value} (has: {', '.join(present)})")
    if wanted not in present:
        raise InputError(f"{name}: no condition {wanted!r} in this run; it has: {', '.join(present)}")
    return Condition(wanted)


def must_agree(a: Side, b: Side, but: Collection[str] = ()) -> list[str]:
    """What differs between two sides although a fair comparison needs it equal, `but` for what may.

    Of `bundle`, `caller`, `prompts` (the caller's), `judge` (with its settings and prompts, as its key says) and `seed`.
    """
    one, other = _fixed(a), _fixed(b)
    return [f"{key}: {_short(one[key])} against {_short(other[key])}" for key in one if one[key] != other[key] and key not in but]


def _fixed(side: Side) -> dict[str, JsonValue]:
    run, signature = side.run, side.summary.signature
    settings = dict(run.caller.settings)
    prompts = settings.pop("prompts", None)
    return {
        "bundle": f"{run.bundle}@{run.bundle_version} {run.bundle_hash[:12]}",
        "caller": {"party": run.caller.party, "settings": settings},
        "prompts": prompts,
        "judge": f"{signature.judge} {signature.judge_key}",
        "seed": run.seed,
    }


def compare_sides(a: Side, b: Side) -> list[Paired]:
    """Paired comparisons a - b of overall, task and conversation."""
    return paired(a.half(), b.half(), a.run.seed)


def _short(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
