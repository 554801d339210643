"""SPEC 9 `--budget`: no call starts once the money is spent, whoever spent it and in whichever run of the command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.metered import summed
from core.runs.budget import Budget
from core.runs.runner import CaseResult, Judged, run_cases
from core.runs.store import RunStore
from core.schemas.run import CaseKey, DropClass, JournalState
from core.schemas.usage import Usage
from tests.support.runs import player, run_file
from tests.support.scenes import minimal

CASES = run_file().cases
NAMES = [case.name for case in CASES]
DOLLAR = {"candidate": Usage(requests=1, cost_usd=1.0)}


def _begin(folder: Path) -> RunStore:
    return RunStore.begin(folder, run_file(), minimal())


def _started(store: RunStore) -> list[str]:
    return [line.case for line in store.journal() if line.state is JournalState.STARTED]


def _paid(store: RunStore, usage: Mapping[str, Usage], judge: Mapping[str, Usage] | None = None) -> list[CaseResult]:
    """Results of playing each case at a price."""
    play = player(store)
    return [CaseResult(c.name, trace_sha256=play(c).trace_sha256, usage=usage, judged=_judged(judge)) for c in CASES]


def _judged(usage: Mapping[str, Usage] | None) -> Judged | None:
    return None if usage is None else Judged("k", usage=usage)


@pytest.mark.parametrize(("limit", "starts"), [(0.5, 1), (1.0, 1), (1.5, 2), (2.0, 2), (9.0, 4)])
def test_no_call_starts_once_the_budget_is_spent(tmp_path: Path, limit: float, starts: int) -> None:
    """Calls at one dollar each: the one that reaches the budget is the last, and it is kept."""
    store = _begin(tmp_path / "run")
    paid = {result.case: result for result in _paid(RunStore.begin(tmp_path / "other", run_file(), minimal()), DOLLAR)}
    run_cases(store, CASES, lambda case: paid[case.name], budget=Budget(limit, {}))
    assert NAMES[:starts] == _started(store)
    assert starts == len(store.finished())


def test_what_was_spent_before_counts(tmp_path: Path) -> None:
    """Each reply's cost is kept as it is paid, so that a second command on the folder goes on counting."""
    store = _begin(tmp_path / "run")
    play = player(store)

    def work(case: CaseKey) -> CaseResult:
        store.spending.add("candidate", DOLLAR["candidate"])
        return CaseResult(case.name, trace_sha256=play(case).trace_sha256, usage=DOLLAR)

    run_cases(store, CASES, work, budget=Budget(1.0, {}))
    assert DOLLAR == store.spending.usage()
    again = _begin(tmp_path / "run")
    run_cases(again, CASES, work, budget=Budget(2.0, again.spending.usage()))
    assert NAMES[:2] == _started(again)
    run_cases(again, CASES, work, budget=Budget(2.0, again.spending.usage()))
    assert NAMES[:2] == _started(again)
    run_cases(again, CASES, work)
    assert (NAMES, 4.0) == (_started(again), again.spending.usage()["candidate"].cost_usd)


def test_drops_and_judging_cost_too(tmp_path: Path) -> None:
    """A case that was dropped, and a judge that failed, spent what they spent."""
    store = _begin(tmp_path / "run")
    play = player(store)

    def work(case: CaseKey) -> CaseResult:
        if case.name == NAMES[0]:
            return CaseResult(case.name, drop_class=DropClass.SIMULATION, reason="caller_invalid: x", usage=DOLLAR)
        judged = Judged("k", reason="judge: HTTP 503", usage={"judge": Usage(requests=2, cost_usd=0.5)})
        return CaseResult(case.name, trace_sha256=play(case).trace_sha256, judged=judged)

    run_cases(store, CASES, work, budget=Budget(1.5, {}))
    assert NAMES[:2] == _started(store)
    paid = summed(line.usage for line in store.journal())
    assert {"candidate": 1.0, "judge": 0.5} == {role: used.cost_usd for role, used in paid.items()}


def test_judging_again_waits_for_money_too(tmp_path: Path) -> None:
    """Where nothing is played there is no call that would be left half done."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES, player(store))
    asked: list[str] = []

    def work(case: CaseKey) -> CaseResult:
        asked.append(case.name)
        return CaseResult(case.name, judged=Judged("k", usage={"judge": Usage(cost_usd=1.0)}))

    run_cases(store, CASES, work, judge_key="k", budget=Budget(2.5, {"caller": Usage(cost_usd=1.0)}), judging_waits=True)
    assert NAMES[:2] == asked


def test_what_is_played_is_judged_whatever_it_costs(tmp_path: Path) -> None:
    """A spent budget starts no call, but a call that is played and not judged is not left without a grade."""
    store = _begin(tmp_path / "run")
    run_cases(store, CASES[:2], player(store))
    asked: list[str] = []

    def work(case: CaseKey) -> CaseResult:
        asked.append(case.name)
        return CaseResult(case.name, judged=Judged("k", usage={"judge": Usage(cost_usd=1.0)}))

    run_cases(store, CASES, work, judge_key="k", budget=Budget(0.5, {}))
    assert NAMES[:2] == asked


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_budget_without_prices_is_refused(tmp_path: Path, when: str) -> None:
    """A cost that is only a lower bound keeps no budget: one line says whose price is missing and how to give it."""
    unknown = {"judge": Usage(requests=3, unpriced=1)}
    why = "--budget 2: nobody knows what the judge costs: give it price_in and price_out"
    if when == "before":
        with pytest.raises(UsageError, match=why):
            Budget(2.0, unknown)
        return
    store = _begin(tmp_path / "run")
    work = lambda case: CaseResult(case.name, judged=Judged("k", usage=unknown))  # noqa: E731
    with pytest.raises(UsageError, match=why):
        run_cases(store, CASES, work, budget=Budget(2.0, {}))
    assert NAMES[:1] == _started(store)


@given(
    costs=st.lists(st.floats(0, 5), min_size=1, max_size=8),
    limit=st.floats(0.1, 20),
)
def test_a_budget_is_overspent_by_less_than_the_last_thing_it_bought(costs: list[float], limit: float) -> None:
    """Counted one by one: before the last thing was bought, something was left."""
    budget = Budget(limit, {})
    bought: list[float] = []
    for cost in costs:
        if budget.is_spent:
            break
        budget.add({"candidate": Usage(cost_usd=cost)})
        bought.append(cost)
    assert sum(bought[:-1]) < limit
    assert budget.spent_usd == sum(bought)
