"""Splits that never part a group: a tree's siblings, a plot's dialogues, are in training or in testing, never in both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.seeds import generator

FOLDS = 5
"""Parts of every split."""


def folds(groups: Sequence[str], strata: Sequence[str], seed: int, parts: int = FOLDS) -> list[int]:
    """The fold, 0 to `parts` - 1, of each item; items of one group are in one fold.

    Large groups are placed first, each where its strata (labels, tiers) are rarest so far, so that every fold holds about the
    same share of each stratum. Equal input, in any order, gives each group the same fold.

    Raises:
        ValueError: groups and strata differ in number, or there are fewer groups than folds.
    """
    if len(groups) != len(strata):
        raise ValueError(f"{len(groups)} groups and {len(strata)} strata: give one of each per item")
    names, group = np.unique(np.array(groups, dtype=object).astype(str), return_inverse=True)
    kinds, kind = np.unique(np.array(strata, dtype=object).astype(str), return_inverse=True)
    if len(names) < parts:
        raise ValueError(f"{len(names)} trees or groups cannot be split into {parts} parts")
    counts = np.zeros((len(names), len(kinds)))
    np.add.at(counts, (group, kind), 1)
    shares = counts / counts.sum(axis=0)
    rng = generator(seed, "folds")
    shuffled = rng.permutation(len(names))
    order = shuffled[np.argsort(-shares[shuffled].sum(axis=1), kind="stable")]
    filled = np.zeros((parts, len(kinds)))
    placed = np.zeros(len(names), dtype=np.int64)
    for at in order:
        # Of the folds whose strata would grow the least crowded, the emptiest; rounding keeps ties the same on every machine.
        crowding = np.round(filled @ shares[at], 12)
        placed[at] = int(np.lexsort((np.round(filled.sum(axis=1), 12), crowding))[0])
        filled[placed[at]] += shares[at]
    return [int(fold) for fold in placed[group]]
