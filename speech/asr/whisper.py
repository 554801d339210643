"""Whisper through faster-whisper, set so that the same samples always give the same words.

Every clip is padded to the published 30 s window, so a turn costs about the same however short it is; `window=gated` tries a
short one first.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from models.specs import ModelSpec
from models.weights import locate_spec
from speech import extras
from speech.asr import short_window
from speech.asr.options import whisper_options
from speech.clip import Clip
from speech.engines import NO_OPTIONS, Options, Segment, Signature, Transcript, base_signature, engine_boundary
from speech.memory import keep_freed_memory

SAMPLE_RATE = 16000
THREADS = 1
# One temperature switches off the retry ladder, which samples; no text carries over, so clips stay independent of each other.
# The engine's own rule that nobody spoke is off: the guard applies it, and writes down that it did.
DECODING: dict[str, Any] = {
    "temperature": 0.0,
    "without_timestamps": True,
    "condition_on_previous_text": False,
    "vad_filter": False,
    "no_speech_threshold": None,
}


class WhisperRecognizer:
    """A Whisper model in CTranslate2 form."""

    def __init__(self, spec: ModelSpec, cache_root: Path, options: Options = NO_OPTIONS) -> None:
        self.spec = spec
        self.options = whisper_options(spec.id, options)
        self._cache_root = cache_root

    def signature(self) -> Signature:
        """Everything but the samples and the language that decides the transcript."""
        gate = short_window.settings() if self.options.window == "gated" else {}
        options = {name: value for name, value in asdict(self.options).items() if name != "timestamps"}  # told by the decoding
        return base_signature(
            self.spec, {"threads": THREADS, "blas_threads": 1, "window_s": 30, **self._decoding(), **options, **gate}
        )

    def _decoding(self) -> dict[str, Any]:
        return {**DECODING, "without_timestamps": self.options.timestamps == "off"}

    def transcribe(self, clip: Clip, *, language: str) -> Transcript:
        """The words of `clip`; longer than 30 s it is heard window after window."""
        primary = language.split("-")[0].lower()
        with engine_boundary(self.spec, "listening"):
            sound = clip.resampled(SAMPLE_RATE).samples
            if self.options.window == "gated" and len(sound) <= short_window.LONGEST_S * SAMPLE_RATE:
                segment = short_window.hear(self.model, sound, primary, self.options)
                if short_window.trusted(segment):
                    return Transcript(segment.text, (segment,), language)
            detect = self.options.language == "detect"
            pieces, info = self.model.transcribe(
                sound,
                language=None if detect else primary,
                beam_size=self.options.beam,
                initial_prompt=self.options.prompt or None,
                hotwords=self.options.hotwords or None,
                **self._decoding(),
            )
            segments = tuple(_segment(piece) for piece in pieces)
        text = " ".join(segment.text for segment in segments if segment.text)
        return Transcript(text, segments, language, detected=info.language if detect else None)

    @cached_property
    def model(self) -> Any:
        """The loaded faster-whisper model."""
        return _load(self.spec, locate_spec(self.spec, self._cache_root).resolve(), self.options.compute)


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
def _load(spec: ModelSpec, folder: Path, compute: str) -> Any:
    """The loaded model, once per process. A folder is given, so no hub is ever asked."""
    whisper = extras.load("faster_whisper", package="faster-whisper", extra=spec.extra, purpose=f"the recogniser {spec.id!r}")
    keep_freed_memory()
    return whisper.WhisperModel(
        str(folder), device="cpu", compute_type=compute, cpu_threads=THREADS, num_workers=1, local_files_only=True
    )
