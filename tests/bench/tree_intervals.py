"""Whether intervals over trees hold what they promise, by simulation, beside intervals that take calls for independent.

python -m tests.bench.tree_intervals [REPLICATIONS]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import numpy as np

from core.schemas.snapshots import Label
from core.snapshots.intervals import tree_intervals
from core.snapshots.metrics import ScoredCall
from tests.bench.figures import Figure

REPLICATIONS = 400
FRAUD, NONFRAUD = 10, 5
"""Calls of each class in a tree."""
RIGHT = 0.7
"""Share of calls that the simulated detector gets right in the long run: its true balanced accuracy."""
SPREAD = 2.0
"""Trees are right with shares from a beta distribution of this weight; two calls of one correlate by 1 / (1 + SPREAD)."""


def tree_figures(replications: int = REPLICATIONS) -> Iterator[Figure]:
    """Many trees as a month has, then few."""
    for trees in (60, 20, 10):
        rng = np.random.default_rng(trees)
        honest = naive = 0
        for seed in range(replications):
            calls = _calls(trees, rng)
            honest += _holds(calls, seed)
            naive += _holds([call._replace(tree_id=call.sample_id) for call in calls], seed)
        others = f"those that take calls for independent {100 * naive / replications:.0f} %"
        yield Figure(
            f"intervals over {trees} trees",
            f"{100 * honest / replications:.0f} %",
            f"of {replications} hold the true balanced accuracy; {others}",
        )


def _calls(trees: int, rng: np.random.Generator) -> list[ScoredCall]:
    """Answers of a detector that does well on some trees and badly on others."""
    calls = []
    other = {Label.FRAUD: Label.NONFRAUD, Label.NONFRAUD: Label.FRAUD}
    for t, share in enumerate(rng.beta(RIGHT * SPREAD, (1 - RIGHT) * SPREAD, size=trees)):
        for i, label in enumerate([Label.FRAUD] * FRAUD + [Label.NONFRAUD] * NONFRAUD):
            calls.append(ScoredCall(f"s{t}-{i}", f"t{t}", label, label if rng.random() < share else other[label], None))
    return calls


def _holds(calls: Sequence[ScoredCall], seed: int) -> bool:
    found = tree_intervals(calls, seed)["balanced_accuracy"]
    return found.low <= RIGHT <= found.high


if __name__ == "__main__":
    for figure in tree_figures(int(sys.argv[1]) if len(sys.argv) > 1 else REPLICATIONS):
        print(figure, flush=True)
