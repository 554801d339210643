"""Turning a finished build into a month that never changes again: all of it, or nothing and every reason why not."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from core.errors import FileError, InputError, UsageError
from core.files import make_folder, read_bytes, reason, write_atomic
from core.runs.store import sole_worker
from core.schemas.base import Json, Model, content_hash, json_lines, pretty_json, sha256
from core.schemas.months import CallTranscript, Recipe, TranscriptSet
from core.schemas.snapshots import ManifestRow, Replaced, SnapshotHead
from core.schemas.trees import BuiltTree, MixedTree, Rejected
from core.snapshots.building.library import CaseLibrary
from core.snapshots.freezing import layout
from core.snapshots.freezing.checking import (
    Fault,
    fault_of_recording,
    faults_of_contract,
    faults_of_rows,
    faults_of_transcripts,
    faults_of_words,
    in_order,
    shipped_cases,
)
from core.snapshots.freezing.datasheet import datasheet, licence_text
from core.snapshots.freezing.heads import facts_of_head
from core.snapshots.freezing.reading import (
    Build,
    read_build,
    read_file,
    read_lines,
    read_sample_ids,
    refuse_frozen,
    refuse_month,
)
from core.snapshots.freezing.recomputing import faults_against_trees
from core.snapshots.freezing.sums import root_of, sums_text

_FILE, _FOLDER = 0o444, 0o555
_M = TypeVar("_M", bound=Model)


@dataclass(frozen=True)
class _Contents:
    """A build in its month's order, whole."""

    build: Build
    rows: tuple[ManifestRow, ...]
    trees: Mapping[str, MixedTree]
    made: TranscriptSet | None
    transcripts: tuple[CallTranscript, ...]
    rejected: tuple[Rejected, ...]
    replaced: tuple[Replaced, ...]


def freeze(build: Path, out: Path, created_at: str, generator: Mapping[str, Json], parents: Sequence[str] = ()) -> SnapshotHead:
    """Freeze a build as the folder `out`, which appears whole, read-only, or not at all; the same build gives the same root hash.

    `created_at` is recorded and decides nothing. `generator` says which tool froze it. `parents` are root hashes of months that
    it amends or follows, beside those of its recipe.

    Raises:
        UsageError: the build was frozen before, a month of this name lies at `out` or beside it, or `out` in a month. Where the
            month at `out` is that of this build and a kill kept the build from noting it, it is noted, and its head returned.
        InputError: the build does not meet its contract or a check; every reason is listed.
        FileError: the build is not finished or damaged, or `out` cannot be written.
        BusyError: another process is at work in the build.
    """
    read_build(build)
    with sole_worker(build, "freezing this build"):
        refuse_frozen(build)
        contents, faults = _gathered(read_build(build))
        staging = out.parent / f".{out.name}.{content_hash([str(build.resolve())])[:12]}.freezing"
        there = _refuse_place(out, contents.build.recipe.snapshot_id)
        others = [] if there is not None else _beside(out, contents.build.recipe.snapshot_id)
        own = {row.call.sample_id for row in contents.rows}
        faults += [(name, f"{other} holds the same id") for other in others for name in sorted(own & read_sample_ids(other))]
        make_folder(out.parent)
        _remove(staging)
        try:
            made_by = generator if there is None else {name: there.generator.get(name) for name in generator}
            head = _stage(contents, faults, staging, created_at, made_by, parents)
            if there is not None:
                head = _the_same(out, there, head)
            else:
                staging.rename(out)
        except OSError as error:
            raise FileError(f"{out}: cannot be written: {reason(error)}") from None
        finally:
            _remove(staging)
        mark_frozen(build, head)
    return head


