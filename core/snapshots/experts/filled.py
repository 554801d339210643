"""Reading filled packets, also as spreadsheets save them; what is unclear is refused with its line, never guessed."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from core.errors import FileError
from core.files import read_bytes
from core.schemas.experts import ExpertItem, ExpertKey, ExpertPacket
from core.schemas.snapshots import Label
from core.snapshots.experts.instructions import COLUMNS
from core.snapshots.experts.packets import KEY, words_hash
from core.snapshots.parsing import WORDS
from core.yamlfile import read_data

SEPARATORS = (",", ";", "\t")
"""What spreadsheets put between columns."""
YES = ("yes", "y", "true", "1", "是", "对", "足够")
NO = ("no", "n", "false", "0", "否", "不是", "不", "不足")
"""Accepted answers, folded."""
_LABELS = {word: label for label, words in WORDS.items() for word in words}
_GIVEN, _ASKED = COLUMNS[:2], COLUMNS[2:]
T = TypeVar("T")


class Answer(NamedTuple):
    """What one person said of one call."""

    item: ExpertItem
    """The call."""
    label: Label
    """The label given."""
    confidence: int | None
    """1 to 5."""
    sufficient: bool | None
    """Whether the call itself is enough to tell."""
    correct: bool | None
    """Whether it is free of mistakes."""
    notes: str
    """What else was written."""


class _Row(NamedTuple):
    """A row of a filled packet."""

    where: str
    """File, line and row, for messages."""
    cells: Mapping[str, str]
    """Cell by column."""


def read_key(folder: Path) -> ExpertKey:
    """The key of a folder of packets; raises FileError where it is missing or faulty."""
    path = folder / KEY
    if not path.is_file():
        raise FileError(f"{folder}: no packets here (no {KEY}): make some with ringback snapshot experts out")
    try:
        return ExpertKey.model_validate(read_data(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise FileError(f"{path}: no key of packets: {where}: {first['msg']}") from None


def read_filled(folder: Path, key: ExpertKey) -> dict[str, tuple[Answer, ...]]:
    """The answers of every packet by its file; none for a packet that is not there or holds no answer at all.

    Raises:
        FileError: a file that is no packet, a changed, missing, repeated or unknown item, or an answer that is none.
    """
    known = {packet.file for packet in key.packets}
    for path in sorted(folder.glob("*.csv")):
        if path.name not in known:
            raise FileError(f"{path}: no packet of this key: its files are named {', '.join(sorted(known))}")
    return {packet.file: _packet(folder / packet.file, packet) for packet in key.packets}


def _packet(path: Path, packet: ExpertPacket) -> tuple[Answer, ...]:
    if not path.exists():
        return ()
    rows = _rows(path)
    items = {entry.item: entry for entry in packet.items}
    found: dict[str, _Row] = {}
    for row in rows:
        name = _folded(row.cells["item"])
        if name not in items:
            raise FileError(f"{row.where}: no item {row.cells['item']!r} in this packet: leave the column item as it was")
        if name in found:
            raise FileError(f"{row.where}: item {name!r} stands here twice: remove one of its rows")
        if words_hash(row.cells["call"]) != items[name].words_sha256:
            raise FileError(f"{row.where}: the words of item {name!r} were changed: copy them from the packet as it was made")
        found[name] = row
    missing = [name for name in items if name not in found]
    if missing:
        raise FileError(f"{path}: {len(missing)} items are gone, the first is {missing[0]!r}: put their rows back")
    if not any(row.cells[column].strip() for row in rows for column in _ASKED):
        return ()
    return tuple(_answer(found[name], item) for name, item in items.items())


def _rows(path: Path) -> list[_Row]:
    text = _text(path, read_bytes(path, "packet"))
    begins = text.splitlines()[0] if text.strip() else ""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(SEPARATORS, key=begins.count))
    made: list[_Row] = []
    columns: list[str] = []
    line = 1
    try:
        for number, cells in enumerate(reader, start=1):
            where, line = f"{path}: line {line} (row {number})", reader.line_num + 1
            if not columns:
                columns = [_folded(cell) for cell in cells]
                _check_columns(path, columns)
            elif any(cell.strip() for cell in cells):
                padded = [*cells, *("" for _ in range(len(columns) - len(cells)))]
                if len(padded) > len(columns):
                    raise FileError(
                        f"{where}: {len(cells)} cells under {len(columns)} columns: put quotes around commas in notes"
                    )
                made.append(_Row(where, dict(zip(columns, padded, strict=True))))
    except csv.Error as error:
        raise FileError(f"{path}: line {line}: no table: {error}") from None
    if not made:
        raise FileError(f"{path}: no row is in it: take the packet as it was made")
    return made


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    missing = [name for name in COLUMNS if name not in columns]
    twice = [name for name in COLUMNS if columns.count(name) > 1]
    if missing or twice:
        fault = f"no column {', '.join(missing)}" if missing else f"column {', '.join(twice)} more than once"
        raise FileError(f"{path}: {fault} in its first line: a packet has {', '.join(COLUMNS)}")


def _text(path: Path, data: bytes) -> str:
    """UTF-8, UTF-16 with its mark, or GB18030, as which Chinese spreadsheets save; changed words are found later."""
    for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise FileError(f"{path}: neither UTF-8 nor another encoding of spreadsheets: save it as CSV UTF-8")


def _answer(row: _Row, item: ExpertItem) -> Answer:
    given = _one(row, "label", _label)
    if given is None:
        raise FileError(f"{row.where}: item {item.item!r} has no label: write FRAUD or NONFRAUD, or clear the whole packet")
    return Answer(
        item=item,
        label=given,
        confidence=_one(row, "confidence", _confidence),
        sufficient=_one(row, "sufficient", _yes),
        correct=_one(row, "correct", _yes),
        notes=" ".join(row.cells["notes"].split()),
    )


def _one(row: _Row, column: str, read: Callable[[str], T | None]) -> T | None:
    """The answer in a cell, None in an empty one; raises FileError where it is none of those that are taken."""
    if not _folded(row.cells[column]):
        return None
    found = read(_folded(row.cells[column]))
    if found is None:
        wanted = {"label": "FRAUD or NONFRAUD", "confidence": "1, 2, 3, 4 or 5"}.get(column, "yes or no")
        raise FileError(f"{row.where}: {column} {row.cells[column]!r}: write {wanted}")
    return found


def _label(word: str) -> Label | None:
    return _LABELS.get(word)


def _confidence(word: str) -> int | None:
    found = re.fullmatch(r"([1-5])(?:[.,]0+)?", word)
    return int(found[1]) if found else None


def _yes(word: str) -> bool | None:
    return True if word in YES else False if word in NO else None


def _folded(cell: str) -> str:
    """NFKC and case folded, without blanks at either end and with single ones inside."""
    return " ".join(unicodedata.normalize("NFKC", cell).replace("\ufeff", "").casefold().split())
