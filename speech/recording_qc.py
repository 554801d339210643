"""Quality control of a whole call by its signal: is the recording the call that its trace describes, and can both be heard.

`structure` costs next to nothing and is held against every recording before it is kept: what it finds is a fault of ours,
never of a noisy line. `levels` looks at each side's sound as a listener would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from core.schemas.call_trace import Channel, Message, Recording
from speech.clip import Clip
from speech.level import FRAME_S, active_in, decibels, frame_powers, integrated_loudness
from speech.qc import CLIPPED_SHARE, DC_OFFSET, LOUDNESS_LUFS, Check, check

SIDES = (Channel.CALLER, Channel.AGENT)
"""Sides of a recording, in the order of its channels."""
DURATION_S = 0.01
"""Seconds by which a file may differ from the length its trace states."""
SILENT_DBFS = -80.0
"""A segment below this holds nothing: a line turned down as far as it goes is louder."""
SILENCE_SHARE = 0.95
"""Largest share of a side's segments (without a trace: 0.995 of the side) that may be pauses."""
LEVEL_RATE = 8000
"""Hz at which loudness and crosstalk are measured: half the work, and a telephone holds nothing above its half."""
CROSSTALK_DB = -26.0
"""Loudest copy of one side on the other that passes."""
COPY = 0.3
"""Correlation from which sound on the other side is a copy; two people at once stay below it."""
LAG_S = 0.1
"""Longest delay at which a copy is looked for."""
TILE_S = 10.0

Spans = list[tuple[int, int]]


def structure(
    samples: NDArray[np.float32], sample_rate: int, recording: Recording | None, messages: Sequence[Message] = ()
) -> tuple[Check, ...]:
    """Whether samples, shape (n, channels), are the stereo call that `recording` describes (None: any stereo call)."""
    found = [check("channels", samples.shape[1], 2, 2)]
    if recording is None:
        return (*found, check("samples", len(samples), 1, float("inf")))
    declared = recording.samples / recording.sample_rate
    found += [
        check("sample_rate", sample_rate, recording.sample_rate, recording.sample_rate),
        check("duration_s", len(samples) / sample_rate, declared - DURATION_S, declared + DURATION_S),
        check("segments_outside", sum(part.end_sample > len(samples) for part in recording.segments), 0, 0),
    ]
    if all(each.passed for each in found):
        said = {message.index for message in messages if any(character.isalnum() for character in message.content)}
        silent = [
            part
            for part in recording.segments
            if part.message in said and _is_silent(samples[part.start_sample : part.end_sample, SIDES.index(part.channel)])
        ]
        found.append(check("silent_segments", len(silent), 0, 0))
    return tuple(found)


def levels(samples: NDArray[np.float32], sample_rate: int, recording: Recording | None) -> tuple[Check, ...]:
    """How each side of a call sounds where it speaks. A side on which the trace puts no speech is left out."""
    whole = [(0, len(samples))]
    spans = {side: whole if recording is None else list(_spans(recording, side)) for side in SIDES}
    sides = {side: Clip(samples[:, column], sample_rate) for column, side in enumerate(SIDES) if spans[side]}
    low = {side: clip.resampled(LEVEL_RATE) for side, clip in sides.items()}
    share = SILENCE_SHARE if recording else 0.995
    found = [each for side, clip in sides.items() for each in _side(side, clip, low[side], spans[side], share)]
    if len(sides) == 2:
        scale = LEVEL_RATE / sample_rate
        for side, other in (SIDES, SIDES[::-1]):
            tiles = [(round(start * scale), round(end * scale)) for start, end in spans[side]]
            found.append(check(f"{side.value}.crosstalk_db", _crosstalk(low[side], low[other], tiles), -200, CROSSTALK_DB))
    return tuple(found)


def inspect_recording(
    samples: NDArray[np.float32], sample_rate: int, recording: Recording | None, messages: Sequence[Message] = ()
) -> tuple[Check, ...]:
    """Every check of a call; where its structure is wrong, its levels would say nothing and are left out."""
    found = structure(samples, sample_rate, recording, messages)
    return (*found, *levels(samples, sample_rate, recording)) if all(each.passed for each in found) else found


def _spans(recording: Recording, side: Channel) -> Iterator[tuple[int, int]]:
    return ((part.start_sample, part.end_sample) for part in recording.segments if part.channel is side)


def _is_silent(samples: NDArray[np.float32]) -> bool:
    return decibels(float(np.mean(np.square(samples, dtype=np.float64))) if len(samples) else 0.0) < SILENT_DBFS


def _side(side: Channel, clip: Clip, low: Clip, spans: Spans, most_silent: float) -> Iterator[Check]:
    spoken = np.concatenate([clip.samples[start:end] for start, end in spans])
    yield check(f"{side.value}.silence_share", 1 - float(np.mean(active_in(_powers_within(low, clip, spans)))), 0, most_silent)
    yield check(f"{side.value}.clipped_share", float(np.mean(np.abs(spoken) >= 0.999)), 0, CLIPPED_SHARE)
    yield check(f"{side.value}.loudness_lufs", integrated_loudness(low), *LOUDNESS_LUFS)
    yield check(f"{side.value}.dc_offset", abs(float(spoken.mean(dtype=np.float64))), 0, DC_OFFSET)


def _powers_within(low: Clip, clip: Clip, spans: Spans) -> NDArray[np.float64]:
    """Powers of the frames that lie in spans of speech; of all frames where the spans are shorter than one."""
    powers = frame_powers(low)
    starts = np.arange(len(powers)) * FRAME_S * clip.sample_rate
    inside = np.zeros(len(powers), bool)
    for start, end in spans:
        inside |= (starts >= start) & (starts < end)
    return powers[inside] if inside.any() else powers


def _crosstalk(speaker: Clip, other: Clip, spans: Spans) -> float:
    """Level in dB of the copy of `speaker` on `other` against the speaker, -200 where there is none.

    The correlation of all the speaker's turns is summed lag by lag, so that what is alike by chance averages out.
    """
    lags = round(LAG_S * LEVEL_RATE)
    summed, energy, others = np.zeros(2 * lags + 1), 0.0, 0.0
    for start, end in _tiles(spans):
        said, there = (clip.samples[start:end].astype(np.float64) for clip in (speaker, other))
        energy += float(np.square(said).sum())  # a dot product would wake as many threads as there are cores
        others += float(np.square(there).sum())
        if there.any():
            size = 1 << (len(said) + lags).bit_length()
            product = np.fft.irfft(np.conj(np.fft.rfft(said, size)) * np.fft.rfft(there, size), size)
            summed += np.concatenate([product[size - lags :], product[: lags + 1]])
    peak = float(np.abs(summed).max())
    if not energy or peak < COPY * float(np.sqrt(energy * others)) or not peak:
        return -200.0
    return 2 * decibels(peak / energy)


def _tiles(spans: Spans) -> Iterator[tuple[int, int]]:
    """Spans cut into pieces short enough to transform."""
    size = round(TILE_S * LEVEL_RATE)
    return ((place, min(place + size, end)) for start, end in spans for place in range(start, end, size))
