"""SPEC 3.1 to 3.4 and 3.7: who speaks when, the second attempt of a caller, and the six ways a call ends."""

from __future__ import annotations

import numpy as np
import pytest

from core.call import MAX_CALLER_TURNS, MAX_IDLE_TURNS
from core.caller import CallerInvalid
from core.candidate import AgentDisconnected, AgentProtocolError, AgentTurn, Hearing, ToolAnswers
from core.errors import EngineError
from core.line import Heard, LineTurn, TextLine
from core.schemas.base import Condition
from core.schemas.call_trace import EndReason, Role, Trace
from core.seeds import component_seeds, generator
from tests.support.parties import DONE, GREETING, ListCaller, ListCandidate, call, play, say, turn
from tests.support.scenes import put, scenario

CARD = call("find_card", card_number="04412907")


def _roles(trace: Trace) -> list[str]:
    return [message.role.value for message in trace.messages]


# -- turns ----------------------------------------------------------------------------------------------------------------


def test_the_candidate_speaks_first_after_the_system_message() -> None:
    """Message 0 is the rendered prompt, message 1 the greeting; there is no empty user message in a trace."""
    trace = play([turn(GREETING), turn("Goodbye.")])
    assert ["system", "agent", "caller", "agent"] == _roles(trace)
    assert GREETING == trace.messages[1].content
    assert "Today is Monday, March 16, 2026." in trace.messages[0].content


def test_caller_and_candidate_take_turns() -> None:
    """Each caller turn is carried, heard and answered before the next one."""
    candidate = ListCandidate([turn(GREETING), turn("Your card number?"), turn("Which book?"), turn("Goodbye.")])
    replies = [say("I'd like to renew a book.", "ask_renewal"), say("It's 0441 2907.", "give_card"), say("Bye.", done=True)]
    trace = play(candidate, replies)
    assert [1, 2, 3] == [item.turn for item in trace.caller_turns]
    assert [("ask_renewal",), ("give_card",), ()] == [item.expressed for item in trace.caller_turns]
    assert [("I'd like to renew a book.",), ("It's 0441 2907.",), ("Bye.",)] == [
        item.fragments for item in candidate.observations if isinstance(item, Hearing)
    ]


def test_the_turn_with_done_is_carried_and_answered_once_more() -> None:
    """A caller that is done is still heard, and the candidate has the last word."""
    trace = play([turn(GREETING), turn("Goodbye.")], [say("That is all.", done=True)])
    assert (EndReason.CALLER_DONE, "") == (trace.end, trace.end_detail)
    assert ["That is all.", "Goodbye."] == [message.content for message in trace.messages[2:]]
    assert trace.caller_turns[0].done


def test_the_answer_to_done_may_call_tools() -> None:
    """The last answer has its whole chain of tools."""
    trace = play([turn(GREETING), turn("One moment.", CARD), turn("Found it. Goodbye.")], DONE)
    assert ["agent", "caller", "agent", "tool", "agent"] == _roles(trace)[1:]
    assert EndReason.CALLER_DONE is trace.end


def test_the_answer_to_done_may_end_the_call_itself() -> None:
    """A call-ending tool that succeeds in the last answer is what ended the call."""
    trace = play([turn(GREETING), turn("Goodbye.", call("end_call"))], DONE)
    assert EndReason.TOOL_END is trace.end


# -- the six ends ---------------------------------------------------------------------------------------------------------


def test_a_call_ends_when_a_call_ending_tool_succeeds() -> None:
    """Nothing is asked of caller or candidate after the result that ended the call."""
    caller = ListCaller([say("I'd like to renew a book.", "ask_renewal")])
    candidate = ListCandidate([turn(GREETING), turn("Goodbye.", call("end_call"))])
    trace = play(candidate, caller)
    assert EndReason.TOOL_END is trace.end
    assert (1, 1) == (len(caller.views), len(candidate.observations))
    assert Role.TOOL is trace.messages[-1].role
    assert [True] == [event.ended_call for event in trace.tool_events]


