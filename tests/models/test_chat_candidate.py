"""The chat candidate: what stands on the wire, how replies become speech and calls, and every fault of a reply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ProviderError
from core.line import Heard, HeardFragment, LineTurn, TextLine
from core.prompt import render_prompt
from core.schemas.base import Condition
from core.schemas.call_trace import EndReason, Message, Outcome, Role, ToolEvent, Trace
from core.schemas.scenario import Scenario
from models.chat.candidate import ChatCandidate
from models.chat.prompts import prompt
from models.chat.request import SEEDS
from tests.support.chat_parties import Provider, contents, provider
from tests.support.chat_server import (
    Item,
    broken,
    hang,
    no_choices,
    no_setting,
    rate_limited,
    say,
    thinking,
    too_long,
    tools,
    tools_as_objects,
    truncated,
)
from tests.support.parties import DONE, play
from tests.support.parties import say as caller_says
from tests.support.scenes import minimal, put, scenario

INSTRUCTIONS = render_prompt(minimal().templates["corner-library"], scenario().variables)
CARD = {"card_number": "04412907"}
TWO_TURNS = (caller_says("A book, please.", "ask_renewal"), *DONE)


class _Calls:
    """Plays calls with a scripted candidate's model."""

    def __init__(self, model: Provider, cache: Path) -> None:
        self.model = model
        self.cache = cache

    def __call__(
        self,
        *items: Item,
        options: str = "",
        replies: Sequence[str] = DONE,
        scene: Scenario | None = None,
        condition: Condition = Condition.TEXT,
        line: TextLine | None = None,
    ) -> Trace:
        self.model.script("candidate", *items)
        self.candidate = ChatCandidate(self.model.client("candidate", self.cache, options))
        return play(self.candidate, list(replies), scenario=scene, condition=condition, line=line)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return self.model.sent()


@pytest.fixture(scope="module", name="model")
def _model() -> Iterator[Provider]:
    with provider() as made:
        yield made


@pytest.fixture
def calls(model: Provider, tmp_path: Path) -> _Calls:
    """With a cache of its own."""
    return _Calls(model, tmp_path)


def _agent(trace: Trace) -> list[Message]:
    return [message for message in trace.messages if message.role is Role.AGENT]


def _spoken(trace: Trace) -> list[str]:
    return [message.content for message in _agent(trace)]


def _event(trace: Trace) -> ToolEvent:
    (event,) = trace.tool_events
    return event


# -- on the wire ----------------------------------------------------------------------------------------------------------


def test_the_rendered_instructions_are_the_system_message_and_nothing_else(calls: _Calls) -> None:
    """The candidate speaks first, to nobody; what it sees is exactly what excerpts are checked against."""
    trace = calls("Corner Library.", "Goodbye.")
    assert [("system", INSTRUCTIONS)] == contents(calls.bodies[0])
    assert trace.messages[0].content == calls.bodies[0]["messages"][0]["content"]
    after = [("system", INSTRUCTIONS), ("assistant", "Corner Library."), ("user", "That is all, thank you.")]
    assert after == contents(calls.bodies[1])
    assert [trace.header.seeds.candidate % SEEDS] * 2 == [body["seed"] for body in calls.bodies]


def test_tools_are_functions_without_the_harnesss_own_fields(calls: _Calls) -> None:
    """Name, description and JSON Schema; neither `ends_call` nor the success condition."""
    calls("Corner Library.", "Goodbye.")
    (_, _, end) = calls.bodies[0]["tools"]
    parameters = {"type": "object", "properties": {"reason": {"type": "string"}}}
    assert {"type": "function", "function": {"name": "end_call", "description": "Hang up.", "parameters": parameters}} == end
    assert "tool_choice" not in calls.bodies[0]


def test_an_endpoint_that_wants_a_user_first_gets_one_empty_message(calls: _Calls) -> None:
    """The seed's first accommodation; it is no message of the trace."""
    trace = calls("Corner Library.", "Goodbye.", options="user_first=on")
    assert [("system", INSTRUCTIONS), ("user", "")] == contents(calls.bodies[0])
    assert [Role.SYSTEM, Role.AGENT, Role.CALLER, Role.AGENT] == [message.role for message in trace.messages]


