"""`ringback snapshot build` and `rebuild`: calls with sound, and the sound of a month made again."""

from __future__ import annotations

import argparse
import shutil
import sys
from datetime import UTC, datetime

from core.errors import EXIT_OK
from core.report.text import table
from core.snapshots.freezing.layout import FROZEN
from gateway.cli.snapshots.keep import shown
from gateway.settings import read_settings
from gateway.snapshots.building import BuildRequest, Built
from gateway.snapshots.building import build as build_month
from gateway.snapshots.files import WHOLE_MONTH, Effort
from gateway.snapshots.rebuilding import rebuild as rebuild_month


def build(args: argparse.Namespace) -> int:
    """Build a month, or go on with it, and print what it came to."""
    request = BuildRequest(
        out=args.out,
        language=args.language,
        seed=args.seed,
        this_month=datetime.now(UTC).strftime("%Y-%m"),
        month=args.month,
        name=args.id,
        small=args.small,
        fraud=args.fraud,
        nonfraud=args.nonfraud,
        trees=args.trees,
        agents=tuple(args.agents or ()),
        voices=args.voices,
        channels=tuple(args.channel or ()),
        text_only=args.text_only,
        recogniser=args.recogniser,
        concurrency=args.concurrency,
    )
    steps = Steps(quiet=args.quiet)
    try:
        built = build_month(request, read_settings(), steps.step)
    finally:
        steps.close()
    print("\n".join(lines(built)))
    return EXIT_OK


def rebuild(args: argparse.Namespace) -> int:
    """Make the recordings of a month again, and print how near the whole is to what was frozen; 1 where it is broken."""
    steps = Steps(quiet=args.quiet)
    try:
        made = rebuild_month(args.snapshot, args.out, read_settings(), args.concurrency, steps.step)
    finally:
        steps.close()
    for name, reasons in made.refused.items():
        print(f"ringback: {name} failed quality control on this machine: {'; '.join(reasons)}", file=sys.stderr)
    return shown(made.verification, as_json=args.json)


class Steps:
    """One line on stderr that shows the stage and how far it is, on a terminal only, and vanishes at the end."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()

    def step(self, stage: str, done: int, total: int, note: str) -> None:
        """Show where the build stands."""
        if self._shown:
            width = shutil.get_terminal_size((100, 24)).columns - 1
            print(f"\r\x1b[K{f'{stage} [{done}/{total}] {note}'[:width]}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Wipe the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def lines(built: Built) -> list[str]:
    """What a finished build holds, for a terminal."""
    contract = built.recipe.contract
    trees = {row.call.tree_id for row in built.rows}
    facts = [
        ["snapshot", built.recipe.snapshot_id],
        ["calls", f"{len(built.rows)}: {contract.fraud} fraud, {contract.nonfraud} lawful, from {len(trees)} trees"],
    ]
    if built.reserve is not None:
        facts.append(["not taken", f"{built.reserve} more calls of these trees"])
    audios = [row.audio for row in built.rows if row.audio is not None]
    if audios:
        speech_s = sum(audio.duration_s for audio in audios)
        megabytes = sum(2 * audio.samples for audio in audios) / 1e6
        facts.append(["recordings", f"{speech_s / 60:.1f} minutes, {megabytes:.1f} MB"])
        facts.append(["replaced", f"{len(built.replaced)} that failed quality control"])
    if built.transcripts is not None:
        wer = "" if built.transcripts.wer is None else f", WER {built.transcripts.wer:.3f}"
        facts.append(["transcripts", f"{built.transcripts.name}: CER {built.transcripts.cer:.3f}{wer}"])
    if built.effort is not None and built.effort.calls:
        facts += _effort(built.effort)
    frozen = (built.root / FROZEN).exists()
    return [*table(facts), "", f"frozen: see {built.root / FROZEN}" if frozen else f"next: ringback snapshot freeze {built.root}"]


def _effort(effort: Effort) -> list[list[str]]:
    hours, cpu_hours, megabytes = effort.of_month()
    rate = effort.speech_per_cpu_s
    spent = f"{effort.rendering_cpu_s:.0f} CPU s rendering, {effort.hearing_cpu_s:.0f} CPU s hearing"
    return [
        ["effort", spent if rate is None else f"{spent}: {rate:.2f} s of sound per CPU s"],
        [
            f"at this rate {WHOLE_MONTH} calls",
            f"{hours:.1f} hours with {effort.processes} processes, {cpu_hours:.1f} CPU hours, {megabytes:.0f} MB",
        ],
    ]
