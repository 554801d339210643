"""The client of chat models against a real HTTP server, through litellm: replies, failures, patience, the kept replies."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from pydantic import JsonValue

from core.errors import OperatorError, ProviderError, RefusedError, UsageError
from core.schemas.usage import Usage
from models.chat.client import CHECK_SCHEMA, CHECK_TOOL, CallRequest, ChatClient
from models.chat.patience import JITTER
from models.chat.reply_cache import ReplyCache
from tests.support.chat import client
from tests.support.chat_server import (
    Answer,
    Body,
    ChatServer,
    Item,
    broken,
    chat_server,
    error,
    hang,
    no_choices,
    no_model,
    no_setting,
    rate_limited,
    refused_key,
    say,
    too_long,
    tools,
    tools_as_objects,
    truncated,
    web_page,
)

_ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello."}]
_BUSY = "429: too many requests"
_BOOK = {"type": "function", "function": {"name": "book", "parameters": {"type": "object"}}}


class _Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.waited: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self.time += seconds


def _served(server: ChatServer, folder: Path, options: str = "", clock: _Clock | None = None) -> ChatClient:
    return client(server.party("m", options), folder, clock=clock or _Clock())


def test_a_reply_comes_as_it_is(tmp_path: Path) -> None:
    """Words, reason for the end, tokens; the request holds what was asked and the settings, and nothing else."""
    with chat_server({"m": [say("Good morning.", finish="length")]}) as server:
        reply = _served(server, tmp_path, "temperature=0&max_tokens=9&top_k=3").complete(_ASKED, seed=5)
        cut = ("cut off at its largest length",)
        assert ("Good morning.", (), "length", cut) == (reply.text, reply.tool_calls, reply.finish_reason, reply.attempts)
        assert Usage(requests=1, prompt_tokens=100, completion_tokens=10, unpriced=1) == reply.usage
        assert {"role": "assistant", "content": "Good morning."} == reply.message
        asked = {"model": "m", "messages": _ASKED, "temperature": 0.0, "max_tokens": 9, "top_k": 3, "seed": 5}
        assert [asked] == server.bodies()


@pytest.mark.parametrize(
    ("answer", "arguments"),
    [
        (tools(("book", {"id": 7})), '{"id": 7}'),
        (tools_as_objects(("book", {"id": 7})), '{"id": 7}'),
        (tools(("book", '{"id": 7')), '{"id": 7'),
        (tools(("book", "")), ""),
        (tools(("book", '{"id": ' + "9" * 5000 + "}")), '{"id": ' + "9" * 5000 + "}"),
        (tools(("book", '{"a": ' * 3000)), '{"a": ' * 3000),
        (say(None, tool_calls=[{"id": "call_0", "function": {"name": "book", "arguments": [7]}}], finish="tool_calls"), "[7]"),
        (say(None, tool_calls=[{"id": "call_0", "function": {"name": "book"}}], finish="tool_calls"), ""),
    ],
    ids=["text", "object", "broken", "empty", "large number", "deep", "list", "absent"],
)
def test_tool_calls_come_with_their_arguments_as_text(tmp_path: Path, answer: Answer, arguments: str) -> None:
    """As an object, as text or as broken text: none of them fails, and nothing is mended."""
    with chat_server({"m": [answer]}) as server:
        reply = _served(server, tmp_path).complete(_ASKED, tools=[_BOOK], seed=1)
    assert (CallRequest(id="call_0", name="book", arguments=arguments),) == reply.tool_calls
    assert ("", "tool_calls") == (reply.text, reply.finish_reason)


@pytest.mark.parametrize("model", ["openai/m", "mistral/m"])
@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "Hello "}, {"type": "text", "text": "there."}], "Hello there."),
        ([{"type": "image_url", "image_url": {"url": "data:"}}, {"type": "text", "text": "Hello."}], "Hello."),
        (["Hello ", "there."], "Hello there."),
        ({"type": "text", "text": "Hello."}, "Hello."),
        ([{"type": "text"}], ""),
        (5, ""),
    ],
    ids=["parts", "picture", "texts", "one part", "nothing", "number"],
)
def test_content_in_parts_is_joined(tmp_path: Path, model: str, content: object, text: str) -> None:
    """litellm raises for most of it, and keeps the last part alone for Mistral; what is no text is no words, and no failure."""
    with chat_server({"m": [say(content)]}) as server:
        talker = client(f"litellm:{model}?api_base={server.base}&seed=off", tmp_path, clock=_Clock())
        reply = talker.complete(_ASKED, seed=1)
    assert (text, (), "stop", (), 100, 10) == (
        reply.text,
        reply.tool_calls,
        reply.finish_reason,
        reply.attempts,
        reply.usage.prompt_tokens,
        reply.usage.completion_tokens,
    )
    assert ("assistant", text) == (reply.message["role"], reply.message["content"])


@pytest.mark.parametrize("model", ["openai/m", "mistral/m"])
@pytest.mark.parametrize(
    ("entry", "id_", "arguments"),
    [
        ({"id": "c", "type": "function"}, "c", None),
        ({"id": "c", "function": None}, "c", None),
        ({"id": "c", "name": "book", "arguments": {"id": 7}}, "c", None),
        ({"id": "c", "function": {"name": 7, "arguments": "{}"}}, "c", None),
        ({"id": "c", "function": {"arguments": "{}"}}, "c", "{}"),
        ("book", "call_0", "book"),
        (None, "call_0", "null"),
    ],
    ids=["no function", "null function", "flat", "no name", "nameless", "text", "null"],
)
def test_a_call_of_no_shape_is_a_call_without_a_name(
    tmp_path: Path, model: str, entry: object, id_: str, arguments: str | None
) -> None:
    """The server has answered: that the answer is broken is the model's fault, so it is neither tried again nor mended."""
    with chat_server({"m": [say("Hm.", tool_calls=[entry], finish="tool_calls")]}) as server:
        talker = client(f"litellm:{model}?api_base={server.base}&seed=off", tmp_path, clock=_Clock())
        reply = talker.complete(_ASKED, tools=[_BOOK], seed=1)
    (call,) = reply.tool_calls
    assert ("Hm.", "tool_calls", id_, "") == (reply.text, reply.finish_reason, call.id, call.name)
    if arguments is None:
        assert entry == json.loads(call.arguments)
    else:
        assert arguments == call.arguments


