"""Quality control of a clip of speech, by its signal only: nobody listens, no recogniser votes.

The bounds are wide: nothing that an engine said soundly came near them, in any voice, script or pace, while an empty, cut,
clipped, silent or runaway clip lies far outside. `speech/recording_qc.py` does the same for a whole call.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np

from speech.clip import Clip
from speech.level import active_frames, active_power, decibels, frame_powers, integrated_loudness

VERSION = 2
"""Goes up with any change of a check or a bound, since that decides which clip is used."""


@dataclass(frozen=True)
class SpeakingRate:
    """How many written units of a script are said per second, at pace 1."""

    slowest: float
    """Below it something runs on."""
    fastest: float
    """Above it words must be missing."""


LETTERS, AKSHARAS, IDEOGRAPHS = SpeakingRate(3.0, 40.0), SpeakingRate(1.5, 25.0), SpeakingRate(1.0, 15.0)
"""Letters of an alphabet and digits; written syllables of the Indic scripts; characters of Chinese, one syllable each."""
SLACK_S = 1.5
"""Seconds any clip may last beyond what its words take."""
TAIL_S, TAIL_DB = 0.01, -6.0
"""Length of the end that must not be loud, and its highest level against the speech; half of all cuts in mid-speech exceed it."""
CLIPPED_SHARE, LOUDNESS_LUFS, DC_OFFSET = 0.002, (-45.0, -8.0), 0.01
"""Largest share of samples at full scale, range of integrated loudness, largest mean of the samples."""


@dataclass(frozen=True)
class Check:
    """One property of a sound against its bounds."""

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


def inspect(clip: Clip, text: str | None, *, sample_rate: int, pace: float) -> tuple[Check, ...]:
    """Every check of a clip that should say `text` at `pace` with `sample_rate`; without a text its length is not judged.

    An empty clip, one at another rate and one with broken samples get only the checks that mean something for them.
    """
    first = (
        check("samples", len(clip), 1, float("inf")),
        check("sample_rate", clip.sample_rate, sample_rate, sample_rate),
        check("non_finite_samples", int(np.count_nonzero(~np.isfinite(clip.samples))), 0, 0),
    )
    if not all(each.passed for each in first):
        return first
    return (
        *first,
        *([] if text is None else [check("duration_s", clip.duration_s, *duration_bounds(text, pace))]),
        check("silence_share", 1 - float(active_frames(clip).mean()), 0, 0.85),
        check("clipped_share", float(np.mean(np.abs(clip.samples) >= 0.999)), 0, CLIPPED_SHARE),
        check("loudness_lufs", integrated_loudness(clip), *LOUDNESS_LUFS),
        check("dc_offset", abs(float(clip.samples.mean(dtype=np.float64))), 0, DC_OFFSET),
        check("end_level_db", _end_level(clip), -250, TAIL_DB),
    )


def duration_bounds(text: str, pace: float) -> tuple[float, float]:
    """Shortest and longest plausible duration of a text in seconds, at a factor `pace` on the voice's own rate.

    Every written unit counts by its own script, so that mixed text needs no language.
    """
    rates = [_rate_of(text, place) for place in range(len(text))]
    shortest = sum(1 / rate.fastest for rate in rates if rate)
    longest = sum(1 / rate.slowest for rate in rates if rate)
    return shortest / pace, (longest + SLACK_S) / pace


def failures(checks: tuple[Check, ...]) -> str:
    """The checks that failed, on one line; empty when all passed."""
    return "; ".join(str(each) for each in checks if not each.passed)


def check(name: str, value: float, low: float, high: float) -> Check:
    """A check with its figures rounded as they are shown."""
    return Check(name, round(float(value), 4), round(low, 4), round(high, 4))


def _rate_of(text: str, place: int) -> SpeakingRate | None:
    """The rate of the unit that begins at a place of the text; None where none begins: spaces, marks, joined consonants."""
    character = text[place]
    if not character.isalnum():
        return None
    if "\u0900" <= character <= "\u0dff" and not character.isdecimal():
        joined = place > 0 and unicodedata.combining(text[place - 1]) == _VIRAMA
        return None if joined else AKSHARAS
    return IDEOGRAPHS if unicodedata.east_asian_width(character) == "W" else LETTERS


_VIRAMA = 9
"""Canonical combining class of the sign that takes the vowel from an Indic consonant and joins it to the next."""


def _end_level(clip: Clip) -> float:
    """Level of the last 10 ms against the active level, in dB: near 0 when the clip was cut off in mid-word."""
    tail = clip.cut(max(0, len(clip) - round(TAIL_S * clip.sample_rate)), len(clip))
    return max(-250.0, decibels(float(frame_powers(tail).mean())) - decibels(active_power(clip)))
