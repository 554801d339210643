"""The chat caller: the seed's rules in its prompt, requests that begin like the one before, and every fault of a reply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.caller import CallerInvalid, CallerView, PublicTurn
from core.candidate import AgentTurn
from core.errors import ProviderError
from core.schemas.call_trace import EndReason, Trace
from core.schemas.scenario import Scenario
from models.chat.caller import ChatCaller, caller_messages, reply_schema
from models.chat.prompts import prompt
from models.chat.request import SEEDS
from tests.support.chat_parties import Provider, contents, provider
from tests.support.chat_server import Item, broken, fenced, hang, no_setting, rate_limited, thinking, truncated
from tests.support.chat_server import say as reply_of
from tests.support.parties import call, play, say, turn
from tests.support.scenes import put, scenario

HELLO = {"speech": "Hello, I want to renew a book.", "expressed": ["ask_renewal"], "done": False}
BYE = say("That is all, goodbye.", done=True)
AGENT = [turn("Corner Library."), turn("Anything else?"), turn("Goodbye.")]


def _view(scene: Scenario, *conversation: PublicTurn, rejection: tuple[str, ...] = ()) -> CallerView:
    taken = tuple(step for said in conversation for step in said.expressed)
    return CallerView(scene.caller, scene.language, scene.script, conversation, taken, rejection)


def _system(scene: Scenario) -> str:
    return str(caller_messages(_view(scene, PublicTurn("agent", "Hello.")))[0]["content"])


# -- the prompt ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule",
    [
        "one short sentence, usually 2 to 15 words",
        "Asked several things at once, answer one of them",
        "Saying that you will check can be your whole turn",
        "make up harmless texture, such as a kettle, traffic",
        "never a business fact",
        "Asked for something outside your facts, say that you do not know it.",
        "write it in its own script only",
        "Write what a speech recogniser would write down, not what a document would print",
        "no markdown, no lists",
        "Give long numbers in small groups with a breath between them",
        "A step is a meaning, not a line to read out",
        "Take the steps in their order, and in one turn at most one",
        "Take the next step only when its moment has come",
        "If the agent asks for things in another order, answer from your facts",
        "never say them",
    ],
)
def test_the_prompt_states_every_rule_of_the_callers_behaviour(rule: str) -> None:
    """The paragraphs of the seed on how people talk on the phone, one by one."""
    assert rule in prompt("caller-1").text


@pytest.mark.parametrize(
    "part",
    [
        "You borrowed a book and want to keep it for longer.",
        "The book is nearly due.",
        "It is now Monday, 2026-03-16, 10:05.",
        "- [card_number] 04412907 (digits)",
        "- [weeks_wanted] 3 (number)",
        "- the shelf where the book belongs\n",
        "2. [give_card] When: The agent asks for your card number. Then get across: Give your card number.",
        "You speak English (en) in Latin script (Latn).",
    ],
)
def test_the_whole_brief_is_in_the_instructions(part: str) -> None:
    """Context, reason, known and unknown facts, ordered steps, language, date and time."""
    assert part in _system(scenario())


def test_an_empty_brief_says_so() -> None:
    """No known facts, nothing explicitly unknown: the caller is told that there is nothing, not given a gap."""
    bare = scenario(put("caller.facts", {}), put("caller.unknown", []), put("channel", {}), put("caller.plan", PLAN))
    assert "- nothing in particular\n\nWhat you do not know:\n\n- anything else that is not written here\n" in _system(bare)


PLAN = [{"id": "ask_renewal", "trigger": "At once.", "meaning": "Ask."}]


def test_traits_that_decide_grammar_and_manner_are_told() -> None:
    """A woman's verbs differ from a man's in Hindi; `any` tells nothing."""
    assert "(Latn). It is now" in _system(scenario())
    woman = scenario(put("caller.voice", {"gender": "female", "mood": "hurried"}))
    assert "(Latn). You come across as: female, hurried. It is now" in _system(woman)


def test_a_fact_that_is_true_or_false_is_said_as_people_say_it() -> None:
    """`True` is no word of a caller."""
    assert "- [card_1] yes (yes_no)" in _system(scenario(put("caller.facts.card_1", {"value": True, "kind": "yes_no"})))


# -- the conversation -----------------------------------------------------------------------------------------------------


def test_the_callers_own_turns_are_its_replies_and_the_agents_turns_the_users() -> None:
    """So the model sees the form it shall answer in, with the steps it took."""
    talk = (
        PublicTurn("agent", "Corner Library."),
        PublicTurn("caller", "A book.", ("ask_renewal",)),
        PublicTurn("agent", "Yes?"),
    )
    messages = caller_messages(_view(scenario(), *talk))
    assert ["system", "user", "assistant", "user"] == [message["role"] for message in messages]
    assert "Corner Library." == messages[1]["content"]
    assert {"speech": "A book.", "expressed": ["ask_renewal"], "done": False} == json.loads(messages[2]["content"])
    assert messages[3]["content"].startswith("Yes?\n\n(")


def test_what_an_agent_says_around_its_tool_calls_is_one_turn_and_silence_is_told() -> None:
    """Roles alternate for every endpoint, and an agent that says nothing is heard as silence."""
    talk = (PublicTurn("agent", "One moment."), PublicTurn("agent", "It is due in April."), PublicTurn("caller", "Fine."))
    messages = caller_messages(_view(scenario(), *talk, PublicTurn("agent", "")))
    assert "One moment.\nIt is due in April." == messages[1]["content"]
    assert messages[3]["content"].startswith("(silence)\n\n(")


def test_the_last_message_says_which_step_comes_next_and_why_a_reply_was_rejected() -> None:
    """Only there, so that all before it stays as it was."""
    first, taken = PublicTurn("agent", "Hello."), PublicTurn("caller", "A book.", ("ask_renewal", "give_card", "give_title"))
    (*_, start) = caller_messages(_view(scenario(), first))
    assert "steps taken: none; next is ask_renewal, once this has come true: The agent has greeted you." in start["content"]
    assert "not accepted" not in start["content"]
    (*_, end) = caller_messages(_view(scenario(), first, taken, first, rejection=("empty speech", "unknown step 'x_1'")))
    assert "steps taken: ask_renewal, give_card, give_title; no step is left." in end["content"]
    assert "Your last reply was not accepted: empty speech; unknown step 'x_1'. Do it again, rightly." in end["content"]


def test_the_schema_names_the_steps_and_nothing_else() -> None:
    """An endpoint with constrained replies cannot name a step that is none."""
    schema: dict[str, Any] = reply_schema(scenario().caller)
    assert ["ask_renewal", "give_card", "give_title"] == schema["properties"]["expressed"]["items"]["enum"]
    assert ["speech", "expressed", "done"] == schema["required"] == list(schema["properties"])


# -- over HTTP ------------------------------------------------------------------------------------------------------------


class _Calls:
    """Plays calls with a scripted caller's model."""

    def __init__(self, provider: Provider, cache: Path) -> None:
        self.provider = provider
        self.cache = cache

    def __call__(self, *items: Item, options: str = "", agent: Sequence[AgentTurn] = AGENT) -> Trace:
        self.provider.script("caller", *items)
        self.caller = ChatCaller(self.provider.client("caller", self.cache, options))
        return play(agent, self.caller)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return self.provider.sent()