def test_a_failed_call_ending_tool_hands_control_back() -> None:
    """The candidate sees the failure and goes on: it may explain and try again, and the caller may speak."""
    queue = [{"args": {}, "result": {"status": "line_busy"}, "mismatch": {"status": "line_busy"}}]
    candidate = ListCandidate(
        [turn(GREETING), turn("Goodbye.", call("end_call")), turn("That did not work."), turn("Bye.", call("end_call"))]
    )
    trace = play(candidate, [say("Fine.")], scenario=scenario(put("backend.fixtures.end_call.queue", queue)))
    assert [("line_busy", False), ("ended", True)] == [(e.result["status"], e.ended_call) for e in trace.tool_events]
    answers = candidate.observations[1]
    assert isinstance(answers, ToolAnswers)
    assert ({"status": "line_busy"}, True) == (answers.answers[0].result, answers.calls_allowed)
    assert 2 == len(trace.caller_turns)
    assert EndReason.TOOL_END is trace.end


def test_a_call_ends_at_thirty_caller_turns() -> None:
    """The thirtieth turn is still answered; there is no thirty-first."""
    candidate = ListCandidate([turn("Go on.")])
    trace = play(candidate, [say("Hm.")])
    assert (30, EndReason.TURN_LIMIT) == (MAX_CALLER_TURNS, trace.end)
    assert list(range(1, 31)) == [item.turn for item in trace.caller_turns]
    assert 30 == len(candidate.observations)
    assert Role.AGENT is trace.messages[-1].role


def test_done_in_the_thirtieth_turn_is_the_callers_end() -> None:
    """A caller that finishes with its last turn was not cut off."""
    trace = play([turn("Go on.")], [*[say("Hm.")] * 29, say("Bye.", done=True)])
    assert (30, EndReason.CALLER_DONE) == (len(trace.caller_turns), trace.end)


@pytest.mark.parametrize(
    ("fault", "end"),
    [
        (AgentDisconnected("socket closed"), EndReason.AGENT_DISCONNECTED),
        (AgentProtocolError("no JSON"), EndReason.PROTOCOL_ERROR),
    ],
)
@pytest.mark.parametrize("after", [0, 1, 2])
def test_an_agent_that_is_gone_or_breaks_protocol_ends_the_call(fault: Exception, end: EndReason, after: int) -> None:
    """At the greeting, in answer to the caller or after a tool: the call ends there and is kept as it stands."""
    turns: list[AgentTurn | Exception] = [turn(GREETING), turn("One moment.", CARD), turn("Found.")]
    trace = play([*turns[:after], fault], [say("Hello.")])
    assert (end, str(fault)) == (trace.end, trace.end_detail)
    assert [[], ["agent", "caller"], ["agent", "caller", "agent", "tool"]][after] == _roles(trace)[1:]


def test_an_agent_that_idles_ends_the_call() -> None:
    """Three turns in a row with neither speech nor tool call."""
    trace = play([turn(GREETING), turn(" "), turn(""), turn("\n")], [say("Hello?")])
    assert (3, EndReason.AGENT_IDLE) == (MAX_IDLE_TURNS, trace.end)
    assert "3 turns without speech or tool call" == trace.end_detail
    assert 3 == len(trace.caller_turns)


@pytest.mark.parametrize("sign_of_life", [turn("Yes?"), turn("", CARD)])
def test_speech_or_a_tool_call_breaks_the_idling(sign_of_life: AgentTurn) -> None:
    """Only turns in a row count, and a turn that calls a tool is not idle."""
    turns = [turn(""), turn(""), sign_of_life, turn(""), turn(""), turn("Goodbye.", call("end_call"))]
    trace = play(turns, [say("Hello?")])
    assert EndReason.TOOL_END is trace.end


# -- silence --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("silence", ["", "  ", "\n\t"], ids=repr)
def test_empty_speech_is_recorded_and_heard_as_silence(silence: str) -> None:
    """A blank answer is a message without words, and the caller knows that nothing was said."""
    caller = ListCaller([say("Hello?"), say("Bye.", done=True)])
    trace = play([turn(silence), turn(silence), turn("Yes?")], caller)
    assert ["", "Hello?", "", "Bye.", "Yes?"] == [message.content for message in trace.messages[1:]]
    assert [("agent", "")] == [(item.speaker, item.speech) for item in caller.views[0].conversation]
    assert [("agent", ""), ("caller", "Hello?"), ("agent", "")] == [
        (item.speaker, item.speech) for item in caller.views[1].conversation
    ]


