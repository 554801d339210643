"""How loud speech is: the level of its active frames, and integrated loudness after ITU-R BS.1770-4."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from speech.clip import Clip

LEVEL_DBFS = -23.0
"""Active level that every spoken clip is brought to, so that voices are equally loud on the line and in the recording."""
FRAME_S = 0.02
ACTIVE_RANGE_DB = 25.0
"""A frame is active when its energy lies at most this far below the clip's loud frames (their 95th percentile)."""
FLOOR_DBFS = -60.0
"""And no frame below this is active, so digital silence and faint hiss are never speech."""


def frame_powers(clip: Clip) -> NDArray[np.float64]:
    """Mean square of every whole 20 ms frame, shape (frames,); a clip shorter than a frame is one frame."""
    size = min(round(FRAME_S * clip.sample_rate), len(clip))
    if size == 0:
        return np.zeros(0)
    count = len(clip) // size
    frames = clip.samples[: count * size].astype(np.float64).reshape(count, size)
    powers: NDArray[np.float64] = np.mean(frames**2, axis=1)
    return powers


def active_frames(clip: Clip) -> NDArray[np.bool_]:
    """Which 20 ms frames hold speech rather than a pause, by energy alone, shape (frames,)."""
    return active_in(frame_powers(clip))


def active_in(powers: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The same of frames whose mean squares are known."""
    if not len(powers):
        return np.zeros(0, bool)
    threshold = max(np.percentile(powers, 95) * _power(-ACTIVE_RANGE_DB), _power(FLOOR_DBFS))
    active: NDArray[np.bool_] = powers > threshold
    return active


def active_power(clip: Clip) -> float:
    """Mean square of the active frames, so that pauses and padding do not count; 0 without any."""
    powers = frame_powers(clip)[active_frames(clip)]
    return float(powers.mean()) if len(powers) else 0.0


def decibels(power: float) -> float:
    """Power in dB relative to full scale; -200 for none, so that the value stays finite."""
    return 10 * float(np.log10(max(power, 1e-20)))


def integrated_loudness(clip: Clip) -> float:
    """Gated loudness in LUFS after BS.1770-4 (400 ms blocks, 75 % overlap, gates at -70 LUFS and -10 LU); -200 for silence.

    A clip shorter than a block counts as one block.
    """
    if not len(clip):
        return decibels(0.0)
    hop = round(clip.sample_rate / 10)
    count = len(clip) // hop
    if count < 4:
        blocks = _k_powers(clip.samples[None, :], clip.sample_rate)
    else:
        hops = _k_powers(clip.samples[: count * hop].reshape(count, hop), clip.sample_rate)
        blocks = np.lib.stride_tricks.sliding_window_view(hops, 4).mean(axis=1)
    gated = blocks[blocks > _power(-70 + 0.691)]
    if len(gated):
        gated = gated[gated > gated.mean() * _power(-10)]
    return decibels(float(gated.mean())) - 0.691 if len(gated) else decibels(0.0)


def at_level(clip: Clip, dbfs: float) -> Clip:
    """The clip with the gain that brings its active frames to `dbfs`; unchanged where nothing is active."""
    power = active_power(clip)
    if not power:
        return clip
    return Clip.of(clip.samples * np.float32(10 ** ((dbfs - decibels(power)) / 20)), clip.sample_rate)


def _power(db: float) -> float:
    return float(10.0 ** (db / 10))


def _k_powers(frames: NDArray[np.float32], rate: int) -> NDArray[np.float64]:
    """Mean square of each row, shape (rows, samples), behind the two K-weighting filters.

    Taken from the spectra of the rows, which needs no filter library and no second pass over the samples.
    """
    size = frames.shape[1]
    spectra = np.fft.rfft(frames)
    z = np.exp(-2j * np.pi * np.arange(spectra.shape[1]) / size)
    gain = np.full(len(z), 2.0)  # every line but the first, and the last of an even row, stands for two
    gain[0] = 1
    if size % 2 == 0:
        gain[-1] = 1
    for b, a in (_high_shelf(rate), _high_pass(rate)):
        gain *= np.abs((b[0] + b[1] * z + b[2] * z**2) / (a[0] + a[1] * z + a[2] * z**2)) ** 2
    powers: NDArray[np.float64] = np.einsum("ij,j->i", spectra.real**2 + spectra.imag**2, gain) / size**2
    return powers


Biquad = tuple[tuple[float, float, float], tuple[float, float, float]]


def _high_shelf(rate: int) -> Biquad:
    """Stage 1 of BS.1770-4 for any rate: the analogue prototype whose 48 kHz form is the table of the standard."""
    k = float(np.tan(np.pi * 1681.974450955533 / rate))
    q, gain = 0.7071752369554196, 10 ** (3.999843853973347 / 20)
    root = gain**0.4996667741545416
    a0 = 1 + k / q + k * k
    b = ((gain + root * k / q + k * k) / a0, 2 * (k * k - gain) / a0, (gain - root * k / q + k * k) / a0)
    return b, (1.0, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0)


def _high_pass(rate: int) -> Biquad:
    """Stage 2 of BS.1770-4 for any rate."""
    k = float(np.tan(np.pi * 38.13547087602444 / rate))
    q = 0.5003270373238773
    a0 = 1 + k / q + k * k
    return (1.0, -2.0, 1.0), (1.0, 2 * (k * k - 1) / a0, (1 - k / q + k * k) / a0)