def test_a_call_is_the_one_the_model_made(tmp_path: Path) -> None:
    """litellm makes several calls of one of `multi_tool_use.parallel`; there is no such tool, and that is what was called."""
    uses = {"tool_uses": [{"recipient_name": "functions.book", "parameters": {"id": 7}}] * 2}
    with chat_server({"m": [tools(("multi_tool_use.parallel", uses))]}) as server:
        (call,) = _served(server, tmp_path).complete(_ASKED, tools=[_BOOK], seed=1).tool_calls
    assert ("call_0", "multi_tool_use.parallel", uses) == (call.id, call.name, json.loads(call.arguments))


@pytest.mark.parametrize(
    "said", ["Conversation roles must alternate user/assistant/user", "Last message must have role `user` here"]
)
def test_a_conversation_is_sent_once_and_as_it_is(tmp_path: Path, said: str) -> None:
    """For these words litellm adds messages of its own, to ours in one case, and sends the conversation again."""
    asked = [*_ASKED, {"role": "user", "content": "Are you there?"}]
    before = json.dumps(asked)
    with chat_server({"m": [error(400, said), "Hello."]}) as server:
        with pytest.raises(RefusedError, match=f"400: {said}"):
            _served(server, tmp_path).complete(asked, seed=1)
        assert [asked] == [body["messages"] for body in server.bodies()]
    assert before == json.dumps(asked)


def test_a_server_that_sends_requests_around_is_told_once(tmp_path: Path) -> None:
    """Its address is wrong; nothing is sent twice to the same place."""
    with chat_server({"m": lambda _body: Answer(status=307, headers={"Location": f"{server.base}/chat/completions"})}) as server:
        with pytest.raises(OperatorError, match="307: sends requests elsewhere, to http://127"):
            _served(server, tmp_path).complete(_ASKED, seed=1)
        assert 1 == len(server.bodies())


def test_an_answer_without_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken answer as others are; nobody's memory is filled."""
    monkeypatch.setattr("models.chat.wire.LARGEST_ANSWER", 2**20)
    monkeypatch.setattr("models.chat.endpoint.LARGEST_ANSWER", 2**20)
    with chat_server({"m": [say("a" * 2**20), "Hello."]}) as server:
        assert ("an answer of more than 1 MiB; waited 1 s",) == _served(server, tmp_path).complete(_ASKED, seed=1).attempts


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ({"error": {"message": "overloaded", "code": 529}}, "529: overloaded; waited 1 s"),
        ({"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, f"{_BUSY}; waited 1 s"),
        ({"error": "engine on fire"}, "engine on fire; waited 1 s"),
        ({"choices": [{"message": {"content": ""}, "error": {"message": "cut", "code": 502}}]}, "502: cut; waited 1 s"),
    ],
)
def test_an_error_inside_a_success_says_what_it_said(tmp_path: Path, inside: Body, told: str) -> None:
    """And is waited for as such: a busy provider by all."""
    with chat_server({"m": [Answer(json.dumps(inside).encode()), "Hello."]}) as server:
        reply = _served(server, tmp_path).complete(_ASKED, seed=1)
    assert ("Hello.", (told,)) == (reply.text, reply.attempts)