@pytest.mark.parametrize("options", ["system=off", "system=off&user_first=on"])
def test_an_endpoint_without_system_messages_gets_the_instructions_as_the_users_first(calls: _Calls, options: str) -> None:
    """`system=off`, from the first request to the last."""
    calls("Corner Library.", "Goodbye.", options=options)
    assert [("user", INSTRUCTIONS)] == contents(calls.bodies[0])
    assert [("user", INSTRUCTIONS), ("assistant", "Corner Library.")] == contents(calls.bodies[1])[:2]


@pytest.mark.parametrize(
    ("options", "heard"),
    [("", [("user", "Hello, does"), ("user", "my card work?")]), ("fragments=joined", [("user", "Hello, does\nmy card work?")])],
)
def test_fragments_are_messages_of_their_own_or_one_where_an_endpoint_refuses_that(
    calls: _Calls, options: str, heard: list[tuple[str, str]]
) -> None:
    """VAD scenarios: at most three consecutive messages, to be read as a single meaning."""
    calls("Corner Library.", "Goodbye.", options=options, line=_Pieces("Hello, does", "my card work?"))
    assert heard == contents(calls.bodies[1])[2:]


class _Pieces(TextLine):
    """A line on which every turn arrives as these pieces."""

    def __init__(self, *pieces: str) -> None:
        self._heard = tuple(HeardFragment(piece) for piece in pieces)

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        return Heard(fragments=self._heard)


def test_a_caller_that_was_not_heard_is_told_as_silence(calls: _Calls) -> None:
    """Many endpoints refuse an empty message; the trace keeps what arrived."""
    trace = calls("Corner Library.", "Hello?", line=_Pieces(" "))
    assert ("user", "(silence)") == contents(calls.bodies[1])[-1]
    assert " " == trace.caller_turns[0].heard[0].text


def test_results_go_back_under_the_endpoints_own_ids(calls: _Calls) -> None:
    """The trace numbers calls anew, the endpoint does not learn of it; the returned message goes back unchanged."""
    function = {"name": "find_card", "arguments": json.dumps(CARD)}
    made = [{"id": name, "type": "function", "function": function} for name in ("toolu_9", "toolu_4")]
    ask = say("One moment.", tool_calls=made, finish="tool_calls")
    trace = calls("Corner Library.", ask, "It is there.", "Goodbye.", replies=TWO_TURNS)
    sent = calls.bodies[2]["messages"][-3:]
    assert ("One moment.", made) == (sent[0]["content"], sent[0]["tool_calls"])
    assert {"role": "tool", "tool_call_id": "toolu_9", "content": '{"shelf_mark":"KX-7714","status":"found"}'} == sent[1]
    assert ("tool", "toolu_4") == (sent[2]["role"], sent[2]["tool_call_id"])
    assert [("call_0", Outcome.MATCHED), ("call_1", Outcome.MATCHED)] == [
        (event.call_id, event.outcome) for event in trace.tool_events
    ]


def test_what_an_endpoint_signs_goes_back_with_the_message(calls: _Calls) -> None:
    """Thought signatures are lost where a message is rebuilt from its parts (litellm issues 16893 and 25322)."""
    call = {"id": "c9", "type": "function", "function": {"name": "find_card", "arguments": json.dumps(CARD)}}
    signed = say("", provider_specific_fields={"thought_signature": "c2ln"}, tool_calls=[call], finish="tool_calls")
    calls("Corner Library.", signed, "It is there.", "Goodbye.", replies=TWO_TURNS)
    assert "c2ln" in json.dumps(calls.bodies[2]["messages"][-2])


def test_one_call_at_a_time_can_be_asked_for(calls: _Calls) -> None:
    """`parallel_tools=off`."""
    calls("Corner Library.", "Goodbye.", options="parallel_tools=off")
    assert [False, False] == [body["parallel_tool_calls"] for body in calls.bodies]


# -- speech and tools -------------------------------------------------------------------------------------------------------


