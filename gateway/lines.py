"""Lines of a run: which factory plays which condition, and the speech layer's doors. Engines are imported only when it sounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue
from pydantic_core import to_jsonable_python

from core.errors import UsageError
from core.files import write_atomic
from core.line import AuthoredLines, LineFactory, TextLines
from core.runs.replay import Difference
from core.schemas.base import Condition
from core.schemas.call_trace import Trace
from core.seeds import generator
from gateway.defaults import DEFAULT_CHANNEL, DEFAULT_RECOGNISER, DEFAULT_VOICES
from gateway.settings import Settings
from models import registry
from models.specs import ModelKind
from speech.channel.presets import parse_channel
from speech.endpoint import Endpoint
from speech.naming import Named, asked_recogniser, voice_named
from speech.voice_sets import check_choice, voice_set

if TYPE_CHECKING:
    from speech.studio import Studio


@dataclass(frozen=True)
class LineSettings:
    """How the lines of a run are made."""

    cache_root: Path
    """Cache folder."""
    channel: str = DEFAULT_CHANNEL
    """Channel of `asr` calls."""
    record: bool = False
    """Whether text lines are spoken and recorded too."""
    voices: str = DEFAULT_VOICES
    """The voices that may take part: `standard`, `all`, or ids."""
    recogniser: str = DEFAULT_RECOGNISER
    """The recogniser of `asr` calls: `auto` or a name."""
    endpoint: Endpoint | None = None
    """Speech server of remote models."""


def make_lines(conditions: Sequence[Condition], settings: LineSettings) -> dict[Condition, LineFactory]:
    """A line factory for each condition; engines are touched only where something sounds, and the channel is always read.

    Raises UsageError for a channel that cannot be read or a condition that cannot be played.
    """
    parse_channel(settings.channel)
    check_choice(settings.voices)
    asked_recogniser(settings.recogniser)
    return {condition: _factory(condition, settings) for condition in conditions}


def line_of_trace(trace: Trace, settings: Settings) -> LineFactory:
    """The factory that made a trace's line, from the settings in its header."""
    recorded = trace.header.line
    lines = LineSettings(
        settings.cache_root,
        channel=str(recorded.get("channel", DEFAULT_CHANNEL)),
        record=trace.recording is not None,
        voices=str(recorded.get("voices", DEFAULT_VOICES)),
        recogniser=str(recorded.get("recogniser", DEFAULT_RECOGNISER)),
        endpoint=settings.endpoint,
    )
    return _factory(trace.header.condition, lines)


def recording_differences(trace: Trace, folder: Path) -> list[Difference]:
    """Whether the recording and the clips beside a trace are the ones the trace describes."""
    if trace.recording is None:
        return []
    from speech import audiofile
    from speech.recording import pcm_hash

    recording = trace.recording
    whole = pcm_hash(folder / recording.file)
    found = [] if whole == recording.pcm_sha256 else [Difference("recording.pcm_sha256", recording.pcm_sha256, whole)]
    clips = {path.stem: path for path in (folder / "clips").glob("*.flac")}
    for name in sorted(recording.clips.keys() | clips.keys()):
        described = recording.clips.get(name)
        there = audiofile.read(clips[name]).sha256 if name in clips else None
        if described != there:
            found.append(Difference(f"recording.clips.{name}", described, there))
    return found


def spoken_languages() -> frozenset[str]:
    """Primary language codes for which the catalogue has a voice."""
    voices = [spec for spec in registry.catalogue().values() if spec.kind is ModelKind.VOICE]
    return frozenset(tag.split("-")[0] for spec in voices for tag in spec.languages)


def speak_to_file(
    text: str, out: Path, *, voice: str | None, language: str, seed: int, settings: Settings
) -> tuple[float, str, str]:
    """Say a text into a file, without a `voice` with the language's first; returns seconds, the voice, and the words spoken."""
    from speech import audiofile
    from speech.spoken_form import is_speakable, spoken_form

    form, words = audiofile.file_format(out), spoken_form(text, language)
    if not is_speakable(words, language):
        raise UsageError(f"{text!r} holds nothing that can be said in {language!r}")
    studio = _studio(LineSettings(settings.cache_root, "clean", endpoint=settings.endpoint))
    named = voice_named(voice) if voice else _first_voice(language, settings.cache_root)
    if not registry.serves(named.spec, language):
        raise UsageError(f"voice {voice!r} does not serve {language!r}; it serves {', '.join(named.spec.languages)}")
    chosen = studio.voice(named.spec, named.options)
    spoken = studio.speaker.say(words, [chosen], language=language, seed=seed, pace=1.0)
    write_atomic(out, audiofile.encode(spoken.clip.to_pcm16()[:, None], spoken.clip.sample_rate, form))
    return spoken.clip.duration_s, named.text, spoken.text


def _first_voice(language: str, cache_root: Path) -> Named:
    voices = voice_set(DEFAULT_VOICES, language, cache_root).voices
    if not voices:
        raise UsageError(f"no voice serves language {language!r}; languages: {', '.join(sorted(spoken_languages() - {'mul'}))}")
    return voices[0]


def hear_file(path: Path, *, language: str, seed: int, settings: LineSettings) -> dict[str, JsonValue]:
    """What the recogniser understands of a file sent through the channel, as JSON values."""
    from speech.intake import take_file
    from speech.recording import SAMPLE_RATE

    studio = _studio(settings)
    listener = studio.listener(language)
    sound, notes = take_file(path).clip()
    line = studio.channel_behind(
        [studio.voice(voice.spec) for voice in voice_set(settings.voices, language, settings.cache_root).voices], language
    )
    arrived = line.apply(sound.resampled(SAMPLE_RATE), generator(seed, "hear")).quantised()
    heard = listener.understand(arrived, language)
    found: dict[str, JsonValue] = {
        **to_jsonable_python(heard.transcript),
        "recogniser": listener.name,
        "raw": heard.raw,
        "taken": list(notes),
        "guard": to_jsonable_python(heard.hits),
    }
    return found


def _factory(condition: Condition, settings: LineSettings) -> LineFactory:
    if condition is Condition.TEXT and not settings.record:
        return TextLines()
    if condition is Condition.AUTHORED and not settings.record:
        return AuthoredLines()
    studio = _studio(settings)
    if condition is Condition.ASR:
        return studio.spoken_lines()
    if condition in (Condition.TEXT, Condition.AUTHORED):
        return studio.recorded(TextLines() if condition is Condition.TEXT else AuthoredLines())
    raise UsageError(f"condition {condition.value!r} needs a candidate that hears audio; text, authored and asr serve all")


def _studio(settings: LineSettings) -> Studio:
    from speech.studio import build_studio

    return build_studio(settings.cache_root, settings.channel, settings.recogniser, settings.voices, settings.endpoint)