@pytest.mark.parametrize(
    ("answer", "ending", "raw"),
    [
        (say("Half of", finish="length"), "cut off at its largest length", "Half of"),
        (say(None, finish="content_filter"), "withheld by the provider's filter", ""),
        (say(None, refusal="I cannot\nhelp."), "declined by the model: I cannot help.", "I cannot\nhelp."),
        (say("<think>Hm.</think>Hello."), "", "<think>Hm.</think>Hello."),
        (say("Hello.", reasoning_content="Hm."), "", "<think>Hm.</think>Hello."),
        (say("Hello.", reasoning="Hm."), "", "<think>Hm.</think>Hello."),
    ],
)
def test_what_ended_a_reply_and_all_of_it_are_kept(tmp_path: Path, answer: Answer, ending: str, raw: str) -> None:
    """Else nobody could tell the operator's limit, or the provider's filter, from an agent that says nothing."""
    with chat_server({"m": [answer]}) as server:
        reply = _served(server, tmp_path).complete(_ASKED, seed=1)
    assert (ending, raw, (ending,) if ending else ()) == (reply.ending, reply.raw, reply.attempts)


def test_calls_that_are_no_list_are_one_call(tmp_path: Path) -> None:
    """Whatever stands in their place."""
    with chat_server({"m": [say(None, tool_calls={"name": "book"})]}) as server:
        (call,) = _served(server, tmp_path).complete(_ASKED, tools=[_BOOK], seed=1).tool_calls
    assert CallRequest(id="call_0", name="", arguments='{"name": "book"}') == call


def test_eleven_calls_and_speech_come_together(tmp_path: Path) -> None:
    """Nothing here counts calls; the loop does."""
    calls = [("book", {"id": number}) for number in range(11)]
    with chat_server({"m": [tools(*calls, speech="One moment.")]}) as server:
        reply = _served(server, tmp_path).complete(_ASKED, tools=[_BOOK], seed=1)
    assert ("One moment.", [f'{{"id": {number}}}' for number in range(11)]) == (
        reply.text,
        [call.arguments for call in reply.tool_calls],
    )


def test_a_returned_message_goes_back_with_all_that_providers_sign(tmp_path: Path) -> None:
    """Gemini refuses a tool's result when the signature beside the call is lost (litellm #16893); a thought goes back too."""
    call = {
        "id": "c",
        "type": "function",
        "function": {"name": "book", "arguments": "{}"},
        "extra_content": {"google": {"thought_signature": "signed"}},
    }
    signed = say(None, tool_calls=[call], reasoning_content="Hm.", provider_specific_fields={"sign": "too"})
    result = {"role": "tool", "tool_call_id": "c", "content": "{}"}
    with chat_server({"m": [signed, "Done."]}) as server:
        talker = _served(server, tmp_path)
        first = talker.complete(_ASKED, tools=[_BOOK], seed=1)
        talker.complete([*_ASKED, first.message, result], tools=[_BOOK], seed=1)
        back = server.bodies()[1]["messages"][2]
    assert {"role": "assistant", "content": "", "tool_calls": [call], "reasoning_content": "Hm."} == {
        name: value for name, value in back.items() if name != "provider_specific_fields"
    }
    assert "too" == back["provider_specific_fields"]["sign"]


def test_half_of_a_surrogate_pair_becomes_its_escape(tmp_path: Path) -> None:
    """No file can carry it, so a trace could not be written."""
    text = b'{"choices": [{"message": {"role": "assistant", "content": "a\\ud83d"}, "finish_reason": "stop"}]}'
    with chat_server({"m": [Answer(text)]}) as server:
        reply = _served(server, tmp_path).complete(_ASKED, seed=1)
    assert ("a\\ud83d", "a\\ud83d") == (reply.text, reply.message["content"])


