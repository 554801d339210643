"""Which importer a source is for, by what is in it and not by its name."""

from __future__ import annotations

import tarfile
from pathlib import Path

from core.errors import FileError
from core.files import reason
from core.snapshots.importing.arrays import import_arrays
from core.snapshots.importing.collecting import Imported
from core.snapshots.importing.release28k import import_release28k


def import_calls(path: Path) -> Imported:
    """Read a JSON array of TeleAntiFraud 2.0's tools, or a folder or tar archive of the text release of TeleAntiFraud-28k.

    Raises:
        FileError: nothing is there, or it is none of these, or it is damaged.
        InputError: no row of it is sound.
    """
    if path.is_dir():
        return import_release28k(path)
    try:
        with path.open("rb") as handle:
            begins = handle.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()
        archive = tarfile.is_tarfile(path)
    except FileNotFoundError:
        raise FileError(f"{path}: no file or folder here") from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {reason(error)}") from None
    if archive:
        return import_release28k(path)
    if begins[:1] in (b"[", b"{"):
        return import_arrays(path)
    wanted = "a JSON array of dialogues, or a folder or tar archive of the text release, is expected"
    raise FileError(f"{path}: begins with {begins[:12]!r}: {wanted}")
