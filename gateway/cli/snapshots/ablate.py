"""`ringback snapshot ablate`: what delivery changes for detectors."""

from __future__ import annotations

import argparse
from functools import partial

from core.errors import EXIT_OK
from core.report.snapshots.ablation import ablation_lines
from core.schemas.detections import InputMode
from gateway.cli.common import Progress, print_json, terminal_width
from gateway.cli.snapshots.build import Steps
from gateway.settings import read_settings
from gateway.snapshots.ablating import RESULT, AblationRequest
from gateway.snapshots.ablating import ablate as ablate_month


def ablate(args: argparse.Namespace) -> int:
    """Compare, and print what came of it."""
    request = AblationRequest(
        snapshot=args.snapshot,
        detectors=tuple(args.detector),
        modes=tuple(dict.fromkeys(InputMode(mode) for mode in args.mode or ())),
        out=args.out,
        calls=args.calls,
        seed=args.seed,
        prompt=args.prompt,
        recogniser=args.recogniser,
        concurrency=args.concurrency,
    )
    steps = Steps(quiet=args.quiet)
    try:
        found = ablate_month(request, read_settings(), steps.step, partial(Progress, quiet=args.quiet))
    finally:
        steps.close()
    if args.json:
        print_json(found.to_json())
    else:
        print("\n".join([*ablation_lines(found, terminal_width()), "", f"table   {args.out / RESULT}"]))
    return EXIT_OK
