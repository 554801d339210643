"""espeak-ng: a fresh process per question, every language of the catalogue, clear errors."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.errors import EngineError
from models import registry
from speech.engines import Synthesizer
from speech.studio import Studio
from speech.tts import espeak_process

ROOT = Path(__file__).parents[2]
EXTRA = "voices"
pytestmark = pytest.mark.engine


@pytest.fixture
def robot(studio: Studio) -> Synthesizer:
    """One of espeak-ng's voices."""
    return studio.voice(registry.get("espeak-m3"))


def test_the_same_samples_whatever_was_said_before(robot: Synthesizer, warm_root: Path) -> None:
    """Equal text, language and pace give equal bytes, after other words and in another process; the seed changes nothing."""
    script = """
import sys, pathlib
from models import registry
from speech.studio import build_studio
voice = build_studio(pathlib.Path(sys.argv[1])).voice(registry.get("espeak-m3"))
print(voice.synthesize("मेरा नंबर चार सात दो है।", language="hi", seed=8, pace=1.1).sha256)
"""
    first = robot.synthesize("मेरा नंबर चार सात दो है।", language="hi", seed=0, pace=1.1)
    robot.synthesize("Something else first.", language="en", seed=0, pace=1.0)
    again = robot.synthesize("मेरा नंबर चार सात दो है।", language="hi", seed=1, pace=1.1)
    other = subprocess.run(
        [sys.executable, "-c", script, str(warm_root)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "17"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert first.sha256 == again.sha256 == other.stdout.strip()
    assert not robot.seeded
    assert espeak_process.SAMPLE_RATE == first.sample_rate == robot.spec.sample_rate


def test_the_breath_of_a_voice_does_not_follow_the_clock(studio: Studio) -> None:
    """A variant with breath, which is random noise, says the same samples in another second."""
    breathy = studio.voice(registry.get("espeak-f2"))
    first = breathy.synthesize("Yes, what is it about?", language="en", seed=0, pace=1.0)
    began = int(time.time())
    while int(time.time()) == began:
        time.sleep(0.05)

    assert first.sha256 == breathy.synthesize("Yes, what is it about?", language="en", seed=0, pace=1.0).sha256


@pytest.mark.slow
def test_it_speaks_every_language_it_lists(robot: Synthesizer) -> None:
    """Each language of the catalogue entry is one the library has a voice for; one it has not is refused by name."""
    for language in robot.spec.languages:
        assert [""] != espeak_process.phonemes(["a"], language, extra=EXTRA), language
    with pytest.raises(EngineError, match="espeak-ng failed: espeak-ng has no voice 'xx'"):
        espeak_process.phonemes(["a"], "xx", extra=EXTRA)


def test_the_same_words_in_two_languages_sound_different(robot: Synthesizer) -> None:
    """The language decides how a text is read, and a region's tag is read as its language."""
    english, french, swiss = (
        robot.synthesize("important", language=tag, seed=0, pace=1.0).sha256 for tag in ("en", "fr", "fr-CH")
    )

    assert english != french
    assert french == swiss


def test_variants_are_different_people(studio: Studio) -> None:
    """Each of the six voices has a sound of its own."""
    voices = [spec for spec in registry.catalogue().values() if spec.engine == "espeak"]
    clips = {studio.voice(spec).synthesize("Hello there.", language="en", seed=0, pace=1.0).sha256 for spec in voices}

    assert 6 == len(voices) == len(clips)


def test_pace_is_a_factor(robot: Synthesizer) -> None:
    """A faster pace is shorter."""
    text = "I would like to move my appointment to Friday."
    plain, faster = (robot.synthesize(text, language="en", seed=0, pace=pace).duration_s for pace in (1.0, 1.25))

    assert 0.72 < faster / plain < 0.9


def test_what_cannot_be_said_is_one_line(robot: Synthesizer) -> None:
    """A text without anything to say is an error that names it."""
    with pytest.raises(EngineError, match="found nothing to say in ' '"):
        robot.synthesize(" ", language="en", seed=0, pace=1.0)
