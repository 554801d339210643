"""`ringback snapshot audit` and `ringback snapshot import`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.errors import EXIT_GATE, EXIT_OK, FileError
from core.files import write_atomic
from core.report.month_audit import audit_lines, broken
from core.schemas.base import pretty_json
from core.schemas.imported_calls import CallImportReport, ImportedCall
from core.snapshots.importing.collecting import CALLS, REPORT, read_call_file, write_calls
from core.snapshots.importing.finding import import_calls
from gateway.cli.common import print_json, terminal_width
from gateway.cli.snapshots.months import month_calls
from gateway.snapshots.auditing import audited


def audit(args: argparse.Namespace) -> int:
    """Audit a month; exit 1 where a bound is broken."""
    found = audited(month_calls(args.snapshot), _ordinary(args.ordinary), args.seed)
    if args.json == Path("-"):
        print_json(found.to_json())
    else:
        if args.json is not None:
            write_atomic(args.json, pretty_json(found.to_json()))
        print("\n".join(audit_lines(found, terminal_width())))
    return EXIT_GATE if broken(found) else EXIT_OK


def import_(args: argparse.Namespace) -> int:
    """Turn other people's labelled calls into ours."""
    if args.out.exists():
        raise FileError(f"{args.out}: is there already; choose another with --out")
    found = import_calls(args.source)
    write_calls(args.out, found)
    if args.json:
        print_json(found.report.to_json())
        return EXIT_OK
    print("\n".join(_import_lines(found.report)))
    print(f"wrote {args.out / CALLS}, all of this in {args.out / REPORT}")
    return EXIT_OK


def _ordinary(files: Sequence[Path]) -> tuple[ImportedCall, ...]:
    """The calls of every file, or of the folder that an import made; raises FileError where a call stands in two."""
    calls: dict[str, ImportedCall] = {}
    for file in files:
        path = file / CALLS if file.is_dir() else file
        for call in read_call_file(path):
            if call.sample_id in calls:
                raise FileError(f"{path}: {call.sample_id!r} was read before: name each file once")
            calls[call.sample_id] = call
    return tuple(calls.values())


def _import_lines(report: CallImportReport) -> list[str]:
    labels = ", ".join(f"{count} {label.value}" for label, count in report.labels.items())
    lines = [f"{file.file}: {file.kept} of {file.rows} rows" for file in report.files]
    lines += [f"left out: {count} {why}" for why, count in report.dropped.items()]
    lines += [f"differs from its row: {count} {what}" for what, count in report.changed.items()]
    return [
        *lines,
        f"{report.rows} rows in, {report.kept} calls out: {labels}",
        f"source {report.source}, licence {report.licence}",
    ]
