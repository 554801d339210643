"""The worker processes of a run: each builds its parties and lines once, then plays and stores cases.

Everything they need arrives as plain values, so they start by `spawn` with no state of the parent. They end with the
parent, however it ends, and leave the terminal to it.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import ParamSpec, TypeVar

from core.errors import RingbackError
from core.runs.play import Dropped, Parties, play_case
from core.runs.runner import CaseResult
from core.runs.store import RunStore
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion
from core.schemas.run import CaseKey, Timing
from gateway import logs
from gateway.lines import LineSettings, make_lines
from gateway.parties import make_caller, make_candidate
from gateway.settings import prefer_huge_pages

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True)
class WorkerPlan:
    """What a worker must know."""

    root: Path
    """The run's folder."""
    caller: str
    """Caller party."""
    candidate: str
    """Candidate party."""
    conditions: tuple[Condition, ...]
    """Conditions of the run."""
    lines: LineSettings
    """How lines are made."""
    seed: int
    """The run's seed."""
    code: CodeVersion
    """The code that runs."""
    log_level: int
    """How much is logged."""


class Worker:
    """Plays cases of one run."""

    def __init__(self, plan: WorkerPlan) -> None:
        self._plan = plan
        self._store = RunStore(plan.root)
        self._bundle = self._store.bundle()
        self._parties = Parties(
            caller=make_caller(plan.caller),
            candidate=make_candidate(plan.candidate),
            lines=make_lines(plan.conditions, plan.lines),
        )

    def play(self, case: CaseKey) -> CaseResult:
        """Play and store one case; errors of the input or the machine become a result that stops the run."""
        started = time.time()
        try:
            played = play_case(case, self._bundle, self._parties, self._plan.seed, self._plan.code)
            if isinstance(played, Dropped):
                return CaseResult(case.name, drop_class=played.drop_class, reason=played.reason)
            finished = time.time()
            timing = Timing(
                started_s=round(started, 3),
                seconds=round(finished - started, 3),
                host=platform.node(),
                python=platform.python_version(),
            )
            return CaseResult(case.name, trace_sha256=self._store.save_case(case.name, played.trace, played.line, timing))
        except RingbackError as error:
            return CaseResult(case.name, reason=str(error), stop_code=error.exit_code)


class Pool(ProcessPoolExecutor):
    """Worker processes for one plan."""

    def __init__(self, plan: WorkerPlan, processes: int) -> None:
        prefer_huge_pages()
        with _later_interrupts():
            super().__init__(processes, multiprocessing.get_context("spawn"), _start, (plan,))

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand out work, and start a process for it where there is none."""
        with _later_interrupts():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _later_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait until a process has been started. That process inherits the blocked signal, so its imports are safe too."""
    met: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _frame: met.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a library's thread may take the signal all the same
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, usual)
    if met:
        raise KeyboardInterrupt


_worker: Worker | None = None


def play(case: CaseKey) -> CaseResult:
    """Play a case in a started worker process."""
    if _worker is None:
        raise AssertionError("the worker was not started")
    return _worker.play(case)


def _start(plan: WorkerPlan) -> None:
    """Prepare this process for its cases; engines wait for the first one that sounds."""
    global _worker  # noqa: PLW0603  # a process pool offers no other place for per-process state
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logs.configure(plan.log_level)
    _worker = Worker(plan)


def _end_with_parent() -> None:
    """A pool's process does not notice that its parent was killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
