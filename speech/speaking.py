"""From text to a clip that passed quality control: caches, second attempts and recorded fallbacks in one place."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import ChangedClipError, ClipError
from speech import qc
from speech.cache import ClipCache, JsonCache, cache_key
from speech.clip import Clip
from speech.engines import Synthesizer
from speech.level import LEVEL_DBFS, at_level

log = logging.getLogger("ringback.speech.speaking")

ATTEMPTS = ((0, 1.0), (1, 0.95))
"""What is added to the seed and how the pace is changed, attempt by attempt, before the next voice is tried."""


@dataclass(frozen=True)
class Spoken:
    """Speech that passed quality control."""

    clip: Clip
    """16-bit samples at the voice's rate and the common level."""
    voice: str
    """Id of the voice that spoke."""
    text: str
    """The text given to it."""
    rejected: tuple[str, ...] = ()
    """Attempts that failed before, each with voice, attempt and checks."""


class Speaker:
    """Speaks with the first voice of a list that gives a sound clip. Loads an engine only when a clip is not cached."""

    def __init__(self, cache_root: Path) -> None:
        self._clips = ClipCache(cache_root / "clips")
        self._verdicts = JsonCache(cache_root / "clips")

    def say(self, text: str, voices: Sequence[Synthesizer], *, language: str, seed: int, pace: float) -> Spoken:
        """`text` in `language` as speech. `voices`: the wanted voice, then its fallbacks; `seed` >= 0; `pace` 0.7 to 1.4.

        Raises:
            ClipError: no attempt passed, or a cached clip no longer passes.
            EngineError, WeightsError, MissingExtraError, OperatorError: the engine or the cache cannot be used.
        """
        rejected: list[str] = []
        for voice in voices:
            for number, (shift, factor) in enumerate(ATTEMPTS, 1):
                clip, faults = self._attempt(text, voice, language=language, seed=seed + shift, pace=round(pace * factor, 4))
                if clip is not None:
                    return Spoken(at_level(clip, LEVEL_DBFS).quantised(), voice.spec.id, text, tuple(rejected))
                rejected.append(f"{voice.spec.id}, attempt {number}: {faults}")
                log.warning("a clip failed quality control: %s: %r", rejected[-1], text)
        raise ClipError(f"no clip of {text!r} passed quality control: {' | '.join(rejected)}")

    def _attempt(self, text: str, voice: Synthesizer, *, language: str, seed: int, pace: float) -> tuple[Clip | None, str]:
        """The clip of exactly these parameters, or None and what is wrong with it."""
        key = cache_key(
            "clip-2",
            quality_control=qc.VERSION,
            signature=dict(voice.signature()),
            language=language,
            seed=seed if voice.seeded else None,
            pace=pace,
            text=text,
        )
        rate = voice.spec.sample_rate or 0
        clip = self._clips.get(key)
        if clip is not None:
            faults = qc.failures(qc.inspect(clip, text, sample_rate=rate, pace=pace))
            if faults:  # only clips that passed are kept, so this one was changed since
                raise ChangedClipError(
                    f"the cached clip {str(self._clips.path(key))!r} of {text!r} fails quality control: {faults}:"
                    " delete it, and it is made again"
                )
            return clip, ""
        verdict = self._verdicts.get(key)
        if isinstance(verdict, dict) and isinstance(verdict.get("failed"), str):
            return None, str(verdict["failed"])
        clip = voice.synthesize(text, language=language, seed=seed, pace=pace)
        if np.isfinite(clip.samples).all():
            clip = clip.quantised()  # judged as it will come out of the cache
        faults = qc.failures(qc.inspect(clip, text, sample_rate=rate, pace=pace))
        if faults:
            self._verdicts.put(key, {"failed": faults})
            return None, faults
        self._clips.put(key, clip)
        return clip, ""
