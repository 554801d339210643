"""Everything with sound, wired once: the gateway builds a studio and takes its line factories from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from pydantic import JsonValue

from core.line import Line, LineFactory
from core.schemas.scenario import Scenario
from models import registry
from models.specs import ModelKind, ModelSpec
from speech.asr import RECOGNIZERS
from speech.casting import cast
from speech.channel.babble import babble
from speech.channel.noise import BABBLE, FILE
from speech.channel.presets import ChannelSpec, parse_channel
from speech.clip import Clip
from speech.engines import Synthesizer
from speech.hearing import Listener
from speech.intake import take_file
from speech.line import Booth, RecordedLine, SpokenLine
from speech.speaking import Speaker
from speech.tts import SYNTHESIZERS
from speech.vad import SileroDetector
from speech.voice_sets import STANDARD, check_choice, voice_set

RECOGNISER = "whisper-base"
DETECTOR = "silero-vad"


def build_studio(cache_root: Path, channel: str = "landline", recogniser: str = RECOGNISER, voices: str = STANDARD) -> Studio:
    """A studio over one cache folder. Loads no engine and reads no weights until something must be said or heard.

    Raises:
        UsageError: unknown channel, setting, recogniser or voice.
        InputError: the background of the channel is a sound file that cannot be used.
    """
    check_choice(voices)
    return Studio(cache_root, _with_file(parse_channel(channel)), registry.get(recogniser, ModelKind.RECOGNISER), voices)


class Studio:
    """Engines, caches and the channel, shared by every line made from it."""

    def __init__(self, cache_root: Path, channel: ChannelSpec, recogniser: ModelSpec, voices: str) -> None:
        self.cache_root = cache_root
        self.channel = channel
        self.voices = voices
        self.speaker = Speaker(cache_root)
        self._recogniser = recogniser
        self._voices: dict[str, Synthesizer] = {}
        self._crowds: dict[str, Clip] = {}

    @cached_property
    def listener(self) -> Listener:
        """The recogniser and the detector."""
        detector = SileroDetector(registry.get(DETECTOR, ModelKind.WEIGHTS), self.cache_root)
        return Listener(RECOGNIZERS.make(self._recogniser, self.cache_root), detector, self.cache_root)

    def voice(self, spec: ModelSpec) -> Synthesizer:
        """The engine of a voice, made once."""
        if spec.id not in self._voices:
            self._voices[spec.id] = SYNTHESIZERS.make(spec, self.cache_root)
        return self._voices[spec.id]

    def spoken_lines(self) -> SpokenLines:
        """Factory of `asr` lines."""
        return SpokenLines(self)

    def recorded(self, inner: LineFactory) -> RecordedLines:
        """A factory whose lines are those of `inner`, spoken and recorded."""
        return RecordedLines(inner, self)

    def booth(self, scenario: Scenario, seed: int) -> Booth:
        """The voices and the empty timeline of one call."""
        considered = voice_set(self.voices, scenario.language, self.cache_root)
        return Booth(scenario, seed, cast(scenario, considered, self.voice), self.speaker)

    def channel_behind(self, voices: Sequence[Synthesizer], language: str) -> ChannelSpec:
        """The channel with everything it needs; where people talk in the background they have these voices.

        Raises:
            UsageError: none of the voices can talk.
        """
        if self.channel.needs != BABBLE:
            return self.channel
        names = " ".join([language, *(voice.spec.id for voice in voices)])
        if names not in self._crowds:
            self._crowds[names] = babble(self.speaker, voices, language)
        return self.channel.with_background(self._crowds[names])


class SpokenLines:
    """Factory of `asr` lines."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    def settings(self) -> dict[str, JsonValue]:
        """Channel, recogniser, detector and the choice of voices; who speaks depends on the scenario and stands in each trace."""
        return {
            "line": "asr-1",
            "voices": self._studio.voices,
            **self._studio.channel.settings(),
            **self._studio.listener.settings(),
        }

    def open(self, scenario: Scenario, seed: int) -> Line:
        """A fresh `asr` line; `seed` is the case's speech seed."""
        booth = self._studio.booth(scenario, seed)
        channel = self._studio.channel_behind(booth.other_voices(), scenario.language)
        return SpokenLine(booth, channel, self._studio.listener)


class RecordedLines:
    """Factory of lines that are recorded beside what they carry."""

    def __init__(self, inner: LineFactory, studio: Studio) -> None:
        self._inner = inner
        self._studio = studio

    def settings(self) -> dict[str, JsonValue]:
        """The inner factory's settings, marked as recorded, and the choice of voices."""
        return {**self._inner.settings(), "recorded": True, "voices": self._studio.voices}

    def open(self, scenario: Scenario, seed: int) -> Line:
        """A fresh line of the inner factory with sound beside it."""
        return RecordedLine(self._inner.open(scenario, seed), self._studio.booth(scenario, seed))


def _with_file(channel: ChannelSpec) -> ChannelSpec:
    """The channel with its background read, where that is a sound file."""
    if channel.needs is None or not channel.needs.startswith(FILE):
        return channel
    sound, _notes = take_file(Path(channel.needs.removeprefix(FILE))).clip()
    return channel.with_background(sound)
