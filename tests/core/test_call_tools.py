"""SPEC 3.5, 3.6 and 3.8: chains of tool calls, their limit, and farewells carried by a call-ending tool."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.backend import CHAIN_LIMIT
from core.candidate import AgentTurn, Hearing, ToolAnswers
from core.runs.store import trace_bytes
from core.schemas.call_trace import EndReason, Outcome, Role, ToolCall, Trace
from tests.support.parties import DONE, GREETING, ListCaller, ListCandidate, call, play, say, turn
from tests.support.scenes import put, scenario

LOOK = call("find_card", card_number="04412907")
LONG_QUEUE = scenario(
    put(
        "backend.fixtures.find_card.queue",
        [{"args": {}, "result": {"status": f"answer_{n}"}, "mismatch": {"status": "no"}} for n in range(12)],
    )
)


def _played(turns: Sequence[AgentTurn], replies: Sequence[str] = DONE) -> tuple[Trace, list[ToolAnswers]]:
    candidate = ListCandidate(turns)
    trace = play(candidate, replies, scenario=LONG_QUEUE)
    return trace, [item for item in candidate.observations if isinstance(item, ToolAnswers)]


def _outcomes(trace: Trace) -> list[Outcome]:
    return [event.outcome for event in trace.tool_events]


# -- chains -----------------------------------------------------------------------------------------------------------------


def test_ten_calls_may_be_chained_before_the_caller_speaks_again() -> None:
    """Ten single calls in a row are all answered, and tools are still allowed after the tenth."""
    trace, answers = _played([turn(GREETING), *[turn("", LOOK)] * 10, turn("Done. Goodbye.")])
    assert [Outcome.MATCHED] * 10 == _outcomes(trace)
    assert [True] * 10 == [item.calls_allowed for item in answers]
    assert "Done. Goodbye." == trace.messages[-1].content


def test_the_eleventh_call_gets_a_typed_chain_limit_result() -> None:
    """It does not advance its queue, and the candidate gets one more turn without tools."""
    trace, answers = _played([turn(GREETING), *[turn("", LOOK)] * 11, turn("I'm sorry."), turn("", LOOK), turn("Bye.")], [
        say("Hello."), say("Bye.", done=True),
    ])  # fmt: skip
    assert [Outcome.MATCHED] * 10 + [Outcome.CHAIN_LIMIT, Outcome.MATCHED] == _outcomes(trace)
    limit = trace.tool_events[10]
    assert ("chain_limit", None, None, False) == (limit.result["error"], limit.call_number, limit.entry, limit.ended_call)
    assert [True] * 10 + [False, True] == [item.calls_allowed for item in answers]
    assert "I'm sorry." == trace.messages[limit.result_message + 1].content
    after = trace.tool_events[11]
    assert (10, "answer_10") == (after.call_number, after.result["status"])


def test_a_batch_of_k_parallel_calls_counts_k() -> None:
    """Eight and four calls make twelve: the last two of the second batch are over the limit."""
    trace, answers = _played([turn(GREETING), turn("", *[LOOK] * 8), turn("", *[LOOK] * 4), turn("Sorry."), turn("Bye.")])
    assert [Outcome.MATCHED] * 10 + [Outcome.CHAIN_LIMIT] * 2 == _outcomes(trace)
    assert [(8, True), (4, False)] == [(len(item.answers), item.calls_allowed) for item in answers]
    assert [f"answer_{n}" for n in range(10)] == [event.result.get("status") for event in trace.tool_events[:10]]


def test_one_batch_can_go_over_the_limit_alone() -> None:
    """Calls are answered in order until the limit is reached."""
    trace, _ = _played([turn(GREETING), turn("", *[LOOK] * 13), turn("Sorry.")])
    assert [Outcome.MATCHED] * 10 + [Outcome.CHAIN_LIMIT] * 3 == _outcomes(trace)


def test_the_chain_starts_anew_when_the_caller_speaks() -> None:
    """The limit is per answer, not per call."""
    trace, answers = _played(
        [turn(GREETING), turn("", *[LOOK] * 6), turn("Go on."), turn("", *[LOOK] * 6), turn("Goodbye.")],
        [say("Hello."), say("Bye.", done=True)],
    )
    assert [Outcome.MATCHED] * 12 == _outcomes(trace)
    assert all(item.calls_allowed for item in answers)


def test_a_tool_call_in_the_turn_without_tools_is_recorded_as_a_violation() -> None:
    """It gets the chain limit too, its speech is kept, and the caller speaks next: the candidate is not asked again."""
    candidate = ListCandidate([turn(GREETING), turn("", *[LOOK] * 11), turn("One more look.", LOOK, LOOK), turn("Goodbye.")])
    trace = play(candidate, [say("Hello."), say("Bye.", done=True)], scenario=LONG_QUEUE)
    assert [Outcome.MATCHED] * 10 + [Outcome.CHAIN_LIMIT] * 3 == _outcomes(trace)
    assert [Hearing, ToolAnswers, Hearing] == [type(item) for item in candidate.observations]
    violation = trace.messages[trace.tool_events[11].message]
    assert ("One more look.", 2) == (violation.content, len(violation.tool_calls))


def test_a_call_ending_tool_over_the_limit_ends_nothing() -> None:
    """The eleventh call is not answered by the backend, whatever it is."""
    trace, _ = _played([turn(GREETING), turn("Bye.", *[LOOK] * 10, call("end_call")), turn("Well, goodbye.")])
    assert (Outcome.CHAIN_LIMIT, False) == (trace.tool_events[10].outcome, trace.tool_events[10].ended_call)
    assert EndReason.CALLER_DONE is trace.end


def test_the_greeting_has_the_same_limit() -> None:
    """Before the caller has said anything the chain is bounded too."""
    trace, answers = _played([turn("", *[LOOK] * 11), turn(GREETING), turn("Goodbye.")])
    assert CHAIN_LIMIT == _outcomes(trace).count(Outcome.MATCHED)
    assert not answers[0].calls_allowed


# -- results ------------------------------------------------------------------------------------------------------------------


def test_every_call_of_a_batch_is_answered_in_order() -> None:
    """One tool message per call, in the order of the calls, each naming its call."""
    trace, answers = _played([turn(GREETING), turn("Two looks.", LOOK, call("nothing", a=1), LOOK), turn("Bye.")])
    agent = next(message for message in trace.messages if message.tool_calls)
    results = [message for message in trace.messages if message.role is Role.TOOL]
    assert ["find_card", "nothing", "find_card"] == [item.tool for item in agent.tool_calls]
    assert [item.id for item in agent.tool_calls] == [message.tool_call_id for message in results]
    assert [agent.index + 1, agent.index + 2, agent.index + 3] == [message.index for message in results]
    assert [item.id for item in agent.tool_calls] == [item.call_id for item in answers[0].answers]
    assert ["find_card", "nothing", "find_card"] == [item.tool for item in answers[0].answers]


def test_an_unknown_tool_is_the_agents_fault_and_the_call_goes_on() -> None:
    """The typed error goes back to the candidate, and the trace keeps the name that was sent."""
    trace, answers = _played([turn(GREETING), turn("", call("open_sesame", please=True)), turn("Sorry. Goodbye.")])
    (event,) = trace.tool_events
    assert (Outcome.UNKNOWN_TOOL, "open_sesame", {"please": True}) == (event.outcome, event.tool, event.arguments)
    assert "unknown_tool" == answers[0].answers[0].result["error"]
    assert EndReason.CALLER_DONE is trace.end


def test_arguments_that_cannot_be_read_are_kept_as_sent() -> None:
    """The trace holds the raw arguments, no parsed ones, and why."""
    trace, _ = _played([turn(GREETING), turn("", call("find_card", '{"card_number": ')), turn("Bye.")])
    (event,) = trace.tool_events
    assert (Outcome.PARSE_ERROR, '{"card_number": ', None) == (event.outcome, event.raw_arguments, event.arguments)
    assert "arguments are not valid JSON: Expecting value at character 16" == event.parse_error
    assert {"status": "no"} == event.result


@pytest.mark.parametrize(
    "broken",
    [float("nan"), {"a": float("inf")}, "\ud800", {"a": "\ud800"}, '{"a": NaN}', '{"a": "\\ud800"}', "[" * 50_000],
    ids=lambda value: repr(value)[:30],
)
def test_a_trace_can_carry_whatever_a_candidate_sends(broken: Any) -> None:
    """Arguments that no file can hold become their own description, and still are a parse error."""
    sent = ToolCall.model_construct(id="x", tool="find_card\ud800", arguments=broken)
    fine = ToolCall.model_construct(id="x", tool="find_card", arguments=broken)
    trace, _ = _played([turn("Hello \ud800."), turn("", sent, fine), turn("Bye.")])
    assert "Hello \\ud800." == trace.messages[1].content
    assert [Outcome.UNKNOWN_TOOL, Outcome.PARSE_ERROR] == _outcomes(trace)
    assert trace == Trace.model_validate_json(trace_bytes(trace))


def test_what_a_candidate_does_to_a_result_does_not_reach_the_trace() -> None:
    """The record is made of what was returned, not of what became of it."""

    class Vandal(ListCandidate):
        def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
            if isinstance(observation, ToolAnswers):
                observation.answers[0].result.clear()
            return super().respond(observation)

    trace = play(Vandal([turn(GREETING), turn("", LOOK), turn("Bye.")]), scenario=LONG_QUEUE)
    assert {"status": "answer_0"} == trace.tool_events[0].result


def test_a_tool_event_keeps_what_was_read_and_how_each_matcher_answered() -> None:
    """Parsed arguments, no parse error, every matcher's result with its reason, what came back, and that the call goes on."""
    sent = call("renew_loan", card_number="0441 2907", title="Other", weeks=2)
    (event,) = play([turn(GREETING), turn("", sent), turn("Bye.")]).tool_events
    assert (sent.arguments, None, Outcome.MISMATCH) == (event.arguments, event.parse_error, event.outcome)
    assert [("card_number", True), ("title", False), ("weeks", True)] == [(each.argument, each.ok) for each in event.matchers]
    assert "expected 'The Long Harbor' (normalized), found 'Other'" == event.matchers[1].reason
    assert ({"status": "rejected"}, False) == (event.result, event.ended_call)


