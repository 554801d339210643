"""`bundle import tau2`: what fits of tau2's tasks becomes a bundle that checks clean, and the report names the rest and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.bundle import load_bundle
from core.errors import EXIT_INPUT, EXIT_OK, InputError
from core.importing.tau2 import import_tau2
from core.importing.writing import REPORT
from core.schemas.imported import ImportReport
from core.schemas.scenario import Scenario
from core.yamlfile import read_data
from gateway.cli.main import main
from tests.support.foreign import TAU2_DATABASE, TAU2_POLICY, TAU2_TASK, tau2_task, write_files

VOICES = {"base_seed": 1, "configs": {"7": {}}}


def _import(folder: Path, *tasks: dict[str, Any], **files: Any) -> ImportReport:
    given = {"policy__md": TAU2_POLICY, "db__json": TAU2_DATABASE, **files}
    paths = write_files(folder, tasks__json=[TAU2_TASK, *tasks], **{name: data for name, data in given.items() if data})
    return import_tau2(paths, folder / "lamps")


def _scenario(folder: Path) -> Scenario:
    return load_bundle(folder / "lamps").scenarios["tau2-source-7"]


def test_a_task_becomes_a_scenario(tmp_path: Path) -> None:
    """Reason, situation and what is unknown make the brief; a value it says and a tool takes is a fact, all else stays hidden."""
    _import(tmp_path)
    scenario = _scenario(tmp_path)
    assert "You want order LQ7741 on Friday." == scenario.caller.reason
    assert "Curt. You are Ada Quill. Refuse a refund." == scenario.caller.context
    assert (("You do not know the fee.",), "2026-05-15T15:00") == (scenario.caller.unknown, scenario.caller.now)
    assert {"order_id": ("LQ7741", "code")} == {key: (item.value, item.kind.value) for key, item in scenario.caller.facts.items()}
    assert "Moving a delivery that is not shipped." == scenario.goal


def test_its_actions_are_expected_and_answered(tmp_path: Path) -> None:
    """A lookup gets the database's record, a change gets done, and told figures are checked by a program."""
    _import(tmp_path)
    scenario = _scenario(tmp_path)
    assert [("get_order", 1), ("move_delivery", 3)] == [(item.tool, item.importance) for item in scenario.expected]
    fixtures = scenario.backend.fixtures
    assert {**TAU2_DATABASE["orders"]["LQ7741"], "note": "$$rush"} == fixtures["get_order"].queue[0].result
    assert {"status": "done"} == fixtures["move_delivery"].queue[0].result
    told, asserted = scenario.criteria
    assert (2, True, 1, False) == (told.importance, told.check is not None, asserted.importance, asserted.check is not None)


def test_tools_are_read_off_the_calls(tmp_path: Path) -> None:
    """Types by the values, required what every call of it has; the policy is the prompt as it stands."""
    moved = tau2_task("8")
    moved["evaluation_criteria"]["actions"][1]["arguments"] = {"order_id": "LQ7741", "fee": 7.5}
    _import(tmp_path, moved)
    bundle = load_bundle(tmp_path / "lamps")
    tools = {tool.name: tool.parameters for tool in bundle.agents["source"].tools}
    assert ["get_order", "move_delivery", "end_call"] == list(tools)
    assert ["order_id", "fee"] == tools["move_delivery"]["required"]
    properties = tools["move_delivery"]["properties"]
    assert {"order_id": {"type": "string"}, "day": {"type": "string"}, "fee": {"type": ["integer", "number"]}} == properties
    assert TAU2_POLICY == bundle.prompt(_scenario(tmp_path))


def _changed(path: str, value: Any) -> dict[str, Any]:
    task = tau2_task("9")
    *parents, last = path.split(".")
    inner = task
    for part in parents:
        inner = inner[part]
    inner[last] = value
    return task


@pytest.mark.parametrize(
    ("task", "outcome", "what"),
    [
        (_changed("initial_state", {"initialization_actions": [{"func_name": "x"}]}), "partly", "initialization_actions"),
        (_changed("evaluation_criteria.env_assertions", [{"func_name": "x"}]), "partly", "env_assertions"),
        (
            _changed("evaluation_criteria.actions", [{"name": "tap", "requestor": "user", "arguments": {}}]),
            "partly",
            "actions of the user",
        ),
        (_changed("evaluation_criteria.actions", None), "not", "the task"),
        (_changed("initial_state", {"message_history": [{"role": "user"}]}), "not", "the task"),
        (_changed("user_scenario.instructions", None), "not", "the task"),
        (_changed("evaluation_criteria.actions", [{"name": "get_order", "arguments": {"order_id": "none"}}]), "not", "the task"),
        (_changed("id", "7"), "not", "the record"),
    ],
)
def test_what_does_not_fit_is_left_out_with_a_reason(tmp_path: Path, task: dict[str, Any], outcome: str, what: str) -> None:
    """The part where the rest makes a call, the task where it does not; other tasks are untouched."""
    report = _import(tmp_path, task)
    assert ["partly", outcome] == [record.outcome for record in report.records]
    assert what in [note.what for note in report.records[1].left_out]
    assert 1 + (outcome == "partly") == len(load_bundle(tmp_path / "lamps").scenarios)


