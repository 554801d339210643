"""Whole calls in Hindi and Mandarin through the command: the words, the sound, and all that is told of them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_INPUT, EXIT_OK
from gateway.cli.main import main
from tests.repository.tree import ROOT
from tests.support.command import Command, cache_beside, files_of

BUNDLE = ROOT / "tests" / "bundles" / "abroad"
CANDIDATE = "python:tests.support.abroad:Candidate"
RUN = ("run", str(BUNDLE), "--concurrency", "1", "--candidate")
HINDI, MANDARIN = "hi-cylinder", "zh-lost-parcel"
SPOKEN = (*RUN, f"{CANDIDATE}?confirms=no", "--condition", "asr")
"""Nothing is read back: what is heard once is what is done, and the call is short."""
ENGLISH_ONLY = ("memory", "channel_recovery", "tool_speech", "closing")
"""Ratings by rules that read English."""


def _json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _prints(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    capsys.readouterr()
    assert EXIT_OK == main([str(argument) for argument in arguments])
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both calls as words, undamaged and damaged."""
    run = tmp_path_factory.mktemp("abroad") / "run"
    assert EXIT_OK == main([*RUN, CANDIDATE, "--condition", "text,authored", "--out", str(run), "-q"])
    return run


def test_both_calls_are_played_and_graded(written: Path) -> None:
    """All four calls end by the tool with every task point; the damaged number is heard wrong, read back, and corrected."""
    cases = _json(written / "summary.json")["cases"]
    assert 4 == len(cases)
    assert {("tool_end", 100.0)} == {(case["end"], case["scores"]["task"]) for case in cases}
    turns = _json(written / "cases" / f"{HINDI}--authored--r0" / "trace.json")["caller_turns"]
    assert ["नमस्ते, मुझे सिलेंडर चाहिए।", "मेरा नंबर 0441 2901 है।"] == [piece["text"] for piece in turns[0]["heard"]]
    assert "नहीं, शून्य चार चार एक, दो नौ शून्य सात।" == turns[2]["intended"]


def test_what_only_english_rules_can_judge_is_unjudged(written: Path) -> None:
    """Ratings whose rules read English are left open; script, spoken form and the criteria with a check are judged."""
    grades = [_json(path) for path in (written / "grades").rglob("*.json")]
    assert 4 == len(grades)
    for grade in grades:
        items = {item["id"]: item for item in grade["items"]}
        assert {"unjudged"} == {items[name]["status"] for name in ENGLISH_ONLY}
        assert [5, 5] == [items[name]["rating"] for name in ("language", "spoken_form")]
        assert "met" == items["said_thanks" if grade["scenario"] == HINDI else "said_goodbye"]["label"]


