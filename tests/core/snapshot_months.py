"""Small finished builds for tests of months: real words of the offline agents, and recordings that the test writes itself."""

from __future__ import annotations

import io
import shutil
import wave
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.schemas.base import Json, content_hash, json_lines, pretty_json, sha256
from core.schemas.months import CallTranscript, Rebuilt, Recipe, Remade, TranscriptSet
from core.schemas.snapshots import (
    CallAudio,
    CallVoices,
    Contract,
    ManifestRow,
    QualityCheck,
    SnapshotCall,
    TurnSpan,
    VoiceChoice,
)
from core.schemas.trees import BuildConfig
from core.schemas.voicing import RenderConfig
from core.seeds import generator
from core.snapshots.building.folder import build_into, words_record
from core.snapshots.building.library import load_cases
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import read_lines, read_transcripts
from core.snapshots.freezing.sampling import sample
from core.snapshots.freezing.transcripts import set_name, transcript_id
from models.snapshots.offline import offline_agents

RATE = 8000
"""Samples per second, low so that files are small."""
TURN = 400
"""Samples of a turn."""
SETTINGS: dict[str, Json] = {"recogniser": "test", "beam": 5}
MACHINE: dict[str, Json] = {"cpu_features": ["avx2"], "packages": {"engine": "1.0"}}
GENERATOR: dict[str, Json] = {"tool": "ringback", "version": "1.0.0", "commit": None}
NOW = "2026-11-30T12:00:00+00:00"


LIBRARY = load_cases("en")
"""The English cases."""
_GROWN = TemporaryDirectory(prefix="months-")
"""Words that were grown once; gone when the process ends."""


@cache
def _grown(config: BuildConfig, contract: Contract) -> tuple[Path, tuple[SnapshotCall, ...]]:
    """A folder with the words of four trees, and the calls chosen from them; made once in a process."""
    folder = Path(_GROWN.name, content_hash(config.to_json()))
    calls = build_into(folder, config, LIBRARY, offline_agents(LIBRARY))
    return folder, sample(calls, contract, config.seed).chosen


def make_build(folder: Path, *, name: str = "2026-11-en-test", seed: int = 1, audio: bool = True) -> Path:
    """A finished build of four fraud and two lawful calls."""
    contract = Contract(fraud=4, nonfraud=2, language="en", sample_rate=RATE, audio=audio)
    config = BuildConfig(namespace=name, seed=seed, language="en", trees=4)
    grown, chosen = _grown(config, contract)
    shutil.copytree(grown, folder)
    recipe = Recipe(
        snapshot_id=name,
        month="2026-11",
        contract=contract,
        build=config,
        words=words_record(config, LIBRARY, offline_agents(LIBRARY)),
        render=RenderConfig(seed=seed) if audio else None,
        recogniser="test" if audio else None,
    )
    rows = [_row(call, recordings(folder, call, seed) if audio else None) for call in chosen]
    (folder / layout.RECIPE).write_bytes(pretty_json(recipe.to_json()))
    (folder / layout.REPLACED).write_bytes(b"")
    if audio:
        _hear(folder, rows)
        (folder / layout.SPEECH).write_bytes(pretty_json({"render": {}, **MACHINE}))
    write_rows(folder / layout.CANDIDATES, rows)
    return folder


def write_rows(path: Path, rows: list[ManifestRow]) -> None:
    """A JSON Lines file of rows."""
    path.write_bytes(json_lines(rows))


def wav(samples: int, seed: int, rate: int = RATE, channels: int = 1) -> bytes:
    """Noise as the bytes of a 16-bit WAV."""
    noise = generator(seed, "noise").integers(-3000, 3000, samples * channels).astype("<i2")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((channels, 2, rate, samples, "NONE", ""))
        file.writeframes(np.ascontiguousarray(noise).tobytes())
    return buffer.getvalue()


