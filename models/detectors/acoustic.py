"""The baseline on sound alone: figures of level, pace, pitch and spectrum, and logistic regression with shipped coefficients.

In a month sound is to tell nothing about the label, so about one half is what it should reach; more would be a leak of the
rendering. How long a call lasts is none of the figures: that is a property of its words.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.bundle import shipped_bundle
from core.errors import FileError, UsageError
from core.schemas.acoustic import AcousticModel
from core.schemas.base import content_hash
from core.schemas.call_trace import PartyRecord
from core.schemas.detections import InputMode
from core.schemas.snapshots import Label
from core.snapshots.detector import CallSound, Given, Said
from core.snapshots.evaluating.held_out import HeldOut
from core.validation import validate
from core.yamlfile import read_data

PARTY = "offline:acoustic"
FILE = "acoustic.json"
FIGURES = "figures-1"
"""Version of the figures; coefficients of other ones are refused."""
FRAME_S = 0.02
HOP_S = 0.01
SPEECH_RANGE_DB = 25.0
"""A frame is speech where its level lies at most this far below the call's loud frames (their 95th percentile)."""
FLOOR_DBFS = -60.0
"""And no frame below this is."""
PAUSE_S = 0.25
"""Shortest silence that is a pause and not part of a word, seconds."""
NUCLEUS_DB = 2.0
"""A syllable's nucleus stands out by so much from the troughs on both sides."""
VOWEL_HZ = (300.0, 2500.0)
"""Where the energy of vowels is looked for; every telephone carries it."""
TILT_HZ = (300.0, 1000.0, 3300.0)
"""The tilt of a spectrum: energy from the first to the second frequency against energy up to the third."""
PITCH_HZ = (70.0, 400.0)
PITCH_RATE = 8000
PITCH_FRAME_S = 0.04
VOICED = 0.5
"""A frame is voiced where its autocorrelation at the pitch is at least this share of that at zero."""
Samples = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]


class AcousticDetector:
    """Implements `core.snapshots.detector.Detector`."""

    modes = (InputMode.AUDIO,)
    waits = False

    def __init__(self, model: AcousticModel, month: HeldOut | None = None) -> None:
        """Raises UsageError where the coefficients were learned from the month itself."""
        if month is not None:
            month.refuse_trees(model.trained_on.trees, f"what {PARTY} learned from")
        self._model = model

    def record(self) -> PartyRecord:
        """The coefficients by version and hash, and what they were learned from."""
        model = self._model
        settings = {
            "figures": model.figures,
            "version": model.version,
            "sha256": content_hash(model.model_dump(mode="json")),
            "trained_on": [*model.trained_on.namespaces],
        }
        return PartyRecord(party=PARTY, settings=settings)

    def detect(self, given: Given, seed: int) -> Said:
        """FRAUD where its chance passes one half, which is the score; no word about a call without any speech."""
        if not isinstance(given, CallSound):
            raise UsageError(f"{PARTY} takes a recording, and was given words: ask with --mode audio")
        found = figures(given.samples, given.sample_rate)
        if not found:
            return Said("")
        score = chance(self._model, found)
        return Said((Label.FRAUD if score >= 0.5 else Label.NONFRAUD).value, score=round(score, 6))


@cache
def shipped_model() -> AcousticModel:
    """The coefficients that ship."""
    return read_model(shipped_bundle("snapshots") / FILE)


def read_model(path: Path) -> AcousticModel:
    """Coefficients from a file; raises FileError where they are none, or belong to other figures."""
    found = validate(AcousticModel, read_data(path))
    if found.faults or found.value is None:
        where, reason = found.faults[0]
        raise FileError(f"{path}: {where or 'the whole file'}: {reason}")
    if (found.value.figures, found.value.features) != (FIGURES, NAMES):
        raise FileError(f"{path}: learned from {found.value.figures!r}, not from {FIGURES!r}: train it again")
    return found.value


def chance(model: AcousticModel, found: dict[str, float]) -> float:
    """The chance of fraud, 0 to 1, from the figures of a call."""
    parts = zip(model.features, model.mean, model.scale, model.weights, strict=True)
    total = model.bias + sum(weight * (found[name] - mean) / scale for name, mean, scale, weight in parts)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


_PART = (
    "speech_share",
    "nuclei_per_s",
    "pauses_per_min",
    "pause_s",
    "level_spread_db",
    "pitch_hz",
    "pitch_spread_semitones",
    "tilt_db",
)
END = "end_"
"""Beginning of the names of the figures of the last third."""
NAMES = (*_PART, *(f"{END}{name}" for name in _PART))
"""Names of all figures, in order."""


