"""SPEC 9, files of a run: manifest once and first, an append-only journal, case folders complete or not at all."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.bundle import load_bundle
from core.errors import FileError, InputError
from core.line import Line, TextLine
from core.runs.store import RunStore, load_trace, sole_worker, trace_bytes
from core.schemas.base import sha256
from core.schemas.call_trace import Message, Trace
from core.schemas.run import CaseKey, DropClass, JournalLine, JournalState, RunFile
from tests.support.parties import GREETING, play, turn
from tests.support.runs import TIMING, run_file
from tests.support.scenes import SCENARIO_FILE, change, copy_minimal, minimal, put

CASE = "renew-loan--text--r0"


def _begin(root: Path, **changes: Any) -> RunStore:
    return RunStore.begin(root, run_file(**changes), minimal())


def _trace() -> Trace:
    return play([turn(GREETING), turn("Goodbye.")])


def _line(case: str, state: str, **more: Any) -> JournalLine:
    return JournalLine.model_validate({"case": case, "state": state, **more})


# -- manifest -----------------------------------------------------------------------------------------------------------------


def test_a_run_begins_with_its_manifest_and_a_copy_of_its_bundle(tmp_path: Path) -> None:
    """What was asked for is on disk before any call, and the bundle as it was then."""
    store = _begin(tmp_path / "run")
    assert run_file() == store.run()
    assert ["bundle", "run.json"] == sorted(path.name for path in store.root.iterdir())
    assert minimal().bundle_hash == store.bundle().bundle_hash


def test_the_run_keeps_the_bundle_it_began_with(tmp_path: Path) -> None:
    """Later changes of the bundle's own folder do not reach the run."""
    root = copy_minimal(tmp_path)
    bundle = load_bundle(root)
    store = RunStore.begin(tmp_path / "run", run_file(bundle), bundle)
    change(root / SCENARIO_FILE, put("title", "Changed"))
    assert bundle.bundle_hash == store.bundle().bundle_hash
    shutil.rmtree(root)
    assert bundle.bundle_hash == store.bundle().bundle_hash


def test_a_changed_copy_of_the_bundle_is_noticed(tmp_path: Path) -> None:
    """Traces are graded against the bundle they were made with, or not at all."""
    store = _begin(tmp_path / "run")
    change(store.root / "bundle" / "minimal" / SCENARIO_FILE, put("title", "Changed"))
    with pytest.raises(FileError, match="the run's copy of its bundle was changed"):
        store.bundle()


def test_the_same_run_is_resumed_and_its_manifest_left_alone(tmp_path: Path) -> None:
    """The manifest is written once: command line, code and the path as given may differ the second time."""
    first = (_begin(tmp_path / "run").root / "run.json").stat()
    other = {"argv": ("again",), "bundle_path": "elsewhere", "code": {"version": "9.9.9"}}
    again = (_begin(tmp_path / "run", **other).root / "run.json").stat()
    assert (first.st_ino, first.st_mtime_ns) == (again.st_ino, again.st_mtime_ns)
    assert run_file() == RunStore.open(tmp_path / "run").run()


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("seed", 8, "seed: 7 there, 8 now"),
        ("repeats", 2, "repeats: 1 there, 2 now"),
        ("record", True, "record: False there, True now"),
        ("bundle_version", "1.0.1", "bundle_version: 1.0.0 there, 1.0.1 now"),
        ("bundle_hash", "0" * 64, "bundle_hash: #"),
        ("cases", [CaseKey(scenario="renew-loan", condition="text")], "cases: #"),
        ("caller", {"party": "test:other"}, "caller: "),
        ("candidate", {"party": "test:candidate", "settings": {"t": 1}}, "candidate: "),
        ("judge", {"party": "test:other"}, "judge: "),
        ("lines", {"text": {"line": "text-2"}}, "lines: "),
    ],
)
def test_another_configuration_is_refused_naming_the_field(tmp_path: Path, field: str, value: Any, shown: str) -> None:
    """One folder holds one run; what differs is said, with both values where they are short."""
    _begin(tmp_path / "run")
    with pytest.raises(InputError) as caught:
        _begin(tmp_path / "run", **{field: value})
    assert f"{tmp_path / 'run'}: holds a run with another configuration ({shown}" in str(caught.value)
    assert str(caught.value).endswith("choose another folder with --out")
    assert "\n" not in str(caught.value)


