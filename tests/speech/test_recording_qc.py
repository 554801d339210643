"""Quality control of a call: a sound recording passes in little time, and each planted defect is found by its own check."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from core.errors import ClipError
from core.schemas.call_trace import AudioSpan, Channel, Message, Recording, Role, Segment
from speech import recording
from speech.clip import Clip
from speech.level import at_level
from speech.recording import SAMPLE_RATE, Timeline
from speech.recording_qc import SIDES, inspect_recording, structure
from tests.speech.sounds import bursts

TURN = 80000
"""Samples from one turn's start to the next's: five seconds, of which four and a half are speech."""


def call(seconds: int = 30) -> tuple[np.ndarray, Recording, list[Message]]:
    """A half-duplex call of that many seconds whose sides take turns, with its record and its messages."""
    samples = np.zeros((seconds * SAMPLE_RATE, 2), np.float32)
    voices = [at_level(bursts(seconds, seed=seed), level).samples for seed, level in ((1, -23), (2, -25))]
    segments = []
    for number in range(len(samples) // TURN):
        side, start, end = number % 2, number * TURN + 8000, (number + 1) * TURN
        samples[start:end, side] = voices[side][start:end]
        segments.append(Segment(message=number, channel=SIDES[side], start_sample=start, end_sample=end))
    described = Recording(sample_rate=SAMPLE_RATE, samples=len(samples), pcm_sha256="0" * 64, segments=tuple(segments))
    roles = (Role.CALLER, Role.AGENT)
    return samples, described, [Message(index=part.message, role=roles[part.message % 2], content="Hello.") for part in segments]


def _found(samples: np.ndarray, described: Recording | None, messages: list[Message], rate: int = SAMPLE_RATE) -> set[str]:
    return {check.name for check in inspect_recording(samples, rate, described, messages) if not check.passed}


def test_a_sound_call_passes_with_and_without_its_trace() -> None:
    """Every check passes; the trace adds those that only it can decide."""
    samples, described, messages = call()

    assert set() == _found(samples, described, messages) | _found(samples, None, [])
    names = {check.name for check in inspect_recording(samples, SAMPLE_RATE, described, messages)}
    alone = {check.name for check in inspect_recording(samples, SAMPLE_RATE, None)}
    assert {"sample_rate", "duration_s", "segments_outside", "silent_segments"} == names - alone


def test_three_minutes_in_half_a_second() -> None:
    """A stereo recording of three minutes is inspected within 0.5 s of processor time, the libraries loaded."""
    samples, described, messages = call(180)
    spent = []
    for _ in range(5):  # of several, since other work on the machine costs this one page faults and caches
        started = time.process_time()
        assert all(check.passed for check in inspect_recording(samples, SAMPLE_RATE, described, messages))
        spent.append(time.process_time() - started)

    assert min(spent) <= 0.5


def test_a_cut_of_a_call_is_refused_for_its_duration() -> None:
    """Eight seconds of a call of 238 are refused by the check of duration, which names both."""
    samples, described, messages = call(238)

    checks = inspect_recording(samples[: 8 * SAMPLE_RATE], SAMPLE_RATE, described, messages)

    assert ["duration_s 8 is not within 237.99 to 238.01"] == [str(each) for each in checks if each.name == "duration_s"]
    assert "segments_outside" in {check.name for check in checks if not check.passed}


def _quiet(samples: np.ndarray) -> np.ndarray:
    samples[:, 0] *= 0.01
    return samples


def _dc(samples: np.ndarray) -> np.ndarray:
    samples[:, 1] += 0.03
    return samples


def _clipped(samples: np.ndarray) -> np.ndarray:
    samples[:, 0] = np.clip(samples[:, 0] * 60, -1, 1)
    return samples


def _leak(samples: np.ndarray) -> np.ndarray:
    samples[:, 1] += 0.1 * np.roll(samples[:, 0], 320)
    return samples


def _one_turn_silent(samples: np.ndarray) -> np.ndarray:
    samples[TURN : 2 * TURN] = 0
    return samples


def _one_side_silent(samples: np.ndarray) -> np.ndarray:
    samples[:, 1] = 0
    return samples


def _mostly_silent(samples: np.ndarray) -> np.ndarray:
    keep = samples[16000:18000, 0].copy()
    samples[:, 0] = 3e-4
    samples[16000:18000, 0] = keep * 2
    return samples


@pytest.mark.parametrize(
    ("defect", "name"),
    [
        (lambda samples: samples[:, :1], "channels"),
        (lambda samples: np.repeat(samples, 2, axis=1), "channels"),
        (lambda samples: samples[:-1000], "duration_s"),
        (lambda samples: np.concatenate([samples, samples[:1000]]), "duration_s"),
        (_one_turn_silent, "silent_segments"),
        (lambda samples: samples[:, ::-1], "silent_segments"),
        (_one_side_silent, "silent_segments"),
        (_mostly_silent, "caller.silence_share"),
        (_clipped, "caller.clipped_share"),
        (_quiet, "caller.loudness_lufs"),
        (_dc, "agent.dc_offset"),
        (_leak, "caller.crosstalk_db"),
    ],
)
def test_each_defect_is_found(defect: Callable[[np.ndarray], np.ndarray], name: str) -> None:
    """Channels, length, silence, clipping, loudness, offset and crosstalk each fail their own check."""
    samples, described, messages = call()

    assert name in _found(defect(samples), described, messages)


def test_another_rate_is_found() -> None:
    """The samples of a call at another rate than its trace states are not that call."""
    samples, described, messages = call()

    assert {"sample_rate", "duration_s"} == _found(samples, described, messages, 8000)


def test_equal_channels_are_crosstalk_and_two_people_at_once_are_not() -> None:
    """The same sound on both channels is a copy at 0 dB; two voices speaking all the time are none."""
    one, other = (at_level(bursts(20, seed=seed), -23).samples for seed in (1, 2))

    assert {"caller.crosstalk_db", "agent.crosstalk_db"} == _found(np.stack([one, one], axis=1), None, [])
    assert set() == _found(np.stack([one, other], axis=1), None, [])


def test_a_side_that_never_speaks_is_not_judged() -> None:
    """Where the trace gives one side no speech, its empty channel is right; where it has no trace, it is not."""
    samples, described, messages = call()
    samples[:, 0] = 0
    mute = described.model_copy(update={"segments": tuple(part for part in described.segments if part.channel is Channel.AGENT)})

    assert set() == _found(samples, mute, messages)
    assert "caller.loudness_lufs" in _found(samples, None, [])


def test_an_empty_recording_is_no_call() -> None:
    """Stereo without a sample fails, and nothing is measured on it."""
    assert {"samples"} == _found(np.zeros((0, 2), np.float32), None, [])


def test_a_message_without_words_may_be_silent() -> None:
    """A turn of which nothing was heard needs no sound."""
    samples, described, messages = call()
    quiet = [*messages[:1], messages[1].model_copy(update={"content": "..."}), *messages[2:]]

    assert not {check.name for check in structure(_one_turn_silent(samples), SAMPLE_RATE, described, quiet) if not check.passed}


def test_a_recording_that_is_not_its_call_is_not_kept() -> None:
    """Describing a call in which words have no sound is an error of ours, so that the case is dropped as infrastructure."""
    timeline = Timeline()
    span = timeline.add(Channel.AGENT, Clip.silence(1, SAMPLE_RATE))
    beyond = AudioSpan(channel=Channel.AGENT, start_sample=span.start_sample, end_sample=span.end_sample + SAMPLE_RATE)

    with pytest.raises(ClipError, match="failed quality control: silent_segments 1 is not within 0 to 0"):
        recording.describe(timeline, [Message(index=0, role=Role.AGENT, content="Hello.", audio=span)])
    with pytest.raises(ClipError, match="segments_outside 1 is not within 0 to 0"):
        recording.describe(timeline, [Message(index=0, role=Role.AGENT, content="", audio=beyond)])
