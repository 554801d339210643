"""The gate for sound from outside: what is whole comes in with notes of every change, all else is one line."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from speech.intake import Claims, take, take_file
from tests.speech.sounds import bursts
from tests.support.hostile_audio import PCM, RATE, Hostile, encoded, refused, wav

HOSTILE = refused()
SOUND = PCM.tobytes()


def _clip(data: bytes, name: str = "a.wav") -> tuple[np.ndarray, tuple[str, ...]]:
    clip, notes = take(data, Claims(name)).clip()
    assert RATE == clip.sample_rate
    return clip.samples, notes


def test_there_are_more_than_fifty_hostile_sounds() -> None:
    """Fifty were asked for, each under a name of its own."""
    assert len(HOSTILE) >= 50
    assert len(HOSTILE) == len({each.name for each in HOSTILE})


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda each: each.name)
def test_hostile_sound_is_one_line(tmp_path: Path, hostile: Hostile) -> None:
    """It is refused for its own fault, in one printable line that names it, in little time."""
    path = hostile.at(tmp_path)
    started = time.monotonic()

    with pytest.raises(InputError, match=hostile.says) as caught:
        take_file(path).clip()

    assert time.monotonic() - started < 5
    assert str(caught.value).isprintable()
    assert repr(str(path)) in str(caught.value) or "cancel" in str(caught.value)


def test_a_header_claims_no_memory() -> None:
    """A FLAC of 150 bytes that announces 2 hours in 8 channels is refused before anything is set aside for it."""
    claim = encoded("FLAC", None, np.zeros((16, 8), np.int16))
    packed = int.from_bytes(claim[18:26], "big") >> 36 << 36 | RATE * 1700
    bomb = claim[:18] + packed.to_bytes(8, "big") + claim[26:]
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="8 channels"):
            take(bomb, Claims("bomb.flac"))
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_a_plain_file_comes_in_untouched() -> None:
    """16-bit mono under its own name: the very samples, and nothing to note."""
    for data, name in ((wav(SOUND), "a.wav"), (wav(SOUND), "A.WAV"), (encoded("FLAC"), "a.flac"), (wav(SOUND), "answer")):
        samples, notes = _clip(data, name)
        assert np.array_equal(PCM / np.float32(32768), samples)
        assert () == notes


@pytest.mark.parametrize(
    ("subtype", "off_by"),
    [("PCM_U8", 1 / 128), ("PCM_24", 0), ("PCM_32", 0), ("FLOAT", 0), ("DOUBLE", 0), ("ULAW", 0.02), ("ALAW", 0.02)],
)
@pytest.mark.parametrize("form", ["WAV", "WAVEX"])
def test_other_samples_are_converted_and_said_so(subtype: str, off_by: float, form: str) -> None:
    """8, 24 and 32 bits, floats and both laws of the telephone come in, as exactly as they hold the sound."""
    samples, notes = _clip(encoded(form, subtype))

    assert np.abs(samples - PCM / np.float32(32768)).max() <= off_by
    assert (f"{subtype} samples were brought to 32-bit float",) == notes


def test_a_sound_under_another_name_or_type_is_said_so() -> None:
    """A FLAC named .wav and sent as MP3 is read for what it is; both claims are noted."""
    taken = take(encoded("FLAC"), Claims("a.wav", "audio/mpeg; q=1"))

    assert ("named .wav and is FLAC", "sent as audio/mpeg and is FLAC") == taken.notes
    assert () == take(encoded("FLAC"), Claims("a.flac", "application/octet-stream")).notes


def test_floats_beyond_full_scale_are_turned_down() -> None:
    """Samples of 16 bits written as floats come back as what they were; how much they were turned down is noted."""
    samples, notes = _clip(wav(PCM.astype("<f4").tobytes(), tag=3, bits=32))

    assert 1 == pytest.approx(np.abs(samples).max())
    assert np.corrcoef(samples, PCM)[0, 1] == pytest.approx(1)
    assert "FLOAT samples were brought to 32-bit float" == notes[0]
    assert "turned down by" in notes[1]


def test_several_channels_are_averaged_or_refused() -> None:
    """Stereo comes in as its mean, also where one side is silent, and is noted; whoever wants one channel may refuse it."""
    stereo = np.stack([PCM, np.zeros_like(PCM)], axis=1)
    taken = take(wav(stereo.tobytes(), channels=2), Claims("a.wav"))

    clip, notes = taken.clip()
    assert np.allclose(PCM / np.float32(65536), clip.samples)
    assert ("2 channels were averaged into one",) == notes
    with pytest.raises(InputError, match="2 channels where one is wanted"):
        taken.clip("refuse")


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF])
def test_a_streamed_wav_is_read_to_its_end(size: int) -> None:
    """A header that leaves the length open, at both places, is no truncation; it is noted."""
    samples, notes = _clip(wav(SOUND, data_size=size, riff_size=size))

    assert len(PCM) == len(samples)
    assert ("its header leaves its length open: read to the end",) == notes


def test_bytes_behind_the_end_are_no_sound() -> None:
    """What follows the end that a WAV announces is left out, and how much it was is noted."""
    whole = encoded("WAV", "PCM_16")
    samples, notes = _clip(whole + b"junk" * 1000)
    assert ("4000 bytes follow its end: they were left out",) == notes
    assert np.array_equal(_clip(whole)[0], samples)


def test_other_chunks_are_passed_over() -> None:
    """Titles before and after the samples are no samples."""
    data = wav(SOUND)
    title = b"LIST\x05\x00\x00\x00title\x00"
    body = data[12:36] + title + data[36:] + title

    samples, _ = _clip(b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WAVE" + body)

    assert np.array_equal(PCM / np.float32(32768), samples)


@pytest.mark.parametrize(
    ("claims", "says"),
    [
        (Claims("a.wav", sample_rate=8000), "rate of 16000 Hz and not the 8000 Hz claimed"),
        (Claims("a.wav", seconds=238.0), "lasts 1.00 s and not the 238.00 s claimed"),
        (Claims("a.wav", seconds=0.5), "lasts 1.00 s and not the 0.50 s claimed"),
    ],
)
def test_false_claims_are_refused(claims: Claims, says: str) -> None:
    """A sound at another rate or of another length than claimed is another sound."""
    with pytest.raises(InputError, match=says):
        take(wav(SOUND), claims)


def test_true_claims_pass() -> None:
    """Rate and length as claimed, the length within a tenth of a second."""
    assert len(PCM) == len(take(wav(SOUND), Claims("a.wav", "audio/wav", RATE, 1.05)).samples)


def test_samples_just_below_zero_are_no_mp3() -> None:
    """Bare samples that begin with the first bits of an MP3 frame, as faint noise does, are taken for what they are."""
    for second in (-1, -2, 0, 1):
        faint = np.full(RATE, second, "<i2")
        faint[0] = -1
        assert RATE == len(take(faint.tobytes(), Claims("faint", "audio/pcm", RATE)).samples)


def test_samples_without_a_header_need_a_claim() -> None:
    """Raw PCM comes in where its type and rate are claimed; words or another form under that type do not become noise."""
    clip, notes = take(SOUND, Claims("answer", "audio/pcm", RATE)).clip()
    assert (PCM.tolist(), ()) == (clip.to_pcm16().tolist(), notes)
    assert ("sent as audio/pcm and is WAV",) == take(wav(SOUND), Claims("answer", "audio/pcm", RATE)).notes
    for data, content_type, rate, says in (
        (SOUND, "audio/pcm", None, "no sample rate is claimed"),
        (SOUND[:-1], "audio/pcm", RATE, "in the middle of a 16-bit sample"),
        (b'{"error": "quota"}', "audio/pcm", RATE, "but JSON"),
        (encoded("MP3"), "audio/pcm", RATE, "but MP3"),
        (SOUND, "audio/wav", RATE, "bytes like"),
        (SOUND, "audio/pcm", 0, "sample rate of 0 Hz"),
    ):
        with pytest.raises(InputError, match=says):
            take(data, Claims("answer", content_type, rate))


def _taken(data: bytes) -> tuple[np.ndarray, str]:
    """The samples, or none and the line that refuses them."""
    try:
        return take(data, Claims("a.wav")).samples, ""
    except InputError as error:
        return np.zeros(0), str(error)


@given(st.binary(max_size=400), st.sampled_from([b"", b"RIFF\x00\x00\x00\x00WAVE", b"fLaC\x00\x00\x00\x22", b"\xff\xfb"]))
def test_any_bytes_are_sound_or_one_line(noise: bytes, head: bytes) -> None:
    """Whatever comes, the gate gives finite samples or an input error, and nothing else."""
    samples, refusal = _taken(head + noise)

    assert refusal.isprintable()
    assert np.isfinite(samples).all()
    assert bool(refusal) != bool(samples.size)


@given(st.integers(0, 200), st.integers(0, 255))
def test_one_wrong_byte_never_breaks_the_gate(place: int, value: int) -> None:
    """A byte of the header changed to any other gives the sound, another sound of no more samples, or one line."""
    data = bytearray(wav(bursts(0.2).to_pcm16().tobytes()))
    data[place] = value

    samples, refusal = _taken(bytes(data))

    assert refusal.isprintable()
    assert samples.size <= len(data)
    assert bool(refusal) != bool(samples.size)
