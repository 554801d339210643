"""Arrays of TeleAntiFraud 2.0's public tools: dialogues or snapshot rows, one JSON array in a file.

A row's label stands in `label`, in `is_fraud` or in both; a row that ends in the shared, unlabelled part of its tree is refused
although the tools write `is_fraud: false` on it. Rows of one tree stay one group.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from core.errors import FileError, InputError
from core.files import read_bytes
from core.schemas.base import sha256
from core.schemas.imported_calls import ImportedAudio, ImportedCall, ImportedTurn
from core.schemas.snapshots import Label, Side
from core.snapshots.importing.collecting import Collector, Imported, Read, RowError, id_part, shortened

SOURCE = "taf2"
LICENCE = "LicenseRef-TeleAntiFraud-2.0-research-use"
_SIDES = {
    "assistant": Side.CALLER,
    "caller": Side.CALLER,
    "scammer": Side.CALLER,
    "speaker0": Side.CALLER,
    "user": Side.RECEIVER,
    "receiver": Side.RECEIVER,
    "speaker1": Side.RECEIVER,
}
_TAG = re.compile(r"<\|[^|>]*\|>")
"""Whatever stands between the signs of a tag is not said."""
_EMOTION = re.compile(r"<\|\s*emotion\s*:\s*([^|>]*?)\s*\|>", re.IGNORECASE)
_MARKED = re.compile(r"\[(SPEAKER[01])\]\s*(.*)")
_UNLABELLED = frozenset({"shared", "ambiguous", "dead"})
_DETAILS = ("branch_status", "snapshot_id", "index", "speaker_metadata", "quality", "metadata", "generation_metadata")


def import_arrays(path: Path) -> Imported:
    """Read a file of dialogues or of snapshot rows.

    Raises:
        FileError: the file cannot be read, or is no JSON array.
        InputError: no row is sound.
    """
    data = read_bytes(path, "array of dialogues")
    try:
        rows = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise FileError(f"{path}: not a JSON file: {error}") from None
    if not isinstance(rows, list):
        raise FileError(f"{path}: an array of dialogues is expected, and a JSON {type(rows).__name__} is here")
    if not rows:
        raise InputError(f"{path}: the array is empty")
    collector = Collector()
    collector.file(path.name, sha256(data))
    for row in rows:
        collector.add(path.name, partial(_read_row, row))
    return collector.finish(SOURCE, LICENCE)


def _read_row(row: object) -> Read:
    if not isinstance(row, dict):
        raise RowError("unreadable_row")
    if row.get("branch_status") in _UNLABELLED:
        raise RowError("unlabelled")
    label = _label(row)
    changed: list[str] = []
    turns = _turns(row, changed)
    if {turn.side for turn in turns} != set(Side):
        raise RowError("one_side_only")
    source_id = str(row.get("sample_id", ""))
    scope = id_part(str(row["snapshot_id"])) + "-" if row.get("snapshot_id") else ""
    tree = str(row.get("tree_id") or source_id)
    return Read(
        ImportedCall(
            sample_id=shortened(f"{SOURCE}-{scope}{id_part(source_id.removeprefix('taf2_'))}", 80),
            source=SOURCE,
            source_id=source_id,
            group=shortened(f"{SOURCE}-{scope}{id_part(tree)}", 80),
            family=str(row.get("scenario_id", "")),
            language="zh" if re.search(r"[\u4e00-\u9fff]", "".join(turn.text for turn in turns)) else "en",
            label=label,
            turns=turns,
            details={key: row[key] for key in _DETAILS if key in row},
            audio=_audio(row),
        ),
        tuple(dict.fromkeys(changed)),
    )


def _label(row: Mapping[str, Any]) -> Label:
    """The label that both fields agree on; raises RowError where they do not, or where neither is there."""
    said: set[Label] = set()
    if row.get("label") is not None:
        if row["label"] not in list(Label):
            raise RowError("unknown_label")
        said.add(Label(row["label"]))
    if row.get("is_fraud") is not None:
        if not isinstance(row["is_fraud"], bool):
            raise RowError("unknown_label")
        said.add(Label.FRAUD if row["is_fraud"] else Label.NONFRAUD)
    if len(said) != 1:
        raise RowError("labels_disagree" if said else "unlabelled")
    return said.pop()


def _turns(row: Mapping[str, Any], changed: list[str]) -> tuple[ImportedTurn, ...]:
    """The row's turns, or those of its tagged text where it has none."""
    if row.get("turns"):
        given = row["turns"]
        if not isinstance(given, list) or not all(isinstance(turn, dict) for turn in given):
            raise RowError("unreadable_row")
        said = [(turn.get("role"), turn.get("text"), turn.get("emotion")) for turn in given]
    elif isinstance(row.get("higgs_text"), str):
        changed.append("turns_of_tagged_text")
        said = [_marked(line) for line in row["higgs_text"].splitlines() if line.strip()]
    else:
        raise RowError("no_turns")
    return tuple(_turn(side, words, delivery, changed) for side, words, delivery in said)


def _marked(line: str) -> tuple[str, str, str | None]:
    found = _MARKED.fullmatch(line.strip())
    if found is None:
        raise RowError("unreadable_row")
    emotions = _EMOTION.findall(found[2])
    return found[1], found[2], emotions[-1] if emotions else None


def _turn(side: object, words: object, delivery: object, changed: list[str]) -> ImportedTurn:
    known = _SIDES.get(side.lower()) if isinstance(side, str) else None
    if known is None or not isinstance(words, str):
        raise RowError("unknown_speaker" if known is None else "unreadable_row")
    untagged = " ".join(_TAG.sub(" ", words).split())
    if untagged != words:
        changed.append("tags_or_spaces_taken_out")
    if "<|" in untagged or "|>" in untagged:
        raise RowError("leftover_marker")
    if not any(char.isalnum() for char in untagged):
        raise RowError("turn_without_words")
    return ImportedTurn(side=known, text=untagged, delivery=delivery if isinstance(delivery, str) else None)


def _audio(row: Mapping[str, Any]) -> ImportedAudio | None:
    """The recording a row names; a row without one is a call in words alone."""
    path, digest = row.get("audio_path"), row.get("audio_sha256")
    if not isinstance(path, str) or not path:
        return None
    known = isinstance(digest, str) and re.fullmatch(r"[0-9a-f]{64}", digest)
    return ImportedAudio(path=path, sha256=digest if known else None)
