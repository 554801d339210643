"""Synthesisers, one file per engine."""

from __future__ import annotations

from speech.engines import EngineRegistry, Synthesizer
from speech.tts.espeak import EspeakSynthesizer
from speech.tts.hibari import HibariSynthesizer
from speech.tts.kokoro import KokoroSynthesizer
from speech.tts.piper import PiperSynthesizer

SYNTHESIZERS: EngineRegistry[Synthesizer] = EngineRegistry("synthesiser engine")
SYNTHESIZERS.register("espeak", EspeakSynthesizer)
SYNTHESIZERS.register("hibari", HibariSynthesizer)
SYNTHESIZERS.register("kokoro", KokoroSynthesizer)
SYNTHESIZERS.register("piper", PiperSynthesizer)