def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path) -> None:
    """A run never writes among foreign files."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="this folder is not empty and holds no run: choose another with --out"):
        _begin(tmp_path)
    assert ["notes.txt"] == [path.name for path in tmp_path.iterdir()]


def test_a_run_killed_in_its_first_write_can_be_begun_again(tmp_path: Path) -> None:
    """Half a manifest that never got its name, or a manifest without the bundle beside it, is no obstacle."""
    root = tmp_path / "run"
    root.mkdir()
    (root / ".run.json.abc").write_bytes(b'{"format"')
    _begin(root)
    shutil.rmtree(root / "bundle")
    assert minimal().bundle_hash == _begin(root).bundle().bundle_hash
    assert not list(root.glob(".run.json.*"))


def test_a_folder_that_cannot_be_made_gives_one_line(tmp_path: Path) -> None:
    """A path below a file is no folder, for whoever asks."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(FileError) as caught:
        _begin(tmp_path / "file" / "run")
    assert f"{tmp_path / 'file' / 'run'}: cannot create this folder: not a directory; choose another with --out" == str(
        caught.value
    )


def test_a_folder_without_a_run_is_no_run(tmp_path: Path) -> None:
    """Reading commands say what a run is."""
    with pytest.raises(FileError, match=r"no run here: a run is a folder with run\.json"):
        RunStore.open(tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a whole run manifest: EOF"),
        ('{"format": ', "not a whole run manifest: EOF"),
        ("{}", "not a run manifest: bundle: required"),
    ],
)
def test_a_manifest_that_is_not_whole_gives_one_line(tmp_path: Path, text: str, reason: str) -> None:
    """Half a file, or a file of something else."""
    store = _begin(tmp_path / "run")
    (store.root / "run.json").write_text(text, encoding="utf-8")
    for use in (store.run, lambda: _begin(tmp_path / "run")):
        with pytest.raises(FileError) as caught:
            use()
        assert str(caught.value).startswith(f"{store.root / 'run.json'}: {reason}")
        assert "\n" not in str(caught.value)


def test_one_process_plays_a_run_at_a_time(tmp_path: Path) -> None:
    """A second player is refused while the first holds the folder, and let in afterwards."""
    refused = pytest.raises(InputError, match="another process is playing or judging this run")
    with sole_worker(tmp_path / "run"), refused, sole_worker(tmp_path / "run"):
        raise AssertionError("two players at once")
    with sole_worker(tmp_path / "run"):
        assert (tmp_path / "run").is_dir()


# -- journal ------------------------------------------------------------------------------------------------------------------

LINES = [
    _line("a--text--r0", "started"),
    _line("a--text--r0", "finished", trace_sha256="0" * 64),
    _line("b--text--r0", "started"),
    _line("b--text--r0", "dropped", drop_class="simulation", reason="caller_invalid: 'ü' and \"quotes\"\nline"),
]


def test_a_journal_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """One JSON object per line, appended."""
    store = _begin(tmp_path / "run")
    assert [] == store.journal()
    for line in LINES:
        store.log(line)
    assert LINES == store.journal()
    assert 4 == (store.root / "journal.jsonl").read_bytes().count(b"\n")


