"""A small frozen month made of real calls, in words alone or with recordings of noise and transcripts that were never heard.

Sound and transcripts are made up here since no test of these needs an engine: what matters is which bytes reach a detector.
"""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np

from core.schemas.base import Json, json_lines, pretty_json, sha256
from core.schemas.months import CallTranscript, Recipe, TranscriptSet
from core.schemas.snapshots import CallAudio, CallVoices, Contract, ManifestRow, SnapshotCall, TurnSpan, VoiceChoice
from core.schemas.trees import BuildConfig
from core.schemas.voicing import RenderConfig
from core.snapshots.building.folder import build_into, words_record
from core.snapshots.building.library import load_cases
from core.snapshots.freezing import layout
from core.snapshots.freezing.freeze import freeze
from core.snapshots.freezing.reading import Snapshot, read_snapshot
from core.snapshots.freezing.sampling import sample
from core.snapshots.freezing.transcripts import set_name, transcript_id
from models.snapshots.offline import offline_agents

RATE = 24_000
HEARD_BY: dict[str, Json] = {"recogniser": "whisper-small?beam=5", "made_up": True}
"""Settings of the transcripts."""


def noise_month(
    home: Path, language: str = "en", fraud: int = 6, nonfraud: int = 4, *, trees: int = 4, seed: int = 3, audio: bool = False
) -> Snapshot:
    """A month below `home`, built and frozen."""
    name = f"2026-11-{language}-{seed}{'' if audio else '-text'}"
    library, build, out = load_cases(language), home / f"build-{name}", home / name
    config = BuildConfig(namespace=name, seed=seed, language=language, trees=trees)
    contract = Contract(fraud=fraud, nonfraud=nonfraud, language=language, sample_rate=RATE, audio=audio)
    recipe = Recipe(
        snapshot_id=name,
        month="2026-11",
        contract=contract,
        build=config,
        words=words_record(config, library, offline_agents(library)),
        render=RenderConfig(seed=seed) if audio else None,
        recogniser="whisper-small?beam=5" if audio else None,
    )
    build.mkdir()
    (build / layout.RECIPE).write_bytes(pretty_json(recipe.to_json()))
    calls = sample(build_into(build, config, library, offline_agents(library)), contract, seed).chosen
    rows = [_row(build, call, place, audio=audio) for place, call in enumerate(calls)]
    (build / layout.REPLACED).write_bytes(b"")
    if audio:
        made = TranscriptSet(name=set_name("whisper-small", HEARD_BY), settings=HEARD_BY, calls=len(rows), cer=0.0)
        (build / layout.SPEECH).write_bytes(pretty_json({"made_up": True}))
        (build / layout.TRANSCRIPT_SET).write_bytes(pretty_json(made.to_json()))
    (build / layout.CANDIDATES).write_bytes(json_lines(rows))
    freeze(build, out, "2026-11-30T00:00:00Z", {"tool": "tests"})
    return read_snapshot(out)


def heard(call: SnapshotCall) -> str:
    """What the made-up recogniser hears: the words without any mark."""
    return " ".join(turn.text for turn in call.turns).replace(",", "").replace("，", "")


def _row(build: Path, call: SnapshotCall, place: int, *, audio: bool) -> ManifestRow:
    checks = dict.fromkeys(("structural", "label", "safety"), True)
    if not audio:
        return ManifestRow(call=call, voices=None, audio=None, checks=checks, provenance="ours")
    samples = np.random.default_rng(place).integers(-900, 900, 100 * len(call.turns)).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes(samples.tobytes())
    data = file.getvalue()
    recorded = CallAudio(
        path=layout.audio_path(call.sample_id),
        sha256=sha256(data),
        sample_rate=RATE,
        samples=len(samples),
        spans=tuple(TurnSpan(turn=turn.i, start_sample=100 * turn.i, end_sample=100 * turn.i + 90) for turn in call.turns),
        channel="clean",
        engines={},
        checks=(),
    )
    transcript = CallTranscript(
        sample_id=call.sample_id,
        transcript_id=transcript_id(HEARD_BY, recorded.sha256, heard(call)),
        audio_sha256=recorded.sha256,
        text=heard(call),
        cer=0.0,
    )
    for folder in (layout.AUDIO, layout.HEARD):
        (build / folder).mkdir(exist_ok=True)
    (build / recorded.path).write_bytes(data)
    (build / layout.HEARD / f"{call.sample_id}.json").write_bytes(pretty_json(transcript.to_json()))
    voice = {name: VoiceChoice(voice_id=name, score=1.0, parts={"role": 1.0}, considered=2) for name in ("one", "two")}
    voices = CallVoices(caller=voice["one"], receiver=voice["two"])
    return ManifestRow(call=call, voices=voices, audio=recorded, checks={**checks, "signal": True}, provenance="ours")
