"""The worker processes of a run: each builds its parties and lines once, then plays and stores cases.

Everything they need arrives as plain values, so they start by `spawn` with no state of the parent.
"""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass
from pathlib import Path

from core.errors import RingbackError
from core.runs.play import Dropped, Parties, play_case
from core.runs.runner import CaseResult
from core.runs.store import RunStore
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion
from core.schemas.run import CaseKey, Timing
from gateway.lines import LineSettings, make_lines
from gateway.parties import make_caller, make_candidate


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


_worker: Worker | None = None


def play(case: CaseKey) -> CaseResult:
    """Play a case in a started worker process."""
    if _worker is None:
        raise AssertionError("the worker was not started")
    return _worker.play(case)


def prepare(plan: WorkerPlan) -> None:
    """Make this process ready for its cases; engines wait for the first one that sounds."""
    global _worker  # noqa: PLW0603  # a process pool offers no other place for per-process state
    _worker = Worker(plan)
