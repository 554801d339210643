"""SHA256SUMS and the root hash: every byte of a month but the time it was frozen at is covered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from core.errors import FileError
from core.files import read_bytes
from core.schemas.base import content_hash, sha256
from core.schemas.snapshots import SnapshotHead
from core.snapshots.freezing import layout

BESIDE = frozenset({layout.HEAD, layout.SUMS, layout.REBUILT})
"""Files that have no line: the head is covered by the root hash, the sums are what it is made of, a rebuild is no part."""
_LINE = re.compile(r"([0-9a-f]{64})  (\S(?:.*\S)?)")


def entries(folder: Path) -> dict[str, Path]:
    """Everything below a folder that is no folder, by relative path, those without a line left out."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*"))}
    return {name: path for name, path in found.items() if name not in BESIDE and (path.is_symlink() or not path.is_dir())}


def sums_text(hashes: Mapping[str, str]) -> bytes:
    """The file SHA256SUMS: a line for each path, sorted by path."""
    return "".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)).encode()


def read_sums(folder: Path) -> dict[str, str]:
    """Relative path to hash, as SHA256SUMS says.

    Raises:
        FileError: it is missing, a line is no line of it, or a path stands twice or leads elsewhere.
    """
    path = folder / layout.SUMS
    found: dict[str, str] = {}
    for number, line in enumerate(read_bytes(path, "list of hashes").decode("utf-8", "replace").split("\n")[:-1], start=1):
        match = _LINE.fullmatch(line)
        if match is None or match.group(2) in found or ".." in match.group(2).split("/") or match.group(2).startswith("/"):
            raise FileError(f"{path}: line {number} is not a hash, two spaces and a path of its own: {line[:100]!r}")
        found[match.group(2)] = match.group(1)
    return found


def root_of(hashes: Mapping[str, str], head: SnapshotHead) -> str:
    """The root hash: over the sorted lines of SHA256SUMS and one for the head without time and root."""
    said = head.model_dump(mode="json", exclude={"created_at", "root_sha256"})
    lines = [*(f"{digest}  {name}" for name, digest in hashes.items()), f"{content_hash(said)}  {layout.HEAD}"]
    return sha256("".join(f"{line}\n" for line in sorted(lines)))
