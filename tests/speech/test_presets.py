"""Channels by name: canonical, closed, the same whatever the chunks and the process, and damage that grows with the settings."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from importlib import metadata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from speech.channel.presets import CHANNEL_VERSION, NAMES, PRESETS, SETTINGS, ChannelSpec, Choice, Value, parse_channel
from speech.clip import Clip, concat
from speech.level import LEVEL_DBFS, active_power, decibels
from tests.repository.tree import ROOT
from tests.speech.sounds import bursts, rms

HASHES = """
import sys, numpy as np
from tests.speech.test_presets import channel, streamed
from tests.speech.sounds import bursts
import hashlib
for name in sys.argv[1:]:
    out = streamed(channel(name), bursts(1.5), int(0.037 * 16000))
    print(name, hashlib.sha256(out.tobytes()).hexdigest())
"""


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def channel(text: str) -> ChannelSpec:
    """The channel, with a background where it needs one."""
    spec = parse_channel(text)
    return spec.with_background(bursts(5.0, seed=9)) if spec.needs else spec


def streamed(spec: ChannelSpec, clip: Clip, size: int) -> np.ndarray:
    """The clip through the channel in chunks of `size` samples."""
    stream = spec.open(clip.sample_rate, -20, _rng(3))
    chunks = (clip.samples[start : start + size] for start in range(0, len(clip), size))
    return np.concatenate([*(stream.process(chunk) for chunk in chunks), stream.flush()])


def _change(text: str, other: str, clip: Clip) -> Clip:
    """What one channel gives less what the other gives, under one seed."""
    a, b = (channel(name).apply(clip, _rng()).samples.astype(np.float64) for name in (text, other))
    return Clip.of(a - b, clip.sample_rate)


def test_the_defaults_of_the_presets() -> None:
    """`clean` has no settings, `landline` is 20 dB without loss; overrides take the table's order, not the user's."""
    rest = "band=300-3400,gain=0,clip=1,codec=mulaw"

    assert "clean" == str(parse_channel("clean"))
    assert f"landline:room=off,noise=pink,snr=20,{rest},loss=0,burst=1" == str(parse_channel("landline"))
    assert f"landline:room=off,noise=pink,snr=5,{rest},loss=0.05,burst=1" == str(parse_channel("landline:loss=0.05, snr=5.0"))
    off = "landline:snr=off,band=off,gain=off,clip=off,codec=off,loss=off,burst=off,room=off"
    assert "landline:room=off,noise=pink,snr=off,band=off,gain=0,clip=1,codec=off,loss=0,burst=1" == str(parse_channel(off))


@given(data=st.data(), name=st.sampled_from(list(PRESETS)))
def test_the_canonical_form_is_read_back(data: st.DataObject, name: str) -> None:
    """`str` and `parse_channel` are inverses for every allowed value, so the trace's form is enough to replay."""
    values: list[tuple[str, Value]] = []
    for key in SETTINGS:
        setting = PRESETS[name].setting(key)
        value: Value
        if isinstance(setting, Choice):
            value = data.draw(st.sampled_from([word for word in setting.words if word != "file:"]))
        else:
            value = data.draw(st.one_of(st.floats(setting.low, setting.high).map(lambda v: v + 0.0), st.just(setting.neutral)))
        values.append((key, value))
    spec = ChannelSpec(name, tuple(values))

    assert spec == parse_channel(str(spec))
    assert spec.settings()["channel"] == str(spec)


@pytest.mark.parametrize(
    ("text", "needle"),
    [
        ("", "unknown channel '' in '': choose one of clean, landline, mobile"),
        ("Landline", "choose one of clean, landline"),
        ("landline:hiss=3", "unknown setting 'hiss' in channel 'landline:hiss=3': landline takes room, noise, snr, band"),
        ("landline:", "unknown setting ''"),
        ("clean:snr=3", "clean takes no settings"),
        ("landline:snr=loud", "snr=loud in channel 'landline:snr=loud': give a number from -10 to 80 or off"),
        ("landline:snr=", "give a number from -10 to 80"),
        ("landline:loss=1", "give a number from 0 to 0.9 or off (probability that a 20 ms packet is lost)"),
        ("landline:loss=nan", "give a number from 0 to 0.9"),
        ("landline:snr=inf", "give a number from -10 to 80"),
        ("landline:snr=5,snr=6", "stands twice"),
        ("landline:codec=g722", "give one of off, mulaw, alaw, gsm, amr, opus (speech codec)"),
        ("voip:codec=gsm", "give one of off, opus, g722"),
        ("landline:noise=rain", "give one of pink, white, hum50, hum60, babble, file:<path>"),
        ("landline:noise=file:", "give one of pink"),
        ("landline:band=300", "give one of off, 300-3400, 100-7000"),
    ],
)
def test_a_wrong_channel_tells_what_is_right(text: str, needle: str) -> None:
    """Unknown presets and settings, repeated ones and values out of range give one line with the valid choices."""
    with pytest.raises(UsageError) as caught:
        parse_channel(text)

    assert needle in str(caught.value)
    assert "\n" not in str(caught.value)