def test_a_tool_call_without_speech_is_silence_to_the_caller_only_if_nothing_follows() -> None:
    """What the candidate says after its tools is what the caller hears of that turn."""
    caller = ListCaller([say("Hello?"), say("Bye.", done=True)])
    play([turn(GREETING), turn("", CARD), turn("Found it."), turn("Goodbye.")], caller)
    assert [GREETING, "Hello?", "Found it."] == [item.speech for item in caller.views[1].conversation]
    caller = ListCaller([say("Hello?"), say("Bye.", done=True)])
    play([turn(GREETING), turn("", CARD), turn(""), turn("Goodbye.")], caller)
    assert [GREETING, "Hello?", ""] == [item.speech for item in caller.views[1].conversation]


# -- the caller's second attempt -----------------------------------------------------------------------------------------


def test_a_rejected_reply_gets_one_more_attempt_with_the_reason() -> None:
    """The second view carries the reasons of the first rejection; the conversation has not moved."""
    caller = ListCaller([say("Hi.", "give_card"), say("I want to renew a book.", "ask_renewal"), say("Bye.", done=True)])
    trace = play([turn(GREETING), turn("Sure."), turn("Goodbye.")], caller)
    first, second, third = caller.views
    assert ((), ("step 'give_card' is out of order: 'ask_renewal' is next",), ()) == (
        first.rejection,
        second.rejection,
        third.rejection,
    )
    assert first.conversation == second.conversation
    assert ("ask_renewal",) == third.expressed
    assert 2 == len(trace.caller_turns)


def test_the_trace_keeps_rejected_attempts_with_their_reasons() -> None:
    """The raw reply of every attempt and the reasons against it stand beside the accepted turn."""
    trace = play([turn(GREETING), turn("Goodbye.")], ["no JSON", say("Bye.", done=True)])
    (rejected,) = trace.caller_turns[0].rejected
    assert ("no JSON", ("not valid JSON: Expecting value at character 0",)) == (rejected.raw, rejected.reasons)
    assert say("Bye.", done=True) == trace.caller_turns[0].raw


@pytest.mark.parametrize("bad", ["{", say(""), say("my card_number"), say("**Hi**"), say("Hi", "ask_renewal", "give_card")])
def test_a_caller_that_fails_twice_in_a_turn_ends_the_attempt(bad: str) -> None:
    """There is no third attempt in a turn: the conversation itself is invalid, and there is no trace of it."""
    caller = ListCaller([say("Hello."), bad, bad, say("Bye.", done=True)])
    with pytest.raises(CallerInvalid) as caught:
        play([turn(GREETING)], caller)
    assert 3 == len(caller.views)
    assert [bad, bad] == [attempt.raw for attempt in caught.value.attempts]
    assert "; ".join(caught.value.attempts[1].reasons) == str(caught.value)


def test_a_failure_of_the_engine_or_provider_is_nobodys_turn() -> None:
    """What is our fault leaves the loop as the error it is; no trace is made of it."""
    with pytest.raises(EngineError):
        play([turn(GREETING), EngineError("voice failed")])


# -- what the parties are given -----------------------------------------------------------------------------------------


def test_each_party_gets_its_own_component_seed() -> None:
    """The seeds of the header are what candidate and caller receive."""
    caller, candidate = ListCaller(DONE), ListCandidate([turn(GREETING), turn("Bye.")])
    trace = play(candidate, caller, run_seed=3)
    seeds = component_seeds(3, "renew-loan", 0, 0, Condition.TEXT)
    assert seeds == trace.header.seeds
    assert (seeds.candidate, [seeds.caller]) == (candidate.seed, caller.seeds)


class _DrawingLine(TextLine):
    """A line that notes the first number of the generator each turn is carried with."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        self.drawn.append(int(rng.integers(2**62)))
        return super().carry(turn, rng)


def test_the_line_takes_its_chance_from_its_own_seed_turn_by_turn() -> None:
    """Each turn has a stream of the line's seed, whatever was drawn in the turns before and whoever speaks."""
    line = _DrawingLine()
    trace = play([turn("Go on.")], [say("One."), say("Two."), say("Three.", done=True)], line=line)
    streams = [generator(trace.header.seeds.line, "turn", number) for number in (1, 2, 3)]
    assert [int(stream.integers(2**62)) for stream in streams] == line.drawn


def test_the_same_replies_and_turns_make_the_same_trace() -> None:
    """The loop itself has no chance in it."""
    turns = [turn(GREETING), turn("One moment.", CARD, call("nothing")), turn("Found."), turn("Goodbye.", call("end_call"))]
    replies = [say("Hello.", "ask_renewal"), "{", say("Bye.", done=True)]
    assert play(turns, replies) == play(turns, replies)
