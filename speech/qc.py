"""Quality control of a synthesised clip, by its signal only: nobody listens, no recogniser votes.

The bounds are wide: over two voices, three paces and texts from one letter to thirty seconds nothing sound comes near
them, while an empty, cut, clipped, silent or runaway clip lies far outside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from speech.clip import Clip
from speech.level import active_frames, active_power, decibels, frame_powers, integrated_loudness

FASTEST = 40.0
"""Letters and digits per second, at pace 1, above which words must be missing."""
SLOWEST = 3.0
"""Letters and digits per second, at pace 1, below which something runs on; spelled codes come near 5."""
SLACK_S = 1.5
"""Seconds any clip may last beyond that."""
TAIL_S = 0.01
"""Length of the end that must not be loud."""


@dataclass(frozen=True)
class Check:
    """One property of a clip against its bounds."""

    name: str
    """What was measured."""
    value: float
    """The measurement, rounded to 4 digits."""
    low: float
    """Smallest value that passes."""
    high: float
    """Largest value that passes."""

    @property
    def passed(self) -> bool:
        """Whether the value lies within the bounds."""
        return self.low <= self.value <= self.high

    def __str__(self) -> str:
        return f"{self.name} {self.value:g} is not within {self.low:g} to {self.high:g}"


def inspect(clip: Clip, text: str, *, sample_rate: int, pace: float) -> tuple[Check, ...]:
    """Every check of a clip that should say `text` at `pace` with `sample_rate`.

    An empty clip, one at another rate and one with broken samples get only the checks that mean something for them.
    """
    first = (
        _check("samples", len(clip), 1, float("inf")),
        _check("sample_rate", clip.sample_rate, sample_rate, sample_rate),
        _check("non_finite_samples", int(np.count_nonzero(~np.isfinite(clip.samples))), 0, 0),
    )
    if not all(check.passed for check in first):
        return first
    characters = sum(character.isalnum() for character in text)
    return (
        *first,
        _check("duration_s", clip.duration_s, characters / FASTEST / pace, (characters / SLOWEST + SLACK_S) / pace),
        _check("silence_share", 1 - float(active_frames(clip).mean()), 0, 0.85),
        _check("clipped_share", float(np.mean(np.abs(clip.samples) >= 0.999)), 0, 0.002),
        _check("loudness_lufs", integrated_loudness(clip), -45, -8),
        _check("dc_offset", abs(float(clip.samples.mean(dtype=np.float64))), 0, 0.01),
        _check("end_level_db", _end_level(clip), -250, -8),
    )


def failures(checks: tuple[Check, ...]) -> str:
    """The checks that failed, on one line; empty when all passed."""
    return "; ".join(str(check) for check in checks if not check.passed)


def _check(name: str, value: float, low: float, high: float) -> Check:
    return Check(name, round(float(value), 4), round(low, 4), round(high, 4))


def _end_level(clip: Clip) -> float:
    """Level of the last 10 ms against the active level, in dB: near 0 when the clip was cut off in mid-word."""
    tail = clip.cut(max(0, len(clip) - round(TAIL_S * clip.sample_rate)), len(clip))
    return max(-250.0, decibels(float(frame_powers(tail).mean())) - decibels(active_power(clip)))
