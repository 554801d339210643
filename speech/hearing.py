"""From sound to words: where a turn is cut and what each piece says, both remembered by the samples they were made from."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue, TypeAdapter, ValidationError

from speech.asr import guard
from speech.asr.guard import Guarded
from speech.cache import JsonCache, cache_key
from speech.clip import Clip
from speech.engines import Recognizer, Transcript
from speech.naming import Chosen
from speech.vad import SileroDetector, Span, fragments

T = TypeVar("T")
_TRANSCRIPT = TypeAdapter(Transcript)
_SPANS = TypeAdapter(tuple[Span, ...])


class Listener:
    """Hears with one recogniser and one detector. Loads them only for sound it has not heard before."""

    def __init__(self, recognizer: Recognizer, detector: SileroDetector, cache_root: Path, chosen: Chosen) -> None:
        self.recognizer = recognizer
        self.name = chosen.named.text
        self._chosen = chosen
        self.detector = detector
        self._cache = JsonCache(cache_root / "transcripts")

    def settings(self) -> dict[str, JsonValue]:
        """Everything that decides what is heard in a sound: recogniser and detector with versions and hashes, and the guard."""
        return {
            **self._chosen.settings(),
            "recognizer": dict(self.recognizer.signature()),
            "detector": dict(self.detector.signature()),
            "guard": {"version": guard.VERSION},
        }

    def cut(self, clip: Clip) -> tuple[Span, ...]:
        """One to three spans that tile a 16-bit, 16 kHz `clip`, cut at its silences of 0.7 s or more.

        Raises:
            EngineError, WeightsError, MissingExtraError, OperatorError: the detector or the cache cannot be used.
        """
        return fragments(self.speech(clip), len(clip))

    def speech(self, clip: Clip) -> tuple[Span, ...]:
        """Spans of speech in a 16-bit, 16 kHz `clip`; raises like `cut`."""
        key = cache_key("speech-spans-1", signature=dict(self.detector.signature()), clip=clip.sha256)
        spans = _parsed(_SPANS, self._cache.get(key))
        if spans is None:
            spans = self.detector.speech(clip)
            self._cache.put(key, [list(span) for span in spans])
        return spans

    def understand(self, clip: Clip, language: str) -> Guarded:
        """The words of a 16-bit, 16 kHz `clip` without what the recogniser made up; raises like `hear`."""
        transcript = self.hear(clip, language)
        return guard.guard(transcript, clip, self.speech(clip) if transcript.text else ())

    def hear(self, clip: Clip, language: str) -> Transcript:
        """The words of a 16-bit `clip` as the recogniser gives them; `language` is a BCP 47 tag.

        Raises:
            EngineError, WeightsError, MissingExtraError, OperatorError: the recogniser or the cache cannot be used.
        """
        key = cache_key("transcript-2", signature=dict(self.recognizer.signature()), clip=clip.sha256, language=language)
        transcript = _parsed(_TRANSCRIPT, self._cache.get(key))
        if transcript is None:
            transcript = self.recognizer.transcribe(clip, language=language)
            self._cache.put(key, asdict(transcript))
        return transcript


def _parsed(adapter: TypeAdapter[T], value: JsonValue | None) -> T | None:
    """The value in its type, or None where an entry has another shape, which counts as absent."""
    if value is None:
        return None
    try:
        return adapter.validate_python(value)
    except ValidationError:
        return None
