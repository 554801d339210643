"""Which calls a month takes: exactly its contract, spread over trees so that nothing but the evidence tells a label.

Every tree gets as near as it can the contract's share of fraud and lawful calls, and within a tree those calls are
taken that keep depth and length under both labels as they are in all calls. What is left is the reserve, for calls
that fail later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt

from core.errors import UsageError
from core.schemas.snapshots import Contract, Label, Side, SnapshotCall
from core.seeds import generator
from core.snapshots.audits.overlap import near_pairs

_PAPER_TREES = 57
"""Trees over which a month's calls are spread at least, where no tree need give more than `_FEWEST` for it."""
_FEWEST = 3
"""Calls that a tree may always give."""
_LEAST_TREES = 20
"""Trees of a small month, where there are lawful and fraud calls for so many."""
_MARGIN = 0.15
"""Trees grown beyond those needed: some are one-sided or small, some calls fail."""

_Groups = Mapping[tuple[str, Label], Sequence[SnapshotCall]]
"""Calls by tree and label."""


@dataclass(frozen=True)
class Sampled:
    """The calls of a month, and those that may take their place."""

    chosen: tuple[SnapshotCall, ...]
    """Exactly the contract, in the order in which the calls were given."""
    reserve: tuple[SnapshotCall, ...]
    """All others, in an order that depends on the seed alone; near-duplicates of calls before them stand last."""
    twins: frozenset[str] = frozenset()
    """Ids in the reserve that are near-duplicates of a call before them."""


def trees_needed(contract: Contract) -> int:
    """Trees to grow for a contract: enough to spread its calls as thinly as the paper does, and a margin."""
    total = contract.fraud + contract.nonfraud
    most = max(_FEWEST, ceil(total / _PAPER_TREES))
    needed = max(ceil(total / most), min(_LEAST_TREES, contract.fraud, contract.nonfraud))
    return needed + ceil(needed * _MARGIN)


def sample(calls: Iterable[SnapshotCall], contract: Contract, seed: int) -> Sampled:
    """Choose exactly the calls that a contract asks for; the same for any order of the calls.

    Raises:
        UsageError: too few of a label.
    """
    given = tuple(calls)
    _enough(given, contract)
    known = sorted(given, key=lambda call: call.sample_id)
    shuffled = [known[place] for place in generator(seed, "sampling").permutation(len(known))]
    twins = _twins(shuffled, seed)
    picked = _Picking(shuffled)
    quota = _Quota(contract, shuffled)
    quota.fill(_grouped(call for call in shuffled if call.sample_id not in twins))
    picked.take(quota, without=twins)
    # only where others do not suffice
    quota.fill(_grouped(shuffled))
    picked.take(quota, without=frozenset())
    rest = [call for call in shuffled if call.sample_id not in picked.ids]
    return Sampled(
        chosen=tuple(call for call in given if call.sample_id in picked.ids),
        reserve=tuple(sorted(rest, key=lambda call: call.sample_id in twins)),
        twins=frozenset(call.sample_id for call in rest if call.sample_id in twins),
    )


def next_in_place_of(
    failed: SnapshotCall, reserve: Iterable[SnapshotCall], twins: Collection[str] = frozenset()
) -> SnapshotCall | None:
    """The first call of the reserve that may replace one that failed: of the same label, one of the same tree before others.

    Near-duplicates (`twins`) come after all others. None where the reserve has none of the label.
    """
    fitting = (call for call in reserve if call.label is failed.label)
    return min(fitting, key=lambda call: (call.sample_id in twins, call.tree_id != failed.tree_id), default=None)


def _enough(calls: Sequence[SnapshotCall], contract: Contract) -> None:
    wanted = {Label.FRAUD: contract.fraud, Label.NONFRAUD: contract.nonfraud}
    found = {label: sum(call.label is label for call in calls) for label in Label}
    missing = [
        f"{wanted[label] - found[label]} {label.value} calls are missing ({found[label]} of {wanted[label]})"
        for label in Label
        if found[label] < wanted[label]
    ]
    if missing:
        trees = len({call.tree_id for call in calls})
        raise UsageError(f"{' and '.join(missing)} in {trees} trees: grow more with --trees, or ask for fewer calls")


def _twins(calls: Sequence[SnapshotCall], seed: int) -> frozenset[str]:
    """Ids of calls that are near-duplicates of a call before them that is none itself."""
    near: defaultdict[int, set[int]] = defaultdict(set)
    for _shared, first, second in near_pairs([call.text for call in calls], seed):
        near[second].add(first)
    found: set[int] = set()
    for place in sorted(near):
        if near[place] - found:
            found.add(place)
    return frozenset(calls[place].sample_id for place in found)


