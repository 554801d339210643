"""From a request to a finished evaluation: month and detector checked, calls heard where they must be, asked about, summed up."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Protocol

from pydantic import JsonValue

from core.errors import UsageError
from core.own_thread import LIMIT_S
from core.runs.store import read_model
from core.schemas.call_trace import PartyRecord
from core.schemas.detections import EvaluationRun, EvaluationSummary, InputMode, Response
from core.schemas.months import CallTranscript, TranscriptSet
from core.schemas.snapshots import ManifestRow
from core.snapshots.detector import Detector
from core.snapshots.evaluating.held_out import HeldOut
from core.snapshots.evaluating.inputs import (
    HeardInputs,
    Inputs,
    Recordings,
    SoundInputs,
    WrittenInputs,
    recording_of,
)
from core.snapshots.evaluating.months import open_month
from core.snapshots.evaluating.runner import ASKED_AGAIN, Asking, Clock, ask_all
from core.snapshots.evaluating.store import EvaluationStore
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import Snapshot, read_transcripts, refuse_month
from core.snapshots.parsing import PARSER
from core.snapshots.summary import config_key
from core.text import primary_tag
from gateway.defaults import DEFAULT_RECOGNISER
from gateway.party_spec import redacted
from gateway.settings import Settings
from gateway.snapshots.detectors import Wanted, make_detector
from gateway.threads import Threads

WAITING = 8
"""Calls at once for detectors that wait for an endpoint, where no number is asked for."""


@dataclass(frozen=True)
class Request:
    """What is to be evaluated."""

    snapshot: str
    """Folder of a month, or the name of one that ships."""
    detector: str
    """The party."""
    mode: InputMode
    """What it is given."""
    out: Path
    """Folder of the evaluation."""
    prompt: Literal["zh", "en"] | None = None
    """Language of its prompt; None for that of the calls."""
    recogniser: str = DEFAULT_RECOGNISER
    """Who makes the transcripts; `auto` for the month's own."""
    concurrency: int | None = None
    """Calls at once; None for as many as the detector can take."""
    again: bool = False
    """Whether calls are asked about anew to which no answer came."""
    turn_timeout_s: float = LIMIT_S
    """Seconds that a user's own code may take for an answer."""


class ProgressBar(Protocol):
    """Shows how far it is."""

    def step(self, note: str) -> None:
        """One more is done."""

    def close(self) -> None:
        """Nothing more comes."""


class Hearing(Protocol):
    """Has the transcripts of an evaluation."""

    @property
    def settings(self) -> dict[str, JsonValue]:
        """Who makes them."""

    def inputs(self, store: EvaluationStore) -> HeardInputs:
        """Every call as it was heard."""


def evaluate(request: Request, settings: Settings, progress: Callable[[int], ProgressBar]) -> EvaluationSummary:
    """Ask about every call that has no answer yet, and write the figures.

    Raises:
        InputError: the month, the detector, or what stands in the folder cannot be used.
        OperatorError: the detector cannot work as it is set up; what was answered before is kept.
    """
    month = open_month(request.snapshot)
    detector = make_detector(request.detector, wanted(month, request.mode, request.prompt), request.turn_timeout_s)
    hearing = _Hearing(month, request.recogniser, settings) if request.mode is InputMode.ASR else None
    heard = hearing.recordings_sha256 if hearing is not None else None
    return evaluate_month(request, month, detector, hearing, progress, heard)


def evaluate_month(
    request: Request,
    month: Snapshot,
    detector: Detector,
    hearing: Hearing | None,
    progress: Callable[[int], ProgressBar],
    heard_sha256: str | None = None,
) -> EvaluationSummary:
    """The same about a month that is open, by a detector that is made; `hearing` has the transcripts where it is given them.

    `heard_sha256` is the hash of the recordings behind these where they are not the frozen ones.

    Raises:
        InputError, OperatorError: as for `evaluate`.
    """
    refuse_month(request.out)
    count = _concurrency(request, detector)
    inputs: Inputs | None = WrittenInputs() if request.mode is InputMode.REF else None
    if request.mode is InputMode.AUDIO:
        inputs = sound = SoundInputs(month.root, month.rows)
        heard_sha256 = sound.recordings.sha256
    run = _run(request, month, detector, hearing, heard_sha256)
    store = EvaluationStore(request.out)
    if store.is_begun():
        store.refuse_other(run)
    if _is_open(store, month, again=request.again):
        _try(detector)
    with store.working():
        store = EvaluationStore.begin(request.out, run)
        bar = progress(len(month.rows))
        try:
            if hearing is not None:
                inputs = hearing.inputs(store)
            assert inputs is not None
            with Threads(count) if count > 1 else nullcontext() as threads:
                asking = Asking(detector, inputs, Clock(_now, time.monotonic))
                ask_all(month.rows, asking, store, threads, again=request.again, on_answer=lambda each: bar.step(_told(each)))
        finally:
            bar.close()
        summary = store.summarised(month.rows)
        store.save_summary(summary)
    return summary


