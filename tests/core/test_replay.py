"""SPEC 3, replay: channel, speech and backend replay exactly, from the trace alone, and any difference is named by its index."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.bundle import Bundle, load_bundle
from core.candidate import AgentDisconnected, AgentProtocolError, AgentTurn
from core.errors import FileError
from core.line import AuthoredLine, AuthoredLines, Line, LineFactory, TextLines
from core.runs.play import Parties, Played, play_case
from core.runs.replay import Mismatch, differences, replay
from core.schemas.base import Condition
from core.schemas.call_trace import EndReason, Trace
from core.schemas.run import CaseKey
from core.schemas.scenario import Scenario
from tests.support.parties import GREETING, ListCaller, ListCandidate, call, say, turn
from tests.support.runs import CODE, parties
from tests.support.scenes import NOISY_FILE, SCENARIO_FILE, copy_minimal, minimal, put

LOOK = call("find_card", card_number="55190368")
TURNS: tuple[AgentTurn | Exception, ...] = (
    turn(GREETING),
    turn("Your card number?", call("find_card", "{"), call("sing", loud=True)),
    turn("", *[LOOK] * 9),
    turn("I am sorry, one more try.", LOOK),
    turn("Found it.", LOOK),
    turn("Anything else?"),
    turn("Then goodbye.", call("end_call", reason="done", concluding_message="Bye bye. ")),
)
REPLIES = (
    say("Hello hello, does my library card still work?", "ask_card"),
    "oops",
    say("It is five five one nine, zero three six eight.", "give_card"),
    say("No, thank you.", done=True),
)


def _trace(
    turns: tuple[AgentTurn | Exception, ...] = TURNS,
    replies: tuple[str | Exception, ...] = REPLIES,
    condition: Condition = Condition.AUTHORED,
    bundle: Bundle | None = None,
    scenario: str = "noisy-renewal",
) -> Trace:
    case = CaseKey(scenario=scenario, condition=condition)
    played = play_case(case, bundle or minimal(), parties(turns, replies), 7, CODE)
    assert isinstance(played, Played)
    return played.trace


def _lines(trace: Trace) -> LineFactory:
    return AuthoredLines() if trace.header.condition is Condition.AUTHORED else TextLines()


def _found(trace: Trace, bundle: Bundle | None = None) -> list[str]:
    return [str(item) for item in replay(trace, bundle or minimal(), _lines(trace))]


def _changed(trace: Trace, change: Callable[[Any], None]) -> Trace:
    data = json.loads(trace.model_dump_json(by_alias=True))
    change(data)
    return Trace.model_validate(data)


# -- what agrees ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", [Condition.TEXT, Condition.AUTHORED])
def test_a_trace_replays_without_a_difference(condition: Condition) -> None:
    """Events, splits, a rejected attempt, parse errors, unknown tools, the chain limit and a farewell included."""
    trace = _trace(condition=condition)
    assert EndReason.TOOL_END is trace.end
    assert {"parse_error", "unknown_tool", "default", "chain_limit"} == {event.outcome.value for event in trace.tool_events}
    assert 1 == sum(len(item.rejected) for item in trace.caller_turns)
    assert [] == _found(trace)


@pytest.mark.parametrize(
    ("turns", "replies", "end"),
    [
        ((turn("Hi."), turn("Bye.", call("end_call"))), (say("Hello."),), EndReason.TOOL_END),
        ((turn("Hi."), turn("Bye.")), (say("Bye.", done=True),), EndReason.CALLER_DONE),
        ((turn("Hi."), turn("Hm.")), (say("Hm."),), EndReason.TURN_LIMIT),
        ((turn("Hi."), turn("", LOOK), AgentDisconnected("reset by peer")), (say("Hm."),), EndReason.AGENT_DISCONNECTED),
        ((AgentDisconnected("at once"),), (say("Hm."),), EndReason.AGENT_DISCONNECTED),
        ((turn("Hi."), AgentProtocolError("no JSON")), (say("Hm."),), EndReason.PROTOCOL_ERROR),
        ((turn(""),), (say("Hello?"),), EndReason.AGENT_IDLE),
    ],
    ids=lambda value: value.value if isinstance(value, EndReason) else "",
)
def test_every_end_replays(turns: Any, replies: Any, end: EndReason) -> None:
    """The six ends come out again, with their details."""
    trace = _trace(turns, replies)
    assert end is trace.end
    assert [] == _found(trace)


@pytest.mark.parametrize("farewell", ["", "  ", "Bye.", " Bye. ", "Found it."], ids=repr)
def test_speech_beside_a_farewell_replays(farewell: str) -> None:
    """A farewell carried by an argument is told apart from the words said with it, even where they are the same."""
    turns = (turn(GREETING), turn("Found it.", call("end_call", concluding_message=farewell)))
    assert [] == _found(_trace(turns))


def test_the_seeded_word_replays(tmp_path: Path) -> None:
    """The line's chance comes from the seed in the header."""
    root = copy_minimal(tmp_path, seeded=(SCENARIO_FILE, put("channel", {"seeded_word": True})))
    bundle = load_bundle(root)
    trace = _trace(
        (turn(GREETING), turn("Bye.")), (say("Good morning everybody.", done=True),), bundle=bundle, scenario="renew-loan"
    )
    assert trace.caller_turns[0].events[0].applied
    assert [] == _found(trace, bundle)


