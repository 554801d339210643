"""SPEC 2, audits: what a scenario and its agent must agree on, fault by fault, and what is no fault."""

from __future__ import annotations

from typing import Any

import pytest

from core.audits.agent import audit_agent
from core.audits.scenario import audit_scenario
from core.scripts import SCRIPTS
from core.text import script_share
from tests.support.scenes import AGENT_FILE, Edit, agent, data_of, minimal, put, scenario

TEMPLATE = minimal().templates["corner-library"]
CHECK = "criteria.1.check.met"
RENEW = "backend.fixtures.renew_loan.queue.0"


def _found(*edits: Edit, agent_edits: tuple[Edit, ...] = ()) -> list[tuple[str, str]]:
    return list(audit_scenario(scenario(*edits), agent(*agent_edits), TEMPLATE))


def _agent_found(*edits: Edit, template: str = TEMPLATE) -> list[tuple[str, str]]:
    return list(audit_agent(agent(*edits), template))


def test_the_sound_scenario_and_agent_have_no_fault() -> None:
    """What the faults below are planted in."""
    assert [] == _found()
    assert [] == _agent_found()


@pytest.mark.parametrize(
    ("path", "value", "where", "reason"),
    [
        # variables
        ("variables.tommorow", "y", "variables", "'tommorow' is no variable of agent 'corner-library'; variables: today"),
        # what no call can be
        (
            "expected.0.args.card_number",
            {"all": [{"equals": "1"}, {"equals": "2"}]},
            "expected[0].args.card_number",
            "no argument can match: no call can ever be this action",
        ),
        # references
        (f"{RENEW}.result.due", "$state.loan.dew", f"{RENEW}.result", "'$state.loan.dew' names nothing in the backend state"),
        (f"{RENEW}.mismatch.due", "$caller.facts.due", f"{RENEW}.mismatch", "'$caller.facts.due' names no known fact"),
        ("backend.fixtures.end_call.default.x", ["$state.y"], "backend.fixtures.end_call.default", "names nothing"),
        (f"{RENEW}.result.price", "$5", f"{RENEW}.result", "'$5' is no reference: use"),
        ("expected.1.args.weeks.equals", "$state.weeks", "expected.1.args.weeks", "names nothing in the backend state"),
        (f"{RENEW}.args.weeks.range.max", "$state.loan.due", f"{RENEW}.args.weeks", "'$state.loan.due' is no number"),
        (f"{RENEW}.args.weeks.range.max", "12", f"{RENEW}.args.weeks", "'12' is no number"),
        (CHECK, {"said": {"role": "agent", "matcher": {"contains": "$state.x"}}}, f"{CHECK}.said.matcher", "names nothing"),
        # options of matchers
        ("expected.1.args.weeks", {"equals": 2, "unordered": True}, "expected[1].args.weeks", "unordered needs a list"),
        ("expected.1.extra", "refuse", "expected[1].args", "no call can match"),
        # fixtures
        (
            "backend.fixtures.renew",
            {"default": {}},
            "backend.fixtures.renew",
            "has no tool 'renew'; tools: find_card, renew_loan, end",
        ),
        (
            f"{RENEW}.args.isbn",
            {"present": True},
            f"{RENEW}.args.isbn",
            "'renew_loan' has no parameter 'isbn'; parameters: card_number,",
        ),
        # actions
        ("expected.0.args.isbn", {"present": True}, "expected.0.args.isbn", "'find_card' has no parameter 'isbn'"),
        ("expected.1.after", ["look_down"], "expected.1.after", "no action 'look_down'; actions: hang_up, look_up, renew_it"),
        ("expected.0.after", ["look_up"], "expected", "look_up after look_up"),
        # checks
        (CHECK, {"called": {"tool": "sing"}}, f"{CHECK}.called.tool", "has no tool 'sing'"),
        (
            CHECK,
            {"called": {"tool": "find_card", "args": {"x": {"present": True}}}},
            f"{CHECK}.called.args.x",
            "no parameter 'x'",
        ),
        (CHECK, {"result": {"tool": "sing", "matcher": {"present": True}}}, f"{CHECK}.result.tool", "has no tool 'sing'"),
        (
            CHECK,
            {"not": {"asked_times": {"fact": "card", "max": 1, "words": ["card"]}}},
            f"{CHECK}.not.asked_times.fact",
            "fact 'card'",
        ),
        (
            CHECK,
            {"all": [{"said": {"role": "agent", "matcher": {"present": True}, "after": {"tool": "sing"}}}]},
            f"{CHECK}.all.0.said.after.tool",
            "has no tool 'sing'",
        ),
        (
            CHECK,
            {"last_speech": {"matcher": {"any": [{"regex": "("}]}}},
            f"{CHECK}.last_speech.matcher.any.0.regex",
            "not a regular",
        ),
        ("criteria.1.check.partial", {"called": {"tool": "sing"}}, "criteria.1.check.partial.called.tool", "has no tool 'sing'"),
        # channel
        (
            "channel.splits",
            [{"at": {"step": "give_cart"}, "after": "x"}],
            "channel.splits.0.at.step",
            "no plan step 'give_cart'; steps: ask_renewal, give_card, give_title",
        ),
        (
            "channel.interruptions",
            [{"step": "sing_now", "after_ms": 5}],
            "channel.interruptions.0.step",
            "no plan step 'sing_now'",
        ),
        (
            "channel.splits",
            [{"at": {"turn": 1}, "inside": "$caller.facts.x1"}],
            "channel.splits.0",
            "names no known fact; known: book",
        ),
        # the offline caller
        ("offline.steps.sing_now", {"line": "La."}, "offline.steps.sing_now", "no plan step 'sing_now'"),
        (
            "offline.steps.give_card.line",
            "{card}",
            "offline.steps.give_card.line",
            "no known fact 'card'; known: book_title, card_number",
        ),
        # facts and script
        (
            "caller.facts.due_day",
            {"value": "soon", "kind": "date"},
            "caller.facts.due_day.value",
            "'soon' is no date: write it as",
        ),
        ("caller.facts.card_number.kind", "time", "caller.facts.card_number.value", "'04412907' is no time"),
        ("script", "Cyrl", "script", "'Cyrl' contradicts language 'en', written in Latn"),
        ("script", "Zyyy", "script", "script 'Zyyy' is not known: use one of"),
    ],
)
def test_one_fault_is_found_where_it_is(path: str, value: Any, where: str, reason: str) -> None:
    """Every audit names the field and says what to do; list positions are written in brackets."""
    found = _found(put(path, value))
    bracketed = "".join(f"[{part}]" if part.isdecimal() else f".{part}" for part in where.split("."))[1:]
    assert any(field.startswith(bracketed) and reason in text for field, text in found), found
    assert {bracketed} == {field[: len(bracketed)] for field, _ in found}