@pytest.fixture(scope="module", name="model")
def _model() -> Iterator[Provider]:
    with provider() as made:
        yield made


@pytest.fixture
def calls(model: Provider, tmp_path: Path) -> _Calls:
    """With a cache of its own."""
    return _Calls(model, tmp_path)


def test_a_call_asks_for_json_with_the_same_beginning_in_every_turn(calls: _Calls) -> None:
    """The system prompt is the same bytes over a call, and each request begins with the messages of the one before."""
    trace = calls(json.dumps(HELLO), BYE)
    first, second = calls.bodies
    assert first["messages"][0] == second["messages"][0]
    assert contents(second)[: len(first["messages"]) - 1] == contents(first)[:-1]
    assert [first["response_format"]] * 2 == [first["response_format"], second["response_format"]]
    assert "json_schema" == first["response_format"]["type"]
    assert [trace.header.seeds.caller % SEEDS] * 2 == [first["seed"], second["seed"]]
    assert ["Hello, I want to renew a book.", "That is all, goodbye."] == [said.intended for said in trace.caller_turns]
    assert (("ask_renewal",), ()) == tuple(said.expressed for said in trace.caller_turns)
    assert EndReason.CALLER_DONE is trace.end


def test_what_a_caller_uses_is_counted(calls: _Calls) -> None:
    """Requests and tokens of all its turns, rejected ones included."""
    calls("no JSON", json.dumps(HELLO), BYE)
    used = calls.caller.usage()
    assert (3, 300, 30) == (used.requests, used.prompt_tokens, used.completion_tokens)


def test_an_endpoint_without_json_replies_gets_the_form_in_words(calls: _Calls) -> None:
    """`json=prompt`: no response_format, and the schema stands in the conversation."""
    calls(json.dumps(HELLO), BYE, options="json=prompt")
    assert "response_format" not in calls.bodies[0]
    assert '"enum":["ask_renewal","give_card","give_title"]' in calls.bodies[0]["messages"][0]["content"]


def test_an_endpoint_without_system_messages_gets_the_instructions_first(calls: _Calls) -> None:
    """`system=off`: no system role on the wire, and all of the brief still there."""
    calls(json.dumps(HELLO), BYE, options="system=off")
    for body in calls.bodies:
        assert "user" == body["messages"][0]["role"]
        assert "04412907" in body["messages"][0]["content"]
        assert all(message["role"] in ("user", "assistant") for message in body["messages"])


