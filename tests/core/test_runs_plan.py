"""SPEC 9: which cases a run has: scenarios by pattern and language, times conditions, times repeats."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.bundle import load_bundle
from core.errors import UsageError
from core.runs.plan import MAX_CASES, plan_cases
from core.schemas.base import Condition
from core.schemas.run import CaseKey
from tests.support.scenes import AGENT_FILE, copy_minimal, minimal, put

TEXT, AUTHORED = Condition.TEXT, Condition.AUTHORED


def test_cases_are_scenario_by_condition_by_repeat_in_a_fixed_order() -> None:
    """Scenarios by id, then conditions as given, then repeats from 0."""
    cases = plan_cases(minimal(), (AUTHORED, TEXT), repeats=2)
    assert [
        "noisy-renewal--authored--r0",
        "noisy-renewal--authored--r1",
        "noisy-renewal--text--r0",
        "noisy-renewal--text--r1",
        "renew-loan--authored--r0",
        "renew-loan--authored--r1",
        "renew-loan--text--r0",
        "renew-loan--text--r1",
    ] == [case.name for case in cases]


@pytest.mark.parametrize(
    ("choice", "chosen"),
    [
        ({}, ["noisy-renewal", "renew-loan"]),
        ({"scenarios": "renew-loan"}, ["renew-loan"]),
        ({"scenarios": "*-loan"}, ["renew-loan"]),
        ({"scenarios": "noisy-*, renew-*"}, ["noisy-renewal", "renew-loan"]),
        ({"scenarios": "renew-loan,nothing"}, ["renew-loan"]),
        ({"agents": "corner-*"}, ["noisy-renewal", "renew-loan"]),
        ({"agents": "corner-*", "scenarios": "noisy*"}, ["noisy-renewal"]),
        ({"languages": ["en"]}, ["noisy-renewal", "renew-loan"]),
        ({"languages": ["hi", "en"]}, ["noisy-renewal", "renew-loan"]),
    ],
    ids=str,
)
def test_scenarios_are_chosen_by_pattern_and_language(choice: dict[str, str], chosen: list[str]) -> None:
    """Comma-separated shell patterns of agent and scenario ids, and language codes."""
    assert chosen == [case.scenario for case in plan_cases(minimal(), (TEXT,), **choice)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "choice", [{"scenarios": "Renew-Loan"}, {"agents": "city*"}, {"languages": ["hi"]}, {"scenarios": ""}], ids=str
)
def test_a_choice_that_leaves_nothing_is_a_usage_error(choice: dict[str, str]) -> None:
    """The message repeats the choice and lists what there is."""
    with pytest.raises(UsageError, match=r"no active scenario of 'minimal' matches .*; it has: noisy-renewal, renew-loan"):
        plan_cases(minimal(), (TEXT,), **choice)  # type: ignore[arg-type]


def test_inactive_agents_are_left_out(tmp_path: Path) -> None:
    """`active: false` takes an agent's scenarios out of runs."""
    bundle = load_bundle(copy_minimal(tmp_path, off=(AGENT_FILE, put("active", False))))
    with pytest.raises(UsageError, match="no active scenario"):
        plan_cases(bundle, (TEXT,))


def test_a_region_counts_as_its_language(tmp_path: Path) -> None:
    """`en` chooses `en-GB` too, and `en-GB` chooses only itself."""
    edits = {
        "a": ("bundle.yaml", put("languages", ["en", "en-GB"])),
        "b": ("scenarios/corner-library/renew-loan.yaml", put("language", "en-GB")),
    }
    bundle = load_bundle(copy_minimal(tmp_path, **edits))
    assert 2 == len(plan_cases(bundle, (TEXT,), languages=["en"]))
    assert ["renew-loan"] == [case.scenario for case in plan_cases(bundle, (TEXT,), languages=["en-GB"])]


def test_a_case_names_its_folder() -> None:
    """`<scenario>--<condition>--r<k>`, which no scenario id can be confused with."""
    assert "renew-loan--asr--r3" == CaseKey(scenario="renew-loan", condition=Condition.ASR, repeat=3).name


def test_a_plan_of_too_many_cases_is_refused_before_it_is_made() -> None:
    """A slip in `--repeats` is answered with the count at once; the largest plan itself is allowed."""
    assert MAX_CASES == len(plan_cases(minimal(), (TEXT, AUTHORED), repeats=MAX_CASES // 4))
    with pytest.raises(UsageError, match="--repeats 25001 plans 100004 cases; a run holds at most 100000"):
        plan_cases(minimal(), (TEXT, AUTHORED), repeats=MAX_CASES // 4 + 1)
