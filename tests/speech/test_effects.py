"""Channel effects: each does what its figures say, by measurement, and chance comes from the generator alone."""

from __future__ import annotations

import io

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from speech.channel import effects
from speech.channel.effects import Effect
from speech.clip import Clip, concat
from speech.level import active_power, decibels
from tests.speech.sounds import bursts, rms, tone

RATE = 8000
CHANCY = [effects.pink_noise(10), effects.packet_loss(0.3)]
PLAIN = [effects.band_pass(300, 3400), effects.gain(-6), effects.clipping(0.1), effects.mu_law()]


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def _noise_of(clip: Clip, snr: float, seed: int) -> np.ndarray:
    return effects.pink_noise(snr)(clip, _rng(seed)).samples.astype(np.float64) - clip.samples


@given(snr=st.floats(-10, 60), seed=st.integers(0, 2**32), padding=st.floats(0, 6))
def test_snr_is_kept_against_active_speech(snr: float, seed: int, padding: float) -> None:
    """Noise lies `snr` below the level of the speech itself, within 0.5 dB, however much silence surrounds the speech."""
    speech = bursts(2.0, RATE)
    clip = concat(Clip.silence(padding, RATE), speech)

    measured = decibels(active_power(speech)) - decibels(float(np.mean(_noise_of(clip, snr, seed) ** 2)))

    assert snr == pytest.approx(measured, abs=0.5)


def test_noise_is_pink() -> None:
    """Octaves from 62.5 Hz to 4 kHz hold equal power within 1.5 dB, and nothing lies below 20 Hz."""
    noise = _noise_of(bursts(20.0, RATE), 0, 7)
    power = np.abs(np.fft.rfft(noise)) ** 2
    frequency = np.fft.rfftfreq(len(noise), 1 / RATE)
    octaves = [decibels(float(power[(frequency >= f) & (frequency < 2 * f)].sum())) for f in (62.5, 125, 250, 500, 1000, 2000)]

    assert max(octaves) - min(octaves) < 1.5
    assert power[(frequency > 0) & (frequency < 20)].sum() / power.sum() < 1e-6


def test_noise_on_silence_is_nothing() -> None:
    """Without speech there is no level to be relative to, and silence stays silence."""
    silence = Clip.silence(1, RATE)

    assert silence.sha256 == effects.pink_noise(0)(silence, _rng()).sha256