def test_hearing_is_counted_in_characters(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`measure` names language, script and normaliser, reads characters first, and finds the one value the line broke."""
    report = json.loads(_prints(capsys, "measure", f"{written}@authored", "--json"))
    calls = {call["language"]: call for call in report["conditions"]["authored"]["calls"]}
    assert {("hi", "Deva"), ("zh", "Hans")} == {(call["language"], call["script"]) for call in calls.values()}
    assert {"cer"} == {call["figures"]["headline"] for call in calls.values()}
    assert {tag: call["turns"][0]["cer"]["normaliser"].split("-")[0] for tag, call in calls.items()} == {"hi": "hi", "zh": "zh"}
    assert ["consumer_number"] == calls["hi"]["turns"][0]["damaged"]
    assert {"occurring": 2, "rate": 1.0, "survived": 2} == calls["zh"]["figures"]["known_values"]


def test_everything_told_of_the_run_carries_its_words(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Replay finds no difference; the page and the turns of `measure` carry both scripts as they are."""
    for case in sorted((written / "cases").iterdir()):
        assert "no difference" in _prints(capsys, "replay", case / "trace.json")
    page = (written / "report.html").read_text(encoding="utf-8")
    turns = _prints(capsys, "measure", f"{written}@authored", "--turns")
    for words in ("मेरा नंबर 0441 2901 है।", "单号是00718265。"):
        assert words in page
        assert words in turns


def test_a_damaged_value_is_blamed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A candidate that believes the damaged number fails, and table and Markdown name what was said and heard."""
    run, page = tmp_path / "run", tmp_path / "run.md"
    table = _prints(capsys, *RUN, f"{CANDIDATE}?confirms=no", "--condition", "authored", "--scenarios", HINDI, "--out", run, "-q")
    blame = "'0441 2907' heard as '0441 2901' in turn 1"
    assert blame in table
    (found,) = _json(run / "summary.json")["attribution"]
    assert ("book_it", "consumer_number") == (found["action"], found["fact"])
    _prints(capsys, "report", run, "--markdown", page)
    assert blame in page.read_text(encoding="utf-8")


def test_a_party_that_cannot_speak_the_language_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The baseline candidate, which speaks English, is refused before any call is made, and the line says what to do."""
    assert EXIT_INPUT == main([*RUN, "offline:baseline", "--condition", "text", "--out", str(tmp_path / "run")])
    (line,) = capsys.readouterr().err.splitlines()
    assert "candidate 'offline:baseline' cannot speak 'hi', the language of scenario 'hi-cylinder'" in line
    assert "--languages en" in line
    assert [] == list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory, npm_cache: Path) -> tuple[Path, Path, str]:
    """Both calls over the telephone: the run, the cache it filled, and what was printed."""
    home = tmp_path_factory.mktemp("abroad-spoken")
    cache = cache_beside(home / "cache", npm_cache)
    told = Command(home, cache, patience_s=1200).passes(*SPOKEN, "--out", "run")
    return home / "run", cache, told


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.npm
def test_both_languages_are_spoken_and_heard(spoken: tuple[Path, Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Two voices of the language, cast and recorded; figures in words for the ear; the small model hears; all of it is told."""
    run, _, told = spoken
    said = {HINDI: "शून्य चार चार एक, दो नौ शून्य सात", MANDARIN: "零零七幺，八二六五"}
    for scenario, prefix in ((HINDI, "kokoro-h"), (MANDARIN, "kokoro-z")):
        folder = run / "cases" / f"{scenario}--asr--r0"
        trace = _json(folder / "trace.json")
        line, turns = trace["header"]["line"], trace["caller_turns"]
        caller, agent = line["caller_voices"][0], line["agent_voices"][0]
        assert caller != agent
        assert {True} == {voice.startswith(prefix) for voice in (caller, agent)}
        assert {caller} == {turn["audio"]["voice"] for turn in turns}
        assert ("gender female" if scenario == HINDI else "gender male") in line["matched_traits"]
        assert 0 < line["caller_score"]
        assert ("auto", "whisper-small") == (line["recogniser"], line["recogniser_chosen"])
        assert said[scenario] in turns[0]["audio"]["spoken"]
        assert not any(char.isdigit() for turn in turns for char in turn["audio"]["spoken"])
        assert (2 if scenario == HINDI else 1) == len(turns[0]["heard"])
        assert "12 checks passed" in _prints(capsys, "qc", folder / "call.flac")
    summary = _json(run / "summary.json")
    assert {"hi": "cer", "zh": "cer"} == {
        tag: each["asr"]["headline"] for tag, each in summary["hearing_slices"]["language"].items()
    }
    assert {"Deva", "Hans"} == set(summary["hearing_slices"]["script"])
    assert 3 <= summary["conditions"]["asr"]["known_value_accuracy"]["occurring"]
    assert [("hi", "whisper-small", "kokoro"), ("zh", "whisper-small", "kokoro")] == [
        (each["language"], each["recogniser"], each["engine"]) for each in summary["trust"]
    ]
    told = " ".join(told.split())
    assert [each["statement"] for each in summary["trust"] if each["verdict"] != "trusted"] == [
        each["statement"] for each in summary["trust"] if each["statement"] in told
    ]
    assert "Hearing by language" in told
    assert "WEBVTT" == (run / "cases" / f"{HINDI}--asr--r0" / "call.vtt").read_text(encoding="utf-8").splitlines()[0]


@pytest.fixture
def hollow(tmp_path: Path, spoken: tuple[Path, Path, str]) -> Path:
    """The cache that was filled, with weights of the right sizes that hold nothing: whatever reads one is stopped."""
    cache = tmp_path / "cache"
    for name in ("clips", "transcripts"):
        shutil.copytree(spoken[1] / name, cache / name)
    for path in (spoken[1] / "weights").rglob("*"):
        if path.is_file():
            empty = cache / "weights" / path.relative_to(spoken[1] / "weights")
            empty.parent.mkdir(parents=True, exist_ok=True)
            empty.touch()
            os.truncate(empty, path.stat().st_size)
    return cache


@pytest.mark.engine
@pytest.mark.slow
@pytest.mark.npm
def test_a_spoken_call_comes_again_and_loads_nothing(tmp_path: Path, spoken: tuple[Path, Path, str], hollow: Path) -> None:
    """From a warm cache, without any weights to load, the run and its replay have the same bytes."""
    run, command = spoken[0], Command(tmp_path, hollow)
    command.passes(*SPOKEN, "--out", "run")
    first, again = files_of(run / "cases"), files_of(tmp_path / "run" / "cases")
    assert first.keys() == again.keys()
    assert {"timing.json"} == {Path(name).name for name in first if first[name] != again[name]}
    for case in sorted((run / "cases").iterdir()):
        assert "no difference" in command.passes("replay", case / "trace.json")
