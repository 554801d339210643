"""Evaluations put together by month: what the tables, the page and the file of a report are made from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.schemas.audits import MonthAudit
from core.schemas.detections import ClassMetrics, EvaluationSummary, Leaderboard, SortBy
from core.schemas.snapshot_report import SnapshotReport
from core.snapshots.aggregation import deduplicate, leaderboard
from core.snapshots.summary import config_key
from core.snapshots.transitions import transitions

MONTH = re.compile(r"\d{4}-\d{2}")


@dataclass(frozen=True)
class Month:
    """Evaluations of one month."""

    board: Leaderboard
    """Side by side."""
    counted: tuple[EvaluationSummary, ...]
    """Those that count, in the order of the board's rows."""

    @property
    def calls(self) -> int:
        """Calls of the month."""
        return self.counted[0].metrics.n

    @property
    def fraud(self) -> int:
        """Fraud calls among them."""
        return fraud_of(self.counted[0].metrics)


@dataclass(frozen=True)
class Told:
    """All that a report tells."""

    report: SnapshotReport
    """What stands in its file."""
    months: tuple[Month, ...]
    """The same months with the whole of their evaluations."""


def fraud_of(metrics: ClassMetrics) -> int:
    """Fraud calls behind figures."""
    return metrics.tp + metrics.fn + metrics.fraud_errors


def assemble(
    summaries: Iterable[EvaluationSummary],
    audits: Sequence[MonthAudit] = (),
    sort_by: SortBy = SortBy.BALANCED_ACCURACY,
    months: Mapping[str, str] | None = None,
    only: Mapping[str, str] | None = None,
) -> Told:
    """Group evaluations by root hash, order the months and compare each with the next.

    `months` maps root hashes to the months that their snapshots say; without an entry the month is read off the snapshot's name.
    `only` maps root hashes to which of their calls alone the evaluations are of, in words.

    Raises:
        ValueError: no evaluations, evaluations of one snapshot that disagree on its calls, or months under different rules of
            collapse.
    """
    groups: dict[str, list[EvaluationSummary]] = {}
    for one in summaries:
        groups.setdefault(one.run.root_sha256, []).append(one)
    if not groups:
        raise ValueError("there are no evaluations to report")
    known = months or {}
    ordered = sorted(groups.values(), key=lambda group: _place(group[0], known))
    made = tuple(_month(group, sort_by, (only or {}).get(group[0].run.root_sha256)) for group in ordered)
    report = SnapshotReport(
        leaderboards=tuple(month.board for month in made),
        transitions=tuple(transitions(one.counted, other.counted) for one, other in pairwise(made)),
        audits=tuple(audits),
    )
    return Told(report, made)


def _place(one: EvaluationSummary, months: Mapping[str, str]) -> tuple[str, str, str]:
    named = MONTH.match(one.run.snapshot_id)
    month = months.get(one.run.root_sha256) or (named[0] if named else one.run.snapshot_id)
    return month, one.run.snapshot_id, one.run.root_sha256


def _month(group: Sequence[EvaluationSummary], sort_by: SortBy, only: str | None) -> Month:
    sizes = {(fraud_of(one.metrics), one.metrics.n - fraud_of(one.metrics)) for one in group}
    if len(sizes) > 1:
        listed = ", ".join(f"{fraud} and {lawful}" for fraud, lawful in sorted(sizes))
        raise ValueError(f"evaluations of {group[0].run.snapshot_id} disagree on its fraud and lawful calls: {listed}")
    board = leaderboard(group, sort_by).model_copy(update={"only": only})
    counted, _repeated = deduplicate(group, lambda one: one.run)
    by_key = {config_key(one.run): one for one in counted}
    return Month(board, tuple(by_key[row.config_keys[0]] for row in board.configurations))
