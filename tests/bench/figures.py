"""A measured number with its meaning, and how CPU seconds are counted."""

from __future__ import annotations

import resource
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured number."""

    name: str
    """What was measured."""
    value: str
    """The number with its unit."""
    meaning: str
    """What it says, in one line."""

    def __str__(self) -> str:
        return f"{self.name:34} {self.value:>16}  {self.meaning}"


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of the processes that `work` starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
