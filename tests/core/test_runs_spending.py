"""`spending.jsonl`: every reply is counted once, as it was paid, whatever became of the call that it was for."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from core.grading.panel import Panel
from core.metered import Meter, Told
from core.runs.spending import Spending
from core.runs.store import RunStore
from core.schemas.usage import Usage
from tests.support.parties import ListCaller
from tests.support.runs import run_file
from tests.support.scenes import minimal

CENT = Usage(requests=1, prompt_tokens=100, cost_usd=0.01)
CACHED = Usage(cached=1)


def _spending(folder: Path) -> Spending:
    return RunStore.begin(folder / "run", run_file(), minimal()).spending


class Paid:
    """A judge that uses a cent for whatever it is asked."""

    def __init__(self) -> None:
        self._meter = Meter()

    def usage(self) -> Usage:
        """What was used."""
        return self._meter.total()

    def tell(self, told: Told) -> None:
        """Tell of it."""
        self._meter.tell(told)

    def ask(self) -> None:
        """Use a cent."""
        self._meter.add(CENT)


@given(st.lists(st.tuples(st.sampled_from(["caller", "candidate", "judge"]), st.sampled_from([CENT, CACHED])), max_size=9))
def test_the_sum_of_what_was_told_is_what_was_used(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, Usage]]
) -> None:
    """By role, cached replies beside paid ones."""
    spending = Spending(tmp_path_factory.mktemp("run") / "spending.jsonl")
    for role, used in lines:
        spending.add(role, used)
    assert {role for role, _ in lines} == spending.usage().keys()
    for role, total in spending.usage().items():
        own = [used for its, used in lines if its == role]
        assert (own.count(CENT), own.count(CACHED)) == (total.requests, total.cached)
        assert total.cost_usd == pytest.approx(0.01 * own.count(CENT))


def test_a_run_without_models_has_no_such_file(tmp_path: Path) -> None:
    """Programs tell nothing, and nothing is unknown."""
    spending = _spending(tmp_path)
    caller = ListCaller([])
    assert caller is spending.of("caller", caller)
    assert ({}, 0, False) == (spending.usage(), spending.cuts(), spending.path.exists())


def test_a_reply_is_counted_though_its_call_never_ends(tmp_path: Path) -> None:
    """An error leaves the replies before it counted, and one begin without an end: what was under way is not known."""
    spending = _spending(tmp_path)
    judge = spending.of("judge", Paid())
    with spending.working():
        judge.ask()
    assert 0 == spending.cuts()

    def stopped() -> None:
        with spending.working():
            judge.ask()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    again = _spending(tmp_path)
    with again.working():
        again.of("judge", Paid()).ask()
    assert ({"judge": 3}, 1) == ({role: used.requests for role, used in again.usage().items()}, again.cuts())


def test_a_member_of_a_panel_tells_once_however_often_it_votes(tmp_path: Path) -> None:
    """Members that are programs tell nothing."""
    spending, member = _spending(tmp_path), Paid()
    spending.of("judge", Panel([member, member, object()]))  # type: ignore[list-item]  # who is only metered never judges
    member.ask()
    assert {"judge": CENT} == spending.usage()


def _pay(path: Path, times: int) -> None:
    for _ in range(times):
        Spending(path).add("caller", CENT)


def test_processes_share_the_file(tmp_path: Path) -> None:
    """No line is lost or torn where several write at once."""
    path = tmp_path / "spending.jsonl"
    workers = [multiprocessing.get_context("fork").Process(target=_pay, args=(path, 200)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert 600 == Spending(path).usage()["caller"].requests


def test_a_torn_line_is_cut_and_a_foreign_one_refused(tmp_path: Path) -> None:
    """A kill in the middle of a line loses that line alone; what is no line of ours is told with its number."""
    spending = _spending(tmp_path)
    spending.add("judge", CENT)
    with spending.path.open("ab") as handle:
        handle.write(b'{"format":"ringback-spen')
    assert {"judge": CENT} == spending.usage()
    again = _spending(tmp_path)
    again.add("judge", CENT)
    assert 2 == again.usage()["judge"].requests
    with again.path.open("ab") as handle:
        handle.write(b"nonsense\n")
    with pytest.raises(FileError, match=r"spending.jsonl: line 3 is no line of spending: b'nonsense'"):
        again.usage()
