"""Speech codecs there and back, frame by frame, through libav (GSM is encoded by libsndfile, which libav cannot).

Every codec keeps its own state, as a telephone does; the loss of a packet comes after it and does not reach its decoder.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from core.errors import EngineError
from speech import extras
from speech.channel import g711
from speech.channel.effects import G711, Frame, Stage, to_pcm16

OPUS_RATE = 48000
"""Rate at which libav decodes Opus, whatever it was encoded from."""


@dataclass(frozen=True)
class Codec:
    """A codec of libav and how it is set."""

    encoder: str
    """Name of the encoder; empty where libsndfile encodes."""
    decoder: str
    """Name of the decoder."""
    delay_s: float
    """Seconds by which the decoded sound is late (measured, and held by a test)."""
    bit_rate: int = 0
    """Bits per second, where it can be chosen."""
    options: dict[str, str] = field(default_factory=dict)
    """Options of the encoder."""


CODECS: dict[str, Codec] = {
    "gsm": Codec("", "gsm", 0.0),
    "amr": Codec("libopencore_amrnb", "amrnb", 0.005, 12_200),
    "g722": Codec("g722", "g722", 22 / 16_000),
    # The lowest efforts sound little worse and cost a quarter of the highest.
    "opus": Codec(
        "libopus",
        "libopus",
        0.0065,
        16_000,
        {"application": "voip", "frame_duration": "20", "vbr": "off", "compression_level": "1"},
    ),
}
"""Name to codec, beside the two laws of G.711."""

NARROW = (*g711.LAWS, "gsm", "amr", "opus")
"""Codecs of a line at 8 kHz."""
WIDE = ("opus", "g722")
"""Codecs of a line at 16 kHz."""


def packages(name: str) -> tuple[str, ...]:
    """The packages whose versions decide what a codec gives; none for those that are pure integers."""
    if name not in CODECS:
        return ()
    return ("av",) if CODECS[name].encoder else ("av", "soundfile")


def open_codec(name: str, rate: int) -> Stage:
    """A codec by name, one of `NARROW` at 8 kHz or `WIDE` at 16 kHz.

    Raises:
        EngineError: this build of libav lacks it.
        MissingExtraError: PyAV or soundfile is not installed.
    """
    if name in g711.LAWS:
        return G711(name)
    return LibavCodec(CODECS[name], rate)


class LibavCodec:
    """One encoder and one decoder, back to back."""

    def __init__(self, codec: Codec, rate: int) -> None:
        self._codec = codec
        self._encoder = _GsmEncoder(rate) if not codec.encoder else _LibavEncoder(codec, rate)
        av = _av()
        with _translated(codec.decoder):
            self._decoder = av.CodecContext.create(codec.decoder, "r")
            self._decoder.sample_rate = rate
            self._decoder.layout = "mono"
            self._decoder.thread_count = 1
        self._lower = _Decimation(OPUS_RATE // rate) if codec.decoder == "libopus" else None
        self.delay = round(codec.delay_s * rate) + (self._lower.delay if self._lower else 0)

    def process(self, frame: Frame) -> Frame:
        """The frame as the far end decodes it."""
        with _translated(self._codec.decoder):
            packets = self._encoder.encode(to_pcm16(frame))
            parts = [_samples(part) for packet in packets for part in self._decoder.decode(packet)]
        decoded = np.concatenate(parts) if parts else np.zeros(0)
        if self._lower:
            decoded = self._lower.process(decoded)
        if len(decoded) != len(frame):
            found = f"gave {len(decoded)} samples for {len(frame)}"
            raise EngineError(f"the codec {self._codec.decoder!r} of libav {found}: install the locked PyAV")
        return decoded


class _LibavEncoder:
    """An encoder of libav."""

    def __init__(self, codec: Codec, rate: int) -> None:
        self._av = _av()
        self._rate = rate
        self._next = 0
        with _translated(codec.encoder):
            self._context = self._av.CodecContext.create(codec.encoder, "w")
            self._context.sample_rate = rate
            self._context.layout = "mono"
            self._context.format = "s16"
            self._context.time_base = Fraction(1, rate)
            self._context.thread_count = 1
            if codec.bit_rate:
                self._context.bit_rate = codec.bit_rate
            self._context.options = dict(codec.options)
            self._context.open()

    def encode(self, pcm: Any) -> list[Any]:
        """The packets of a frame."""
        frame = self._av.AudioFrame.from_ndarray(pcm[None, :], format="s16", layout="mono")
        frame.sample_rate = self._rate
        frame.pts = self._next
        self._next += len(pcm)
        return list(self._context.encode(frame))


class _GsmEncoder:
    """GSM full rate of libsndfile: 33 bytes for 160 samples."""

    def __init__(self, rate: int) -> None:
        soundfile = extras.load("soundfile", package="soundfile", extra="speech", purpose="encoding GSM")
        self._av = _av()
        self._out = io.BytesIO()
        self._file = soundfile.SoundFile(self._out, "w", samplerate=rate, channels=1, format="RAW", subtype="GSM610")
        self._read = 0

    def encode(self, pcm: Any) -> list[Any]:
        """The packet of a frame."""
        self._file.write(pcm)
        self._out.seek(self._read)
        data = self._out.read()
        self._read += len(data)
        return [self._av.Packet(data)]


class _Decimation:
    """Every n-th sample, after a filter that keeps what lies below the new rate's half."""

    def __init__(self, factor: int) -> None:
        reach = 8 * factor
        places = np.arange(-reach, reach + 1)
        taps = np.sinc(places * 0.95 / factor) * np.hamming(len(places))
        self._taps = taps / taps.sum()
        self._history = np.zeros(2 * reach)
        self._factor = factor
        self.delay = reach // factor

    def process(self, samples: Frame) -> Frame:
        """Fewer samples of the same sound."""
        block = np.concatenate([self._history, samples])
        self._history = block[len(samples) :]
        windows = np.lib.stride_tricks.sliding_window_view(block, len(self._taps))
        kept: Frame = np.einsum(
            "ij,j->i", windows[:: self._factor], self._taps
        )  # no BLAS: the same sum on every count of threads
        return kept


def _samples(frame: Any) -> Frame:
    array = frame.to_ndarray().reshape(-1)
    scaled: Frame = array / 32768.0 if array.dtype == np.int16 else array.astype(np.float64)
    return scaled


def _av() -> Any:
    return extras.load("av", package="av", extra="speech", purpose="the codecs of mobile and internet calls")


@contextmanager
def _translated(name: str) -> Iterator[None]:
    """Turn what PyAV raises into one clear line."""
    av = _av()
    try:
        yield
    except (av.error.FFmpegError, av.codec.codec.UnknownCodecError) as error:
        raise EngineError(f"libav cannot use its codec {name!r} here: {error}. Install the locked PyAV") from error
