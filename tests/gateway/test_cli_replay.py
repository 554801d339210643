"""`ringback replay`: silent on what was recorded, and the index of whatever was changed since."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_GATE, EXIT_INPUT
from tests.support.command import Command, SpokenRun

CASE = "claim-over-limit--authored--r0"
Change = Callable[[Any], str]
"""Changes a trace in place; returns where a difference must be named."""


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory, engine_cache: Path) -> Path:
    """A finished run of words alone: one agent's calls, as spoken and with authored errors."""
    home = tmp_path_factory.mktemp("written")
    arguments = ("frontdesk", "--agents", "swiftlane-parcels", "--condition", "text,authored", "--concurrency", "1")
    Command(home, engine_cache).passes("run", *arguments, "--out", "run")
    return home / "run"


def _heard_text(trace: Any) -> str:
    heard = trace["caller_turns"][1]["heard"][0]
    heard["text"] += " indeed"
    trace["messages"][heard["message"]]["content"] = heard["text"]
    return f"messages[{heard['message']}].content"


def _tool_result(trace: Any) -> str:
    trace["tool_events"][0]["result"] = {"changed": True}
    return "tool_events[0].result.changed"


def _tool_message(trace: Any) -> str:
    index = next(message["index"] for message in trace["messages"] if message["role"] == "tool")
    trace["messages"][index]["content"] = "{}"
    return f"messages[{index}].content"


def _event(trace: Any) -> str:
    turn = next(number for number, turn in enumerate(trace["caller_turns"]) if turn["events"])
    event = trace["caller_turns"][turn]["events"][0]
    event["applied"] = not event["applied"]
    return f"caller_turns[{turn}].events[0].applied"


def _event_gone(trace: Any) -> str:
    turn = next(number for number, turn in enumerate(trace["caller_turns"]) if turn["events"])
    del trace["caller_turns"][turn]["events"][0]
    return f"caller_turns[{turn}].events[0]"


def _intended(trace: Any) -> str:
    trace["caller_turns"][0]["intended"] = "Hello."
    return "caller_turns[0].intended"


def _end(trace: Any) -> str:
    trace["end"] = "caller_done"
    return "end"


CHANGES = (_heard_text, _tool_result, _tool_message, _event, _event_gone, _intended, _end)


def _change(path: Path, change: Change) -> str:
    """Change a trace on disk; returns where."""
    trace = json.loads(path.read_bytes())
    where = change(trace)
    path.write_text(json.dumps(trace), encoding="utf-8")
    return where


def _copy(run: Path, folder: Path, case: str, change: Change) -> tuple[Path, str]:
    """A copy of a run with one trace changed."""
    shutil.copytree(run, folder / "run")
    path = folder / "run" / "cases" / case / "trace.json"
    return path, _change(path, change)


def test_recorded_words_replay_without_a_difference(ringback: Command, written: Path) -> None:
    """Every trace of a run of words, each named once; files and case folders are both taken."""
    cases = sorted((written / "cases").iterdir())
    printed = ringback.passes("replay", cases[0] / "trace.json", *cases[1:])
    assert [f"{case / 'trace.json'}: no difference" for case in cases] == printed.splitlines()
    assert 6 == len(cases)


def test_a_change_is_named_by_its_index(ringback: Command, tmp_path: Path, written: Path) -> None:
    """For each changed trace the changed place is printed with what was recorded; exit code 1, nothing on stderr."""
    shutil.copytree(written, tmp_path / "run")
    cases = tmp_path / "run" / "cases"
    wanted = {}
    for change in CHANGES:
        path = cases / change.__name__ / "trace.json"
        shutil.copytree(cases / CASE, path.parent)
        wanted[path] = _change(path, change)
    done = ringback("replay", *wanted)
    assert (EXIT_GATE, "") == (done.returncode, done.stderr)
    for path, where in wanted.items():
        assert f"{path}: {where}: recorded " in done.stdout
    assert "no difference" not in done.stdout


def test_one_difference_among_many_traces_is_exit_1(ringback: Command, tmp_path: Path, written: Path) -> None:
    """The others are replayed all the same."""
    path, where = _copy(written, tmp_path, CASE, _tool_result)
    done = ringback("replay", *sorted((tmp_path / "run" / "cases").iterdir()))
    assert EXIT_GATE == done.returncode
    assert 5 == done.stdout.count("no difference")
    assert f"{path}: {where}" in done.stdout


def test_a_changed_grade_is_a_difference(ringback: Command, tmp_path: Path, written: Path) -> None:
    """Replaying judges again, and names what the saved grade says otherwise."""
    shutil.copytree(written, tmp_path / "run")
    (grade,) = (tmp_path / "run").glob(f"grades/*/{CASE}.json")
    data = json.loads(grade.read_bytes())
    data["items"][0]["reason"] = "because"
    grade.write_text(json.dumps(data), encoding="utf-8")
    done = ringback("replay", tmp_path / "run" / "cases" / CASE)
    assert EXIT_GATE == done.returncode
    assert "grade.items[0].reason: recorded 'because'" in done.stdout


def test_a_changed_bundle_is_refused(ringback: Command, tmp_path: Path, written: Path) -> None:
    """A trace is replayed against the bundle it was made with, or not at all."""
    shutil.copytree(written, tmp_path / "run")
    with (tmp_path / "run" / "bundle" / "frontdesk" / "README.md").open("a", encoding="utf-8") as file:
        file.write("One word more.")
    assert "the trace belongs to bundle" in ringback.fails(EXIT_INPUT, "replay", tmp_path / "run" / "cases" / CASE)


def test_a_truncated_trace_is_one_line_everywhere(ringback: Command, tmp_path: Path, written: Path) -> None:
    """`replay`, `report` and `grade` name the file and say that it is not whole; the run's other files stay as they were."""
    shutil.copytree(written, tmp_path / "run")
    trace = tmp_path / "run" / "cases" / CASE / "trace.json"
    data = trace.read_bytes()
    trace.write_bytes(data[: len(data) // 2])
    summary = (tmp_path / "run" / "summary.json").read_bytes()
    for command in ("replay", "report", "grade"):
        target = trace if command == "replay" else tmp_path / "run"
        assert ringback.fails(EXIT_INPUT, command, target).startswith(f"{trace}: not a whole trace: ")
    assert summary == (tmp_path / "run" / "summary.json").read_bytes()


@pytest.mark.engine
@pytest.mark.slow
def test_spoken_traces_replay_without_a_difference(tmp_path: Path, spoken: SpokenRun) -> None:
    """Speech, channel and recogniser run again and give the recorded words, samples and hashes."""
    cases = sorted((spoken.folder / "cases").iterdir())
    printed = Command(tmp_path, spoken.cache).passes("replay", *cases)
    assert [f"{case / 'trace.json'}: no difference" for case in cases] == printed.splitlines()


@pytest.mark.engine
@pytest.mark.slow
def test_a_changed_word_or_sound_of_a_spoken_trace_is_named(tmp_path: Path, spoken: SpokenRun) -> None:
    """A heard text is named by its message; a recording that is another one, by its hash."""
    path, where = _copy(spoken.folder, tmp_path, "lost-slip--asr--r0", _heard_text)
    text = tmp_path / "run" / "cases" / "lost-slip--text--r0"
    shutil.copyfile(path.parent / "call.flac", text / "call.flac")
    done = Command(tmp_path, spoken.cache)("replay", path, text)
    assert EXIT_GATE == done.returncode
    assert f"{path}: {where}: recorded " in done.stdout
    assert f"{text / 'trace.json'}: recording.pcm_sha256: recorded " in done.stdout
