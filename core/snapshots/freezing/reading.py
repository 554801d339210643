"""Reading builds and frozen months: whole and valid, or one line that names the file and what to do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from core.bundle import shipped_bundle
from core.errors import FileError, UsageError
from core.files import read_bytes
from core.schemas.base import Json, Model
from core.schemas.months import CallTranscript, Recipe, TranscriptSet
from core.schemas.snapshots import ManifestRow, SnapshotHead
from core.snapshots.freezing import layout
from core.yamlfile import read_data

_M = TypeVar("_M", bound=Model)


@dataclass(frozen=True)
class Snapshot:
    """A frozen month as it was read; `verify` tells whether it is still what was frozen."""

    root: Path
    """Its folder."""
    head: SnapshotHead
    """What it is."""
    recipe: Recipe
    """What it was made by."""
    rows: tuple[ManifestRow, ...]
    """Its calls, in their order."""


@dataclass(frozen=True)
class Build:
    """A finished build."""

    root: Path
    """Its folder."""
    recipe: Recipe
    """What it is made by."""
    speech: dict[str, Json]
    """Settings of its sound; empty for text alone."""
    rows: tuple[ManifestRow, ...]
    """The calls of its month, not yet in the month's order."""


def find_snapshot(name: str | Path) -> Path:
    """The folder of a frozen month, from its path or from the name of a month that ships.

    Raises:
        FileError: neither; months that ship are listed.
    """
    path = Path(name)
    if (path / layout.HEAD).is_file():
        return path
    shipped = shipped_bundle(layout.MONTHS)
    if "/" not in str(name) and (shipped / path / layout.HEAD).is_file():
        return shipped / path
    names = ", ".join(sorted(found.parent.name for found in shipped.glob(f"*/{layout.HEAD}"))) or "none"
    if (path / layout.RECIPE).is_file():
        raise FileError(f"{path}: a build, not yet frozen: freeze it with ringback snapshot freeze {path}")
    raise FileError(
        f"{str(name)!r}: no frozen month here (no {layout.HEAD}), and none that ships has this name; those are: {names}"
    )


def read_snapshot(folder: Path) -> Snapshot:
    """A frozen month, every row validated. Its hashes are not looked at; see `verify`.

    Raises:
        FileError: no month is here, or a file of it is missing or faulty.
    """
    return Snapshot(
        root=folder,
        head=read_file(folder / layout.HEAD, SnapshotHead),
        recipe=read_file(folder / layout.RECIPE, Recipe),
        rows=read_lines(folder / layout.MANIFEST, ManifestRow),
    )


def read_transcripts(folder: Path) -> dict[str, CallTranscript]:
    """The frozen transcripts of a month by sample id; none in a month of text alone.

    Raises:
        FileError: a file of them is missing or faulty, or a call stands there twice.
    """
    if not (folder / layout.TRANSCRIPT_SET).is_file():
        return {}
    made = read_file(folder / layout.TRANSCRIPT_SET, TranscriptSet)
    path = folder / layout.transcripts_path(made.name)
    lines = read_lines(path, CallTranscript)
    found = {line.sample_id: line for line in lines}
    if len(found) != len(lines):
        raise FileError(f"{path}: {len(lines)} transcripts of {len(found)} calls: a call stands there twice")
    return found


def read_build(folder: Path) -> Build:
    """A finished build.

    Raises:
        FileError: it is not there, not finished, or a file of it is faulty.
    """
    recipe = read_recipe(folder)
    if (folder / layout.HEAD).is_file():
        raise FileError(f"{folder}: a frozen month, no build: it is frozen for good, see `ringback snapshot verify {folder}`")
    if not (folder / layout.CANDIDATES).is_file():
        raise FileError(
            f"{folder}: this build is not finished (no {layout.CANDIDATES}): build again, and it goes on where it was"
        )
    speech: dict[str, Json] = {}
    if recipe.contract.audio:
        speech = _object(folder / layout.SPEECH)
    return Build(folder, recipe, speech, read_lines(folder / layout.CANDIDATES, ManifestRow))


def read_recipe(folder: Path) -> Recipe:
    """The recipe of a build or a month, finished or not.

    Raises:
        FileError: there is none, or it is faulty.
    """
    if not (folder / layout.RECIPE).is_file():
        raise FileError(f"{folder}: no build here (no {layout.RECIPE}): make one with ringback snapshot build --out {folder}")
    return read_file(folder / layout.RECIPE, Recipe)


def read_sample_ids(folder: Path) -> frozenset[str]:
    """The ids of a month's calls, whatever else is wrong with it; none where its manifest cannot be read."""
    try:
        rows = [json.loads(line) for line in split_lines(folder / layout.MANIFEST)]
        return frozenset(str(row["call"]["sample_id"]) for row in rows)
    except (FileError, ValueError, KeyError, TypeError):
        return frozenset()


def refuse_frozen(folder: Path) -> None:
    """Stop whoever would change a build that was frozen.

    Raises:
        UsageError: it was.
    """
    path = folder / layout.FROZEN
    if path.exists():
        head = read_file(path, SnapshotHead)
        raise UsageError(
            f"{folder}: frozen as {head.snapshot_id!r} (root {head.root_sha256[:12]}) and never changed again: to amend it, build"
            " another folder with another --id, and freeze that with --parent"
        )


def refuse_month(out: Path, *, itself: bool = True) -> None:
    """Stop whoever would write into a frozen month; `itself` is False where a month may stand at `out`.

    Raises:
        UsageError: `out` is a month, or lies below one.
    """
    place = out.resolve()
    for folder in (place, *place.parents) if itself else place.parents:
        if (folder / layout.HEAD).is_file():
            where = "is a frozen month" if folder == place else f"lies in the frozen month {folder}"
            raise UsageError(f"{out}: {where}, which never changes: choose another folder with --out")


def read_file(path: Path, model: type[_M]) -> _M:
    """A JSON file as its model.

    Raises:
        FileError: it is missing, no JSON, or not of this form; the first fault is named.
    """
    try:
        return model.model_validate(read_data(path))
    except ValidationError as error:
        raise FileError(f"{path}: {first_fault(error)}") from None


def read_lines(path: Path, model: type[_M]) -> tuple[_M, ...]:
    """The lines of a JSON Lines file, each as its model.

    Raises:
        FileError: it is missing, or a line is faulty; the first one is named with its number and fault.
    """
    found = []
    for number, line in enumerate(split_lines(path), start=1):
        try:
            found.append(model.model_validate_json(line))
        except ValidationError as error:
            raise FileError(f"{path}: line {number}: {first_fault(error)}") from None
    return tuple(found)


def split_lines(path: Path) -> Sequence[bytes]:
    """The lines of a file; only a line feed ends one.

    Raises:
        FileError: it is missing or cannot be read.
    """
    data = read_bytes(path, "file")
    return data.removesuffix(b"\n").split(b"\n") if data else []


def first_fault(error: ValidationError) -> str:
    """The first fault that pydantic found, with its place, on one line."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    what = " ".join(first["msg"].removeprefix("Value error, ").split())
    return f"{where}: {what}" if where else what


def _object(path: Path) -> dict[str, Json]:
    data = read_data(path)
    if not isinstance(data, dict):
        raise FileError(f"{path}: a JSON object is needed, found {type(data).__name__}")
    return data
