"""Channel effects: each does what its figures say, by measurement, and chance comes from the generator alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speech.channel import effects, noise
from speech.channel.effects import Frame, Stage
from speech.channel.stream import ChannelStream
from speech.level import active_power, decibels
from tests.speech.sounds import bursts, tone

RATE = 8000
FRAME = effects.frame_samples(RATE)
STAGES: dict[str, Callable[[], Stage]] = {
    "room": lambda: effects.room(0.3, RATE, _rng(1)),
    "noise": lambda: effects.Noise(noise.made_loop("pink", RATE, _rng(2)), -30, _rng(3)),
    "band": lambda: effects.band_pass(300, 3400, RATE),
    "gain": lambda: effects.Gain(-6),
    "clipping": lambda: effects.Clipping(0.1),
    "mulaw": lambda: effects.G711("mulaw"),
    "loss": lambda: effects.PacketLoss(0.3, 3, RATE, _rng(4)),
}


def _rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def _through(stage: Stage, samples: Frame) -> Frame:
    """What a stage makes of samples, fed as a channel feeds it; lateness made up for."""
    stream = ChannelStream(RATE, RATE, [stage])
    return np.concatenate([stream.process(samples.astype(np.float32)), stream.flush()]).astype(np.float64)


def _steady(count: int, seed: int = 4) -> Frame:
    return _rng(seed).uniform(0.1, 0.2, count).astype(np.float32).astype(np.float64)


def _lost(probability: float, burst: float, packets: int, seed: int) -> np.ndarray:
    sound = _steady(packets * FRAME)
    out = _through(effects.PacketLoss(probability, burst, RATE, _rng(seed)), sound)
    return np.asarray((out != sound).reshape(-1, FRAME).any(axis=1))


@pytest.mark.parametrize("kind", noise.MADE)
@given(snr=st.floats(-10, 60), seed=st.integers(0, 2**32))
def test_noise_has_its_level(kind: str, snr: float, seed: int) -> None:
    """Noise of every kind lies `snr` below the level of active speech, within 0.5 dB over two seconds."""
    speech = bursts(2.0, RATE)
    level = decibels(active_power(speech))
    added = effects.Noise(noise.made_loop(kind, RATE, _rng(seed)), level - snr, _rng(seed + 1))

    made = np.concatenate([added.process(np.zeros(FRAME)) for _ in range(100)])

    assert snr == pytest.approx(level - decibels(float(np.mean(made**2))), abs=0.5)


def _octaves(kind: str) -> tuple[list[float], Frame, Frame]:
    loop = noise.made_loop(kind, RATE, _rng(7))
    power: Frame = np.abs(np.fft.rfft(loop)) ** 2
    frequency: Frame = np.fft.rfftfreq(len(loop), 1 / RATE).astype(np.float64)
    edges = (62.5, 125, 250, 500, 1000, 2000)
    return [decibels(float(power[(frequency >= f) & (frequency < 2 * f)].sum())) for f in edges], power, frequency


def test_noise_has_its_colour() -> None:
    """Octaves hold equal power in pink noise, twice the one below in white; pink noise has nothing below 20 Hz."""
    pink, power, frequency = _octaves("pink")
    white, _power, _frequency = _octaves("white")

    assert max(pink) - min(pink) < 1.5
    assert np.allclose(3.01, np.diff(white), atol=1)
    assert power[frequency < 20].sum() / power.sum() < 1e-6


@pytest.mark.parametrize("hertz", [50, 60])
def test_hum_is_mains(hertz: int) -> None:
    """Hum holds its fundamental and its harmonics, each weaker by its number, and nothing between them."""
    loop = noise.made_loop(f"hum{hertz}", RATE, _rng(1))
    amplitude = np.abs(np.fft.rfft(loop))

    assert len(loop) == RATE
    assert np.allclose(amplitude[hertz] / np.arange(1, 21), amplitude[hertz : 21 * hertz : hertz])
    assert np.count_nonzero(amplitude > amplitude[hertz] * 1e-6) == 20


def test_a_loop_goes_on_without_a_seam() -> None:
    """Noise runs round its loop from a place of its own: any stretch as long as the loop holds each sample once."""
    loop = noise.made_loop("white", RATE, _rng(1))
    added = effects.Noise(loop, 0, _rng(2))

    made = np.concatenate([added.process(np.zeros(FRAME)) for _ in range(2 * len(loop) // FRAME)])

    assert np.array_equal(np.sort(loop), np.sort(made[: len(loop)]))
    assert np.array_equal(made[:FRAME], made[len(loop) : len(loop) + FRAME])


@pytest.mark.parametrize(
    ("hertz", "expected", "tolerance"), [(300, -3.01, 0.1), (3400, -3.01, 0.1), (1000, 0, 0.05), (100, -38, 1), (50, -62, 3)]
)
def test_band_pass_has_its_corners(hertz: float, expected: float, tolerance: float) -> None:
    """-3 dB at 300 and 3400 Hz, nothing lost between, and 24 dB per octave below: a Butterworth filter of order 4."""
    sound = tone(hertz, 2.0, RATE).samples.astype(np.float64)
    middle = slice(RATE // 2, -RATE // 2)

    out = _through(effects.band_pass(300, 3400, RATE), sound)

    assert expected == pytest.approx(20 * np.log10(np.std(out[middle]) / np.std(sound[middle])), abs=tolerance)


@pytest.mark.parametrize("rt60", [0.1, 0.4, 1.0])
def test_a_room_dies_away_as_stated(rt60: float) -> None:
    """Echoes fall by 60 dB in the stated time (slope of the energy still to come), 3 dB under a direct sound that is not late."""
    click = np.zeros(2 * RATE)
    click[0] = 1.0

    response = _through(effects.room(rt60, RATE, _rng(3)), click)

    left = np.cumsum(response[::-1] ** 2)[::-1]
    steps = np.arange(round(0.1 * rt60 * RATE), round(0.6 * rt60 * RATE))
    slope = np.polyfit(steps / RATE, 10 * np.log10(left[steps]), 1)[0]
    assert rt60 == pytest.approx(-60 / slope, rel=0.1)
    assert 0 == int(np.argmax(np.abs(response)))
    assert 3.0 == pytest.approx(decibels(response[0] ** 2) - decibels(float(np.sum(response[1:] ** 2))), abs=0.05)
    assert 1.0 == pytest.approx(float(np.sum(response**2)), abs=1e-3)


@given(seed=st.integers(0, 1000), taps=st.integers(1, 700))
def test_filtering_in_frames_is_convolution(seed: int, taps: int) -> None:
    """Frame by frame a filter gives what numpy's convolution of the whole sound gives."""
    sound, response = _rng(seed).standard_normal(5 * FRAME), _rng(seed + 1).standard_normal(taps)
    filtered = effects.Filter(response, 0, FRAME)

    out = np.concatenate([filtered.process(frame) for frame in np.split(sound, 5)])

    assert np.allclose(np.convolve(sound, response)[: len(sound)], out, atol=1e-9)