def test_clean_changes_nothing() -> None:
    """The clean channel is no channel: the very clip comes back, and the very samples where it is streamed."""
    clip = bursts()

    assert clip is parse_channel("clean").apply(clip, _rng())
    assert clip.samples.tobytes() == streamed(parse_channel("clean"), clip, 100).tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_chunks_never_change_a_channel(name: str) -> None:
    """Chunks of 10 ms, 20 ms, 37 ms and the whole clip give the same bytes, as many samples as went in."""
    clip = bursts(1.2345)

    outputs = [streamed(channel(name), clip, size) for size in (160, 320, 592, len(clip))]

    assert len(clip) == len(outputs[0])
    assert 1 == len({out.tobytes() for out in outputs})


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 24000, 44100])
@settings(max_examples=10, deadline=None)
@given(cuts=st.lists(st.integers(1, 3000), max_size=30), count=st.integers(0, 30_000))
def test_any_rate_and_any_cuts_keep_step(rate: int, cuts: list[int], count: int) -> None:
    """Sound of any rate, length and cutting comes out as long as it went in, and the same as in one piece."""
    samples = _rng(1).uniform(-0.3, 0.3, count).astype(np.float32)
    spec = channel("landline:loss=0.1,room=0.1")
    stream = spec.open(rate, -20, _rng(3))

    pieces = np.concatenate([*(stream.process(part) for part in np.split(samples, np.cumsum(cuts))), stream.flush()])

    assert count == len(pieces)
    assert streamed(spec, Clip(samples, rate), max(count, 1)).tobytes() == pieces.tobytes()


