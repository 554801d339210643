"""What `ringback grade` tells of agreement: a judge with people's labels, and several votes among themselves."""

from __future__ import annotations

import textwrap
from pathlib import Path

from core.files import write_atomic
from core.grading.agreement import agreement
from core.grading.grade import judge_key
from core.grading.judges import Judge
from core.grading.labels import check_labels, read_labels
from core.grading.panel import Panel
from core.report.agreement import NOTE, agreement_lines
from core.runs.store import RunStore
from core.schemas.agreement import LabelFile
from core.schemas.base import content_hash, pretty_json
from gateway.cli.common import terminal_width


def read_against(path: Path | None) -> LabelFile | None:
    """The labels to be compared with, if any; raises FileError."""
    return None if path is None else read_labels(path)


def tell_agreement(store: RunStore, judge: Judge, path: Path | None, labels: LabelFile | None) -> None:
    """Print and keep what a judge's grades agree in, where there are labels or several votes; raises FileError."""
    if labels is None and not isinstance(judge, Panel):
        return
    record, run = judge.record(), store.run()
    key = judge_key(record)
    grades = {case.name: grade for case in run.cases if (grade := store.grade(key, case.name)) is not None}
    if labels is not None and path is not None:
        check_labels(path, labels, {case.name for case in run.cases}, grades)
    found = agreement(grades, record, key, run.seed, labels, None if labels is None else content_hash(labels.to_json()))
    file = store.grade_path(key, "agreement")
    write_atomic(file, pretty_json(found.to_json()))
    print("\nAgreement\n" + "\n".join(agreement_lines(found)))
    print("\n" + "\n".join(textwrap.wrap(NOTE, terminal_width())))
    print(f"\nagreement  {file}")
