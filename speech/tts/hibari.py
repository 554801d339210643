"""hibari: a small English voice whose model lies inside its package; about a hundred times faster than real time."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import Any

from models.specs import ModelSpec
from models.weights import locate_spec
from speech import extras
from speech.clip import Clip
from speech.engines import Signature, base_signature, engine_boundary

THREADS = 1


class HibariSynthesizer:
    """The bundled voice; the seed fixes its noise component."""

    seeded = True

    def __init__(self, spec: ModelSpec, cache_root: Path) -> None:
        self.spec = spec
        self._cache_root = cache_root

    def signature(self) -> Signature:
        """Everything but text, seed and pace that decides the samples."""
        return base_signature(self.spec, {"threads": THREADS})

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        """Speech for `text` at 24 kHz; it is read as American English whatever `language` says, `pace` 0.5 to 2."""
        with engine_boundary(self.spec, "speaking"):
            return Clip.of(self._voice(text, speed=pace, seed=seed), self._voice.sample_rate)

    @cached_property
    def _voice(self) -> Any:
        return _load(self.spec, locate_spec(self.spec, self._cache_root).resolve())


@cache
def _load(spec: ModelSpec, folder: Path) -> Any:
    """The loaded voice, once per process."""
    hibari = extras.load("hibari", package="hibari-tts", extra=spec.extra, purpose=f"the voice {spec.id!r}")
    return hibari.Hibari(model=str(folder / spec.files[0].name), threads=THREADS)
