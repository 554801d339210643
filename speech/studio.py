"""Everything with sound, wired once: the gateway builds a studio and takes its line factories from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from core.line import Line, LineFactory
from core.schemas.scenario import Scenario
from models import registry
from models.specs import ModelKind, ModelSpec
from speech.asr import make_recogniser
from speech.casting import cast
from speech.channel.babble import babble
from speech.channel.noise import BABBLE, FILE
from speech.channel.presets import ChannelSpec, parse_channel
from speech.clip import Clip
from speech.endpoint import Endpoint
from speech.engines import NO_OPTIONS, Options, Synthesizer
from speech.hearing import Listener
from speech.intake import take_file
from speech.line import Booth, RecordedLine, SpokenLine
from speech.naming import AUTO, Asked, Chosen, Named, asked_recogniser
from speech.speaking import Speaker
from speech.tts import make_voice
from speech.vad import SileroDetector
from speech.voice_sets import STANDARD, check_choice, voice_set

DETECTOR = "silero-vad"


def build_studio(
    cache_root: Path,
    channel: str = "landline",
    recogniser: str = AUTO,
    voices: str = STANDARD,
    endpoint: Endpoint | None = None,
) -> Studio:
    """A studio over one cache folder. Loads no engine and reads no weights until something must be said or heard.

    Raises:
        UsageError: unknown channel, setting, recogniser or voice.
        InputError: the background of the channel is a sound file that cannot be used, or a folder holds no model.
        OperatorError: a recogniser of the hub is not here and cannot be had.
    """
    check_choice(voices)
    return Studio(cache_root, _with_file(parse_channel(channel)), asked_recogniser(recogniser), voices, endpoint)


class Studio:
    """Engines, caches and the channel, shared by every line made from it."""

    def __init__(self, cache_root: Path, channel: ChannelSpec, asked: Asked, voices: str, endpoint: Endpoint | None) -> None:
        self.cache_root = cache_root
        self.channel = channel
        self.voices = voices
        self.speaker = Speaker(cache_root)
        self._asked = asked
        self._endpoint = endpoint
        self._listeners: dict[str, Listener] = {}
        self._voices: dict[tuple[object, ...], Synthesizer] = {}
        self._crowds: dict[str, Clip] = {}

    def listener(self, language: str) -> Listener:
        """The recogniser for a language (BCP 47) and the detector, made once.

        Raises:
            UsageError: it does not serve the language.
            OperatorError: none for the language is installed here.
        """
        if language not in self._listeners:
            self._listeners[language] = self._listener(self._asked.choose(language, self.cache_root))
        return self._listeners[language]

    def hearing(self) -> dict[str, JsonValue]:
        """The recogniser as asked for, and what signs every one installed here that it may come to."""
        there = [self._listener(chosen).settings() for chosen in self._asked.here(self.cache_root)]
        return {"recogniser": self._asked.text, "listeners": list(there)}

    def _listener(self, chosen: Chosen) -> Listener:
        detector = SileroDetector(registry.get(DETECTOR, ModelKind.WEIGHTS), self.cache_root)
        return Listener(make_recogniser(chosen.named, self.cache_root, self._endpoint), detector, self.cache_root, chosen)

    def voice(self, spec: ModelSpec, options: Options = NO_OPTIONS) -> Synthesizer:
        """The engine of a voice, set as a user wants it, made once.

        Raises:
            UsageError: an option the engine has not.
        """
        key = (spec.id, *sorted(options.items()))
        if key not in self._voices:
            self._voices[key] = make_voice(Named(spec.id, spec, options), self.cache_root, self._endpoint)
        return self._voices[key]

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
        """Channel, recognisers, detector and the choice of voices; who speaks and who hears stands in each trace."""
        return {
            "line": "asr-1",
            "voices": self._studio.voices,
            **self._studio.channel.settings(),
            **self._studio.hearing(),
        }

    def open(self, scenario: Scenario, seed: int) -> Line:
        """A fresh `asr` line; `seed` is the case's speech seed."""
        booth = self._studio.booth(scenario, seed)
        channel = self._studio.channel_behind(booth.other_voices(), scenario.language)
        return SpokenLine(booth, channel, self._studio.listener(scenario.language))


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