@pytest.mark.parametrize(
    ("trouble", "told", "waited"),
    [
        ([rate_limited(2)], (f"{_BUSY}; waited 2 s",), [2.0]),
        ([rate_limited()], (f"{_BUSY}; waited 1 s",), [1.0]),
        ([rate_limited(7), rate_limited()], (f"{_BUSY}, 2 times; waited 9 s",), [7.0, 2.0]),
        ([rate_limited(7, headers={"Retry-After-Ms": "1500"})], (f"{_BUSY}; waited 1.5 s",), [1.5]),
        ([broken()], ("500: engine on fire; waited 1 s",), [1.0]),
        ([broken(503), broken(529)], ("503: engine on fire; waited 1 s", "529: engine on fire; waited 2 s"), [1.0, 2.0]),
        ([error(503, "loading", headers={"Retry-After": "4"})], ("503: loading; waited 4 s",), [4.0]),
        ([web_page(502)], ("502: Error code: 502; waited 1 s",), [1.0]),
        ([no_choices()], ("no reply in the answer; waited 1 s",), [1.0]),
        ([Answer(b'{"id": "cut')], ("a broken answer; waited 1 s",), [1.0]),
        ([Answer(b"[]")], ("a broken answer; waited 1 s",), [1.0]),
    ],
)  # fmt: skip
def test_what_may_pass_is_waited_for(tmp_path: Path, trouble: Sequence[Item], told: tuple[str, ...], waited: list[float]) -> None:
    """As long as the server asks, else one second, then twice as long. Failed attempts are told, but do not count as requests.

    Where all requests wait they wait a little longer, by a share that the request's seed gives.
    """
    clock = _Clock()
    with chat_server({"m": [*trouble, "Hello."]}) as server:
        reply = _served(server, tmp_path, clock=clock).complete(_ASKED, seed=1)
        assert len(trouble) + 1 == len(server.bodies())
    assert ("Hello.", told, 1) == (reply.text, reply.attempts, reply.usage.requests)
    most = 1 + (JITTER if _BUSY in told[0] else 0)
    assert len(waited) == len(clock.waited)
    assert all(asked <= got <= most * asked for asked, got in zip(waited, clock.waited, strict=True))


def test_a_provider_that_is_busy_uses_up_no_attempt(tmp_path: Path) -> None:
    """SPEC 3: 429 waits; only failures have a budget of attempts."""
    with chat_server({"m": [*[rate_limited(1)] * 9, broken(), "Hello."]}) as server:
        reply = _served(server, tmp_path, "attempts=2").complete(_ASKED, seed=1)
    assert ("Hello.", (f"{_BUSY}, 9 times; waited 9 s", "500: engine on fire; waited 1 s")) == (reply.text, reply.attempts)


def test_a_quota_that_all_threads_meet_drops_nobody(tmp_path: Path) -> None:
    """Eight threads, a server that takes one request in 0.1 s: after each pause they come back one by one, and all are taken."""
    taken: list[float] = []
    lock = threading.Lock()

    def quota(body: Body) -> Answer:
        with lock:
            if taken and time.monotonic() - taken[-1] < 0.1:
                return rate_limited(0.1)
            taken.append(time.monotonic())
        return say(f"to {body['seed']}")

    with chat_server({"m": quota}) as server:
        talker = client(server.party("m", "attempts=1"), tmp_path)
        with ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(lambda seed: talker.complete(_ASKED, seed=seed).text, range(24)))
        sent = len(server.bodies())
    assert [f"to {seed}" for seed in range(24)] == texts
    assert sent < 24 * 3  # without a pace of their own the eight come back together, and most in vain


@pytest.mark.parametrize(
    ("trouble", "options", "said"),
    [
        ([rate_limited(80_000)], "", "429: too many requests; it asks for 80000 s more, and patience=300: run the same"),
        ([rate_limited(9)] * 3, "patience=20", r"429: too many requests for \d+ s on end; it asks for 9 s more, and patience=20"),
    ],
)  # fmt: skip
def test_a_provider_that_takes_nothing_any_more_stops_the_run(
    tmp_path: Path, trouble: Sequence[Item], options: str, said: str
) -> None:
    """A quota for the day is no case's fault: none is lost, and the same command goes on when there is quota again."""
    with chat_server({"m": [*trouble, "Hello."]}) as server:
        talker = _served(server, tmp_path, options)
        with pytest.raises(OperatorError, match=said):
            talker.complete(_ASKED, seed=1)
        assert "Hello." == talker.complete(_ASKED, seed=2).text