def rebuilt_elsewhere(month: Path, change: float = 0.0, transcript: float | None = 0.0, *, noted: bool = True) -> ManifestRow:
    """Make the first recording of a month that may be written again with other bytes, and say so beside it."""
    rows = read_lines(month / layout.MANIFEST, ManifestRow)
    first = rows[0].audio
    assert first is not None
    data = wav(round(first.samples * (1 + change)), 77, first.sample_rate)
    (month / first.path).write_bytes(data)
    calls = [
        Remade(
            sample_id=row.call.sample_id,
            same_bytes=row is not rows[0],
            duration_change=0,
            transcript_change=0.0 if row is not rows[0] else transcript,
            sha256=row.audio.sha256 if row is not rows[0] and row.audio else sha256(data) if noted else None,
        )
        for row in rows
    ]
    rebuilt = Rebuilt(cpu_features=("neon",), packages={"engine": "1.0"}, calls=tuple(calls))
    (month / layout.REBUILT).write_bytes(pretty_json(rebuilt.to_json()))
    return rows[0]


@dataclass(frozen=True)
class Hears:
    """A hearer who hears the frozen words but for a share of them at the end, whatever the bytes are."""

    month: Path
    """The month whose words it knows."""
    lost: float = 0.0
    """Share that it does not hear."""
    settings: Mapping[str, Json] = field(default_factory=lambda: SETTINGS)
    """Who it says it is."""
    heard: list[str] = field(default_factory=list)
    """Hashes of what it was given."""

    def __call__(self, row: ManifestRow, data: bytes) -> str:
        """What it hears."""
        self.heard.append(sha256(data))
        words = read_transcripts(self.month)[row.call.sample_id].text
        return words[: round(len(words) * (1 - self.lost))]


def writable_copy(month: Path, folder: Path) -> Path:
    """A month again in a folder where it may be written."""
    shutil.copytree(month, folder, copy_function=shutil.copyfile)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def recordings(folder: Path, call: SnapshotCall, seed: int) -> CallAudio:
    """The recording of a call, written."""
    length = TURN * len(call.turns)
    data = wav(length, seed + int(call.sample_id[:6], 16))
    path = folder / layout.audio_path(call.sample_id)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return CallAudio(
        path=layout.audio_path(call.sample_id),
        sha256=sha256(data),
        sample_rate=RATE,
        samples=length,
        spans=tuple(TurnSpan(turn=t.i, start_sample=t.i * TURN, end_sample=(t.i + 1) * TURN) for t in call.turns),
        channel="landline",
        engines={"voice-a": "a" * 64, "voice-b": "b" * 64},
        checks=(QualityCheck(name="pcm16", value=1, low=1, high=1, passed=True),),
    )


def _row(call: SnapshotCall, audio: CallAudio | None) -> ManifestRow:
    checks = {"structural": True, "label": True, "safety": True, **({} if audio is None else {"signal": True})}
    caller, receiver = (VoiceChoice(voice_id=name, score=0.5, parts={}, considered=2) for name in ("voice-a", "voice-b"))
    voices = None if audio is None else CallVoices(caller=caller, receiver=receiver)
    return ManifestRow(call=call, voices=voices, audio=audio, checks=checks, provenance="written for a test")


def _hear(folder: Path, rows: list[ManifestRow]) -> None:
    (folder / layout.HEARD).mkdir()
    for row in rows:
        assert row.audio is not None
        text = " ".join(turn.text for turn in row.call.turns)
        line = CallTranscript(
            sample_id=row.call.sample_id,
            transcript_id=transcript_id(SETTINGS, row.audio.sha256, text),
            audio_sha256=row.audio.sha256,
            text=text,
            cer=0.0,
        )
        (folder / layout.HEARD / f"{row.call.sample_id}.json").write_bytes(pretty_json(line.to_json()))
    made = TranscriptSet(name=set_name("test", SETTINGS), settings=SETTINGS, calls=len(rows), cer=0.0)
    (folder / layout.TRANSCRIPT_SET).write_bytes(pretty_json(made.to_json()))
