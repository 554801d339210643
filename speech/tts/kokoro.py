"""Kokoro: one model of 82 million parameters that speaks with any of 54 voices; a voice is a table of style vectors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import EngineError
from models.specs import ModelSpec
from models.weights import locate_all
from speech import extras
from speech.clip import Clip, concat
from speech.engines import Signature, base_signature, engine_boundary
from speech.level import FRAME_S, active_frames
from speech.tts import phonemes

MODEL, VOICES = "kokoro-82m", "kokoro-voices"
"""The weights every voice needs."""
THREADS = 1
SAMPLE_RATE = 24000
LONGEST = 510
"""Phonemes in one pass; longer texts are spoken in several."""
BREATH_S = 0.25
"""Seconds of silence between two passes."""
EDGE_S = 0.12
"""Seconds left before the first and after the last loud frame, so that no soft consonant is cut."""
STYLE = 256
"""Numbers in a style vector; a voice has one vector per length of text."""
_CUTS = (re.compile(r"(?<=[.!?…]) "), re.compile(r"(?<=[,;:—]) "), re.compile(r" "))


class KokoroSynthesizer:
    """A Kokoro voice; nothing in it is drawn at random, so the seed changes nothing."""

    seeded = False

    def __init__(self, spec: ModelSpec, cache_root: Path) -> None:
        self.spec = spec
        self._cache_root = cache_root

    def signature(self) -> Signature:
        """Everything but text, language and pace that decides the samples."""
        return base_signature(
            self.spec, {"threads": THREADS, "phonemes": phonemes.VERSION, "breath_s": BREATH_S, "edge_s": EDGE_S}
        )

    def synthesize(self, text: str, *, language: str, seed: int, pace: float) -> Clip:
        """Speech for `text` at 24 kHz; `seed` is ignored, `pace` 0.5 to 2.

        A voice speaks the accent of its own language; an Indian one speaks every Indian language it serves.
        """
        with engine_boundary(self.spec, "speaking"):
            model, styles = self._loaded
            passes = [model.tokens(part) for part in _parts(self._phonemes(text, language))]
            clips = [model.speak(tokens, styles, pace) for tokens in passes if tokens]
            if not clips:
                raise EngineError(f"kokoro ({self.spec.id}) found nothing to say in {text!r}: give it words")
            breath = Clip.silence(BREATH_S / pace, SAMPLE_RATE)
            return concat(*[piece for clip in clips for piece in (breath, clip)][1:])

    def _phonemes(self, text: str, language: str) -> str:
        accent, primary = self.spec.accent, language.split("-")[0].lower()
        if primary == "en":
            return phonemes.english(text, british=accent == "en-GB", extra=self.spec.extra)
        if primary == "zh":
            return phonemes.mandarin(text, extra=self.spec.extra)
        return phonemes.by_espeak(text, language, extra=self.spec.extra)

    @cached_property
    def _loaded(self) -> tuple[_Model, npt.NDArray[np.float32]]:
        folders = locate_all(self.spec, self._cache_root)
        styles = np.fromfile(folders[VOICES] / f"{self.spec.name}.bin", dtype="<f4").reshape(-1, 1, STYLE)
        return _load(folders[MODEL].resolve(), self.spec.extra), styles


class _Model:
    """The loaded model and its vocabulary."""

    def __init__(self, session: Any, vocabulary: dict[str, int]) -> None:
        self._session = session
        self._vocabulary = vocabulary

    def tokens(self, text: str) -> list[int]:
        """Phonemes as numbers; what the model does not know is left out."""
        return [self._vocabulary[symbol] for symbol in text if symbol in self._vocabulary]

    def speak(self, tokens: list[int], styles: npt.NDArray[np.float32], pace: float) -> Clip:
        """One pass."""
        feed = {
            "tokens": np.array([[0, *tokens, 0]], dtype=np.int64),
            "style": styles[min(len(tokens), len(styles)) - 1],
            "speed": np.array([pace], dtype=np.float32),
        }
        return _trimmed(Clip.of(np.asarray(self._session.run(None, feed)[0]).ravel(), SAMPLE_RATE))


def _parts(text: str, level: int = 0) -> list[str]:
    """Phonemes in pieces of at most LONGEST, cut between sentences, else between clauses, else between words, else anywhere."""
    if len(text) <= LONGEST:
        return [text]
    if level == len(_CUTS):
        return [text[start : start + LONGEST] for start in range(0, len(text), LONGEST)]
    return list(_joined(part for piece in _CUTS[level].split(text) for part in _parts(piece, level + 1)))


def _joined(pieces: Iterator[str]) -> Iterator[str]:
    """Neighbours put together again while they fit."""
    held = next(pieces)
    for piece in pieces:
        if len(held) + 1 + len(piece) <= LONGEST:
            held = f"{held} {piece}"
        else:
            yield held
            held = piece
    yield held


def _trimmed(clip: Clip) -> Clip:
    """The clip with EDGE_S of the half second of silence that the model puts before and after every pass."""
    active = np.flatnonzero(active_frames(clip)) * round(FRAME_S * SAMPLE_RATE)
    if not len(active):
        return clip
    edge = round(EDGE_S * SAMPLE_RATE)
    return clip.cut(max(0, int(active[0]) - edge), min(len(clip), int(active[-1]) + edge))


@cache
def _load(folder: Path, extra: str) -> _Model:
    """The model, once per process."""
    runtime = extras.load("onnxruntime", package="onnxruntime", extra=extra, purpose="the voices of Kokoro")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = THREADS
    session = runtime.InferenceSession(str(folder / "kokoro.onnx"), sess_options=options, providers=["CPUExecutionProvider"])
    return _Model(session, json.loads((folder / "vocab.json").read_text(encoding="utf-8")))
