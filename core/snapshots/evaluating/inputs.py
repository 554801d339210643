"""What a detector is given of a call, and nothing else: its sound, the transcript that all share, or its words."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from core.errors import FileError, UsageError
from core.files import read_bytes
from core.schemas.base import content_hash, sha256
from core.schemas.months import CallTranscript, Rebuilt, Remade
from core.schemas.snapshots import CallAudio, ManifestRow
from core.snapshots.detector import CallSound, CallWords, Given
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import read_file
from core.snapshots.freezing.remade import length_fault, transcript_fault

_WIDTH = 2
_FULL_SCALE = 32768.0
_AGAIN = "make the month's sound again with `ringback snapshot rebuild`"


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
            FileError: the recording is missing, or is neither the frozen one nor the one that was made again.
        """


class WrittenInputs:
    """Calls in the words they were written in."""

    def of(self, row: ManifestRow) -> Input:
        """The words, a line per turn marked by who speaks."""
        return Input(CallWords(row.call.text), None, None)


class Recordings:
    """The recordings of a month that are here: the frozen ones, or those that `REBUILT.json` notes in their place.

    Where the month's sound was made again on other hardware or packages, a recording is known by the hash that was noted then.
    """

    def __init__(self, folder: Path, rows: Sequence[ManifestRow]) -> None:
        """`folder` is that of the month.

        Raises:
            FileError: a recording is missing, or was made again and is not near the frozen one.
            UsageError: the month has no recordings.
        """
        self._folder = folder
        self._hashes = {row.call.sample_id: recording_of(row).sha256 for row in rows}
        frozen = dict(self._hashes)
        if (folder / layout.REBUILT).exists():
            for call in read_file(folder / layout.REBUILT, Rebuilt).calls:
                if not call.same_bytes and call.sample_id in frozen:
                    self._hashes[call.sample_id] = self._noted(call)
        for row in rows:
            _present(folder, recording_of(row))
        self.sha256 = None if self._hashes == frozen else content_hash(self._hashes)
        """Hash of the hashes of all, by call; None where they are the frozen ones."""

    def sha256_of(self, row: ManifestRow) -> str:
        """Hash of a call's recording."""
        return self._hashes[row.call.sample_id]

    def read(self, row: ManifestRow) -> bytes:
        """The bytes of a call's recording; raises FileError where they are not those that are expected here."""
        audio, expected = recording_of(row), self.sha256_of(row)
        if expected == audio.sha256:
            return frozen_bytes(self._folder, audio)
        path = _present(self._folder, audio)
        data = read_bytes(path, "recording")
        if (found := sha256(data)) != expected:
            said = f"its hash is {found[:12]}, {layout.REBUILT} notes {expected[:12]}"
            raise FileError(f"{path}: not the recording that was made again: {said}: {_AGAIN}")
        if (fault := length_fault(data, audio)) is not None:
            raise FileError(f"{path}: {fault}: {_AGAIN}")
        return data

    def _noted(self, call: Remade) -> str:
        where = self._folder / layout.REBUILT
        if call.sha256 is None:
            raise FileError(f"{where}: notes no hash of what was made of {call.sample_id!r}: {_AGAIN}")
        if (fault := transcript_fault(call)) is not None:
            raise FileError(f"{where}: the recording of {call.sample_id!r} {fault}: {_AGAIN}")
        return call.sha256


class HeardInputs:
    """Calls in the words a recogniser heard."""

    def __init__(
        self, transcripts: Mapping[str, CallTranscript], rows: Iterable[ManifestRow], recordings: Recordings | None = None
    ) -> None:
        """`recordings` are those that were heard; None for the frozen ones, which need not be here.

        Raises:
            FileError: a call has no transcript, or one of another recording.
        """
        for row in rows:
            name, audio = row.call.sample_id, recording_of(row)
            heard = transcripts.get(name)
            if heard is None:
                raise FileError(f"no transcript of {name!r}, one of {len(transcripts)} transcripts: hear every call again")
            if heard.audio_sha256 != (audio.sha256 if recordings is None else recordings.sha256_of(row)):
                raise FileError(f"the transcript of {name!r} is of another recording ({heard.audio_sha256[:12]}): hear it again")
        self._transcripts = transcripts

    def of(self, row: ManifestRow) -> Input:
        """The transcript, which may be empty where nothing was understood."""
        heard = self._transcripts[row.call.sample_id]
        return Input(CallWords(heard.text), heard.audio_sha256, heard.transcript_id)


class SoundInputs:
    """Calls as recordings."""

    def __init__(self, folder: Path, rows: Sequence[ManifestRow]) -> None:
        """`folder` is that of the month; raises as `Recordings` does."""
        self.recordings = Recordings(folder, rows)
        self._folder = folder

    def of(self, row: ManifestRow) -> Input:
        """The bytes of the recording and their samples; raises FileError where they are not those that are expected here."""
        sound = sound_of(self.recordings.read(row), self._folder / recording_of(row).path)
        return Input(sound, self.recordings.sha256_of(row), None)


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
        raise FileError(f"{path}: no recording here: {_AGAIN}")
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