def test_each_variable_needs_a_value() -> None:
    """A variable without a value leaves a hole in the prompt, which no longer is the one the excerpts were checked against."""
    found = _found(put("variables", {}))
    assert ["variables", "criteria[0].excerpts[0].prompt_sha256"] == [field for field, _ in found]
    assert "no value for the agent's variable 'today'" == found[0][1]


def test_each_tool_needs_a_fixture() -> None:
    """A tool that the backend cannot answer is a fault."""
    fixtures = data_of("scenarios/corner-library/renew-loan.yaml")["backend"]["fixtures"]
    del fixtures["end_call"]
    assert [("backend.fixtures", "no fixture for tool 'end_call'")] == _found(put("backend.fixtures", fixtures))


def test_the_language_and_script_that_go_together_pass() -> None:
    """Languages usual in several scripts may use either; a language in no row is not judged."""
    for language, script in (("hi", "Deva"), ("zh", "Hans"), ("zh-TW", "Hant"), ("ja", "Jpan"), ("xx", "Latn"), ("xx", "Deva")):
        found = _found(put("language", language), put("script", script))
        assert "script" not in dict(found)
    assert "written in Hans or Hant" in dict(_found(put("language", "zh"), put("script", "Latn")))["script"]


def test_every_script_that_can_be_required_can_be_measured() -> None:
    """A caller's turns are held to the scenario's script, so no script may be known to the audit alone."""
    assert {1.0} == {script_share("", script) for script in SCRIPTS}


