"""Who works off the cases of a run: plays each, grades it, and stores both.

Everything a worker needs arrives as plain values, so that worker processes start by `spawn` with no state of the parent. Threads
share one worker: it makes fresh parties for every attempt at a call, and a judge for every thread.
"""

from __future__ import annotations

import platform
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from core.bundle import Bundle
from core.errors import ProviderError, RefusedError, RingbackError
from core.grading.grade import grade_trace, judge_key
from core.grading.judges import Judge
from core.metered import usage_by_role
from core.own_thread import LIMIT_S
from core.runs.play import Dropped, Parties, play_case
from core.runs.runner import CaseResult, Judged
from core.runs.store import RunStore
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion
from core.schemas.run import CaseKey, Timing
from core.schemas.usage import Usage
from gateway.lines import LineSettings, make_lines
from gateway.parties import make_caller, make_candidate, make_judge
from gateway.user_backends import BundlePrograms
from gateway.version import code_version


@dataclass(frozen=True)
class WorkerPlan:
    """What a worker that plays and grades must know."""

    root: Path
    """The run's folder."""
    caller: str
    """Caller party."""
    candidate: str
    """Candidate party."""
    judge: str
    """Judge party."""
    conditions: tuple[Condition, ...]
    """Conditions of the run."""
    lines: LineSettings
    """How lines are made."""
    seed: int
    """The run's seed."""
    code: CodeVersion
    """The code that runs."""
    allow_code: bool = False
    """Whether code of the bundle may run."""
    turn_timeout_s: float = LIMIT_S
    """Seconds that a user's code may take for a turn or a tool's answer."""


class Grader:
    """Grades finished cases of one run, from any number of threads."""

    def __init__(self, store: RunStore, bundle: Bundle, judge: str) -> None:
        self._store = store
        self._bundle = bundle
        self._judge = judge
        self._own = threading.local()

    def work(self, case: CaseKey) -> CaseResult:
        """Grade one finished case; errors of the input or the machine become a result that stops the run."""
        try:
            return CaseResult(case.name, judged=self.judged(case))
        except RingbackError as error:
            return CaseResult(case.name, reason=str(error), stop_code=error.exit_code)

    def judged(self, case: CaseKey) -> Judged:
        """Grade one finished case and store the grade; a judge that fails is told, other errors are raised."""
        judge = self._own_judge()
        key = judge_key(judge.record())
        before = usage_by_role({"judge": judge})
        reason = ""
        try:
            self._store.save_grade(grade_trace(self._store.trace(case.name), self._bundle, judge, code_version()), case.name)
        except RefusedError as error:
            reason = f"{error.word}: {error}"
        except ProviderError as error:
            reason = f"judge: {error}"
        used = {role: now.since(before[role]) for role, now in usage_by_role({"judge": judge}).items()}
        return Judged(key, reason, {role: each for role, each in used.items() if each != Usage()})

    def _own_judge(self) -> Judge:
        """This thread's judge."""
        if not hasattr(self._own, "judge"):
            judge = make_judge(self._judge)
            self._own.judge = self._store.spending.of("judge", judge, judge_key(judge.record()))
        made: Judge = self._own.judge
        return made


class Worker:
    """Plays and grades cases of one run, from any number of threads."""

    def __init__(self, plan: WorkerPlan) -> None:
        self._plan = plan
        self._store = RunStore(plan.root)
        self._bundle = self._store.bundle()
        self._grader = Grader(self._store, self._bundle, plan.judge)
        caller, spending = make_caller(plan.caller), self._store.spending
        candidate = make_candidate(plan.candidate, plan.turn_timeout_s)
        self._parties = Parties(
            caller=lambda scenario: spending.of("caller", caller(scenario)),
            candidate=lambda scenario: spending.of("candidate", candidate(scenario)),
            lines=make_lines(plan.conditions, plan.lines),
            backend=BundlePrograms(self._bundle, allowed=plan.allow_code, limit_s=plan.turn_timeout_s).backend,
        )

    def work(self, case: CaseKey) -> CaseResult:
        """Play a case unless it is played, then grade it; errors of input or machine become a result that stops the run."""
        result = CaseResult(case.name)
        try:
            if not self._store.has(case.name):
                result = self._played(case)
            return result if result.drop_class else replace(result, judged=self._grader.judged(case))
        except RingbackError as error:
            return replace(result, reason=str(error), stop_code=error.exit_code)

    def _played(self, case: CaseKey) -> CaseResult:
        started = time.time()
        played = play_case(case, self._bundle, self._parties, self._plan.seed, self._plan.code)
        if isinstance(played, Dropped):
            return CaseResult(case.name, drop_class=played.drop_class, reason=played.reason, usage=played.usage)
        finished = time.time()
        timing = Timing(
            started_s=round(started, 3),
            seconds=round(finished - started, 3),
            host=platform.node(),
            python=platform.python_version(),
            usage=dict(played.usage),
        )
        identity = self._store.save_case(case.name, played.trace, played.line, timing)
        return CaseResult(case.name, trace_sha256=identity, usage=played.usage)


_worker: Worker | None = None


def work(case: CaseKey) -> CaseResult:
    """Work off a case in a started worker process."""
    if _worker is None:
        raise AssertionError("the worker was not started")
    return _worker.work(case)


def prepare(plan: WorkerPlan) -> None:
    """Make this process ready for its cases; engines wait for the first one that sounds."""
    global _worker  # noqa: PLW0603  # a process pool offers no other place for per-process state
    _worker = Worker(plan)
