"""Runs of thousands of calls of words whose parties answer at once: what playing, keeping and reporting cost by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.bench.watching import Cost, largest_mb, watched
from tests.support.command import Command
from tests.support.instant import PARTIES, write_bundle

AGENTS, SCENARIOS, REPEATS = 49, 10, 10


def scale(command: Command, *, agents: int = AGENTS, scenarios: int = SCENARIOS, repeats: int = REPEATS) -> Iterator[Figure]:
    """A small run and one `repeats` times as large, each played, then reported again."""
    write_bundle(command.cwd / "many", agents, scenarios)
    few = agents * scenarios
    small, large = _play(command, 1), _play(command, repeats)
    calls = few * (repeats - 1)
    yield Figure(
        f"calls at once answered, {few * repeats}",
        f"{calls / (large.cpu_s - small.cpu_s):.0f} per CPU s",
        f"played, judged by rules, kept on disk and reported; {calls / (large.wall_s - small.wall_s):.0f} a second on the wall",
    )
    yield from _memory("of the run", few, repeats, small, large)
    small, large = _measured(command, "report", "run-1"), _measured(command, "report", f"run-{repeats}")
    yield Figure(
        f"report of {few * repeats} calls",
        f"{large.cpu_s:.1f} CPU s",
        f"every trace and grade read again, summary and pages written; {large.wall_s:.1f} s on the wall",
    )
    yield from _memory("of the report", few, repeats, small, large)


def _memory(what: str, few: int, repeats: int, small: Cost, large: Cost) -> Iterator[Figure]:
    more = (large.memory_mb - small.memory_mb) * 1000 / (few * (repeats - 1))
    yield Figure(
        f"memory {what}, {few * repeats} calls",
        f"{large.memory_mb:.0f} MB",
        f"in its largest process, against {small.memory_mb:.0f} MB for {few} calls: {more:.1f} kB for each further call",
    )


def _play(command: Command, repeats: int) -> Cost:
    return _measured(command, "run", "many", *PARTIES, "--repeats", str(repeats), "--concurrency", "2", "--out", f"run-{repeats}")


def _measured(command: Command, *arguments: str) -> Cost:
    return watched(command, *arguments, memory_mb=largest_mb, every_s=0.1)