@pytest.mark.parametrize(
    ("hertz", "expected", "tolerance"), [(300, -3.01, 0.1), (3400, -3.01, 0.1), (1000, 0, 0.05), (100, -38, 1), (50, -62, 3)]
)
def test_band_pass_has_its_corners(hertz: float, expected: float, tolerance: float) -> None:
    """-3 dB at 300 and 3400 Hz, nothing lost between, and 24 dB per octave below: a Butterworth filter of order 4."""
    clip = tone(hertz, 2.0, RATE)
    middle = slice(RATE // 2, -RATE // 2)

    out = effects.band_pass(300, 3400)(clip, _rng())

    change = 20 * np.log10(np.std(out.samples[middle]) / np.std(clip.samples[middle]))
    assert expected == pytest.approx(change, abs=tolerance)


def test_mu_law_is_g711() -> None:
    """Every 16-bit value comes out as libsndfile's own G.711 mu-law codec gives it."""
    pcm = np.arange(-32768, 32768).astype(np.int16)
    file = io.BytesIO()
    soundfile.write(file, pcm, RATE, format="WAV", subtype="ULAW")
    file.seek(0)

    expected, _ = soundfile.read(file, dtype="int16")

    assert np.array_equal(expected, effects.mu_law_decode(effects.mu_law_encode(pcm)))


def test_mu_law_codes_survive_a_second_pass() -> None:
    """Decoding and encoding again changes no code, save that minus zero becomes zero."""
    codes = np.arange(256, dtype=np.uint8)

    again = effects.mu_law_encode(effects.mu_law_decode(codes))

    assert np.array_equal(np.where(codes == 0x7F, 0xFF, codes), again)


def test_gain_and_clipping() -> None:
    """-6.02 dB halves every sample; clipping at 0.1 leaves nothing above it and all below it."""
    clip = bursts(1.0, RATE, level=0.3)

    halved = effects.gain(-6.0206)(clip, _rng())
    clipped = effects.clipping(0.1)(clip, _rng())

    assert np.allclose(clip.samples / 2, halved.samples, atol=1e-6)
    assert np.float32(0.1) == np.abs(clipped.samples).max()
    quiet = np.abs(clip.samples) <= 0.1
    assert np.array_equal(clip.samples[quiet], clipped.samples[quiet])


def test_loss_has_its_probability_and_its_frames() -> None:
    """At 0.2 a fifth of the 20 ms packets changes, whole packets only; at 0 none does."""
    clip = Clip.of(_rng(3).uniform(0.1, 0.2, RATE * 60), RATE)

    out = effects.packet_loss(0.2)(clip, _rng(1))

    changed = (out.samples != clip.samples).reshape(-1, 160)
    assert set(changed.sum(axis=1)) <= {0, *range(158, 161)}
    assert pytest.approx(0.2, abs=0.02) == changed.any(axis=1).mean()
    assert clip.sha256 == effects.packet_loss(0)(clip, _rng(1)).sha256


@given(low=st.floats(0, 0.9), high=st.floats(0, 0.9), seed=st.integers(0, 1000))
def test_more_loss_loses_the_same_and_more(low: float, high: float, seed: int) -> None:
    """Under one seed a packet lost at a lower probability is lost at every higher one: damage is monotone."""
    low, high = sorted((low, high))
    clip = Clip.of(_rng(4).uniform(0.1, 0.2, RATE * 2), RATE)

    fewer = effects.packet_loss(low)(clip, _rng(seed)).samples != clip.samples
    more = effects.packet_loss(high)(clip, _rng(seed)).samples != clip.samples

    assert not np.any(fewer.reshape(-1, 160).any(axis=1) & ~more.reshape(-1, 160).any(axis=1))


def test_concealment_repeats_and_fades() -> None:
    """A lost packet repeats the one before under a falling ramp; a burst is silent after 60 ms; what arrives is untouched."""
    clip = Clip.of(np.ones(160 * 8) * 0.5, RATE)
    lost = np.array([False, True, True, True, True, False, True, False])

    out = effects._conceal(clip.samples, lost, 160, 480)

    assert np.allclose(0.5 * (1 - np.arange(480) / 480), out[160:640])
    assert not out[640:800].any()
    assert np.allclose(0.5 * (1 - np.arange(160) / 480), out[960:1120])
    assert np.all(out[800:960] == 0.5)


@pytest.mark.parametrize("effect", CHANCY)
def test_the_generator_decides(effect: Effect) -> None:
    """Equal seeds give equal samples, different seeds different ones, and the input is not touched."""
    clip = bursts(1.0, RATE)
    before = clip.sha256

    assert effect(clip, _rng(1)).sha256 == effect(clip, _rng(1)).sha256
    assert effect(clip, _rng(1)).sha256 != effect(clip, _rng(2)).sha256
    assert before == clip.sha256


@pytest.mark.parametrize("effect", [*CHANCY, *PLAIN])
@pytest.mark.parametrize("count", [0, 1, 159, 161, 4001])
def test_length_and_rate_stay(effect: Effect, count: int) -> None:
    """Clips of any length, empty ones too, keep length and rate and stay finite."""
    clip = Clip.of(_rng(5).uniform(-0.5, 0.5, count), RATE)

    out = effect(clip, _rng())

    assert (count, RATE) == (len(out), out.sample_rate)
    assert np.isfinite(out.samples).all()


def test_a_chain_gives_each_effect_its_own_chance() -> None:
    """Changing the noise of a chain does not move the packets that its loss takes."""
    clip = Clip.of(_rng(6).uniform(0.1, 0.2, RATE), RATE)

    def lost(snr: float) -> np.ndarray:
        noisy = effects.chain(effects.pink_noise(snr), effects.packet_loss(0))(clip, _rng(1))
        cut = effects.chain(effects.pink_noise(snr), effects.packet_loss(0.3))(clip, _rng(1))
        return np.asarray((noisy.samples != cut.samples).reshape(-1, 160).any(axis=1))

    assert lost(40).any()
    assert np.array_equal(lost(40), lost(20))


def test_level_is_measured_on_speech_not_on_its_mean() -> None:
    """The same bursts with longer pauses get the same noise, where the mean power would have halved it."""
    speech = bursts(4.0, RATE)
    sparse = concat(speech, Clip.silence(4.0, RATE))

    dense_noise = np.std(_noise_of(speech, 10, 1))
    sparse_noise = np.std(_noise_of(sparse, 10, 1))

    assert rms(sparse) < 0.75 * rms(speech)
    assert dense_noise == pytest.approx(sparse_noise, rel=0.06)
