"""Codecs: G.711 to the bit against independent codecs, the others by what they do to sound and when."""

from __future__ import annotations

import io

import numpy as np
import pytest
import soundfile

from speech.channel import g711, libav
from speech.channel.stream import ChannelStream
from speech.clip import Clip
from tests.speech.sounds import bursts

EVERY = np.arange(-32768, 32768).astype(np.int16)
NAMED = [*((name, 8000) for name in libav.NARROW), *((name, 16000) for name in libav.WIDE)]


def _speech(rate: int) -> np.ndarray:
    """Bursts of what every codec carries, a vowel with formants: the band of a telephone, with a pitch."""
    time = np.arange(4 * rate) / rate
    pitch = 2 * np.pi * np.cumsum(120 + 20 * np.sin(2 * np.pi * 1.5 * time)) / rate
    voice = sum(np.cos(n * pitch) / (1 + abs(n * 120 - 500) / 200) for n in range(3, 25))
    envelope = np.abs(bursts(4.0, rate).samples) > 0
    return np.asarray(0.2 * envelope * np.sin(2 * np.pi * 1.1 * time) ** 2 * voice / np.abs(voice).max(), np.float32)


def _through(name: str, rate: int, sound: np.ndarray) -> np.ndarray:
    stream = ChannelStream(rate, rate, [libav.open_codec(name, rate)])
    return np.concatenate([stream.process(sound), stream.flush()]).astype(np.float64)


@pytest.mark.parametrize(("law", "subtype", "border"), [("mulaw", "ULAW", 0), ("alaw", "ALAW", 127)])
def test_g711_is_that_of_libsndfile(law: str, subtype: str, border: int) -> None:
    """Every 16-bit value comes out as libsndfile's own G.711 codec gives it.

    Save where a negative one stands on the very border of two A-law steps: there the standard's ones' complement decides, and
    is never further off.
    """
    file = io.BytesIO()
    soundfile.write(file, EVERY, 8000, format="WAV", subtype=subtype)
    file.seek(0)

    expected, _ = soundfile.read(file, dtype="int16")

    other = EVERY[expected != g711.round_trip(law)].astype(int)
    away, back = (np.abs(table[other + 32768] - other) for table in (expected.astype(int), g711.round_trip(law).astype(int)))
    assert border == len(other)
    assert all(other < 0)
    assert np.all(back <= away)


def test_g711_codes_are_those_of_the_standard() -> None:
    """Codes of G.711 tables 1a to 2b: both ends, silence, and the virtual decision values' neighbours."""
    pcm = np.array([32767, 0, -1, -32768], np.int16)

    assert [0x80, 0xFF, 0x7F, 0x00] == g711.mu_law_encode(pcm).tolist()
    assert [0xAA, 0xD5, 0x55, 0x2A] == g711.a_law_encode(pcm).tolist()
    assert [32124, 0, 0, -32124] == g711.mu_law_decode(np.array([0x80, 0xFF, 0x7F, 0x00], np.uint8)).tolist()
    assert [32256, 8, -8, -32256] == g711.a_law_decode(np.array([0xAA, 0xD5, 0x55, 0x2A], np.uint8)).tolist()


def test_g711_codes_survive_a_second_pass() -> None:
    """Decoding and encoding again changes no code, save that mu-law's minus zero becomes zero."""
    codes = np.arange(256, dtype=np.uint8)

    assert np.array_equal(np.where(codes == 0x7F, 0xFF, codes), g711.mu_law_encode(g711.mu_law_decode(codes)))
    assert np.array_equal(codes, g711.a_law_encode(g711.a_law_decode(codes)))


@pytest.mark.parametrize(("name", "rate"), NAMED)
def test_codecs_keep_step(name: str, rate: int) -> None:
    """What a codec gives back lies in step with what went in, to a sample, and is as long."""
    sound = _speech(rate)

    out = _through(name, rate, sound)

    size = 1 << (2 * len(sound)).bit_length()
    likeness = np.fft.irfft(np.fft.rfft(out, size) * np.conj(np.fft.rfft(sound, size)), size)
    assert len(sound) == len(out)
    assert int(np.argmax(np.roll(likeness, 1))) in (0, 1, 2)


@pytest.mark.parametrize(
    ("name", "rate", "low", "high"),
    [
        ("mulaw", 8000, 35, 40),
        ("alaw", 8000, 35, 40),
        ("gsm", 8000, 4, 18),
        ("amr", 8000, 6, 22),
        ("opus", 8000, 4, 22),
        ("opus", 16000, 4, 22),
        ("g722", 16000, 20, 45),
    ],
)
def test_codecs_cost_what_they_cost(name: str, rate: int, low: float, high: float) -> None:
    """Signal over error in dB: logarithmic codes stay near 38, codecs that model the voice keep only its outline."""
    sound = _speech(rate)

    error = _through(name, rate, sound) - sound

    assert low < 10 * np.log10(np.mean(sound**2) / np.mean(error**2)) < high


@pytest.mark.parametrize(("name", "rate"), NAMED)
def test_codecs_are_the_same_again(name: str, rate: int) -> None:
    """A second codec of the kind gives the same bytes, and silence stays all but silent."""
    sound = _speech(rate)

    assert _through(name, rate, sound).tobytes() == _through(name, rate, sound).tobytes()
    assert np.abs(_through(name, rate, Clip.silence(0.5, rate).samples)).max() < 2e-3
