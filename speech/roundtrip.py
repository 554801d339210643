"""The agent's replies spoken on a clean line and heard again: the very clips of the call where it was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import FileError
from core.runs.roundtrip import Echo, replies
from core.schemas.call_trace import AudioSpan, Channel, Message, Trace
from speech import audiofile
from speech.clip import FULL_SCALE, Clip, concat
from speech.hearing import Listener
from speech.line import EDGE_S, Booth
from speech.recording import SAMPLE_RATE
from speech.recording_qc import SIDES
from speech.spoken_form import spoken_form

NOTHING_TO_SAY = "nothing in it can be said in the language of the call"


def echoes_of_recording(trace: Trace, folder: Path, listener: Listener) -> Iterator[Echo]:
    """What is heard of each reply of a recorded call, from the agent's side of its recording.

    Raises:
        FileError: the recording beside the trace is missing, broken or shorter than the trace says.
        EngineError, WeightsError, MissingExtraError, OperatorError: an engine or the cache cannot be used.
    """
    if trace.recording is None:
        raise ValueError("the call was not recorded")
    path = folder / trace.recording.file
    samples, _rate = audiofile.read_channels(path)
    if len(samples) != trace.recording.samples:
        raise FileError(f"the recording {str(path)!r} is not the one its trace describes: see `ringback qc`")
    pcm = np.rint(samples * FULL_SCALE).astype(np.int16)
    for message in replies(trace):
        yield _echo(message, message.audio, message.voice, message.retakes, pcm, trace.header.language, listener)


def echoes_of_words(trace: Trace, booth: Booth, listener: Listener) -> Iterator[Echo]:
    """The same of a call without sound, whose replies are spoken now, as they would have been in a recorded one.

    Raises:
        ClipError: a cached clip was changed.
        EngineError, WeightsError, MissingExtraError, OperatorError: an engine or the cache cannot be used.
    """
    said = [(message, booth.reply(message.content)) for message in replies(trace)]
    pcm = booth.timeline.pcm()
    for message, sounded in said:
        span, voice, retakes = (None, None, ()) if sounded is None else (sounded.span, sounded.voice, sounded.retakes)
        yield _echo(message, span, voice, retakes, pcm, trace.header.language, listener)


def _echo(
    message: Message,
    span: AudioSpan | None,
    voice: str | None,
    retakes: tuple[str, ...],
    pcm: NDArray[np.int16],
    language: str,
    listener: Listener,
) -> Echo:
    words = message.spoken or spoken_form(message.content, language)
    if span is None:
        return Echo(message.index, words, None, "", silent=retakes[-1] if retakes else NOTHING_TO_SAY)
    edge = Clip.silence(EDGE_S, SAMPLE_RATE)
    said = Clip.from_pcm16(pcm[span.start_sample : span.end_sample, SIDES.index(Channel.AGENT)], SAMPLE_RATE)
    heard = listener.understand(concat(edge, said, edge), language).transcript
    return Echo(message.index, words, voice, heard.text, heard.confidence)