def figures(samples: Samples, sample_rate: int) -> dict[str, float]:
    """Figures of a whole call and of its last third, by name; empty where either holds no speech.

    Both people speak in them: a recording has one channel. `speech_share` frames with speech; `nuclei_per_s` syllable nuclei a
    second of speech; `pause_s` mean pause, seconds; `level_spread_db` standard deviation of the level in speech; `pitch_hz`
    median; `pitch_spread_semitones` half the distance from the 10th to the 90th percentile; `tilt_db` low against high band.

    Raises:
        UsageError: a rate below 8 kHz.
    """
    if sample_rate < PITCH_RATE:
        raise UsageError(f"a recording at {sample_rate} Hz: {PARTY} takes {PITCH_RATE} Hz and more")
    whole = _figures(samples, sample_rate)
    last = _figures(samples[-(len(samples) // 3) :], sample_rate)
    return {**whole, **{f"{END}{name}": value for name, value in last.items()}} if whole and last else {}


def _figures(samples: Samples, rate: int) -> dict[str, float]:
    spectra = _spectra(samples, rate)
    power = spectra.sum(axis=1)
    level = _decibels(power)
    speech = level > max(float(np.percentile(level, 95)) - SPEECH_RANGE_DB, FLOOR_DBFS) if len(level) else np.zeros(0, bool)
    if not speech.any():
        return {}
    inside = speech[int(np.argmax(speech)) : len(speech) - int(np.argmax(speech[::-1]))]
    pauses = [seconds for quiet, seconds in _runs(~inside) if quiet and seconds >= PAUSE_S]
    pitch, spread = _pitch(samples, rate)
    return {
        "speech_share": float(inside.mean()),
        "nuclei_per_s": _nuclei(spectra, rate, speech) / (float(speech.sum()) * HOP_S),
        "pauses_per_min": 60 * len(pauses) / (len(inside) * HOP_S),
        "pause_s": float(np.mean(pauses)) if pauses else 0.0,
        "level_spread_db": float(level[speech].std()),
        "pitch_hz": pitch,
        "pitch_spread_semitones": spread,
        "tilt_db": _tilt(spectra[speech], rate),
    }


def _frames(samples: npt.NDArray[np.floating], rate: int, length_s: float) -> Numbers:
    """Overlapping frames every 10 ms, shape (frames, samples); none of a call shorter than one."""
    size, hop = round(length_s * rate), round(HOP_S * rate)
    if len(samples) < size:
        return np.zeros((0, size))
    return np.lib.stride_tricks.sliding_window_view(samples, size)[::hop].astype(np.float64)


def _spectra(samples: Samples, rate: int) -> Numbers:
    """Mean square by frequency of every frame, so that a frame's sum is its mean square."""
    frames = _frames(samples, rate, FRAME_S)
    window = np.hanning(frames.shape[1])
    spectra = np.abs(np.fft.rfft(frames * window, axis=1)) ** 2
    spectra[:, 1:-1] *= 2
    return np.asarray(spectra / (frames.shape[1] * np.sum(window**2)))


def _decibels(power: Numbers) -> Numbers:
    return np.asarray(10 * np.log10(np.maximum(power, 1e-20)))


def _bins(spectra: Numbers, rate: int, low: float, high: float) -> Numbers:
    """Energy between two frequencies, by frame."""
    hertz = np.linspace(0, rate / 2, spectra.shape[1])
    return np.asarray(spectra[:, (hertz >= low) & (hertz < high)].sum(axis=1))


def _runs(flags: npt.NDArray[np.bool_]) -> list[tuple[bool, float]]:
    """Runs of equal flags with their seconds."""
    return [(bool(flag), len(list(frames)) * HOP_S) for flag, frames in groupby(flags.tolist())]


def _nuclei(spectra: Numbers, rate: int, speech: npt.NDArray[np.bool_]) -> int:
    """Peaks of the vowels' energy in speech that stand out on both sides."""
    energy = _bins(spectra, rate, *VOWEL_HZ)
    shape = np.hanning(9)[1:-1]
    level = _decibels(np.convolve(energy, shape / shape.sum(), "same"))
    count, rising, extreme, place = 0, False, math.inf, 0
    for frame, value in enumerate(level.tolist()):
        if (value > extreme) if rising else (value < extreme):
            extreme, place = value, frame
        elif abs(value - extreme) >= NUCLEUS_DB:
            count += rising and bool(speech[place])
            rising, extreme, place = not rising, value, frame
    return count


def _tilt(spectra: Numbers, rate: int) -> float:
    low, middle, high = TILT_HZ
    below, above = (_bins(spectra, rate, first, last).sum() for first, last in pairwise((low, middle, high)))
    return float(_decibels(np.asarray([below]))[0] - _decibels(np.asarray([above]))[0])


def _pitch(samples: Samples, rate: int) -> tuple[float, float]:
    """Median pitch in Hz and its spread in semitones over voiced frames; both 0 where there are none."""
    step = rate // PITCH_RATE
    low = samples[: len(samples) // step * step].reshape(-1, step).mean(axis=1) if step > 1 else samples
    rate_there = rate / step
    frames = _frames(low, round(rate_there), PITCH_FRAME_S)
    frames = frames - frames.mean(axis=1, keepdims=True)
    size = 2 * frames.shape[1]
    likeness = np.fft.irfft(np.abs(np.fft.rfft(frames, size, axis=1)) ** 2, size, axis=1)
    shortest, longest = round(rate_there / PITCH_HZ[1]), round(rate_there / PITCH_HZ[0])
    lags = likeness[:, shortest : longest + 1]
    best = lags.argmax(axis=1)
    power = likeness[:, 0]
    loud = power > 1e-3 * float(np.percentile(power, 95)) if len(power) else np.zeros(0, bool)
    voiced = loud & (lags.max(axis=1, initial=0.0) >= VOICED * power) & (best > 0) & (best < lags.shape[1] - 1)
    if not voiced.any():
        return 0.0, 0.0
    hertz = rate_there / (best[voiced] + shortest)
    spread = np.diff(np.percentile(12 * np.log2(hertz), (10, 90)))[0] / 2
    return float(np.median(hertz)), float(spread)