def test_gain_and_clipping() -> None:
    """-6.02 dB halves every sample; clipping at 0.1 leaves nothing above it and all below it."""
    sound = bursts(1.0, RATE, level=0.3).samples.astype(np.float64)

    clipped = effects.Clipping(0.1).process(sound)

    assert np.allclose(sound / 2, effects.Gain(-6.0206).process(sound), atol=1e-6)
    assert 0.1 == np.abs(clipped).max()
    assert np.array_equal(sound[np.abs(sound) <= 0.1], clipped[np.abs(sound) <= 0.1])


@pytest.mark.parametrize(("loss", "burst"), [(0.05, 1.0), (0.2, 1.0), (0.08, 3.0), (0.1, 5.0), (0.5, 1.0)])
def test_loss_has_its_share_and_its_bursts(loss: float, burst: float) -> None:
    """Over 40,000 packets the share lost and the mean burst are those asked for; with burst 1, losses are independent."""
    lost = _lost(loss, burst, 40_000, 1)

    begins = lost & ~np.concatenate([[False], lost[:-1]])
    assert loss == pytest.approx(lost.mean(), rel=0.1)
    assert max(burst, 1 / (1 - loss)) == pytest.approx(lost.sum() / begins.sum(), rel=0.1)


def test_loss_takes_whole_packets() -> None:
    """Packets of 20 ms change whole or not at all, and at 0 none does."""
    sound = _steady(RATE * 20)

    changed = (_through(effects.PacketLoss(0.2, 1, RATE, _rng(1)), sound) != sound).reshape(-1, FRAME)

    assert set(changed.sum(axis=1)) <= {0, *range(FRAME - 2, FRAME + 1)}
    assert changed.any()
    assert np.array_equal(sound, _through(effects.PacketLoss(0, 1, RATE, _rng(1)), sound))


