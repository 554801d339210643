"""`ringback snapshot demo` as a new user types it: from cases to the report, offline, in minutes."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.errors import EXIT_GATE, EXIT_INPUT
from core.runs.store import sole_worker
from core.schemas.audits import MonthAudit, Verdict
from core.schemas.detections import EvaluationSummary
from core.schemas.snapshot_report import SnapshotReport
from core.schemas.snapshots import Label
from core.snapshots.freezing.reading import Snapshot, read_snapshot, read_transcripts
from gateway.snapshots import demo
from tests.support.command import Command, cache_beside, files_of
from tests.support.shell import Shell

CALLS = demo.FRAUD + demo.NONFRAUD
LIMIT_S = 360
"""Six minutes on two cores."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, engine_cache: Path) -> tuple[Command, str, float]:
    """The command where it was run once from an empty cache, what it printed, and CPU seconds of it all; not to be changed."""
    home = tmp_path_factory.mktemp("demo")
    command = Command(home, cache_beside(home / "cache", engine_cache), patience_s=1800)
    before = os.times()
    shown = command.passes("snapshot", "demo")
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return command, shown, spent


@pytest.fixture(scope="module")
def month(made: tuple[Command, str, float]) -> Snapshot:
    """Its month."""
    return read_snapshot(made[0].cwd / "runs" / "snapshot" / "month")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.engine
@pytest.mark.slow
def test_one_command_makes_a_month_and_its_report(made: tuple[Command, str, float], month: Snapshot) -> None:
    """Each stage tells itself on a line; `verify` finds every byte as it was frozen; the last lines say where things are."""
    command, shown, spent = made
    stages = [line.split()[0] for line in shown.splitlines()[: 5 + len(demo.DETECTORS)]]
    assert ["build", "freeze", "verify", *["evaluate"] * len(demo.DETECTORS), "audit", "report"] == stages
    assert {Label.FRAUD: demo.FRAUD, Label.NONFRAUD: demo.NONFRAUD} == month.head.counts
    assert month.head.root_sha256 in shown
    checked = json.loads(command.passes("snapshot", "verify", "runs/snapshot/month", "--json"))
    assert ("identical", month.head.root_sha256, CALLS) == (checked["sameness"], checked["root_sha256"], checked["calls"])
    assert "report  runs/snapshot/report.html" == shown.splitlines()[-1]
    assert 2 * LIMIT_S > spent, "two cores have twice the seconds"
    voices = {row.voices.caller.voice_id for row in month.rows if row.voices} | {
        row.voices.receiver.voice_id for row in month.rows if row.voices
    }
    assert voices <= set(demo.VOICES.split(","))
    assert all(voice in shown for voice in voices)


@pytest.mark.engine
@pytest.mark.slow
def test_every_text_detector_read_the_same_transcripts(made: tuple[Command, str, float], month: Snapshot) -> None:
    """Each file was heard once, before the freeze; all detectors of words name its id, that of sound names the recording."""
    evals = made[0].cwd / "runs" / "snapshot" / "evals"
    frozen = {name: line.transcript_id for name, line in read_transcripts(month.root).items()}
    recordings = {row.call.sample_id: row.audio.sha256 for row in month.rows if row.audio}
    modes = Counter[str]()
    for folder in sorted(evals.iterdir()):
        answers = _lines(folder / "responses.jsonl")
        summary = EvaluationSummary.model_validate_json((folder / "summary.json").read_bytes())
        assert month.head.root_sha256 == summary.run.root_sha256
        assert frozen.keys() == {answer["sample_id"] for answer in answers}
        modes[summary.run.mode] += 1
        expected = frozen if summary.run.mode == "asr" else dict.fromkeys(frozen)
        assert expected == {answer["sample_id"]: answer["transcript_id"] for answer in answers}
        if summary.run.mode != "ref":
            assert recordings == {answer["sample_id"]: answer["audio_sha256"] for answer in answers}
        assert not (folder / "transcripts.jsonl").exists()
    assert {"asr": 4, "ref": 1, "audio": 1} == modes


