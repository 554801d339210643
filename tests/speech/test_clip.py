"""Clips: exact 16-bit round trips, explicit rates, read-only samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from speech.clip import Clip, concat
from tests.speech.sounds import rms, tone

pcm16 = hnp.arrays(np.int16, st.integers(0, 200))


@given(pcm16)
def test_16_bit_samples_survive_exactly(pcm: np.ndarray) -> None:
    """Every 16-bit value comes back as it was, and its clip is already quantised."""
    clip = Clip.from_pcm16(pcm, 8000)

    assert np.array_equal(pcm, clip.to_pcm16())
    assert np.array_equal(clip.samples, clip.quantised().samples)
    assert clip.sha256 == clip.quantised().sha256


@given(hnp.arrays(np.float32, st.integers(1, 50), elements=st.floats(-3, 3, width=32)))
def test_quantising_moves_a_sample_by_at_most_half_a_step(samples: np.ndarray) -> None:
    """Within full scale, PCM is at most half of 1/32768 away; beyond it clips."""
    clip = Clip.of(samples, 8000).quantised()

    assert np.all(np.abs(clip.samples - np.clip(samples, -1, 32767 / 32768)) <= 0.5 / 32768 + 1e-9)


def test_samples_cannot_be_changed() -> None:
    """A clip keeps its own read-only samples, whatever happens to the array it was made from."""
    array = np.ones(4, np.float32)
    clip = Clip(array, 8000)
    array[0] = 0

    assert 1.0 == clip.samples[0]
    with pytest.raises(ValueError, match="read-only"):
        clip.samples[0] = 2


def test_identity_is_samples_and_rate() -> None:
    """The hash changes with any sample and with the rate, and is a known value for a known clip."""
    clip = Clip.from_pcm16(np.array([1, 2, 3], np.int16), 8000)

    assert clip.sha256 != Clip.from_pcm16(np.array([1, 2, 4], np.int16), 8000).sha256
    assert clip.sha256 != Clip.from_pcm16(np.array([1, 2, 3], np.int16), 16000).sha256
    # printf 'pcm16 mono 8000\n\001\000\002\000\003\000' | sha256sum
    assert "08864ab82d23c8c87f10dbcb3c1192e5d12485b46bfb00df3cdaf747dff86c79" == clip.sha256


def test_resampling_keeps_duration_and_level() -> None:
    """A tone keeps its length and power at another rate; the same rate gives the same object."""
    clip = tone(440)

    down = clip.resampled(8000)

    assert 8000 == len(down)
    assert rms(clip) == pytest.approx(rms(down), rel=0.01)
    assert clip is clip.resampled(16000)
    assert np.array_equal(down.samples, clip.resampled(8000).samples)


def test_joining_needs_one_rate() -> None:
    """Clips of one rate are joined in order; mixed rates are refused."""
    joined = concat(tone(440, 0.5), Clip.silence(0.25, 16000), tone(440, 0.25))

    assert 1.0 == joined.duration_s
    assert not joined.samples[8000:12000].any()
    with pytest.raises(ValueError, match=r"\[8000, 16000\]"):
        concat(tone(440), Clip.silence(1, 8000))


@pytest.mark.parametrize(
    ("samples", "rate"), [(np.zeros((2, 2), np.float32), 8000), (np.zeros(2), 8000), (np.zeros(2, np.float32), 0)]
)
def test_what_is_no_mono_clip_is_refused(samples: np.ndarray, rate: int) -> None:
    """Two channels, another sample type and a rate of 0 are programming errors."""
    with pytest.raises(ValueError, match="a clip"):
        Clip(samples, rate)
