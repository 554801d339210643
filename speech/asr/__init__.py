"""Recognisers, one file per engine."""

from __future__ import annotations

from pathlib import Path

from speech.asr.remote import RemoteRecognizer
from speech.asr.whisper import WhisperRecognizer
from speech.endpoint import Endpoint
from speech.engines import EngineRegistry, Recognizer
from speech.naming import REMOTE, Named

RECOGNIZERS: EngineRegistry[Recognizer] = EngineRegistry("recogniser engine")
RECOGNIZERS.register_settable("faster-whisper", WhisperRecognizer)


def make_recogniser(named: Named, cache_root: Path, endpoint: Endpoint | None) -> Recognizer:
    """The recogniser of a name, with its options; `endpoint` is the server of remote ones.

    Raises:
        UsageError: an option it does not take.
    """
    if named.spec.engine == REMOTE:
        return RemoteRecognizer(named.spec, endpoint, named.options)
    return RECOGNIZERS.make(named.spec, cache_root, named.options)
