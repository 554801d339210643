"""TeleAntiFraud-28k's text release: rows in JSON lines, and beside them a folder with the full record of each row.

A row holds each side's turns apart, so the order in which they were spoken is lost; the full record has it and is read instead.
The label is that of the file: rows of lawful calls are named `tts_fraud_...` too. Ids repeat from file to file, so the time stamp
of the file is part of ours, and its kind too where files of both kinds have that stamp. What is left out, and why, stands in
`docs/snapshot-audits.md`.
"""

from __future__ import annotations

import io
import json
import lzma
import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import FileError, InputError
from core.files import read_bytes
from core.schemas.base import sha256
from core.schemas.imported_calls import ImportedCall, ImportedTurn
from core.schemas.snapshots import Label, Side
from core.snapshots.importing.collecting import MOST_BYTES, Collector, Imported, Read, RowError, id_part

SOURCE = "taf28k"
LICENCE = "Apache-2.0"
_ROWS = re.compile(r"(?P<folder>(?:.*/)?)(?P<kind>fraud|normal)_dialogues-(?P<stamp>\d{8}_\d{6})\.jsonl")
_FULL = re.compile(r"(?:.*/)?(?:normal-)?full_dialogues_\d{8}_\d{6}/[A-Za-z0-9_-]+\.json")
_SIDES = {"left": Side.CALLER, "right": Side.RECEIVER}
_LABELS = {"fraud": Label.FRAUD, "normal": Label.NONFRAUD}
_BROKEN = (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError)
"""What a damaged archive raises while it is read."""
_DETAILS = ("user_age", "user_awareness", "fraud_type", "occupation", "termination_reason", "terminator")
_FAULTS = (
    ("api_failure", re.compile("API调用失败")),
    ("leftover_marker", re.compile("##")),
    ("bracketed_remark", re.compile(r"[（(\[【].*?[)）\]】]", re.DOTALL)),
    ("markup_or_link", re.compile(r"\*\*|https?://|www\.")),
    ("several_paragraphs", re.compile(r"\S\s*\n\s*\S")),
)
"""What no one says on the telephone, in the order in which it is looked for."""


class _Source(NamedTuple):
    """What the rows of a file have in common."""

    stamp: str
    """Its time stamp."""
    scope: str
    """What stands before a row's number in ids."""
    records: str
    """Folder of the full records."""
    label: Label
    """What its calls are."""


def is_release28k(path: Path) -> bool:
    """Whether a folder or a tar archive holds files of rows named as in this release."""
    names = (item.as_posix() for item in path.rglob("*.jsonl")) if path.is_dir() else _member_names(path)
    return any(_ROWS.fullmatch(name) for name in names)


def import_release28k(path: Path) -> Imported:
    """Read the release from its folder or from a tar archive of it.

    Raises:
        FileError: nothing readable is there.
        InputError: no file of rows is in it, or no row is sound.
    """
    files = _folder(path) if path.is_dir() else _archive(path)
    rows = sorted(name for name in files if _ROWS.fullmatch(name))
    if not rows:
        raise InputError(f"{path}: no file is named fraud_dialogues-<stamp>.jsonl or normal_dialogues-<stamp>.jsonl")
    collector = Collector()
    names = Counter(_base(name) for name in rows)
    kinds = Counter(stamp for _kind, stamp in {_kind_and_stamp(name) for name in rows})
    for name in rows:
        shown = _base(name) if names[_base(name)] == 1 else name
        kind, stamp = _kind_and_stamp(name)
        scope = stamp.replace("_", "-") if kinds[stamp] == 1 else f"{stamp.replace('_', '-')}-{kind}"
        _read_file(name, shown, scope, files, collector)
    return collector.finish(SOURCE, LICENCE)


