"""`ringback gate`, `ringback official` and `ringback replay`: commands whose exit code is the answer."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from pydantic import JsonValue

from core.bundle import Bundle, load_bundle
from core.errors import EXIT_GATE, EXIT_INFRASTRUCTURE, EXIT_OK, UsageError
from core.grading.grade import grade_trace, judge_key
from core.runs.compare import choose_condition, conditions_of
from core.runs.replay import Difference, Mismatch, differences, replay
from core.runs.store import RunStore, load_trace
from gateway.cli.common import print_json, split_run
from gateway.defaults import DEFAULT_JUDGE
from gateway.gates import check_gates, parse_gate
from gateway.lines import line_of_trace, recording_differences
from gateway.parties import make_judge
from gateway.settings import read_settings
from gateway.user_backends import BundlePrograms


def gate(args: argparse.Namespace) -> int:
    """Hold a run to bounds."""
    path, wanted = split_run(args.side)
    summary = RunStore.open(path).summary()
    conditions = [choose_condition(summary, wanted, str(path))] if wanted else conditions_of(summary)
    gates = [parse_gate(text, lower=True) for text in args.min] + [parse_gate(text, lower=False) for text in args.max]
    if not gates:
        raise UsageError("no gate given: add --min MEASURE=VALUE or --max MEASURE=VALUE")
    found = list(check_gates(summary, conditions, gates))
    passed = all(held.passed for held in found)
    if args.json:
        print_json({"passed": passed, "gates": [held.to_json() for held in found]})
    else:
        print(*found, sep="\n")
    if any(not held.passed and not held.missing for held in found):
        return EXIT_GATE
    missing = [str(held).removeprefix("none  ") for held in found if held.missing]
    if missing:
        raise UsageError(f"this run does not hold: {'; '.join(missing)}")
    return EXIT_OK


def official(args: argparse.Namespace) -> int:
    """Say whether a run is official, and why not."""
    summary = RunStore.open(args.folder).summary()
    if args.json:
        print_json({"official": summary.official, "reasons": list(summary.official_reasons)})
    else:
        print("official" if summary.official else "not official:", *(f"- {why}" for why in summary.official_reasons), sep="\n")
    return EXIT_OK if summary.official else EXIT_GATE


def replay_traces(args: argparse.Namespace) -> int:
    """Replay traces; a difference weighs more than a trace that cannot be compared here."""
    load = cache(load_bundle)
    found: dict[Path, list[Difference]] = {}
    for given in args.traces:
        path = given / "trace.json" if given.is_dir() else given
        found[path] = _replay_one(path, args, load)
        if not args.json:
            print(*(f"{path}: {line}" for line in _lines(found[path])), sep="\n")
    if args.json:
        print_json({"traces": [{"trace": str(path), **_machine_form(items)} for path, items in found.items()]})
    every = [item for items in found.values() for item in items]
    if any(not isinstance(item, Mismatch) for item in every):
        return EXIT_GATE
    return EXIT_INFRASTRUCTURE if every else EXIT_OK


def _lines(found: Sequence[Difference]) -> list[str]:
    """What is printed of one trace: mismatches together, each difference on a line of its own."""
    mismatches = [str(item) for item in found if isinstance(item, Mismatch)]
    if mismatches:
        return [f"cannot be compared here: {'; '.join(mismatches)}"]
    return [str(item) for item in found] or ["no difference"]


def _machine_form(found: Sequence[Difference]) -> dict[str, JsonValue]:
    groups: dict[str, list[JsonValue]] = {"differences": [], "mismatches": []}
    for item in found:
        kind = "mismatches" if isinstance(item, Mismatch) else "differences"
        groups[kind].append({"where": item.where, "recorded": item.recorded, "replayed": item.replayed})
    return {**groups}


def _replay_one(path: Path, args: argparse.Namespace, load: Callable[[Path], Bundle]) -> list[Difference]:
    """Replay one trace, then judge it again where the run holds a grade by a judge that replays."""
    trace = load_trace(path)
    run_root = path.resolve().parent.parent.parent
    folder = args.bundle or run_root / "bundle" / trace.header.bundle
    if not (folder / "bundle.yaml").is_file():
        raise UsageError(f"{path}: no bundle at {folder}: name the trace's bundle with --bundle")
    bundle = load(folder)
    programs = BundlePrograms(bundle, allowed=args.allow_code)
    found = replay(trace, bundle, line_of_trace(trace, read_settings()), programs.backend)
    if not found:
        found = recording_differences(trace, path.parent)
    if not found and (run_root / "run.json").is_file():
        judge = make_judge(DEFAULT_JUDGE)
        saved = RunStore(run_root).grade(judge_key(judge.record()), path.parent.name)
        if saved is not None:
            found = list(differences(saved.to_json(), grade_trace(trace, bundle, judge, saved.code).to_json(), "grade"))
    return found
