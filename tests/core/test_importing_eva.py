"""`bundle import eva`: what fits of EVA's records becomes a bundle that checks clean, and the report names the rest and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from core.bundle import load_bundle
from core.errors import FileError, InputError, UsageError
from core.importing.eva import import_eva
from core.importing.writing import REPORT
from core.matchers.evaluate import match_arguments
from core.matchers.references import References
from core.schemas.imported import ImportReport
from core.schemas.matchers import Equals
from core.schemas.scenario import Scenario
from core.yamlfile import read_data
from tests.support.foreign import EVA_AGENT, EVA_RECORD, MIT, eva_record, write_files


@pytest.fixture
def imported(tmp_path: Path) -> tuple[Path, ImportReport]:
    """One record and its agent, as a bundle."""
    paths = write_files(tmp_path, desk__json=EVA_AGENT, records__json=[EVA_RECORD], db__json={"_current_date": "2026-04-02"})
    return tmp_path / "lamps", import_eva(paths, tmp_path / "lamps")


def _scenario(folder: Path) -> Scenario:
    return load_bundle(folder).scenarios["eva-2-4"]


def test_a_record_becomes_a_scenario_with_the_callers_goal_and_what_it_knows(imported: tuple[Path, ImportReport]) -> None:
    """Names fill their places, every required value is a fact of a kind, and the caller hears of its must-haves."""
    scenario = _scenario(imported[0])
    facts = {key: (item.value, item.kind.value) for key, item in scenario.caller.facts.items()}
    assert ("LQ7741", "code") == facts["order_code"]
    assert ("Quill", "name") == facts["last_name"]
    assert ("0417", "digits") == facts["pin_1"]
    assert ("afternoon", "text") == facts["wishes_first"]
    assert ("2026-04-02T14:20", "female") == (scenario.caller.now, scenario.caller.voice.gender)
    assert "You want your lamp delivered on Friday afternoon." == scenario.caller.reason
    for part in ("You are Ada Quill.", "in a hurry", "The fee is below $20.", "The driver rings first.", "Decline a refund."):
        assert part in scenario.caller.context
    assert "Begin with: Hi, it is about my lamp." == scenario.caller.plan[0].meaning
    assert ("A customer moves a delivery.", 1) == (scenario.goal, len(scenario.criteria))


def test_the_expected_trace_becomes_actions_and_fixtures(imported: tuple[Path, ImportReport]) -> None:
    """Each call is expected with its arguments, changes more than lookups, and is answered what the trace says it was."""
    scenario = _scenario(imported[0])
    assert [("get_order", 1), ("move_delivery", 3)] == [(item.tool, item.importance) for item in scenario.expected]
    wanted = Equals.model_validate({"equals": "$caller.facts.order_code", "compare": "normalized"})
    assert wanted == scenario.expected[0].args["order_code"]
    answer = scenario.backend.fixtures["get_order"].queue
    assert 3 == len(answer)
    assert {"status": "success", "price": "$$80", "item_id": "ITM-55120", "owner": "Ada Quill"} == answer[0].result
    assert {"status": "ended"} == scenario.backend.fixtures["end_call"].default


def test_the_agent_keeps_its_instructions_and_types(imported: tuple[Path, ImportReport]) -> None:
    """Role, moment and instructions make the prompt; a float is a number; an optional parameter is not required."""
    bundle = load_bundle(imported[0])
    agent = bundle.agents["agent-lamps"]
    assert ["get_order", "move_delivery", "end_call"] == [tool.name for tool in agent.tools]
    move = agent.tools[1].parameters
    assert (["order_code", "fee"], "number") == (move["required"], move["properties"]["fee"]["type"])  # type: ignore[index, call-overload]
    prompt = bundle.prompt(_scenario(imported[0]))
    assert prompt.startswith("You are the voice agent of a lamp shop.\n\nCurrent date and time: 2026-04-02 14:20 EST\n")
    assert "Change nothing before the caller agrees." in prompt


def test_the_report_names_all_that_was_left_out_and_why(imported: tuple[Path, ImportReport]) -> None:
    """Printed and in the bundle alike; the licence and its notice come along."""
    folder, report = imported
    assert report == ImportReport.model_validate(read_data(folder / REPORT))
    (record,) = report.records
    left_out = ["expected_scenario_db", "other languages", "scenario_context: user_priorities"]
    assert ("partly", left_out) == (record.outcome, [note.what for note in record.left_out])
    optional = "optional arguments move_delivery.slot"
    assert {"culture_overrides", "difficulty", "criteria", optional} == {note.what for note in record.changed}
    assert ["agent", "records", "database"] == [file.read_as for file in report.files]
    bundle = load_bundle(folder)
    assert ("MIT", "Copyright (c) 2026 The Lamp Desk Authors") == (bundle.file.licence, bundle.file.generation["notice"])
    assert MIT == (folder / "LICENSE").read_text(encoding="utf-8")


def _without(*path: str) -> dict[str, Any]:
    record = eva_record("9.9")
    inner = record
    for part in path[:-1]:
        inner = inner[part]
    del inner[path[-1]]
    return record


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (_without("ground_truth"), "not in the layout of EVA"),
        (_without("user_goal", "decision_tree"), "not in the layout of EVA"),
        (_without("culture_overrides"), "nothing is given for <FIRST_NAME>, <LAST_NAME>"),
        (eva_record("2-4"), "the id 'eva-2-4' is taken by another record"),
        (eva_record("9.9", current_date_time="2026-02-31 10:00"), "caller.now"),
    ],
)
def test_a_record_that_does_not_fit_is_left_out_with_a_reason(tmp_path: Path, record: dict[str, Any], reason: str) -> None:
    """The others come over all the same, and the bundle has none of it."""
    paths = write_files(tmp_path, desk__json=EVA_AGENT, records__json=[EVA_RECORD, record])
    report = import_eva(paths, tmp_path / "lamps")
    assert ["partly", "not"] == [item.outcome for item in report.records]
    assert reason in report.records[1].left_out[0].why
    assert ["eva-2-4"] == list(load_bundle(tmp_path / "lamps").scenarios)


def _agent_with(*tools: Any, **changes: Any) -> dict[str, Any]:
    return {**EVA_AGENT, **changes, "tools": [*EVA_AGENT["tools"], *tools]}


@pytest.mark.parametrize(
    "agent",
    [
        _agent_with(1),
        _agent_with({"name": "x", "required_parameters": [{"type": "string"}]}),
        _agent_with({"name": "x", "required_parameters": 5}),
        _agent_with({"name": None}),
    ],
)
def test_an_agent_that_is_not_in_the_layout_is_told_and_nothing_is_written(tmp_path: Path, agent: dict[str, Any]) -> None:
    """The error names the file and what is wrong with it, beside the records that lack their agent."""
    paths = write_files(tmp_path, desk__json=agent, records__json=[EVA_RECORD])
    with pytest.raises(InputError, match=r"source/desk\.json: (not in the layout of EVA|tools)") as error:
        import_eva(paths, tmp_path / "lamps")
    assert "no agent file among those given" in str(error.value)
    assert [tmp_path / "source"] == list(tmp_path.iterdir())


def _trace(*events: dict[str, Any]) -> dict[str, Any]:
    return eva_record("9.9", ground_truth={"expected_trace": {"trace": list(events)}})


@pytest.mark.parametrize(
    "record",
    [
        _trace({"event_type": "tool_response", "tool_name": "get_order", "response": {}}),
        _trace({"event_type": "tool_call", "tool_name": "get_order"}, {"event_type": "tool_response", "tool_name": "get_order"}),
        eva_record("9.9", current_date_time="soon"),
        eva_record("9.9", starting_utterances=5),
        eva_record("9.9", scenario_context=[1]),
        eva_record("9.9", user_goal={"high_level_user_goal": "x", "decision_tree": 1, "information_required": {}}),
    ],
)
def test_a_record_that_is_not_in_the_layout_costs_no_other(tmp_path: Path, record: dict[str, Any]) -> None:
    """Whatever is built otherwise than EVA has it: a line of the report."""
    paths = write_files(tmp_path, desk__json=EVA_AGENT, records__json=[record, EVA_RECORD])
    report = import_eva(paths, tmp_path / "lamps")
    assert ["not", "partly"] == [item.outcome for item in report.records]
    (note,) = report.records[0].left_out
    assert note.why.startswith("not in the layout of EVA: ")


def test_optional_arguments_may_be_left_out(imported: tuple[Path, ImportReport]) -> None:
    """EVA's files do not tell what a tool takes where one is missing; sent, it must be right, and the report says so."""
    moved = _scenario(imported[0]).expected[1]
    for slot, expected in (({}, True), ({"slot": "pm"}, True), ({"slot": "am"}, False)):
        sent: dict[str, JsonValue] = {"order_code": "LQ7741", "fee": 12.5, **slot}
        results = match_arguments(moved.args, sent, References.of(_scenario(imported[0])))
        assert expected == all(result.ok for result in results)
    assert "optional arguments move_delivery.slot" in [note.what for note in imported[1].records[0].changed]


def test_records_without_their_agent_are_refused(tmp_path: Path) -> None:
    """Nothing to write: one error with the reason for each record, and no folder."""
    paths = write_files(tmp_path, records__json=[EVA_RECORD], other__json={"some": "thing"})
    with pytest.raises(InputError, match=r"no agent file among those given has all the tools"):
        import_eva(paths, tmp_path / "lamps")
    assert not (tmp_path / "lamps").exists()


def test_a_folder_in_use_and_a_file_of_another_kind_are_refused(tmp_path: Path) -> None:
    """Before anything is written."""
    paths = write_files(tmp_path, desk__json=EVA_AGENT, records__json=[EVA_RECORD], notes__txt="x")
    with pytest.raises(UsageError, match=r"notes\.txt"):
        import_eva(paths, tmp_path / "lamps")
    with pytest.raises(FileError, match="something here already"):
        import_eva(paths[:2], tmp_path / "source")
    with pytest.raises(UsageError, match="'My Lamps' cannot name a bundle"):
        import_eva(paths[:2], tmp_path / "My Lamps")