def wanted(month: Snapshot, mode: InputMode, prompt: Literal["zh", "en"] | None) -> Wanted:
    """What a detector is made for; `prompt` is None for the language of the calls."""
    language = month.head.contract.language
    own: Literal["zh", "en"] = "zh" if primary_tag(language) == "zh" else "en"
    return Wanted(language, prompt or own, mode, HeldOut.of(month.rows))


def _concurrency(request: Request, detector: Detector) -> int:
    if not detector.waits and (request.concurrency or 1) > 1:
        raise UsageError(f"--concurrency {request.concurrency}: {redacted(request.detector)!r} is asked about one call at a time")
    return request.concurrency or (WAITING if detector.waits else 1)


def _run(
    request: Request, month: Snapshot, detector: Detector, hearing: Hearing | None, heard_sha256: str | None
) -> EvaluationRun:
    record: PartyRecord = detector.record()
    language, prompt = getattr(detector, "prompt_language", None), getattr(detector, "prompt_sha256", None)
    if request.prompt is not None and prompt is None:
        raise UsageError(f"--prompt {request.prompt}: {redacted(request.detector)!r} has no prompt: leave it out")
    draft = EvaluationRun(
        config_key="",
        snapshot_id=month.head.snapshot_id,
        root_sha256=month.head.root_sha256,
        detector=redacted(request.detector),
        party=party_of(request.detector, record),
        settings=record.settings,
        mode=request.mode,
        prompt_language=language,
        prompt_sha256=prompt,
        recogniser=hearing.settings if hearing is not None else None,
        recordings_sha256=heard_sha256,
        parser=PARSER,
        started_at=_now(),
    )
    return draft.model_copy(update={"config_key": config_key(draft)})


def party_of(text: str, record: PartyRecord) -> str:
    """What the key knows a detector by, however it is spelled; a user's class by its place too, since two may share a name."""
    head = redacted(text).partition("?")[0]
    return f"{head} {record.party}" if head.startswith("python:") and head != record.party else record.party


def _is_open(store: EvaluationStore, month: Snapshot, *, again: bool) -> bool:
    """Whether anything is left to ask."""
    kept = store.responses()
    return len(kept) < len(month.rows) or (again and any(each.error in ASKED_AGAIN for each in kept))


def _try(detector: Detector) -> None:
    """Let a detector that can be checked say that it cannot work, before anything is written."""
    check = getattr(detector, "check", None)
    if callable(check):
        check()


class _Hearing:
    """The transcripts of an evaluation: the month's own, or made by another recogniser, each recording once."""

    def __init__(self, month: Snapshot, recogniser: str, settings: Settings) -> None:
        """Raises UsageError where the month has no recordings, or the recogniser is not known."""
        for row in month.rows:
            recording_of(row)
        self._month = month
        self._recordings: Recordings | None = None
        self._frozen = read_transcripts(month.root)
        made = read_model(month.root / layout.TRANSCRIPT_SET, TranscriptSet, "set of transcripts") if self._frozen else None
        if made is not None and recogniser in (DEFAULT_RECOGNISER, made.settings.get("recogniser")):
            self.settings: dict[str, JsonValue] = made.settings
            return
        from gateway.snapshots.voicing import hearing_settings
        from speech.studio import build_studio

        self._studio = build_studio(settings.cache_root, "clean", recogniser, endpoint=settings.endpoint)
        self.settings = hearing_settings(self._studio, month.head.contract.language)
        if made is not None and made.settings == self.settings:
            return
        self._recordings = Recordings(month.root, month.rows)
        self._frozen = {}

    @property
    def recordings_sha256(self) -> str | None:
        """Hash of the recordings that are heard; None where the transcripts are of the frozen ones."""
        return self._recordings.sha256 if self._recordings is not None else None

    def inputs(self, store: EvaluationStore) -> HeardInputs:
        """Every call as it was heard; what was not heard before is heard now and kept."""
        if self._recordings is None:
            return HeardInputs(self._frozen, self._month.rows)
        kept = store.transcripts()
        for row in self._month.rows:
            if row.call.sample_id not in kept:
                store.add_transcript(self._hear(row, self._recordings))
        return HeardInputs(store.transcripts(), self._month.rows, self._recordings)

    def _hear(self, row: ManifestRow, recordings: Recordings) -> CallTranscript:
        from gateway.snapshots.voicing import transcript_of, words_in

        text = words_in(self._studio, recordings.read(row), recording_of(row), row.call.language)
        return transcript_of(row.call, recordings.sha256_of(row), text, self.settings)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _told(response: Response) -> str:
    return f"{response.sample_id}: {response.parsed or response.error}"
