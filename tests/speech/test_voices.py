"""The two real voices and the real recogniser: repeatable in every process, and understood."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models import registry
from speech.clip import Clip, concat
from speech.engines import Recognizer, Synthesizer
from speech.studio import Studio

ROOT = Path(__file__).parents[2]
VOICES = ["hibari-heart", "piper-joe"]

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("voice", VOICES)
def test_a_voice_gives_the_same_samples_in_every_process(studio: Studio, warm_root: Path, voice: str) -> None:
    """Equal text, seed and pace give equal bytes here and in a process with another hash seed, whatever was said before."""
    script = """
import sys, pathlib
from models import registry
from speech.studio import build_studio
voice = build_studio(pathlib.Path(sys.argv[1])).voice(registry.get(sys.argv[2]))
voice.synthesize("Something else first.", language="en", seed=9, pace=1.0)
print(voice.synthesize("My number is four seven two.", language="en", seed=3, pace=1.1).sha256)
"""
    engine = studio.voice(registry.get(voice))

    here = engine.synthesize("My number is four seven two.", language="en", seed=3, pace=1.1)

    done = subprocess.run(
        [sys.executable, "-c", script, str(warm_root), voice],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "17"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert here.sha256 == done.stdout.strip()
    assert here.sample_rate == engine.spec.sample_rate


@pytest.mark.parametrize("voice", VOICES)
def test_seed_and_pace(studio: Studio, voice: str) -> None:
    """The seed changes the samples exactly where the voice says it is seeded; a faster pace is shorter."""
    engine = studio.voice(registry.get(voice))
    text = "I would like to move my appointment to Friday."

    plain, reseeded, faster = (
        engine.synthesize(text, language="en", seed=seed, pace=pace) for seed, pace in ((1, 1.0), (2, 1.0), (1, 1.25))
    )

    assert engine.seeded == (plain.sha256 != reseeded.sha256)
    assert 0.75 < faster.duration_s / plain.duration_s < 0.95


@pytest.mark.slow
@pytest.mark.parametrize("voice", VOICES)
def test_what_is_said_is_understood(studio: Studio, whisper: Recognizer, voice: str) -> None:
    """An everyday sentence and a number survive from text to sound and back."""
    engine = studio.voice(registry.get(voice))

    sentence, number = (
        whisper.transcribe(engine.synthesize(text, language="en", seed=0, pace=1.0), language="en")
        for text in ("I would like to cancel my subscription, please.", "The number is eight six zero five, one one two four.")
    )

    assert "i would like to cancel my subscription please" == "".join(c for c in sentence.text.lower() if c.isalpha() or c == " ")
    assert "86051124" == "".join(c for c in number.text if c.isdigit())
    assert sentence.segments[0].avg_logprob < 0


@pytest.mark.slow
def test_sound_longer_than_the_window_is_heard_to_its_end(heart: Synthesizer, whisper: Recognizer) -> None:
    """A clip of more than 30 s is heard window after window: its first and its last sentence are in the transcript."""
    first, last = (
        heart.synthesize(text, language="en", seed=0, pace=1.0)
        for text in ("The first word is banana.", "The last word is cucumber.")
    )
    clip = concat(first, Clip.silence(30.5, first.sample_rate), last)

    transcript = whisper.transcribe(clip, language="en")

    assert clip.duration_s > 34
    assert "banana" in transcript.text.lower()
    assert "cucumber" in transcript.text.lower()
    assert transcript.segments[-1].start_s >= 25


def test_silence_and_noise_are_not_words(whisper: Recognizer) -> None:
    """Digital silence and faint noise give no text, or text the recogniser itself calls no speech."""
    noise = Clip.of(0.001 * np.random.default_rng(0).standard_normal(16000 * 2), 16000)

    for clip in (Clip.silence(2, 16000), noise):
        transcript = whisper.transcribe(clip, language="en")
        assert "" == transcript.text or min(s.no_speech_prob for s in transcript.segments) > 0.5
