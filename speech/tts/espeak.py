"""espeak-ng: formant speech in a hundred languages. Small, clear to nobody, and there where no other voice is."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np

from core.errors import EngineError
from models.specs import ModelSpec
from models.weights import locate_spec
from speech.clip import Clip
from speech.engines import Signature, base_signature, engine_boundary
from speech.tts import espeak_process
from speech.tts.espeak_child import NOISE_SEED

WORDS_PER_MINUTE = 165
PITCH = 50


class EspeakSynthesizer:
    """A variant of espeak-ng's voice, in the language it is asked for; the seed changes nothing."""

    seeded = False

    def __init__(self, spec: ModelSpec, cache_root: Path) -> None:
        self.spec = spec
        self._cache_root = cache_root

    def signature(self) -> Signature:
        """Everything but text, language and pace that decides the samples."""
        return base_signature(self.spec, {"words_per_minute": WORDS_PER_MINUTE, "pitch": PITCH, "noise_seed": NOISE_SEED})

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        """Speech for `text` at 22050 Hz; `seed` is ignored, `pace` 0.5 to 2."""
        with engine_boundary(self.spec, "speaking"):
            extra = self._verified.extra
            voice = f"{espeak_process.voice_of(language)}+{self.spec.name}"
            rate = round(WORDS_PER_MINUTE * pace)
            said = np.frombuffer(espeak_process.samples(text, voice, rate=rate, pitch=PITCH, extra=extra), dtype="<i2")
            if not said.any():
                raise EngineError(f"espeak-ng ({self.spec.id}) found nothing to say in {text!r}: give it words")
            return Clip.from_pcm16(said, espeak_process.SAMPLE_RATE)

    @cached_property
    def _verified(self) -> ModelSpec:
        locate_spec(self.spec, self._cache_root)
        return self.spec