def test_waiting_for_a_turn_uses_up_no_patience(tmp_path: Path) -> None:
    """A slow server that takes one request at a time: who waits behind others for longer than patience has all of it left."""

    def slow(body: Body) -> Answer:
        time.sleep(0.25)
        return refused.pop() if body["seed"] == 3 and refused else say("Hello.")

    refused = [error(500, "a hiccup", headers={"Retry-After": "0.05"})]
    with chat_server({"m": slow}) as server:
        talker = client(server.party("m", "in_flight=1&patience=0.6"), tmp_path)
        with ThreadPoolExecutor(4) as pool:
            first = [pool.submit(talker.complete, _ASKED, seed=seed) for seed in range(3)]
            time.sleep(0.1)
            last = pool.submit(talker.complete, _ASKED, seed=3)
            assert ("500: a hiccup; waited 0.05 s",) == last.result().attempts
            assert ["Hello."] * 3 == [done.result().text for done in first]


def test_a_date_to_wait_for_is_understood(tmp_path: Path) -> None:
    """`Retry-After` may be a date; the wait ends with the second it names."""
    clock = _Clock()
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    with chat_server({"m": [rate_limited(date), "Hello."]}) as server:
        assert "Hello." == _served(server, tmp_path, clock=clock).complete(_ASKED, seed=1).text
    assert [True] == [40 <= wait <= 50 * (1 + JITTER) for wait in clock.waited]


def test_a_hang_is_cut_and_tried_again(tmp_path: Path) -> None:
    """No answer within the timeout is a failed attempt like others."""
    with chat_server({"m": ["warm", hang(), "Hello."]}) as server:
        talker = _served(server, tmp_path, "timeout=0.5")
        talker.complete(_ASKED, seed=0)
        assert ("no answer within 0.5 s; waited 1 s",) == talker.complete(_ASKED, seed=1).attempts


@pytest.mark.parametrize(
    ("trouble", "options", "requests", "said"),
    [
        ([broken()] * 3, "attempts=3", 3, "500: engine on fire, in the last of 3 attempts"),
        ([no_choices()] * 2, "attempts=2", 2, "no reply in the answer, in the last of 2 attempts"),
        ([error(503, "away", headers={"Retry-After": "9"})] * 3, "patience=20", 3, "503: away, in the last of 3 attempts"),
        ([too_long()], "", 1, "the conversation is longer than the model can read: This model's maximum context"),
        ([error(400, "Conversation roles must alternate")], "", 1, "400: Conversation roles must alternate"),
        ([error(403, "Your input was flagged")], "", 1, "refused by the provider's own moderation: Your input was flagged"),
    ],
)
def test_the_provider_s_failures_drop_one_case(
    tmp_path: Path, trouble: Sequence[Item], options: str, requests: int, said: str
) -> None:
    """When attempts or patience are at an end, and at once where the same request would fail again; other cases go on."""
    with chat_server({"m": [*trouble, "Hello."]}) as server:
        talker = _served(server, tmp_path, options)
        with pytest.raises(ProviderError, match=said) as caught:
            talker.complete(_ASKED, seed=1)
        assert requests == len(server.bodies())
        assert "Hello." == talker.complete(_ASKED, seed=2).text
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (refused_key(), "401: Incorrect API key provided"),
        (no_model("m"), "404: The model `m` does not exist"),
        (error(402, "pay first"), "402: pay first"),
        (error(403, "not in your country"), "403: not in your country"),
        (error(429, "You exceeded your current quota"), "429: You exceeded your current quota"),
        (rate_limited(1, code="insufficient_quota"), "429: slow down"),
        (error(400, "API key not valid. Please pass a valid API key."), "400: API key not valid"),
        (error(400, "The model `m` does not exist"), "400: The model `m` does not exist"),
        (error(410, "retired"), "410: retired"),
        (web_page(), "answered with a web page"),
    ],
)
def test_what_only_the_operator_can_mend_stops_at_once(tmp_path: Path, trouble: Answer, said: str) -> None:
    """A key, a model, an address, an account: no other request would fare better, so there is no second attempt."""
    with chat_server({"m": [trouble, "Hello."]}) as server:
        talker = _served(server, tmp_path)
        with pytest.raises(OperatorError, match=said) as caught:
            talker.complete(_ASKED, seed=1)
        assert 1 == len(server.bodies())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://nowhere.invalid/v1"])
def test_an_address_where_nobody_is_stops_at_once(tmp_path: Path, address: str) -> None:
    """A refused connection and a name that does not resolve."""
    clock = _Clock()
    with pytest.raises(OperatorError, match="cannot be reached"):
        client(f"litellm:openai/m?api_base={address}", tmp_path, clock=clock).complete(_ASKED, seed=1)
    assert [] == clock.waited


def test_a_provider_that_does_not_exist_stops_at_once(tmp_path: Path) -> None:
    """Nothing is sent."""
    with pytest.raises(OperatorError, match="LLM Provider NOT provided"):
        client("litellm:nobody/m", tmp_path, clock=_Clock()).complete(_ASKED, seed=1)


