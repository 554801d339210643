"""What importers of calls share: checking rows one after the other, counting what is left out, and the files that come out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from core.errors import FileError, InputError
from core.files import new_folder, read_bytes
from core.schemas.base import is_json, json_lines, pretty_json, sha256
from core.schemas.imported_calls import CallFile, CallImportReport, ImportedCall
from core.schemas.snapshots import Label
from core.snapshots.plain import plain

CALLS, REPORT = "calls.jsonl", "import-report.json"
MOST_BYTES = 1 << 30
"""No file of a source may be larger: one that is, is no text release."""


class Imported(NamedTuple):
    """What an import gives."""

    calls: tuple[ImportedCall, ...]
    """Every sound call, in the order of the source."""
    report: CallImportReport
    """What became of every row."""


class RowError(Exception):
    """A row that becomes no call; its only argument is the reason, one of a fixed set."""


class Read(NamedTuple):
    """A row that was read."""

    call: ImportedCall
    changed: tuple[str, ...] = ()
    """What differs from the row."""


class Collector:
    """Counts rows as they come, and leaves out what says the same as an earlier row."""

    def __init__(self) -> None:
        self._seen: dict[str, list[tuple[str, Read]]] = {}
        self._rows: dict[str, int] = {}
        self._hashes: dict[str, str] = {}
        self._dropped: Counter[str] = Counter()

    def file(self, name: str, digest: str) -> None:
        """Note a file of rows."""
        self._rows[name], self._hashes[name] = 0, digest

    def add(self, file: str, read: Callable[[], Read]) -> None:
        """Read a row of a file, and note what came of it; nothing that a row holds stops the others."""
        self._rows[file] += 1
        try:
            made = _sound(read)
        except RowError as error:
            self._dropped[str(error.args[0])] += 1
            return
        self._seen.setdefault(plain(made.call.text), []).append((file, made))

    def finish(self, source: str, licence: str) -> Imported:
        """The calls and the report; raises InputError where no row became a call."""
        kept: dict[str, tuple[str, Read]] = {}
        for same in self._seen.values():
            if len({read.call.label for _file, read in same}) > 1:
                self._dropped["contradicting_label"] += len(same)
                continue
            if len(same) > 1:
                self._dropped["same_words"] += len(same) - 1
            if kept.setdefault(same[0][1].call.sample_id, same[0]) is not same[0]:
                self._dropped["repeated_id"] += 1
        if not kept:
            raise InputError(f"no call in {sum(self._rows.values())} rows of {source}: {dict(self._dropped)}")
        by_file = Counter(file for file, _read in kept.values())
        files = tuple(
            CallFile(file=name, sha256=self._hashes[name], rows=rows, kept=by_file[name])
            for name, rows in sorted(self._rows.items())
        )
        report = CallImportReport(
            source=source,
            licence=licence,
            files=files,
            rows=sum(self._rows.values()),
            dropped=dict(sorted(self._dropped.items())),
            changed=dict(sorted(Counter(what for _file, read in kept.values() for what in read.changed).items())),
            kept=len(kept),
            labels={label: sum(read.call.label == label for _file, read in kept.values()) for label in Label},
        )
        return Imported(tuple(read.call for _file, read in kept.values()), report)


def _sound(read: Callable[[], Read]) -> Read:
    """A row as it was read; raises RowError where it holds what no call can, such as a list for a name, or what no file can."""
    try:
        made = read()
    except (TypeError, ValueError, RecursionError):
        raise RowError("unreadable_row") from None
    if not is_json(made.call.to_json()):
        raise RowError("unreadable_row")
    return made


def id_part(text: str) -> str:
    """Text as part of an id: lower-case words joined by hyphens, at most 60 characters; raises RowError where nothing is left."""
    made = "-".join(re.findall(r"[a-z0-9]+", text.lower()))
    if not made:
        raise RowError("no_id")
    return shortened(made, 60)


def shortened(name: str, most: int) -> str:
    """A name of at most `most` characters: what is cut from a longer one stands as a hash, so that no two become one."""
    return name if len(name) <= most else f"{name[: most - 13].rstrip('-')}-{sha256(name)[:12]}"


def write_calls(folder: Path, imported: Imported) -> None:
    """Write `calls.jsonl` and `import-report.json` into a new folder; raises FileError where it exists or cannot be written."""
    if folder.exists():
        raise FileError(f"{folder}: is there already; choose another with --out")
    with new_folder(folder) as work:
        (work / CALLS).write_bytes(json_lines(imported.calls))
        (work / REPORT).write_bytes(pretty_json(imported.report.to_json()))


def read_calls(folder: Path) -> tuple[ImportedCall, ...]:
    """The calls that `write_calls` wrote; raises FileError naming the line that is none."""
    return read_call_file(folder / CALLS)


def read_call_file(path: Path) -> tuple[ImportedCall, ...]:
    """The calls of one such file; raises FileError naming the line that is none, or the file if it holds no call."""
    calls = tuple(_call(path, number, line) for number, line in _lines(read_bytes(path, "imported calls")))
    if not calls:
        raise FileError(f"{path}: no imported call is in it")
    return calls


def _lines(data: bytes) -> Iterable[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip())


def _call(path: Path, number: int, line: bytes) -> ImportedCall:
    try:
        return ImportedCall.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise FileError(f"{path}, line {number}: no imported call: {where}: {first['msg']}") from None
