"""Quality control of a rendered call: sound calls pass in little time, each defect and each trap of a header is told by name."""

from __future__ import annotations

import io
import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.schemas.snapshots import CallAudio, SnapshotCall, TurnSpan
from speech import audiofile
from speech.clip import Clip
from speech.qc import Check
from speech.rendering import quality
from speech.rendering.timeline import SAMPLE_RATE
from tests.speech.dialogues import sounding
from tests.speech.sounds import tone

Samples = np.ndarray


def _row(clip: Clip, call: SnapshotCall, spans: tuple[TurnSpan, ...]) -> CallAudio:
    return CallAudio(
        path=f"audio/{call.sample_id}.wav",
        sha256="0" * 64,
        sample_rate=SAMPLE_RATE,
        samples=len(clip),
        spans=spans,
        channel="clean",
        engines={},
        checks=(),
    )


def _failed(checks: tuple[Check, ...]) -> set[str]:
    return {each.name for each in checks if not each.passed}


def _wav(clip: Clip) -> bytes:
    return audiofile.encode(clip.to_pcm16()[:, None], clip.sample_rate, "WAV")


def test_a_sound_call_passes_every_check_at_full_and_at_low_level() -> None:
    """Value and bounds are there for every check, none fails, also with a gain of 0.3."""
    clip, call, spans = sounding()

    for gain in (1.0, 0.3):
        checks = quality.inspect_file(_wav(Clip.of(clip.samples * gain, SAMPLE_RATE)), call, _row(clip, call, spans))
        assert set() == _failed(checks)
        assert () == quality.reasons(checks)
    kept = quality.recorded(checks)
    assert [each.name for each in checks] == [each.name for each in kept]
    assert all(each.passed and (each.low is not None or each.high is not None) for each in kept)


def test_three_minutes_in_less_than_three_tenths_of_a_second() -> None:
    """A call of three minutes is inspected in less than 0.3 s of processor time, the file read."""
    clip, call, spans = sounding(180)
    data, row = _wav(clip), _row(clip, call, spans)
    spent = []
    for _ in range(4):
        started = time.process_time()
        assert set() == _failed(quality.inspect_file(data, call, row))
        spent.append(time.process_time() - started)

    assert min(spent) < 0.3


def test_a_cut_of_a_call_is_refused_for_its_duration() -> None:
    """Eight seconds of a call of 238 are refused against the row, against the words, and for turns that are not there."""
    clip, call, spans = sounding(238.5)
    cut = clip.cut(0, 8 * SAMPLE_RATE)

    checks = quality.inspect_file(_wav(cut), call, _row(clip, call, spans))

    assert {"duration_s", "speech_s", "turns_outside"} == _failed(checks)
    (said,) = [line for line in quality.reasons(checks) if line.startswith("duration_s")]
    assert said == f"duration_s 8 is not within {clip.duration_s - 0.01:g} to {clip.duration_s + 0.01:g}"


def test_a_cut_that_its_row_agrees_with_is_refused_for_its_words() -> None:
    """A row made from the cut file does not save it: its words need longer."""
    clip, call, spans = sounding(238.5)
    cut = clip.cut(0, 8 * SAMPLE_RATE)

    assert {"speech_s", "turns_outside"} == _failed(quality.inspect_file(_wav(cut), call, _row(cut, call, spans)))


def _turn(samples: Samples, part: Callable[[Samples], Samples], number: int = 1) -> Samples:
    _, _, spans = sounding()
    start, end = spans[number].start_sample, spans[number].end_sample
    samples[start:end] = part(samples[start:end])
    return samples


def _noise(samples: Samples) -> Samples:
    return 0.05 * np.random.default_rng(4).standard_normal(len(samples))


def _dropout(turn: Samples) -> Samples:
    turn[40000:85000] = 0
    return turn


def _one_side_faint(samples: Samples) -> Samples:
    for number in (1, 3):
        samples = _turn(samples, lambda turn: turn * 0.1, number)
    return samples


