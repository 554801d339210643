"""`Clip`: mono sound with its sample rate in the type. Nothing in the speech ring passes bare arrays around."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speech import extras

FULL_SCALE = 32768
"""Steps of 16-bit PCM per unit of amplitude: a 16-bit sample is exactly representable, so PCM round trips are exact."""


@dataclass(frozen=True, eq=False)
class Clip:
    """Mono sound: float32 samples in [-1, 1] (beyond is allowed and clips in PCM), and samples per second."""

    samples: NDArray[np.float32]
    """Shape (n,), read-only."""
    sample_rate: int
    """Samples per second, above 0."""

    def __post_init__(self) -> None:
        if self.samples.ndim != 1 or self.samples.dtype != np.float32:
            raise ValueError(f"a clip is a 1-d float32 array, not {self.samples.ndim}-d {self.samples.dtype}")
        if self.sample_rate <= 0:
            raise ValueError(f"a clip needs a sample rate above 0, not {self.sample_rate!r}")
        if self.samples.flags.writeable:
            frozen = self.samples.copy()
            frozen.flags.writeable = False
            object.__setattr__(self, "samples", frozen)

    @classmethod
    def of(cls, samples: Any, sample_rate: int) -> Clip:
        """A clip of anything numpy can read as a 1-d array of amplitudes."""
        return cls(np.array(samples, dtype=np.float32), int(sample_rate))

    @classmethod
    def from_pcm16(cls, pcm: NDArray[np.int16], sample_rate: int) -> Clip:
        """A clip of 16-bit samples, exactly."""
        return cls(pcm.astype(np.float32) / np.float32(FULL_SCALE), sample_rate)

    @classmethod
    def silence(cls, seconds: float, sample_rate: int) -> Clip:
        """Digital silence of `seconds` >= 0, rounded to a whole number of samples."""
        return cls(np.zeros(round(seconds * sample_rate), np.float32), sample_rate)

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def duration_s(self) -> float:
        """Seconds."""
        return len(self.samples) / self.sample_rate

    def to_pcm16(self) -> NDArray[np.int16]:
        """The samples as 16-bit PCM: rounded, clipped at full scale; NaN becomes 0."""
        scaled = np.nan_to_num(np.rint(self.samples.astype(np.float64) * FULL_SCALE), nan=0.0)
        clipped: NDArray[np.float64] = np.clip(scaled, -FULL_SCALE, FULL_SCALE - 1)
        return clipped.astype(np.int16)

    def quantised(self) -> Clip:
        """The clip as a 16-bit file would give it back, so that what is saved and what is used are the same."""
        return Clip.from_pcm16(self.to_pcm16(), self.sample_rate)

    @cached_property
    def sha256(self) -> str:
        """Hash of the rate and the 16-bit little-endian samples: the clip's identity."""
        digest = hashlib.sha256(f"pcm16 mono {self.sample_rate}\n".encode())
        digest.update(self.to_pcm16().astype("<i2").tobytes())
        return digest.hexdigest()

    def resampled(self, sample_rate: int) -> Clip:
        """The clip at another rate (soxr HQ, deterministic); itself when the rate is the same."""
        if sample_rate == self.sample_rate:
            return self
        soxr = extras.load("soxr", package="soxr", extra="speech", purpose="resampling sound")
        return Clip.of(soxr.resample(self.samples, self.sample_rate, sample_rate, quality="HQ"), sample_rate)

    def cut(self, start: int, end: int) -> Clip:
        """Samples `start` to `end` (exclusive) as a clip of their own."""
        return Clip(self.samples[start:end], self.sample_rate)


def concat(*clips: Clip) -> Clip:
    """Clips one after the other.

    Raises:
        ValueError: no clip given, or the rates differ.
    """
    rates = {clip.sample_rate for clip in clips}
    if len(rates) != 1:
        raise ValueError(f"cannot join clips of sample rates {sorted(rates)}: resample them first")
    return Clip(np.concatenate([clip.samples for clip in clips]), rates.pop())
