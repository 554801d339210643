"""Writing files so that they are there whole or not at all, with one clear error where they cannot be written."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import FileError


def make_folder(path: Path) -> Path:
    """Create a folder and its parents; raises FileError where that is not allowed."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path}: cannot create this folder: {reason(error)}; choose another with --out") from None
    return path


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file by rename, so that a reader sees the old bytes or the new ones; raises FileError and leaves nothing else."""
    make_folder(path.parent)
    work: Path | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as handle:
            work = Path(handle.name)
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        work.chmod(0o644)
        work.replace(path)
    except OSError as error:
        if work is not None:
            work.unlink(missing_ok=True)
        raise FileError(f"{path}: cannot be written: {reason(error)}") from None


def append_line(path: Path, line: bytes, *, synced: bool) -> None:
    """Add a line to a file in one piece, so that processes may share it; `synced` waits until it is on disk. Raises FileError."""
    try:
        with path.open("ab") as handle:
            handle.write(line + b"\n")
            handle.flush()
            if synced:
                os.fsync(handle.fileno())
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {reason(error)}") from None


def whole_lines(path: Path, what: str) -> list[bytes]:
    """Every line that has its end, none where there is no file; raises FileError."""
    return read_bytes(path, what).split(b"\n")[:-1] if path.exists() else []


def cut_torn_line(path: Path) -> None:
    """Cut what a kill left of a last line, before more is added; raises FileError."""
    if not path.exists():
        return
    data = read_bytes(path, "file")
    whole = data.rfind(b"\n") + 1
    if whole != len(data):
        with path.open("r+b") as handle:
            handle.truncate(whole)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that becomes `path` by rename on success and vanishes on failure."""
    make_folder(path.parent)
    try:
        work = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    except OSError as error:
        raise FileError(f"{path.parent}: cannot write here: {reason(error)}") from None
    try:
        yield work
        work.chmod(0o755)
        work.rename(path)
    except OSError as error:
        raise FileError(f"{path}: cannot be written: {reason(error)}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def read_bytes(path: Path, what: str) -> bytes:
    """A file's bytes; raises FileError naming what was expected there."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise FileError(f"{path}: no {what} here") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {reason(error)}") from None


def reason(error: OSError) -> str:
    """An operating system's reason in lower case, without the path."""
    return (error.strerror or str(error)).lower()
