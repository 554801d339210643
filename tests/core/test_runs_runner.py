"""SPEC 9: playing the cases of a run, in one process or several, so that a kill at any moment costs nothing finished."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from core.candidate import AgentDisconnected
from core.errors import (
    EXIT_INFRASTRUCTURE,
    EXIT_INPUT,
    ContextOverflowError,
    InputError,
    ModeratedError,
    OperatorError,
    ProviderError,
    RefusedError,
)
from core.files import write_atomic
from core.runs.play import Played, play_case
from core.runs.runner import CaseResult, Judged, run_cases
from core.runs.store import RunStore
from core.schemas.run import CaseKey, DropClass, JournalState
from core.schemas.usage import Usage
from tests.support.parties import GREETING, turn
from tests.support.runs import CODE, TIMING, parties, player, run_file
from tests.support.scenes import MINIMAL, minimal

ROOT = MINIMAL.parents[2]
CASES = run_file().cases
NAMES = [case.name for case in CASES]


def _begin(folder: Path) -> RunStore:
    return RunStore.begin(folder, run_file(), minimal())


def _states(store: RunStore) -> dict[str, list[str]]:
    states: dict[str, list[str]] = {}
    for line in store.journal():
        states.setdefault(line.case, []).append(line.state.value)
    return states


def _identities(store: RunStore) -> dict[str, str | None]:
    return {line.case: line.trace_sha256 for line in store.journal() if line.state is JournalState.FINISHED}


def _files(store: RunStore) -> dict[str, int]:
    return {path.parent.name: path.stat().st_ino for path in sorted(store.root.glob("cases/*/trace.json"))}


def _play_in_process(arguments: tuple[Path, CaseKey]) -> CaseResult:
    return player(RunStore(arguments[0]))(arguments[1])


class PlayThere:
    """Plays a case in whatever process it is sent to."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def __call__(self, case: CaseKey) -> CaseResult:
        return _play_in_process((self._root, case))


# -- one process or several --------------------------------------------------------------------------


def test_every_case_is_started_and_finished_in_order(tmp_path: Path) -> None:
    """In one process each case is played to its end before the next begins; the journal holds each trace's identity."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, player(store))
    assert [(name, state) for name in NAMES for state in ("started", "finished")] == [
        (line.case, line.state.value) for line in store.journal()
    ]
    assert {name: store.has(name) for name in NAMES} == dict.fromkeys(NAMES, True)


@pytest.mark.slow
def test_processes_and_one_process_give_the_same_run(tmp_path: Path) -> None:
    """The same states, the same traces byte for byte, whoever plays them and in whatever order they finish."""
    inline, pooled = _begin(tmp_path / "inline"), _begin(tmp_path / "pooled")
    run_cases(inline, CASES, player(inline))
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        run_cases(pooled, CASES, PlayThere(pooled.root), executor=pool, workers=2)
    assert _states(inline) == _states(pooled)
    assert _identities(inline) == _identities(pooled)


def test_no_more_cases_are_started_than_there_are_workers(tmp_path: Path) -> None:
    """A start in the journal is a true start: at any line at most two cases are open."""
    store = _begin(tmp_path / "run")
    with ThreadPoolExecutor(2) as pool:
        run_cases(store, CASES, player(store), executor=pool, workers=2)
    opened: set[str] = set()
    for line in store.journal():
        opened = opened | {line.case} if line.state is JournalState.STARTED else opened - {line.case}
        assert len(opened) <= 2
    assert set() == opened


def test_progress_is_told_of_each_result_once(tmp_path: Path) -> None:
    """Finished and dropped cases alike, after they are in the journal."""
    store = _begin(tmp_path / "run")
    told: list[tuple[str, int]] = []
    run_cases(store, CASES, player(store), progress=lambda result: told.append((result.case, len(store.journal()))))
    assert [(name, 2 * number) for number, name in enumerate(NAMES, 1)] == told


# -- going on --------------------------------------------------------------------------


def _never(case: CaseKey) -> CaseResult:
    raise AssertionError(f"{case.name} is finished")


def test_finished_cases_are_not_played_again(tmp_path: Path) -> None:
    """A second run on the same folder plays nothing and changes nothing."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, player(store))
    before, journal = _files(store), store.journal()
    again = _begin(tmp_path / "run")
    run_cases(again, CASES, _never)
    assert (before, journal) == (_files(again), again.journal())


