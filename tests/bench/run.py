"""What things cost, in CPU seconds measured in one go, and ratios of them: wall clocks of a busy machine say nothing.

python -m tests.bench.run            starts, words, grading, how hard sibling calls are, speed of spoken calls: about ten minutes
python -m tests.bench.run --tiny     the same without engines and in small numbers, to see that it works
python -m tests.bench.run --long     thousands of calls in one run, kills, memory of chat runs, the table of hearing, random
                                     calls, side doors of sibling calls over ten seeds, then rules broken on purpose
                                     (exit 1 where no test finds one): an hour
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from core.bundle import load_bundle, shipped_bundle
from models.weights import locate
from tests.bench import (
    broken_rules,
    chat_memory,
    fuzz,
    intervals,
    killing,
    local_model,
    scale,
    siblings,
    snapshot_demo,
    snapshot_kills,
    speed,
    summary,
    tree_intervals,
)
from tests.bench.figures import Figure, cpu_seconds
from tests.support.command import Command

SURVEY = ("survey", "--languages", "en", "--voices", "hibari-heart,piper-joe", "--channel", "clean", "--channel", "bad-cell")


def main() -> int:
    """Print the chosen figures as they are measured."""
    args = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        command = Command(Path(scratch), Path(scratch) / "cache")
        for figure in _chosen(args, command):
            print(figure, flush=True)
        if args.long:
            print("\nHow well English is heard, by voice and channel:", flush=True)
            locate("whisper-base", command.cache)
            print(replace(command, patience_s=3600).passes(*SURVEY), flush=True)
    if args.long:
        print("\nRules broken on purpose, and the tests that find it:", flush=True)
        return broken_rules.main()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="what things cost, in CPU seconds and ratios")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--tiny", action="store_true", help="small numbers and no engines")
    chosen.add_argument("--long", action="store_true", help="the long ones")
    return parser.parse_args()


def _chosen(args: argparse.Namespace, command: Command) -> Iterator[Figure]:
    if args.long:
        yield from scale.scale(command)
        yield from killing.kills(command)
        yield from killing.chat_kills(command, loops=10)
        yield from snapshot_kills.kills(command)
        yield from snapshot_demo.kills(replace(command, patience_s=3600))
        yield from chat_memory.memory(command)
        yield from _random_calls(20_000)
        yield from intervals.coverage_figures()
        yield from tree_intervals.tree_figures()
        for language in ("en", "zh"):
            yield from siblings.figures(language)
            yield from siblings.over_seeds(language, trees=48, per_label=6, seeds=10)
        yield from local_model.calls(replace(command, patience_s=7200), "qwen-coder-1500m")
        return
    yield from _starts(command, times=1 if args.tiny else 5)
    yield from _words(command, repeats=2 if args.tiny else 10)
    yield from _grading(scenarios=4 if args.tiny else summary.SCENARIOS)
    if args.tiny:
        yield from scale.scale(command, agents=2, scenarios=5, repeats=25)
        yield from killing.kills(command, agents=1, repeats=5, moments=2)
        yield from chat_memory.memory(command, few=1, many=3)
        yield from _random_calls(20)
        yield from siblings.figures("en", trees=6)
    else:
        for language in ("en", "zh"):
            yield from siblings.figures(language)
        yield from speed.spoken_calls(command)


def _starts(command: Command, times: int) -> Iterator[Figure]:
    bare = _smallest(lambda: subprocess.run([sys.executable, "-c", ""], check=True), times)
    yield Figure("bare interpreter", f"{bare:.3f} CPU s", "what any Python program costs before it does anything")
    shown = _smallest(lambda: command.passes("--help"), times)
    yield Figure("ringback --help", f"{shown / bare:.1f} x bare", "a command that needs nothing imports nothing")
    checked = _smallest(lambda: command.passes("bundle", "check", "frontdesk"), times)
    yield Figure(
        "ringback bundle check frontdesk", f"{checked / bare:.1f} x bare", "the imports of core, and one reading of a bundle"
    )
    bundle = shipped_bundle("frontdesk")
    load_bundle(bundle)
    begin = time.process_time()
    scenarios = len(load_bundle(bundle).scenarios)
    spent = time.process_time() - begin
    yield Figure(
        "load_bundle", f"{spent / scenarios * 1000:.1f} CPU ms", "reading and auditing one scenario, once all is imported"
    )


def _words(command: Command, repeats: int) -> Iterator[Figure]:
    def play(times: int) -> float:
        arguments = ("run", "frontdesk", "--concurrency", "1", "--repeats", str(times), "--out", f"words-{times}")
        return cpu_seconds(lambda: command.passes(*arguments))

    few, many = play(1), play(1 + repeats)
    calls = len(load_bundle(shipped_bundle("frontdesk")).scenarios) * repeats
    yield Figure(
        "calls of words alone",
        f"{calls / (many - few):.1f} per CPU s",
        "played, stored, graded, summarised and shown, start left out",
    )


def _grading(scenarios: int) -> Iterator[Figure]:
    cases, graded, summarised = summary.measure(scenarios)
    yield Figure("grading", f"{graded / cases * 1000:.2f} CPU ms", f"per call of ten turns, over {cases} calls")
    yield Figure("summary", f"{summarised / cases * 1000:.2f} CPU ms", f"per call, with every interval, over {cases} calls")
    drawn, spent = intervals.cost(agents=4 if scenarios < summary.SCENARIOS else intervals.AGENTS)
    yield Figure(
        "intervals", f"{spent:.3f} CPU s", f"both pillars, overall and every slice of {drawn} graded cases, 2,000 samples"
    )


def _random_calls(examples: int) -> Iterator[Figure]:
    ends = fuzz.run(examples)
    shown = ", ".join(f"{end} {count}" for end, count in ends.items())
    yield Figure("random calls", f"{sum(ends.values())}", f"none raised, each replayed to the same trace: {shown}")


def _smallest(work: Callable[[], object], times: int) -> float:
    """The smallest of some measurements: what lies above it is the doing of other processes."""
    return min(cpu_seconds(work) for _ in range(times))


if __name__ == "__main__":
    sys.exit(main())
