"""Mutual information of a property with the label, and how often shuffling shows as much.

Calls of one tree are no independent draws, so nothing is shuffled freely. Labels are shuffled inside their trees, which finds
what tells siblings apart. A property that is one for a whole tree, such as its voices, cannot do that; its values are shuffled
from tree to tree as well, which finds voices that go to trees with more fraud than others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.schemas.audits import Dependence
from core.schemas.snapshots import CallVoices, Label, Side, SnapshotCall
from core.seeds import generator

PERMUTATIONS = 999
"""Shuffles behind each p-value, whose least value is 1 in 1,000."""

Integers = npt.NDArray[np.int64]


class Seen(NamedTuple):
    """A call with the values of a property that were seen in it."""

    group: str
    """Its tree."""
    label: Label
    """What it is."""
    values: tuple[str, ...]
    """One value, one per turn, or none."""


def delivery_dependence(calls: Sequence[SnapshotCall], seed: int) -> tuple[Dependence, ...]:
    """What each side's deliveries after the opening say of the label, turn by turn."""
    return tuple(
        dependence(
            f"delivery of the {side}",
            [
                Seen(
                    call.tree_id,
                    call.label,
                    tuple(turn.delivery.value for turn in call.turns[call.opening_turns :] if turn.side == side),
                )
                for call in calls
            ],
            seed,
        )
        for side in Side
    )


def voice_dependence(calls: Sequence[SnapshotCall], voices: Mapping[str, CallVoices], seed: int) -> tuple[Dependence, ...]:
    """What each side's voice, and both together, say of the label; `voices` by sample id."""
    heard = [(call, voices[call.sample_id].caller.voice_id, voices[call.sample_id].receiver.voice_id) for call in calls]
    properties = {
        "voice of the caller": [caller for _call, caller, _receiver in heard],
        "voice of the receiver": [receiver for _call, _caller, receiver in heard],
        "pair of voices": [f"{caller} {receiver}" for _call, caller, receiver in heard],
    }
    return tuple(
        dependence(name, [Seen(call.tree_id, call.label, (value,)) for call, value in zip(calls, values, strict=True)], seed)
        for name, values in properties.items()
    )


def dependence(name: str, seen: Sequence[Seen], seed: int, permutations: int = PERMUTATIONS) -> Dependence:
    """Mutual information of a property with the label, in bits, with the p-values of both ways of shuffling.

    Raises:
        ValueError: the property was never seen.
    """
    # Sorted, so that the order of the calls decides nothing: equal calls are interchangeable.
    seen = sorted(seen)
    owner = np.repeat(np.arange(len(seen)), [len(call.values) for call in seen])
    if not len(owner):
        raise ValueError(f"{name}: no call has a value of it")
    words, value = np.unique([word for call in seen for word in call.values], return_inverse=True)
    label = np.array([call.label == Label.FRAUD for call in seen], dtype=np.int64)
    group = np.unique([call.group for call in seen], return_inverse=True)[1]
    observed = _bits(value, label[owner])
    within_rng = generator(seed, "dependence", name, "within")
    within = np.array([_bits(value, _shuffled(label, group, within_rng)[owner]) for _ in range(permutations)])
    return Dependence(
        name=name,
        observations=len(owner),
        values=len(words),
        bits=observed,
        by_chance=float(within.mean()),
        p_within=_p(observed, within),
        p_between=_p_between(seen, label, group, observed, generator(seed, "dependence", name, "between"), permutations),
        permutations=permutations,
    )


def _bits(value: Integers, label: Integers) -> float:
    """Mutual information of two columns of small integers, the second 0 or 1."""
    joint = np.bincount(value * 2 + label, minlength=2 * (int(value.max()) + 1)).reshape(-1, 2) / len(value)
    alone = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0
    return max(0.0, float((joint[there] * np.log2(joint[there] / alone[there])).sum()))


def _shuffled(label: Integers, group: Integers, rng: np.random.Generator) -> Integers:
    """Labels in a random order inside each group; groups stand one after the other."""
    keys = rng.random(len(label))
    order: Integers = np.lexsort((keys, group))
    return label[order]


def _p(observed: float, shuffled: npt.NDArray[np.float64]) -> float:
    """Share of shuffles with at least the observed bits, the observed order counted as one of them."""
    return float((1 + (shuffled >= observed - 1e-12).sum()) / (1 + len(shuffled)))


def _p_between(
    seen: Sequence[Seen], label: Integers, group: Integers, observed: float, rng: np.random.Generator, permutations: int
) -> float | None:
    """The p-value with values moved from tree to tree; None where a tree has more than one, or a call not exactly one."""
    by_group: dict[str, set[tuple[str, ...]]] = {}
    for call in seen:
        by_group.setdefault(call.group, set()).add(call.values)
    if any(len(values) > 1 for values in by_group.values()) or any(len(call.values) != 1 for call in seen):
        return None
    each = np.unique([next(iter(by_group[name]))[0] for name in sorted(by_group)], return_inverse=True)[1]
    moved = np.array([_bits(rng.permutation(each)[group], label) for _ in range(permutations)])
    return _p(observed, moved)
