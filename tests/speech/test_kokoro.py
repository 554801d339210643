"""Kokoro's voices: the same samples in every process, in every language they serve, and long texts in several passes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import EngineError, WeightsError
from models import registry
from speech import qc
from speech.engines import Synthesizer
from speech.speaking import Speaker
from speech.studio import Studio, build_studio
from speech.tts.kokoro import LONGEST, _parts
from speech.tts.phonemes import english

ROOT = Path(__file__).parents[2]
TEXT = "My number is four seven two."
SENTENCES = {
    "en": ("kokoro-bm-george", TEXT),
    "ta": ("kokoro-hf-beta", "என் எண் நான்கு ஏழு இரண்டு."),
    "zh": ("kokoro-zf-xiaoxiao", "我的号码是四七二，谢谢。"),
}
"""A voice and a sentence for each way of reading a text."""


@pytest.fixture
def kokoro_root(tmp_path: Path, npm_cache: Path) -> Path:
    """A cache root without a clip, where the voices are fetched."""
    (tmp_path / "weights").symlink_to(npm_cache / "weights")
    return tmp_path


@pytest.fixture
def voices(npm_cache: Path) -> Studio:
    """A studio that has the voices."""
    return build_studio(npm_cache)


def _voice(studio: Studio, name: str) -> Synthesizer:
    return studio.voice(registry.get(name))


def test_there_are_54_and_every_one_has_its_style_vectors() -> None:
    """The catalogue lists each voice of the fetched weights once, under a name made of its own."""
    listed = {spec.name: spec for spec in registry.catalogue().values() if spec.engine == "kokoro" and spec.needs}

    assert {file.name.removesuffix(".bin") for file in registry.get("kokoro-voices").files} == set(listed)
    assert 54 == len(listed)
    assert all(f"kokoro-{name}".replace("_", "-") == spec.id for name, spec in listed.items())
    assert 54 == len({spec.sha256 for spec in listed.values()})
    for name, spec in listed.items():
        assert ("female" if str(name)[1] == "f" else "male") == spec.gender
        assert spec.pace is not None
        assert spec.tone is not None


def test_without_the_fetched_voices_one_line_says_how_to_get_them(tmp_path: Path) -> None:
    """With the packages alone a voice can be chosen and signed, but not heard: the error names the command."""
    voice = _voice(build_studio(tmp_path), "kokoro-af-heart")

    assert voice.spec.sha256 == voice.signature()["model_sha256"]
    with pytest.raises(WeightsError, match=r"kokoro-voices.*ringback models fetch"):
        voice.synthesize(TEXT, language="en", seed=0, pace=1.0)


@pytest.mark.npm
@pytest.mark.engine
@pytest.mark.slow
def test_the_same_samples_in_every_process_with_and_without_cache(kokoro_root: Path) -> None:
    """Equal text, language and pace give equal clips cold, warm, and in another process with another hash seed and order."""
    script = """
import sys, json, pathlib
from models import registry
from speech.speaking import Speaker
from speech.studio import build_studio
root = pathlib.Path(sys.argv[1])
studio, speaker = build_studio(root), Speaker(root / "other")
said = {
    language: speaker.say(text, [studio.voice(registry.get(name))], language=language, seed=5, pace=1.1).clip.sha256
    for language, (name, text) in reversed(json.loads(sys.argv[2]).items())
}
print(json.dumps(said))
"""
    studio = build_studio(kokoro_root)

    cold, warm = (
        {
            language: Speaker(kokoro_root).say(text, [_voice(studio, name)], language=language, seed=seed, pace=1.1)
            for language, (name, text) in SENTENCES.items()
        }
        for seed in (0, 1)
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(kokoro_root), json.dumps(SENTENCES)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "17"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert {()} == {spoken.rejected for spoken in cold.values()}
    hashes = {language: spoken.clip.sha256 for language, spoken in cold.items()}
    assert hashes == {language: spoken.clip.sha256 for language, spoken in warm.items()}
    assert hashes == json.loads(done.stdout)


@pytest.mark.npm
@pytest.mark.engine
@pytest.mark.slow
def test_what_is_said_is_understood(voices: Studio) -> None:
    """English and Mandarin survive from text to sound and back through the smallest recogniser."""
    english = _voice(voices, "kokoro-af-heart").synthesize("I would like to cancel my order.", language="en", seed=0, pace=1.0)
    chinese = _voice(voices, "kokoro-zm-yunxi").synthesize("请问你们几点开门？", language="zh", seed=0, pace=1.0)
    hear = voices.listener("en").recognizer.transcribe

    assert "like to cancel my order" in hear(english, language="en").text
    assert "几点" in hear(chinese, language="zh").text.replace("幾點", "几点")


@pytest.mark.npm
@pytest.mark.engine
@pytest.mark.slow
def test_a_long_text_is_spoken_whole(voices: Studio) -> None:
    """A text beyond one pass is spoken in several, passes quality control, and has no pause that would cut a turn."""
    voice = _voice(voices, "kokoro-am-michael")
    text = " ".join(["I would like to know when the next appointment with the dentist is free."] * 8)

    assert LONGEST < len(english(text, british=False, extra="voices"))
    clip = voice.synthesize(text, language="en", seed=0, pace=1.4)

    assert "" == qc.failures(qc.inspect(clip, text, sample_rate=24000, pace=1.4))
    assert 1 == len(voices.listener("en").cut(clip.resampled(16000)))


@pytest.mark.npm
@pytest.mark.engine
def test_a_faster_pace_is_shorter_and_nothing_is_an_error(voices: Studio) -> None:
    """Pace is a factor; a text without phonemes is one line."""
    voice = _voice(voices, "kokoro-bf-emma")
    plain, faster = (voice.synthesize(TEXT, language="en", seed=0, pace=pace).duration_s for pace in (1.0, 1.25))

    assert 0.7 < faster / plain < 0.95
    with pytest.raises(EngineError, match="found nothing to say in '你'"):
        voice.synthesize("你", language="en", seed=0, pace=1.0)


@given(st.lists(st.text("abˈ", min_size=1, max_size=700), min_size=1, max_size=40), st.sampled_from([". ", ", ", " "]))
def test_parts_fit_the_model_and_lose_nothing(words: list[str], between: str) -> None:
    """Whatever the text, each part fits one pass, and all of them together say everything in order."""
    text = between.join(words)

    parts = _parts(text)

    assert all(0 < len(part) <= LONGEST for part in parts)
    assert text.replace(" ", "") == "".join(parts).replace(" ", "")


def test_a_text_is_cut_where_it_hurts_least() -> None:
    """Between sentences first, then between clauses, then between words."""
    sentence = "a" * 300 + "."
    assert [sentence, sentence] == _parts(f"{sentence} {sentence}")
    clause = "b" * 200 + ","
    assert [f"{clause} {clause}", f"{clause} {sentence}"] == _parts(f"{clause} {clause} {clause} {sentence}")
    assert ["c" * 400, "d" * 400] == _parts("c" * 400 + " " + "d" * 400)