def _gathered(build: Build) -> tuple[_Contents, list[Fault]]:
    """All of a build but its recordings, and what is wrong with it."""
    root, recipe = build.root, build.recipe
    rows = in_order(build.rows, recipe.build.seed, recipe.snapshot_id)
    library = shipped_cases(recipe.contract.language)
    faults = [*_other_cases(recipe, library), *faults_of_contract(rows, recipe.contract), *faults_of_rows(rows, library)]
    trees: dict[str, MixedTree] = {}
    for tree_id in sorted({row.call.tree_id for row in rows}):
        built = _read(root / layout.tree_path(tree_id), BuiltTree, faults)
        if built is not None and built.tree is None:
            faults.append(("", f"the tree {tree_id!r} was dropped, and calls of it stand in {layout.CANDIDATES}"))
        elif built is not None and built.tree is not None:
            trees[tree_id] = built.tree
    faults += faults_against_trees(rows, trees, recipe, library)
    made, transcripts = None, []
    if recipe.contract.audio:
        made = _read(root / layout.TRANSCRIPT_SET, TranscriptSet, faults)
        heard = [_read(root / layout.HEARD / f"{row.call.sample_id}.json", CallTranscript, faults) for row in rows]
        transcripts = [line for line in heard if line is not None]
        faults += faults_of_transcripts(made, transcripts, rows) if made is not None else []
    rejected, replaced = (read_lines(root / layout.REJECTED, Rejected), read_lines(root / layout.REPLACED, Replaced))
    faults += faults_of_words(trees.values(), rejected, library)
    return _Contents(build, rows, trees, made, tuple(transcripts), rejected, replaced), faults


def _other_cases(recipe: Recipe, library: CaseLibrary) -> list[Fault]:
    written = str(recipe.words.get("cases_sha256"))
    if written == library.sha256:
        return []
    fault = (
        f"its words were written from other cases ({written[:12]}) than those that ship here ({library.sha256[:12]}), against"
        " which rows are checked: freeze with the version that built it, or build anew in another folder"
    )
    return [("", fault)]


def _read(path: Path, model: type[_M], faults: list[Fault]) -> _M | None:
    """A file of the build in its form; what is wrong with it is noted."""
    try:
        return read_file(path, model)
    except FileError as error:
        faults.append(("", str(error)))
        return None


def _refuse_place(out: Path, snapshot_id: str) -> SnapshotHead | None:
    """The head of a month of this name at `out`, which a kill may have kept from being noted in its build; None for a free place.

    Raises:
        UsageError: something else lies at `out`, or it lies in a frozen month.
    """
    refuse_month(out, itself=False)
    if not os.path.lexists(out):
        return None
    head = _head_of(out)
    if head is None or head.snapshot_id != snapshot_id:
        raise _taken(out)
    return head


def _the_same(out: Path, there: SnapshotHead, head: SnapshotHead) -> SnapshotHead:
    """The head of the month at `out`, where this is what the build gives."""
    if there.root_sha256 != head.root_sha256:
        raise _taken(out)
    return there


def _taken(out: Path) -> UsageError:
    return UsageError(f"{out}: something is here already, and a frozen month is never written over: choose another --out")


def _beside(out: Path, snapshot_id: str) -> list[Path]:
    """Months beside `out`; what a freeze that was killed left is none.

    Raises:
        UsageError: one of them has this name.
    """
    found = sorted(path.parent for path in out.parent.glob(f"[!.]*/{layout.HEAD}")) if out.parent.is_dir() else []
    for other in found:
        head = _head_of(other)
        if head is not None and head.snapshot_id == snapshot_id:
            raise UsageError(
                f"{other}: a month named {snapshot_id!r} is frozen here: a second one of this name is refused; to amend it, build"
                f" with another --id and freeze that with --parent {other}"
            )
    return found


def _head_of(folder: Path) -> SnapshotHead | None:
    try:
        return read_file(folder / layout.HEAD, SnapshotHead)
    except FileError:
        return None


