"""Whisper through faster-whisper, set so that the same samples always give the same words.

Every clip is padded to the published 30 s window, so a turn costs about the same however short it is.
"""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import Any

from models.specs import ModelSpec
from models.weights import locate_spec
from speech import extras
from speech.clip import Clip
from speech.engines import Segment, Signature, Transcript, base_signature, engine_boundary

SAMPLE_RATE = 16000
COMPUTE_TYPE = "int8"
THREADS = 1
# One temperature switches off the retry ladder, which samples; no text carries over, so clips stay independent of each other.
DECODING: dict[str, Any] = {
    "beam_size": 1,
    "temperature": 0.0,
    "without_timestamps": True,
    "condition_on_previous_text": False,
    "vad_filter": False,
}


class WhisperRecognizer:
    """A Whisper model in CTranslate2 form."""

    def __init__(self, spec: ModelSpec, cache_root: Path) -> None:
        self.spec = spec
        self._cache_root = cache_root

    def signature(self) -> Signature:
        """Everything but the samples and the language that decides the transcript."""
        return base_signature(self.spec, {"compute_type": COMPUTE_TYPE, "threads": THREADS, "window_s": 30, **DECODING})

    def transcribe(self, clip: Clip, *, language: str) -> Transcript:
        """The words of `clip`; longer than 30 s it is heard window after window."""
        with engine_boundary(self.spec, "listening"):
            sound = clip.resampled(SAMPLE_RATE).samples
            pieces, _ = self._model.transcribe(sound, language=language.split("-")[0].lower(), **DECODING)
            segments = tuple(_segment(piece) for piece in pieces)
        text = " ".join(segment.text for segment in segments if segment.text)
        return Transcript(text=text, segments=segments, language=language)

    @cached_property
    def _model(self) -> Any:
        return _load(self.spec, locate_spec(self.spec, self._cache_root).resolve())


def _segment(piece: Any) -> Segment:
    """One segment with its figures rounded, so that they are the same from memory and from a file."""
    return Segment(
        start_s=round(float(piece.start), 3),
        end_s=round(float(piece.end), 3),
        text=" ".join(piece.text.split()),
        avg_logprob=round(float(piece.avg_logprob), 6),
        no_speech_prob=round(float(piece.no_speech_prob), 6),
        compression_ratio=round(float(piece.compression_ratio), 6),
    )


@cache
def _load(spec: ModelSpec, folder: Path) -> Any:
    """The loaded model, once per process. A folder is given, so no hub is ever asked."""
    whisper = extras.load("faster_whisper", package="faster-whisper", extra=spec.extra, purpose=f"the recogniser {spec.id!r}")
    return whisper.WhisperModel(
        str(folder), device="cpu", compute_type=COMPUTE_TYPE, cpu_threads=THREADS, num_workers=1, local_files_only=True
    )