@pytest.mark.parametrize(
    "item",
    [
        fenced(HELLO),
        thinking("The agent greeted me, so {this} holds.", json.dumps(HELLO)),
        reply_of(json.dumps({**HELLO, "done": "false"})),
        reply_of(f"My turn: {json.dumps(HELLO)} I hope this helps."),
    ],
    ids=["fenced", "thoughts", "string boolean", "prose around"],
)
def test_what_stands_around_a_reply_is_read_and_the_raw_reply_kept(calls: _Calls, item: Item) -> None:
    """SPEC 3's table, first row: parsed at once, without a second attempt."""
    first = calls(item, BYE).caller_turns[0]
    assert "Hello, I want to renew a book." == first.intended
    assert () == first.rejected
    assert json.loads(item.body)["choices"][0]["message"]["content"] == first.raw  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (truncated(HELLO), "not valid JSON"),
        (reply_of(""), "not valid JSON: Expecting value"),
        (reply_of(None), "not valid JSON: Expecting value"),
        (reply_of(say(" \n")), "empty speech"),
        (reply_of(say("")), "empty speech"),
        (reply_of(say("My card_number is 4.")), "internal name in speech: 'card_number'"),
        (reply_of(say("Now then.", "give_card")), "step 'give_card' is out of order: 'ask_renewal' is next"),
        (reply_of(say("- a book")), "markdown or list syntax in speech"),
        (reply_of(say("मुझे किताब चाहिए")), "wrong script: 0% of the letters are Latn"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_invalid_reply_is_rejected_with_its_reason_which_goes_back(calls: _Calls, item: Item, reason: str) -> None:
    """One second attempt, told why; the trace keeps the first one and the reason."""
    first = calls(item, json.dumps(HELLO), BYE).caller_turns[0]
    (rejected,) = first.rejected
    assert rejected.reasons[0].startswith(reason)
    assert f"Your last reply was not accepted: {'; '.join(rejected.reasons)}." in calls.bodies[1]["messages"][-1]["content"]
    assert "not accepted" not in json.dumps([calls.bodies[0], calls.bodies[2]])
    assert "Hello, I want to renew a book." == first.intended


def test_a_reply_that_was_cut_off_is_told_as_such(calls: _Calls) -> None:
    """The model cannot know what became of its words, and a shorter turn would have been read."""
    (rejected,) = calls(truncated(HELLO), json.dumps(HELLO), BYE).caller_turns[0].rejected
    assert rejected.reasons[0].endswith(", cut off at its largest length")


def test_a_check_asks_for_json(model: Provider, tmp_path: Path) -> None:
    """As every turn will: an endpoint that takes no schema is known before the first call."""
    model.script("caller", no_setting("response_format"), "{}")
    caller = ChatCaller(model.client("caller", tmp_path))
    caller.check()
    assert ("response_format",) == caller.usage().left_out


def test_two_invalid_replies_end_the_conversation_without_a_trace(calls: _Calls) -> None:
    """It is run again by whoever plays the case, at most three times, and then dropped."""
    with pytest.raises(CallerInvalid, match="empty speech") as caught:
        calls(truncated(HELLO), say(""))
    assert (1, 2) == (caught.value.turn, len(caught.value.attempts))


@pytest.mark.parametrize(
    ("trouble", "told"),
    [(rate_limited(0), "429"), (rate_limited(), "429"), (broken(500), "500"), (broken(503), "503"), (hang(), "no answer within")],
    ids=["429 with Retry-After", "429", "500", "503", "hang"],
)
def test_a_provider_in_trouble_is_asked_again_and_the_turn_says_so(calls: _Calls, trouble: Item, told: str) -> None:
    """The same stage is repeated, not the call; no attempt of the caller is used up by it."""
    first, _ = calls(trouble, json.dumps(HELLO), BYE, options="timeout=1").caller_turns
    assert () == first.rejected
    (attempt,) = first.attempts
    assert told in attempt
    assert calls.bodies[0] == calls.bodies[1]


def test_a_provider_that_stays_in_trouble_is_our_fault(calls: _Calls) -> None:
    """After the attempts that its settings allow: a provider's error, by which the case is dropped as infrastructure."""
    with pytest.raises(ProviderError, match="500"):
        calls(broken(), broken(), json.dumps(HELLO), options="attempts=2")
    assert 2 == len(calls.bodies)


def test_the_record_names_model_settings_and_prompts_by_hash(calls: _Calls) -> None:
    """Everything that decides a caller is in the trace, so that runs with another caller are told apart."""
    calls(json.dumps(HELLO), BYE, options="temperature=0.5")
    record = calls.caller.record()
    assert record.party.startswith("litellm:openai/caller?api_base=http://127.0.0.1:")
    settings = json.dumps(record.settings)
    assert 0.5 == record.settings["temperature"]
    assert prompt("caller-1").sha256 in settings
    assert prompt("caller-turn-1").sha256 in settings


def test_a_tool_result_is_not_heard(calls: _Calls) -> None:
    """The caller hears what the agent says and nothing of what its tools returned."""
    agent = [turn("Hello."), turn("Hm.", call("find_card", card_number="04412907")), turn("Found."), turn("Bye.")]
    calls(json.dumps(HELLO), BYE, agent=agent)
    heard = json.dumps(calls.bodies)
    assert "Hm.\\nFound." in heard
    assert "KX-7714" not in heard
    assert "find_card" not in heard