def test_speech_and_calls_come_in_one_turn(calls: _Calls) -> None:
    """Both are in one agent message of the trace, and nothing raw is kept where there is nothing more."""
    trace = calls("Corner Library.", tools(("find_card", CARD), speech="One moment."), "Found.", "Bye.", replies=TWO_TURNS)
    assert ["Corner Library.", "One moment.", "Found.", "Bye."] == _spoken(trace)
    assert "find_card" == _agent(trace)[1].tool_calls[0].tool
    assert CARD == _event(trace).raw_arguments
    assert [""] * 4 == [message.raw for message in _agent(trace)]


def test_models_that_cannot_speak_and_call_at_once_say_goodbye_in_the_call(calls: _Calls) -> None:
    """The seed's second accommodation: call-ending tools, and only these, take a concluding message."""
    end = tools(("end_call", {"concluding_message": "Goodbye, then."}))
    trace = calls("Corner Library.", end, options="speech_or_tools=on", replies=TWO_TURNS)
    find, _, hang_up = (tool["function"]["parameters"]["properties"] for tool in calls.bodies[0]["tools"])
    assert {"card_number"} == set(find)
    assert "string" == hang_up["concluding_message"]["type"]
    assert "Goodbye, then." == _spoken(trace)[-1]
    assert {} == _event(trace).arguments
    assert EndReason.TOOL_END is trace.end


def test_after_the_chain_limit_no_tool_may_be_chosen(calls: _Calls) -> None:
    """Ten calls, the eleventh refused without its queue moving on, then speech alone: `tool_choice` says so."""
    chain = [tools(("find_card", CARD)) for _ in range(11)]
    trace = calls("Corner Library.", *chain, "I have looked.", "Bye.", replies=TWO_TURNS)
    outcomes = [event.outcome for event in trace.tool_events]
    assert [Outcome.MATCHED] * 2 + [Outcome.DEFAULT] * 8 + [Outcome.CHAIN_LIMIT] == outcomes
    assert ["none"] == [body["tool_choice"] for body in calls.bodies if "tool_choice" in body]
    assert "none" == calls.bodies[12]["tool_choice"]
    assert "tools" in calls.bodies[12]
    assert "I have looked." == _spoken(trace)[-2]


def test_a_model_that_calls_even_then_is_answered_before_the_caller_speaks(calls: _Calls) -> None:
    """Every call gets its result, or the endpoint would refuse the conversation; the agent said nothing, and it shows."""
    chain = [tools(("find_card", CARD)) for _ in range(12)]
    trace = calls("Corner Library.", *chain, "Sorry.", "Bye.", replies=TWO_TURNS)
    assert [Outcome.CHAIN_LIMIT] * 2 == [event.outcome for event in trace.tool_events[-2:]]
    ask, answer, heard = calls.bodies[13]["messages"][-3:]
    assert "assistant" == ask["role"]
    assert ("tool", "call_0") == (answer["role"], answer["tool_call_id"])
    assert "chain_limit" in answer["content"]
    assert {"role": "user", "content": "That is all, thank you."} == heard


# -- faults of a reply -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "item",
    [thinking("Greet first.", "Corner Library."), say("Greet first.</think>Corner Library."), say("Corner Library.<think>And")],
    ids=["closed", "unopened", "unclosed"],
)
def test_thoughts_are_not_spoken_and_the_raw_reply_is_kept(calls: _Calls, item: Item) -> None:
    """What the caller hears is what is left."""
    trace = calls(item, "Goodbye.")
    assert "Corner Library." == _spoken(trace)[0]
    assert "Greet first." in _agent(trace)[0].raw or "And" in _agent(trace)[0].raw


@pytest.mark.parametrize(
    "item",
    [say(""), say(None), say(" \n\t"), say("", finish="length"), say(None, finish="content_filter"), thinking("Hm.", "")],
    ids=["empty", "null", "whitespace", "cut at once", "filtered", "only thoughts"],
)
def test_an_empty_reply_is_silence_and_the_agents_fault(calls: _Calls, item: Item) -> None:
    """The call goes on and is graded; an empty message of the assistant, which endpoints refuse, does not go back."""
    trace = calls(item, "Goodbye.")
    assert ["", "Goodbye."] == _spoken(trace)
    assert EndReason.CALLER_DONE is trace.end
    assert all(str(content).strip() for role, content in contents(calls.bodies[1]) if role == "assistant")


