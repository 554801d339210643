"""Opening a month so that what is evaluated, audited or handed out is what was frozen: all but its sound by hash, that later."""

from __future__ import annotations

from pathlib import Path

from core.errors import FileError
from core.files import read_bytes
from core.schemas.base import sha256
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import Snapshot, find_snapshot, read_snapshot
from core.snapshots.freezing.sums import read_sums, root_of

_TEXTS = (layout.MANIFEST, layout.RECIPE, layout.TRANSCRIPT_SET)
_CHECK = "see `ringback snapshot verify`"


def open_month(name: str | Path) -> Snapshot:
    """A frozen month by its folder or name. Recordings are held against their hashes when they are read.

    Raises:
        FileError: there is none, or its head, labels, words or transcripts are not the frozen ones.
    """
    month = read_snapshot(find_snapshot(name))
    sums = read_sums(month.root)
    if root_of(sums, month.head) != month.head.root_sha256:
        raise FileError(f"{month.root}: {layout.HEAD} or {layout.SUMS} was changed since the freeze: {_CHECK}")
    texts = [file for file in sums if file in _TEXTS or file.startswith(f"{layout.TRANSCRIPTS}/")]
    for file in texts:
        if sha256(read_bytes(month.root / file, "file of this month")) != sums[file]:
            raise FileError(f"{month.root / file}: was changed since the freeze: {_CHECK}")
    if layout.MANIFEST not in texts:
        raise FileError(f"{month.root / layout.SUMS}: names no {layout.MANIFEST}: {_CHECK}")
    return month
