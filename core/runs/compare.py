"""Comparing two conditions or two runs, pair by pair, on the cases both completed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from core.errors import InputError
from core.runs.pairs import Half, paired
from core.runs.replay import Difference, differences
from core.schemas.base import Condition
from core.schemas.run import CaseSummary, Paired, RunFile, Summary

_BESIDE = frozenset(
    {
        "recorded",
        "voices",
        "voices_considered",
        "voices_absent",
        "caller_score",
        "matched_traits",
        "unmet_traits",
        "recogniser",
        "recogniser_chosen",
        "recogniser_instead_of",
    }
)
"""Settings of a line that are no part of what arrives: a recording beside it, and out of what and why voices and a recogniser
were chosen. Which ones they are stands in `caller_voices`, `synthesizers` and `recognizer`."""


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
    line_of: Callable[[str], Mapping[str, JsonValue]]
    """The settings of the line on which a case was played, by the case's name."""

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

    Of `bundle`, `caller`, `prompts` (the caller's), `judge` (with its settings and prompts, as its key says) and `seed`; of the
    settings that the caller's and the judge's endpoints did not take; and under one condition of every setting of the line that
    decides what arrives, call by call. Under two the line is compared.
    """
    one, other = _fixed(a), _fixed(b)
    found = [
        f"{key}: {_short(one[key])} against {_short(other[key])}" for key in one if one[key] != other[key] and key not in but
    ]
    return found + (_line_differences(a, b) if a.condition is b.condition else [])


def _line_differences(a: Side, b: Side) -> list[str]:
    """Each setting of the line that is not the same in every call both sides hold, with the values of the first such call."""
    names = sorted({case.case for case in a.cases()} & {case.case for case in b.cases()})
    found: dict[str, list[Difference]] = {}
    for name in names:
        for item in differences(_deciding(a.line_of(name)), _deciding(b.line_of(name)), "line"):
            found.setdefault(item.where, []).append(item)
    return [
        f"{where}: {_short(items[0].recorded)} against {_short(items[0].replayed)}"
        + (f" (in {len(items)} of {len(names)} calls)" if len(items) < len(names) else "")
        for where, items in found.items()
    ]


def _deciding(line: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: value for name, value in line.items() if name not in _BESIDE}


def _fixed(side: Side) -> dict[str, JsonValue]:
    run, signature = side.run, side.summary.signature
    settings = dict(run.caller.settings)
    prompts = settings.pop("prompts", None)
    left_out = {role: list(used.left_out) for role, used in side.summary.usage.items() if used.left_out}
    if "caller" in left_out:
        settings["not_taken"] = [*left_out["caller"]]
    judged = f" without {', '.join(left_out['judge'])}" if "judge" in left_out else ""
    return {
        "bundle": f"{run.bundle}@{run.bundle_version} {run.bundle_hash[:12]}",
        "caller": {"party": run.caller.party, "settings": settings},
        "prompts": prompts,
        "judge": f"{signature.judge} {signature.judge_key}{judged}",
        "seed": run.seed,
    }


def compare_sides(a: Side, b: Side) -> list[Paired]:
    """Paired comparisons a - b of overall, task and conversation."""
    return paired(a.half(), b.half(), a.run.seed)


def _short(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