def test_three_turns_of_silence_end_the_call_as_idle(calls: _Calls) -> None:
    """An agent that says nothing is never dropped."""
    trace = calls("", " ", "", replies=(caller_says("Hello?"),))
    assert EndReason.AGENT_IDLE is trace.end


def test_a_reply_cut_off_at_the_limit_is_spoken_as_far_as_it_goes(calls: _Calls) -> None:
    """`finish_reason: length` is the agent's fault and heard as it is."""
    trace = calls(say("Corner Libr", finish="length"), "Goodbye.", options="max_tokens=3")
    assert ["Corner Libr", "Goodbye."] == _spoken(trace)
    assert ("cut off at its largest length",) == _agent(trace)[0].attempts
    assert 3 == calls.bodies[0]["max_tokens"]


@pytest.mark.parametrize(
    ("function", "raw"),
    [({"name": "end_call", "arguments": ""}, {}), ({"name": "end_call"}, {}), ({"name": "find_card", "arguments": None}, "")],
    ids=["empty", "absent", "something required"],
)
def test_nothing_written_is_no_arguments_where_none_are_required(calls: _Calls, function: dict[str, Any], raw: object) -> None:
    """Several servers send such a call with no text at all; for a tool that requires something it is a broken call as before."""
    call = {"id": "a", "type": "function", "function": function}
    trace = calls("Corner Library.", say(None, tool_calls=[call], finish="tool_calls"), "I cannot.", "Bye.", replies=TWO_TURNS)
    event = _event(trace)
    assert (function["name"], raw, raw != {}) == (event.tool, event.raw_arguments, event.outcome is Outcome.PARSE_ERROR)


def test_a_refusal_is_kept_and_told(calls: _Calls) -> None:
    """OpenAI's models decline in a field of its own; the call hears silence, and a reader why."""
    trace = calls("Corner Library.", say(None, refusal="I cannot help with that."))
    assert ("", "I cannot help with that.", ("declined by the model: I cannot help with that.",)) == (
        _agent(trace)[1].content,
        _agent(trace)[1].raw,
        _agent(trace)[1].attempts,
    )


@pytest.mark.parametrize(
    "item", [thinking("Who is it?", "Hello."), say("Hello.", reasoning_content="Who is it?", annotations=[])]
)
def test_thoughts_go_back_unless_they_are_switched_off(calls: _Calls, item: Item) -> None:
    """Some endpoints want what they signed, and others refuse it; nothing that is empty goes back."""
    calls(item, "Goodbye.")
    assert "Who is it?" in json.dumps(calls.bodies[1]["messages"][1])
    assert "annotations" not in calls.bodies[1]["messages"][1]
    calls("Goodbye.", options="thoughts=off")  # the first reply is kept: it is the same request
    assert {"role": "assistant", "content": "Hello."} == calls.bodies[0]["messages"][1]


@pytest.mark.parametrize("role", ["user", None])
def test_a_reply_is_the_assistant_s_whatever_it_says(calls: _Calls, role: str | None) -> None:
    """Else the conversation would hold it as the caller's words."""
    calls(say("Hello.", role=role), "Goodbye.")
    assert ("assistant", "Hello.") == contents(calls.bodies[1])[1]


