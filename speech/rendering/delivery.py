"""What a delivery does to the sound of a turn. Pace is asked of the engine; the rest is done to the samples of any engine alike.

Pitch and pace are one step: the engine speaks slower by the factor of the pitch, and the clip is then played faster by it.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from core.schemas.voicing import DeliveryForm
from speech.clip import Clip
from speech.level import FRAME_S, active_frames

VERSION = "delivery-1"
"""Goes up with any change of what the same numbers do to the same clip."""
PAUSE_S = 0.12
"""Shortest pause inside a turn; what is shorter belongs to a word."""
LONGEST_S = 1.2
"""No pause is made longer than this."""


def engine_pace(form: DeliveryForm) -> float:
    """The pace to ask of the engine."""
    return round(form.pace / form.pitch, 4)


def shaped(clip: Clip, form: DeliveryForm, sample_rate: int) -> Clip:
    """A clip that was spoken at `engine_pace`, with the pitch, pauses and energy of its delivery, at `sample_rate`."""
    pitched = Clip(clip.samples, round(clip.sample_rate * form.pitch)).resampled(sample_rate)
    paused = with_pauses(Clip(pitched.samples, sample_rate), form.pauses)
    return Clip.of(paused.samples * np.float32(10 ** (form.gain_db / 20)), sample_rate)


def with_pauses(clip: Clip, factor: float) -> Clip:
    """The clip with its inner pauses longer or shorter by `factor`; words, and what stands before and after them, stay."""
    if factor == 1:
        return clip
    pieces, place = [], 0
    longest = round(LONGEST_S * clip.sample_rate)
    for start, end in _pauses(clip):
        wanted = round((end - start) * factor)
        more = max(0, min(wanted, longest) - (end - start))
        less = max(0, end - start - wanted)
        left = (start + end - less) // 2
        pieces += [clip.samples[place:left], np.zeros(more, np.float32)]
        place = left + less
    return Clip(np.concatenate([*pieces, clip.samples[place:]]), clip.sample_rate)


def _pauses(clip: Clip) -> list[tuple[int, int]]:
    """Where the inner pauses lie, in samples."""
    size = round(FRAME_S * clip.sample_rate)
    runs, place = [], 0
    for speaks, frames in groupby(active_frames(clip)):
        count = len(list(frames))
        runs.append((speaks, place * size, (place + count) * size))
        place += count
    inner = runs[1:-1]
    return [(start, end) for speaks, start, end in inner if not speaks and end - start >= PAUSE_S * clip.sample_rate]