@given(low=st.floats(0, 0.9), high=st.floats(0, 0.9), burst=st.floats(1, 20), seed=st.integers(0, 1000))
def test_more_loss_loses_the_same_and_more(low: float, high: float, burst: float, seed: int) -> None:
    """Under one seed a packet lost at a lower probability is lost at every higher one: damage is monotone."""
    low, high = sorted((low, high))

    assert not np.any(_lost(low, burst, 100, seed) & ~_lost(high, burst, 100, seed))


def test_concealment_repeats_and_fades() -> None:
    """A lost packet repeats the one before under a falling ramp; a burst is silent after 60 ms; what arrives is untouched."""
    lost = _lost(0.4, 6, 400, 5)
    runs = "".join("x" if packet else "." for packet in lost)
    start = runs.index(".xxxx") + 1
    out = _through(effects.PacketLoss(0.4, 6, RATE, _rng(5)), np.full(400 * FRAME, 0.5)).reshape(-1, FRAME)

    assert np.allclose(0.5 * (1 - np.arange(3 * FRAME) / (3 * FRAME)), out[start : start + 3].ravel(), atol=1e-6)
    assert not out[start + 3].any()
    assert np.all(out[~lost] == 0.5)


@pytest.mark.parametrize("name", ["room", "noise", "loss"])
def test_the_generator_decides(name: str) -> None:
    """Equal seeds give equal samples, different seeds different ones."""
    sound = bursts(1.0, RATE).samples.astype(np.float64)
    made: dict[str, Callable[[int], Stage]] = {
        "room": lambda seed: effects.room(0.3, RATE, _rng(seed)),
        "noise": lambda seed: effects.Noise(noise.made_loop("white", RATE, _rng(0)), -30, _rng(seed)),
        "loss": lambda seed: effects.PacketLoss(0.3, 3, RATE, _rng(seed)),
    }

    first, again, other = (_through(made[name](seed), sound) for seed in (1, 1, 2))

    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("name", STAGES)
@given(cuts=st.lists(st.integers(1, 700), max_size=20), count=st.integers(0, 4000))
def test_chunks_never_change_an_effect(name: str, cuts: list[int], count: int) -> None:
    """However the sound is cut up on its way in, every effect gives the same bytes, as many as went in, all finite."""
    sound = _rng(5).uniform(-0.5, 0.5, count).astype(np.float32)
    whole = ChannelStream(RATE, RATE, [STAGES[name]()])
    pieces = ChannelStream(RATE, RATE, [STAGES[name]()])

    expected = np.concatenate([whole.process(sound), whole.flush()])
    actual = np.concatenate([*(pieces.process(part) for part in np.split(sound, np.cumsum(cuts))), pieces.flush()])

    assert expected.tobytes() == actual.tobytes()
    assert count == len(actual)
    assert np.isfinite(actual).all()
