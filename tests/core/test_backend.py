"""SPEC 3.6 to 3.8: how the mock backend answers the j-th call, and when a call-ending tool ends the call."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import JsonValue

from core.backend import ParsedArguments, QueueBackend, ToolResult, parse_arguments
from core.schemas.base import canonical_json
from core.schemas.call_trace import Outcome
from core.schemas.scenario import Scenario
from tests.support.parties import call
from tests.support.scenes import agent, put, scenario

CARD = "04412907"
AGENT = agent()
RENEWAL: dict[str, JsonValue] = {"card_number": CARD, "title": "the long  HARBOR", "weeks": 2}


def _answers(*calls: tuple[str, Any], scene: Scenario | None = None) -> list[ToolResult]:
    backend = QueueBackend(AGENT, scene or scenario())
    return [backend.call(tool, parse_arguments(call(tool, arguments), AGENT.tool(tool))) for tool, arguments in calls]


def _kinds(answers: list[ToolResult]) -> list[tuple[Outcome, JsonValue]]:
    return [(answer.outcome, answer.result.get("status", answer.result.get("error"))) for answer in answers]


# -- the queue --------------------------------------------------------------------------------------------------------


def test_the_jth_call_is_matched_against_the_jth_entry() -> None:
    """Each call consults the next entry of its tool's queue, and the record says which."""
    answers = _answers(("find_card", {"card_number": CARD}), ("find_card", {"card_number": CARD}))
    assert [(Outcome.MATCHED, "found"), (Outcome.MATCHED, "found_again")] == _kinds(answers)
    assert [(0, 0), (1, 1)] == [(answer.call_number, answer.entry) for answer in answers]


def test_each_tool_has_its_own_queue() -> None:
    """Calls to one tool do not advance another's."""
    answers = _answers(("find_card", {"card_number": CARD}), ("renew_loan", RENEWAL), ("find_card", {"card_number": CARD}))
    assert ["found", "renewed", "found_again"] == [status for _, status in _kinds(answers)]


def test_a_match_gives_the_authored_result_with_references_resolved() -> None:
    """The authored response may name facts and hidden state."""
    (answer,) = _answers(("renew_loan", RENEWAL))
    assert {"status": "renewed", "due": "2026-04-06"} == answer.result


def test_a_mismatch_gives_the_entrys_mismatch_and_consumes_it() -> None:
    """A wrong argument costs the entry: the next call meets the next one."""
    answers = _answers(("find_card", {"card_number": "1"}), ("find_card", {"card_number": CARD}))
    assert [(Outcome.MISMATCH, "not_found"), (Outcome.MATCHED, "found_again")] == _kinds(answers)
    assert (0, 0) == (answers[0].call_number, answers[0].entry)


def test_a_call_past_the_queue_gets_the_default() -> None:
    """The third call to a tool with two entries gets the tool's default, and no entry is named."""
    answers = _answers(*[("find_card", {"card_number": CARD})] * 4)
    assert [(Outcome.DEFAULT, "locked")] * 2 == _kinds(answers)[2:]
    assert [(2, None), (3, None)] == [(answer.call_number, answer.entry) for answer in answers[2:]]


def test_a_tool_without_a_queue_always_answers_its_default() -> None:
    """No entry at all means that every call is past the queue."""
    (answer,) = _answers(("end_call", {}))
    assert (Outcome.DEFAULT, {"status": "ended"}) == (answer.outcome, answer.result)


@pytest.mark.parametrize("missing", sorted(RENEWAL))
def test_a_missing_argument_is_a_mismatch(missing: str) -> None:
    """Leaving out an argument that the entry matches fails that matcher and only that one."""
    sent = {key: value for key, value in RENEWAL.items() if key != missing}
    (answer,) = _answers(("renew_loan", sent))
    assert Outcome.MISMATCH is answer.outcome
    assert [missing] == [result.argument for result in answer.matchers if not result.ok]


def test_every_matchers_result_is_recorded_with_its_reason() -> None:
    """A trace can say why a call did not match."""
    (answer,) = _answers(("renew_loan", {**RENEWAL, "weeks": 4, "title": "Other"}))
    assert [("card_number", True), ("title", False), ("weeks", False)] == [(r.argument, r.ok) for r in answer.matchers]
    assert "expected a number from 1 to 3, found 4" == answer.matchers[2].reason


def test_arguments_that_no_matcher_names_are_free() -> None:
    """Extra arguments do not spoil a match."""
    (answer,) = _answers(("find_card", {"card_number": CARD, "note": "loud caller"}))
    assert Outcome.MATCHED is answer.outcome


