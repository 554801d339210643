"""A run of any size is summarised call by call: nothing holds all traces at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from weakref import ref

from core.grading.grade import grade_trace
from core.runs.runner import run_cases
from core.runs.store import RunStore
from core.runs.summary import GradedCase, summarise
from core.schemas.call_trace import Trace
from models.parties.rules import RulesJudge
from tests.support.runs import player, run_file
from tests.support.scenes import minimal


def test_a_summary_lets_go_of_each_call_before_it_reads_the_one_after_the_next(tmp_path: Path) -> None:
    """Whatever it keeps of a call is small: of eight traces two are there at a time, the last one and the one being read."""
    run = run_file(judge=RulesJudge().record(), repeats=2, cases=[
        key.model_copy(update={"repeat": repeat}) for key in run_file().cases for repeat in range(2)
    ])  # fmt: skip
    store = RunStore.begin(tmp_path / "run", run, minimal())
    run_cases(store, run.cases, player(store))
    seen: list[ref[Trace]] = []
    alive: list[int] = []

    def cases() -> Iterator[GradedCase]:
        for key in run.cases:
            trace = store.trace(key.name)
            seen.append(ref(trace))
            alive.append(sum(one() is not None for one in seen))
            case = GradedCase(key.name, trace, grade_trace(trace, minimal(), RulesJudge()))
            del trace
            yield case
            del case

    summary = summarise(run, minimal(), RulesJudge().record(), cases(), {}, tagged=False)
    assert 8 == len(summary.cases)
    assert [1, 2, 2, 2, 2, 2, 2, 2] == alive