def test_a_case_saved_but_not_logged_is_logged_on_resuming(tmp_path: Path) -> None:
    """A kill between the rename and the journal line costs nothing."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, player(store))
    identities, before = _identities(store), _files(store)
    lines = (store.root / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (store.root / "journal.jsonl").write_bytes(b"".join(lines[:-1]))
    again = _begin(tmp_path / "run")
    run_cases(again, CASES, _never)
    assert (identities, before) == (_identities(again), _files(again))


def _failing_once(store: RunStore, error: str | Exception) -> Callable[[CaseKey], CaseResult]:
    bad = player(store, parties(replies=[error]))
    good = player(store)
    return lambda case: (bad if case.name == NAMES[1] else good)(case)


def test_a_case_dropped_for_the_simulations_sake_stays_dropped(tmp_path: Path) -> None:
    """It would fail the same way again."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, _failing_once(store, "no JSON"))
    assert {NAMES[1]: DropClass.SIMULATION} == {name: line.drop_class for name, line in store.dropped().items()}
    run_cases(_begin(tmp_path / "run"), CASES, _never)
    assert ["started", "dropped"] == _states(store)[NAMES[1]]


def test_a_case_dropped_by_the_infrastructure_is_played_again(tmp_path: Path) -> None:
    """What failed may work the next time, and then the case is no longer dropped."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, _failing_once(store, ProviderError("HTTP 503")))
    assert {NAMES[1]: "provider: HTTP 503"} == {name: line.reason for name, line in store.dropped().items()}
    again = _begin(tmp_path / "run")
    run_cases(again, CASES, player(again))
    assert ["started", "dropped", "started", "finished"] == _states(again)[NAMES[1]]
    assert {} == again.dropped()


@pytest.mark.parametrize("error", [RefusedError("400: no"), ModeratedError("not that"), ContextOverflowError("too long")])
def test_a_call_that_an_endpoint_refuses_is_played_again_only_where_that_is_asked_for(
    tmp_path: Path, error: RefusedError
) -> None:
    """The same request would be refused again; it is the infrastructure's all the same, by a word of its own."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, _failing_once(store, error))
    (line,) = store.dropped().values()
    assert (DropClass.INFRASTRUCTURE, f"{error.word}: {error}") == (line.drop_class, line.reason)
    run_cases(_begin(tmp_path / "run"), CASES, _never)
    again = _begin(tmp_path / "run")
    run_cases(again, CASES, player(again), again=True)
    assert ["started", "dropped", "started", "finished"] == _states(again)[NAMES[1]]


def test_a_drop_does_not_stop_the_run_nor_does_an_agents_fault(tmp_path: Path) -> None:
    """The other cases are played; an agent that disconnects leaves a finished case."""
    store = _begin(tmp_path / "run")
    gone = player(store, parties(turns=[turn(GREETING), AgentDisconnected("gone")]))
    dropped = player(store, parties(replies=["no JSON"]))
    run_cases(store, CASES, lambda case: (gone if case.name == NAMES[0] else dropped)(case))
    assert {NAMES[0]} == set(_identities(store))
    assert set(NAMES[1:]) == set(store.dropped())


# -- two stages ---------------------------------------------------------------------------


class Judging:
    """Plays as `player` does and pretends to judge; some cases fail before the judge as long as it is `broken`."""

    def __init__(self, store: RunStore, broken: Collection[str] = ()) -> None:
        self.store = store
        self.broken = set(broken)
        self.played: list[str] = []
        self._play = player(store)

    def __call__(self, case: CaseKey) -> CaseResult:
        result = CaseResult(case.name)
        if not self.store.has(case.name):
            self.played.append(case.name)
            result = self._play(case)
        if case.name in self.broken:
            return replace(result, judged=Judged("k", reason="judge: HTTP 503", usage={"judge": Usage(cost_usd=0.5)}))
        write_atomic(self.store.grade_path("k", case.name), b"{}")
        return replace(result, judged=Judged("k"))


def test_a_judgement_that_failed_never_repeats_a_call(tmp_path: Path) -> None:
    """The case is finished and ungraded with its reason; the next run judges it and nothing else, and starts no call."""
    store = _begin(tmp_path / "run")
    work = Judging(store, broken=NAMES[1:2])
    run_cases(store, CASES, work, judge_key="k")
    assert ["started", "finished", "ungraded"] == _states(store)[NAMES[1]]
    assert ["started", "finished"] == _states(store)[NAMES[0]]
    assert {NAMES[1]: "judge: HTTP 503"} == store.unjudged("k")
    assert NAMES == work.played
    before = _files(store)
    again = Judging(_begin(tmp_path / "run"))
    run_cases(again.store, CASES, again, judge_key="k")
    assert ([], before, {}) == (again.played, _files(store), again.store.unjudged("k"))
    assert ["started", "finished", "ungraded"] == _states(store)[NAMES[1]]


def test_a_judge_that_was_paid_leaves_a_line_and_a_program_none(tmp_path: Path) -> None:
    """The journal says what each judgement cost; what is free can begin anew and is not told."""
    store = _begin(tmp_path / "run")
    paid = Judged("k", usage={"judge": Usage(requests=2, cost_usd=0.25)})
    run_cases(store, CASES[:1], lambda case: CaseResult(case.name, judged=paid))
    run_cases(store, CASES[1:2], lambda case: CaseResult(case.name, judged=Judged("k")))
    assert (["started", "graded"], ["started"]) == (_states(store)[NAMES[0]], _states(store)[NAMES[1]])
    assert [paid.usage] == [line.usage for line in store.journal() if line.usage]


