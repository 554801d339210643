"""Where a caller's turn is cut: silences found by Silero's voice-activity detector, and the rule that makes fragments of them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from models.specs import ModelSpec
from models.weights import locate_spec
from speech import extras
from speech.clip import Clip
from speech.engines import Signature, base_signature, engine_boundary

SAMPLE_RATE = 16000
CUT_S = 0.7
"""Seconds of silence from which a turn is cut."""
MAX_FRAGMENTS = 3
THRESHOLD = 0.5
"""Probability of speech from which a 32 ms window counts as speech."""

Span = tuple[int, int]
"""First sample and one past the last."""


class SileroDetector:
    """Finds speech in a clip; the model ships inside faster-whisper."""

    def __init__(self, spec: ModelSpec, cache_root: Path) -> None:
        self.spec = spec
        self._cache_root = cache_root
        self._verified = False

    def signature(self) -> Signature:
        """Everything but the samples that decides the spans."""
        return base_signature(self.spec, {"threshold": THRESHOLD, "min_silence_s": CUT_S, "threads": 1})

    def speech(self, clip: Clip) -> tuple[Span, ...]:
        """Spans of speech in samples of a 16 kHz `clip`, apart by silences of 0.7 s or more.

        Raises:
            EngineError: the detector failed.
            WeightsError, MissingExtraError: it is not installed whole.
        """
        with engine_boundary(self.spec, "looking for speech"):
            if clip.sample_rate != SAMPLE_RATE:
                raise ValueError(f"the detector takes {SAMPLE_RATE} Hz, not {clip.sample_rate}")
            vad = extras.load("faster_whisper.vad", package="faster-whisper", extra=self.spec.extra, purpose="cutting turns")
            self._verify()
            options = vad.VadOptions(
                threshold=THRESHOLD, min_silence_duration_ms=round(CUT_S * 1000), min_speech_duration_ms=0, speech_pad_ms=0
            )
            found = vad.get_speech_timestamps(clip.samples, options, sampling_rate=SAMPLE_RATE)
            return tuple((int(span["start"]), min(int(span["end"]), len(clip))) for span in found)

    def _verify(self) -> None:
        """Check the model's bytes before its first use."""
        if not self._verified:
            locate_spec(self.spec, self._cache_root)
            self._verified = True


def fragments(speech: tuple[Span, ...], length: int) -> tuple[Span, ...]:
    """One to three spans that tile `length` samples, cut in the middle of the longest silences between `speech` spans.

    Cutting in the middle loses no sound, and above three fragments the shortest silences are the ones merged (of equal
    ones, the later).
    """
    gaps = [(start - end, (end + start) // 2) for (_, end), (start, _) in pairwise(speech)]
    longest = sorted(gaps, key=lambda gap: (-gap[0], gap[1]))[: MAX_FRAGMENTS - 1]
    edges = [0, *sorted(middle for _, middle in longest), length]
    return tuple(pairwise(edges))
