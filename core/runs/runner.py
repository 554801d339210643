"""Running the cases of a run, in one process or several, with a journal that survives a kill at any moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from core.errors import EXIT_INPUT, InputError, OperatorError
from core.runs.store import RunStore
from core.schemas.base import sha256
from core.schemas.run import CaseKey, DropClass, JournalLine, JournalState


@dataclass(frozen=True)
class CaseResult:
    """What became of one case; plain values, so that it crosses processes."""

    case: str
    """Case name."""
    trace_sha256: str | None = None
    """Identity of the trace of a finished case."""
    drop_class: DropClass | None = None
    """Whose fault, where it was dropped."""
    reason: str = ""
    """Why it was dropped, or why the run must stop."""
    stop_code: int | None = None
    """Exit code of an error that stops the run."""


Play = Callable[[CaseKey], CaseResult]
"""Plays one case and stores it; never raises for faults of the case."""


def run_cases(
    store: RunStore,
    cases: Iterable[CaseKey],
    play: Play,
    *,
    executor: Executor | None = None,
    workers: int = 1,
    progress: Callable[[CaseResult], None] = lambda _result: None,
) -> None:
    """Play every case that is not finished yet.

    Cases dropped for the simulation's sake stay dropped, since they would fail again; cases dropped by the
    infrastructure are played again. An error of the input or the machine stops the run: what is finished stays.
    """
    todo = _unfinished(store, cases)
    results = _inline(store, todo, play) if executor is None else _pooled(store, todo, play, executor, workers)
    for result in results:
        if result.stop_code is not None:
            raise (InputError if result.stop_code == EXIT_INPUT else OperatorError)(result.reason)
        _log(store, result)
        progress(result)


def _unfinished(store: RunStore, cases: Iterable[CaseKey]) -> list[CaseKey]:
    logged = {line.case for line in store.journal() if line.state is JournalState.FINISHED}
    dropped = store.dropped()
    todo = []
    for case in cases:
        if store.has(case.name):
            if case.name not in logged:
                data = (store.case_folder(case.name) / "trace.json").read_bytes()
                _log(store, CaseResult(case.name, trace_sha256=sha256(data)))
        elif case.name in dropped and dropped[case.name].drop_class is DropClass.SIMULATION:
            continue
        else:
            todo.append(case)
    return todo


def _start(store: RunStore, case: CaseKey) -> None:
    store.log(JournalLine(case=case.name, state=JournalState.STARTED))


def _log(store: RunStore, result: CaseResult) -> None:
    state = JournalState.FINISHED if result.trace_sha256 else JournalState.DROPPED
    store.log(
        JournalLine(
            case=result.case,
            state=state,
            drop_class=result.drop_class,
            reason=result.reason,
            trace_sha256=result.trace_sha256,
        )
    )


def _inline(store: RunStore, todo: list[CaseKey], play: Play) -> Iterator[CaseResult]:
    for case in todo:
        _start(store, case)
        yield play(case)


def _pooled(store: RunStore, todo: list[CaseKey], play: Play, executor: Executor, workers: int) -> Iterator[CaseResult]:
    """Keep as many cases in flight as there are workers, so that the journal's starts are true starts."""
    waiting = iter(todo)
    running: set[Future[CaseResult]] = set()
    try:
        while True:
            while len(running) < workers and (case := next(waiting, None)) is not None:
                _start(store, case)
                running.add(executor.submit(play, case))
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