def test_a_rerun_replays() -> None:
    """The seeds of a later attempt are derived again too."""
    replies = iter([("no JSON",), REPLIES])
    made = Parties(
        caller=lambda _scenario: ListCaller(next(replies)),
        candidate=lambda _scenario: ListCandidate(TURNS),
        lines={Condition.TEXT: TextLines()},
    )
    played = play_case(CaseKey(scenario="noisy-renewal", condition=Condition.TEXT), minimal(), made, 7, CODE)
    assert isinstance(played, Played)
    assert 1 == played.trace.header.rerun
    assert [] == _found(played.trace)


# -- what differs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("caller_turns.1.heard.0.text", "It is two.", "caller_turns[1].heard[0].text: recorded 'It is two.', replayed"),
        ("messages.2.content", "Hello.", "messages[2].content: recorded 'Hello.', replayed 'Hello Hello hello, does my libr"),
        ("caller_turns.0.events.0.applied", False, "caller_turns[0].events[0].applied: recorded False, replayed True"),
        ("caller_turns.0.events.0.after", "hello", "caller_turns[0].events[0].after: recorded 'hello', replayed 'Hello Hello'"),
        ("caller_turns.1.events.0.before", "x", "caller_turns[1].events[0].before: recorded 'x', replayed 'five five one"),
        ("caller_turns.0.intended", "Hi.", "caller_turns[0].intended: recorded 'Hi.', replayed 'Hello hello, does my"),
        ("caller_turns.0.expressed", [], "caller_turns[0].expressed[0]: recorded None, replayed 'ask_card'"),
        ("caller_turns.1.rejected.0.reasons", ["x"], "caller_turns[1].rejected[0].reasons[0]: recorded 'x', replayed 'not valid"),
        ("caller_turns.2.done", False, "caller_turns[2].done: recorded False, replayed True"),
        ("tool_events.2.result.status", "lost", "tool_events[2].result.status: recorded 'lost', replayed 'locked'"),
        ("tool_events.0.outcome", "matched", "tool_events[0].outcome: recorded 'matched', replayed 'parse_error'"),
        ("tool_events.0.parse_error", None, "tool_events[0].parse_error: recorded None, replayed 'arguments are not valid JSON"),
        ("tool_events.13.ended_call", False, "tool_events[13].ended_call: recorded False, replayed True"),
        ("tool_events.2.call_number", 5, "tool_events[2].call_number: recorded 5, replayed 1"),
        ("end", "caller_done", "end: recorded 'caller_done', replayed 'tool_end'"),
        ("end_detail", "x", "end_detail: recorded 'x', replayed ''"),
        ("messages.0.content", "Be rude.", "messages[0].content: recorded 'Be rude.', replayed '# Corner Library desk"),
        ("header.seeds.line", 5, "header.seeds.line: recorded 5, replayed "),
        ("header.prompt_sha256", "0" * 64, f"header.prompt_sha256: recorded '{'0' * 64}', replayed "),
        ("header.language", "hi", "header.language: recorded 'hi', replayed 'en'"),
        ("header.repeat", 1, "header.seeds."),
        ("header.line.line", "authored-0", "header.line.line: recorded 'authored-0', here 'authored-1'"),
    ],
)
def test_whatever_is_changed_is_named_with_its_index(path: str, value: Any, where: str) -> None:
    """A heard text, an event, a tool result, the end: the path says which, with what was recorded and what came out."""
    found = _found(_changed(_trace(), put(path, value)))
    assert found
    assert any(item.startswith(where) for item in found), found
    assert 1 == len(found) or path.startswith("header.repeat")


