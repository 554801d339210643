"""The baseline on sound alone: figures of sounds that are known, coefficients that ship, and answers about any recording."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from core.errors import FileError, UsageError
from core.schemas.acoustic import AcousticModel
from core.schemas.snapshots import Label
from core.snapshots.detector import CallSound, CallWords
from core.snapshots.evaluating.held_out import HeldOut
from core.snapshots.parsing import read_label
from models.detectors.acoustic import NAMES, AcousticDetector, chance, figures, read_model, shipped_model
from tests.bench.train_acoustic import FOLDS, LANGUAGES, SEED, Example, namespace, trained

RATE = 24_000
Sound = npt.NDArray[np.float32]


def _voice(seconds: float, pitch: float = 150.0, per_s: float = 4.0, rate: int = RATE, slope: float = 1.0) -> Sound:
    """Harmonics of a pitch up to 3.4 kHz, louder and softer by 20 dB so many times a second; `slope` weakens the high ones."""
    t = np.arange(round(seconds * rate)) / rate
    tones = [np.sin(2 * np.pi * pitch * k * t + k * k) / k**slope for k in range(1, int(3400 / pitch))]
    sound = np.sum(tones, axis=0) * (0.55 - 0.45 * np.cos(2 * np.pi * per_s * t))
    return np.asarray(0.3 * sound / np.abs(sound).max(), dtype=np.float32)


def _quiet(seconds: float, rate: int = RATE) -> Sound:
    return np.zeros(round(seconds * rate), dtype=np.float32)


def _given(samples: Sound, rate: int = RATE) -> CallSound:
    return CallSound(samples, rate, b"")


@pytest.mark.parametrize("rate", [8000, 16_000, 24_000, 44_100])
@pytest.mark.parametrize(("pitch", "per_s"), [(110.0, 3.0), (220.0, 5.0)])
def test_figures_are_those_of_a_voice_that_is_known(rate: int, pitch: float, per_s: float) -> None:
    """Pitch, syllables, pauses and speech of a made voice with a pause of one second in its middle, at any rate."""
    found = figures(np.concatenate([_voice(6, pitch, per_s, rate), _quiet(1, rate), _voice(6, pitch, per_s, rate)]), rate)
    assert NAMES == tuple(found)
    assert pitch == pytest.approx(found["pitch_hz"], rel=0.03)
    assert per_s == pytest.approx(found["nuclei_per_s"], rel=0.06)
    assert (1.0, 60 / 13, 12 / 13) == pytest.approx((found["pause_s"], found["pauses_per_min"], found["speech_share"]), rel=0.05)
    assert (0.0, 0.0, 1.0) == (found["end_pause_s"], found["end_pauses_per_min"], found["end_speech_share"])


def test_the_last_third_has_figures_of_its_own() -> None:
    """A voice that ends higher, faster and with another spectrum shows it there, and less in the whole."""
    found = figures(np.concatenate([_voice(8, 120.0, 3.0), _voice(4, 240.0, 6.0, slope=0.2)]), RATE)
    assert found["end_pitch_hz"] > 1.9 * found["pitch_hz"]
    assert found["end_nuclei_per_s"] > 1.3 * found["nuclei_per_s"]
    assert found["end_tilt_db"] < found["tilt_db"] - 1
    assert found["pitch_spread_semitones"] == pytest.approx(6, abs=0.5)  # half of the octave between both
    assert found["end_pitch_spread_semitones"] < 0.5


def test_loudness_tells_nothing() -> None:
    """A call at a quarter of its level has the same figures; how unequal its level is in speech is a figure."""
    sound = np.concatenate([_voice(5), _quiet(0.5), 0.3 * _voice(5)])
    loud, low = figures(sound, RATE), figures(sound * np.float32(0.25), RATE)
    assert loud == pytest.approx(low, rel=1e-3, abs=1e-3)
    assert loud["level_spread_db"] > 5
    assert figures(_voice(10, per_s=0.0), RATE)["level_spread_db"] < 0.5


def test_length_is_no_figure() -> None:
    """Twice the call has about the same figures: how long calls last is a property of their words."""
    once = figures(_voice(9), RATE)
    assert once == pytest.approx(figures(_voice(18), RATE), rel=0.05, abs=0.1)


@pytest.mark.parametrize("samples", [_quiet(5), _quiet(0), _quiet(0.01), np.concatenate([_voice(2), _quiet(9)])])
def test_a_call_without_speech_gets_no_answer(samples: Sound) -> None:
    """Nor one whose last third has none; that is an empty answer and no label."""
    assert {} == figures(samples, RATE)
    assert ("", None) == (AcousticDetector(shipped_model()).detect(_given(samples), 1).raw, None)


def test_the_shipped_coefficients_answer_with_a_label_and_a_score() -> None:
    """The same for the same sound, whatever the seed; the label is that of the score."""
    detector = AcousticDetector(shipped_model())
    for pitch in (100.0, 180.0, 260.0):
        said = detector.detect(_given(_voice(6, pitch)), 1)
        assert said == detector.detect(_given(_voice(6, pitch)), 2)
        assert said.score is not None
        assert 0 < said.score < 1
        assert (Label.FRAUD if said.score >= 0.5 else Label.NONFRAUD) == read_label(said.raw).label


def test_the_shipped_coefficients_say_what_they_learned_from() -> None:
    """Builds of their own in both languages, as many calls of either label, and about a half on trees that were not seen."""
    model = shipped_model()
    assert (tuple(map(namespace, LANGUAGES)), SEED) == (model.trained_on.namespaces, model.trained_on.seed)
    assert 2 * len(model.trained_on.trees) == model.trained_on.calls
    assert {"all", *LANGUAGES} == model.cross_validation.balanced_accuracy.keys()
    record = AcousticDetector(model).record()
    assert ("offline:acoustic", model.version) == (record.party, record.settings["version"])


def test_a_chance_is_that_of_logistic_regression() -> None:
    """By hand: 0.5 + 2 * (3 - 1) / 4 - 1 * (5 - 5) / 2 = 1.5; and no sum is too large."""
    model = _model(features=("a", "b"), mean=(1, 5), scale=(4, 2), weights=(2, -1), bias=0.5)
    assert 1 / (1 + math.exp(-1.5)) == pytest.approx(chance(model, {"a": 3, "b": 5}), abs=1e-12)
    assert chance(model, {"a": 1e9, "b": 5}) > 1 - 1e-12
    assert chance(model, {"a": -1e9, "b": 5}) < 1e-12


def test_words_and_narrow_bands_are_refused() -> None:
    """In one line that says what to do."""
    detector = AcousticDetector(shipped_model())
    with pytest.raises(UsageError, match="takes a recording, and was given words: ask with --mode audio"):
        detector.detect(CallWords("caller: good morning"), 1)
    with pytest.raises(UsageError, match="a recording at 4000 Hz"):
        detector.detect(_given(_voice(3, rate=8000)[::2], 4000), 1)


def test_a_month_of_what_was_learned_from_is_refused() -> None:
    """By the trees of its calls; any other month may be asked about."""
    model = shipped_model()
    with pytest.raises(UsageError, match="which is in the month itself"):
        AcousticDetector(model, HeldOut(frozenset({"other", model.trained_on.trees[7]})))
    AcousticDetector(model, HeldOut(frozenset({"other"})))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"weights": [1.0]}, r"weights has 1 numbers for 16 features"),
        ({"scale": [0.0] * 16}, r"a scale of 0: a feature that never changes"),
        ({"format": 2}, r"format"),
        ({"bias": None}, r"bias"),
        ({"figures": "figures-0"}, r"learned from 'figures-0', not from 'figures-1': train it again"),
        ({"features": list(reversed(NAMES))}, r"train it again"),
    ],
)
def test_other_coefficients_are_refused(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    """A file that was changed, or that belongs to other figures, is named with its fault in one line."""
    path = tmp_path / "acoustic.json"
    path.write_text(json.dumps({**shipped_model().model_dump(mode="json"), **change}))
    with pytest.raises(FileError, match=said) as caught:
        read_model(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["{", "[]", "null"])
def test_a_file_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    """And so is one that is not there."""
    path = tmp_path / "acoustic.json"
    with pytest.raises(FileError, match=r"acoustic\.json"):
        read_model(path)
    path.write_text(text)
    with pytest.raises(FileError, match=r"acoustic\.json"):
        read_model(path)


def test_training_finds_what_sound_tells_and_nothing_else() -> None:
    """Where one figure follows the label, other trees are answered rightly; where none does, about every second one is."""
    telling, mute = trained(_examples(2.0), 1), trained(_examples(0.0), 1)
    assert telling.cross_validation.balanced_accuracy["all"] > 0.9
    assert "pitch_hz" == max(zip(telling.weights, telling.features, strict=True))[1]
    assert 0.35 < mute.cross_validation.balanced_accuracy["all"] < 0.65
    assert (FOLDS, 160) == (mute.cross_validation.folds, mute.trained_on.calls)
    assert mute == trained(_examples(0.0), 1)


def _examples(told: float) -> list[Example]:
    """Calls of 80 trees with figures by chance, which a tree's calls have in common; pitch differs by `told` between labels."""
    rng = np.random.default_rng(4)
    made = []
    for number in range(80):
        base = rng.normal(size=len(NAMES)) * 0.2
        for label in Label:
            values = dict(zip(NAMES, (base + rng.normal(size=len(NAMES))).tolist(), strict=True))
            values["pitch_hz"] += told * (label is Label.FRAUD) * 2
            made.append(Example(LANGUAGES[number % 2], f"tree-{number}", label, values))
    return made


def _model(**numbers: Any) -> AcousticModel:
    return AcousticModel.model_validate({**shipped_model().model_dump(mode="json"), **numbers})
