"""Quality control: sound speech passes, and each planted defect is found by the check that is meant for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from speech import qc
from speech.clip import Clip, concat
from speech.level import at_level
from tests.speech.sounds import bursts

TEXT = "I would like to move my appointment."
RATE = 16000


def _good() -> Clip:
    return at_level(bursts(3.0), -23)


def _edited(change: Callable[[np.ndarray], np.ndarray]) -> Clip:
    return Clip.of(change(_good().samples.copy()), RATE)


def _with_nan(samples: np.ndarray) -> np.ndarray:
    samples[100] = np.nan
    return samples


def _found(clip: Clip, text: str = TEXT, pace: float = 1.0) -> set[str]:
    return {check.name for check in qc.inspect(clip, text, sample_rate=RATE, pace=pace) if not check.passed}


def test_sound_speech_passes_every_check() -> None:
    """A clean clip of a plausible length passes all nine checks and has no failures to tell."""
    checks = qc.inspect(_good(), TEXT, sample_rate=RATE, pace=1.0)

    assert 9 == len(checks)
    assert all(check.passed for check in checks)
    assert "" == qc.failures(checks)


@pytest.mark.parametrize(
    ("defect", "name"),
    [
        (Clip.silence(0, RATE), "samples"),
        (bursts(3.0, 22050), "sample_rate"),
        (_edited(_with_nan), "non_finite_samples"),
        (concat(*[_good()] * 8), "duration_s"),
        (at_level(bursts(0.5), -23), "duration_s"),
        (Clip.silence(3, RATE), "silence_share"),
        (concat(Clip.silence(11.5, RATE), _good()), "silence_share"),
        (_edited(lambda samples: np.clip(samples * 100, -1, 1)), "clipped_share"),
        (at_level(_good(), -58), "loudness_lufs"),
        (Clip.silence(3, RATE), "loudness_lufs"),
        (_edited(lambda samples: samples + 0.05), "dc_offset"),
        (_good().cut(0, round(2.65 * RATE)), "end_level_db"),
    ],
)
def test_each_defect_is_found(defect: Clip, name: str) -> None:
    """The defect's own check fails, and the line that tells it names value and bounds."""
    text = TEXT * 2 if name == "duration_s" and defect.duration_s < 1 else TEXT

    checks = qc.inspect(defect, text, sample_rate=RATE, pace=1.0)

    assert name in {check.name for check in checks if not check.passed}
    assert f"{name} " in qc.failures(checks)
    assert " is not within " in qc.failures(checks)


def test_pace_moves_the_bounds_of_duration() -> None:
    """A clip that is too short for its text at pace 1 may be right for twice the pace, and too long at half of it is right."""
    text = "a" * 130

    assert {"duration_s"} == _found(_good(), text)
    assert set() == _found(_good(), text, pace=1.4)


def test_without_a_text_the_duration_is_not_judged() -> None:
    """A clip whose words are unknown passes every other check."""
    assert set() == {check.name for check in qc.inspect(_good(), None, sample_rate=RATE, pace=1.0) if not check.passed}
    assert "duration_s" not in {check.name for check in qc.inspect(_good(), None, sample_rate=RATE, pace=1.0)}


@pytest.mark.parametrize(
    ("text", "units", "rate"),
    [
        ("Move it, please: 4 o'clock.", 19, qc.LETTERS),
        ("请把预约改到明天。", 8, qc.IDEOGRAPHS),
        ("नमस्ते", 3, qc.AKSHARAS),
        ("કૃપા કરીને", 5, qc.AKSHARAS),
        ("வணக்கம்", 4, qc.AKSHARAS),
        ("... !", 0, qc.LETTERS),
    ],
)
def test_duration_counts_what_is_said_in_each_script(text: str, units: int, rate: qc.SpeakingRate) -> None:
    """Letters, characters of Chinese, and written syllables of Indic scripts: vowel signs and joined consonants add nothing."""
    shortest, longest = qc.duration_bounds(text, 1.0)

    assert units / rate.fastest == pytest.approx(shortest)
    assert units / rate.slowest + qc.SLACK_S == pytest.approx(longest)


def test_mixed_scripts_add_up() -> None:
    """A Latin name in a Chinese sentence counts by its letters, the rest by its characters; pace divides the sum."""
    mixed, chinese, latin = (qc.duration_bounds(text, 1.25)[0] for text in ("我叫 Okafor", "我叫", "Okafor"))

    assert mixed == pytest.approx(chinese + latin)
