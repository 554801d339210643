"""Some calls of a month alone: those on which people agree with it, or any list of ids."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from core.errors import FileError, UsageError
from core.files import read_bytes
from core.schemas.experts import ExpertReport
from core.snapshots.freezing.reading import Snapshot, first_fault


@dataclass(frozen=True)
class Only:
    """Calls that are counted alone."""

    path: Path
    """The file that names them."""
    ids: frozenset[str]
    """They."""
    report: ExpertReport | None
    """The report of what people said, where the file is one."""

    def of(self, months: Sequence[Snapshot]) -> dict[str, str]:
        """Which calls of each month are counted, in words, by its root hash.

        Raises:
            UsageError: the file is of another month, names a call that no month has, or none of one of the months.
        """
        found = {}
        left = set(self.ids)
        for month in months:
            root = month.head.root_sha256
            if self.report is not None and self.report.root_sha256 != root:
                said = f"what people said of {self.report.snapshot_id!r}, root {(self.report.root_sha256 or 'none')[:12]}"
                raise UsageError(f"{self.path}: {said}; an evaluation is about {month.head.snapshot_id!r}, root {root[:12]}")
            own = {row.call.sample_id for row in month.rows} & self.ids
            if not own:
                raise UsageError(f"{self.path}: names no call of {month.head.snapshot_id!r}: leave its evaluations out")
            left -= own
            how = "agreed on" if self.report is not None else "listed"
            found[root] = f"{len(own)} of {len(month.rows)} calls, {how} in {self.path.name}"
        if left:
            raise UsageError(f"{self.path}: names {min(left)!r}, which no month here has: give ids of calls of these months")
        return found


def read_only(path: Path) -> Only:
    """An `expert-report.json`, a JSON list of ids, or ids on lines of their own.

    Raises:
        FileError: it is none of these, or names no call.
    """
    data = read_bytes(path, "list of calls").strip()
    report = None
    try:
        if data.startswith(b"{"):
            report = ExpertReport.model_validate_json(data)
            ids: Sequence[object] = report.agreed_only
        elif data.startswith(b"["):
            ids = json.loads(data)
        else:
            ids = data.decode("utf-8").split()
    except ValidationError as error:
        raise FileError(f"{path}: neither an expert-report.json nor a list of ids: {first_fault(error)}") from None
    except ValueError as error:
        raise FileError(f"{path}: neither an expert-report.json nor a list of ids: {error}") from None
    strange = next((one for one in ids if not isinstance(one, str)), None)
    if strange is not None:
        raise FileError(f"{path}: {strange!r} is no id of a call: list ids of calls alone")
    if not ids:
        raise FileError(f"{path}: names no call: there is nothing to count")
    return Only(path, frozenset(str(one) for one in ids), report)
