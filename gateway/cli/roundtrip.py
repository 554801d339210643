"""`ringback roundtrip`: what is heard of the agent's own replies."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK
from core.report.roundtrip import round_trip_lines
from core.runs.store import RunStore
from gateway.cli.common import Progress, print_json, terminal_width
from gateway.roundtrip import Plan, measure_run
from gateway.settings import read_settings


def roundtrip(args: argparse.Namespace) -> int:
    """Measure every reply of a run and print the worst."""
    settings = read_settings()
    bar = Progress(len(RunStore.open(args.folder).run().cases), quiet=args.quiet)
    try:
        plan = Plan(args.folder, settings.cache_root, args.recogniser, settings.endpoint)
        found = measure_run(plan, args.concurrency, bar.step)
    finally:
        bar.close()
    if args.json:
        print_json(found.to_json())
    else:
        print("\n".join(round_trip_lines(found, terminal_width())))
        print(f"\n`ringback report {args.folder}` shows it beside each reply; no score depends on it")
    return EXIT_OK