def test_other_processes_hear_the_same() -> None:
    """Every preset gives the bytes of this process in two others with other hash seeds, in chunks of 37 ms."""
    here = {name: hashlib.sha256(streamed(channel(name), bursts(1.5), 10**6).tobytes()).hexdigest() for name in NAMES}

    for seed in ("0", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        found = subprocess.run(
            [sys.executable, "-c", HASHES, *NAMES], env=environment, capture_output=True, text=True, check=True
        ).stdout
        assert here == dict(line.split() for line in found.splitlines())


@pytest.mark.parametrize("name", list(PRESETS))
def test_a_channel_keeps_step(name: str) -> None:
    """What arrives lies in step with what was said, within a sample."""
    clip = bursts(3.0)

    out = channel(name + ":loss=off,room=off").apply(clip, _rng()).samples

    size = 1 << (2 * len(clip)).bit_length()
    likeness = np.fft.irfft(np.fft.rfft(out, size) * np.conj(np.fft.rfft(clip.samples, size)), size)
    assert int(np.argmax(np.roll(likeness, 1))) in (0, 1, 2)


def test_seeds_decide_a_channel() -> None:
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


@given(snr=st.floats(-10, 40), padding=st.floats(0, 6))
@settings(max_examples=20, deadline=None)
def test_noise_is_set_against_active_speech(snr: float, padding: float) -> None:
    """Noise lies `snr` below the level of the speech on the line, within 0.5 dB, however much silence surrounds the speech."""
    speech = bursts(2.0)
    clip = concat(Clip.silence(padding, 16000), speech)
    only = "landline:band=off,codec=off"

    added = _change(f"{only},snr={snr}", f"{only},snr=off", clip).resampled(8000)

    level = decibels(active_power(speech.resampled(8000)))
    assert snr == pytest.approx(level - decibels(rms(added) ** 2), abs=0.5)


def test_a_silent_caller_is_on_a_noisy_line() -> None:
    """Where nobody speaks, noise lies below the usual level of speech: silence on a bad line is not silent."""
    out = parse_channel("landline:snr=10,band=off,codec=off").apply(Clip.silence(3, 16000), _rng()).resampled(8000)

    assert LEVEL_DBFS - 10 == pytest.approx(decibels(rms(out) ** 2), abs=0.5)


def test_a_background_is_recorded_and_must_sound() -> None:
    """A channel with a given background carries its hash in the settings, and refuses one that is silent."""
    spec = parse_channel("cafe")

    heard = spec.with_background(bursts(2.0))

    assert "babble" == spec.needs
    assert {"clip": bursts(2.0).sha256, "seconds": 2.0} == heard.settings()["background"]
    assert "background" not in spec.settings()
    assert parse_channel("cafe:snr=off").needs is None
    with pytest.raises(UsageError, match="is silent"):
        spec.with_background(Clip.silence(1, 16000))


@pytest.mark.parametrize(
    ("text", "packages"),
    [("clean", None), ("landline", "numpy soxr"), ("mobile", "numpy soxr av"), ("bad-cell", "numpy soxr av soundfile")],
)
def test_the_trace_names_what_decides_a_channel(text: str, packages: str | None) -> None:
    """Version of the channel, and of every package whose own changes would change its bytes."""
    settings = parse_channel(text).settings()

    expected = None if packages is None else {name: metadata.version(name) for name in packages.split()}
    assert expected == settings.get("channel_packages")
    assert CHANNEL_VERSION == settings["version"]


@pytest.mark.parametrize(("one", "other"), [("snr=5", "snr=20"), ("codec=gsm", "codec=mulaw"), ("room=0.3", "room=off")])
def test_one_effect_does_not_move_anothers_chance(one: str, other: str) -> None:
    """Changing noise, codec or room leaves the packets that are lost where they were."""
    clip = Clip.of(_rng(6).uniform(-0.2, 0.2, 8000 * 3), 8000)

    def lost(override: str) -> np.ndarray:
        changed = _change(f"landline:{override},loss=0.3", f"landline:{override}", clip).samples
        return np.asarray((changed != 0).reshape(-1, 160).any(axis=1))

    assert lost(one).any()
    assert np.array_equal(lost(one), lost(other))


@pytest.mark.parametrize(
    ("setting", "mild_to_severe"), [("snr", (40, 20, 10, 5, 0)), ("loss", (0, 0.05, 0.2, 0.5)), ("clip", (1, 0.1, 0.05, 0.02))]
)
def test_damage_grows_with_the_setting(setting: str, mild_to_severe: tuple[float, ...]) -> None:
    """Under one seed each step away from the mild end moves the sound further from the undamaged line."""
    clip = bursts(4.0)
    base = "" if setting == "snr" else "snr=80,"

    distances = [rms(_change(f"landline:{base}{setting}={value}", "landline:snr=80", clip)) for value in mild_to_severe]

    assert sorted(distances) == distances
    assert distances[-1] > distances[0] + 0.01


def test_every_preset_is_within_its_own_bounds() -> None:
    """Each preset's values are ones that a user might have given, and each has a summary and each setting a meaning."""
    for name, preset in PRESETS.items():
        assert preset.summary
        for key, setting in SETTINGS.items():
            assert setting.meaning
            if key in preset.values:
                assert preset.values[key] == preset.setting(key).read(str(preset.values[key])), (name, key)


def test_the_page_tells_every_preset_and_setting() -> None:
    """The tables of docs/speech.md hold what the code holds: each preset with its settings, each setting with its bounds."""
    page = (ROOT / "docs" / "speech.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}

    for name, preset in PRESETS.items():
        defaults = dict(parse_channel(name).values)
        shown = [part.partition("=") for part in rows[name].split("`")[3].split(",")]
        read = {key: preset.setting(key).read(word) for key, _, word in shown}
        left = {key: value for key, value in defaults.items() if key not in read}
        assert read == {key: defaults[key] for key in read}, name
        assert left == {key: SETTINGS[key].neutral for key in left}, name
        assert f"| {preset.summary} | {preset.rate // 1000} kHz |" in rows[name]
    for key, setting in SETTINGS.items():
        assert rows[key].endswith(f"| {setting.meaning} |")
        if isinstance(setting, Choice):
            assert all(f"`{word}" in rows[key] for word in setting.words if word != "off"), key
        else:
            assert f"| {setting.low:g} to {setting.high:g} |" in rows[key]
