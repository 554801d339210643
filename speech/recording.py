"""The recording of a call: two channels on one virtual clock counted in samples, captions, and one clip per message."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import ClipError, FileError
from core.schemas.call_trace import AudioSpan, Channel, Message, Recording, Segment
from speech import audiofile
from speech.clip import FULL_SCALE, Clip
from speech.qc import failures
from speech.recording_qc import structure

SAMPLE_RATE = 16000
TURN_GAP_S = 0.4
"""Seconds of silence before each speaker."""

_SPEAKER = {Channel.CALLER: "Caller", Channel.AGENT: "Agent"}


class Timeline:
    """What has been said so far: turns one after the other, caller left, agent right."""

    def __init__(self) -> None:
        self._turns: list[tuple[Channel, int, NDArray[np.int16]]] = []
        self._end = 0

    def add(self, channel: Channel, clip: Clip) -> AudioSpan:
        """Put a 16 kHz clip after everything said so far, and tell where it sounds.

        Raises:
            ValueError: the clip has another rate.
        """
        if clip.sample_rate != SAMPLE_RATE:
            raise ValueError(f"the recording runs at {SAMPLE_RATE} Hz, not {clip.sample_rate}: resample the clip")
        start = self._end + round(TURN_GAP_S * SAMPLE_RATE)
        self._turns.append((channel, start, clip.to_pcm16()))
        self._end = start + len(clip)
        return AudioSpan(channel=channel, start_sample=start, end_sample=self._end)

    def pcm(self) -> NDArray[np.int16]:
        """The whole call, shape (samples, 2), with a gap of silence at its end."""
        out = np.zeros((self._end + round(TURN_GAP_S * SAMPLE_RATE), 2), np.int16)
        for channel, start, samples in self._turns:
            out[start : start + len(samples), _column(channel)] = samples
        return out


def describe(timeline: Timeline, messages: Sequence[Message]) -> Recording:
    """The record of the recording that stands in the trace: segments in order of time, hashes of all samples and clips.

    Raises:
        ClipError: the sound is not the call that would stand in the trace; the fault is ours, and the call is not kept.
    """
    pcm = timeline.pcm()
    sounding = _sounding(messages)
    described = Recording(
        sample_rate=SAMPLE_RATE,
        samples=len(pcm),
        pcm_sha256=_hash(pcm),
        segments=tuple(
            Segment(message=index, channel=span.channel, start_sample=span.start_sample, end_sample=span.end_sample)
            for index, span, _ in sounding
        ),
        clips={clip_name(index): _cut(pcm, span).sha256 for index, span, _ in sounding},
    )
    faults = failures(structure(pcm.astype(np.float32) / np.float32(FULL_SCALE), SAMPLE_RATE, described, messages))
    if faults:
        raise ClipError(f"the recording of the call failed quality control: {faults}")
    return described


def save(timeline: Timeline, folder: Path, messages: Sequence[Message]) -> None:
    """Write `call.flac`, `call.vtt` and `clips/<message>.flac` into an existing folder. Equal calls give equal bytes.

    Raises:
        FileError: a file cannot be written.
    """
    pcm = timeline.pcm()
    try:
        (folder / "call.flac").write_bytes(audiofile.encode(pcm, SAMPLE_RATE, "FLAC"))
        (folder / "call.vtt").write_text(captions(messages), encoding="utf-8")
        (folder / "clips").mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot write the recording into {str(folder)!r}: {error.strerror or error}") from error
    for index, span, _ in _sounding(messages):
        audiofile.write(folder / "clips" / f"{clip_name(index)}.flac", _cut(pcm, span))


def pcm_hash(path: Path) -> str:
    """`pcm_sha256` of a recording on disk, to hold against the one its trace describes.

    Raises:
        FileError: missing, truncated or not sound.
    """
    samples, _ = audiofile.read_channels(path)
    return _hash(np.rint(samples * FULL_SCALE).astype(np.int16))


def captions(messages: Sequence[Message]) -> str:
    """WebVTT: one cue per message that sounds, named by its index, with the words the candidate heard or said."""
    cues = ["WEBVTT"]
    for index, span, text in _sounding(messages):
        words = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        times = f"{_clock(span.start_sample)} --> {_clock(span.end_sample)}"
        cues.append(f"{index}\n{times}\n<v {_SPEAKER[span.channel]}>{words or '...'}")
    return "\n\n".join(cues) + "\n"


def clip_name(message: int) -> str:
    """File name, without suffix, of a message's clip."""
    return f"{message:03d}"


def _hash(pcm: NDArray[np.int16]) -> str:
    return hashlib.sha256(pcm.astype("<i2").tobytes()).hexdigest()


def _sounding(messages: Sequence[Message]) -> list[tuple[int, AudioSpan, str]]:
    spans = [(message.index, message.audio, message.content) for message in messages if message.audio is not None]
    return sorted(spans, key=lambda entry: (entry[1].start_sample, entry[0]))


def _cut(pcm: NDArray[np.int16], span: AudioSpan) -> Clip:
    return Clip.from_pcm16(pcm[span.start_sample : span.end_sample, _column(span.channel)], SAMPLE_RATE)


def _column(channel: Channel) -> int:
    return 0 if channel is Channel.CALLER else 1


def _clock(sample: int) -> str:
    """A sample position as `hh:mm:ss.mmm`."""
    milliseconds = round(sample * 1000 / SAMPLE_RATE)
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{rest:03d}"