@pytest.mark.parametrize("options", ["", "tools=text", "tools=schema"])
def test_a_check_opens_a_call_with_a_tool(model: Provider, tmp_path: Path, options: str) -> None:
    """The way the calls will: as the endpoint's own, in the instructions, or as a schema beside them."""
    model.script("candidate", "Hello.")
    ChatCandidate(model.client("candidate", tmp_path, options)).check()
    (body,) = model.sent()
    own, schema = "tools" in body, "response_format" in body
    assert (not options, options == "tools=schema") == (own, schema)
    assert own == ("Notes something down." not in body["messages"][0]["content"])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ('{"card_number": "0441', "arguments are not valid JSON: Unterminated string starting at at character 16"),
        ('"04412907"', "arguments are a text, not an object"),
        ('"{\\"card_number\\": \\"04412907\\"}"', "arguments are a text, not an object"),
        ("[1]", "arguments are a list, not an object"),
        ("", "arguments are not valid JSON: Expecting value at character 0"),
        ('{"card_number": NaN}', "arguments are not valid JSON: NaN is no JSON number"),
    ],
    ids=["cut", "text", "text of an object", "list", "nothing", "NaN"],
)
def test_broken_arguments_are_kept_as_sent_and_answered_as_a_mismatch(calls: _Calls, arguments: str, error: str) -> None:
    """The raw text is in the trace; endpoints, which read arguments again, get it back inside of an object."""
    trace = calls("Corner Library.", tools(("find_card", arguments)), "I cannot.", "Bye.", replies=TWO_TURNS)
    event = _event(trace)
    assert (arguments, error, Outcome.PARSE_ERROR) == (event.raw_arguments, event.parse_error, event.outcome)
    assert {"status": "not_found"} == event.result
    (back,) = calls.bodies[2]["messages"][-2]["tool_calls"]
    assert {"unreadable": arguments} == json.loads(back["function"]["arguments"])


def test_arguments_sent_as_an_object_are_read_as_one(calls: _Calls) -> None:
    """Some servers send them so, against the rule."""
    trace = calls("Corner Library.", tools_as_objects(("find_card", CARD)), "Found.", "Bye.", replies=TWO_TURNS)
    assert (CARD, Outcome.MATCHED) == (_event(trace).arguments, _event(trace).outcome)


def test_an_unknown_tool_is_answered_as_such(calls: _Calls) -> None:
    """A typed error with the valid names; the call goes on."""
    trace = calls("Corner Library.", tools(("cancel_card", CARD)), "I cannot.", "Bye.", replies=TWO_TURNS)
    assert ("cancel_card", Outcome.UNKNOWN_TOOL) == (_event(trace).tool, _event(trace).outcome)
    assert "unknown_tool" in calls.bodies[2]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("name", "back"), [("functions.find card", "functions_find_card"), ("", "nameless"), ("x" * 70, "x" * 64)]
)
def test_a_name_that_no_endpoint_takes_is_recorded_and_goes_back_mended(calls: _Calls, name: str, back: str) -> None:
    """A model that makes up such a name is answered like any that names an unknown tool; its endpoint does not choke on it."""
    trace = calls("Corner Library.", tools((name, CARD)), "I cannot.", "Bye.", replies=TWO_TURNS)
    assert (name, Outcome.UNKNOWN_TOOL) == (_event(trace).tool, _event(trace).outcome)
    (sent,) = calls.bodies[2]["messages"][-2]["tool_calls"]
    assert {"name": back, "arguments": json.dumps(CARD)} == sent["function"]


def test_a_call_that_names_no_function_is_answered_as_an_unknown_tool(calls: _Calls) -> None:
    """The agent's fault: the entry stands in the trace as its arguments, and the endpoint gets it back in a shape it takes."""
    entry = {"id": "c7", "type": "function", "input": {"card_number": "04412907"}}
    odd = say("One moment.", tool_calls=[entry], finish="tool_calls")
    trace = calls("Corner Library.", odd, "I cannot.", "Bye.", replies=TWO_TURNS)
    event = _event(trace)
    assert ("", entry, Outcome.UNKNOWN_TOOL) == (event.tool, event.raw_arguments, event.outcome)
    assert "One moment." == _spoken(trace)[1]
    assert EndReason.CALLER_DONE is trace.end
    back, answer = calls.bodies[2]["messages"][-2:]
    function = {"name": "nameless", "arguments": json.dumps(entry)}
    assert [{"id": "c7", "type": "function", "function": function}] == back["tool_calls"]
    assert ("tool", "c7") == (answer["role"], answer["tool_call_id"])


def test_content_in_parts_is_spoken_whole(calls: _Calls) -> None:
    """And goes back as one text."""
    parts = [{"type": "text", "text": "Corner "}, {"type": "text", "text": "Library."}]
    assert "Corner Library." == _spoken(calls(say(parts), "Goodbye."))[0]
    assert ("assistant", "Corner Library.") == contents(calls.bodies[1])[1]