@pytest.mark.parametrize("cut", [1, 2, 10, 40])
def test_a_line_torn_by_a_kill_is_cut_off_on_resuming(tmp_path: Path, cut: int) -> None:
    """Whole lines stay, the torn one goes, and the next line does not run into it."""
    store = _begin(tmp_path / "run")
    for line in LINES:
        store.log(line)
    path = store.root / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert LINES[:3] == store.journal()
    again = _begin(tmp_path / "run")
    again.log(LINES[3])
    assert LINES == again.journal()


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    """That is no kill but damage, and nothing is guessed."""
    store = _begin(tmp_path / "run")
    store.log(LINES[0])
    with (store.root / "journal.jsonl").open("ab") as handle:
        handle.write(b'{"case": "x"}\n')
    store.log(LINES[1])
    with pytest.raises(FileError, match=r"line 2 is no journal line: b'\{"):
        store.journal()


def test_a_journal_that_cannot_be_written_gives_one_line(tmp_path: Path) -> None:
    """A folder in its place, a full disk, a missing right: one sentence."""
    store = _begin(tmp_path / "run")
    (store.root / "journal.jsonl").mkdir()
    with pytest.raises(FileError) as caught:
        store.log(LINES[0])
    assert f"{store.root / 'journal.jsonl'}: cannot be written: is a directory" == str(caught.value)


def test_a_case_is_dropped_when_that_is_its_last_word(tmp_path: Path) -> None:
    """A case that was dropped, then finished, is not dropped; one started again keeps its last outcome."""
    store = _begin(tmp_path / "run")
    drop = {"drop_class": "infrastructure", "reason": "clip: x"}
    for line in (
        _line("a", "dropped", **drop),
        _line("b", "dropped", **drop),
        _line("b", "started"),
        _line("b", "finished", trace_sha256="0" * 64),
        _line("c", "dropped", **drop),
        _line("c", "started"),
    ):
        store.log(line)
    assert {"a", "c"} == set(store.dropped())
    assert (DropClass.INFRASTRUCTURE, JournalState.DROPPED) == (store.dropped()["a"].drop_class, store.dropped()["c"].state)


# -- cases --------------------------------------------------------------------------------------------------------------------


class _SavingLine(TextLine):
    def save(self, folder: Path, messages: Sequence[Message]) -> None:
        (folder / "call.flac").write_bytes(b"sound")
        assert messages
        assert not (folder / "trace.json").exists()


class _FailingLine(TextLine):
    def save(self, folder: Path, messages: Sequence[Message]) -> None:
        (folder / "call.flac").write_bytes(b"half")
        raise OSError(28, "No space left on device")


def _save(store: RunStore, line: Line | None = None, seconds: float = 1.5) -> str:
    return store.save_case(CASE, _trace(), line or TextLine(), TIMING.model_copy(update={"seconds": seconds}))


def test_a_case_is_saved_whole(tmp_path: Path) -> None:
    """Trace, timing and what the line adds appear together; the identity is the sha256 of trace.json."""
    store = _begin(tmp_path / "run")
    assert not store.has(CASE)
    identity = _save(store, _SavingLine())
    assert store.has(CASE)
    folder = store.case_folder(CASE)
    assert ["call.flac", "timing.json", "trace.json"] == sorted(path.name for path in folder.iterdir())
    assert sha256((folder / "trace.json").read_bytes()) == identity
    assert 1.5 == json.loads((folder / "timing.json").read_bytes())["seconds"]
    assert _trace() == store.trace(CASE)


def test_clock_times_are_no_part_of_a_traces_identity(tmp_path: Path) -> None:
    """The same call at another time is the same trace."""
    first = _save(_begin(tmp_path / "a"), seconds=1)
    assert first == _save(_begin(tmp_path / "b"), seconds=2)
    assert first == sha256(trace_bytes(_trace()))


def test_a_case_that_cannot_be_saved_leaves_nothing(tmp_path: Path) -> None:
    """A disk that fills up while sound is written leaves no half case behind."""
    store = _begin(tmp_path / "run")
    with pytest.raises(FileError, match="cannot be written: no space left on device"):
        _save(store, _FailingLine())
    assert not store.has(CASE)
    assert [] == list((store.root / "cases").iterdir())


