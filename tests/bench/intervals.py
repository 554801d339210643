"""Whether intervals hold what they promise, by simulation, and what they cost.

python -m tests.bench.intervals [REPLICATIONS]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.grading.scores import score_items
from core.runs.estimates import Estimates, Points, Scored
from core.schemas.base import Diagnostic, Pillar
from core.stats.bootstrap import Place, interval
from core.stats.precision import agent_error, detectable
from tests.bench.figures import Figure

AGENTS, SCENARIOS, REPEATS = 49, 10, 3
REPLICATIONS = 2000
DRAWN = 20
"""Replications that use the same samples; further ones are drawn anew."""

GROUPS = {"language": 6, "difficulty": 3, "domain": 9, "agent": AGENTS, "tag": 12}
"""Slices of the synthetic run: dimension to number of values."""


@dataclass(frozen=True)
class Design:
    """A run of one repeat, and how much its scenarios have in common: the correlation between two of one agent, 0 to 1."""

    correlation: float
    agents: int = AGENTS
    scenarios: int = SCENARIOS

    def places(self) -> list[Place]:
        """Where its cases stand."""
        return [Place(f"a{a:02}", f"a{a:02}-{s:02}", 0) for a in range(self.agents) for s in range(self.scenarios)]

    def values(self, rng: np.random.Generator) -> list[float]:
        """Scores of a true mean of 0 and a variance of 1."""
        shared = np.repeat(rng.normal(size=self.agents), self.scenarios)
        own = rng.normal(size=self.agents * self.scenarios)
        return list((self.correlation**0.5 * shared + (1 - self.correlation) ** 0.5 * own).tolist())


@dataclass(frozen=True)
class Held:
    """Shares of replications, 0 to 1."""

    covered: float
    """The interval holds the true mean."""
    flat: float
    """An interval over cases that pretends they are independent holds it."""
    found: float
    """The interval, moved by the mean detectable difference to a known value, excludes none."""


def simulate(design: Design, replications: int, seed: int = 1) -> Held:
    """Draw runs and count how often intervals hold."""
    rng, places = np.random.default_rng(seed), design.places()
    alone = [Place(place.scenario, place.scenario, 0) for place in places]
    mine, flat, sizes = [], [], []
    for number in range(replications):
        values = design.values(rng)
        mine.append(_ends(places, values, number // DRAWN))
        flat.append(_ends(alone, values, number // DRAWN))
        sizes.append(detectable([(mine[-1][1] - mine[-1][0]) / 2], [agent_error(places, values) or 0.0]))
    effect = float(np.mean(sizes))
    counts = (_holding(mine), _holding(flat), sum(low + effect > 0 for low, _high in mine))
    return Held(*(count / replications for count in counts))


def _ends(places: Sequence[Place], values: Sequence[float], seed: int) -> tuple[float, float]:
    found = interval(places, values, seed)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def _holding(ends: Sequence[tuple[float, float]]) -> int:
    """How many hold the true mean of 0."""
    return sum(low <= 0 <= high for low, high in ends)


def coverage_figures(replications: int = REPLICATIONS) -> Iterator[Figure]:
    """The design of the seed at several correlations, then fewer agents."""
    designs = [
        *(Design(correlation) for correlation in (0.5, 0.3, 0.1, 0.0)),
        *(Design(0.5, agents) for agents in (20, 10, 5, 3)),
    ]
    for design in designs:
        held = simulate(design, replications)
        name = f"intervals, {design.agents} agents, corr. {design.correlation:g}"
        others = f"flat ones {100 * held.flat:.1f} %; the detectable difference is found in {100 * held.found:.0f} %"
        yield Figure(name, f"{100 * held.covered:.1f} %", f"of {replications} hold the true mean; {others}")


def cost(agents: int = AGENTS) -> tuple[int, float]:
    """Number of graded cases, and CPU seconds of both pillars and overall with the overall score of every slice."""
    rng = np.random.default_rng(2)
    cases = [
        _scored(Place(f"a{a:02}", f"a{a:02}-{s:02}", r), rng)
        for a in range(agents)
        for s in range(SCENARIOS)
        for r in range(REPEATS)
    ]
    slices = [
        [cases[i] for i in range(len(cases)) if _group(cases[i], size) == value]
        for size in GROUPS.values()
        for value in range(size)
    ]
    estimates = Estimates(7)
    begin = time.process_time()
    for name in ("task", "conversation", "overall"):
        estimates.measure(cases, name)
    for held in slices:
        estimates.measure(held, "overall")
    return len(cases), time.process_time() - begin


def _scored(place: Place, rng: np.random.Generator) -> Scored:
    task, conversation = (float(value) for value in rng.uniform(0, 100, 2))
    nothing = score_items([])
    empty = Points(nothing.score, nothing.points, nothing.max_points, 0.0)
    pillars = {
        Pillar.TASK: Points(task, task, 100.0, 100.0),
        Pillar.CONVERSATION: Points(conversation, conversation, 100.0, 100.0),
    }
    return Scored(place, (task + conversation) / 2, pillars, dict.fromkeys(Diagnostic, empty))


def _group(case: Scored, size: int) -> int:
    """Agents belong to one value of a dimension as a whole, except where values are as few as difficulties."""
    agent, scenario = int(case.place.agent[1:]), int(case.place.scenario.split("-")[1])
    return (scenario if size == GROUPS["difficulty"] else agent) % size


def main() -> None:
    """Print the cost, then the coverage."""
    count, seconds = cost()
    print(f"{count} cases: {seconds:.2f} CPU s")
    for figure in coverage_figures(int(sys.argv[1]) if len(sys.argv) > 1 else REPLICATIONS):
        print(figure, flush=True)


if __name__ == "__main__":
    main()
