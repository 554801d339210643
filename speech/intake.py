"""The gate for sound from outside: bytes and what is claimed of them in, one clip and notes of every change out, or one line.

WAV and FLAC pass, whatever they are called. MP3, Ogg and the like do not: what is lost in them cannot be told from sound.
Nothing is guessed, filled in or cut short: a sound that is not whole is refused.
"""

from __future__ import annotations

import io
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import FileError, InputError
from speech import audiofile
from speech.clip import Clip
from speech.headers import Header, read_header, sniff

MAX_BYTES = 64 * 2**20
MAX_SECONDS = 1800.0
MAX_CHANNELS = 8
MAX_SAMPLES = 2**27
"""Decoded samples over all channels: 512 MB."""
RATES = (4000, 192000)
"""Lowest and highest sample rate that is one of speech."""
MAX_PEAK = 32768.0
"""Largest amplitude in a float file that may be meant: samples of 16 bits written as they are. From 1 on it is turned down."""
LENGTH_TOLERANCE = (0.1, 0.01)
"""Seconds, and share, by which a sound may differ from its claimed length, whichever is more."""
CANCELLED_DB = 12.0
"""Level that averaging may cost; above it the channels cancel each other."""
RAW_TYPES = ("audio/pcm", "audio/x-pcm")
"""Content types of 16-bit little-endian mono samples without a header; their rate must be claimed."""
CONTENT_TYPES = {"WAV": ("audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"), "FLAC": ("audio/flac", "audio/x-flac")}
_UNKNOWN_TYPES = ("", "application/octet-stream", "binary/octet-stream")


@dataclass(frozen=True)
class Claims:
    """What is said of a sound by whoever brings it; None where nothing is said."""

    name: str
    """Where it comes from, as messages name it; its suffix is compared with the form."""
    content_type: str | None = None
    """MIME type, parameters allowed."""
    sample_rate: int | None = None
    """Samples per second."""
    seconds: float | None = None
    """Length."""


@dataclass(frozen=True)
class Taken:
    """Sound that passed the gate."""

    samples: NDArray[np.float32]
    """Shape (n, channels), n and channels at least 1, finite, within -1 to 1."""
    sample_rate: int
    """Samples per second."""
    notes: tuple[str, ...] = ()
    """What differed from 16-bit mono under its own name, and what was done about it."""

    def clip(self, channels: Literal["mix", "refuse"] = "mix") -> tuple[Clip, tuple[str, ...]]:
        """One channel, and all notes; several are averaged, or refused.

        Raises:
            InputError: several channels that are refused, or that cancel each other.
        """
        count = self.samples.shape[1]
        if count == 1:
            return Clip(self.samples[:, 0], self.sample_rate), self.notes
        if channels == "refuse":
            raise InputError(f"the sound has {count} channels where one is wanted: give one channel")
        mixed = self.samples.mean(axis=1)
        loudest = float(np.square(self.samples).mean(axis=0).max())
        if float(np.square(mixed).mean()) < loudest / count**2 * 10 ** (-CANCELLED_DB / 10):
            raise InputError(f"the {count} channels of the sound cancel each other when averaged: give one channel")
        return Clip(mixed, self.sample_rate), (*self.notes, f"{count} channels were averaged into one")


def take_file(path: Path, *, sample_rate: int | None = None, seconds: float | None = None) -> Taken:
    """The sound of a file that somebody names.

    Raises:
        FileError: it is not there, no plain file, or cannot be read.
        InputError: it is no whole sound, or not the one claimed.
    """
    return take(_read_bounded(path), Claims(str(path), None, sample_rate, seconds))


def take(data: bytes, claims: Claims) -> Taken:
    """The sound of bytes.

    Raises:
        InputError: they are no whole sound, or not the one claimed; one line that says what was found and what to do.
    """
    try:
        return _take(data, claims)
    except InputError as error:
        raise InputError(f"the sound {claims.name!r} {error}") from None


def _take(data: bytes, claims: Claims) -> Taken:
    if not data:
        raise InputError("is empty: not one byte came")
    if len(data) > MAX_BYTES:
        raise InputError(f"is larger than {MAX_BYTES // 2**20} MB: cut it into calls")
    header, notes = _header(data, claims)
    _hold_to_bounds(header, claims)
    samples = _decoded(header)
    if not len(samples):
        raise InputError("is empty: it has a header and no samples")
    samples, note = _within_full_scale(samples)
    seconds = len(samples) / header.sample_rate
    if claims.seconds is not None and abs(seconds - claims.seconds) > max(
        LENGTH_TOLERANCE[0], LENGTH_TOLERANCE[1] * claims.seconds
    ):
        raise InputError(f"lasts {seconds:.2f} s and not the {claims.seconds:.2f} s claimed: it is another sound or a part of it")
    return Taken(samples, header.sample_rate, (*notes, *note))


