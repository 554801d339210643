"""Labelled calls and answers of any shape, for tests of what is measured on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.schemas.detections import DetectionError, EvaluationRun, InputMode, Response
from core.schemas.snapshots import Label
from core.snapshots.metrics import Gold, ScoredCall
from core.snapshots.summary import config_key

FRAUD, NONFRAUD = Label.FRAUD, Label.NONFRAUD
ROOT = "a" * 64


def answered(
    tp: int = 0, tn: int = 0, fp: int = 0, fn: int = 0, fraud_errors: int = 0, nonfraud_errors: int = 0
) -> list[ScoredCall]:
    """Calls with so many outcomes of each kind, each call a tree of its own."""
    kinds: Sequence[tuple[int, Label, Label | None]] = (
        (tp, FRAUD, FRAUD),
        (tn, NONFRAUD, NONFRAUD),
        (fp, NONFRAUD, FRAUD),
        (fn, FRAUD, NONFRAUD),
        (fraud_errors, FRAUD, None),
        (nonfraud_errors, NONFRAUD, None),
    )
    pairs = [(label, answer) for times, label, answer in kinds for _ in range(times)]
    return [
        ScoredCall(f"s{i}", f"t{i}", label, answer, None if answer else DetectionError.PARSE)
        for i, (label, answer) in enumerate(pairs)
    ]


def gold_of(calls: Sequence[ScoredCall]) -> list[Gold]:
    """What a snapshot says of scored calls."""
    return [Gold(*call[:3]) for call in calls]


def responses_of(calls: Sequence[ScoredCall]) -> list[Response]:
    """Responses that say what scored calls hold."""
    return [
        Response(
            sample_id=call.sample_id,
            audio_sha256=None,
            transcript_id=None,
            raw=call.answer or "no idea",
            parsed=call.answer,
            error=call.error,
            started_at="2026-11-30T00:00:00Z",
            latency_ms=1.0,
        )
        for call in calls
    ]


def run_of(
    detector: str = "python:d",
    language: Literal["zh", "en"] | None = None,
    snapshot: str = "2026-11-zh",
    root: str = ROOT,
    started: str = "2026-12-01T00:00:00Z",
    prompt: str | None = None,
) -> EvaluationRun:
    """An evaluation of a snapshot."""
    draft = EvaluationRun(
        config_key="",
        snapshot_id=snapshot,
        root_sha256=root,
        detector=detector,
        settings={"temperature": 0},
        mode=InputMode.ASR,
        prompt_language=language,
        prompt_sha256=prompt or ({"zh": "1" * 64, "en": "2" * 64}[language] if language else None),
        recogniser={"model": "whisper-small"},
        started_at=started,
    )
    return draft.model_copy(update={"config_key": config_key(draft)})