def test_a_missing_key_stops_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """litellm tells it as a server's failure for one provider and rightly for another; nothing is sent to either."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for model, said in (("openai/gpt-5.2", "Missing credentials"), ("anthropic/claude-opus-5", "Missing Anthropic API Key")):
        with pytest.raises(OperatorError, match=said):
            client(f"litellm:{model}?seed=off", tmp_path, clock=_Clock()).complete(_ASKED, seed=1)


def test_a_provider_s_key_never_goes_to_another_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of one's own gets its own key, the one named by `auth`, or none."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-provider")
    monkeypatch.delenv("RINGBACK_CHAT_KEY", raising=False)
    monkeypatch.setenv("MY_KEY", "sk-of-mine")
    with chat_server({"m": ["a", "b", "c"]}) as server:
        _served(server, tmp_path).complete(_ASKED, seed=1)
        _served(server, tmp_path, "auth=MY_KEY").complete(_ASKED, seed=2)
        monkeypatch.setenv("RINGBACK_CHAT_KEY", "sk-of-ours")
        _served(server, tmp_path).complete(_ASKED, seed=3)
        assert ["Bearer none", "Bearer sk-of-mine", "Bearer sk-of-ours"] == [head["authorization"] for head, _ in server.requests]


@pytest.mark.parametrize(("value", "said"), [("", "auth='MY_KEY': this variable is not set"), ("sk a", "MY_KEY holds spaces")])
def test_a_key_that_is_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, said: str) -> None:
    """Before anything is asked, and without the key."""
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(UsageError, match=said):
        client("litellm:openai/m?auth=MY_KEY", tmp_path)


def test_a_server_that_repeats_the_key_gives_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither in an error, nor in a log, nor in what a trace keeps of a failed attempt."""
    monkeypatch.setenv("RINGBACK_CHAT_KEY", "sk-very-secret")
    refused, late = error(401, "no such key: sk-very-secret"), error(500, "lost sk-very-secret")
    with chat_server({"m": [late, "Hello.", refused]}) as server:
        talker = _served(server, tmp_path)
        assert ("500: lost ***; waited 1 s",) == talker.complete(_ASKED, seed=1).attempts
        with pytest.raises(OperatorError, match=r"no such key: \*\*\*"):
            talker.complete(_ASKED, seed=2)
    assert "very-secret" not in caplog.text
    assert [] == [path for path in tmp_path.rglob("*") if path.is_file() and b"very-secret" in path.read_bytes()]


def test_a_setting_that_is_not_taken_is_left_out_from_then_on(tmp_path: Path) -> None:
    """It is asked for once in a client's life; every reply says that it was left out, so a seeded run that was none shows."""
    seed, top_k = "seed left out: the endpoint does not take it", "top_k left out: the endpoint does not take it"
    with chat_server({"m": [no_setting("top_k"), no_setting("seed"), "a", "b"]}) as server:
        talker = _served(server, tmp_path, "top_k=3&temperature=0")
        first, second = talker.complete(_ASKED, seed=1), talker.complete(_ASKED, seed=2)
        assert [{"temperature", "top_k", "seed"}, {"temperature", "seed"}, {"temperature"}, {"temperature"}] == [
            body.keys() - {"model", "messages"} for body in server.bodies()
        ]
    assert (("seed", "top_k"), (seed, top_k), "a") == (first.dropped, first.attempts, first.text)
    assert (("seed", "top_k"), (seed, top_k), "b") == (second.dropped, second.attempts, second.text)


def test_thinking_that_cannot_be_off_is_as_low_as_can_be(tmp_path: Path) -> None:
    """The seed: the lowest available setting rather than off. Which one went out is told by those that did not."""
    with chat_server({"m": [no_setting("reasoning_effort"), no_setting("reasoning_effort"), "a", "b"]}) as server:
        talker = _served(server, tmp_path, "reasoning=off&seed=off")
        first, _ = talker.complete(_ASKED, seed=1), talker.complete(_ASKED, seed=2)
        assert ["none", "minimal", "low", "low"] == [body["reasoning_effort"] for body in server.bodies()]
    assert ("reasoning_effort=minimal", "reasoning_effort=none") == first.dropped == first.usage.left_out


def test_thinking_at_a_level_is_left_to_an_endpoint_that_does_not_take_it(tmp_path: Path) -> None:
    """A level that was asked for has no next best."""
    with chat_server({"m": [no_setting("reasoning_effort"), "a"]}) as server:
        assert ("reasoning_effort",) == _served(server, tmp_path, "reasoning=low").complete(_ASKED, seed=1).dropped
        assert "reasoning_effort" not in server.bodies()[1]


