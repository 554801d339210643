"""`ringback calibrate`: authored errors of hearing beside those a recogniser really made."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK, UsageError
from core.report.calibration import calibration_text
from core.runs.calibration import asr_calls
from core.runs.calibration import calibrate as compare
from core.runs.store import RunStore
from gateway.cli.common import print_json, terminal_width


def calibrate(args: argparse.Namespace) -> int:
    """Compare the errors of runs."""
    stores = [RunStore.open(folder) for folder in args.runs]
    if len({store.root.resolve() for store in stores}) < len(stores):
        raise UsageError("a run is named twice: its calls would count twice; name each once")
    report = compare((call for store in stores for call in asr_calls(store)), args.language)
    if args.json:
        print_json(report.to_json())
    else:
        print(calibration_text(report, terminal_width()), end="")
    return EXIT_OK