def test_a_result_is_a_message_with_the_returned_object() -> None:
    """The tool message holds the canonical JSON of the event's result."""
    trace, _ = _played([turn(GREETING), turn("", LOOK), turn("Bye.")])
    (event,) = trace.tool_events
    assert event.result == json.loads(trace.messages[event.result_message].content)
    assert '{"status":"answer_0"}' == trace.messages[event.result_message].content


# -- farewells ----------------------------------------------------------------------------------------------------------------


def test_a_concluding_message_is_recorded_as_speech_before_the_tool_event() -> None:
    """Models that cannot speak and call a tool together say goodbye through the reserved parameter."""
    trace = play([turn(GREETING), turn("", call("end_call", reason="done", concluding_message=" Goodbye, Rosa. "))])
    event = trace.tool_events[0]
    assert "Goodbye, Rosa." == trace.messages[event.message].content
    assert event.message < event.result_message
    assert {"reason": "done"} == event.arguments
    assert {"reason": "done", "concluding_message": " Goodbye, Rosa. "} == event.raw_arguments


def test_a_concluding_message_follows_what_was_said_with_it() -> None:
    """Speech and farewell of one turn are one message, in that order."""
    trace = play([turn(GREETING), turn("All is renewed.", call("end_call", concluding_message="Goodbye."))])
    assert "All is renewed. Goodbye." == trace.messages[trace.tool_events[0].message].content


