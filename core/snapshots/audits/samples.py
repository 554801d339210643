"""Texts with a label, taken from calls of any kind: what text experiments are made on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from core.schemas.imported_calls import ImportedCall
from core.schemas.snapshots import CallTurn, Label, Side, SnapshotCall


class Part(StrEnum):
    """What of a call a learner is shown."""

    WHOLE = "whole"
    """Every turn."""
    EVIDENCE = "evidence"
    """The turns that its rationale names."""
    SUFFIX = "suffix"
    """What follows the opening."""
    OPENING = "opening"
    """The opening that a tree's calls have in common."""
    FIRST_TURN = "first-turn"
    """The first turn."""
    CALLER = "caller"
    """What the caller says, without the answers."""
    RECEIVER = "receiver"
    """What the receiver says, without what it answers."""


class Sample(NamedTuple):
    """A text with its label."""

    id: str
    """Sample id of the call."""
    group: str
    """Calls of one group have words in common and are never parted by a split."""
    label: Label
    """What the call is."""
    text: str
    """The words, a line per turn, marked by who speaks."""


def samples(calls: Iterable[SnapshotCall], part: Part = Part.WHOLE) -> tuple[Sample, ...]:
    """One part of each call; its group is its tree."""
    return tuple(Sample(call.sample_id, call.tree_id, call.label, _words(_turns(call, part))) for call in calls)


def transcribed(calls: Iterable[SnapshotCall], transcripts: Mapping[str, str]) -> tuple[Sample, ...]:
    """Each call in the words of its transcript, by sample id; raises ValueError where a call has none."""
    calls = tuple(calls)
    missing = [call.sample_id for call in calls if call.sample_id not in transcripts]
    if missing:
        raise ValueError(f"{len(missing)} calls have no transcript, the first is {missing[0]!r}")
    return tuple(Sample(call.sample_id, call.tree_id, call.label, transcripts[call.sample_id]) for call in calls)


def imported_samples(calls: Iterable[ImportedCall], part: Part = Part.WHOLE) -> tuple[Sample, ...]:
    """Calls without a plot, whole or their first turn; raises ValueError for parts that only a plot knows."""
    if part not in (Part.WHOLE, Part.FIRST_TURN):
        raise ValueError(f"an imported call has no part {part.value!r}: use 'whole' or 'first-turn'")
    return tuple(
        Sample(call.sample_id, call.group, call.label, call.text if part == Part.WHOLE else call.text.splitlines()[0])
        for call in calls
    )


def _turns(call: SnapshotCall, part: Part) -> tuple[CallTurn, ...]:
    chosen = {
        Part.WHOLE: call.turns,
        Part.EVIDENCE: tuple(call.turns[i] for i in sorted(set(call.rationale.evidence_turns))),
        Part.SUFFIX: call.turns[call.opening_turns :],
        Part.OPENING: call.turns[: call.opening_turns],
        Part.FIRST_TURN: call.turns[:1],
        Part.CALLER: tuple(turn for turn in call.turns if turn.side is Side.CALLER),
        Part.RECEIVER: tuple(turn for turn in call.turns if turn.side is Side.RECEIVER),
    }
    return chosen[part]


def _words(turns: Iterable[CallTurn]) -> str:
    return "\n".join(f"{turn.side}: {turn.text}" for turn in turns)
