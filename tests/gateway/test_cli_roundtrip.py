"""`ringback roundtrip`: planted replies are flagged and plain ones are not; grades, scores and a second round cost nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.errors import EXIT_INPUT, EXIT_OK
from gateway.cli.main import main
from tests.repository.tree import ROOT
from tests.support.command import SpokenRun, files_of
from tests.support.written import PLAIN, PLANTED, SAID

pytestmark = [pytest.mark.engine, pytest.mark.slow]

WRITTEN = ("--candidate", "python:tests.support.written:Written")


def test_planted_replies_are_flagged_and_nothing_else_changes(
    tmp_path: Path, engine_cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of a call in words its replies are spoken and heard now; what no voice says stands there; every grade stays as it was."""
    monkeypatch.setenv("RINGBACK_CACHE", str(engine_cache))
    run = tmp_path / "run"
    bundle = ROOT / "tests" / "bundles" / "workshop"
    arguments = ["run", str(bundle), "--scenarios", "lost-slip", *WRITTEN, "--out", str(run), "--concurrency", "1"]
    assert EXIT_OK == main(arguments)
    before = files_of(run)
    assert EXIT_OK == main(["roundtrip", str(run), "--concurrency", "1"])
    found = json.loads((run / "measures" / "roundtrip.json").read_bytes())

    assert list(SAID) == [reply["wrote"] for reply in found["replies"]]
    for reply in found["replies"]:
        assert PLANTED.get(reply["wrote"], set()) == {each["what"] for each in reply["unsaid"]}
    silent = {reply["wrote"]: reply["silent"] for reply in found["replies"] if reply["silent"]}
    assert {"请稍等一下。": "nothing in it can be said in the language of the call"} == silent
    assert {True} == {reply["wer"]["rate"] < 0.3 for reply in found["replies"] if reply["wrote"] in PLAIN}

    after = files_of(run)
    assert {"measures/roundtrip.json"} == after.keys() - before.keys()
    assert before == {name: data for name, data in after.items() if name in before}
    capfd.readouterr()
    assert EXIT_OK == main(["report", str(run), "--markdown", str(tmp_path / "run.md")])
    assert "The agent's own speech, heard again" in capfd.readouterr().out
    assert "## The agent's own speech" in (tmp_path / "run.md").read_text(encoding="utf-8")
    assert 'id="roundtrip"' in (run / "report.html").read_text(encoding="utf-8")
    reported = files_of(run)
    assert {"report.html"} == {name for name in after if after[name] != reported[name]}


def test_a_recorded_run_is_heard_from_its_own_sound_and_only_once(
    tmp_path: Path, spoken: SpokenRun, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Both calls of the run hold the same replies in the same sound; a second round hears nothing anew and writes the same."""
    run = tmp_path / "run"
    shutil.copytree(spoken.folder, run)
    monkeypatch.setenv("RINGBACK_CACHE", str(spoken.cache))
    assert EXIT_OK == main(["roundtrip", str(run), "--json"])
    first = json.loads(capfd.readouterr().out)
    assert first == json.loads((run / "measures" / "roundtrip.json").read_bytes())
    said = {
        condition: [(r["wrote"], r["heard"]) for r in first["replies"] if r["condition"] == condition]
        for condition in ("text", "asr")
    }
    assert said["text"] == said["asr"]
    assert 0 < len(said["asr"])
    assert {"en"} == set(first["listeners"])
    written = (run / "measures" / "roundtrip.json").read_bytes()
    transcripts = files_of(spoken.cache / "transcripts").keys()
    assert EXIT_OK == main(["roundtrip", str(run), "--concurrency", "1"])
    assert written == (run / "measures" / "roundtrip.json").read_bytes()
    assert transcripts == files_of(spoken.cache / "transcripts").keys()

    case = next((run / "cases").iterdir())
    (case / "call.flac").write_bytes(b"no sound")
    capfd.readouterr()
    assert EXIT_INPUT == main(["roundtrip", str(run), "--concurrency", "1"])
    (line,) = capfd.readouterr().err.splitlines()
    assert str(case / "call.flac") in line
    assert written == (run / "measures" / "roundtrip.json").read_bytes()


def test_a_broken_measure_is_one_line(tmp_path: Path, spoken: SpokenRun, capfd: pytest.CaptureFixture[str]) -> None:
    """A file that is no round trip is named when the report reads it; a folder without a run is said so."""
    run = tmp_path / "run"
    shutil.copytree(spoken.folder, run)
    (run / "measures").mkdir()
    (run / "measures" / "roundtrip.json").write_text("{}", encoding="utf-8")
    assert EXIT_INPUT == main(["report", str(run)])
    (line,) = capfd.readouterr().err.splitlines()
    assert "roundtrip.json: not a round trip" in line
    assert EXIT_INPUT == main(["roundtrip", str(tmp_path)])
    assert "no run here" in capfd.readouterr().err