def test_a_refusal_that_leaving_out_does_not_mend_teaches_nothing(tmp_path: Path) -> None:
    """A server that names a setting in a refusal about something else gets the setting again next time."""
    with chat_server({"m": [no_setting("seed"), error(400, "bad words"), "Hello."]}) as server:
        talker = _served(server, tmp_path)
        with pytest.raises(ProviderError, match="bad words"):
            talker.complete(_ASKED, seed=1)
        assert ("Hello.", ()) == (talker.complete(_ASKED, seed=2).text, talker.complete(_ASKED, seed=2).dropped)
        assert 2 == server.bodies()[-1]["seed"]


def test_a_schema_that_is_not_taken_is_asked_for_in_words(tmp_path: Path) -> None:
    """The reply is checked by whoever asked, in either case."""
    schema: dict[str, JsonValue] = {"type": "object", "properties": {"speech": {"type": "string"}}}
    with chat_server({"m": [no_setting("response_format"), "{}"]}) as server:
        assert ("response_format",) == _served(server, tmp_path).complete(_ASKED, schema=schema, seed=1).dropped
        with_schema, in_words = server.bodies()
    assert {"name": "reply", "schema": schema, "strict": True} == with_schema["response_format"]["json_schema"]
    assert "response_format" not in in_words
    assert '{"properties":{"speech":{"type":"string"}},"type":"object"}' in in_words["messages"][0]["content"]


def test_what_was_answered_once_costs_nothing_again(tmp_path: Path) -> None:
    """Another client, as in a resumed run, gets the same reply with the same attempts, and no request goes out."""
    with chat_server({"m": [broken(), truncated({"speech": "Hello."})]}) as server:
        first = _served(server, tmp_path).complete(_ASKED, seed=1)
        again = _served(server, tmp_path, "rpm=5&timeout=9").complete(_ASKED, seed=1)
        assert 2 == len(server.bodies())
    assert Usage(cached=1) == again.usage
    assert first.model_copy(update={"usage": Usage(cached=1)}) == again


@pytest.mark.parametrize(
    ("options", "seed", "message"),
    [("", 2, "Hello."), ("temperature=1", 1, "Hello."), ("", 1, "Hello!"), ("cache=off", 1, "Hello.")],
)
def test_another_request_is_asked_anew(tmp_path: Path, options: str, seed: int, message: str) -> None:
    """Another seed, setting or word, or a party that keeps nothing."""
    with chat_server({"m": ["a", "b"]}) as server:
        _served(server, tmp_path).complete(_ASKED, seed=1)
        other = [_ASKED[0], {"role": "user", "content": message}]
        assert "b" == _served(server, tmp_path, options).complete(other, seed=seed).text


def test_repeats_differ_where_the_endpoint_takes_no_seed(tmp_path: Path) -> None:
    """What is sent is the same, but two repeats of a case are two samples."""
    with chat_server({"m": ["a", "b"]}) as server:
        talker = _served(server, tmp_path, "seed=off")
        assert ["a", "b", "a"] == [talker.complete(_ASKED, seed=seed).text for seed in (1, 2, 1)]
        assert server.bodies()[0] == server.bodies()[1]


def test_a_kept_reply_that_is_damaged_is_asked_for_again(tmp_path: Path) -> None:
    """A file cut by a full disk is no reply."""
    with chat_server({"m": ["a", "b"]}) as server:
        talker = _served(server, tmp_path)
        talker.complete(_ASKED, seed=1)
        (kept,) = (tmp_path / "chat" / "replies").rglob("*.json")
        kept.write_bytes(kept.read_bytes()[:40])
        assert ["b", "b"] == [talker.complete(_ASKED, seed=1).text for _ in range(2)]


def test_a_check_asks_for_one_word_and_keeps_nothing(tmp_path: Path) -> None:
    """Each run asks anew, with the party's own settings, so that a wrong one is found before the first call."""
    with chat_server({"m": [no_setting("top_k"), "ready", "ready", error(400, "bad role"), broken(), broken()]}) as server:
        talker = _served(server, tmp_path, "temperature=0&top_k=4")
        talker.check()
        talker.check()
        assert ({"temperature": 0.0, "seed": 0, "top_k": 4}, {"temperature": 0.0, "seed": 0}) == tuple(
            {name: value for name, value in body.items() if name not in ("model", "messages")} for body in server.bodies()[::2]
        )
        with pytest.raises(OperatorError, match="400: bad role: check the settings"):
            talker.check()
        with pytest.raises(ProviderError, match="in the last of 2 attempts"):
            talker.check()


