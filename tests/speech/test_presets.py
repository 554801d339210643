"""Channels by name: canonical, closed, and damage that grows with the settings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from speech.channel.presets import LANDLINE, ChannelSpec, parse_channel
from speech.clip import Clip
from tests.speech.sounds import bursts, rms


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_defaults_of_the_presets() -> None:
    """`clean` has no settings, `landline` is 20 dB without loss; overrides take the preset's order, not the user's."""
    assert "clean" == str(parse_channel("clean"))
    assert "landline:snr=20,loss=0,gain=0,clip=1" == str(parse_channel("landline"))
    assert "landline:snr=5,loss=0.05,gain=0,clip=1" == str(parse_channel("landline:loss=0.05, snr=5.0"))


@given(snr=st.floats(-10, 80), loss=st.floats(0, 0.9), gain=st.floats(-40, 40), clip=st.floats(0.01, 1))
def test_the_canonical_form_is_read_back(snr: float, loss: float, gain: float, clip: float) -> None:
    """`str` and `parse_channel` are inverses for every allowed value, so the trace's form is enough to replay."""
    spec = ChannelSpec("landline", (("snr", snr), ("loss", loss), ("gain", gain), ("clip", clip)))

    assert spec == parse_channel(str(spec))


@pytest.mark.parametrize(
    ("text", "needle"),
    [
        ("", "unknown channel '' in '': choose one of clean, landline"),
        ("Landline", "choose one of clean, landline"),
        ("landline:noise=3", "unknown setting 'noise' in channel 'landline:noise=3': landline takes snr, loss, gain, clip"),
        ("landline:", "unknown setting ''"),
        ("clean:snr=3", "clean takes no settings"),
        ("landline:snr=loud", "snr=loud in channel 'landline:snr=loud': give a number from -10 to 80"),
        ("landline:snr=", "give a number from -10 to 80"),
        ("landline:loss=1", "give a number from 0 to 0.9 (probability that a 20 ms packet is lost)"),
        ("landline:loss=nan", "give a number from 0 to 0.9"),
        ("landline:snr=inf", "give a number from -10 to 80"),
        ("landline:snr=5,snr=6", "stands twice"),
    ],
)
def test_a_wrong_channel_tells_what_is_right(text: str, needle: str) -> None:
    """Unknown presets and settings, repeated ones and values out of range give one line with the valid choices."""
    with pytest.raises(UsageError) as caught:
        parse_channel(text)

    assert needle in str(caught.value)
    assert "\n" not in str(caught.value)


def test_clean_changes_nothing() -> None:
    """The clean channel is no channel: the very clip comes back."""
    clip = bursts()

    assert clip is parse_channel("clean").apply(clip, _rng())


def test_seeds_decide_a_landline() -> None:
    """Equal generators give equal bytes, others different bytes; length and rate are those of the input."""
    clip = bursts(2.3456)
    line = parse_channel("landline:loss=0.1")

    out = line.apply(clip, _rng(1))

    assert out.sha256 == line.apply(clip, _rng(1)).sha256
    assert out.sha256 != line.apply(clip, _rng(2)).sha256
    assert (len(clip), clip.sample_rate) == (len(out), out.sample_rate)


def test_a_landline_keeps_its_band() -> None:
    """Above 4 kHz, which 8 kHz sound cannot hold, a landline leaves nothing, and below 100 Hz next to nothing."""
    out = parse_channel("landline:snr=80").apply(bursts(4.0), _rng())
    power = np.abs(np.fft.rfft(out.samples)) ** 2
    frequency = np.fft.rfftfreq(len(out), 1 / out.sample_rate)

    assert power[frequency > 4100].sum() / power.sum() < 1e-4
    assert power[frequency < 100].sum() / power.sum() < 1e-4


@pytest.mark.parametrize(
    ("setting", "mild_to_severe"), [("snr", (40, 20, 10, 5, 0)), ("loss", (0, 0.05, 0.2, 0.5)), ("clip", (1, 0.1, 0.05, 0.02))]
)
def test_damage_grows_with_the_setting(setting: str, mild_to_severe: tuple[float, ...]) -> None:
    """Under one seed each step away from the mild end moves the sound further from the undamaged line."""
    clip = bursts(4.0)
    undamaged = parse_channel("landline:snr=80").apply(clip, _rng())
    distances = []
    for value in mild_to_severe:
        base = "" if setting == "snr" else "snr=80,"
        out = parse_channel(f"landline:{base}{setting}={value}").apply(clip, _rng())
        distances.append(rms(Clip.of(out.samples - undamaged.samples, out.sample_rate)))

    assert sorted(distances) == distances
    assert distances[-1] > distances[0] + 0.01


def test_every_setting_states_its_unit_and_holds_its_default() -> None:
    """The table a user is shown is complete: a meaning for each setting, and a default within its bounds."""
    for setting in LANDLINE.values():
        assert setting.meaning
        assert setting.low <= setting.default <= setting.high