DEFECTS: dict[str, tuple[Callable[[Samples], Samples], str]] = {
    "silence": (lambda samples: samples * 0, "loudness_lufs"),
    "a turn nobody speaks": (lambda samples: _turn(samples, lambda turn: turn * 0), "turn_over_gaps_db"),
    "clipping": (lambda samples: np.clip(samples * 60, -1, 1), "clipped_share"),
    "offset": (lambda samples: samples + 0.03, "dc_offset"),
    "a tone": (lambda samples: _turn(samples, lambda turn: tone(440, 6, SAMPLE_RATE, 0.1).samples[: len(turn)]), "tone_flatness"),
    "white noise": (lambda samples: _turn(samples, _noise), "noise_flatness"),
    "a dropout": (lambda samples: _turn(samples, _dropout), "pause_s"),
    "mostly silence": (
        lambda samples: _turn(samples, lambda turn: turn * (np.arange(len(turn)) % 48000 < 9600)),
        "silence_share",
    ),
    "too quiet": (lambda samples: samples * 0.05, "loudness_lufs"),
    "one speaker far away": (_one_side_faint, "balance_db"),
    "truncation": (lambda samples: samples[:-9000], "duration_s"),
    "more at the end": (lambda samples: np.concatenate([samples, samples[:9000]]), "duration_s"),
    "not a number": (lambda samples: np.where(np.arange(len(samples)) == 5, np.nan, samples), "non_finite_samples"),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_each_defect_is_found_by_name(defect: str) -> None:
    """What is wrong fails the check that is there for it."""
    spoil, name = DEFECTS[defect]
    clip, call, spans = sounding()

    checks = quality.inspect_call(Clip.of(spoil(clip.samples.copy()), SAMPLE_RATE), call, spans, len(clip))

    assert name in _failed(checks)
    assert any(line.startswith(name) and "is not within" in line for line in quality.reasons(checks))


def test_what_is_too_quiet_is_told_the_level_to_bring_it_to() -> None:
    """The reason says what to do."""
    clip, call, spans = sounding()

    checks = quality.inspect_call(Clip.of(clip.samples * 0.05, SAMPLE_RATE), call, spans, len(clip))

    (said,) = quality.reasons(checks)
    assert said.startswith("loudness_lufs -")
    assert said.endswith("is not within -45 to -8: bring its speech to -23 dBFS")


def test_turns_out_of_place_are_found() -> None:
    """Spans that are missing, overlap, are swapped or are far too short for their words."""
    clip, call, spans = sounding()

    def failed(changed: tuple[TurnSpan, ...]) -> set[str]:
        return _failed(quality.inspect_call(clip, call, changed, len(clip)))

    def moved(number: int, **places: int) -> tuple[TurnSpan, ...]:
        return (*spans[:number], spans[number].model_copy(update=places), *spans[number + 1 :])

    assert "turns" in failed(spans[:-1])
    assert {"turns_out_of_order"} == failed(moved(1, start_sample=spans[0].end_sample - 100))
    assert "turns_out_of_order" in failed((spans[1], spans[0], *spans[2:]))
    assert {"turns_off_their_text"} == failed(moved(2, start_sample=spans[2].end_sample - SAMPLE_RATE // 2))


def _chunked(clip: Clip, before: bytes = b"", after: bytes = b"") -> bytes:
    """A WAV written by hand, with chunks before and behind its samples."""
    pcm = clip.to_pcm16().tobytes()
    layout = struct.pack("<HHIIHH", 1, 1, clip.sample_rate, clip.sample_rate * 2, 2, 16)
    body = b"WAVE" + b"fmt " + struct.pack("<I", 16) + layout + before + b"data" + struct.pack("<I", len(pcm)) + pcm + after
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _list(text: bytes) -> bytes:
    return b"LIST" + struct.pack("<I", len(text)) + text + b"\0" * (len(text) % 2)


def test_other_chunks_shift_no_sample() -> None:
    """A LIST that holds the word data stands before the samples, an odd one behind them: the sound is the same."""
    clip, _, _ = sounding()

    for data in (_chunked(clip, before=_list(b"INFOmetadata x")), _chunked(clip, after=_list(b"INFOodd"))):
        found, checks = quality.read_wav(data)
        assert clip.sha256 == found.sha256
        assert set() == _failed(checks)


def _encoded(clip: Clip, rate: int = SAMPLE_RATE, channels: int = 1, subtype: str = "PCM_16", form: str = "WAV") -> bytes:
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, np.repeat(clip.samples[:, None], channels, axis=1), rate, format=form, subtype=subtype)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("how", "name"),
    [
        ({"rate": 8000}, "sample_rate"),
        ({"channels": 2}, "channels"),
        ({"subtype": "PCM_U8"}, "pcm16"),
        ({"subtype": "FLOAT"}, "pcm16"),
        ({"subtype": "PCM_24"}, "pcm16"),
    ],
)
def test_another_format_is_told_from_the_header(how: dict[str, Any], name: str) -> None:
    """Another rate, stereo, 8 bits, 24 bits and floats fail by name before anything is measured."""
    clip, call, spans = sounding()

    checks = quality.inspect_file(_encoded(clip, **how), call, _row(clip, call, spans))

    assert {name} == _failed(checks)
    assert 3 == len(checks)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda data: data[:-1], "truncated"),
        (lambda data: data[:-2000], "truncated"),
        (lambda data: b"\xff\xfb\x90\x00" + data, "MP3, not WAV"),
        (lambda data: data[:0], "of no known kind, not WAV"),
    ],
)
def test_what_is_no_whole_wav_is_one_line(spoil: Callable[[bytes], bytes], says: str) -> None:
    """An odd size, a cut file, another kind of file, nothing."""
    with pytest.raises(InputError, match=says):
        quality.read_wav(spoil(_wav(sounding()[0])))
