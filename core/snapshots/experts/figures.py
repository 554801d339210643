"""How far people agree with the labels of a month, and with each other."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

from core.errors import FileError
from core.schemas.agreement import Metric, Weights
from core.schemas.base import content_hash
from core.schemas.experts import ExpertKey, ExpertPair, ExpertReport, ItemResult, PacketResult
from core.schemas.snapshots import Label
from core.snapshots.experts.filled import Answer
from core.stats.agreement import Matrix, alpha, coincidences, confusion, kappa

_PLACE = {label: place for place, label in enumerate(Label)}
Filled = Mapping[str, Sequence[Answer]]
"""Answers by packet; none for an unfilled one."""


def expert_report(key: ExpertKey, filled: Filled) -> ExpertReport:
    """Every figure over the filled packets.

    Raises:
        FileError: none is filled.
    """
    there = {file: answers for file, answers in filled.items() if answers}
    if not there:
        raise FileError(f"none of {len(key.packets)} packets of {key.snapshot_id} is filled: put filled ones in their place")
    every = [answer for answers in there.values() for answer in answers]
    packets = tuple(_packet(file, answers) for file, answers in there.items())
    items = _items(there)
    shares = [packet.agreement for packet in packets]
    agreed = tuple(item.sample_id for item in items if item.agreement == 1.0)
    return ExpertReport(
        snapshot_id=key.snapshot_id,
        root_sha256=key.root_sha256,
        key_sha256=content_hash(key.to_json()),
        packets=packets,
        unfilled=tuple(packet.file for packet in key.packets if packet.file not in there),
        labelled=len(every),
        agreement=math.fsum(shares) / len(shares),
        lowest=min(shares),
        highest=max(shares),
        kappa=_kappa([(answer.item.label, answer.label) for answer in every]),
        labels=_labels(every),
        confidence=_confidence(every),
        confidences=sum(answer.confidence is not None for answer in every),
        sufficient=sum(answer.sufficient is True for answer in every),
        sufficient_answers=sum(answer.sufficient is not None for answer in every),
        correct=sum(answer.correct is True for answer in every),
        correct_answers=sum(answer.correct is not None for answer in every),
        pairs=tuple(_pairs(there)),
        alpha=_alpha(items),
        items=items,
        agreed_only=agreed,
        doubted=tuple(item.sample_id for item in items if item.agreement < 1.0),
    )


def _packet(file: str, answers: Sequence[Answer]) -> PacketResult:
    return PacketResult(
        file=file,
        items=len(answers),
        agreement=sum(answer.label == answer.item.label for answer in answers) / len(answers),
        kappa=_kappa([(answer.item.label, answer.label) for answer in answers]),
        labels=_labels(answers),
        confidence=_confidence(answers),
        sufficient=sum(answer.sufficient is True for answer in answers),
        correct=sum(answer.correct is True for answer in answers),
    )


def _labels(answers: Sequence[Answer]) -> dict[Label, int]:
    given = Counter(answer.label for answer in answers)
    return {label: given[label] for label in Label}


def _confidence(answers: Sequence[Answer]) -> float | None:
    given = [answer.confidence for answer in answers if answer.confidence is not None]
    return sum(given) / len(given) if given else None


def _items(filled: Filled) -> tuple[ItemResult, ...]:
    """What was said of each call, in the order of ids."""
    by_call: defaultdict[str, dict[str, Answer]] = defaultdict(dict)
    for file, answers in filled.items():
        for answer in answers:
            by_call[answer.item.sample_id][file] = answer
    return tuple(
        ItemResult(
            sample_id=sample_id,
            label=(label := next(iter(said.values())).item.label),
            given={file: answer.label for file, answer in said.items()},
            agreement=sum(answer.label == label for answer in said.values()) / len(said),
            notes=tuple(answer.notes for answer in said.values() if answer.notes),
        )
        for sample_id, said in sorted(by_call.items())
    )


def _pairs(filled: Filled) -> list[ExpertPair]:
    made = []
    for (first, these), (second, those) in combinations(filled.items(), 2):
        theirs = {answer.item.sample_id: answer.label for answer in those}
        both = [(answer.label, theirs[answer.item.sample_id]) for answer in these if answer.item.sample_id in theirs]
        if both:
            agreed = sum(one == other for one, other in both) / len(both)
            made.append(ExpertPair(first=first, second=second, items=len(both), agreement=agreed, kappa=_kappa(both)))
    return made


def _kappa(pairs: Sequence[tuple[Label, Label]]) -> float | None:
    return _defined(kappa(confusion([[_PLACE[one], _PLACE[other]] for one, other in pairs], len(Label)), Weights.NOMINAL))


def _alpha(items: Sequence[ItemResult]) -> float | None:
    units = [[_PLACE[label] for label in item.given.values()] for item in items if len(item.given) > 1]
    return _defined(alpha(coincidences(units, len(Label)), Metric.NOMINAL)) if units else None


def _defined(found: Matrix) -> float | None:
    """A measure of one table; None where nothing could differ."""
    value = float(found)
    return None if math.isnan(value) else value
