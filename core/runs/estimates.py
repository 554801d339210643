"""Means with intervals from graded cases: the numbers of a summary, each rounded to six digits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.grading.scores import score_items
from core.schemas.base import Diagnostic, Pillar
from core.schemas.grade import Grade, PillarScore
from core.schemas.run import Passes, PassK, Precision, Rate, Score, SuccessRate
from core.stats.bootstrap import Interval, Place, interval
from core.stats.passk import mean_pass_at, mean_pass_hat, pass_at, pass_hat
from core.stats.precision import agent_error, detectable, half_width, repeat_bound, repeat_spread

CUTOFF = 70.0
"""Overall score of a successful case; provisional, since it is uncalibrated."""

MEASURES = ("overall", "task", "conversation")
"""What conditions are compared by."""


class Points(NamedTuple):
    """What one pillar or diagnostic of one case adds to the sums; a run keeps these of each case, and not the grade."""

    score: float | None
    """100 * points / max_points; None where nothing was scored."""
    points: float
    """Sum of importance * value over scored items."""
    max_points: float
    """Sum of importance over scored items."""
    applicable: float
    """Sum of importance over applicable items, judged or not."""


@dataclass(frozen=True)
class Scored:
    """One finished case as the estimates need it."""

    place: Place
    """Agent, scenario, repeat."""
    overall: float | None
    """Mean of both pillars, 0 to 100; None where one holds no score."""
    pillars: Mapping[Pillar, Points]
    """Points of both pillars."""
    diagnostics: Mapping[Diagnostic, Points]
    """Points of all diagnostics."""

    @classmethod
    def of(cls, grade: Grade) -> Scored:
        """What is kept of a grade."""
        return cls(
            place=Place(grade.agent, grade.scenario, grade.repeat),
            overall=grade.overall,
            pillars={pillar: _points(score) for pillar, score in grade.pillars.items()},
            diagnostics={
                diagnostic: _points(score_items(item for item in grade.items if item.diagnostic is diagnostic))
                for diagnostic in Diagnostic
            },
        )

    @property
    def is_graded(self) -> bool:
        """Whether both pillars hold a score; a case without leaves every mean."""
        return self.overall is not None

    def measure(self, name: str) -> float:
        """A graded case's `overall`, `task` or `conversation`."""
        value = self.overall if name == "overall" else self.pillars[Pillar(name)].score
        assert value is not None
        return value


