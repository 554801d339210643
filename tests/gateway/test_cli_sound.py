"""Spoken runs through the command: the same bytes every time, words that follow the sound, one line where sound fails."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import EXIT_INFRASTRUCTURE, EXIT_INPUT
from speech import audiofile
from speech.clip import Clip
from speech.level import LEVEL_DBFS, at_level
from speech.line import open_line
from speech.recording import SAMPLE_RATE
from tests.support.command import SPOKEN, Command, SpokenRun, cache_beside, files_of

pytestmark = [pytest.mark.engine, pytest.mark.slow]

ASR = "lost-slip--asr--r0"


def _trace(run: Path) -> Any:
    return json.loads((run / "cases" / ASR / "trace.json").read_bytes())


def _caller_clip(run: Path, cache: Path, turn: int) -> Path:
    """The cached clip of a caller turn, found by what the trace says of its sound."""
    wanted = _trace(run)["caller_turns"][turn]["audio"]["clip"]
    for path in (cache / "clips").rglob("*.wav"):
        clip = at_level(audiofile.read(path), LEVEL_DBFS).quantised().resampled(SAMPLE_RATE).quantised()
        if open_line([clip]).sha256 == wanted:
            return path
    raise AssertionError(f"no cached clip sounds like caller turn {turn}")


@pytest.fixture
def voices_only(tmp_path: Path, spoken: SpokenRun, engine_cache: Path) -> Path:
    """A cache with the clips of the spoken run and no transcript."""
    cache = cache_beside(tmp_path / "cache", engine_cache)
    shutil.copytree(spoken.cache / "clips", cache / "clips")
    return cache


def test_warm_and_cold_caches_and_any_hash_seed_give_the_same_bytes(tmp_path: Path, spoken: SpokenRun) -> None:
    """Two processes with other hash seeds, a cold and a warm cache, one and two workers: every trace, clip, grade is equal."""
    Command(tmp_path, spoken.cache).passes("run", *SPOKEN, "--out", "again", "--concurrency", "2", PYTHONHASHSEED="2")
    first, second = files_of(spoken.folder), files_of(tmp_path / "again")
    assert first.keys() == second.keys()
    differing = {Path(name).name for name in first if first[name] != second[name]}
    assert differing <= {"run.json", "timing.json", "journal.jsonl"}  # the command line, the clock, the order of arrival
    assert 2 == sum(Path(name).name == "trace.json" for name in first)
    assert 10 <= sum(Path(name).parent.name == "clips" for name in first)


def test_a_transcript_follows_the_sound(tmp_path: Path, spoken: SpokenRun, voices_only: Path) -> None:
    """With one cached clip replaced by other speech and no transcript kept, the candidate hears the other speech."""
    assert "Yes, please do that." == _trace(spoken.folder)["caller_turns"][2]["intended"]
    other, replaced = (_caller_clip(spoken.folder, voices_only, turn) for turn in (1, 2))
    shutil.copyfile(other, replaced)
    Command(tmp_path, voices_only).passes("run", *SPOKEN, "--condition", "asr", "--out", "run", "--concurrency", "1")
    before, after = (_trace(run)["caller_turns"][2] for run in (spoken.folder, tmp_path / "run"))
    assert before["intended"] == after["intended"]
    assert before["audio"]["clip"] != after["audio"]["clip"]
    assert "yes please do that" == _words(before)
    assert _words(after).startswith("i don't know that")


def _words(turn: Any) -> str:
    heard = " ".join(fragment["text"] for fragment in turn["heard"])
    return " ".join(heard.lower().replace(",", "").replace(".", "").split())


def test_a_clip_of_silence_is_one_line_and_mends_as_it_says(tmp_path: Path, spoken: SpokenRun, voices_only: Path) -> None:
    """The call is not played, the line names the clip; with the clip deleted the same command ends in the undisturbed trace."""
    clip = _caller_clip(spoken.folder, voices_only, 2)
    sound = audiofile.read(clip)
    audiofile.write(clip, Clip(np.zeros_like(sound.samples), sound.sample_rate))
    command = Command(tmp_path, voices_only)
    arguments = ("run", *SPOKEN, "--condition", "asr", "--out", "run", "--concurrency", "1")
    why = command.fails(EXIT_INFRASTRUCTURE, *arguments)
    assert why.startswith(f"could not play {ASR}: clip: ")
    assert str(clip) in why
    assert [] == list((tmp_path / "run").glob("cases/*"))
    clip.unlink()
    shutil.copytree(spoken.cache / "transcripts", voices_only / "transcripts", dirs_exist_ok=True)
    command.passes(*arguments)
    assert _trace(spoken.folder) == _trace(tmp_path / "run")


@pytest.mark.parametrize("harm", ["missing", "truncated"])
def test_damaged_weights_are_one_line(tmp_path: Path, spoken: SpokenRun, engine_cache: Path, harm: str) -> None:
    """A weight file that is gone or cut short stops the run before any call is saved, and the line says how to mend it."""
    (joined,) = (engine_cache / "weights").glob("whisper-base-*")
    cache = tmp_path / "cache"
    shutil.copytree(spoken.cache / "clips", cache / "clips")
    weights = cache / "weights" / joined.name
    weights.mkdir(parents=True)
    for file in joined.iterdir():
        if file.name != "model.bin":
            (weights / file.name).symlink_to(file)
    if harm == "truncated":
        (weights / "model.bin").write_bytes(b"cut short")
    why = Command(tmp_path, cache).fails(EXIT_INFRASTRUCTURE, "run", *SPOKEN, "--condition", "asr", "--out", "run")
    assert why.startswith("weights of whisper-base: ")
    assert str(weights / "model.bin") in why
    assert f"delete the folder {str(weights)!r}" in why
    assert [] == list((tmp_path / "run").glob("cases/*"))


def test_weights_are_verified_by_name(spoken: SpokenRun, tmp_path: Path) -> None:
    """`models verify` reads every byte; `models list` shows what a run has used as ready."""
    command = Command(tmp_path, spoken.cache)
    assert "whisper-base: every byte as published" in command.passes("models", "verify", "whisper-base")
    states = {row["id"]: row["state"] for row in json.loads(command.passes("models", "list", "--json"))}
    assert {"ready"} == {states[name] for name in ("whisper-base", "silero-vad", "hibari-heart", "piper-joe")}


def test_what_is_spoken_is_heard(tmp_path: Path, engine_cache: Path) -> None:
    """`speak` writes a file whose words `hear` understands, through a channel too; no engine leaves anything at home."""
    command = Command(tmp_path, engine_cache)
    assert "zero four four one" in command.passes("speak", "My number is 0441 2907.", "-o", "number one.wav")
    heard = json.loads(command.passes("hear", "number one.wav", "--channel", "landline:snr=25", "--json"))
    assert "04412907" in heard["text"].replace("-", "").replace(" ", "")
    assert ["number one.wav"] == [path.name for path in tmp_path.iterdir()]


def test_a_language_has_voices_of_its_own(tmp_path: Path, engine_cache: Path) -> None:
    """`speak` reads numbers in the text's language and says them with the voice that is named, or with the language's first."""
    command = Command(tmp_path, engine_cache)

    robot = command.passes("speak", "मेरा नंबर 47 है।", "-o", "hindi.wav", "--language", "hi", "--voice", "espeak-f2")
    assert "espeak-f2 said: मेरा नंबर" in robot
    assert "47" not in robot
    assert "hibari-heart said: Hello there." in command.passes("speak", "Hello there.", "-o", "hello.wav")
    bare = Command(tmp_path, tmp_path / "empty-cache")
    assert "ringback models fetch" in bare.fails(EXIT_INFRASTRUCTURE, "speak", "नमस्ते", "-o", "none.wav", "--language", "hi")


def test_sound_that_cannot_be_written_or_read_is_one_line(tmp_path: Path, engine_cache: Path) -> None:
    """A path below a file, a missing file, a file that is no sound, an unknown channel: input errors, and nothing is left."""
    command = Command(tmp_path, engine_cache)
    (tmp_path / "plain.wav").write_text("no sound", encoding="utf-8")
    assert "plain.wav" in command.fails(EXIT_INPUT, "speak", "Hello there.", "-o", "plain.wav/hello.wav")
    assert "gone.wav" in command.fails(EXIT_INPUT, "hear", "gone.wav")
    assert "plain.wav" in command.fails(EXIT_INPUT, "hear", "plain.wav")
    assert "clean, landline" in command.fails(EXIT_INPUT, "hear", "plain.wav", "--channel", "satellite")
    assert "languages: af, am, " in command.fails(EXIT_INPUT, "hear", "plain.wav", "--language", "xx")
    assert "nothing that can be said" in command.fails(EXIT_INPUT, "speak", "你好", "-o", "hello.wav")
    assert "'hibari-heart' does not serve 'hi'; it serves en" in command.fails(
        EXIT_INPUT, "speak", "नमस्ते", "-o", "hello.wav", "--language", "hi", "--voice", "hibari-heart"
    )
    assert ["plain.wav"] == [path.name for path in tmp_path.iterdir()]


def _says(command: Command, text: str, language: str, voice: str) -> None:
    said = command.passes("speak", text, "--language", language, "-o", "said.wav")
    assert f"{voice} said: {text}" in said
    sound = audiofile.read(command.cwd / "said.wav")
    assert 0.5 < sound.duration_s < 4.0
    assert 0.02 < float(abs(sound.samples).max()) <= 1.0


@pytest.mark.engine
def test_espeak_speaks_every_other_language(tmp_path: Path, engine_cache: Path) -> None:
    """A language without rules is spoken as it is written, through the same door as every other."""
    _says(Command(tmp_path, engine_cache), "Guten Morgen.", "de", "espeak-f2")


@pytest.mark.engine
@pytest.mark.npm
def test_kokoro_speaks_its_other_languages(tmp_path: Path, npm_cache: Path) -> None:
    """The same of a language that has voices of its own and no rules."""
    _says(Command(tmp_path, npm_cache), "Buenos días.", "es", "kokoro-ef-dora")
