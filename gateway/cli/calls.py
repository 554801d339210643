"""`ringback demo` and `ringback run`: playing calls."""

from __future__ import annotations

import argparse
from itertools import count
from pathlib import Path

from core.bundle import load_bundle, shipped_bundle
from core.errors import EXIT_OK, UsageError
from core.schemas.base import Condition
from gateway.cli.common import Formatter, Progress, Subparsers, bundle_folder, command, positive, seed
from gateway.lines import DEFAULT_CHANNEL, spoken_languages
from gateway.parties import DEFAULT_CALLER, DEFAULT_CANDIDATE, DEFAULT_JUDGE
from gateway.running import RunRequest, evaluate
from gateway.settings import read_settings

DEMO_BUNDLE = "frontdesk"
DEFAULT_SEED = 7


def add_commands(commands: Subparsers, formatter: Formatter) -> None:
    """Add `demo` and `run`."""
    help_ = "play the demonstration calls of the shipped bundle, offline"
    demo = command(commands, formatter, "demo", help_, "ringback demo", _demo)
    demo.add_argument("--out", type=Path, metavar="DIR", help="folder of the run; without it, the next free runs/demo*")
    _common(demo)
    run = command(
        commands,
        formatter,
        "run",
        "play calls, grade them, and report; run it again on the same folder to go on",
        "ringback run frontdesk --condition text,asr --out runs/first",
        _run,
    )
    run.add_argument("bundle", metavar="BUNDLE", help="folder, or the name of a shipped bundle")
    run.add_argument("--candidate", default=DEFAULT_CANDIDATE, metavar="PARTY", help="who answers")
    run.add_argument("--caller", default=DEFAULT_CALLER, metavar="PARTY", help="who calls")
    run.add_argument("--judge", default=DEFAULT_JUDGE, metavar="PARTY", help="who judges")
    run.add_argument("--condition", default="text", metavar="LIST", help="comma-separated lines: text, authored, asr")
    run.add_argument("--agents", default="*", metavar="GLOB", help="comma-separated patterns of agent ids")
    run.add_argument("--scenarios", default="*", metavar="GLOB", help="comma-separated patterns of scenario ids")
    run.add_argument("--languages", default="", metavar="LIST", help="comma-separated language codes; empty for all")
    run.add_argument("--repeats", type=positive, default=1, metavar="N", help="calls per scenario and condition")
    run.add_argument("--record", action="store_true", help="speak and record text and authored calls too")
    run.add_argument("--out", type=Path, metavar="RUN", help="folder of the run; without it, the next free runs/<bundle>*")
    _common(run)


def _common(made: argparse.ArgumentParser) -> None:
    made.add_argument("--seed", type=seed, default=DEFAULT_SEED, metavar="N", help="seed of the run")
    help_ = "channel of spoken calls: clean, or landline with overrides such as landline:snr=5,loss=0.05"
    made.add_argument("--channel", default=DEFAULT_CHANNEL, metavar="PRESET", help=help_)
    made.add_argument("--concurrency", type=positive, default=2, metavar="N", help="processes that play calls")


def _demo(args: argparse.Namespace) -> int:
    bundle = load_bundle(shipped_bundle(DEMO_BUNDLE))
    request = RunRequest(
        bundle=shipped_bundle(DEMO_BUNDLE),
        bundle_name=DEMO_BUNDLE,
        conditions=(Condition.TEXT, Condition.AUTHORED, Condition.ASR),
        scenarios=",".join(bundle.file.demo) or "*",
        record=True,
        out=args.out or _free_folder("demo"),
        seed=args.seed,
        channel=args.channel,
        concurrency=args.concurrency,
        argv=args.argv,
    )
    return _evaluate(request, args)


def _run(args: argparse.Namespace) -> int:
    folder = bundle_folder(args.bundle)
    bundle = load_bundle(folder, spoken=spoken_languages() if "asr" in args.condition or args.record else None)
    request = RunRequest(
        bundle=folder,
        bundle_name=args.bundle,
        candidate=args.candidate,
        caller=args.caller,
        judge=args.judge,
        conditions=_conditions(args.condition),
        agents=args.agents,
        scenarios=args.scenarios,
        languages=tuple(part.strip() for part in args.languages.split(",") if part.strip()),
        repeats=args.repeats,
        record=args.record,
        out=args.out or _free_folder(bundle.file.id),
        seed=args.seed,
        channel=args.channel,
        concurrency=args.concurrency,
        argv=args.argv,
    )
    return _evaluate(request, args)


def _evaluate(request: RunRequest, args: argparse.Namespace) -> int:
    outcome = evaluate(request, read_settings(), lambda total: Progress(total, quiet=args.quiet))
    print(outcome.table)
    print(f"\nrun     {request.out}\nreport  {outcome.report} (audio {outcome.audio})")
    return EXIT_OK


def _conditions(text: str) -> tuple[Condition, ...]:
    names = [part.strip() for part in text.split(",") if part.strip()]
    playable = [Condition.TEXT, Condition.AUTHORED, Condition.ASR]
    for name in names:
        if name not in playable:
            raise UsageError(f"no condition {name!r} for this candidate; conditions: {', '.join(playable)}")
    if not names:
        raise UsageError(f"--condition is empty; conditions: {', '.join(playable)}")
    return tuple(condition for condition in playable if condition in names)


def _free_folder(name: str) -> Path:
    """The first of runs/<name>, runs/<name>-2, ... that does not exist."""
    for number in count(1):
        path = Path("runs") / (name if number == 1 else f"{name}-{number}")
        if not path.exists():
            return path
    raise AssertionError("count is endless")
