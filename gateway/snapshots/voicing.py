"""The worker processes of a month with sound: each renders calls and hears them, and keeps what came of it file by file.

What is on disk and whole is never made again. A recording stands before the file that tells of it, so a kill leaves either
both or a recording that is made again with the same bytes.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from pydantic import JsonValue

from core.errors import OperatorError
from core.files import append_line, write_atomic
from core.hearing import char_errors, word_errors
from core.schemas.base import canonical_json, content_hash, pretty_json, sha256
from core.schemas.months import CallTranscript
from core.schemas.snapshots import CallAudio, CallVoices, SnapshotCall
from core.schemas.voicing import RenderConfig
from core.snapshots.freezing.layout import HEARD, RENDERED
from core.snapshots.freezing.transcripts import transcript_id
from core.text import headline_of, normaliser_of
from gateway.pool import Pool
from gateway.snapshots.files import EFFORTS, CallEffort, Rendering, read_model
from speech import audiofile, render
from speech.clip import Clip
from speech.endpoint import Endpoint
from speech.engines import cpu_features
from speech.recording import SAMPLE_RATE
from speech.studio import Studio, build_studio

PACKAGES = ("av", "numpy", "scipy", "soundfile", "soxr")
"""Packages that decide sound beside those of the engines, whose versions their signatures tell."""
PAPER_RECOGNISER = "Whisper-medium"
"""Recogniser of the public benchmark."""


@dataclass(frozen=True)
class VoicePlan:
    """What a process must know to render and hear the calls of a month."""

    root: Path
    """Folder of recordings and of what is kept of each call."""
    cache_root: Path
    """Cache folder."""
    language: str
    """BCP 47 tag of the calls."""
    render: RenderConfig
    """How calls are voiced."""
    recogniser: str
    """Who hears."""
    endpoint: Endpoint | None = None
    """Speech server of remote models."""

    def studio(self) -> Studio:
        """A studio of this process; loads nothing yet."""
        return build_studio(self.cache_root, "clean", self.recogniser, endpoint=self.endpoint)


@dataclass(frozen=True)
class Work:
    """A call to render and to hear."""

    call: SnapshotCall
    """The call."""
    voices: CallVoices
    """Its voices."""
    frozen_sha256: str | None = None
    """Recording of which the transcript is known already; None to hear whatever is rendered."""


def machine() -> dict[str, JsonValue]:
    """What of this machine decides sound: features of its CPU, and versions of packages."""
    versions: dict[str, JsonValue] = {name: _version(name) for name in PACKAGES}
    return {"cpu_features": list(cpu_features()), "packages": versions}


def made_from(work: Work, config: RenderConfig, machine_: dict[str, JsonValue]) -> str:
    """Hash of all that decides the recording of a call."""
    return content_hash(
        {
            "call": work.call.to_json(),
            "voices": work.voices.to_json(),
            "render": render.VERSION,
            "config": config.to_json(),
            **machine_,
        }
    )


def hearing_settings(studio: Studio, language: str) -> dict[str, JsonValue]:
    """What `transcripts.json` says of who heard."""
    return {**studio.listener(language).settings(), "language": language, "paper": {"recogniser": PAPER_RECOGNISER}}


def transcript_of(call: SnapshotCall, audio_sha256: str, text: str, settings: dict[str, JsonValue]) -> CallTranscript:
    """A transcript with its id and its errors against the words of the call."""
    said, normaliser = spoken_words(call), normaliser_of(call.language)
    spaced = headline_of(call.language) == "wer"
    return CallTranscript(
        sample_id=call.sample_id,
        transcript_id=transcript_id(settings, audio_sha256, text),
        audio_sha256=audio_sha256,
        text=text,
        cer=round(char_errors(said, text, normaliser).rate, 6),
        wer=round(word_errors(said, text, normaliser).rate, 6) if spaced else None,
    )


def spoken_words(call: SnapshotCall) -> str:
    """All words of a call as they are said one after the other."""
    return "\n".join(turn.text for turn in call.turns)


def kept_rendering(root: Path, work: Work, key: str) -> Rendering | None:
    """What came of rendering a call before, where it is whole; None where it must be rendered."""
    kept = read_model(root / RENDERED / f"{work.call.sample_id}.json", Rendering)
    if kept is None or kept.made_from != key:
        return None
    if kept.audio is not None and _bytes_of(root, kept.audio) is None:
        return None
    return kept


def kept_transcript(root: Path, call: SnapshotCall, audio: CallAudio, settings: dict[str, JsonValue]) -> CallTranscript | None:
    """What was heard of a recording before with these settings; None where it must be heard."""
    kept = read_model(root / HEARD / f"{call.sample_id}.json", CallTranscript)
    return kept if kept is not None and kept == transcript_of(call, audio.sha256, kept.text, settings) else None


def words_in(studio: Studio, data: bytes, audio: CallAudio, language: str) -> str:
    """What is heard of a recording, given the bytes of its file and the row of it or of the one it stands for."""
    samples = audiofile.decode(io.BytesIO(data), limit=len(data))
    clip = Clip.of(samples[:, 0], audio.sample_rate).resampled(SAMPLE_RATE).quantised()
    return studio.listener(language).understand(clip, language).transcript.text


class Voicer:
    """Renders and hears calls in one process."""

    def __init__(self, plan: VoicePlan) -> None:
        self._plan = plan
        self._studio = plan.studio()
        self._machine = machine()

    def work(self, work: Work) -> None:
        """Render a call and hear it, as far as that was not done before."""
        began_s, began_cpu_s = time.monotonic(), _cpu_s()
        made, fresh = self._rendered(work)
        rendered_cpu_s = _cpu_s()
        heard = made.audio is not None and made.audio.sha256 != work.frozen_sha256 and self._heard(work.call, made.audio)
        if not fresh and not heard:
            return
        audio = made.audio
        effort = CallEffort(
            sample_id=work.call.sample_id,
            speech_s=round(audio.duration_s, 3) if audio else 0.0,
            bytes=(self._plan.root / audio.path).stat().st_size if audio else 0,
            rendering_cpu_s=round(rendered_cpu_s - began_cpu_s, 3),
            hearing_cpu_s=round(_cpu_s() - rendered_cpu_s, 3),
            wall_s=round(time.monotonic() - began_s, 3),
        )
        append_line(self._plan.root / EFFORTS, canonical_json(effort.to_json()), synced=False)

    def _rendered(self, work: Work) -> tuple[Rendering, bool]:
        """What comes of rendering a call, and whether it was rendered now."""
        root, key = self._plan.root, made_from(work, self._plan.render, self._machine)
        kept = kept_rendering(root, work, key)
        if kept is not None:
            return kept, False
        made = render.render_call(work.call, work.voices, self._plan.render, self._studio)
        if isinstance(made, render.Refused):
            rendering = Rendering(made_from=key, audio=None, refused=made.reasons)
        else:
            render.write_audio(root, made)
            rendering = Rendering(made_from=key, audio=made.audio)
        write_atomic(root / RENDERED / f"{work.call.sample_id}.json", pretty_json(rendering.to_json()))
        return rendering, True

    def _heard(self, call: SnapshotCall, audio: CallAudio) -> bool:
        """Hear a recording unless it was heard before; returns whether it was heard now."""
        root, settings = self._plan.root, hearing_settings(self._studio, call.language)
        if kept_transcript(root, call, audio, settings) is not None:
            return False
        data = _bytes_of(root, audio)
        if data is None:
            raise OperatorError(f"{root / audio.path}: the recording was changed while it was to be heard: run the command again")
        made = transcript_of(call, audio.sha256, words_in(self._studio, data, audio, call.language), settings)
        write_atomic(root / HEARD / f"{call.sample_id}.json", pretty_json(made.to_json()))
        return True


def work_off(pool: Pool, works: Sequence[Work]) -> Iterator[SnapshotCall]:
    """Each call once it is worked off, siblings far apart, since those that meet in two processes say what they share twice.

    Raises:
        RingbackError: the first failure, whichever process met it.
    """
    try:
        for work, _ in pool.in_order(work_in_process, apart(works)):
            yield work.call
    except BrokenProcessPool:
        raise OperatorError("a worker process was killed, perhaps for lack of memory; run the same command to go on") from None


def apart(works: Iterable[Work]) -> list[Work]:
    """The first call of every tree, then the second of every tree, and so on."""
    seen: dict[str, int] = {}
    placed = []
    for work in works:
        number = seen[work.call.tree_id] = seen.get(work.call.tree_id, -1) + 1
        placed.append((number, work))
    return [work for _, work in sorted(placed, key=lambda pair: pair[0])]


_voicer: Voicer | None = None


def prepare(plan: VoicePlan) -> None:
    """Make this process ready; engines wait for the first call."""
    global _voicer  # noqa: PLW0603  # a process pool offers no other place for per-process state
    _voicer = Voicer(plan)


def work_in_process(work: Work) -> None:
    """Work off a call in a prepared process."""
    if _voicer is None:
        raise AssertionError("the process was not prepared")
    _voicer.work(work)


def _bytes_of(root: Path, audio: CallAudio) -> bytes | None:
    """The bytes of a recording where they are those that its row tells of."""
    path = root / audio.path
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data if sha256(data) == audio.sha256 else None


def _cpu_s() -> float:
    """CPU seconds of this process and of the programs that it started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
