"""Finds the model files that installed packages carry, joins split ones, and verifies every byte.

Packages are found by their metadata and never imported. A model whose files are whole is read where it is installed;
one whose files come in parts is joined once into `<cache>/weights/<id>-<first 12 of its sha256>/`, which appears by one
rename. Processes that race for it take turns behind a file lock, which the system drops when a process dies. What npm
carries lies in such a folder too, but only `models/fetch.py` puts it there, when asked.
"""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import metadata
from pathlib import Path

from core.errors import OperatorError, WeightsError
from models import registry
from models.specs import ModelFile, ModelSpec, Part

log = logging.getLogger("ringback.models.weights")

_BLOCK = 1 << 20


class WeightState(StrEnum):
    """How far a model is from being usable here."""

    READY = "ready"
    """Every file stands where the engine reads it, with the right size, and what runs it is installed."""
    INSTALLED = "installed"
    """The packages are there; the files are joined at first use."""
    DAMAGED = "damaged"
    """A file has the wrong size."""
    MISSING = "missing"
    """A package or a file of it is not there."""


def locate(model_id: str, cache_root: Path) -> Path:
    """The folder that holds the model's files, each verified against its sha256 in this very call.

    Joins them first where they come in parts. Verifying 145 MB takes about 0.1 s.

    Raises:
        UsageError: unknown id.
        WeightsError: a package or file is missing, or its bytes are not the published ones.
        OperatorError: the cache folder cannot be written.
    """
    return locate_spec(registry.get(model_id), cache_root)


def locate_spec(spec: ModelSpec, cache_root: Path) -> Path:
    """`locate` for an entry already at hand; one without files of its own gives the folder of the first it needs."""
    return next(iter(locate_all(spec, cache_root).values()))


def locate_all(spec: ModelSpec, cache_root: Path) -> dict[str, Path]:
    """The folders of an entry and of all that it needs, by id, its own first; each file verified in this very call.

    An entry that has no files, such as a voice that lies in its engine's package, gives none for itself.

    Raises:
        WeightsError, OperatorError: as `locate`.
    """
    with_files = [entry for entry in (spec, *spec.needed) if entry.files]
    return {entry.id: _locate_own(entry, cache_root) for entry in with_files}


def state(model_id: str, cache_root: Path) -> WeightState:
    """How far the model is from being usable: by presence and size only, so it costs no reading of weights."""
    return state_of(registry.get(model_id), cache_root)


def state_of(spec: ModelSpec, cache_root: Path) -> WeightState:
    """`state` for an entry already at hand: the worst of its own and of all that it needs."""
    order = list(WeightState)
    return max((_own_state(entry, cache_root) for entry in (spec, *spec.needed)), key=order.index)


def remedy(spec: ModelSpec) -> str:
    """The command that brings an entry's weights here."""
    if any(entry.from_npm for entry in (spec, *spec.needed)):
        return f"ringback models fetch {spec.id}"
    return f"pip install 'ringback[{spec.extra}]'"


def file_sha256(path: Path) -> str:
    """Lower-case hexadecimal SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def own_folder(spec: ModelSpec, cache_root: Path) -> Path:
    """Where the files of an entry lie that is joined, fetched or built."""
    return cache_root / "weights" / f"{spec.id}-{spec.sha256[:12]}"


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the file lock that belongs to `folder`, made beside it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder.with_name(f".{folder.name}.lock"), os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def appear(folder: Path, fill: Callable[[Path], None]) -> None:
    """Let `fill` write into a folder beside `folder`, then let that appear by one rename. The lock must be held."""
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)  # the lock is ours, so what lies there was left by a process that died
    partial.mkdir()
    try:
        fill(partial)
        partial.rename(folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def cannot_write(spec: ModelSpec, folder: Path, error: OSError) -> OperatorError:
    """The error for a cache that does not take an entry's weights."""
    return OperatorError(
        f"cannot join the weights of {spec.id} in {str(folder.parent)!r}: {error.strerror or error}:"
        f" set RINGBACK_CACHE to a folder that can be written and has {spec.size / 1e6:.0f} MB free"
    )


