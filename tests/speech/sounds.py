"""Sounds for tests: speech-like bursts, and tones."""

from __future__ import annotations

import numpy as np

from speech.clip import Clip


def bursts(seconds: float = 3.0, sample_rate: int = 16000, seed: int = 0, level: float = 0.1) -> Clip:
    """Noise in syllables of 0.3 s with pauses of 0.2 s, fading in and out, ending in silence."""
    rng = np.random.default_rng(seed)
    time = np.arange(round(seconds * sample_rate)) / sample_rate
    phase = time % 0.5
    envelope = np.where(phase < 0.3, np.sin(np.pi * phase / 0.3), 0.0)
    envelope[time > seconds - 0.1] = 0
    return Clip.of(level * envelope * rng.standard_normal(len(time)), sample_rate)


def tone(hertz: float, seconds: float = 1.0, sample_rate: int = 16000, amplitude: float = 0.5) -> Clip:
    """A sine."""
    time = np.arange(round(seconds * sample_rate)) / sample_rate
    return Clip.of(amplitude * np.sin(2 * np.pi * hertz * time), sample_rate)


def rms(clip: Clip) -> float:
    """Root of the mean square."""
    return float(np.sqrt(np.mean(clip.samples.astype(np.float64) ** 2)))
