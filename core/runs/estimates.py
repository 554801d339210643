"""Means with intervals from graded cases: the numbers of a summary, each rounded to six digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.grading.scores import score_items
from core.schemas.base import Diagnostic, Pillar
from core.schemas.grade import Grade, PillarScore
from core.schemas.run import Paired, Score, SuccessRate
from core.stats.bootstrap import Interval, Place, interval
from core.stats.paired import compare

CUTOFF = 70.0
"""Overall score of a successful case; provisional, since it is uncalibrated."""

MEASURES = ("overall", "task", "conversation")
"""What conditions are compared by."""


@dataclass(frozen=True)
class Scored:
    """One finished case as the estimates need it."""

    place: Place
    """Agent, scenario, repeat."""
    grade: Grade
    """Its grade."""

    @property
    def is_graded(self) -> bool:
        """Whether both pillars hold a score; a case without leaves every mean."""
        return self.grade.overall is not None

    def measure(self, name: str) -> float:
        """A graded case's `overall`, `task` or `conversation`."""
        value = self.grade.overall if name == "overall" else self.grade.pillars[Pillar(name)].score
        assert value is not None
        return value


class Estimates:
    """Intervals of one run, all drawn with its seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def measure(self, cases: Sequence[Scored], name: str) -> Score:
        """Mean of `overall`, `task` or `conversation` over graded cases; coverage over all finished ones."""
        values = _values(cases, name)
        pillars = list(Pillar) if name == "overall" else [Pillar(name)]
        return self._score(
            values,
            (case.grade.pillars[pillar] for case in cases if case.is_graded for pillar in pillars),
            (case.grade.pillars[pillar] for case in cases for pillar in pillars),
        )

    def diagnostic(self, cases: Sequence[Scored], name: Diagnostic) -> Score:
        """Mean over graded cases of 100 * sum(w r) / sum(w) over the items of one diagnostic; null where no case has any."""
        parts = [(case, score_items(i for i in case.grade.items if i.diagnostic is name)) for case in cases]
        values = {case.place: part.score for case, part in parts if case.is_graded and part.score is not None}
        return self._score(values, (part for case, part in parts if case.is_graded), (part for _case, part in parts))

    def success(self, cases: Sequence[Scored]) -> SuccessRate:
        """Share of graded cases with an overall score of 70 or more."""
        values = {case.place: float(case.measure("overall") >= CUTOFF) for case in cases if case.is_graded}
        found = self._interval(values)
        if found is None:
            return SuccessRate(rate=None, cutoff=CUTOFF)
        return SuccessRate(rate=rounded(found.mean), low=rounded(found.low), high=rounded(found.high), cutoff=CUTOFF)

    def paired(self, a: tuple[str, Sequence[Scored]], b: tuple[str, Sequence[Scored]], name: str) -> Paired:
        """One paired comparison a - b of two named sets of cases."""
        result = compare(_values(a[1], name), _values(b[1], name), self._seed)
        found = result.interval
        return Paired(
            a=a[0],
            b=b[0],
            measure=name,
            n=len(result.differences),
            mean=None if found is None else rounded(found.mean),
            low=None if found is None else rounded(found.low),
            high=None if found is None else rounded(found.high),
            wins=result.wins,
            losses=result.losses,
            ties=result.ties,
            differences={scenario: _rounded(value) for scenario, value in result.differences.items()},
        )

    def _interval(self, values: Mapping[Place, float]) -> Interval | None:
        return interval(list(values), list(values.values()), self._seed)

    def _score(self, values: Mapping[Place, float], graded: Iterable[PillarScore], finished: Iterable[PillarScore]) -> Score:
        pooled, judged = list(graded), list(finished)
        applicable = sum(part.applicable for part in judged)
        found = self._interval(values)
        return Score(
            score=None if found is None else rounded(found.mean),
            low=None if found is None else rounded(found.low),
            high=None if found is None else rounded(found.high),
            points=_rounded(sum(part.points for part in pooled)),
            max_points=_rounded(sum(part.max_points for part in pooled)),
            coverage=_rounded(sum(part.max_points for part in judged) / applicable) if applicable else None,
        )


def _values(cases: Sequence[Scored], name: str) -> dict[Place, float]:
    return {case.place: case.measure(name) for case in cases if case.is_graded}


def rounded(value: float | None) -> float | None:
    """Six digits, none kept null."""
    return None if value is None else _rounded(value)


def _rounded(value: float) -> float:
    return round(value, 6) + 0.0  # no negative zero in a file