def test_a_conversation_that_no_longer_fits_its_model_is_the_agents_fault(calls: _Calls) -> None:
    """The call ends by name where it stands and is graded; it is not asked again, and never dropped for the infrastructure."""
    trace = calls("Corner Library.", too_long(), "Bye.")
    assert EndReason.PROTOCOL_ERROR is trace.end
    assert trace.end_detail.startswith("context_overflow: litellm:openai/candidate")
    assert "maximum context length is 8192" in trace.end_detail
    assert (["Corner Library."], 1, 2) == (_spoken(trace), len(trace.caller_turns), len(calls.bodies))


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (rate_limited(0), "429"),
        (broken(500), "500"),
        (no_choices(), "no reply in the answer"),
        (hang(), "no answer within 1 s"),
    ],
    ids=["429", "500", "no choices", "hang"],
)
def test_a_provider_in_trouble_is_asked_again_and_the_message_says_so(calls: _Calls, trouble: Item, told: str) -> None:
    """Not the agent's fault, and nothing else of the call changes."""
    trace = calls(trouble, "Corner Library.", "Goodbye.", options="timeout=1")
    first, last = _agent(trace)
    assert told in first.attempts[0]
    assert () == last.attempts
    assert "Corner Library." == first.content


def test_a_provider_that_stays_in_trouble_is_our_fault(calls: _Calls) -> None:
    """By this error the case is dropped as infrastructure."""
    with pytest.raises(ProviderError, match="500"):
        calls("Corner Library.", broken(), broken(), options="attempts=2")


def test_a_seed_that_is_not_taken_is_left_out_and_that_is_told(calls: _Calls) -> None:
    """A run that was not seeded says so in the trace."""
    trace = calls(no_setting("seed"), "Corner Library.", "Goodbye.")
    assert [True, False, False] == ["seed" in body for body in calls.bodies]
    assert [("seed left out: the endpoint does not take it",)] * 2 == [message.attempts for message in _agent(trace)]


# -- tools as text and as JSON ------------------------------------------------------------------------------------------------

WRITTEN = f'One moment.\n```json\n{{"name": "find_card", "arguments": {json.dumps(CARD)}}}\n```'
TAGGED = f'One moment.<tool_call>\n{{"name": "find_card", "arguments": {json.dumps(CARD)}}}\n</tool_call>'


@pytest.mark.parametrize("written", [WRITTEN, TAGGED], ids=["fenced", "tagged"])
def test_a_model_without_tool_calls_writes_them_into_its_text(calls: _Calls, written: str) -> None:
    """`tools=text`: tools below the instructions, calls read out of the text, results as the user's message, the reply kept."""
    trace = calls("Corner Library.", written, "Found.", "Bye.", options="tools=text", replies=TWO_TURNS)
    assert (CARD, Outcome.MATCHED) == (_event(trace).arguments, _event(trace).outcome)
    assert ["Corner Library.", "One moment.", "Found.", "Bye."] == _spoken(trace)
    assert ["", written, "", ""] == [message.raw for message in _agent(trace)]
    system = calls.bodies[0]["messages"][0]["content"]
    assert system.startswith(INSTRUCTIONS.rstrip() + "\n\n# Tools\n")
    assert '{"name": "end_call", "description": "Hang up."' in system
    assert "tools" not in calls.bodies[0]
    result = '<tool_response>\n{"shelf_mark":"KX-7714","status":"found"}\n</tool_response>'
    assert [("assistant", written), ("user", result)] == contents(calls.bodies[2])[-2:]


def test_with_native_tools_what_a_model_writes_is_spoken(calls: _Calls) -> None:
    """A model that has tool calls and writes JSON instead reads JSON to its caller: nothing is interpreted in its favour."""
    trace = calls("Corner Library.", WRITTEN, "Bye.", replies=TWO_TURNS)
    assert () == trace.tool_events
    assert WRITTEN == _spoken(trace)[1]


def _action(speech: str, name: str | None = None, arguments: Any = None) -> str:
    return json.dumps({"speech": speech, "call": name and {"name": name, "arguments": arguments}})


