"""Rows with recordings of noise and scripted detectors, for the tests of evaluating. None of the detectors listens."""

from __future__ import annotations

import io
import itertools
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np

from core.schemas.base import content_hash, sha256
from core.schemas.call_trace import PartyRecord
from core.schemas.detections import EvaluationRun, InputMode
from core.schemas.months import CallTranscript
from core.schemas.snapshots import CallAudio, Label, ManifestRow, SnapshotCall
from core.snapshots.detector import Given, Said
from core.snapshots.evaluating.inputs import Inputs, WrittenInputs
from core.snapshots.evaluating.runner import Asking, Clock
from core.snapshots.evaluating.store import EvaluationStore
from core.snapshots.summary import config_key
from tests.core.audit_calls import sibling

Step = Callable[[], Said] | str | Said | Exception
"""What a scripted detector says, raises, or does and says."""


class Scripted:
    """Says what its script says, call by call, and remembers what it was given."""

    modes = tuple(InputMode)
    waits = True

    def __init__(self, *script: Step) -> None:
        self._script = script
        self._numbers = itertools.count()
        self.given: list[Given] = []
        self.seeds: list[int] = []

    def record(self) -> PartyRecord:
        """Nothing but a name."""
        return PartyRecord(party="python:scripted")

    def detect(self, given: Given, seed: int) -> Said:
        """The next of the script, from the first again after the last."""
        step = self._script[next(self._numbers) % len(self._script)]
        self.given.append(given)
        self.seeds.append(seed)
        if isinstance(step, Exception):
            raise step
        return step if isinstance(step, Said) else Said(step) if isinstance(step, str) else step()


def wav_of(samples: np.ndarray, rate: int = 24_000, channels: int = 1, width: int = 2) -> bytes:
    """A WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((channels, width, rate, 0, "NONE", ""))
        out.writeframes(samples.tobytes())
    return file.getvalue()


def row_of(call: SnapshotCall, folder: Path | None = None) -> ManifestRow:
    """A row; with a folder, its recording is written there."""
    audio = None
    if folder is not None:
        samples = np.random.default_rng(len(call.text)).integers(-9000, 9000, 240).astype("<i2")
        data, path = wav_of(samples), f"audio/{call.sample_id}.wav"
        (folder / "audio").mkdir(exist_ok=True)
        (folder / path).write_bytes(data)
        audio = CallAudio(
            path=path, sha256=sha256(data), sample_rate=24_000, samples=240, spans=(), channel="clean", engines={}, checks=()
        )
    return ManifestRow(call=call, voices=None, audio=audio, checks={}, provenance="ours")


def rows_of(folder: Path | None = None, trees: int = 2) -> list[ManifestRow]:
    """A fraud and a lawful call of each tree."""
    return [row_of(sibling(tree, 0, label), folder) for tree in range(trees) for label in Label]


def transcript_of(row: ManifestRow, text: str = "听见的话") -> CallTranscript:
    """What was heard of a row's recording."""
    assert row.audio is not None
    name = row.call.sample_id
    return CallTranscript(
        sample_id=name, transcript_id=content_hash([name, text]), audio_sha256=row.audio.sha256, text=text, cer=0.5
    )


def run_with(**changes: object) -> EvaluationRun:
    """An evaluation, with some of its fields otherwise."""
    draft = EvaluationRun(
        config_key="",
        snapshot_id="2026-11-zh",
        root_sha256="a" * 64,
        detector="python:scripted",
        settings={"temperature": 0, "top_p": 1},
        mode=InputMode.REF,
        prompt_language="zh",
        prompt_sha256="1" * 64,
        recogniser=None,
        started_at="2026-12-01T00:00:00Z",
    ).model_copy(update=changes)
    return draft.model_copy(update={"config_key": config_key(draft)})


def begun(folder: Path, **changes: object) -> EvaluationStore:
    """A new evaluation in a folder, or the one that stands there."""
    return EvaluationStore.begin(folder, run_with(**changes))


def asking(detector: Scripted, inputs: Inputs | None = None) -> Asking:
    """Who is asked, with a clock that ticks a second at every look."""
    ticks = itertools.count()
    return Asking(detector, inputs or WrittenInputs(), Clock(lambda: "2026-12-01T00:00:00Z", lambda: float(next(ticks))))
