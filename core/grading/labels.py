"""Labels that people gave to the calls of a run: reading them, and holding them against what was graded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from pydantic import ValidationError

from core.errors import FileError
from core.schemas.agreement import HumanLabel, LabelFile
from core.schemas.grade import Grade, Source
from core.validation import faults_of
from core.yamlfile import read_data

_SHOWN = 3
"""Faults told in one line; the rest is counted."""


def read_labels(path: Path) -> LabelFile:
    """A label file; raises FileError with one line where it is none."""
    data = read_data(path)
    try:
        return LabelFile.model_validate(data)
    except ValidationError as error:
        where, why = faults_of(error, data)[0]
        raise FileError(f"{path}: not a label file: {f'{where}: ' if where else ''}{why}") from None


def check_labels(path: Path, labels: LabelFile, cases: Collection[str], grades: Mapping[str, Grade]) -> None:
    """Hold labels against a run: `cases` are its planned cases, `grades` those graded by the judge.

    Raises:
        FileError: a case or item the run does not have, a label where a rating is asked for or the other way round, or
            labels of another call than the one in this run. One line names the first few.
    """
    faults = list(dict.fromkeys(fault for label in labels.labels if (fault := _fault(label, cases, grades)) is not None))
    faults += [
        f"case {case!r}: labelled was the call {wanted[:12]}, in this run it is {grades[case].trace_sha256[:12]}"
        for case, wanted in labels.traces.items()
        if case in grades and grades[case].trace_sha256 != wanted
    ]
    if faults:
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise FileError(f"{path}: labels do not fit this run: {'; '.join(faults[:_SHOWN])}{more}")


def _fault(label: HumanLabel, cases: Collection[str], grades: Mapping[str, Grade]) -> str | None:
    if label.case not in cases:
        return f"no case {label.case!r}, such as {min(cases)!r}"
    grade = grades.get(label.case)
    if grade is None:
        return None
    items = {item.id: item for item in grade.items}
    item = items.get(label.item)
    if item is None:
        return f"case {label.case!r} has no item {label.item!r}; items: {', '.join(items)}"
    given = "rating" if label.rating is not None else "label" if label.label is not None else None
    wanted = "rating" if item.source is Source.RATING else "label"
    return (
        None if given in (None, wanted) else f"case {label.case!r}, item {label.item!r}: a {given} where a {wanted} is asked for"
    )