def test_a_check_opens_the_conversation_as_it_is_told(tmp_path: Path) -> None:
    """An endpoint may take instructions alone, or refuse them; the party knows how it will begin."""
    with chat_server({"m": [error(400, "no user message")]}) as server:
        with pytest.raises(OperatorError, match="400: no user message: check the settings"):
            _served(server, tmp_path).check(_ASKED[:1])
        assert [_ASKED[:1]] == [body["messages"] for body in server.bodies()]


def test_a_check_offers_what_the_party_will(tmp_path: Path) -> None:
    """An endpoint without tools or schemas is found before the first call: the one is refused, the other asked for in words."""
    with chat_server({"m": [error(400, "m does not support tools"), error(404, "No endpoint supports tool use")]}) as server:
        for said in ("400: m does not support tools: check the settings", "404: No endpoint supports tool use"):
            with pytest.raises(OperatorError, match=f"{said}.*; tools=text or tools=schema where it takes no tools"):
                _served(server, tmp_path).check(tools=[CHECK_TOOL])
        assert [[CHECK_TOOL]] * 2 == [body["tools"] for body in server.bodies()]
    with chat_server({"m": [no_setting("response_format"), "{}"]}) as server:
        assert ("response_format",) == _served(server, tmp_path).check(schema=CHECK_SCHEMA).left_out


def test_a_check_that_is_too_long_already_is_a_setting(tmp_path: Path) -> None:
    """Such as a `max_tokens` beyond what the model can read: no call was lost to it."""
    with chat_server({"m": [too_long()]}) as server, pytest.raises(OperatorError, match=r"longer than the model .*check"):
        _served(server, tmp_path).check()


def test_threads_share_a_client(tmp_path: Path) -> None:
    """Twenty requests at once, each with its own reply, never more in flight than allowed."""
    with chat_server({"m": lambda body: say(f"to {body['seed']}")}) as server:
        talker = client(server.party("m", "in_flight=4"), tmp_path)
        with ThreadPoolExecutor(20) as pool:
            texts = list(pool.map(lambda seed: talker.complete(_ASKED, seed=seed).text, range(20)))
    assert [f"to {seed}" for seed in range(20)] == texts


@pytest.mark.parametrize(
    ("options", "cost", "unpriced"),
    [("price_in=2&price_out=10", 100 * 2e-6 + 10 * 10e-6, 0), ("price_in=0&price_out=0", 0.0, 0), ("", 0.0, 1)],
)
def test_a_cost_is_known_or_said_to_be_unknown(tmp_path: Path, options: str, cost: float, unpriced: int) -> None:
    """100 tokens sent and 10 received, by prices for a million; without a price nothing is claimed."""
    with chat_server({"m": ["Hello."]}) as server:
        usage = _served(server, tmp_path, options).complete(_ASKED, seed=1).usage
    assert pytest.approx(cost) == usage.cost_usd
    assert unpriced == usage.unpriced


@pytest.mark.parametrize("used", [None, {}, {"prompt_tokens": -3, "completion_tokens": -1}, {"prompt_tokens": "many"}])
def test_tokens_that_nobody_counted_are_reckoned(tmp_path: Path, used: object) -> None:
    """From lengths, and said to be: a budget goes on, and no cost is called exact."""
    body = {"choices": [{"message": {"role": "assistant", "content": "a" * 40}, "finish_reason": "stop"}], "usage": used}
    asked = [{"role": "user", "content": "b" * 400}]
    with chat_server({"m": [Answer(json.dumps(body).encode())]}) as server:
        usage = _served(server, tmp_path, "price_in=1&price_out=1").complete(asked, seed=1).usage
    assert (1, 0, 11) == (usage.estimated, usage.unpriced, usage.completion_tokens)
    assert 100 <= usage.prompt_tokens <= 120
    assert pytest.approx((usage.prompt_tokens + 11) * 1e-6) == usage.cost_usd


def test_a_kept_reply_is_known_by_what_translated_it(tmp_path: Path) -> None:
    """Another version of litellm may ask and read otherwise, and the run's record names the version."""
    asked: dict[str, JsonValue] = {"model": "m"}
    assert ReplyCache(tmp_path, "litellm 1").key(asked) != ReplyCache(tmp_path, "litellm 2").key(asked)


def test_importing_the_client_imports_no_vendor() -> None:
    """litellm takes seconds, so it comes with the first request."""
    probe = "import sys, models.chat.client; print([m for m in ('litellm', 'openai', 'httpx') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()
