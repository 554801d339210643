"""Synthesisers, one file per engine."""

from __future__ import annotations

from pathlib import Path

from speech.endpoint import Endpoint
from speech.engines import EngineRegistry, Synthesizer
from speech.naming import REMOTE, Named
from speech.tts.coqui import CoquiSynthesizer
from speech.tts.espeak import EspeakSynthesizer
from speech.tts.hibari import HibariSynthesizer
from speech.tts.kokoro import KokoroSynthesizer
from speech.tts.piper import PiperSynthesizer
from speech.tts.remote import RemoteSynthesizer

SYNTHESIZERS: EngineRegistry[Synthesizer] = EngineRegistry("synthesiser engine")
SYNTHESIZERS.register_settable("coqui", CoquiSynthesizer)
SYNTHESIZERS.register("espeak", EspeakSynthesizer)
SYNTHESIZERS.register("hibari", HibariSynthesizer)
SYNTHESIZERS.register("kokoro", KokoroSynthesizer)
SYNTHESIZERS.register("piper", PiperSynthesizer)


def make_voice(named: Named, cache_root: Path, endpoint: Endpoint | None) -> Synthesizer:
    """The voice of a name, with its options; `endpoint` is the server of remote ones.

    Raises:
        UsageError: an option it does not take.
    """
    if named.spec.engine == REMOTE:
        return RemoteSynthesizer(named.spec, endpoint, named.options)
    return SYNTHESIZERS.make(named.spec, cache_root, named.options)
