"""What a telephone does to sound, one pure function per effect: a clip and a generator in, a clip out.

Effects without chance ignore the generator. None changes the length or the rate, except `resample`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from speech.clip import Clip
from speech.level import active_power

Effect = Callable[[Clip, np.random.Generator], Clip]
"""One step of a channel."""

PACKET_S = 0.02
"""Seconds of sound a packet carries."""
CONCEAL_S = 0.06
"""Seconds over which concealment fades to silence."""
LOWEST_NOISE_HZ = 20.0
"""Pink noise is cut off below this: inaudible there, it would take most of the power, and the more the longer the clip."""


def resample(sample_rate: int) -> Effect:
    """Change the rate."""
    return lambda clip, _rng: clip.resampled(sample_rate)


def pink_noise(snr_db: float) -> Effect:
    """Add pink noise whose power lies `snr_db` below that of the clip's active speech; nothing where nothing is active."""

    def apply(clip: Clip, rng: np.random.Generator) -> Clip:
        speech = active_power(clip)
        noise = _pink(len(clip), clip.sample_rate, rng)
        if not speech or not noise.any():
            return clip
        return _like(clip, clip.samples + noise * np.sqrt(speech * 10 ** (-snr_db / 10) / np.mean(noise**2)))

    return apply


def band_pass(low_hz: float, high_hz: float, order: int = 4) -> Effect:
    """Keep `low_hz` to `high_hz` with the magnitude of a Butterworth filter (-3 dB at the edges) and no delay."""

    def apply(clip: Clip, _rng: np.random.Generator) -> Clip:
        if not len(clip):
            return clip
        length = len(clip) + clip.sample_rate // 4  # room to ring out instead of wrapping round
        frequency = np.maximum(np.fft.rfftfreq(length, 1 / clip.sample_rate), 1e-9)
        power = 1 / (1 + (low_hz / frequency) ** (2 * order)) / (1 + (frequency / high_hz) ** (2 * order))
        spectrum = np.fft.rfft(clip.samples.astype(np.float64), length) * np.sqrt(power)
        return _like(clip, np.fft.irfft(spectrum, length)[: len(clip)])

    return apply


def gain(db: float) -> Effect:
    """Make it louder (above 0) or softer."""
    return lambda clip, _rng: _like(clip, clip.samples * np.float32(10 ** (db / 20)))


def clipping(limit: float) -> Effect:
    """Cut off amplitudes above `limit`, in (0, 1]."""
    return lambda clip, _rng: _like(clip, np.clip(clip.samples, -limit, limit))


def mu_law() -> Effect:
    """Through the 8-bit codes of G.711 mu-law and back."""
    return lambda clip, _rng: Clip.from_pcm16(mu_law_decode(mu_law_encode(clip.to_pcm16())), clip.sample_rate)


def packet_loss(probability: float) -> Effect:
    """Lose each 20 ms packet with `probability`; the receiver repeats the last one it got, fading to silence in 60 ms.

    The same draws decide at every probability, so a packet lost at 0.05 is also lost at 0.1.
    """

    def apply(clip: Clip, rng: np.random.Generator) -> Clip:
        size = round(PACKET_S * clip.sample_rate)
        lost = rng.random(-(-len(clip) // size)) < probability
        return _like(clip, _conceal(clip.samples, lost, size, CONCEAL_S * clip.sample_rate))

    return apply


def chain(*effects: Effect) -> Effect:
    """Effects one after the other, each with a generator of its own, so that changing one does not shift another's chance."""

    def apply(clip: Clip, rng: np.random.Generator) -> Clip:
        for effect, own in zip(effects, rng.spawn(len(effects)), strict=True):
            clip = effect(clip, own)
        return clip

    return apply


def mu_law_encode(pcm: NDArray[np.int16]) -> NDArray[np.uint8]:
    """The 8-bit G.711 mu-law code of every 16-bit sample."""
    wide = pcm.astype(np.int32)
    magnitude = np.minimum(np.abs(wide), 32635) + 0x84
    exponent = np.floor(np.log2(magnitude)).astype(np.int32) - 7
    mantissa = (magnitude >> (exponent + 3)) & 0x0F
    sign = np.where(wide < 0, 0x80, 0)
    codes: NDArray[np.uint8] = (~(sign | (exponent << 4) | mantissa) & 0xFF).astype(np.uint8)
    return codes


def mu_law_decode(codes: NDArray[np.uint8]) -> NDArray[np.int16]:
    """The 16-bit sample of every G.711 mu-law code."""
    bits = ~codes.astype(np.int32) & 0xFF
    magnitude = ((((bits & 0x0F) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84
    return np.where(bits & 0x80, -magnitude, magnitude).astype(np.int16)


def _like(clip: Clip, samples: NDArray[np.floating]) -> Clip:
    return Clip(samples.astype(np.float32), clip.sample_rate)


def _pink(count: int, sample_rate: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """`count` samples of noise with equal power per octave from 20 Hz up, any scale."""
    frequency = np.fft.rfftfreq(count, 1 / sample_rate) if count else np.zeros(0)
    white = np.fft.rfft(rng.standard_normal(count)) if count else np.zeros(0, complex)
    shape = np.where(frequency >= LOWEST_NOISE_HZ, 1 / np.sqrt(np.maximum(frequency, LOWEST_NOISE_HZ)), 0.0)
    noise: NDArray[np.float64] = np.fft.irfft(white * shape, count) if count else np.zeros(0)
    return noise


def _conceal(samples: NDArray[np.float32], lost: NDArray[np.bool_], size: int, fade: float) -> NDArray[np.float32]:
    """Fill lost packets with the last received one, under a ramp that runs on through a burst."""
    out = samples.copy()
    last = np.zeros(size, np.float32)
    burst = 0
    for index, missing in enumerate(lost):
        span = slice(index * size, min((index + 1) * size, len(out)))
        length = span.stop - span.start
        if missing:
            ramp = np.clip(1 - (burst * size + np.arange(length)) / fade, 0, 1)
            out[span] = last[:length] * ramp.astype(np.float32)
            burst += 1
        else:
            burst = 0
            if length == size:
                last = samples[span]
    return out
