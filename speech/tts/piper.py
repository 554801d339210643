"""Piper: VITS voices through onnxruntime. The engine is GPL-3, so it is imported here only, when a voice is loaded."""

from __future__ import annotations

import json
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import EngineError
from models.specs import ModelSpec
from models.weights import locate_spec
from speech import extras
from speech.clip import Clip
from speech.engines import Signature, base_signature, engine_boundary

THREADS = 1
# Either noise alone still varies from call to call; both at 0 give the same samples in every process.
NOISE_SCALE = 0.0
NOISE_W_SCALE = 0.0


class PiperSynthesizer:
    """A Piper voice without its sampling noise: the seed changes nothing."""

    seeded = False

    def __init__(self, spec: ModelSpec, cache_root: Path) -> None:
        self.spec = spec
        self._cache_root = cache_root

    def signature(self) -> Signature:
        """Everything but text and pace that decides the samples."""
        return base_signature(self.spec, {"threads": THREADS, "noise_scale": NOISE_SCALE, "noise_w_scale": NOISE_W_SCALE})

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        """Speech for `text` at the voice's rate; `language` is the voice's own, `seed` is ignored, `pace` 0.5 to 2."""
        with engine_boundary(self.spec, "speaking"):
            voice, config = self._voice
            settings = config.SynthesisConfig(
                length_scale=voice.config.length_scale / pace, noise_scale=NOISE_SCALE, noise_w_scale=NOISE_W_SCALE
            )
            text = text.replace("[[", "[ [")  # a pair of brackets would be read as phonemes
            chunks = [chunk.audio_float_array for chunk in voice.synthesize(text, syn_config=settings)]
            rate = int(voice.config.sample_rate)
            if not chunks:
                raise EngineError(f"piper ({self.spec.id}) found nothing to say in {text!r}: give it words")
            return Clip.of(np.concatenate(chunks), rate)

    @cached_property
    def _voice(self) -> tuple[Any, Any]:
        return _load(self.spec, locate_spec(self.spec, self._cache_root).resolve())


@cache
def _load(spec: ModelSpec, folder: Path) -> tuple[Any, Any]:
    """The loaded voice and Piper's config module, once per process. Built by hand, since Piper's loader takes every core."""
    purpose = f"the voice {spec.id!r}"
    runtime = extras.load("onnxruntime", package="onnxruntime", extra=spec.extra, purpose=purpose)
    config = extras.load("piper.config", package="piper-tts", extra=spec.extra, purpose=purpose)
    voice = extras.load("piper.voice", package="piper-tts", extra=spec.extra, purpose=purpose)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = THREADS
    session = runtime.InferenceSession(str(folder / spec.files[0].name), sess_options=options, providers=["CPUExecutionProvider"])
    settings = json.loads((folder / spec.files[1].name).read_text(encoding="utf-8"))
    return voice.PiperVoice(session=session, config=config.PiperConfig.from_dict(settings)), config
