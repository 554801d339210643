"""`ringback bundle import eva|tau2`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from core.bundle import load_bundle
from core.errors import EXIT_OK
from core.importing.eva import import_eva
from core.importing.tau2 import import_tau2
from core.importing.writing import REPORT
from core.schemas.imported import ImportReport
from gateway.cli.common import print_json


def eva(args: argparse.Namespace) -> int:
    """Import EVA records."""
    return _import(args, import_eva)


def tau2(args: argparse.Namespace) -> int:
    """Import tau2 tasks."""
    return _import(args, import_tau2)


def _import(args: argparse.Namespace, importer: Callable[[Sequence[Path], Path], ImportReport]) -> int:
    report = importer(args.files, args.out)
    load_bundle(args.out)
    if args.json:
        print_json(report.to_json())
        return EXIT_OK
    for file in report.files:
        print(f"{file.file}: read as {file.read_as}")
        for note in file.left_out:
            print(f"    {note.what}: {note.why}")
    for record in report.records:
        print(f"{record.file} {record.id}: {record.outcome}{f', as {record.scenario}' if record.scenario else ''}")
        for note in record.left_out:
            print(f"    left out {note.what}: {note.why}")
        for note in record.changed:
            print(f"    changed {note.what}: {note.why}")
    print(f"{report.count('whole')} records came over whole, {report.count('partly')} partly, {report.count('not')} not at all")
    print(f"licence {report.licence}; wrote {args.out}, all of this in {args.out / REPORT}")
    return EXIT_OK