def _base(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _kind_and_stamp(name: str) -> tuple[str, str]:
    match = _ROWS.fullmatch(name)
    assert match is not None
    return match["kind"], match["stamp"]


def _read_file(name: str, shown: str, scope: str, files: Mapping[str, bytes], collector: Collector) -> None:
    """Read the rows of one file, which is `shown` in the report; `scope` parts its ids from those of other files."""
    match = _ROWS.fullmatch(name)
    assert match is not None
    collector.file(shown, sha256(files[name]))
    prefix = "normal-" if match["kind"] == "normal" else ""
    records = f"{match['folder']}{prefix}full_dialogues_{match['stamp']}"
    for line in files[name].split(b"\n"):
        if line.strip():
            source = _Source(match["stamp"], scope, records, _LABELS[match["kind"]])
            collector.add(shown, partial(_read_row, line, source, files))


def _read_row(line: bytes, source: _Source, files: Mapping[str, bytes]) -> Read:
    row = _object(line, "unreadable_row")
    source_id = str(row.get("tts_id"))
    record = files.get(f"{source.records}/{source_id}.json")
    if record is None:
        raise RowError("no_full_record")
    turns = _turns(_object(record, "unreadable_record"))
    name = f"{SOURCE}-{source.scope}-{id_part(source_id.removeprefix('tts_fraud_'))}"
    call = ImportedCall(
        sample_id=name,
        source=SOURCE,
        source_id=f"{source.stamp}/{source_id}",
        group=name,
        family=str(row.get("fraud_type", "")),
        language="zh",
        label=source.label,
        turns=turns,
        details={key: row[key] for key in _DETAILS if key in row},
    )
    return Read(call, tuple(_differences(row, turns)))


def _object(data: bytes, reason: str) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise RowError(reason) from None
    if not isinstance(found, dict):
        raise RowError(reason)
    return found


def _turns(record: Mapping[str, Any]) -> tuple[ImportedTurn, ...]:
    """The turns in the order of the record; raises RowError on the first fault that holds."""
    history = record.get("dialogue_history")
    if not isinstance(history, list) or not all(isinstance(item, dict) for item in history):
        raise RowError("unreadable_record")
    said = [(item.get("role"), item.get("content")) for item in history]
    if any(side not in _SIDES or not isinstance(words, str) for side, words in said):
        raise RowError("unreadable_record")
    for reason, fault in _FAULTS:
        if any(fault.search(words.strip()) for _side, words in said):
            raise RowError(reason)
    if any(not any(char.isalnum() for char in words) for _side, words in said):
        raise RowError("turn_without_words")
    if {side for side, _words in said} != set(_SIDES):
        raise RowError("one_side_only")
    return tuple(ImportedTurn(side=_SIDES[side], text=words.strip()) for side, words in said)


def _differences(row: Mapping[str, Any], turns: tuple[ImportedTurn, ...]) -> list[str]:
    sides = {name: [turn.text for turn in turns if turn.side == side] for name, side in _SIDES.items()}
    changed = ["words_of_full_record"] if any(row.get(name) != said for name, said in sides.items()) else []
    alternating = all(turn.side == (Side.CALLER, Side.RECEIVER)[place % 2] for place, turn in enumerate(turns))
    return changed if alternating else [*changed, "order_of_full_record"]


def _folder(path: Path) -> dict[str, bytes]:
    """The files of the release below a folder, and no other: logs and scripts beside it hold other people's keys."""
    named = {item.relative_to(path).as_posix(): item for item in sorted(path.rglob("*.json*")) if item.is_file()}
    return {name: read_bytes(item, "file of the release") for name, item in named.items() if _wanted(name)}


def _archive(path: Path) -> dict[str, bytes]:
    """The same files inside a tar archive, read without unpacking it."""
    found: dict[str, bytes] = {}
    data = read_bytes(path, "folder or tar archive of the release")
    room = MOST_BYTES
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isfile() and _wanted(member.name) else None
                if content is None:
                    continue
                room -= member.size
                if room < 0:
                    raise InputError(f"{path}: more than {MOST_BYTES} bytes of text are inside: this is no text release")
                found[member.name] = content.read()
    except _BROKEN as error:
        raise FileError(f"{path}: neither a folder nor a whole tar archive: {error}") from None
    return found


def _member_names(path: Path) -> list[str]:
    try:
        with tarfile.open(path) as archive:
            return archive.getnames()
    except _BROKEN:
        return []


def _wanted(name: str) -> bool:
    return _ROWS.fullmatch(name) is not None or _FULL.fullmatch(name) is not None