@pytest.mark.engine
@pytest.mark.slow
def test_its_report_is_one_page_with_every_detector_and_an_audit_that_cannot_tell(made: tuple[Command, str, float]) -> None:
    """Fifteen calls are too few to show a side door, and the audit says so instead of passing it."""
    root = made[0].cwd / "runs" / "snapshot"
    page = (root / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert all(detector in page for detector, _mode in demo.DETECTORS)
    told = SnapshotReport.model_validate_json((root / "report.json").read_bytes())
    assert [len(demo.DETECTORS)] == [board.counted for board in told.leaderboards]
    audit = MonthAudit.model_validate_json((root / "audit.json").read_bytes())
    assert (audit,) == told.audits
    assert any(check.verdict is Verdict.CANNOT_TELL for check in audit.checks)


@pytest.mark.engine
@pytest.mark.slow
def test_again_on_the_same_folder_changes_nothing(made: tuple[Command, str, float]) -> None:
    """No answer is asked twice and no byte of month or build is written; another language or seed is refused."""
    command, shown, _spent = made
    root = command.cwd / "runs" / "snapshot"
    before = files_of(root)
    again = command.passes("snapshot", "demo", "--out", "runs/snapshot")
    assert before == files_of(root)
    assert shown.splitlines()[-3:] == again.splitlines()[-3:]
    for more in (("--seed", "8"), ("--language", "zh")):
        refused = command.fails(EXIT_INPUT, "snapshot", "demo", "--out", "runs/snapshot", *more)
        assert "holds a demonstration in 'en' with seed 7" in refused
    with sole_worker(root, "testing"):
        assert "another process is" in command.fails(EXIT_INPUT, "snapshot", "demo", "--out", "runs/snapshot")
    assert before == files_of(root)


@pytest.mark.engine
@pytest.mark.slow
def test_what_a_kill_left_is_finished(made: tuple[Command, str, float], month: Snapshot, tmp_path: Path) -> None:
    """A month that appeared before its build noted it, a torn answer, no page: all is there again, with the same root hash."""
    command = Command(tmp_path, made[0].cache)
    root = tmp_path / "demo"
    shutil.copytree(made[0].cwd / "runs" / "snapshot", root)
    _writable(root)
    whole = files_of(root)
    (root / "build" / "frozen.json").unlink()
    (root / "report.html").unlink()
    (root / "audit.json").write_text("{", encoding="utf-8")
    answers = root / "evals" / "keywords-asr" / "responses.jsonl"
    answers.write_bytes(answers.read_bytes()[:-40])
    (root / "evals" / "keywords-asr" / "summary.json").unlink()
    shutil.rmtree(root / "evals" / "acoustic-audio")
    command.passes("snapshot", "demo", "--out", "demo")
    now = files_of(root)
    assert whole.keys() == now.keys()
    timed = ("responses.jsonl", "run.json", "summary.json", "report.json")
    assert [] == [name for name in whole if not name.endswith(timed) and whole[name] != now[name]]
    assert month.head.root_sha256 == read_snapshot(root / "month").head.root_sha256
    assert CALLS == len(_lines(answers))


@pytest.mark.engine
@pytest.mark.slow
def test_a_month_that_was_changed_is_exit_1_and_not_evaluated(made: tuple[Command, str, float], tmp_path: Path) -> None:
    """One byte of one recording: `verify` names it, and nobody is asked."""
    command = Command(tmp_path, made[0].cache)
    root = tmp_path / "demo"
    shutil.copytree(made[0].cwd / "runs" / "snapshot", root)
    _writable(root)
    shutil.rmtree(root / "evals")
    wav = min((root / "month" / "audio").iterdir())
    data = bytearray(wav.read_bytes())
    data[1000] ^= 1
    wav.write_bytes(data)
    done = command("snapshot", "demo", "--out", "demo")
    assert (EXIT_GATE, "") == (done.returncode, done.stderr)
    assert f"audio/{wav.name}" in done.stdout
    assert not (root / "evals").exists()


def _writable(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        path.chmod(path.stat().st_mode | stat.S_IWUSR)


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_folder_of_something_else_is_refused(shell: Shell, kind: str) -> None:
    """Nothing is written there."""
    out = Path("mine")
    if kind == "file":
        out.write_text("mine", encoding="utf-8")
    else:
        out.mkdir()
        (out / "letter.txt").write_text("mine", encoding="utf-8")
    before = files_of(Path())
    assert EXIT_INPUT == shell("snapshot", "demo", "--out", "mine")
    assert "choose a new folder with --out" in shell.err
    assert before == files_of(Path())