@pytest.mark.parametrize(
    "task",
    [
        _changed("evaluation_criteria.actions", 5),
        _changed("evaluation_criteria.actions", [{"name": "get_order", "arguments": "LQ7741"}]),
        _changed("evaluation_criteria.actions", [{"arguments": {"order_id": "LQ7741"}}]),
        _changed("evaluation_criteria", [1]),
        _changed("initial_state", [1]),
        _changed("initial_state", {"initialization_data": {"agent_data": [1]}}),
        _changed("user_scenario", 5),
        _changed("description", "x"),
        _changed("evaluation_criteria.communicate_info", 5),
    ],
)
def test_a_task_that_is_not_in_the_layout_costs_no_other(tmp_path: Path, task: dict[str, Any]) -> None:
    """Whatever is built otherwise than tau2 has it: a line of the report, and no tool of its own in the agent."""
    report = _import(tmp_path, task)
    assert ["partly", "not"] == [record.outcome for record in report.records]
    (note,) = report.records[1].left_out
    assert note.why.startswith("not in the layout of tau2: ")
    assert ["get_order", "move_delivery", "end_call"] == [
        tool.name for tool in load_bundle(tmp_path / "lamps").agents["source"].tools
    ]


@pytest.mark.parametrize("files", [{"tasks__json": [{"id": "1", "user_scenario": 5}]}, {"tasks__json": [1]}, {"tasks__json": 5}])
def test_sources_of_which_nothing_can_be_read_are_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], files: dict[str, Any]
) -> None:
    """Exit 2, the file is named, and no folder is left."""
    paths = write_files(tmp_path, policy__md=TAU2_POLICY, db__json=TAU2_DATABASE, **files)
    assert EXIT_INPUT == main(("bundle", "import", "tau2", *map(str, paths), "--out", str(tmp_path / "lamps")))
    error = capsys.readouterr().err
    assert "source/tasks.json" in error
    assert "Traceback" not in error
    assert [tmp_path / "source"] == list(tmp_path.iterdir())


def test_a_task_that_a_program_of_theirs_is_not_needed_for_comes_over_whole(tmp_path: Path) -> None:
    """Graded by what is said alone, nothing of it is missing."""
    report = _import(tmp_path, _changed("evaluation_criteria.reward_basis", ["COMMUNICATE"]))
    assert ["partly", "whole"] == [record.outcome for record in report.records]


@pytest.mark.parametrize(("missing", "reason"), [("policy__md", "no policy was given"), ("db__json", "get_order would have no")])
def test_a_domain_without_policy_or_answers_is_refused(tmp_path: Path, missing: str, reason: str) -> None:
    """No prompt and no answers are made up."""
    with pytest.raises(InputError, match=reason):
        _import(tmp_path, **{missing: None})
    assert not (tmp_path / "lamps").exists()


def test_the_command_prints_the_report_that_it_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every file and record with its reasons; the same as JSON; and the bundle checks clean."""
    files = {"voices__json": VOICES, "user_db__json": {"a": {}}, "notes__json": [1]}
    paths = write_files(tmp_path, tasks__json=[TAU2_TASK], policy__md=TAU2_POLICY, db__json=TAU2_DATABASE, **files)
    out = str(tmp_path / "lamps")
    assert EXIT_OK == main(("bundle", "import", "tau2", *map(str, paths), "--out", out))
    printed = capsys.readouterr().out
    report = ImportReport.model_validate(read_data(tmp_path / "lamps" / REPORT))
    notes = [note for item in report.files for note in item.left_out] + [
        note for item in report.records for note in item.left_out
    ]
    assert [] == [note for note in notes if f"{note.what}: {note.why}" not in printed]
    assert "0 records came over whole, 1 partly, 0 not at all" in printed
    assert ["tasks", "policy", "database", "voices", "the user's database", "nothing"] == [item.read_as for item in report.files]
    assert EXIT_OK == main(("bundle", "check", out))
    capsys.readouterr()
    assert EXIT_OK == main(("bundle", "import", "tau2", *map(str, paths), "--out", str(tmp_path / "again"), "--json"))
    assert {**json.loads(capsys.readouterr().out), "bundle": "lamps"} == report.to_json()
