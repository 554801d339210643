"""`ringback grade`, `report`, `compare`, `gate` and `replay`: everything that starts from a run on disk."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from core.bundle import Bundle, load_bundle
from core.errors import EXIT_GATE, EXIT_OK, InputError, UsageError
from core.files import write_atomic
from core.grading.grade import grade_trace, judge_key
from core.report import phrases
from core.report.markdown import render_markdown
from core.report.text import render_compare
from core.runs.compare import Side, choose_condition, compare_sides, must_agree
from core.runs.replay import Difference, differences, replay
from core.runs.store import RunStore, load_trace
from core.schemas.base import pretty_json
from core.schemas.run import Summary
from gateway.cli.common import print_json, print_table, split_run, terminal_width
from gateway.defaults import DEFAULT_JUDGE
from gateway.gates import check_gates, parse_gate
from gateway.lines import line_of_trace, recording_differences
from gateway.parties import make_judge
from gateway.running import finish, grade_cases, rebuild
from gateway.settings import read_settings


def grade_again(args: argparse.Namespace) -> int:
    """Judge a run again."""
    store, judge = RunStore.open(args.folder), make_judge(args.judge)
    bundle = store.bundle()
    graded = grade_cases(store, bundle, judge)
    outcome = rebuild(store, bundle, judge)
    print_table(outcome.summary)
    print(f"\n{graded} calls judged now, the others before; grades stand in {store.root / 'grades' / judge_key(judge.record())}")
    return EXIT_OK


def report(args: argparse.Namespace) -> int:
    """Rebuild a report."""
    store = RunStore.open(args.folder)
    outcome = finish(store, store.bundle(), make_judge(args.judge))
    if args.html is not None:
        if outcome.audio == "linked":
            raise UsageError(f"the recordings are too large to embed, so the page must stay in the run: open {outcome.report}")
        write_atomic(args.html, outcome.report.read_bytes())
    if args.markdown is not None:
        write_atomic(args.markdown, render_markdown(outcome.summary).encode())
    if args.json == Path("-"):
        print_json(outcome.summary.to_json())
    else:
        if args.json is not None:
            write_atomic(args.json, pretty_json(outcome.summary.to_json()))
        print_table(outcome.summary)
        print(f"\nreport  {outcome.report} (audio {outcome.audio})")
    return EXIT_OK


def _side(text: str) -> Side:
    path, wanted = split_run(text)
    store = RunStore.open(path)
    summary = store.summary()
    condition = choose_condition(summary, wanted, str(path))
    return Side(f"{path}@{condition.value}", store.run(), summary, condition)


def compare(args: argparse.Namespace) -> int:
    """Compare two sides."""
    a, b = _side(args.a), _side(args.b)
    differing = must_agree(a, b)
    if differing and not args.allow_different:
        raise InputError(
            f"these two cannot be compared fairly: {'; '.join(differing)} (--allow-different compares them all the same)"
        )
    paired = compare_sides(a, b)
    shown = [side for side in (a, b) if any(case.wer for case in side.cases())]
    hearing = {case.scenario: case.wer.rate for side in shown[-1:] for case in side.cases() if case.wer} or None
    names = {case.case for side in (a, b) for case in side.cases()}
    attribution = [
        phrases.attribution_text(side.summary, item)
        for side in ((a, b) if a.summary != b.summary else (a,))
        for item in side.summary.attribution
        if item.case in names
    ]
    if args.json:
        print_json({"paired": [item.to_json() for item in paired], "attribution": attribution, "different": differing})
    else:
        print(render_compare(paired, attribution, hearing, differing, width=terminal_width(), colour=sys.stdout.isatty()), end="")
    return EXIT_OK


def gate(args: argparse.Namespace) -> int:
    """Hold a run to bounds."""
    path, wanted = split_run(args.side)
    summary: Summary = RunStore.open(path).summary()
    conditions = [choose_condition(summary, wanted, str(path))] if wanted else list(summary.conditions)
    gates = [parse_gate(text, lower=True) for text in args.min] + [parse_gate(text, lower=False) for text in args.max]
    if not gates:
        raise UsageError("no gate given: add --min MEASURE=VALUE or --max MEASURE=VALUE")
    failed = False
    for line, passed in check_gates(summary, conditions, gates):
        failed = failed or not passed
        print(line)
    return EXIT_GATE if failed else EXIT_OK


def replay_traces(args: argparse.Namespace) -> int:
    """Replay traces."""
    different = 0
    load = cache(load_bundle)
    for given in args.traces:
        path = given / "trace.json" if given.is_dir() else given
        found = _replay_one(path, args.bundle, load)
        different += bool(found)
        for difference in found:
            print(f"{path}: {difference}")
        if not found:
            print(f"{path}: no difference")
    return EXIT_GATE if different else EXIT_OK


def _replay_one(path: Path, bundle_folder: Path | None, load: Callable[[Path], Bundle]) -> list[Difference]:
    """Replay one trace, then judge it again where the run holds a grade by a judge that replays."""
    trace = load_trace(path)
    run_root = path.resolve().parent.parent.parent
    folder = bundle_folder or run_root / "bundle" / trace.header.bundle
    if not (folder / "bundle.yaml").is_file():
        raise UsageError(f"{path}: no bundle at {folder}: name the trace's bundle with --bundle")
    bundle = load(folder)
    found = replay(trace, bundle, line_of_trace(trace, read_settings().cache_root))
    if not found:
        found = recording_differences(trace, path.parent)
    if not found and (run_root / "run.json").is_file():
        judge = make_judge(DEFAULT_JUDGE)
        saved = RunStore(run_root).grade(judge_key(judge.record()), path.parent.name)
        if saved is not None:
            found = list(differences(saved.to_json(), grade_trace(trace, bundle, judge).to_json(), "grade"))
    return found
