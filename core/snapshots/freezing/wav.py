"""What a WAV file says of itself, chunk by chunk: enough to hold a recording against its row without any sound library."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import InputError

_PCM = 1


@dataclass(frozen=True)
class WavHeader:
    """The format of a recording."""

    sample_rate: int
    """Samples per second."""
    channels: int
    """Channels."""
    bits: int
    """Bits per sample, PCM."""
    samples: int
    """Samples per channel that are there."""


def read_wav(data: bytes) -> WavHeader:
    """The header of a PCM WAV.

    Raises:
        InputError: it is none, is cut short, or holds more than it says; the message follows the file's name.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise InputError(f"is no WAV file: it begins with {data[:4]!r}")
    announced = int.from_bytes(data[4:8], "little") + 8
    if announced != len(data):
        raise InputError(f"announces {announced} bytes and has {len(data)}")
    chunks = dict(_chunks(data))
    layout = chunks.get(b"fmt ", b"")
    if len(layout) < 16 or b"data" not in chunks:
        raise InputError("has no whole fmt and data chunks: it is truncated or broken")
    codec, channels, rate, _byte_rate, frame, bits = struct.unpack("<HHIIHH", layout[:16])
    if codec != _PCM or frame != channels * bits // 8 or not frame:
        raise InputError(f"is no plain PCM: codec {codec}, {channels} channels of {bits} bits in frames of {frame} bytes")
    if len(chunks[b"data"]) % frame:
        raise InputError(f"is truncated: {len(chunks[b'data'])} bytes of samples end in the middle of a frame of {frame}")
    return WavHeader(rate, channels, bits, len(chunks[b"data"]) // frame)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and bytes of every chunk; one that reaches beyond the end is refused."""
    place = 12
    while place + 8 <= len(data):
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        if place + 8 + size > len(data):
            raise InputError(f"is truncated: its {name!r} chunk announces {size} bytes, and {len(data) - place - 8} follow")
        yield name, data[place + 8 : place + 8 + size]
        place += 8 + size + (size & 1)
