"""Loops of background sound: made from chance, or from sound that is given. All have unit power and any length."""

from __future__ import annotations

import numpy as np

from speech.channel.effects import Frame
from speech.clip import Clip

LOOP_SAMPLES = 1 << 16
"""Samples after which made noise begins again: 8 s on a telephone."""
LOWEST_HZ = 20.0
"""Pink noise is cut off below this: inaudible there, it would take most of the power."""
HUM_HARMONICS = 20
"""Partials of mains hum; they reach into the telephone's band, where its fundamental cannot be heard."""

MADE = ("pink", "white", "hum50", "hum60")
"""Kinds that need nothing but chance."""
BABBLE = "babble"
"""Other people talking; their sound is given."""
FILE = "file:"
"""What the name of a sound file of the user's begins with; its sound is given."""


def made_loop(kind: str, rate: int, rng: np.random.Generator) -> Frame:
    """A loop of one of `MADE`, whose end joins its beginning."""
    if kind == "white":
        return _unit(rng.standard_normal(LOOP_SAMPLES))
    if kind == "pink":
        frequency = np.fft.rfftfreq(LOOP_SAMPLES, 1 / rate)
        shape = np.where(frequency >= LOWEST_HZ, 1 / np.sqrt(np.maximum(frequency, LOWEST_HZ)), 0.0)
        return _unit(np.fft.irfft(np.fft.rfft(rng.standard_normal(LOOP_SAMPLES)) * shape, LOOP_SAMPLES))
    phases = rng.uniform(0, 2 * np.pi, HUM_HARMONICS)
    cycle = 2 * np.pi * int(kind.removeprefix("hum")) * np.arange(rate) / rate
    partials = [np.sin(number * cycle + phase) / number for number, phase in enumerate(phases, start=1)]
    return _unit(np.sum(partials, axis=0))


def given_loop(sound: Clip, rate: int) -> Frame:
    """A sound, not silent, as a loop at another rate."""
    return _unit(sound.resampled(rate).samples.astype(np.float64))


def _unit(samples: Frame) -> Frame:
    loop: Frame = samples / np.sqrt(np.mean(samples**2))
    return loop