def _header(data: bytes, claims: Claims) -> tuple[Header, tuple[str, ...]]:
    """The header, and notes on the form: what it is called and what it is."""
    found = sniff(data)
    claimed = (claims.content_type or "").partition(";")[0].strip().lower()
    if claimed in RAW_TYPES and not found:
        if claims.sample_rate is None:
            raise InputError("has no header, and no sample rate is claimed: claim one, or send WAV or FLAC")
        if len(data) % 2:
            raise InputError(f"is truncated: its {len(data)} bytes end in the middle of a 16-bit sample")
        return Header("PCM", "PCM_16", claims.sample_rate, 1, len(data) // 2, data), ()
    if found not in CONTENT_TYPES:
        raise InputError(f"is no sound that is read here, but {found or f'bytes like {data[:8]!r}'}: give WAV or FLAC")
    header = read_header(found, data)
    notes = []
    suffix = Path(claims.name).suffix.lower()
    if suffix and suffix != f".{found.lower()}":
        notes.append(f"named {suffix} and is {found}")
    if claimed not in (*CONTENT_TYPES[found], *_UNKNOWN_TYPES):
        notes.append(f"sent as {claimed} and is {found}")
    if header.codec != "PCM_16":
        notes.append(f"{header.codec} samples were brought to 32-bit float")
    if header.streamed:
        notes.append("its header leaves its length open: read to the end")
    if header.behind:
        notes.append(f"{header.behind} bytes follow its end: they were left out")
    return header, tuple(notes)


def _hold_to_bounds(header: Header, claims: Claims) -> None:
    """Refuse what is absurd or not as claimed before anything is decoded, so that no header can claim memory."""
    rate = header.sample_rate
    if not RATES[0] <= rate <= RATES[1]:
        raise InputError(f"has a sample rate of {rate} Hz, which is not one of speech ({RATES[0]} to {RATES[1]} Hz)")
    if claims.sample_rate not in (None, rate):
        raise InputError(f"has a sample rate of {rate} Hz and not the {claims.sample_rate} Hz claimed")
    if not 1 <= header.channels <= MAX_CHANNELS:
        raise InputError(f"has {header.channels} channels: 1 to {MAX_CHANNELS} are read")
    frames = header.frames or 0
    if frames > MAX_SECONDS * rate or frames * header.channels > MAX_SAMPLES:
        raise InputError(
            f"says that it lasts {frames / rate:.0f} s in {header.channels} channels, more than is read: cut it into calls"
        )


def _decoded(header: Header) -> NDArray[np.float32]:
    """The samples, shape (n, channels), never more than the bounds allow."""
    limit = min(int(MAX_SECONDS * header.sample_rate), MAX_SAMPLES // header.channels)
    if header.form == "FLAC":
        samples = audiofile.decode(io.BytesIO(header.data), limit=limit + 1)
        if header.frames is not None and len(samples) < header.frames:
            raise InputError(f"is truncated: its header announces {header.frames} samples, and there are {len(samples)}")
        if len(samples) > limit:
            raise InputError(f"lasts more than {limit / header.sample_rate:.0f} s: cut it into calls")
        return samples
    if not header.data:
        return np.zeros((0, header.channels), np.float32)
    raw = (header.codec, header.channels, header.sample_rate)
    return audiofile.decode(io.BytesIO(header.data), limit=limit, raw=raw)


def _within_full_scale(samples: NDArray[np.float32]) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    broken = int(np.count_nonzero(~np.isfinite(samples)))
    if broken:
        raise InputError(f"holds {broken} samples that are no number: it is broken")
    peak = float(np.abs(samples).max())
    if peak > MAX_PEAK:
        raise InputError(f"has a peak of {peak:g}, which is no amplitude of sound: write it between -1 and 1")
    if peak <= 1:
        return samples, ()
    turned = 20 * np.log10(peak)
    return samples / np.float32(peak), (f"its peak of {peak:g} lies beyond full scale: turned down by {turned:.1f} dB",)


def _read_bounded(path: Path) -> bytes:
    """The bytes of a plain file, and never more than one above the bound."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "a pipe, socket or device"
            raise FileError(f"the sound {str(path)!r} is {kind} and no plain file: give a WAV or FLAC file")
        # a plain file may have become a pipe since: opened so, it blocks nobody
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read the sound {str(path)!r}: {why}") from error
