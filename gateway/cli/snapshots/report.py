"""`ringback snapshot report`: tables, page and joined rows of evaluations that are finished."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.errors import EXIT_OK, InputError, UsageError
from core.files import write_atomic
from core.report.snapshots.assemble import Told, assemble
from core.report.snapshots.page import render_snapshot_page
from core.report.snapshots.text import render_report
from core.runs.store import read_model
from core.schemas.audits import MonthAudit
from core.schemas.base import pretty_json
from core.schemas.detections import SortBy
from core.snapshots.evaluating.finished import finished_summary, joined_rows, partial_summary
from core.snapshots.evaluating.months import open_month
from core.snapshots.evaluating.only import Only, read_only
from core.snapshots.evaluating.store import EvaluationStore
from core.snapshots.freezing.reading import Snapshot
from gateway.cli.common import print_json, terminal_width


def report(args: argparse.Namespace) -> int:
    """Tell what evaluations are worth, or print their joined rows."""
    stores = _stores(args.evaluations)
    months = _months(args.snapshot, stores)
    if args.joined:
        if args.json is not None or args.html is not None or args.audit or args.only is not None:
            raise UsageError("--joined prints rows alone: leave out --json, --html, --audit and --only")
        return _print_joined(stores, months)
    audits = [_audit(path, stores) for path in args.audit]
    only = None if args.only is None else read_only(args.only)
    told = _assemble(stores, months, audits, SortBy(args.sort), only)
    if args.html is not None:
        write_atomic(args.html, render_snapshot_page(told).encode())
    if args.json == Path("-"):
        print_json(told.report.to_json())
        return EXIT_OK
    if args.json is not None:
        write_atomic(args.json, pretty_json(told.report.to_json()))
    print(render_report(told, terminal_width(), sys.stdout.isatty()), end="")
    if args.html is not None:
        print(f"\npage  {args.html}")
    return EXIT_OK


def _stores(folders: Sequence[Path]) -> list[EvaluationStore]:
    stores = [EvaluationStore.open(folder) for folder in folders]
    if len({store.root.resolve() for store in stores}) < len(stores):
        raise UsageError("an evaluation is named twice: name each folder once")
    return stores


def _months(names: Sequence[str], stores: Sequence[EvaluationStore]) -> dict[str, Snapshot]:
    """Months by root hash; raises UsageError for one that no evaluation is about."""
    evaluated = {store.run().root_sha256 for store in stores}
    found = {}
    for name in names:
        month = open_month(name)
        if month.head.root_sha256 not in evaluated:
            root = month.head.root_sha256[:12]
            raise UsageError(f"--snapshot {name}: none of the evaluations is about {month.head.snapshot_id!r} with root {root}")
        found[month.head.root_sha256] = month
    return found


def _audit(path: Path, stores: Sequence[EvaluationStore]) -> MonthAudit:
    """An audit of a month that is evaluated here; raises UsageError for one of other calls, or of a build before its freeze."""
    found = read_model(path, MonthAudit, "month's audit")
    if found.root_sha256 not in {store.run().root_sha256 for store in stores}:
        root = "a build, not frozen" if found.root_sha256 is None else f"root {found.root_sha256[:12]}"
        said = f"an audit of {found.snapshot_id!r} ({root}), which none of the evaluations is about"
        raise UsageError(f"--audit {path}: {said}: audit their month with ringback snapshot audit")
    return found


def _assemble(
    stores: Sequence[EvaluationStore],
    months: Mapping[str, Snapshot],
    audits: Sequence[MonthAudit],
    sort_by: SortBy,
    only: Only | None,
) -> Told:
    counted = None
    if only is not None:
        _need_months(stores, months, "--only")
        counted = only.of(list(months.values()))
        summaries = [partial_summary(store, months[store.run().root_sha256], only.ids) for store in stores]
    else:
        summaries = [finished_summary(store, months.get(store.run().root_sha256)) for store in stores]
    try:
        return assemble(summaries, audits, sort_by, {root: month.head.month for root, month in months.items()}, counted)
    except ValueError as error:
        raise InputError(f"these evaluations cannot stand side by side: {error}") from None


def _need_months(stores: Sequence[EvaluationStore], months: Mapping[str, Snapshot], option: str) -> None:
    for store in stores:
        run = store.run()
        if run.root_sha256 not in months:
            raise UsageError(f"{option} needs the month of {store.root}: name {run.snapshot_id!r} with --snapshot")


def _print_joined(stores: Sequence[EvaluationStore], months: Mapping[str, Snapshot]) -> int:
    _need_months(stores, months, "--joined")
    for store in stores:
        for row in joined_rows(store, months[store.run().root_sha256]):
            print(json.dumps(row.to_json(), ensure_ascii=False, sort_keys=True))
    return EXIT_OK
