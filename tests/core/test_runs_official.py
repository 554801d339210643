"""A run is official only where the whole bundle was played and graded by one released version of the code; else every reason."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pytest

from core.bundle import Bundle
from core.runs.official import unofficial
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion
from core.schemas.run import CaseKey, DropClass, JournalLine, JournalState
from tests.core.grading_samples import scenario
from tests.core.test_summary import _bundle, _run

CODE = CodeVersion(version="1.2.3", commit="abc", dirty=False, tag="v1.2.3")
OTHER = CODE.model_copy(update={"commit": "abd"})
CONDITIONS = (Condition.TEXT, Condition.ASR)
ALL = [CaseKey(scenario=name, condition=how, repeat=number) for name in ("s", "t") for how in CONDITIONS for number in range(2)]


def _two_scenarios(repeats: int = 1, *, second_active: bool = True) -> Bundle:
    made = _bundle(scenario(id="s", agent="larkfield"), scenario(id="t", agent="swiftlane"))
    second = made.agents["swiftlane"].model_copy(update={"active": second_active})
    file = made.file.model_copy(update={"official_repeats": repeats})
    return replace(made, agents={**made.agents, "swiftlane": second}, file=file)


def _reasons(
    keys: Sequence[CaseKey] = ALL,
    bundle: Bundle | None = None,
    *,
    done: Sequence[CaseKey] | None = None,
    dropped: dict[str, JournalLine] | None = None,
    played_by: Collection[CodeVersion] = (CODE,),
    graded_by: Collection[CodeVersion | None] = (CODE,),
    **fields: Any,
) -> list[str]:
    run = _run(*keys, **{"repeats": 2, "code": CODE, **fields})
    names = {key.name for key in (keys if done is None else done)} - (dropped or {}).keys()
    bundle = bundle or _two_scenarios()
    tagged = run.code.is_release
    return list(unofficial(run, bundle, names, dropped or {}, played_by=played_by, graded_by=graded_by, tagged=tagged))


def _lost(key: CaseKey, drop_class: DropClass) -> dict[str, JournalLine]:
    return {key.name: JournalLine(case=key.name, state=JournalState.DROPPED, drop_class=drop_class, reason="x: y")}


def test_all_of_a_bundle_by_one_released_version_is_official() -> None:
    """Every scenario, every repeat, under every condition of the run; what the simulation lost would be lost again."""
    assert [] == _reasons()
    assert [] == _reasons(dropped=_lost(ALL[0], DropClass.SIMULATION))
    assert [] == _reasons(bundle=_two_scenarios(2))


def test_agents_that_runs_leave_out_need_no_calls() -> None:
    """Scenarios of an agent that is not active are none that a run declares."""
    assert [] == _reasons(ALL[:4], _two_scenarios(second_active=False))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (
            ALL[:4],
            [
                "text: only 1 of the bundle's 2 scenarios were to be called",
                "asr: only 1 of the bundle's 2 scenarios were to be called",
            ],
        ),
        (ALL[:6], ["asr: only 1 of the bundle's 2 scenarios were to be called"]),
        (ALL[:7], ["asr: only 1 of the bundle's 2 scenarios were to be called"]),
    ],
)
def test_a_selection_is_not_official(keys: list[CaseKey], expected: list[str]) -> None:
    """Hand-picked scenarios, conditions that lack some, and scenarios that lack a repeat."""
    assert expected == _reasons(keys)


def test_a_bundle_may_want_more_repeats() -> None:
    """Fewer than it declares is a reason."""
    assert ["each scenario was to be called 2 times, and the bundle wants 3"] == _reasons(bundle=_two_scenarios(3))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ({"tag": None}, "the commit does not carry the tag of its version, v1.2.3"),
        ({"tag": "wip"}, "the commit does not carry the tag of its version, v1.2.3"),
        ({"dirty": True}, "the working tree has uncommitted changes"),
        ({"dirty": None}, "the working tree has uncommitted changes"),
        ({"commit": None}, "the code did not run from a checkout"),
    ],
)
def test_code_that_nobody_can_get_is_a_reason(code: dict[str, Any], expected: str) -> None:
    """Only a clean checkout of the version's own tag can be had again by others."""
    changed = CODE.model_copy(update=code)
    assert [expected] == _reasons(code=changed, played_by=(changed,), graded_by=(changed,))
    assert [] == _reasons(code=CODE.model_copy(update={"tag": "1.2.3"}), played_by=(), graded_by=())


@pytest.mark.parametrize("graded_by", [OTHER, CODE.model_copy(update={"dirty": True}), None])
def test_calls_graded_by_other_code_are_a_reason(graded_by: CodeVersion | None) -> None:
    """Also by the same commit with changes, or by code that nobody noted."""
    assert ["some calls were graded by another version of the code"] == _reasons(graded_by=(CODE, graded_by))


def test_every_reason_is_told_at_once() -> None:
    """Calls of other code, an unlocked bundle, lost calls and calls that are not there."""
    lost = _lost(ALL[0], DropClass.INFRASTRUCTURE)
    assert [
        "the bundle is not locked",
        "some calls were made by another version of the code",
        "1 of 8 declared cases were dropped by the infrastructure",
        "2 of 8 declared cases are not finished and graded",
    ] == _reasons(bundle_locked=False, played_by=(CODE, OTHER), dropped=lost, done=ALL[:6])
