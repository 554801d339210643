"""`ringback grade`, `report`, `compare` and `swap`: what is told of a run on disk."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from core.errors import EXIT_OK, BusyError, InputError, RingbackError, UsageError
from core.files import write_atomic
from core.grading.grade import judge_key
from core.metered import Metered
from core.report import phrases
from core.report.markdown import render_markdown
from core.report.roundtrip import round_trip_lines, round_trip_markdown
from core.report.swap import render_swap
from core.report.text import render_compare
from core.runs.compare import Side, choose_condition, compare_sides, must_agree
from core.runs.pairs import scenario_wer
from core.runs.store import RunStore
from core.runs.swap import swapped
from core.schemas.base import pretty_json
from core.schemas.call_trace import PartyRecord
from gateway.cli.agreeing import read_against, tell_agreement
from gateway.cli.common import print_json, print_table, split_run, terminal_width
from gateway.cli.endings import judged
from gateway.cli.progress import CallProgress
from gateway.parties import make_judge
from gateway.reporting import rebuild, reported_judge
from gateway.running import grade_run


def grade_again(args: argparse.Namespace) -> int:
    """Judge a run again."""
    store, judge, labels = RunStore.open(args.folder), make_judge(args.judge), read_against(args.against)
    bundle = store.bundle()
    bar = _bar(args)
    done = grade_run(store, bundle, args.judge, bar, concurrency=args.concurrency, budget_usd=args.budget)
    outcome = rebuild(store, bundle, judge.record())
    print_table(outcome.summary)
    print(f"\n{done.now} calls judged now; grades stand in {store.root / 'grades' / judge_key(judge.record())}")
    tell_agreement(store, judge, args.against, labels)
    return judged(outcome, left=done.left, budget_usd=args.budget)


def _bar(args: argparse.Namespace) -> Callable[[int], CallProgress]:
    return lambda total: CallProgress(total, quiet=args.quiet)


def report(args: argparse.Namespace) -> int:
    """Rebuild a report."""
    store = RunStore.open(args.folder)
    bundle = store.bundle()
    judge = make_judge(args.judge).record() if args.judge else reported_judge(store)
    party = args.judge or _party_of(judge)
    if party is not None:
        # A run that is being played can be looked at: what is graded so far is told.
        with contextlib.nullcontext() if args.judge else contextlib.suppress(BusyError):
            grade_run(store, bundle, party, _bar(args))
    outcome = rebuild(store, bundle, judge)
    if args.html is not None:
        if outcome.audio == "linked":
            raise UsageError(f"the recordings are too large to embed, so the page must stay in the run: open {outcome.report}")
        if outcome.pages > 1:
            raise UsageError(f"this run is told in {outcome.pages} pages, which must stay together: open {outcome.report}")
        write_atomic(args.html, outcome.report.read_bytes())
    more = round_trip_markdown(outcome.back) if outcome.back else []
    if args.markdown is not None:
        run = os.path.relpath(store.root, args.markdown.absolute().parent)
        write_atomic(args.markdown, render_markdown(outcome.summary, more, run=Path(run).as_posix()).encode())
    if args.json == Path("-"):
        print_json(outcome.summary.to_json())
    else:
        if args.json is not None:
            write_atomic(args.json, pretty_json(outcome.summary.to_json()))
        print_table(outcome.summary)
        if outcome.back is not None:
            print("\nThe agent's own speech, heard again\n" + "\n".join(round_trip_lines(outcome.back, terminal_width())))
        others = [other.party for key, other in store.judges().items() if key != judge_key(judge)]
        if others:
            print(f"\ngrades of {judge.party}; there are others, told with --judge: {', '.join(others)}")
        print(f"\nreport  {outcome.report} (audio {outcome.audio})")
    return judged(outcome) if party else judged(outcome, remedy=f"name {judge.party} with --judge, as the run was given it")


def _party_of(judge: PartyRecord) -> str | None:
    """The name of a judge that may be asked though nobody named it: a program of ours, which costs nothing and cannot fail."""
    try:
        made = make_judge(judge.party)
        return judge.party if made.record() == judge and not isinstance(made, Metered) else None
    except RingbackError:
        return None


def _side(text: str) -> Side:
    path, wanted = split_run(text)
    store = RunStore.open(path)
    summary = store.summary()
    condition = choose_condition(summary, wanted, str(path))
    return Side(f"{path}@{condition.value}", store.run(), summary, condition, lambda case: store.header(case).line)


def compare(args: argparse.Namespace) -> int:
    """Compare two sides, or each of several with the next."""
    if len(args.sides) < 2:
        raise UsageError(f"{args.sides[0]}: a comparison needs a second side: write RUN[@CONDITION] RUN[@CONDITION]")
    pairs = list(pairwise(_side(text) for text in args.sides))
    differing = [f"{a.name} and {b.name}: {item}" if len(pairs) > 1 else item for a, b in pairs for item in must_agree(a, b)]
    if differing and not args.allow_different:
        raise InputError(
            f"these cannot be compared fairly: {'; '.join(differing)} (--allow-different compares them all the same)"
        )
    paired = [item for a, b in pairs for item in compare_sides(a, b)]
    hearing, attribution = _of_one_pair(*pairs[0]) if len(pairs) == 1 else (None, [])
    if args.json:
        print_json({"paired": [item.to_json() for item in paired], "attribution": attribution, "different": differing})
    else:
        print(render_compare(paired, attribution, hearing, differing, width=terminal_width(), colour=sys.stdout.isatty()), end="")
    return EXIT_OK


def _of_one_pair(a: Side, b: Side) -> tuple[dict[str, float] | None, list[str]]:
    """What is told of hearing where two sides alone are compared: the error by scenario, and what it cost."""
    names = {case.case for side in (a, b) for case in side.cases()}
    attribution = [
        phrases.attribution_text(item)
        for side in ((a, b) if a.summary != b.summary else (a,))
        for item in side.summary.attribution
        if item.case in names
    ]
    return scenario_wer(a.cases(), b.cases()) or None, attribution


def swap(args: argparse.Namespace) -> int:
    """Tell what another caller changes."""
    found = swapped([_side(text) for text in args.sides])
    if args.json:
        print_json(found.to_json())
    else:
        print(render_swap(found, terminal_width()), end="")
    return EXIT_OK