def test_a_model_that_can_only_write_json_returns_speech_and_a_call(calls: _Calls) -> None:
    """`tools=schema`: the reply is one object, and its schema lists the tools."""
    ask = _action("One moment.", "find_card", CARD)
    trace = calls(_action("Library."), ask, _action("Found."), _action("Bye."), options="tools=schema", replies=TWO_TURNS)
    assert ["Library.", "One moment.", "Found.", "Bye."] == _spoken(trace)
    assert (CARD, Outcome.MATCHED) == (_event(trace).arguments, _event(trace).outcome)
    assert ask == _agent(trace)[1].raw
    kinds = calls.bodies[0]["response_format"]["json_schema"]["schema"]["properties"]["call"]["anyOf"]
    names = [kind["properties"]["name"]["const"] for kind in kinds[1:]]
    assert ["find_card", "renew_loan", "end_call"] == names


def test_after_the_chain_limit_the_schema_has_no_call(calls: _Calls) -> None:
    """Only speech can be written then."""
    chain = [_action("", "find_card", CARD)] * 11
    calls(_action("Library."), *chain, _action("Done."), _action("Bye."), options="tools=schema", replies=TWO_TURNS)
    last = calls.bodies[12]["response_format"]["json_schema"]["schema"]["properties"]["call"]["anyOf"]
    assert [{"type": "null"}] == last


@pytest.mark.parametrize(
    ("item", "spoken", "outcome"),
    [
        (truncated({"speech": "Hello.", "call": None}), '{"speech": "Hello', None),
        (say("Hello there."), "Hello there.", None),
        (say('{"speech": 5, "call": null}'), '{"speech": 5, "call": null}', None),
        (say('{"speech": "Hm.", "call": {"name": "cancel_card", "arguments": {}}}'), "Hm.", Outcome.UNKNOWN_TOOL),
        (say('{"speech": "Hm.", "call": {"name": "find_card"}}'), "Hm.", Outcome.PARSE_ERROR),
        (say('{"speech": "Hm.", "call": "find_card"}'), "Hm.", None),
        (say(f'{{"name": "find_card", "arguments": {json.dumps(CARD)}}}'), "", Outcome.MATCHED),
    ],
    ids=["truncated", "words", "no speech", "unknown tool", "no arguments", "no call", "another form"],
)
def test_a_json_reply_of_another_form_is_read_as_text(calls: _Calls, item: Item, spoken: str, outcome: Outcome | None) -> None:
    """The agent's fault, heard as it is and never a crash."""
    trace = calls(_action("Library."), item, _action("Bye."), _action("Bye."), options="tools=schema", replies=TWO_TURNS)
    assert spoken == _spoken(trace)[1]
    assert ([outcome] if outcome else []) == [event.outcome for event in trace.tool_events]


# -- the record ----------------------------------------------------------------------------------------------------------------


def test_the_record_has_every_setting_and_the_prompts_that_are_added(calls: _Calls) -> None:
    """Traces of two settings are told apart by their headers."""
    calls("Hello.", "Bye.", options="temperature=0.7&top_p=0.9&top_k=20&tools=text&user_first=on")
    settings = calls.candidate.record().settings
    assert (0.7, 0.9, 20, "text", True) == tuple(
        settings[key] for key in ("temperature", "top_p", "top_k", "tools", "user_first")
    )
    assert {"candidate-text-1": prompt("candidate-text-1").sha256} == settings["prompts"]
    calls("Hello.", "Bye.")
    assert {} == calls.candidate.record().settings["prompts"]


def test_what_a_candidate_uses_is_counted(calls: _Calls) -> None:
    """All requests of a call; a call that is played again from what was paid for costs nothing."""
    again = ("Hello.", "Bye.")
    first = calls(*again)
    used = calls.candidate.usage()
    assert (2, 0, 200, 20) == (used.requests, used.cached, used.prompt_tokens, used.completion_tokens)
    assert first == calls()
    used = calls.candidate.usage()
    assert (0, 2, 0) == (used.requests, used.cached, used.prompt_tokens)


def test_other_seeds_and_repeats_ask_again(calls: _Calls) -> None:
    """A repeat is another call, even word for word."""
    calls("Hello.", "Bye.")
    assert ["Good day.", "Bye."] == _spoken(calls("Good day.", "Bye.", scene=scenario(put("id", "renew-again"))))
