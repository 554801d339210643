"""Levels: loudness after the standard's own figure, and speech level that pauses cannot dilute."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.clip import Clip, concat
from speech.level import active_frames, active_power, at_level, decibels, integrated_loudness
from tests.speech.sounds import bursts, tone


@pytest.mark.parametrize(("rate", "tolerance"), [(48000, 0.02), (24000, 0.04), (22050, 0.05), (16000, 0.05)])
def test_loudness_of_the_calibration_tone(rate: int, tolerance: float) -> None:
    """A full-scale 997 Hz sine in one channel measures -3.01 LKFS: ITU-R BS.1770-4, annex 1."""
    assert pytest.approx(-3.01, abs=tolerance) == integrated_loudness(tone(997, 5, rate, amplitude=1.0))


def test_loudness_follows_gain_and_ignores_pauses() -> None:
    """6 dB less sound is 6 LU less loudness; seconds of silence change nothing, since the gates leave them out."""
    loud = tone(500, 4, 24000, 0.5)
    soft = Clip.of(loud.samples / 2, 24000)
    padded = concat(loud, Clip.silence(8, 24000))

    assert integrated_loudness(loud) - integrated_loudness(soft) == pytest.approx(6.02, abs=0.01)
    assert integrated_loudness(loud) == pytest.approx(integrated_loudness(padded), abs=0.3)


@pytest.mark.parametrize("clip", [Clip.silence(0, 8000), Clip.silence(1, 8000), Clip.silence(0.001, 8000)])
def test_silence_has_a_finite_level(clip: Clip) -> None:
    """Nothing at all measures -200 and has no active frame, rather than minus infinity or an error."""
    assert integrated_loudness(clip) <= -200
    assert 0.0 == active_power(clip)
    assert not active_frames(clip).any()


@given(st.floats(0, 5), st.floats(0, 5))
def test_pauses_do_not_dilute_the_speech_level(before: float, after: float) -> None:
    """Padding with silence moves the active level by less than half a decibel."""
    clip = bursts()
    padded = concat(Clip.silence(before, 16000), clip, Clip.silence(after, 16000))

    assert decibels(active_power(clip)) == pytest.approx(decibels(active_power(padded)), abs=0.5)


@given(st.floats(-40, -10))
def test_clips_are_brought_to_a_level(dbfs: float) -> None:
    """After `at_level` the active level is the wanted one; silence stays as it is."""
    assert dbfs == pytest.approx(decibels(active_power(at_level(bursts(), dbfs))), abs=0.1)
    silence = Clip.silence(1, 16000)
    assert silence is at_level(silence, dbfs)


def test_active_frames_are_the_loud_ones() -> None:
    """Half tone, half silence: half of the frames are active, and it is the first half."""
    active = active_frames(concat(tone(440, 1), Clip.silence(1, 16000)))

    assert 100 == len(active)
    assert np.array_equal(np.arange(100) < 50, active)