def _stage(
    contents: _Contents,
    faults: list[Fault],
    staging: Path,
    created_at: str,
    generator: Mapping[str, Json],
    parents: Sequence[str],
) -> SnapshotHead:
    """Write the whole month, read-only; raises InputError with every reason against it."""
    recipe = contents.build.recipe
    hashes: dict[str, str] = {}
    for row in contents.rows:
        if row.audio is None:
            continue
        path = layout.audio_path(row.call.sample_id)
        try:
            data = read_bytes(contents.build.root / path, "recording")
        except FileError as error:
            faults.append((row.call.sample_id, str(error)))
            continue
        if (fault := fault_of_recording(data, row.audio)) is not None:
            faults.append((row.call.sample_id, f"its recording {fault}"))
        if sha256(data) != row.audio.sha256:
            faults.append((row.call.sample_id, "its recording has other bytes than its row says"))
        if not faults:
            hashes[path] = _put(staging / path, data)
    if faults:
        raise InputError(_refusal(contents.build.root, faults))
    for name, data in _texts(contents).items():
        hashes[name] = _put(staging / name, data)
    head = _head(contents, hashes, created_at, {**generator, **_decides(contents)}, [*recipe.parents, *parents])
    _put(staging / layout.SUMS, sums_text(hashes))
    _put(staging / layout.HEAD, pretty_json(head.to_json()))
    for folder in (*(path for path in staging.rglob("*") if path.is_dir()), staging):
        folder.chmod(_FOLDER)
    return head


def _texts(contents: _Contents) -> dict[str, bytes]:
    """Every file of a month but its recordings, its sums and its head."""
    recipe, rows, made = contents.build.recipe, contents.rows, contents.made
    about = datasheet(recipe, rows, contents.build.speech, made, contents.rejected, contents.replaced)
    files = {
        layout.RECIPE: pretty_json(recipe.to_json()),
        layout.MANIFEST: json_lines(rows),
        layout.REJECTED: json_lines(contents.rejected),
        layout.REPLACED: json_lines(contents.replaced),
        layout.LICENCE: licence_text(recipe, rows),
        layout.DATASHEET: about,
        **{layout.tree_path(name): pretty_json(tree.to_json()) for name, tree in contents.trees.items()},
    }
    if made is not None:
        files[layout.TRANSCRIPT_SET] = pretty_json(made.to_json())
        files[layout.transcripts_path(made.name)] = json_lines(contents.transcripts)
    return files


def _decides(contents: _Contents) -> dict[str, Json]:
    recipe = contents.build.recipe
    return {"seed": recipe.build.seed, "recipe_sha256": content_hash(recipe.to_json()), "agents": recipe.words.get("agents")}


def _head(
    contents: _Contents, hashes: Mapping[str, str], created_at: str, generator: dict[str, Json], parents: Iterable[str]
) -> SnapshotHead:
    head = SnapshotHead(
        **facts_of_head(contents.build.recipe, contents.rows),
        created_at=created_at,
        generator=generator,
        speech=contents.build.speech,
        parents=tuple(dict.fromkeys(parents)),
        root_sha256="0" * 64,
    )
    return head.model_copy(update={"root_sha256": root_of(hashes, head)})


def _refusal(root: Path, faults: Sequence[Fault]) -> str:
    told = [f"{name}: {fault}" if name else fault for name, fault in faults]
    lines = "\n".join(f"  {line}" for line in dict.fromkeys(told))
    return f"{root}: not frozen, {len(dict.fromkeys(told))} reason{'s' if len(set(told)) != 1 else ''}:\n{lines}"


def _put(path: Path, data: bytes) -> str:
    """Write a file that nobody may write again; returns its hash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())
    path.chmod(_FILE)
    return sha256(data)


def _remove(folder: Path) -> None:
    """Remove a folder of read-only files and folders, where there is one."""
    if not folder.is_dir():
        return
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        path.chmod(0o755)
    shutil.rmtree(folder)


def mark_frozen(build: Path, head: SnapshotHead) -> None:
    """Note in a build that it was frozen as this month, and take leave to write from its files; may be done again."""
    write_atomic(build / layout.FROZEN, pretty_json(head.to_json()))
    for path in build.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(_FILE)
