"""What a detector is given of a call, and nothing else: its frozen sound, the transcript that all share, or its words."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from core.errors import FileError, UsageError
from core.files import read_bytes
from core.schemas.base import sha256
from core.schemas.months import CallTranscript
from core.schemas.snapshots import CallAudio, ManifestRow
from core.snapshots.detector import CallSound, CallWords, Given

_WIDTH = 2
_FULL_SCALE = 32768.0


@dataclass(frozen=True)
class Input:
    """One call as it is asked about, and the hashes that its response records."""

    given: Given
    """All that the detector sees."""
    audio_sha256: str | None
    """The recording behind it."""
    transcript_id: str | None
    """The transcript that it is."""


class Inputs(Protocol):
    """Gives calls in one mode."""

    def of(self, row: ManifestRow) -> Input:
        """A call as a detector is given it; threads may ask at once.

        Raises:
            FileError: the recording is missing, or is not the frozen one.
        """


class WrittenInputs:
    """Calls in the words they were written in."""

    def of(self, row: ManifestRow) -> Input:
        """The words, a line per turn marked by who speaks."""
        return Input(CallWords(row.call.text), None, None)


class HeardInputs:
    """Calls in the words a recogniser heard."""

    def __init__(self, transcripts: Mapping[str, CallTranscript], rows: Iterable[ManifestRow]) -> None:
        """Raises FileError where a call has no transcript, or one of another recording."""
        for row in rows:
            name, audio = row.call.sample_id, recording_of(row)
            heard = transcripts.get(name)
            if heard is None:
                raise FileError(f"no transcript of {name!r}, one of {len(transcripts)} transcripts: hear every call again")
            if heard.audio_sha256 != audio.sha256:
                raise FileError(f"the transcript of {name!r} is of another recording ({heard.audio_sha256[:12]}): hear it again")
        self._transcripts = transcripts

    def of(self, row: ManifestRow) -> Input:
        """The transcript, which may be empty where nothing was understood."""
        heard = self._transcripts[row.call.sample_id]
        return Input(CallWords(heard.text), heard.audio_sha256, heard.transcript_id)


class SoundInputs:
    """Calls as recordings."""

    def __init__(self, folder: Path, rows: Iterable[ManifestRow]) -> None:
        """`folder` is that of the month; raises FileError where a recording is missing, UsageError where the month has none."""
        for row in rows:
            _present(folder, recording_of(row))
        self._folder = folder

    def of(self, row: ManifestRow) -> Input:
        """The frozen bytes and their samples; raises FileError where they are not the frozen ones."""
        audio = recording_of(row)
        return Input(sound_of(frozen_bytes(self._folder, audio), self._folder / audio.path), audio.sha256, None)


def recording_of(row: ManifestRow) -> CallAudio:
    """The recording of a call; raises UsageError in a month of text alone."""
    if row.audio is None:
        raise UsageError(f"the call {row.call.sample_id!r} has no recording, its month is text alone: ask with --mode ref")
    return row.audio


def frozen_bytes(folder: Path, audio: CallAudio) -> bytes:
    """The bytes of a recording of a month; raises FileError where they are missing or not those that were frozen."""
    path = _present(folder, audio)
    data = read_bytes(path, "recording")
    found = sha256(data)
    if found != audio.sha256:
        raise FileError(f"{path}: not the frozen recording: its hash is {found[:12]}, {audio.sha256[:12]} was frozen")
    return data


def _present(folder: Path, audio: CallAudio) -> Path:
    path = folder / audio.path
    if not path.is_file():
        raise FileError(f"{path}: no recording here: make the month's sound again with `ringback snapshot rebuild`")
    return path


def sound_of(wav: bytes, where: Path) -> CallSound:
    """A mono WAV file of 16-bit numbers as a detector is given it; raises FileError where it is another kind of file."""
    try:
        with wave.open(io.BytesIO(wav)) as file:
            shape = (file.getnchannels(), file.getsampwidth())
            rate, frames = file.getframerate(), file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        raise FileError(f"{where}: not a WAV file: {error}") from None
    if shape != (1, _WIDTH):
        raise FileError(f"{where}: {shape[0]} channels of {8 * shape[1]} bits, where recordings are mono with 16 bits")
    return CallSound(np.frombuffer(frames, dtype="<i2").astype(np.float32) / np.float32(_FULL_SCALE), rate, wav)