def test_an_unknown_tool_gets_a_typed_error_and_advances_nothing() -> None:
    """The error names what was called and the tools there are."""
    answers = _answers(("find_book", {}), ("find_card", {"card_number": CARD}))
    assert [(Outcome.UNKNOWN_TOOL, "unknown_tool"), (Outcome.MATCHED, "found")] == _kinds(answers)
    assert "no tool 'find_book'; tools: find_card, renew_loan, end_call" == answers[0].result["message"]
    assert (None, None, ()) == (answers[0].call_number, answers[0].entry, answers[0].matchers)


def test_the_chain_limit_answer_does_not_advance_a_queue() -> None:
    """The typed result of the eleventh call consults no entry."""
    backend = QueueBackend(AGENT, scenario())
    limit = backend.chain_limit()
    assert (Outcome.CHAIN_LIMIT, "chain_limit", None, None) == (
        limit.outcome,
        limit.result["error"],
        limit.call_number,
        limit.entry,
    )
    assert "found" == backend.call("find_card", ParsedArguments({"card_number": CARD}, None)).result["status"]


def test_the_same_calls_get_the_same_answers() -> None:
    """The backend has no chance in it: a second backend of the same scenario answers alike."""
    calls = [("find_card", {"card_number": "1"}), ("renew_loan", RENEWAL), ("renew_loan", "{"), ("nothing", {}), ("end_call", {})]
    assert _answers(*calls) == _answers(*calls)


def test_an_answer_is_the_callers_own_to_change() -> None:
    """What a candidate does with a returned object changes neither the scenario nor a later answer."""
    scene = scenario(put("backend.fixtures.find_card.default", {"loan": "$state.loan", "list": [1]}))
    backend = QueueBackend(AGENT, scene)
    entry = ParsedArguments({"card_number": CARD}, None)
    backend.call("find_card", entry)
    backend.call("find_card", entry)
    first = backend.call("find_card", entry).result
    expected = json.loads(canonical_json(first))
    first["list"].append(2)  # type: ignore[union-attr]
    first["loan"]["history"].clear()  # type: ignore[union-attr, index, call-overload]
    assert expected == backend.call("find_card", entry).result


