"""Recognisers, one file per engine."""

from __future__ import annotations

from speech.asr.whisper import WhisperRecognizer
from speech.engines import EngineRegistry, Recognizer

RECOGNIZERS: EngineRegistry[Recognizer] = EngineRegistry("recogniser engine")
RECOGNIZERS.register_settable("faster-whisper", WhisperRecognizer)
