"""All audits of one set of sibling calls in one report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.schemas.audits import AuditReport, Dependence, Probe
from core.schemas.detections import ClassMetrics
from core.schemas.snapshots import CallVoices, Label, ManifestRow, PathState, SnapshotCall
from core.snapshots.audits.dependence import delivery_dependence, voice_dependence
from core.snapshots.audits.distance import Encoder, tree_distances
from core.snapshots.audits.features import (
    Features,
    call_metadata,
    delivery_features,
    length_features,
    row_metadata,
    voice_features,
)
from core.snapshots.audits.learning import EVIDENCE, FREE, HARD_TIER, SIDE_DOOR, Bounds, Learner, probe
from core.snapshots.audits.overlap import near_duplicates
from core.snapshots.audits.samples import Part, samples
from core.snapshots.audits.transfer import transfer
from core.snapshots.metrics import class_metrics

Step = Callable[[PathState, str], PathState]
"""The state after an action in a state: the builder's table of actions."""


class Learners(NamedTuple):
    """The learners of an audit."""

    texts: Sequence[Learner[str]]
    """Learners of texts; the first also learns the evidence, and how trees carry over."""
    features: Sequence[Learner[Features]]
    """Learners of lengths, deliveries, voices and metadata."""
    encoder: Encoder
    """What distances are taken with."""


def audit_calls(calls: Sequence[SnapshotCall], learners: Learners, seed: int, step: Step | None = None) -> AuditReport:
    """Audit calls in words alone, which have no voices yet; see `audit_rows`."""
    metadata = [call_metadata(call) for call in calls]
    return _audit(calls, {}, [length_features(call) for call in calls], metadata, learners, seed, step)


def audit_rows(rows: Sequence[ManifestRow], learners: Learners, seed: int, step: Step | None = None) -> AuditReport:
    """Audit the rows of a snapshot, in the order of its manifest.

    Raises:
        ValueError: fewer than five trees, calls of one label, too few trees that hold both, or voices of some calls alone.
    """
    calls = [row.call for row in rows]
    voices = {row.call.sample_id: row.voices for row in rows if row.voices is not None}
    if voices and len(voices) < len(rows):
        first = next(call.sample_id for call in calls if call.sample_id not in voices)
        raise ValueError(f"{len(rows) - len(voices)} of them name no voices, the first is {first!r}: a month has all or none")
    lengths = [length_features(row.call, None if row.audio is None else row.audio.duration_s) for row in rows]
    metadata = [row_metadata(row, place / len(rows)) for place, row in enumerate(rows)]
    return _audit(calls, voices, lengths, metadata, learners, seed, step)


def _audit(
    calls: Sequence[SnapshotCall],
    voices: Mapping[str, CallVoices],
    lengths: Sequence[Features],
    metadata: Sequence[Features],
    learners: Learners,
    seed: int,
    step: Step | None,
) -> AuditReport:
    features = {"length": lengths, "delivery": [delivery_features(call) for call in calls], "metadata": metadata}
    if voices:
        features["voice"] = [voice_features(voices[call.sample_id]) for call in calls]
    whole = samples(calls)
    return AuditReport(
        seed=seed,
        calls=len(calls),
        trees=len({call.tree_id for call in calls}),
        labels={label: sum(call.label == label for call in calls) for label in Label},
        oracle=None if step is None else oracle(calls, step),
        probes=(*_text_probes(calls, learners.texts, seed), *_side_doors(calls, features, learners.features, seed)),
        dependence=_dependence(calls, voices, seed),
        distance=tree_distances(calls, learners.encoder, seed),
        transfer=transfer(whole, learners.texts[0], seed),
        duplicates=near_duplicates(whole, seed),
    )


def oracle(calls: Sequence[SnapshotCall], step: Step) -> ClassMetrics:
    """Figures of a reader who sees the recorded actions and no word: each call's actions run through the builder's table."""
    answers: list[Label | None] = []
    for call in calls:
        state = PathState.AMBIGUOUS
        for turn in call.turns:
            state = step(state, turn.action)
        answers.append(state.label)
    return class_metrics([call.label for call in calls], answers)


def _text_probes(calls: Sequence[SnapshotCall], learners: Sequence[Learner[str]], seed: int) -> list[Probe]:
    plan: list[tuple[Part, Learner[str], Bounds]] = [(Part.WHOLE, learner, HARD_TIER) for learner in learners]
    plan += [(Part.CALLER, learners[0], FREE), (Part.RECEIVER, learners[0], FREE), (Part.EVIDENCE, learners[0], EVIDENCE)]
    plan += [(part, learner, SIDE_DOOR) for part in (Part.OPENING, Part.FIRST_TURN) for learner in learners]
    made = []
    for part, learner, bounds in plan:
        texts = samples(calls, part)
        labels, groups = [text.label for text in texts], [text.group for text in texts]
        made.append(probe(part.value, [text.text for text in texts], labels, groups, learner, seed, bounds))
    return made


def _side_doors(
    calls: Sequence[SnapshotCall], features: Mapping[str, Sequence[Features]], learners: Sequence[Learner[Features]], seed: int
) -> list[Probe]:
    labels, groups = [call.label for call in calls], [call.tree_id for call in calls]
    return [
        probe(name, items, labels, groups, learner, seed, SIDE_DOOR) for name, items in features.items() for learner in learners
    ]


def _dependence(calls: Sequence[SnapshotCall], voices: Mapping[str, CallVoices], seed: int) -> tuple[Dependence, ...]:
    return (*delivery_dependence(calls, seed), *(voice_dependence(calls, voices, seed) if voices else ()))