def test_a_literal_dollar_is_no_reference() -> None:
    """Doubled, it is text like any other."""
    assert [] == _found(put(f"{RENEW}.result.price", "$$5"))


def test_every_fault_of_a_scenario_is_found() -> None:
    """No audit stops at its first finding."""
    found = _found(
        put("variables", {}),
        put("script", "Deva"),
        put(f"{RENEW}.result.a", "$state.a"),
        put(f"{RENEW}.result.b", "$state.b"),
        put("expected.0.tool", "a"),
        put("expected.1.tool", "b"),
        put("offline.steps.a_1", {"line": "{x} {y}"}),
    )
    # `variables` also leaves the excerpt's prompt hash stale.
    assert 10 == len(found), found


# -- agents ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "where", "reason"),
    [
        ("variables", [], "variables", "the instructions use {{ today }}, which is not declared: add 'today'"),
        ("variables", ["today", "branch"], "variables", "'branch' is declared but the instructions never use it"),
        ("tools.0.success", {"status": {"equals": "ok"}}, "tools[0]", "has a success condition but does not end the call"),
        ("tools.2.success", {}, "tools[2]", "ends the call but declares no success condition"),
        ("tools.2.success", None, "tools[2]", "ends the call but declares no success condition"),
        ("tools.2.success.status", {"regex": "(a+)+"}, "tools[2].success.status.regex", "catastrophic time"),
        ("tools.2.success.status", {"equals": "$state.end"}, "tools[2].success.status", "'$state.end' refers to a scenario"),
        (
            "tools.2.success.status",
            {"any": [{"one_of": ["a", "$caller.facts.card_number"]}]},
            "tools[2].success.status.any[0]",
            "refers to a scenario",
        ),
        ("tools.1.parameters", {"type": "array"}, "tools[1].parameters.type", "must be a JSON Schema of type object"),
        ("tools.1.parameters", {}, "tools[1].parameters.type", "must be a JSON Schema of type object"),
        ("tools.1.parameters.properties", ["title"], "tools[1].parameters.properties", "properties must be an object"),
        (
            "tools.1.parameters.properties.title",
            "string",
            "tools[1].parameters.properties.title",
            "a property is a JSON Schema object",
        ),
        ("tools.1.parameters.required", "title", "tools[1].parameters.required", "required must be a list"),
        ("tools.1.parameters.required", ["titel"], "tools[1].parameters.required", "'titel' is required but is no property"),
        ("tools.1.parameters.required", [["title"]], "tools[1].parameters.required", "is required but is no property"),
        (
            "tools.1.parameters.properties.title.pattern",
            "(",
            "tools[1].parameters.properties.title.pattern",
            "not a regular expression",
        ),
        ("tools.1.parameters.properties.title.pattern", 5, "tools[1].parameters.properties.title.pattern", "a pattern is a text"),
        (
            "tools.2.parameters.properties.concluding_message",
            {"type": "string"},
            "tools[2].parameters.properties",
            "'concluding_message' is reserved",
        ),
    ],
)
def test_one_fault_of_an_agent_is_found_where_it_is(path: str, value: Any, where: str, reason: str) -> None:
    """Variables, success conditions and tool schemas."""
    found = [(field, text) for field, text in _agent_found(put(path, value))]
    assert any(field == where and reason in text for field, text in found), found
    assert {where} == {field for field, _ in found if "no tool ends the call" not in _}


def test_an_agent_needs_a_way_to_end_the_call() -> None:
    """Without a call-ending tool an agent cannot hang up."""

    def never_ends(data: Any) -> None:
        data["tools"] = data["tools"][:2]

    assert [("tools", "no tool ends the call: give one `ends_call: true` and `success`")] == _agent_found(never_ends)


def test_every_fault_of_an_agent_is_found() -> None:
    """No audit of an agent stops at its first finding either."""
    tools = data_of(AGENT_FILE)["tools"]
    for tool in tools:
        tool["parameters"]["required"] = ["x", "y"]
    assert 7 == len(_agent_found(put("tools", tools), put("variables", [])))
