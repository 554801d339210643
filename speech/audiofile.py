"""Sound files: WAV and FLAC in and out through soundfile, whose errors become FileError here and nowhere else."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import FileError, InputError
from speech import extras
from speech.clip import Clip

FORMATS = {".wav": "WAV", ".flac": "FLAC"}
BLOCK = 2**18
"""Samples per channel that are decoded at a time."""


def read(path: Path) -> Clip:
    """The sound of a file as a clip; several channels are averaged.

    Raises:
        FileError: missing, unreadable, truncated or not sound.
    """
    samples, rate = read_channels(path)
    return Clip.of(samples[:, 0] if samples.shape[1] == 1 else samples.mean(axis=1), rate)


def read_channels(path: Path) -> tuple[NDArray[np.float32], int]:
    """The samples of a file, shape (n, channels), float32 in [-1, 1], and its sample rate.

    Raises:
        FileError: missing, unreadable, truncated or not sound.
    """
    with _translated("read", path):
        data = path.read_bytes()
        if _is_cut_short(data):
            raise FileError(f"the sound file {str(path)!r} is truncated: its header announces more than its {len(data)} bytes")
        samples, rate = _soundfile().read(io.BytesIO(data), dtype="float32", always_2d=True)
    return samples, int(rate)


def decode(stream: io.BytesIO, *, limit: int, raw: tuple[str, int, int] | None = None) -> NDArray[np.float32]:
    """At most `limit` samples of a stream, shape (n, channels); `raw` is codec, channels and rate where it has no header.

    Memory grows with what is there, never with what a header announces.

    Raises:
        InputError: it cannot be decoded.
    """
    form = (
        {} if raw is None else dict(zip(("subtype", "channels", "samplerate"), raw, strict=True), format="RAW", endian="LITTLE")
    )
    blocks = []
    try:
        with _soundfile().SoundFile(stream, **form) as sound:
            while limit > 0 and len(block := sound.read(min(limit, BLOCK), dtype="float32", always_2d=True)):
                blocks.append(block)
                limit -= len(block)
            return np.concatenate(blocks) if blocks else np.zeros((0, sound.channels), np.float32)
    except _soundfile().LibsndfileError as error:
        raise InputError(f"is truncated or broken: {error.error_string}") from error


def write(path: Path, clip: Clip) -> None:
    """Write a clip as 16-bit WAV or FLAC, by the file's suffix. Equal clips give equal bytes.

    Raises:
        FileError: unknown suffix, or the file cannot be written.
    """
    with _translated("write", path):
        path.write_bytes(encode(clip.to_pcm16()[:, None], clip.sample_rate, file_format(path)))


def encode(pcm: NDArray[np.int16], sample_rate: int, form: str) -> bytes:
    """16-bit samples, shape (n, channels), as the bytes of a `WAV` or `FLAC` file."""
    buffer = io.BytesIO()
    _soundfile().write(buffer, pcm, sample_rate, format=form, subtype="PCM_16")
    return buffer.getvalue()


def file_format(path: Path) -> str:
    """`WAV` or `FLAC` by the suffix.

    Raises:
        FileError: another suffix.
    """
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        raise FileError(f"cannot tell the sound format of {str(path)!r}: end its name in {' or '.join(FORMATS)}") from None


def _is_cut_short(data: bytes) -> bool:
    """Whether a WAV holds less than its header says, which libsndfile would read without a word."""
    # streamed WAVs, whose length was not known at first, say 0 or all ones
    declared = int.from_bytes(data[4:8], "little")
    return data[:4] == b"RIFF" and declared not in (0, 0xFFFFFFFF) and declared + 8 > len(data)


@contextmanager
def _translated(verb: str, path: Path) -> Iterator[None]:
    """Turn what soundfile and the system raise into one clear line."""
    try:
        yield
    except OSError as error:
        raise FileError(f"cannot {verb} the sound file {str(path)!r}: {error.strerror or error}") from error
    except _soundfile().LibsndfileError as error:
        raise FileError(f"cannot {verb} the sound file {str(path)!r}: {error.error_string} Give a WAV or FLAC file") from error


def _soundfile() -> Any:
    return extras.load("soundfile", package="soundfile", extra="speech", purpose="reading and writing sound files")