def test_the_caller_hears_a_farewell_of_an_end_that_failed() -> None:
    """The words were said although the tool failed."""
    queue = [{"args": {}, "result": {"status": "busy"}, "mismatch": {"status": "busy"}}]
    caller = ListCaller([say("Thanks."), say("Bye.", done=True)])
    scene = scenario(put("backend.fixtures.end_call.queue", queue))
    play(
        [turn(GREETING), turn("", call("end_call", concluding_message="Goodbye.")), turn(""), turn("Bye.")],
        caller,
        scenario=scene,
    )
    assert [GREETING, "Thanks.", "Goodbye."] == [item.speech for item in caller.views[1].conversation]


# -- the record ---------------------------------------------------------------------------------------------------------------

TURNS = st.lists(
    st.builds(
        lambda speech, calls: AgentTurn(speech=speech, calls=tuple(calls)),
        st.sampled_from(["", " ", "Yes?", "One moment."]),
        st.lists(st.sampled_from([LOOK, call("nothing"), call("find_card", "{"), call("renew_loan", [])]), max_size=4),
    ),
    min_size=1,
    max_size=12,
)


@given(TURNS)
def test_indices_are_zero_based_stable_and_consistent(turns: list[AgentTurn]) -> None:
    """Whatever a candidate does, messages, events and turns cite one another rightly."""
    trace = play([*turns, turn("Goodbye.", call("end_call"))], [say("Hm.")], scenario=LONG_QUEUE)
    assert list(range(len(trace.messages))) == [message.index for message in trace.messages]
    assert Role.SYSTEM is trace.messages[0].role
    assert {(None, None)} == {(message.audio, message.interrupted_by) for message in trace.messages}
    assert list(range(len(trace.tool_events))) == [event.index for event in trace.tool_events]
    for event in trace.tool_events:
        sent = {item.id: item for item in trace.messages[event.message].tool_calls}
        assert event.raw_arguments == sent[event.call_id].arguments
        assert event.call_id == trace.messages[event.result_message].tool_call_id
        assert event.result == json.loads(trace.messages[event.result_message].content)
    tool_messages = [message.index for message in trace.messages if message.role is Role.TOOL]
    assert tool_messages == [event.result_message for event in trace.tool_events]
    call_ids = [item.id for message in trace.messages for item in message.tool_calls]
    assert len(set(call_ids)) == len(call_ids)
    for item in trace.caller_turns:
        for fragment in item.heard:
            message = trace.messages[fragment.message]
            assert (Role.CALLER, item.turn, fragment.text) == (message.role, message.caller_turn, message.content)
    assert trace == Trace.model_validate_json(trace_bytes(trace))
