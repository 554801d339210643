"""Synthesisers, one file per engine."""

from __future__ import annotations

from speech.engines import EngineRegistry, Synthesizer
from speech.tts.hibari import HibariSynthesizer
from speech.tts.piper import PiperSynthesizer

SYNTHESIZERS: EngineRegistry[Synthesizer] = EngineRegistry("synthesiser engine")
SYNTHESIZERS.register("hibari", HibariSynthesizer)
SYNTHESIZERS.register("piper", PiperSynthesizer)
