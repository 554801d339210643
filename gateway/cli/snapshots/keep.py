"""`ringback snapshot freeze`, `verify` and `diff`: months that never change, checked and compared."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.errors import EXIT_GATE, EXIT_OK, UsageError
from core.report.text import clean, table, wrapped
from core.schemas.base import Json
from core.schemas.months import Difference, MonthDiff, MonthFacts, Sameness, Verification
from core.schemas.snapshots import Label
from core.snapshots.freezing.diff import diff as compare
from core.snapshots.freezing.freeze import freeze as freeze_build
from core.snapshots.freezing.reading import find_snapshot, read_recipe, read_snapshot
from core.snapshots.freezing.verify import verify as check
from gateway.cli.common import print_json, terminal_width
from gateway.settings import read_settings
from gateway.snapshots.hearing import MonthHearer, sound_here, sound_of_month
from gateway.version import code_version

SHOWN = 50
"""Findings that a terminal is told of."""
_MEANING = {
    Sameness.IDENTICAL: "every byte is as it was frozen",
    Sameness.TEXT_ONLY: "every byte of words and recipe is as it was frozen; recordings are not here",
    Sameness.EQUIVALENT: "words and recipe are as they were frozen; recordings were made again, alike in length and transcript",
    Sameness.BROKEN: "this is not what was frozen",
}


def freeze(args: argparse.Namespace) -> int:
    """Freeze a build."""
    recipe = read_recipe(args.build)
    out = args.out or Path("snapshots") / recipe.snapshot_id
    parents = [_parent(path, recipe.snapshot_id) for path in args.parent]
    head = freeze_build(args.build, out, datetime.now(UTC).isoformat(timespec="seconds"), tool(), parents)
    print(
        f"{out}: {head.counts[Label.FRAUD]} fraud and {head.counts[Label.NONFRAUD]} lawful calls of {head.trees} trees, frozen as"
        f" {head.snapshot_id}\nroot    {head.root_sha256}"
    )
    for parent in head.parents:
        print(f"parent  {parent}")
    return EXIT_OK


def tool() -> dict[str, Json]:
    """Which code freezes, for the head of a month."""
    code = code_version()
    return {"tool": "ringback", "version": code.version, "commit": code.commit, "dirty": code.dirty}


def _parent(path: Path, snapshot_id: str) -> str:
    head = read_snapshot(find_snapshot(path)).head
    if head.snapshot_id == snapshot_id:
        raise UsageError(
            f"--parent {path}: it is named {snapshot_id!r} as this build is: build again with another --id to amend it"
        )
    return head.root_sha256


def verify(args: argparse.Namespace) -> int:
    """Check a month; `--hear` listens to recordings that were made again."""
    folder, settings = find_snapshot(args.snapshot), read_settings()
    hearer = MonthHearer(sound_of_month(folder, settings)) if args.hear else None
    return shown(check(folder, sound_here(folder, settings), hearer), as_json=args.json)


def shown(found: Verification, *, as_json: bool) -> int:
    """Print what a check found, and return the exit code."""
    if as_json:
        print_json(found.to_json())
    else:
        print("\n".join(told(found)))
    return EXIT_GATE if found.sameness is Sameness.BROKEN else EXIT_OK


def told(found: Verification) -> list[str]:
    """What a check found, for a terminal."""
    width = terminal_width()
    lines = [f"{found.snapshot_id}: {found.sameness.value}: {_MEANING[found.sameness]} ({found.calls} calls)"]
    if found.root_sha256:
        lines.append(f"root  {found.root_sha256}")
    faults = [finding for finding in found.findings if finding.kind is not Difference.WRITABLE]
    if faults:
        rows = [[finding.kind.value, clean(finding.where), clean(finding.what)] for finding in faults[:SHOWN]]
        lines += ["", *table([["what", "where", "found"], *rows])]
        if len(faults) > SHOWN:
            lines.append(f"... and {len(faults) - SHOWN} more: --json lists all")
    notes = [*found.notes, *(finding.what for finding in found.findings if finding.kind is Difference.WRITABLE)]
    return [*lines, *([""] if notes else []), *(wrapped(f"note: {clean(note)}", width) for note in notes)]


def diff(args: argparse.Namespace) -> int:
    """Compare two months."""
    found = compare(*(read_snapshot(find_snapshot(name)) for name in (args.before, args.after)))
    if args.json:
        print_json(found.to_json())
    else:
        print("\n".join(_compared(found)))
    return EXIT_OK


def _compared(found: MonthDiff) -> list[str]:
    sides = (found.before, found.after)
    rows = [
        ["total / fraud / lawful", *(_counts(side) for side in sides)],
        ["contract", *(_contract(side) for side in sides)],
        ["month", *(side.month for side in sides)],
        ["trees / cases", *(f"{side.trees} / {side.abstracts}" for side in sides)],
        ["families", *(str(len(side.families)) for side in sides)],
        ["seed of words", *(str(side.seed) for side in sides)],
        ["agents", *(_names(sorted(set(side.agents.values()))) for side in sides)],
        ["speech engines", *(_names(side.engines) for side in sides)],
        ["voices", *(str(len(side.voices)) for side in sides)],
        ["channels", *(str(len(side.channels)) for side in sides)],
        ["root", *(side.root_sha256[:16] for side in sides)],
        ["parents", *(_names([parent[:16] for parent in side.parents]) for side in sides)],
    ]
    head = ["property", *(side.snapshot_id for side in sides)]
    return [
        *table([[clean(cell) for cell in row] for row in [head, *rows]]),
        "",
        (
            f"shared: {len(found.shared_samples)} samples, {len(found.shared_trees)} trees, {found.shared_texts} texts,"
            f" {found.shared_voice_draws} pairs of voices at the same place, {found.shared_abstracts} cases"
        ),
        *([f"{found.after.snapshot_id} names {found.before.snapshot_id} as its parent"] if found.is_parent else []),
    ]


def _counts(side: MonthFacts) -> str:
    return f"{sum(side.counts.values())} / {side.counts[Label.FRAUD]} / {side.counts[Label.NONFRAUD]}"


def _contract(side: MonthFacts) -> str:
    sound = f"{side.contract.sample_rate} Hz" if side.contract.audio else "text alone"
    return f"{side.contract.language}, {sound}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
