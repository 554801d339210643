"""Figures of a clip for people who study one: pitch, spectrum and pauses. None of them passes or fails."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from speech import extras
from speech.clip import Clip
from speech.level import FRAME_S, active_frames

RATE = 16000
PITCH_HZ = (60.0, 500.0)
"""Lowest and highest pitch of a voice that is looked for."""


def figures(clip: Clip) -> dict[str, float]:
    """Figures by name, over the frames that hold speech; empty where none does. The clip's values are finite.

    `pitch_hz` median pitch; `centroid_hz` mean of the spectrum; `rolloff_hz` frequency below which 95 % of the energy lies,
    which shows a telephone's band; `active_share` frames with speech; `longest_pause_s`.

    Raises:
        MissingExtraError: librosa is not installed.
    """
    librosa = extras.load("librosa", package="librosa", extra="analysis", purpose="pitch and spectra of a sound")
    clip = clip.resampled(RATE)
    active = active_frames(clip)
    if not active.any():
        return {}
    hop = round(FRAME_S * RATE)
    pitch = librosa.yin(clip.samples, fmin=PITCH_HZ[0], fmax=PITCH_HZ[1], sr=RATE, hop_length=hop)
    spectrum = np.abs(librosa.stft(clip.samples, n_fft=1024, hop_length=hop))
    centroid = librosa.feature.spectral_centroid(S=spectrum, sr=RATE)[0]
    rolloff = librosa.feature.spectral_rolloff(S=spectrum**2, sr=RATE, roll_percent=0.95)[0]
    pauses = [len(list(frames)) * FRAME_S for speaks, frames in groupby(active) if not speaks]
    return {
        "pitch_hz": round(float(np.median(pitch[: len(active)][active])), 1),
        "centroid_hz": round(float(np.mean(centroid[: len(active)][active])), 1),
        "rolloff_hz": round(float(np.median(rolloff[: len(active)][active])), 1),
        "active_share": round(float(active.mean()), 4),
        "longest_pause_s": round(max(pauses, default=0.0), 2),
    }