def test_a_finished_case_never_changes(tmp_path: Path) -> None:
    """Saving it a second time is refused; the first stays."""
    store = _begin(tmp_path / "run")
    _save(store, seconds=1)
    with pytest.raises(FileError, match="cannot be written"):
        _save(store, seconds=2)
    assert 1 == json.loads((store.case_folder(CASE) / "timing.json").read_bytes())["seconds"]
    assert [CASE] == [path.name for path in (store.root / "cases").iterdir()]


def test_what_a_kill_left_behind_is_cleared_on_resuming(tmp_path: Path) -> None:
    """Folders that never got their name go; finished ones stay as they are, inode and all."""
    store = _begin(tmp_path / "run")
    _save(store)
    before = (store.case_folder(CASE) / "trace.json").stat().st_ino
    (store.root / "cases" / f".{CASE}.k1ll3d").mkdir()
    (store.root / "cases" / f".{CASE}.k1ll3d" / "trace.json").write_bytes(b"{")
    _begin(tmp_path / "run")
    assert [CASE] == [path.name for path in (store.root / "cases").iterdir()]
    assert before == (store.case_folder(CASE) / "trace.json").stat().st_ino


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.999])
def test_a_truncated_trace_gives_one_clear_line(tmp_path: Path, share: float) -> None:
    """Wherever it breaks off, the message names the file and says that it is not whole."""
    store = _begin(tmp_path / "run")
    _save(store)
    path = store.case_folder(CASE) / "trace.json"
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(FileError) as caught:
        store.trace(CASE)
    assert str(caught.value).startswith(f"{path}: not a whole trace: EOF while parsing")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[]", "not a trace: "),
        (b'{"format": "ringback-trace-9"}', "not a trace: format: input should be 'ringback-trace-1', found 'ringback-trace-9'"),
        (b"\xff\xfe", "not a whole trace: "),
        (b"{} {}", "not a whole trace: trailing characters"),
    ],
)
def test_what_is_no_trace_gives_one_clear_line(tmp_path: Path, data: bytes, reason: str) -> None:
    """Another version, another format, other bytes."""
    path = tmp_path / "trace.json"
    path.write_bytes(data)
    with pytest.raises(FileError) as caught:
        load_trace(path)
    assert str(caught.value).startswith(f"{path}: {reason}")
    assert "\n" not in str(caught.value)


def test_a_field_of_a_trace_that_is_wrong_is_named(tmp_path: Path) -> None:
    """The path inside the file is given."""
    data = json.loads(trace_bytes(_trace()))
    data["messages"][1]["role"] = "robot"
    (tmp_path / "trace.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(FileError, match=r"not a trace: messages\[1\]\.role: input should be .*, found 'robot'"):
        load_trace(tmp_path / "trace.json")


def test_a_missing_trace_grade_or_summary_is_said(tmp_path: Path) -> None:
    """What is not there yet is an answer for grades and an error for the rest."""
    store = _begin(tmp_path / "run")
    assert store.grade("key", CASE) is None
    with pytest.raises(FileError, match="no trace here"):
        store.trace(CASE)
    with pytest.raises(FileError, match="no summary here"):
        store.summary()


def test_a_trace_is_the_same_bytes_after_it_was_read(tmp_path: Path) -> None:
    """Reading and writing a trace again gives the same identity, so replay can compare."""
    (tmp_path / "trace.json").write_bytes(trace_bytes(_trace()))
    assert trace_bytes(_trace()) == trace_bytes(load_trace(tmp_path / "trace.json"))


def test_run_file_defaults_are_written_out(tmp_path: Path) -> None:
    """A manifest shows every field, so that a reader needs no other file to know what was run."""
    written = json.loads((_begin(tmp_path / "run").root / "run.json").read_bytes())
    assert set(RunFile.model_fields) == set(written)
