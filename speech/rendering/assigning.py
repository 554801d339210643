"""Who speaks in which tree: voices by scored fit and seeded chance, spread over the trees, and bound to them.

All calls of a tree share both voices, and nothing here is told a label, so a voice can say nothing about one. A voice rests for
a window of trees after it spoke: half as many as there are voices for the person, so that the rest always leaves two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import UsageError
from core.schemas.snapshots import CallVoices, Participant, Side, SnapshotCall, VoiceChoice
from core.schemas.voicing import VoiceTable
from core.seeds import derive, generator
from speech.rendering.pool import eligible, fit
from speech.voice_sets import VoiceSet

VERSION = "tree-voices-1"
"""Goes up with any change of who gets which voice."""
USAGE = 0.25
"""Taken off the score of the voice that spoke most often so far, and in proportion off that of others."""
TOP = 5
TEMPERATURE = 0.15
"""A voice is drawn among the best TOP with the weights exp(score / TEMPERATURE)."""


@dataclass(frozen=True)
class TreeCast:
    """The people of a tree."""

    tree_id: str
    """The tree."""
    caller: Participant
    """Who calls in all of its calls."""
    receiver: Participant
    """Who is called."""


def casts_of(calls: Iterable[SnapshotCall]) -> tuple[TreeCast, ...]:
    """The people of each tree, in the order in which the trees first appear.

    Raises:
        UsageError: calls of one tree have different people.
    """
    found: dict[str, TreeCast] = {}
    for call in calls:
        cast = TreeCast(call.tree_id, call.caller, call.receiver)
        if found.setdefault(call.tree_id, cast) != cast:
            raise UsageError(f"call {call.sample_id!r} has other people than its siblings of tree {call.tree_id!r}")
    return tuple(found.values())


def assign_voices(casts: Sequence[TreeCast], pool: VoiceSet, table: VoiceTable, seed: int) -> dict[str, CallVoices]:
    """Both voices of every tree. Trees added at the end change nothing for those before them.

    Raises:
        UsageError: the pool has no voice for somebody, or only that of the other person.
    """
    chooser = _Chooser(pool, table, seed)
    return {cast.tree_id: chooser.choose(cast) for cast in casts}


class _Chooser:
    """What was chosen so far."""

    def __init__(self, pool: VoiceSet, table: VoiceTable, seed: int) -> None:
        self._pool = pool
        self._table = table
        self._seed = seed
        self._uses: Counter[str] = Counter()
        self._trees: list[tuple[str, str]] = []

    def choose(self, cast: TreeCast) -> CallVoices:
        """Both voices of the next tree, the caller's first."""
        rng = generator(self._seed, "voices", cast.tree_id)
        caller = self._one(cast.tree_id, cast.caller, Side.CALLER, None, rng)
        receiver = self._one(cast.tree_id, cast.receiver, Side.RECEIVER, caller.voice_id, rng)
        self._trees.append((caller.voice_id, receiver.voice_id))
        return CallVoices(caller=caller, receiver=receiver)

    def _one(self, tree_id: str, person: Participant, side: Side, other: str | None, rng: np.random.Generator) -> VoiceChoice:
        voices = eligible(self._pool, person)
        window = len(voices) // 2
        resting = {voice for pair in self._trees[max(0, len(self._trees) - window + 1) :] for voice in pair} | {other}
        parts = {spec.id: fit(spec, person, side, self._table) for spec in voices if spec.id not in resting}
        if not parts:
            there = ", ".join(spec.id for spec in voices) or "none"
            raise UsageError(
                f"the {side.value} of tree {tree_id!r}, a {person.gender} {person.role!r}, needs a voice"
                f"{f' other than {other!r}' if other else ''}, but for that gender the voices {self._pool.choice!r}"
                f" hold {there}: name more"
            )
        fits = {voice: round(math.fsum(each.values()), 6) for voice, each in parts.items()}
        most = max([1, *self._uses.values()])
        for voice, each in parts.items():
            each["usage"] = 0.0 - round(USAGE * self._uses[voice] / most, 6)
        scores = {voice: round(math.fsum(each.values()), 6) for voice, each in parts.items()}
        fresh = [voice for voice in parts if self._is_least_used(voice, fits)]
        ranked = sorted(fresh, key=lambda voice: (-scores[voice], derive(self._seed, tree_id, side.value, voice)))[:TOP]
        chosen = ranked[_drawn([scores[voice] for voice in ranked], rng)]
        self._uses[chosen] += 1
        return VoiceChoice(voice_id=chosen, score=scores[chosen], parts=parts[chosen], considered=len(voices))

    def _is_least_used(self, voice: str, fits: dict[str, float]) -> bool:
        """Whether no voice that fits exactly as well spoke less often."""
        return self._uses[voice] == min(self._uses[like] for like, fit_of in fits.items() if fit_of == fits[voice])


def _drawn(scores: Sequence[float], rng: np.random.Generator) -> int:
    """A place, drawn with softmax weights."""
    weights = np.exp((np.array(scores) - max(scores)) / TEMPERATURE)
    return int(np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(), side="right").clip(0, len(scores) - 1))
