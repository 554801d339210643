"""`ringback demo`, `ringback run` and `ringback ablate`: playing calls."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.bundle import demo_scenarios, shipped_bundle
from core.errors import UsageError
from core.report.ablation import render_ablation
from core.schemas.base import Condition
from gateway import ablating
from gateway.cli.common import bundle_folder, free_folder, listed, print_json, print_table, terminal_width
from gateway.cli.endings import ended
from gateway.cli.progress import CallProgress
from gateway.defaults import DEMO_BUNDLE
from gateway.running import RunRequest, evaluate
from gateway.settings import read_settings


def demo(args: argparse.Namespace) -> int:
    """Play the demonstration."""
    folder = shipped_bundle(DEMO_BUNDLE)
    request = RunRequest(
        bundle=folder,
        bundle_name=DEMO_BUNDLE,
        conditions=(Condition.TEXT, Condition.AUTHORED, Condition.ASR),
        scenarios=",".join(demo_scenarios(folder)) or "*",
        record=True,
        out=args.out or free_folder("demo"),
        seed=args.seed,
        channel=args.channel,
        voices=args.voices,
        recogniser=args.recogniser,
        concurrency=args.concurrency,
        argv=args.argv,
    )
    return _evaluate(request, args)


def run(args: argparse.Namespace) -> int:
    """Play a run."""
    out = args.out or free_folder(bundle_folder(args.bundle).name)
    return _evaluate(_request(args, out, _conditions(args.condition), record=args.record), args)


def ablate(args: argparse.Namespace) -> int:
    """Find what each effect of a channel costs."""
    out = args.out or free_folder(f"{bundle_folder(args.bundle).name}-ablation")
    request = _request(args, out, (Condition.ASR,))
    found = ablating.ablate(request, read_settings(), lambda total: CallProgress(total, quiet=args.quiet))
    if args.json:
        print_json(found.result.to_json())
    else:
        print(render_ablation(found.result, width=terminal_width()), end="")
        print(f"\nruns    {request.out}\ntable   {request.out / 'ablation.md'}, {request.out / 'ablation.json'}")
    return ended(found.outcomes, request.budget_usd)


def _request(args: argparse.Namespace, out: Path, conditions: tuple[Condition, ...], *, record: bool = False) -> RunRequest:
    return RunRequest(
        bundle=bundle_folder(args.bundle),
        bundle_name=args.bundle,
        candidate=args.candidate,
        caller=args.caller,
        judge=args.judge,
        conditions=conditions,
        agents=args.agents,
        scenarios=args.scenarios,
        languages=tuple(listed(args.languages)),
        repeats=args.repeats,
        record=record,
        out=out,
        seed=args.seed,
        channel=args.channel,
        voices=args.voices,
        recogniser=args.recogniser,
        concurrency=args.concurrency,
        budget_usd=args.budget,
        again=args.again,
        allow_code=args.allow_code,
        turn_timeout_s=args.turn_timeout,
        argv=args.argv,
    )


def _evaluate(request: RunRequest, args: argparse.Namespace) -> int:
    outcome = evaluate(request, read_settings(), lambda total: CallProgress(total, quiet=args.quiet))
    print_table(outcome.summary)
    print(f"\nrun     {request.out}\nreport  {outcome.report} (audio {outcome.audio})")
    return ended([outcome], request.budget_usd)


def _conditions(text: str) -> tuple[Condition, ...]:
    names = listed(text)
    playable = [Condition.TEXT, Condition.AUTHORED, Condition.ASR]
    for name in names:
        if name not in playable:
            raise UsageError(f"no condition {name!r} for this candidate; conditions: {', '.join(playable)}")
    if not names:
        raise UsageError(f"--condition is empty; conditions: {', '.join(playable)}")
    return tuple(condition for condition in playable if condition in names)
