"""`ringback grade`, `report`, `compare`, `gate` and `replay`: everything that starts from a run on disk."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from core.bundle import load_bundle
from core.errors import EXIT_GATE, EXIT_OK, InputError, UsageError
from core.files import write_atomic
from core.grading.grade import grade, judge_key
from core.report import phrases
from core.report.text import render_compare
from core.runs.compare import Side, choose_condition, compare_sides, must_agree
from core.runs.replay import Difference, differences, replay
from core.runs.store import RunStore, load_trace, trace_bytes
from core.schemas.base import pretty_json, sha256
from core.schemas.run import Summary
from gateway.cli.common import Formatter, Subparsers, command, print_json, split_run
from gateway.gates import check_gates, parse_gate
from gateway.lines import line_of_trace, recording_differences
from gateway.parties import DEFAULT_JUDGE, make_judge
from gateway.running import finish, grade_cases, rebuild
from gateway.settings import read_settings


def add_commands(commands: Subparsers, formatter: Formatter) -> None:
    """Add the commands that read runs."""
    made = command(commands, formatter, "grade", "judge a run again from its saved traces", "ringback grade runs/first", _grade)
    made.add_argument("run_folder", type=Path, metavar="RUN", help="folder of a run")
    made.add_argument("--judge", default=DEFAULT_JUDGE, metavar="PARTY", help="who judges")

    made = command(commands, formatter, "report", "rebuild summary and report of a run", "ringback report runs/first", _report)
    made.add_argument("run_folder", type=Path, metavar="RUN", help="folder of a run")
    made.add_argument("--judge", default=DEFAULT_JUDGE, metavar="PARTY", help="whose grades")
    made.add_argument("--html", type=Path, metavar="FILE", help="write the page here too (its sound must be embedded)")
    made.add_argument(
        "--json", type=Path, metavar="FILE", nargs="?", const=Path("-"), help="write the summary here; alone, print it"
    )

    made = command(
        commands,
        formatter,
        "compare",
        "compare two conditions or runs, pair by pair",
        "ringback compare runs/first@text runs/first@asr",
        _compare,
    )
    made.add_argument("a", metavar="RUN[@CONDITION]", help="first side")
    made.add_argument("b", metavar="RUN[@CONDITION]", help="second side")
    made.add_argument("--allow-different", action="store_true", help="compare although bundle, caller, judge or seed differ")
    made.add_argument("--json", action="store_true", help="machine form")

    made = command(
        commands,
        formatter,
        "gate",
        "exit 1 where a run misses a bound",
        "ringback gate runs/first --min overall=70 --max wer=0.2",
        _gate,
    )
    made.add_argument("run", metavar="RUN[@CONDITION]", help="folder of a run; without a condition, all are held to the bounds")
    made.add_argument("--min", action="append", default=[], metavar="MEASURE=VALUE", help="lowest allowed value; may be repeated")
    made.add_argument(
        "--max", action="append", default=[], metavar="MEASURE=VALUE", help="highest allowed value; may be repeated"
    )

    made = command(
        commands,
        formatter,
        "replay",
        "play a trace again from its recorded words and print any difference",
        "ringback replay runs/first/cases/*/trace.json",
        _replay,
    )
    made.add_argument("traces", type=Path, nargs="+", metavar="TRACE", help="trace.json files or case folders")
    made.add_argument("--bundle", type=Path, metavar="DIR", help="the trace's bundle, where it does not lie in a run")


def _grade(args: argparse.Namespace) -> int:
    store, judge = RunStore.open(args.run_folder), make_judge(args.judge)
    graded = grade_cases(store, store.run(), store.bundle(), judge)
    outcome = rebuild(store, judge)
    print(outcome.table)
    print(f"\n{graded} calls judged now, the others before; grades stand in {store.root / 'grades' / judge_key(judge.record())}")
    return EXIT_OK


def _report(args: argparse.Namespace) -> int:
    store = RunStore.open(args.run_folder)
    outcome = finish(store, make_judge(args.judge))
    if args.html is not None:
        if outcome.audio == "linked":
            raise UsageError(f"the recordings are too large to embed, so the page must stay in the run: open {outcome.report}")
        write_atomic(args.html, outcome.report.read_bytes())
    if args.json == Path("-"):
        print_json(outcome.summary.to_json())
    else:
        if args.json is not None:
            write_atomic(args.json, pretty_json(outcome.summary.to_json()))
        print(outcome.table)
        print(f"\nreport  {outcome.report} (audio {outcome.audio})")
    return EXIT_OK


def _side(text: str) -> Side:
    path, wanted = split_run(text)
    store = RunStore.open(path)
    summary = store.summary()
    condition = choose_condition(summary, wanted, str(path))
    return Side(f"{path}@{condition.value}", store.run(), summary, condition)


def _compare(args: argparse.Namespace) -> int:
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
        print(render_compare(paired, attribution, hearing, differing, width=_width(), colour=sys.stdout.isatty()), end="")
    return EXIT_OK


def _gate(args: argparse.Namespace) -> int:
    path, wanted = split_run(args.run)
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


def _replay(args: argparse.Namespace) -> int:
    different = 0
    for given in args.traces:
        path = given / "trace.json" if given.is_dir() else given
        found = _replay_one(path, args.bundle)
        different += bool(found)
        for difference in found:
            print(f"{path}: {difference}")
        if not found:
            print(f"{path}: no difference")
    return EXIT_GATE if different else EXIT_OK


def _replay_one(path: Path, bundle_folder: Path | None) -> list[Difference]:
    """Replay one trace, then judge it again where the run holds a grade by a judge that replays."""
    trace = load_trace(path)
    run_root = path.resolve().parent.parent.parent
    folder = bundle_folder or run_root / "bundle" / trace.header.bundle
    if not (folder / "bundle.yaml").is_file():
        raise UsageError(f"{path}: no bundle at {folder}: name the trace's bundle with --bundle")
    bundle = load_bundle(folder)
    found = replay(trace, bundle, line_of_trace(trace, read_settings().cache_root))
    if not found:
        found = recording_differences(trace, path.parent)
    if not found and (run_root / "run.json").is_file():
        judge = make_judge(DEFAULT_JUDGE)
        saved = RunStore(run_root).grade(judge_key(judge.record()), path.parent.name)
        scenario = bundle.scenarios[trace.header.scenario]
        if saved is not None:
            again = grade(trace, scenario, bundle.prompt(scenario), judge, trace_sha256=sha256(trace_bytes(trace)))
            found = list(differences(saved.to_json(), again.to_json(), "grade"))
    return found


def _width() -> int:
    return max(80, min(shutil.get_terminal_size((100, 24)).columns, 120))