def test_a_changed_tool_result_is_named_in_event_and_message() -> None:
    """The returned object stands in both places, so a change of both gives two differences."""
    trace = _trace()
    event = trace.tool_events[2]

    def change(data: Any) -> None:
        data["tool_events"][2]["result"] = {"status": "found"}
        data["messages"][event.result_message]["content"] = '{"status":"found"}'

    assert [f"messages[{event.result_message}].content", "tool_events[2].result.status"] == [
        item.split(":")[0] for item in _found(_changed(trace, change))
    ]


def test_an_argument_that_is_changed_changes_the_event_that_follows_from_it() -> None:
    """The call is the candidate's, its answer the backend's: the replay answers what the message says."""
    trace = _trace((turn(GREETING), turn("Look.", LOOK), turn("Bye.")), (say("Bye.", done=True),))
    found = _found(_changed(trace, put("messages.3.tool_calls.0.arguments.card_number", "1")))
    assert any(item.startswith("tool_events[0].outcome: recorded 'matched', replayed 'mismatch'") for item in found)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_reply_that_would_be_rejected_is_named_by_its_turn(number: int) -> None:
    """The turn whose recorded reply no longer passes is the one that is named."""
    found = _found(_changed(_trace(), put(f"caller_turns.{number}.raw", '{"speech": ""}')))
    assert [f"caller_turns[{number}]: recorded 'accepted', replayed 'rejected: "] == [
        item[: item.index("rejected: ") + 10] for item in found
    ]


def test_turns_that_are_missing_or_too_many_are_named() -> None:
    """A trace cut short, or with a turn invented, does not pass."""
    trace = _trace((turn(GREETING), turn("Yes?"), turn("Bye.")), (say("Hello."), say("Bye.", done=True)))

    def cut(data: Any) -> None:
        data["caller_turns"].pop()
        data["messages"] = data["messages"][:-2]

    assert ["caller_turns[1]"] == [item.split(":")[0] for item in _found(_changed(trace, cut))]

    def repeat(data: Any) -> None:
        data["messages"].append(data["messages"][-1] | {"index": len(data["messages"])})

    assert [f"messages[{len(trace.messages)}]"] == [item.split(":")[0] for item in _found(_changed(trace, repeat))]


# -- what cannot be compared ------------------------------------------------------------------------------------------------


class _OtherMachine(AuthoredLine):
    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "cpu": ["avx2"]}

    def carry(self, turn: Any, rng: Any) -> Any:
        raise AssertionError("nothing may be carried on another line")


class _OtherLines(AuthoredLines):
    def open(self, scenario: Scenario, seed: int) -> Line:
        del seed
        return _OtherMachine(scenario)


def test_another_line_is_named_instead_of_a_difference() -> None:
    """Where engine or CPU features differ, that is all that is said, since nothing behind it can be compared."""
    found = replay(_trace(), minimal(), _OtherLines())
    assert [Mismatch("header.line.cpu", None, ["avx2"])] == found
    assert "header.line.cpu: recorded None, here ['avx2']" == str(found[0])


def test_a_trace_of_another_bundle_is_refused(tmp_path: Path) -> None:
    """The bundle's hash in the header decides what a trace can be replayed with."""
    other = load_bundle(copy_minimal(tmp_path, other=(NOISY_FILE, put("title", "Changed"))))
    with pytest.raises(
        FileError, match=f"the trace belongs to bundle {minimal().bundle_hash[:12]}, this one is {other.bundle_hash[:12]}"
    ):
        replay(_trace(), other, AuthoredLines())


def test_a_trace_of_an_unknown_scenario_is_refused() -> None:
    """A header that names no scenario of its bundle is an error of the file."""
    with pytest.raises(FileError, match="no scenario 'sing', which the trace names"):
        replay(_changed(_trace(), put("header.scenario", "sing")), minimal(), AuthoredLines())


def test_differences_are_leaves_with_their_paths() -> None:
    """Every leaf that differs is told, missing ones as None, and 1 is not true."""
    a: Any = {"x": [1, {"y": 2}, 3], "z": True, "same": [1]}
    b: Any = {"x": [1, {"y": 5}], "z": 1, "new": "n", "same": [1]}
    assert [
        "new: recorded None, replayed 'n'",
        "x[1].y: recorded 2, replayed 5",
        "x[2]: recorded 3, replayed None",
        "z: recorded True, replayed 1",
    ] == [str(item) for item in differences(a, b, "")]
