"""What bytes from outside really are: sniffed and read field by field, since a header may lie and a decoder may believe it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import InputError

MAGIC = {
    b"fLaC": "FLAC",
    b"ID3": "MP3",
    b"OggS": "Ogg",
    b"RIFX": "big-endian WAV",
    b"RF64": "RF64",
    b"riff": "W64",
    b"FORM": "AIFF",
    b"caff": "CAF",
    b".snd": "AU",
    b"#!AMR": "AMR",
    b"\x1aE\xdf\xa3": "WebM or Matroska",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "gzip",
    b"%PDF": "PDF",
    b"\x89PNG": "PNG",
}
"""First bytes to the name of what they begin."""
WAV_CODECS = {
    (1, 8): "PCM_U8",
    (1, 16): "PCM_16",
    (1, 24): "PCM_24",
    (1, 32): "PCM_32",
    (3, 32): "FLOAT",
    (3, 64): "DOUBLE",
    (6, 8): "ALAW",
    (7, 8): "ULAW",
}
"""Format tag and bits per sample of a WAV to the name soundfile has for its samples."""
_EXTENSIBLE = 0xFFFE
_STREAMED = (0, 0xFFFFFFFF, 0x7FFFFFFF)
"""Sizes written by programs that do not know the length yet."""


@dataclass(frozen=True)
class Header:
    """What a sound file says of itself."""

    form: str
    """`WAV` or `FLAC`."""
    codec: str
    """Kind of samples, as soundfile names it."""
    sample_rate: int
    """Samples per second."""
    channels: int
    """Channels."""
    frames: int | None
    """Samples per channel; None where a FLAC does not say."""
    data: bytes
    """The samples of a WAV without any header; the whole of a FLAC."""
    streamed: bool = False
    """Whether the header of a WAV left its length open."""
    behind: int = 0
    """Bytes that follow a WAV's announced end."""


def sniff(data: bytes) -> str:
    """The name of what bytes hold, by their first ones: `WAV`, `FLAC`, another known form, a text, or empty for unknown."""
    if data[:4] == b"RIFF":
        return "WAV" if data[8:12] == b"WAVE" else "RIFF without sound"
    if data[4:8] == b"ftyp":
        return "MP4"
    for magic, name in MAGIC.items():
        if data.startswith(magic):
            return name
    # bare samples just below zero begin with the same bits, but not with a bit rate that there is
    if len(data) > 2 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0 and data[1] & 0x06 and data[2] >> 4 not in (0, 15):
        return "MP3"
    return _text(data)


def read_header(form: str, data: bytes) -> Header:
    """The header of a `WAV` or `FLAC`, with the bytes it stands for.

    Raises:
        InputError: it is broken, contradicts itself, or announces more than there is; the message follows `the sound ...`.
    """
    return _wav(data) if form == "WAV" else _flac(data)


def _text(data: bytes) -> str:
    """`HTML`, `JSON`, `XML` or `text` with its beginning, where bytes are words."""
    head = data[:400].lstrip(b"\xef\xbb\xbf \t\r\n")
    try:
        words = head.decode()
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:  # more than a letter cut at the end
            return ""
        words = head[: error.start].decode()
    if not words or not all(character.isprintable() or character in "\r\n\t" for character in words):
        return ""
    lower = words.lower()
    kind = "HTML" if "<html" in lower or lower.startswith("<!doctype") else {"{": "JSON", "[": "JSON", "<": "XML"}.get(words[0])
    return f"{kind or 'text'} {' '.join(words.split())[:60]!r}"


def _wav(data: bytes) -> Header:
    chunks = dict(_chunks(data))
    if b"fmt " not in chunks or len(chunks[b"fmt "][1]) < 16:
        raise InputError("has no whole fmt chunk: it is truncated or broken")
    layout = chunks[b"fmt "][1]
    tag, channels, rate, byte_rate, block, bits = struct.unpack("<HHIIHH", layout[:16])
    if tag == _EXTENSIBLE and len(layout) >= 26:
        tag = struct.unpack("<H", layout[24:26])[0]
    if (tag, bits) not in WAV_CODECS:
        raise InputError(f"has samples of {bits} bits in codec {tag:#06x}, which are not read here: convert it to 16-bit PCM")
    if block != channels * bits // 8 or byte_rate != rate * block:
        raise InputError(
            f"contradicts itself: {channels} channels of {bits} bits at {rate} Hz are not {block} bytes a frame"
            f" and {byte_rate} a second"
        )
    if b"data" not in chunks:
        raise InputError("has no data chunk: it is truncated or broken")
    announced, samples = chunks[b"data"]
    streamed = announced in _STREAMED and len(samples) > 0
    if not announced and not samples and len(data) > int.from_bytes(data[4:8], "little") + 8:
        raise InputError("announces no samples, though more bytes follow: whoever wrote it did not finish")
    if not streamed and announced > len(samples):
        raise InputError(f"is truncated: its header announces {announced} bytes of samples, and there are {len(samples)}")
    if block and len(samples) % block:
        raise InputError(f"is truncated: its {len(samples)} bytes of samples end in the middle of a frame of {block}")
    frames = len(samples) // block if block else 0
    size = int.from_bytes(data[4:8], "little")
    behind = 0 if streamed or size in _STREAMED else max(len(data) - size - 8 - (size & 1), 0)
    return Header("WAV", WAV_CODECS[tag, bits], rate, channels, frames, samples, streamed, behind)


def _chunks(data: bytes) -> Iterator[tuple[bytes, tuple[int, bytes]]]:
    """Every chunk of a RIFF with its announced size and the bytes there; one of open length reaches to the end."""
    place = 12
    while place + 8 <= len(data):
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        # a data chunk of length 0 is open only where the file itself is
        open_end = name == b"data" and size in _STREAMED and (size != 0 or data[4:8] in (bytes(4), b"\xff" * 4))
        end = len(data) if open_end else place + 8 + size
        yield name, (size, data[place + 8 : end])
        place = end + (size & 1 if not open_end else 0)


def _flac(data: bytes) -> Header:
    if len(data) < 42 or data[4] & 0x7F:
        raise InputError("has no whole STREAMINFO: it is truncated or broken")
    packed = int.from_bytes(data[18:26], "big")
    rate, channels, bits, frames = packed >> 44, (packed >> 41 & 7) + 1, (packed >> 36 & 31) + 1, packed & (1 << 36) - 1
    return Header("FLAC", "PCM_S8" if bits == 8 else f"PCM_{bits}", rate, channels, frames or None, data)
