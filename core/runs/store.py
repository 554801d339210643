"""A run on disk: manifest first, journal as it goes, case folders by rename, grades beside them."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from core.bundle import MANIFEST, Bundle, load_bundle
from core.errors import BusyError, FileError, InputError
from core.files import append_line, cut_torn_line, make_folder, new_folder, read_bytes, reason, whole_lines, write_atomic
from core.line import Line
from core.runs.spending import Spending
from core.schemas.base import content_hash, pretty_json, sha256
from core.schemas.call_trace import PartyRecord, Trace, TraceHeader
from core.schemas.grade import Grade
from core.schemas.roundtrip import RoundTrip
from core.schemas.run import JournalLine, JournalState, RunFile, Summary, Timing
from core.validation import faults_of

_M = TypeVar("_M", bound=BaseModel)
ROUND_TRIP = Path("measures") / "roundtrip.json"
NOT_JUDGED = "not_judged"
"""The word by which a call is told that its judge has not been asked about."""
_FREE = ("argv", "code", "bundle_path")
"""Fields of run.json in which a resumed run may differ from the first."""


class _Headed(BaseModel):
    """As much of a trace as says how it was played."""

    header: TraceHeader


@contextmanager
def sole_worker(root: Path, doing: str = "playing or judging this run") -> Iterator[None]:
    """Hold a folder while something is being done in it, such as `doing`; the system lets go of it when the process dies.

    Raises BusyError where another process holds it.
    """
    try:
        handle = os.open(make_folder(root), os.O_RDONLY)
    except OSError as error:
        raise FileError(f"{root}: cannot be opened: {reason(error)}") from None
    try:
        _take(handle, root, doing)
        yield
    finally:
        os.close(handle)


def _take(handle: int, root: Path, doing: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BusyError(f"{root}: another process is {doing}: wait until it has ended") from None
    except OSError:
        pass  # a file system without locks


class RunStore:
    """The folder of one run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._journal = root / "journal.jsonl"
        self.spending = Spending(root / "spending.jsonl")

    # -- manifest -----------------------------------------------------------------------------------------------------

    @classmethod
    def begin(cls, root: Path, run: RunFile, bundle: Bundle) -> RunStore:
        """Start a run, or resume it where the configuration is the same; raises InputError where it is not.

        What a kill left behind is cleared away, so call it under `sole_worker`.
        """
        store = cls(make_folder(root))
        if (root / "run.json").exists():
            store._refuse_other(run)
            store.mend()
        elif any(not path.name.startswith(".run.json.") for path in root.iterdir()):
            raise FileError(f"{root}: this folder is not empty and holds no run: choose another with --out")
        else:
            write_atomic(root / "run.json", pretty_json(run.to_json()))
        if not (root / "bundle" / bundle.file.id).exists():
            store._copy_bundle(bundle)
        return store

    def is_begun(self) -> bool:
        """Whether a run is here."""
        return (self.root / "run.json").is_file()

    @classmethod
    def open(cls, root: Path) -> RunStore:
        """An existing run; raises FileError where there is none."""
        store = cls(root)
        if not store.is_begun():
            raise FileError(f"{root}: no run here: a run is a folder with run.json, made by `ringback run`")
        return store

    def run(self) -> RunFile:
        """The run's manifest."""
        return read_model(self.root / "run.json", RunFile, "run manifest")

    def bundle(self) -> Bundle:
        """The bundle as it was when the run began, from the run's own copy."""
        run = self.run()
        bundle = load_bundle(self.root / "bundle" / run.bundle, audited=run.bundle_hash)
        if bundle.bundle_hash != run.bundle_hash:
            raise FileError(f"{bundle.root}: the run's copy of its bundle was changed: its hash is {bundle.bundle_hash[:12]}")
        return bundle

    def _copy_bundle(self, bundle: Bundle) -> None:
        with new_folder(self.root / "bundle" / bundle.file.id) as work:
            for name in (*bundle.files, *([MANIFEST] if (bundle.root / MANIFEST).is_file() else [])):
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(bundle.root / name, work / name)

    def _refuse_other(self, run: RunFile) -> None:
        old, new = _configuration(self.run()), _configuration(run)
        different = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
        if different:
            shown = "; ".join(f"{key}: {_short(old.get(key))} there, {_short(new.get(key))} now" for key in different)
            raise InputError(f"{self.root}: holds a run with another configuration ({shown}): choose another folder with --out")

    # -- journal ------------------------------------------------------------------------------------------------------

    def log(self, line: JournalLine) -> None:
        """Append a line to the journal and wait until it is on disk."""
        append_line(self._journal, line.model_dump_json(exclude_none=True).encode(), synced=True)

    def journal(self) -> list[JournalLine]:
        """Every whole line of the journal."""
        return list(self._lines())

    def _lines(self) -> Iterator[JournalLine]:
        for number, raw in enumerate(whole_lines(self._journal, "journal"), 1):
            try:
                yield JournalLine.model_validate_json(raw)
            except ValidationError:
                raise FileError(f"{self._journal}: line {number} is no journal line: {raw[:60]!r}") from None

    def finished(self) -> set[str]:
        """Cases of which the journal says that they are finished."""
        return {line.case for line in self._lines() if line.state is JournalState.FINISHED}

    def dropped(self) -> dict[str, JournalLine]:
        """Cases whose last word in the journal is that they were dropped."""
        ends = (JournalState.FINISHED, JournalState.DROPPED)
        last = {line.case: line for line in self._lines() if line.state in ends}
        return {case: line for case, line in last.items() if line.state is JournalState.DROPPED and not self.has(case)}

    def unjudged(self, judge_key: str) -> dict[str, str]:
        """Finished cases that this judge has not graded, each with why it failed, as far as the journal knows."""
        told = {
            line.case: line.reason
            for line in self._lines()
            if line.state is JournalState.UNGRADED and line.judge_key == judge_key
        }
        names = (case.name for case in self.run().cases)
        return {
            name: told.get(name, f"{NOT_JUDGED}: nobody asked this judge yet")
            for name in names
            if self.has(name) and not self.is_graded(judge_key, name)
        }

    def mend(self) -> None:
        """Clear away what a killed process left: torn lines, and what never got its name. Call it under `sole_worker`."""
        cut_torn_line(self._journal)
        cut_torn_line(self.spending.path)
        for pattern in ("cases/.*--*", "bundle/.*", "grades/*/.*--*", ".summary.json.*", ".report*.html.*", ".run.json.*"):
            for path in self.root.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    # -- cases and grades ---------------------------------------------------------------------------------------------

    def case_folder(self, case: str) -> Path:
        """Folder of a case."""
        return self.root / "cases" / case

    def has(self, case: str) -> bool:
        """Whether a case is finished."""
        return (self.case_folder(case) / "trace.json").is_file()

    def save_case(self, case: str, trace: Trace, line: Line, timing: Timing) -> str:
        """Write a finished case whole; returns the trace's identity."""
        data = trace_bytes(trace)
        with new_folder(self.case_folder(case)) as work:
            line.save(work, trace.messages)
            (work / "timing.json").write_bytes(pretty_json(timing.to_json()))
            (work / "trace.json").write_bytes(data)
        return sha256(data)

    def timing(self, case: str) -> Timing:
        """A finished case's clock times, machine and costs."""
        return read_model(self.case_folder(case) / "timing.json", Timing, "timing")

    def trace(self, case: str) -> Trace:
        """A finished case's trace."""
        return load_trace(self.case_folder(case) / "trace.json")

    def header(self, case: str) -> TraceHeader:
        """The header of a finished case's trace, without reading the call."""
        return read_model(self.case_folder(case) / "trace.json", _Headed, "trace").header

    def grade_path(self, judge_key: str, case: str) -> Path:
        """Where a judge's grade of a case stands."""
        return self.root / "grades" / judge_key / f"{case}.json"

    def save_grade(self, grade: Grade, case: str) -> None:
        """Write a grade; regrades by another judge stand beside it."""
        write_atomic(self.grade_path(grade.judge_key, case), pretty_json(grade.to_json()))

    def is_graded(self, judge_key: str, case: str) -> bool:
        """Whether a judge has graded a case."""
        return self.grade_path(judge_key, case).is_file()

    def grade(self, judge_key: str, case: str) -> Grade | None:
        """A saved grade, or None."""
        path = self.grade_path(judge_key, case)
        return read_model(path, Grade, "grade") if path.is_file() else None

    def judges(self) -> dict[str, PartyRecord]:
        """Key and record of every judge whose grades are here, the run's own first, then those with most grades."""
        run = self.run()
        found: list[tuple[bool, int, str, PartyRecord]] = []
        for key in sorted(path.name for path in (self.root / "grades").glob("*")):
            graded = [case.name for case in run.cases if self.is_graded(key, case.name)]
            grade = self.grade(key, graded[0]) if graded else None
            if grade is not None:
                found.append((grade.judge != run.judge, -len(graded), key, grade.judge))
        return {key: judge for _other, _count, key, judge in sorted(found, key=lambda each: each[:3])}

    def save_summary(self, summary: Summary) -> Path:
        """Write `summary.json`."""
        path = self.root / "summary.json"
        write_atomic(path, pretty_json(summary.to_json()))
        return path

    def summary(self) -> Summary:
        """The saved summary."""
        return read_model(self.root / "summary.json", Summary, "summary")

    def save_round_trip(self, found: RoundTrip) -> Path:
        """Write what was measured of the agent's own speech."""
        path = self.root / ROUND_TRIP
        write_atomic(path, pretty_json(found.to_json()))
        return path

    def round_trip(self) -> RoundTrip | None:
        """What was measured of the agent's own speech; None where nothing was."""
        path = self.root / ROUND_TRIP
        return read_model(path, RoundTrip, "round trip") if path.is_file() else None


def trace_bytes(trace: Trace) -> bytes:
    """The bytes of `trace.json`; their SHA-256 is the trace's identity."""
    return pretty_json(trace.to_json())


def load_trace(path: Path) -> Trace:
    """Read a trace; raises FileError with one line where it is missing, truncated or no trace."""
    return read_model(path, Trace, "trace")


def read_model(path: Path, model: type[_M], what: str) -> _M:
    """Read a JSON file into a model; raises FileError with one line."""
    data = read_bytes(path, what)
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            raise FileError(f"{path}: not a whole {what}: {first['msg'].removeprefix('Invalid JSON: ')}") from None
        where, why = faults_of(error, json.loads(data))[0]
        raise FileError(f"{path}: not a {what}: {f'{where}: ' if where else ''}{why}") from None


def _configuration(run: RunFile) -> dict[str, JsonValue]:
    return {key: value for key, value in run.model_dump(mode="json").items() if key not in _FREE}


def _short(value: JsonValue) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"#{content_hash(value)[:8]}"
