"""Sounds that nobody should trust: each with a name, the bytes or the thing on disk, and a word of the line that refuses it."""

from __future__ import annotations

import gzip
import io
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from speech.intake import MAX_BYTES, MAX_SECONDS
from tests.speech.sounds import bursts

PCM = bursts(1.0).to_pcm16()
RATE = 16000


@dataclass(frozen=True)
class Hostile:
    """One input that must be refused."""

    name: str
    """What is wrong with it."""
    file: str
    """The name it goes by."""
    says: str
    """A pattern of the line that refuses it."""
    content: bytes | None = None
    """Its bytes; None where it is a thing on disk."""
    make: Callable[[Path], object] | None = None
    """Makes the thing at a path."""

    def at(self, folder: Path) -> Path:
        """Put it into a folder."""
        path = folder / self.file
        if self.content is not None:
            path.write_bytes(self.content)
        elif self.make is not None:
            self.make(path)
        return path


def wav(  # every field of the header can lie
    samples: bytes,
    *,
    tag: int = 1,
    channels: int = 1,
    rate: int = RATE,
    bits: int = 16,
    byte_rate: int | None = None,
    block: int | None = None,
    data_size: int | None = None,
    riff_size: int | None = None,
    magic: bytes = b"RIFF",
    form: bytes = b"WAVE",
) -> bytes:
    """A WAV of raw samples whose header says what it is told to."""
    frame = channels * bits // 8 if block is None else block
    layout = struct.pack(
        "<HHIIHH", tag, channels, rate, (rate * frame if byte_rate is None else byte_rate) & 0xFFFFFFFF, frame, bits
    )
    size = len(samples) if data_size is None else data_size
    body = form + b"fmt " + struct.pack("<I", len(layout)) + layout + b"data" + struct.pack("<I", size) + samples
    return magic + struct.pack("<I", len(body) if riff_size is None else riff_size) + body


def encoded(form: str, subtype: str | None = None, samples: np.ndarray = PCM, rate: int = RATE) -> bytes:
    """16-bit samples as the bytes of a sound file of another form."""
    buffer = io.BytesIO()
    soundfile.write(buffer, samples / 32768, rate, format=form, subtype=subtype)
    return buffer.getvalue()


def _flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0x10]) + data[middle + 1 :]


def _flac_that_claims(frames: int) -> bytes:
    data = encoded("FLAC")
    packed = int.from_bytes(data[18:26], "big") >> 36 << 36 | frames
    return data[:18] + packed.to_bytes(8, "big") + data[26:]


def _floats(*values: float) -> bytes:
    samples = PCM.astype("<f4") / 32768
    samples[100 : 100 + len(values)] = values
    return wav(samples.tobytes(), tag=3, bits=32)


def _sparse(path: Path) -> None:
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)


