"""What a telephone does to sound, as small steps that take one frame of 20 ms at a time and keep their own state.

A step gives back as many samples as it takes and says by how many of them its output is late. Since a channel always
feeds it frames of one size, what comes out never depends on the chunks in which the sound came in.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from speech.channel import g711

FRAME_S = 0.02
"""Seconds of a frame, which is also what a packet carries."""
CONCEAL_S = 0.06
"""Seconds over which concealment fades to silence."""
BAND_ORDER = 4
"""Order of the band-pass at each edge: 24 dB per octave."""
BAND_CYCLES = 4.0
"""Cycles of the lower edge after which its response has died away, by some 80 dB."""
ROOM_DIRECT_DB = 3.0
"""How far the direct sound lies above all its echoes together: a voice about a metre from the microphone."""
ROOM_FIRST_ECHO_S = 0.005
"""Seconds from the direct sound to the first echo."""

Frame = NDArray[np.float64]
"""Samples of one frame, shape (n,), full scale 1."""


class Stage(Protocol):
    """One step of a channel, on one sound."""

    @property
    def delay(self) -> int:
        """Samples by which the output is late."""
        ...

    def process(self, frame: Frame) -> Frame:
        """The next frame, as long as the one given."""
        ...


class Gain:
    """Louder (above 0 dB) or softer."""

    delay = 0

    def __init__(self, db: float) -> None:
        self._factor = 10 ** (db / 20)

    def process(self, frame: Frame) -> Frame:
        """The frame at its new level."""
        return frame * self._factor


class Clipping:
    """Cuts off amplitudes above `limit`, in (0, 1]."""

    delay = 0

    def __init__(self, limit: float) -> None:
        self._limit = limit

    def process(self, frame: Frame) -> Frame:
        """The frame with its peaks cut off."""
        clipped: Frame = np.clip(frame, -self._limit, self._limit)
        return clipped


class Noise:
    """Adds a loop of background sound of unit power at `level_dbfs`, beginning anywhere in it."""

    delay = 0

    def __init__(self, loop: Frame, level_dbfs: float, rng: np.random.Generator) -> None:
        self._loop = loop * 10 ** (level_dbfs / 20)
        self._next = int(rng.integers(len(loop)))

    def process(self, frame: Frame) -> Frame:
        """The frame with the background behind it."""
        places = (self._next + np.arange(len(frame))) % len(self._loop)
        self._next = (self._next + len(frame)) % len(self._loop)
        mixed: Frame = frame + self._loop[places]
        return mixed


class Filter:
    """Convolution with `taps`, whose middle stands at index `delay`; done on spectra, so that long taps stay cheap."""

    def __init__(self, taps: Frame, delay: int, frame_size: int) -> None:
        self.delay = delay
        self._history = np.zeros(len(taps) - 1)
        self._size = 1 << (len(taps) + frame_size - 2).bit_length()
        self._spectrum = np.fft.rfft(taps, self._size)

    def process(self, frame: Frame) -> Frame:
        """The frame as filtered, with the tail of those before it."""
        block = np.concatenate([self._history, frame])
        self._history = block[len(frame) :]
        whole = np.fft.irfft(np.fft.rfft(block, self._size) * self._spectrum, self._size)
        filtered: Frame = whole[len(block) - len(frame) : len(block)]
        return filtered


def band_pass(low_hz: float, high_hz: float, rate: int) -> Filter:
    """Keeps `low_hz` to `high_hz` with the magnitude of a Butterworth filter: -3 dB at the edges, all frequencies equally late.

    The taps reach as far as its response matters: 13 ms each way for a lower edge of 300 Hz.
    """
    reach = round(rate * BAND_CYCLES / low_hz)
    size = 1 << (16 * reach).bit_length()
    frequency = np.maximum(np.fft.rfftfreq(size, 1 / rate), 1e-9)
    power = 1 / (1 + (low_hz / frequency) ** (2 * BAND_ORDER)) / (1 + (frequency / high_hz) ** (2 * BAND_ORDER))
    response = np.fft.irfft(np.sqrt(power), size)
    taps = np.concatenate([response[-reach:], response[: reach + 1]])
    return Filter(taps, reach, frame_samples(rate))


def room(rt60_s: float, rate: int, rng: np.random.Generator) -> Filter:
    """Echoes of a made-up room that die away by 60 dB in `rt60_s` seconds; the direct sound stays where it was.

    The response has unit energy, so that the voice stays about as loud.
    """
    time = np.arange(1, max(round(rt60_s * rate), 2)) / rate
    echoes = rng.standard_normal(len(time)) * 10 ** (-3 * time / rt60_s) * (time >= min(ROOM_FIRST_ECHO_S, rt60_s / 2))
    echoes *= 10 ** (-ROOM_DIRECT_DB / 20) / np.sqrt(np.sum(echoes**2))
    response = np.concatenate([[1.0], echoes])
    return Filter(response / np.sqrt(np.sum(response**2)), 0, frame_samples(rate))


class G711:
    """Through the 8-bit codes of `mulaw` or `alaw` and back."""

    delay = 0

    def __init__(self, law: str) -> None:
        self._table = g711.round_trip(law)

    def process(self, frame: Frame) -> Frame:
        """The frame as the far end decodes it."""
        decoded: Frame = self._table[to_pcm16(frame).astype(np.int32) + 32768] / 32768.0
        return decoded


class PacketLoss:
    """Loses packets in bursts; the receiver repeats the last one it got, fading to silence in 60 ms.

    Two states after Gilbert: a lost packet is followed by another with probability 1 - 1/burst. `probability` is the share
    that is lost in the long run, `burst` the mean length of a burst in packets, at least that of independent losses,
    1 / (1 - probability). The same draws decide at every probability, so a packet lost at 0.05 is also lost at 0.1.
    """

    delay = 0

    def __init__(self, probability: float, burst: float, rate: int, rng: np.random.Generator) -> None:
        burst = max(burst, 1 / (1 - probability))
        self._after_good = probability / (burst * (1 - probability))
        self._after_lost = 1 - 1 / burst
        self._chance = probability
        self._rng = rng
        self._fade = CONCEAL_S * rate
        self._last = np.zeros(frame_samples(rate))
        self._run = 0

    def process(self, frame: Frame) -> Frame:
        """The frame, or what stands in for it."""
        lost = self._rng.random() < self._chance
        self._chance = self._after_lost if lost else self._after_good
        if not lost:
            self._last = frame
            self._run = 0
            return frame
        ramp = np.clip(1 - (self._run * len(frame) + np.arange(len(frame))) / self._fade, 0, 1)
        self._run += 1
        concealed: Frame = self._last * ramp
        return concealed


def frame_samples(rate: int) -> int:
    """Samples of a frame."""
    return round(FRAME_S * rate)


def to_pcm16(frame: Frame) -> NDArray[np.int16]:
    """The samples as 16-bit PCM: rounded, clipped at full scale."""
    return np.clip(np.rint(frame * 32768), -32768, 32767).astype(np.int16)
