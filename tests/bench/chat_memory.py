"""What thousands of requests over HTTP, through litellm, leave behind in the one process that sends them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.figures import Figure
from tests.bench.watching import Cost, largest_mb, watched
from tests.support.chat_server import ChatServer, chat_server
from tests.support.command import Command
from tests.support.kills import lines_of
from tests.support.small_talk import CENT, REQUESTS, SCRIPT, run_of

FEW, MANY = 100, 600
"""Calls of five requests each."""
LINES = 3
"""Lines of the journal for each: it starts, it is finished, it is judged."""


def memory(command: Command, *, few: int = FEW, many: int = MANY) -> Iterator[Figure]:
    """A run of chat models in all three roles and one that is larger; both ask the same scripted provider."""
    with chat_server(SCRIPT) as server:
        small, large = _play(command, server, few), _play(command, server, many)
    each = sum(REQUESTS.values())
    further = each * (many - few)
    more = (large.memory_mb - small.memory_mb) * 1000 / further
    yield Figure(
        f"memory of {each * many} chat requests",
        f"{large.memory_mb:.0f} MB",
        f"against {small.memory_mb:.0f} MB after {each * few}: {more:.1f} kB for each further one, its part of a call included; "
        f"{1000 * (large.cpu_s - small.cpu_s) / further:.0f} CPU ms each",
    )


def _play(command: Command, server: ChatServer, calls: int) -> Cost:
    """What a run takes; memory until its last call is judged, since a page of the report holds all calls of one scenario."""
    arguments = run_of(server, *REQUESTS, options=f"{CENT}&cache=off", repeats=calls, out=f"memory-{calls}")
    folder, lines = command.cwd / f"memory-{calls}", LINES * calls

    def asking_mb(session: int) -> float:
        return largest_mb(session) if lines_of(folder) < lines else 0.0

    return watched(command, *arguments, memory_mb=asking_mb, every_s=0.1)
