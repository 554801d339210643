"""What a command takes, watched from outside while it runs: time, CPU and memory of all its processes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import cpu_seconds
from tests.support.command import Command


@dataclass(frozen=True)
class Cost:
    """What a command took."""

    wall_s: float
    """Seconds on the wall clock."""
    cpu_s: float
    """CPU seconds of all its processes."""
    memory_mb: float
    """Most memory, in MB, counted as the caller chose."""


def watched(command: Command, *arguments: str, memory_mb: Callable[[int], float], every_s: float) -> Cost:
    """Run a command that must end well; `memory_mb` tells the MB that a session of processes holds, asked every `every_s`."""
    most = 0.0

    def watch(session: int, done: threading.Event) -> None:
        nonlocal most
        while not done.wait(every_s):
            most = max(most, memory_mb(session))

    def work() -> None:
        with command.start(*arguments) as process:
            done = threading.Event()
            watcher = threading.Thread(target=watch, args=(process.pid, done))
            watcher.start()
            _, err = process.communicate()
            done.set()
            watcher.join()
            assert (0, "") == (process.returncode, err)

    begin = time.perf_counter()
    cpu_s = cpu_seconds(work)
    return Cost(time.perf_counter() - begin, cpu_s, most)


def together_mb(session: int) -> float:
    """What all processes of a session hold now, pages they share counted once."""
    return sum(_held(session, "smaps_rollup", "Pss:")) / 1000


def largest_mb(session: int) -> float:
    """The most that any one process of a session has held so far."""
    return max(_held(session, "status", "VmHWM:"), default=0) / 1000


def _held(session: int, file: str, field: str) -> Iterator[int]:
    """A field of each process of a session, in kB."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) != session:
                continue
            lines = (folder / file).read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            continue  # it ended meanwhile
        yield from (int(line.split()[1]) for line in lines if line.startswith(field))