def _locate_own(spec: ModelSpec, cache_root: Path) -> Path:
    """The folder of an entry's own files, verified."""
    if spec.in_place:
        for file in spec.files:
            check(part_path(spec, file.parts[0]), file.sha256, spec, _reinstall(spec))
        return part_path(spec, spec.files[0].parts[0]).parent
    if spec.folder is not None:
        return check_folder(spec, Path(spec.folder), "it changed since it was named: start again")
    folder = own_folder(spec, cache_root)
    if spec.from_npm:
        if not folder.is_dir():
            raise WeightsError(f"weights of {spec.id}: {str(folder)!r} is not there: get them with `{remedy(spec)}`")
        return check_folder(spec, folder, f"get them again with `{remedy(spec)}`")
    try:
        with folder_lock(folder):
            if not folder.is_dir():
                appear(folder, lambda partial: _join(spec, partial))
                log.info("joined the weights of %s in %s", spec.id, folder)
    except OSError as error:
        raise cannot_write(spec, folder, error) from error
    return check_folder(spec, folder, f"delete the folder {str(folder)!r} and it is joined again")


def _own_state(spec: ModelSpec, cache_root: Path) -> WeightState:
    if any(not _is_installed(package) for package in spec.runtime):
        return WeightState.MISSING
    if not spec.files:
        return WeightState.READY
    if spec.folder is not None:
        return _folder_state(spec, Path(spec.folder))
    folder = own_folder(spec, cache_root)
    if spec.from_npm:
        return _folder_state(spec, folder) if folder.is_dir() else WeightState.MISSING
    try:
        paths = {part: part_path(spec, part) for file in spec.files for part in file.parts}
    except WeightsError:
        return WeightState.MISSING
    if any(path.stat().st_size != part.size for part, path in paths.items()):
        return WeightState.DAMAGED
    if spec.in_place:
        return WeightState.READY
    return _folder_state(spec, folder) if folder.is_dir() else WeightState.INSTALLED


def _folder_state(spec: ModelSpec, folder: Path) -> WeightState:
    whole = all((folder / file.name).is_file() and (folder / file.name).stat().st_size == file.size for file in spec.files)
    return WeightState.READY if whole else WeightState.DAMAGED


def _is_installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _reinstall(spec: ModelSpec) -> str:
    pins = " ".join(f"{source.distribution}=={source.version}" for source in spec.sources if source.registry == "pip")
    return f"reinstall it with `pip install --force-reinstall --no-deps {pins}`"


def part_path(spec: ModelSpec, part: Part) -> Path:
    """Where a part lies below the folder its pip package is installed in.

    Raises:
        WeightsError: the package or the file is not there.
    """
    install = f"install it with `pip install 'ringback[{spec.extra}]'`"
    try:
        distribution = metadata.distribution(part.distribution)
    except metadata.PackageNotFoundError as error:
        raise WeightsError(f"weights of {spec.id}: the package {part.distribution!r} is not installed: {install}") from error
    path = Path(str(distribution.locate_file(part.path)))
    if not path.is_file():
        raise WeightsError(f"weights of {spec.id}: {str(path)!r} is missing from {part.distribution}: {_reinstall(spec)}")
    return path


def check(path: Path, expected: str, spec: ModelSpec, remedy: str) -> None:
    """Refuse a file whose bytes are not the published ones.

    Raises:
        WeightsError: they differ, or it cannot be read.
    """
    try:
        actual = file_sha256(path)
    except OSError as error:
        raise WeightsError(f"weights of {spec.id}: cannot read {str(path)!r}: {error.strerror or error}: {remedy}") from error
    if actual != expected:
        raise _differs(spec, str(path), actual, expected, remedy)


def check_folder(spec: ModelSpec, folder: Path, remedy: str) -> Path:
    """`folder`, every file of the entry in it verified."""
    for file in spec.files:
        check(folder / file.name, file.sha256, spec, remedy)
    return folder


def _join(spec: ModelSpec, folder: Path) -> None:
    for file in spec.files:
        join_file(spec, file, folder / file.name, lambda part: part_path(spec, part))


def join_file(spec: ModelSpec, file: ModelFile, target: Path, find: Callable[[Part], Path]) -> None:
    """Write a file from its parts in order, verifying each part and the whole; `find` tells where a part lies.

    Raises:
        WeightsError: a part or the whole is not as published.
    """
    whole = hashlib.sha256()
    with target.open("wb") as out:
        for part in file.parts:
            path = find(part)
            digest = hashlib.sha256()
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
                    whole.update(block)
                    out.write(block)
            if digest.hexdigest() != part.sha256:
                raise _differs(spec, str(path), digest.hexdigest(), part.sha256, _reinstall(spec))
        out.flush()
        os.fsync(out.fileno())
    if whole.hexdigest() != file.sha256:
        raise _differs(
            spec, f"{file.name} joined", whole.hexdigest(), file.sha256, "correct the order of its parts in the catalogue"
        )


def _differs(spec: ModelSpec, what: str, actual: str, expected: str, remedy: str) -> WeightsError:
    return WeightsError(f"weights of {spec.id}: {what!r} has sha256 {actual}, expected {expected}: {remedy}")
