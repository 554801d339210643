"""Working off the cases of a run: each is played, then graded, with a journal that survives a kill at any moment.

The two stages are apart: a case that is played and not graded is graded only, so that a judge that failed never repeats a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field

from core.errors import EXIT_INPUT, REFUSALS, InputError, OperatorError
from core.runs.budget import Budget
from core.runs.store import RunStore
from core.schemas.base import sha256
from core.schemas.run import CaseKey, DropClass, JournalLine, JournalState
from core.schemas.usage import Usage


@dataclass(frozen=True)
class Judged:
    """What became of a case before a judge."""

    judge_key: str
    """The judge's key."""
    reason: str = ""
    """Why no grade was made; empty where one was."""
    usage: Mapping[str, Usage] = field(default_factory=dict)
    """What the judge used; empty for a program."""


@dataclass(frozen=True)
class CaseResult:
    """What became of one case; plain values, so that it crosses processes."""

    case: str
    """Case name."""
    trace_sha256: str | None = None
    """Identity of the trace of a case that was played to its end now."""
    drop_class: DropClass | None = None
    """Whose fault, where it was dropped."""
    reason: str = ""
    """Why it was dropped, or why the run must stop."""
    stop_code: int | None = None
    """Exit code of an error that stops the run."""
    usage: Mapping[str, Usage] = field(default_factory=dict)
    """What caller and candidate used."""
    judged: Judged | None = None
    """What the judge did, if it was asked."""


Work = Callable[[CaseKey], CaseResult]
"""Plays one case unless it is played, grades it unless it is graded, and stores both; never raises for faults of the case."""


def run_cases(
    store: RunStore,
    cases: Iterable[CaseKey],
    work: Work,
    *,
    judge_key: str | None = None,
    executor: Executor | None = None,
    workers: int = 1,
    progress: Callable[[CaseResult], None] = lambda _result: None,
    budget: Budget | None = None,
    judging_waits: bool = False,
    again: bool = False,
) -> None:
    """Work off every case that is `unfinished`; what is played already and only has to be graded comes first.

    No call starts once the budget is spent, and what is played is graded all the same, unless `judging_waits` for more money,
    too. An error of the input or the machine stops the run: what is finished stays.
    """
    todo = _in_order(store, unfinished(store, cases, judge_key, again=again), budget, judging_waits)
    results = _inline(todo, work) if executor is None else _pooled(todo, work, executor, workers)
    for result in results:
        _log(store, result)
        if budget is not None:
            budget.add(result.usage)
            budget.add(result.judged.usage if result.judged else {})
        if result.stop_code is not None:
            raise (InputError if result.stop_code == EXIT_INPUT else OperatorError)(result.reason)
        progress(result)


def is_refused(line: JournalLine) -> bool:
    """Whether a case was dropped since an endpoint refuses what it was asked, and would again."""
    return line.drop_class is DropClass.INFRASTRUCTURE and line.reason.partition(":")[0] in REFUSALS


def stays_dropped(line: JournalLine, *, again: bool) -> bool:
    """Whether a dropped case is not played again; `again` says that refused ones are."""
    return line.drop_class is DropClass.SIMULATION or (is_refused(line) and not again)


def unfinished(store: RunStore, cases: Iterable[CaseKey], judge_key: str | None = None, *, again: bool = False) -> list[CaseKey]:
    """Cases that are not played, or not graded by a judge where one is named; what a kill kept out of the journal is added to it.

    Cases dropped for the simulation's sake stay dropped, since they would fail again, and so do refused ones unless they are
    asked for `again`; other cases dropped by the infrastructure are played again.
    """
    logged, dropped = store.finished(), store.dropped()
    todo = []
    for case in cases:
        if not store.has(case.name):
            if case.name not in dropped or not stays_dropped(dropped[case.name], again=again):
                todo.append(case)
            continue
        if case.name not in logged:
            data = (store.case_folder(case.name) / "trace.json").read_bytes()
            _log(store, CaseResult(case.name, trace_sha256=sha256(data), usage=store.timing(case.name).usage))
        if judge_key is not None and not store.is_graded(judge_key, case.name):
            todo.append(case)
    return todo


def _in_order(store: RunStore, cases: list[CaseKey], budget: Budget | None, judging_waits: bool) -> Iterator[CaseKey]:
    """What is played already, then what may still be played; a start in the journal is a true start."""
    to_play = []
    for case in cases:
        if not store.has(case.name):
            to_play.append(case)
        elif judging_waits and budget is not None and budget.is_spent:
            return
        else:
            yield case
    for case in to_play:
        if budget is not None and budget.is_spent:
            return
        store.log(JournalLine(case=case.name, state=JournalState.STARTED))
        yield case


def _log(store: RunStore, result: CaseResult) -> None:
    if result.trace_sha256 is not None:
        finished = JournalLine(
            case=result.case, state=JournalState.FINISHED, trace_sha256=result.trace_sha256, usage=dict(result.usage)
        )
        store.log(finished)
    elif result.drop_class is not None:
        dropped = JournalLine(
            case=result.case,
            state=JournalState.DROPPED,
            drop_class=result.drop_class,
            reason=result.reason,
            usage=dict(result.usage),
        )
        store.log(dropped)
    judged = result.judged
    if judged is not None and (judged.reason or judged.usage):
        state = JournalState.UNGRADED if judged.reason else JournalState.GRADED
        line = JournalLine(
            case=result.case, state=state, judge_key=judged.judge_key, reason=judged.reason, usage=dict(judged.usage)
        )
        store.log(line)


def _inline(todo: Iterator[CaseKey], work: Work) -> Iterator[CaseResult]:
    for case in todo:
        yield work(case)


def _pooled(todo: Iterator[CaseKey], work: Work, executor: Executor, workers: int) -> Iterator[CaseResult]:
    """Keep as many cases in flight as there are workers."""
    running: set[Future[CaseResult]] = set()
    try:
        while True:
            while len(running) < workers and (case := next(todo, None)) is not None:
                running.add(executor.submit(work, case))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise OperatorError("a worker process was killed, perhaps for lack of memory; run the same command to go on") from None
    finally:
        for future in running:
            future.cancel()