def refused() -> list[Hostile]:
    """Every input that must be refused."""
    sound = PCM.tobytes()
    good, flac = wav(sound), encoded("FLAC")
    html = b"<!DOCTYPE html>\n<html><body><h1>502 Bad Gateway</h1></body></html>"
    both = np.stack([PCM, -PCM], axis=1).astype("<i2").tobytes()
    long_silence = encoded("FLAC", None, np.zeros(round(MAX_SECONDS * 4000) + 4000, np.int16), 4000)
    whole = [
        ("not one byte", "a.wav", "is empty: not one byte", b""),
        ("only the first word", "a.wav", "is no sound that is read here", b"RIFF"),
        ("a header cut in its first chunk", "a.wav", "no whole fmt chunk", good[:30]),
        ("a header cut before the samples", "a.wav", "no data chunk", good[:36]),
        ("half of the samples", "a.wav", "is truncated: its header announces", good[: len(good) // 2]),
        ("all samples but one", "a.wav", "is truncated: its header announces", good[:-2]),
        ("half a sample at the end", "a.wav", "in the middle of a frame", wav(sound[:-1])),
        ("a header without samples", "a.wav", "it has a header and no samples", wav(b"")),
        ("a FLAC without samples", "a.flac", "is truncated or broken", b"fLaC\x80" + _flac_that_claims(0)[5:42]),
        ("a writer that was killed", "a.wav", "did not finish", wav(sound, data_size=0, riff_size=36)),
        ("a rate of zero", "a.wav", "sample rate of 0 Hz", wav(sound, rate=0)),
        ("a rate of one", "a.wav", "sample rate of 1 Hz", wav(sound, rate=1)),
        ("a rate beyond all sound", "a.wav", "sample rate of 2000000000 Hz", wav(sound, rate=2_000_000_000)),
        ("a rate that was rewritten", "a.wav", "contradicts itself", wav(sound, rate=8000, byte_rate=32000)),
        ("frames of no bytes", "a.wav", "contradicts itself", wav(sound, block=0)),
        ("no channel", "a.wav", "has 0 channels", wav(sound, channels=0)),
        ("two hundred channels", "a.wav", "has 200 channels", wav(sound[: 400 * 80], channels=200)),
        ("four gigabytes announced", "a.wav", "announces 4294967280 bytes", wav(sound, data_size=0xFFFFFFF0)),
        ("a FLAC of days announced", "a.flac", "more than is read", _flac_that_claims(2**35)),
        ("a FLAC that announces more", "a.flac", "is truncated", _flac_that_claims(len(PCM) * 2)),
        ("a tenth of a FLAC", "a.flac", "is truncated or broken", flac[: len(flac) // 10]),
        ("most of a FLAC", "a.flac", "is truncated or broken", flac[:-40]),
        ("one bit of a FLAC turned", "a.flac", "is truncated or broken", _flipped(flac)),
        ("a FLAC's first word", "a.flac", "no whole STREAMINFO", b"fLaC"),
        ("an unknown codec", "a.wav", "in codec 0x0011", encoded("WAV", "IMA_ADPCM")),
        ("samples of twelve bits", "a.wav", "samples of 12 bits", wav(sound, bits=12, block=2, byte_rate=32000)),
        ("a sample that is no number", "a.wav", "2 samples that are no number", _floats(float("nan"), float("nan"))),
        ("an infinite sample", "a.wav", "1 samples that are no number", _floats(float("-inf"))),
        ("amplitudes of a star", "a.wav", "peak of 1e[+]30", _floats(1e30)),
        ("MP3 under a WAV's name", "a.wav", "but MP3", encoded("MP3")),
        ("MP3 with a title", "a.mp3", "but MP3", b"ID3\x04\x00\x00\x00\x00\x00\x00" + encoded("MP3")),
        ("Ogg under a FLAC's name", "a.flac", "but Ogg", encoded("OGG", "VORBIS")),
        ("MP4", "a.m4a", "but MP4", b"\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00" + bytes(100)),
        ("WebM", "a.webm", "but WebM", b"\x1aE\xdf\xa3" + bytes(100)),
        ("AIFF", "a.aiff", "but AIFF", encoded("AIFF")),
        ("AU", "a.au", "but AU", encoded("AU")),
        ("a WAV of the other byte order", "a.wav", "but big-endian WAV", wav(sound, magic=b"RIFX")),
        ("RF64", "a.wav", "but RF64", encoded("RF64")),
        ("a film in a RIFF", "a.wav", "RIFF without sound", wav(sound, form=b"AVI ")),
        ("a page of an error", "a.wav", "HTML '<!DOCTYPE html> <html>", html),
        ("JSON of an error", "a.wav", r"JSON '\{\"error\"", b'{"error": {"message": "model overloaded"}}'),
        ("XML of an error", "a.wav", "XML '<Error>", b"<Error><Code>AccessDenied</Code></Error>"),
        ("words", "a.wav", "text 'not found", "not found: ключ".encode()),
        ("words of half a letter", "a.wav", "text 'café caf", ("café " * 80).encode()[:-2][:399]),
        ("chance", "a.wav", "bytes like", np.random.default_rng(5).bytes(4000).replace(b"\xff", b"\x00")),
        ("nothing but zeros", "a.wav", "bytes like", bytes(100_000)),
        ("a packed WAV", "a.wav", "but gzip", gzip.compress(good, mtime=0)),
        ("channels that cancel each other", "a.wav", "cancel each other", wav(both, channels=2)),
        ("half an hour and a second", "a.flac", "more than is read", long_silence),
        ("a name of several lines", "a\nb\x1b[31m.wav", r"a\\nb\\x1b", b"no sound"),
    ]
    things: list[tuple[str, str, str, Callable[[Path], object]]] = [
        ("more than is read", "a.wav", "larger than 64 MB", _sparse),
        ("a folder", "a.wav", "is a folder", Path.mkdir),
        ("a pipe", "a.wav", "is a pipe", os.mkfifo),
        ("a device without end", "a.wav", "is a pipe, socket or device", lambda path: path.symlink_to("/dev/zero")),
        ("a link to itself", "a.wav", "Too many levels of symbolic links", lambda path: path.symlink_to(path)),
        ("a link to nothing", "a.wav", "No such file", lambda path: path.symlink_to(path.parent / "gone.wav")),
        ("a file that cannot be read", "a.wav", "cannot read", lambda path: path.symlink_to("/proc/self/mem")),
        ("a name without end", "a" * 300 + ".wav", "File name too long", lambda _: None),
        ("nothing at all", "gone.wav", "No such file", lambda _: None),
    ]
    return [Hostile(name, file, says, content) for name, file, says, content in whole] + [
        Hostile(name, file, says, None, make) for name, file, says, make in things
    ]
