"""`ringback qc`: quality control of sounds by their signal."""

from __future__ import annotations

import argparse

from pydantic import JsonValue

from core.errors import EXIT_GATE, EXIT_OK
from gateway.cli.common import print_json
from gateway.quality import Inspected, inspect_target


def qc(args: argparse.Namespace) -> int:
    """Inspect sounds; exit 1 where one fails."""
    found = [one for target in args.targets for one in inspect_target(target, text=args.text, detail=args.detail)]
    if args.json:
        print_json({"sounds": [_machine_form(one) for one in found]})
    else:
        print("\n".join(line for one in found for line in _lines(one, alone=len(found) == 1)))
    return EXIT_OK if all(one.passed for one in found) else EXIT_GATE


def _lines(one: Inspected, *, alone: bool) -> list[str]:
    """A line per sound and one for each check that failed; of a single sound every check."""
    bad = [check for check in one.checks if not check.passed]
    verdict = f"{len(bad)} of {len(one.checks)} checks failed" if bad else f"{len(one.checks)} checks passed"
    shown = [
        f"  {'ok  ' if check.passed else 'FAIL'}  {check.name:22} {check.value:12g}   {check.low:g} to {check.high:g}"
        for check in (one.checks if alone else bad)
    ]
    figures = [f"  {side:6}{name:22} {value:12g}" for side, each in one.figures.items() for name, value in each.items()]
    return [f"{one.name}: {verdict}", *(f"  note  {note}" for note in one.notes), *shown, *figures]


def _machine_form(one: Inspected) -> dict[str, JsonValue]:
    checks: list[JsonValue] = [
        {"name": check.name, "value": check.value, "low": _bound(check.low), "high": _bound(check.high), "passed": check.passed}
        for check in one.checks
    ]
    notes: list[JsonValue] = list(one.notes)
    figures: dict[str, JsonValue] = {side: dict(each) for side, each in one.figures.items()}
    return {"name": one.name, "passed": one.passed, "checks": checks, "notes": notes, "figures": figures}


def _bound(value: float) -> float | None:
    """A bound as JSON can hold it: none for one that is infinite."""
    return value if abs(value) < float("inf") else None
