"""`ringback snapshot demo`: a small month, from cases to the report on detectors, offline."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from functools import partial

from core.errors import EXIT_GATE, EXIT_OK
from core.report.snapshots.text import render_report
from gateway.cli.common import Progress, free_folder, terminal_width
from gateway.cli.snapshots.build import Steps
from gateway.cli.snapshots.keep import told, tool
from gateway.settings import read_settings
from gateway.snapshots.demo import AUDIT, EVALUATIONS, FROZEN_MONTH, PAGE, DemoRequest, Shown, demonstrate


def demo(args: argparse.Namespace) -> int:
    """Make the demonstration, or go on with it; 1 where the month is not what was frozen."""
    out = args.out or free_folder("snapshot")
    request = DemoRequest(
        out=out,
        language=args.language,
        seed=args.seed,
        concurrency=args.concurrency,
        now=datetime.now(UTC).isoformat(timespec="seconds"),
        generator=tool(),
    )
    steps = Steps(quiet=args.quiet)

    def line(text: str) -> None:
        steps.close()
        print(text, flush=True)

    try:
        found = demonstrate(request, read_settings(), Shown(line, steps.step, partial(Progress, quiet=args.quiet)))
    finally:
        steps.close()
    if found.report is None:
        print("\n".join(["", *told(found.verification)]))
        return EXIT_GATE
    print(f"\n{render_report(found.report, terminal_width(), sys.stdout.isatty())}")
    print(f"month   {out / FROZEN_MONTH}: ringback snapshot verify {out / FROZEN_MONTH}")
    print(f"evals   {out / EVALUATIONS}, audit {out / AUDIT}")
    print(f"report  {out / PAGE}")
    return EXIT_OK
