"""What a learner gains by having seen a call's siblings: whole trees left out, against as many calls of all trees.

Both sides are tested on sets of the same sizes with as many calls of each class, so that only one thing differs: whether siblings
of the tested calls were trained on.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from core.schemas.audits import Transfer, TreeTransfer
from core.schemas.snapshots import Label
from core.seeds import generator
from core.snapshots.audits.learning import Learner, fit
from core.snapshots.audits.samples import Sample
from core.snapshots.metrics import class_metrics

MOST_TREES = 24
"""Trees that are left out in turn, at most: each costs two trainings on nearly all calls."""


def transfer(calls: Sequence[Sample], learner: Learner[str], seed: int) -> Transfer:
    """Fraud F1 on left-out trees and on left-out calls of these trees; only trees that hold both classes are tested, and of
    more than `MOST_TREES` as many, drawn by the seed.

    Raises:
        ValueError: fewer than two trees hold both classes.
    """
    calls = sorted(calls)  # so that their order decides nothing
    trees: defaultdict[str, list[int]] = defaultdict(list)
    for index, call in enumerate(calls):
        trees[call.group].append(index)
    mixed = {tree: places for tree, places in sorted(trees.items()) if len({calls[i].label for i in places}) == 2}
    if len(mixed) < 2:
        raise ValueError(f"{len(mixed)} trees hold both classes: leaving one out needs two")
    drawn = generator(seed, "left-out-trees").permutation(len(mixed))[:MOST_TREES]
    mixed = {tree: places for at, (tree, places) in enumerate(mixed.items()) if at in drawn}
    held_out = {tree: _fraud_f1(calls, places, learner) for tree, places in mixed.items()}
    leaky = [_fraud_f1(calls, places, learner) for places in _mixed_up(calls, list(mixed.values()), seed)]
    means = math.fsum(held_out.values()) / len(mixed), math.fsum(leaky) / len(mixed)
    return Transfer(
        learner=learner.name,
        trees=tuple(TreeTransfer(tree_id=tree, calls=len(mixed[tree]), held_out=value) for tree, value in held_out.items()),
        held_out=means[0],
        leaky=means[1],
        gap=means[1] - means[0],
    )


def _mixed_up(calls: Sequence[Sample], sets: Sequence[Sequence[int]], seed: int) -> list[list[int]]:
    """The same calls in sets of the same sizes and classes, each drawn from all trees."""
    made: list[list[int]] = [[] for _ in sets]
    for label in Label:
        pool = [i for places in sets for i in places if calls[i].label == label]
        drawn = iter(generator(seed, "leaky-split", label.value).permutation(len(pool)))
        for at, places in enumerate(sets):
            made[at] += [pool[next(drawn)] for i in places if calls[i].label == label]
    return made


def _fraud_f1(calls: Sequence[Sample], test: Sequence[int], learner: Learner[str]) -> float:
    left_out = set(test)
    train = [call for i, call in enumerate(calls) if i not in left_out]
    fitted = fit(learner, [call.text for call in train], [call.label for call in train])
    answers = fitted.predict([calls[i].text for i in test])
    return class_metrics([calls[i].label for i in test], answers).fraud_f1