# -- arguments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        ("", "arguments are not valid JSON: Expecting value at character 0"),
        ("{", "arguments are not valid JSON"),
        ('{"card_number": "04412907"', "arguments are not valid JSON"),
        ("card_number=04412907", "arguments are not valid JSON"),
        ("{'card_number': '04412907'}", "arguments are not valid JSON"),
        ('{"card_number": "04412907"} {}', "arguments are not valid JSON"),
        ('"04412907"', "arguments are a text, not an object"),
        ('"{\\"card_number\\": \\"04412907\\"}"', "arguments are a text, not an object"),
        ("[]", "arguments are a list, not an object"),
        ("null", "arguments are null, not an object"),
        ("5", "arguments are a number, not an object"),
        ([], "arguments are a list, not an object"),
        ([{"card_number": CARD}], "arguments are a list, not an object"),
        (5, "arguments are a number, not an object"),
        (5.5, "arguments are a number, not an object"),
        (True, "arguments are a boolean, not an object"),
        ('{"card_number": NaN}', "arguments are not valid JSON: NaN is no JSON number"),
        ('{"card_number": -Infinity}', "arguments are not valid JSON: -Infinity is no JSON number"),
        ('{"card_number": 1e999}', "arguments hold a number or text that JSON cannot carry"),
        ('{"card_number": "\\ud800"}', "arguments hold a number or text that JSON cannot carry"),
        ('{"weeks": ' + "9" * 5000 + "}", "arguments are not valid JSON"),
        ("[" * 100_000, "arguments are not valid JSON: nested too deeply"),
        ({"card_number": float("nan")}, "arguments hold a number or text that JSON cannot carry"),
        ({"card_number": "\ud800"}, "arguments hold a number or text that JSON cannot carry"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_arguments_that_are_no_object_are_a_parse_error_and_never_an_empty_object(sent: Any, error: str) -> None:
    """Broken JSON, and JSON of anything but an object, gets the entry's mismatch response and consumes the entry."""
    parsed = parse_arguments(call("find_card", sent), AGENT.tool("find_card"))
    assert parsed.arguments is None
    assert error in str(parsed.error)
    answers = _answers(("find_card", sent), ("find_card", {"card_number": CARD}))
    assert [(Outcome.PARSE_ERROR, "not_found"), (Outcome.MATCHED, "found_again")] == _kinds(answers)
    assert () == answers[0].matchers


def test_a_parse_error_never_matches_an_entry_that_asks_for_nothing() -> None:
    """Where every argument is free, `{}` would match; a call that cannot be read does not."""
    scene = scenario(put("backend.fixtures.find_card.queue.0.args", {}))
    answers = _answers(("find_card", "{oops"), scene=scene)
    assert [(Outcome.PARSE_ERROR, "not_found")] == _kinds(answers)


def test_a_parse_error_past_the_queue_gets_the_default() -> None:
    """The tool's default answers every call past the queue; the record still says that it could not be read."""
    answers = _answers(*[("find_card", {"card_number": CARD})] * 2, ("find_card", "{"))
    assert (Outcome.PARSE_ERROR, "locked") == _kinds(answers)[2]


def test_text_that_is_json_of_an_object_is_read() -> None:
    """Chat endpoints send arguments as JSON text."""
    parsed = parse_arguments(call("find_card", '{"card_number": "04412907"}'), AGENT.tool("find_card"))
    assert ParsedArguments({"card_number": CARD}, None) == parsed


# -- the end of a call --------------------------------------------------------------------------------------------------


def test_success_is_read_off_the_returned_object() -> None:
    """The condition looks at what came back, not at what was sent or at the attempt."""
    queue = [
        {"args": {"reason": {"equals": "done"}}, "result": {"status": "busy"}, "mismatch": {"status": "ended"}},
        {"args": {"reason": {"equals": "done"}}, "result": {"status": "ended"}, "mismatch": {"status": "busy"}},
    ]
    scene = scenario(put("backend.fixtures.end_call.queue", queue))
    answers = _answers(("end_call", {"reason": "done", "status": "ended"}), ("end_call", {"reason": "done"}), scene=scene)
    assert [("busy", False), ("ended", True)] == [(answer.result["status"], answer.ended_call) for answer in answers]
    (mismatched,) = _answers(("end_call", {"reason": "bored"}), scene=scene)
    assert (Outcome.MISMATCH, True) == (mismatched.outcome, mismatched.ended_call)


def test_only_a_call_ending_tool_can_end_a_call() -> None:
    """Another tool's result may hold the same words without ending anything."""
    scene = scenario(put("backend.fixtures.find_card.queue.0.result", {"status": "ended"}))
    (answer,) = _answers(("find_card", {"card_number": CARD}), scene=scene)
    assert {"status": "ended"} == answer.result
    assert not answer.ended_call


def test_the_concluding_message_is_taken_off_before_matchers_run() -> None:
    """The reserved parameter of a call-ending tool is no argument: a matcher never sees it."""
    queue = [{"args": {"concluding_message": {"absent": True}}, "result": {"status": "ended"}, "mismatch": {"status": "busy"}}]
    scene = scenario(put("backend.fixtures.end_call.queue", queue))
    sent = {"reason": "done", "concluding_message": "Goodbye."}
    parsed = parse_arguments(call("end_call", sent), AGENT.tool("end_call"))
    assert ParsedArguments({"reason": "done"}, None, "Goodbye.") == parsed
    assert [(Outcome.MATCHED, "ended")] == _kinds(_answers(("end_call", sent), scene=scene))


def test_the_concluding_message_is_reserved_on_call_ending_tools_only() -> None:
    """Another tool's argument of that name stays an argument."""
    parsed = parse_arguments(call("find_card", {"concluding_message": "x"}), AGENT.tool("find_card"))
    assert ParsedArguments({"concluding_message": "x"}, None) == parsed


@pytest.mark.parametrize("message", [None, 5, "", "  "], ids=repr)
def test_a_concluding_message_that_says_nothing_is_dropped(message: JsonValue) -> None:
    """Blank or non-text farewells are neither speech nor arguments."""
    parsed = parse_arguments(call("end_call", {"concluding_message": message}), AGENT.tool("end_call"))
    assert ParsedArguments({}, None, None) == parsed


def test_an_entry_may_refuse_arguments_it_does_not_list() -> None:
    """With `extra: refuse` a further argument is a mismatch, and its result says why."""
    queue = "backend.fixtures.find_card.queue.0"
    (free,) = _answers(("find_card", {"card_number": "04412907", "note": "x"}))
    (refused,) = _answers(
        ("find_card", {"card_number": "04412907", "note": "x"}), scene=scenario(put(f"{queue}.extra", "refuse"))
    )
    assert (Outcome.MATCHED, Outcome.MISMATCH) == (free.outcome, refused.outcome)
    assert ("note", False, "expected no further argument, found 'x'") == (
        refused.matchers[-1].argument,
        refused.matchers[-1].ok,
        refused.matchers[-1].reason,
    )
