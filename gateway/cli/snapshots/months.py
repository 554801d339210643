"""Months as commands name them: a frozen one by folder or name, or a finished build by its folder."""

from __future__ import annotations

from pathlib import Path

from core.schemas.months import CallTranscript
from core.snapshots.audits.month import MonthCalls
from core.snapshots.evaluating.months import open_month
from core.snapshots.freezing import layout
from core.snapshots.freezing.reading import read_build, read_file, read_transcripts


def month_calls(name: str) -> MonthCalls:
    """The calls of a frozen month or of a finished build, with what was heard of them.

    Raises:
        FileError: neither is there, a file of it is faulty, or what a month says is not what was frozen.
    """
    path = Path(name)
    if (path / layout.RECIPE).is_file() and not (path / layout.HEAD).is_file():
        build = read_build(path)
        heard = {row.call.sample_id: path / layout.HEARD / f"{row.call.sample_id}.json" for row in build.rows}
        words = {sample: read_file(file, CallTranscript).text for sample, file in heard.items() if file.is_file()}
        return MonthCalls(build.recipe.snapshot_id, None, build.recipe.contract.language, build.rows, words)
    found = open_month(name)
    frozen = {sample: line.text for sample, line in read_transcripts(found.root).items()}
    return MonthCalls(found.head.snapshot_id, found.head.root_sha256, found.head.contract.language, found.rows, frozen)