def test_another_judges_failure_is_not_this_ones(tmp_path: Path) -> None:
    """Reasons belong to the judge that failed; one that was never asked is told as such."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, Judging(store, broken=NAMES[:1]), judge_key="k")
    assert dict.fromkeys(NAMES, "not_judged: nobody asked this judge yet") == store.unjudged("other")


def test_what_a_kill_kept_out_of_the_journal_is_counted_from_the_case(tmp_path: Path) -> None:
    """A case that was saved and not logged brings what it cost with it."""
    store = _begin(tmp_path / "run")
    used = {"caller": Usage(requests=3, cost_usd=0.75)}
    played = play_case(CASES[0], minimal(), parties(), 7, CODE)
    assert isinstance(played, Played)
    store.save_case(NAMES[0], played.trace, played.line, TIMING.model_copy(update={"usage": used}))
    run_cases(store, CASES[:1], _never)
    assert [(used, "finished")] == [(line.usage, line.state) for line in store.journal()]


def test_an_error_after_the_call_keeps_the_call(tmp_path: Path) -> None:
    """A judge without a key stops the run, but the call before it is finished, logged and paid for."""
    store = _begin(tmp_path / "run")
    play = player(store)

    def work(case: CaseKey) -> CaseResult:
        return replace(play(case), reason="key refused", stop_code=EXIT_INFRASTRUCTURE)

    with pytest.raises(OperatorError, match="key refused"):
        run_cases(store, CASES, work)
    assert {NAMES[0]: ["started", "finished"]} == _states(store)


# -- stopping --------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "error"), [(EXIT_INPUT, InputError), (EXIT_INFRASTRUCTURE, OperatorError)])
@pytest.mark.parametrize("workers", [0, 2])
def test_an_error_of_the_input_or_the_machine_stops_the_run(
    tmp_path: Path, code: int, error: type[Exception], workers: int
) -> None:
    """It is raised as what it was; finished cases stay, and the case itself is neither finished nor dropped."""
    store = _begin(tmp_path / "run")
    good = player(store)

    def play(case: CaseKey) -> CaseResult:
        return CaseResult(case.name, reason="key refused", stop_code=code) if case.name == NAMES[1] else good(case)

    executor: Executor | None = ThreadPoolExecutor(workers) if workers else None
    with pytest.raises(error, match="key refused"):
        run_cases(store, CASES, play, executor=executor, workers=workers or 1)
    if executor is not None:
        executor.shutdown()
    assert ["started"] == _states(store)[NAMES[1]]
    again = _begin(tmp_path / "run")
    run_cases(again, CASES, player(again))
    assert set(NAMES) == set(_identities(again))


def _die(case: CaseKey) -> CaseResult:
    del case
    os._exit(9)


@pytest.mark.slow
def test_a_worker_that_is_killed_stops_the_run_with_one_line(tmp_path: Path) -> None:
    """The operating system may kill a process for its memory: that is no drop, and the run can go on."""
    store = _begin(tmp_path / "run")
    with (
        pytest.raises(
            OperatorError, match="a worker process was killed, perhaps for lack of memory; run the same command to go on"
        ),
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
    ):
        run_cases(store, CASES, _die, executor=pool)
    assert {} == store.dropped()
    run_cases(store, CASES, player(store))
    assert set(NAMES) == set(_identities(store))


KILLED = """
import os, signal, sys
from pathlib import Path
from core.runs.runner import run_cases
from core.runs.store import RunStore
from tests.support.runs import player, run_file
from tests.support.scenes import minimal

store = RunStore.begin(Path(sys.argv[1]), run_file(), minimal())
left = [int(sys.argv[2])]
log = store.log

def log_and_die(line):
    log(line)
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)

store.log = log_and_die
run_cases(store, run_file().cases, player(store))
"""


@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 2, 3, 6, 7])
def test_a_run_killed_after_any_journal_line_ends_like_an_undisturbed_one(tmp_path: Path, lines: int) -> None:
    """kill -9 after k lines, then the same run again: the same traces, and those already finished keep their inode."""
    undisturbed = _begin(tmp_path / "whole")
    run_cases(undisturbed, CASES, player(undisturbed))
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "run"), str(lines)], cwd=ROOT, check=False)
    assert -signal.SIGKILL == done.returncode
    before = _files(RunStore(tmp_path / "run"))
    assert lines // 2 == len(before)
    again = _begin(tmp_path / "run")
    run_cases(again, CASES, player(again))
    assert _identities(undisturbed) == _identities(again)
    assert before == {name: _files(again)[name] for name in before}
