"""A real voice that is watched, and may be spoilt at first, for tests of who speaks what and how often."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from models.specs import ModelSpec
from speech.clip import Clip
from speech.engines import Signature, Synthesizer


class Asked(NamedTuple):
    """What a voice was asked for."""

    text: str
    seed: int
    pace: float


class WatchedVoice:
    """A real voice that notes what it is asked for; what it says the first `bad` times is spoilt."""

    def __init__(self, voice: Synthesizer, bad: int = 0, spoil: Callable[[Clip], Clip] = lambda clip: clip) -> None:
        self._voice = voice
        self._bad = bad
        self._spoil = spoil
        self.asked: list[Asked] = []

    @property
    def spec(self) -> ModelSpec:
        return self._voice.spec

    @property
    def seeded(self) -> bool:
        return self._voice.seeded

    def signature(self) -> Signature:
        return self._voice.signature()

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        self.asked.append(Asked(text, seed, pace))
        clip = self._voice.synthesize(text, language=language, seed=seed, pace=pace)
        return self._spoil(clip) if len(self.asked) <= self._bad else clip


def muted(clip: Clip) -> Clip:
    """A silence as long as the clip."""
    return Clip.silence(clip.duration_s, clip.sample_rate)