def _grouped(calls: Iterable[SnapshotCall]) -> _Groups:
    groups: defaultdict[tuple[str, Label], list[SnapshotCall]] = defaultdict(list)
    for call in calls:
        groups[call.tree_id, call.label].append(call)
    return groups


class _Quota:
    """How many calls of each label a tree gives."""

    def __init__(self, contract: Contract, calls: Sequence[SnapshotCall]) -> None:
        self.trees = tuple(dict.fromkeys(call.tree_id for call in calls))
        """In an order that depends on the seed alone."""
        self._family = {call.tree_id: call.family_id for call in calls}
        self._wanted = {Label.FRAUD: contract.fraud, Label.NONFRAUD: contract.nonfraud}
        self._few, self._many = sorted(Label, key=lambda label: (self._wanted[label], label))
        self.of: dict[tuple[str, Label], int] = {(tree, label): 0 for tree in self.trees for label in Label}
        """Tree and label to calls."""

    def fill(self, there: _Groups) -> None:
        """Raise the numbers to the contract as far as there are calls: the rarer label evenly, the other in its ratio to it."""
        few, many = self._few, self._many
        ratio = self._wanted[many] / self._wanted[few]
        room = {key: len(there.get(key, ())) for key in self.of}
        in_ratio = {tree: min(room[tree, few], int(room[tree, many] / ratio)) for tree in self.trees}
        self._raise(few, in_ratio, self._evenly)
        self._raise(few, {tree: room[tree, few] for tree in self.trees}, self._evenly)
        self._raise(
            many,
            {tree: room[tree, many] for tree in self.trees},
            lambda tree: (self.of[tree, few] == 0, self.of[tree, many] - ratio * self.of[tree, few]),
        )

    def _evenly(self, tree: str) -> tuple[float, float]:
        family = self._family[tree]
        in_family = sum(self.of[other, self._few] for other in self.trees if self._family[other] == family)
        return self.of[tree, self._few], in_family

    def _raise(self, label: Label, room: Mapping[str, int], order: Callable[[str], tuple[float, float]]) -> None:
        """Give one call after another to the first tree that has room for it."""
        left = self._wanted[label] - sum(self.of[tree, label] for tree in self.trees)
        for _ in range(left):
            open_trees = [tree for tree in self.trees if self.of[tree, label] < room[tree]]
            if not open_trees:
                return
            self.of[min(open_trees, key=order), label] += 1


class _Picking:
    """Calls picked so far; each is the one that keeps its label nearest to all calls in what must not tell a label."""

    def __init__(self, calls: Sequence[SnapshotCall]) -> None:
        self.ids: set[str] = set()
        """Picked."""
        self._calls = calls
        features = _features(calls)
        self._features = dict(zip((call.sample_id for call in calls), features, strict=True))
        own = [features[[call.label is label for call in calls]].mean(axis=0) for label in Label]
        self._target = sum(own) / len(own)
        self._sums = {label: np.zeros_like(self._target) for label in Label}
        self._in_slot: defaultdict[tuple[str, Label], int] = defaultdict(int)

    def take(self, quota: _Quota, without: Collection[str]) -> None:
        """Pick what a quota leaves open, `without` some calls."""
        groups = _grouped(call for call in self._calls if call.sample_id not in without)
        for tree in quota.trees:
            for _ in range(max(quota.of[tree, label] for label in Label)):
                for label in Label:
                    left = [call for call in groups.get((tree, label), ()) if call.sample_id not in self.ids]
                    if self._in_slot[tree, label] < quota.of[tree, label] and left:
                        self._add(min(left, key=self._distance))

    def _distance(self, call: SnapshotCall) -> float:
        """Squared distance of its label's mean, this call taken in, from what both labels should be like."""
        count = sum(number for (_tree, label), number in self._in_slot.items() if label is call.label) + 1
        gap = (self._sums[call.label] + self._features[call.sample_id]) / count - self._target
        return float(gap @ gap)

    def _add(self, call: SnapshotCall) -> None:
        self.ids.add(call.sample_id)
        self._sums[call.label] += self._features[call.sample_id]
        self._in_slot[call.tree_id, call.label] += 1


def _features(calls: Sequence[SnapshotCall]) -> npt.NDArray[np.float64]:
    """What must not tell a label, a row for each call: depth, and how much either side says, with its square."""
    depths = sorted({call.stop.depth for call in calls})
    reached = np.array([[call.stop.depth == depth for depth in depths] for call in calls], dtype=np.float64)
    said = np.array([[sum(len(turn.text) for turn in call.turns if turn.side is side) for side in Side] for call in calls])
    said = np.column_stack([said, said.sum(axis=1)])
    scaled = (said - said.mean(axis=0)) / np.maximum(said.std(axis=0), 1.0)
    return np.column_stack([reached, scaled, scaled**2])