class Estimates:
    """Intervals of one run, all drawn with its seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def measure(self, cases: Sequence[Scored], name: str) -> Score:
        """Mean of `overall`, `task` or `conversation` over graded cases; coverage over all finished ones.

        Overall is half of each pillar, so it is covered as far as the worse of the two.
        """
        pillars = list(Pillar) if name == "overall" else [Pillar(name)]
        graded = [case.pillars[pillar] for case in cases if case.is_graded for pillar in pillars]
        coverages = [_coverage(case.pillars[pillar] for case in cases) for pillar in pillars]
        known = [coverage for coverage in coverages if coverage is not None]
        values = {case.place: case.measure(name) for case in cases if case.is_graded}
        return self._score(values, graded, min(known, default=None))

    def diagnostic(self, cases: Sequence[Scored], name: Diagnostic) -> Score:
        """Mean over graded cases of 100 * sum(w r) / sum(w) over the items of one diagnostic; null where no case has any."""
        parts = [(case, case.diagnostics[name]) for case in cases]
        values = {case.place: part.score for case, part in parts if case.is_graded and part.score is not None}
        return self._score(values, [part for case, part in parts if case.is_graded], _coverage(part for _case, part in parts))

    def success(self, cases: Sequence[Scored]) -> SuccessRate:
        """Share of graded cases with an overall score of 70 or more."""
        values = {case.place: float(case.measure("overall") >= CUTOFF) for case in cases if case.is_graded}
        found = self._interval(values)
        if found is None:
            return SuccessRate(rate=None, cutoff=CUTOFF)
        return SuccessRate(rate=rounded(found.mean), low=rounded(found.low), high=rounded(found.high), cutoff=CUTOFF)

    def passes(self, cases: Sequence[Scored], planned: Collection[str], repeats: int) -> Passes | None:
        """Success over up to `repeats` tries of the `planned` scenarios; None for a run without repeats.

        A scenario with a dropped, ungraded or unfinished repeat is left out and counted, since with fewer tries it is another
        measure; beside that stands the lower bound in which each such try is a failure of its scenario.
        """
        if repeats < 2:
            return None
        tries: dict[str, list[bool]] = {scenario: [] for scenario in planned}
        for case in cases:
            if case.is_graded:
                tries[case.place.scenario].append(case.measure("overall") >= CUTOFF)
        whole = {name: sum(held) for name, held in tries.items() if len(held) == repeats}
        every = [(sum(held), repeats) for held in tries.values()]
        places = {case.place.scenario: case.place._replace(repeat=0) for case in cases}

        def rate(estimator: Callable[[int, int, int], float], k: int) -> Rate:
            return self._rate({places[name]: estimator(held, repeats, k) for name, held in whole.items()})

        return Passes(
            repeats=repeats,
            cutoff=CUTOFF,
            scenarios=len(whole),
            excluded=len(tries) - len(whole),
            lost=sum(repeats - len(held) for held in tries.values()),
            by_k=tuple(
                PassK(
                    k=k,
                    pass_at=rate(pass_at, k),
                    pass_hat=rate(pass_hat, k),
                    pass_at_lower=rounded_number(mean_pass_at(every, k) or 0.0),
                    pass_hat_lower=rounded_number(mean_pass_hat(every, k) or 0.0),
                )
                for k in range(1, repeats + 1)
            ),
        )

    def precision(self, cases: Sequence[Scored]) -> Precision:
        """How small a difference of the overall score these graded cases can show."""
        values = {case.place: case.measure("overall") for case in cases if case.is_graded}
        places, data = list(values), list(values.values())
        found, error = self._interval(values), agent_error(places, data)
        half = None if found is None else half_width(found)
        spread = repeat_spread(places, data)
        return Precision(
            error=rounded(error),
            detectable=None if half is None or error is None else rounded(detectable([half, half], [error, error])),
            repeat_sd=rounded(spread),
            repeat_noise=None if spread is None else rounded(repeat_bound([2 * spread**2 / len(data)])),
        )

    def _rate(self, values: Mapping[Place, float]) -> Rate:
        found = self._interval(values)
        if found is None:
            return Rate(rate=None)
        return Rate(rate=rounded(found.mean), low=rounded(found.low), high=rounded(found.high))

    def _interval(self, values: Mapping[Place, float]) -> Interval | None:
        return interval(list(values), list(values.values()), self._seed)

    def _score(self, values: Mapping[Place, float], graded: Sequence[Points], coverage: float | None) -> Score:
        found = self._interval(values)
        return Score(
            score=None if found is None else rounded(found.mean),
            low=None if found is None else rounded(found.low),
            high=None if found is None else rounded(found.high),
            points=rounded_number(sum(part.points for part in graded)),
            max_points=rounded_number(sum(part.max_points for part in graded)),
            coverage=rounded(coverage),
        )


def _points(score: PillarScore) -> Points:
    return Points(score.score, score.points, score.max_points, score.applicable)


def _coverage(parts: Iterable[Points]) -> float | None:
    """Judged weight over applicable weight, 0 to 1; None where nothing applies."""
    listed = list(parts)
    applicable = sum(part.applicable for part in listed)
    return sum(part.max_points for part in listed) / applicable if applicable else None


def rounded(value: float | None) -> float | None:
    """Six digits, none kept null."""
    return None if value is None else rounded_number(value)


def rounded_number(value: float) -> float:
    """Six digits, and no negative zero in a file."""
    return round(value, 6) + 0.0
