"""People talking behind the caller: other voices, the same each time, and their sound recorded in the trace."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import FileError, InputError, UsageError
from core.schemas.scenario import Scenario
from speech import audiofile
from speech.channel.babble import RATE, SECONDS, babble
from speech.clip import Clip
from speech.engines import Synthesizer
from speech.speaking import Speaker
from speech.studio import build_studio
from tests.speech.sounds import bursts


@pytest.mark.engine
def test_babble_is_the_same_again_and_never_still(heart: Synthesizer, warm_root: Path, cold_root: Path) -> None:
    """Made anew or from cached clips it has the same bytes; six people leave no 100 ms in which nobody is heard."""
    made = babble(Speaker(warm_root), [heart], "en")
    again = babble(Speaker(warm_root), [heart], "en")
    anew = babble(Speaker(cold_root), [heart], "en")

    assert made.sha256 == again.sha256 == anew.sha256
    assert (RATE, round(SECONDS * RATE)) == (made.sample_rate, len(made))
    loudness = np.sqrt(np.mean(made.samples[: len(made) // 1600 * 1600].reshape(-1, 1600).astype(np.float64) ** 2, axis=1))
    assert loudness.min() > loudness.mean() / 20


def test_nobody_talks_without_a_voice(tmp_path: Path) -> None:
    """Where no voice but the caller's speaks the language, the channel is refused in one line."""
    with pytest.raises(UsageError, match="no voice but the caller's speaks 'zh'"):
        babble(Speaker(tmp_path), [], "zh-CN")


@pytest.mark.engine
def test_the_caller_is_not_among_those_behind(warm_root: Path, scenario: Scenario) -> None:
    """A call in a cafe is talked through by the voices that are not the caller's; the trace carries the hash of that sound."""
    studio = build_studio(warm_root, "cafe")
    booth = studio.booth(scenario, 1)
    others = [voice.spec.id for voice in booth.other_voices()]

    settings = studio.spoken_lines().open(scenario, 1).settings()

    assert others
    assert isinstance(settings["caller_voices"], list)
    assert settings["caller_voices"][0] not in others
    expected = studio.channel_behind(booth.other_voices(), "en").background
    assert expected is not None
    assert {"clip": expected.sha256, "seconds": SECONDS} == settings["background"]


def test_a_sound_of_the_users_own_is_read_once_and_recorded(tmp_path: Path) -> None:
    """`noise=file:` takes a sound through the gate for sound from outside; its hash stands in the channel's settings."""
    rain = bursts(2.0, 44100)
    audiofile.write(tmp_path / "rain.wav", rain)
    (tmp_path / "empty.wav").write_bytes(b"")
    audiofile.write(tmp_path / "silent.wav", Clip.silence(1, 16000))

    studio = build_studio(tmp_path, f"landline:noise=file:{tmp_path / 'rain.wav'}")

    assert {"clip": rain.sha256, "seconds": 2.0} == studio.channel.settings()["background"]
    assert studio.channel is studio.channel_behind([], "en")
    for name, error in (("absent.wav", FileError), ("empty.wav", InputError), ("silent.wav", UsageError)):
        with pytest.raises(error) as caught:
            build_studio(tmp_path, f"landline:noise=file:{tmp_path / name}")
        assert "\n" not in str(caught.value)
