"""Swapping the caller: how far scores, leads and ranks of the same candidates move when somebody else calls them.

Everything stands on the cases that are graded in every run, so that nothing but candidate and caller differs between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from core.errors import InputError
from core.runs.compare import Side, must_agree
from core.runs.coverage import shortfall
from core.runs.estimates import rounded, rounded_number
from core.runs.pairs import scores_of
from core.schemas.base import content_hash
from core.schemas.call_trace import PartyRecord
from core.schemas.swap import Swap, SwapCell, SwapChange
from core.stats.bootstrap import Place, interval
from core.stats.paired import TIE, compare

Scores = Mapping[Place, float]
Grid = Mapping[tuple[str, str], Scores]
"""Candidate and caller to scores on the common cases."""


def swapped(sides: Sequence[Side]) -> Swap:
    """What another caller changes; raises InputError where the runs are no whole grid, differ otherwise, or share no case.

    `sides` hold one run for each candidate and caller, in any order; the first one's caller is what others are compared with.
    """
    first = sides[0]
    _must_fit(sides)
    candidates, callers = _labels([side.run.candidate for side in sides]), _labels([side.run.caller for side in sides])
    keys = list(zip(candidates, callers, strict=True))
    whole = _whole_grid(dict(zip(keys, sides, strict=True)), sides, list(dict.fromkeys(candidates)), list(dict.fromkeys(callers)))
    scores = {key: scores_of(side.cases(), "overall") for key, side in whole.items()}
    common = set.intersection(*(set(each) for each in scores.values()))
    if not common:
        raise InputError(f"no case is graded in all of {', '.join(side.name for side in sides)}")
    grid = {key: {place: each[place] for place in sorted(common)} for key, each in scores.items()}
    leads = _leads(grid, list(dict.fromkeys(candidates)), list(dict.fromkeys(callers)), first.run.seed)
    signature = first.summary.signature
    return Swap(
        bundle=signature.bundle,
        bundle_hash=signature.bundle_hash,
        judge=signature.judge,
        judge_key=signature.judge_key,
        seed=first.run.seed,
        condition=first.condition,
        candidates=tuple(dict.fromkeys(candidates)),
        callers=tuple(dict.fromkeys(callers)),
        n=len(common),
        scenarios=len({(place.agent, place.scenario) for place in common}),
        cells=_cells(grid, whole, first.run.seed),
        changes=tuple(
            _change(candidate, caller, scores, grid[candidate, callers[0]], first.run.seed)
            for (candidate, caller), scores in grid.items()
            if caller != callers[0]
        ),
        leads=leads,
        turned=tuple(
            f"{each.subject} under {each.caller}"
            for each in leads
            if each.before * each.after < 0 and min(abs(each.before), abs(each.after)) > TIE
        ),
    )


def _must_fit(sides: Sequence[Side]) -> None:
    first = sides[0]
    for side in sides:
        differing = must_agree(first, side, but=("caller", "prompts"))
        if side.condition is not first.condition:
            differing.append(f"condition: {first.condition.value} against {side.condition.value}")
        if differing:
            raise InputError(f"{first.name} and {side.name} differ in more than candidate and caller: {'; '.join(differing)}")
        if (short := shortfall(side.summary.conditions[side.condition], "overall")) is not None:
            raise InputError(f"{side.name}: the overall score is no headline: {short}")


def _labels(records: Sequence[PartyRecord]) -> list[str]:
    """The name of each party, with the head of a hash where parties of one name have other settings."""
    hashes = [content_hash(record.to_json())[:8] for record in records]
    settings = {
        record.party: {its for its, other in zip(hashes, records, strict=True) if other.party == record.party}
        for record in records
    }
    return [
        record.party if len(settings[record.party]) == 1 else f"{record.party} #{its}"
        for record, its in zip(records, hashes, strict=True)
    ]


def _whole_grid(
    found: Mapping[tuple[str, str], Side], sides: Sequence[Side], candidates: Sequence[str], callers: Sequence[str]
) -> dict[tuple[str, str], Side]:
    if len(callers) < 2:
        raise InputError(f"every run has the caller {callers[0]}: add runs of the same candidates with another caller")
    if len(found) < len(sides):
        raise InputError(f"{len(sides)} runs of {len(found)} pairs of candidate and caller: name one run for each pair")
    missing = [f"{one} with {caller}" for one in candidates for caller in callers if (one, caller) not in found]
    if missing:
        raise InputError(f"a run is missing of {'; '.join(missing)}: each candidate needs a run with each caller")
    return {(one, caller): found[one, caller] for one in candidates for caller in callers}


def _cells(grid: Grid, sides: Mapping[tuple[str, str], Side], seed: int) -> tuple[SwapCell, ...]:
    means = {key: _mean(scores) for key, scores in grid.items()}
    cells = []
    for (candidate, caller), scores in grid.items():
        found = interval(list(scores), list(scores.values()), seed)
        above = sum(mean > means[candidate, caller] + TIE for (_one, its), mean in means.items() if its == caller)
        cells.append(
            SwapCell(
                candidate=candidate,
                caller=caller,
                run=sides[candidate, caller].name,
                mean=rounded_number(means[candidate, caller]),
                low=None if found is None else rounded(found.low),
                high=None if found is None else rounded(found.high),
                rank=1 + above,
            )
        )
    return tuple(cells)


def _leads(grid: Grid, candidates: Sequence[str], callers: Sequence[str], seed: int) -> tuple[SwapChange, ...]:
    def lead(one: str, other: str, caller: str) -> Scores:
        return {place: score - grid[other, caller][place] for place, score in grid[one, caller].items()}

    return tuple(
        _change(f"{one} - {other}", caller, lead(one, other, caller), lead(one, other, callers[0]), seed)
        for one, other in combinations(candidates, 2)
        for caller in callers[1:]
    )


def _change(subject: str, caller: str, after: Scores, before: Scores, seed: int) -> SwapChange:
    result = compare(after, before, seed)
    found = result.interval
    assert found is not None
    return SwapChange(
        subject=subject,
        caller=caller,
        before=rounded_number(_mean(before)),
        after=rounded_number(_mean(after)),
        mean=rounded_number(found.mean),
        low=rounded(found.low),
        high=rounded(found.high),
        wins=result.wins,
        losses=result.losses,
        ties=result.ties,
    )


def _mean(scores: Scores) -> float:
    return sum(scores.values()) / len(scores)
