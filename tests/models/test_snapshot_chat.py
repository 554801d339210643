"""Chat models as the agents that build calls: what each is told, what is read from its replies, and whole trees over HTTP."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from core.errors import OperatorError, ProviderError, UsageError
from core.schemas.base import sha256
from core.schemas.casefile import Beat, Content, Profile
from core.schemas.snapshots import CallTurn, Delivery, Label, PathState, Side
from core.schemas.trees import BuildConfig, BuiltTree, MixedTree, Proposal, RejectCode
from core.snapshots.building.agents import ROLES, AgentSet, Moment, NoProfileError, Verdict
from core.snapshots.building.build import build_calls
from core.snapshots.building.folder import build_into, kept_trees
from core.snapshots.building.library import load_cases
from core.snapshots.building.plot import Plot
from core.snapshots.building.validator import faults_of_calls, refuse
from gateway.snapshots.builders import make_builders
from models.chat.prompts import hashes
from models.snapshots.chat import PROMPTS, chat_agents
from models.snapshots.chat_plots import ChatBrancher, ChatTerminator, possible_actions, proposals_in, verdict_in
from models.snapshots.chat_profiles import ChatProfiler
from models.snapshots.chat_words import ChatDeliverer, ChatPlayer, delivery_in, spoken
from models.snapshots.offline import PARTY, offline_agents
from tests.support.chat import client
from tests.support.chat_server import (
    Answer,
    Body,
    ChatServer,
    Item,
    broken,
    chat_server,
    error,
    fenced,
    refused_key,
    say,
    thinking,
    too_long,
    truncated,
)

LIBRARY = load_cases("en")
PLOT = Plot(LIBRARY.catalogue)
CASE = LIBRARY.abstracts["bank-unusual-payment"]
PROFILE = offline_agents(LIBRARY).profiler.profile(CASE, 1).value
NAMES = {Side.CALLER: "Vera Lindqvist", Side.RECEIVER: "Alan Thackeray"}
ROOT = Moment(PROFILE, (), (), PathState.AMBIGUOUS, 3)
DRAFT: dict[str, Any] = {
    "shared": {
        "caller": {"age": 41},
        "receiver": {"age": 66},
        "caller_name": "Vera Lindqvist",
        "receiver_name": "Alan Thackeray",
        "background": "Has an account, savings and one card.",
        "setting": "in the garden",
        "event": "A card payment was stopped and the bank asks about it.",
        "early_context": "Both know that such calls are made.",
        "entities": {slot: values[0] for slot, values in CASE.entities.items()},
        "opening": "The caller names the bank and says what was stopped.",
    },
    "variable": {"objectives": ["clear it up"], "persuasion": ["an even tone"], "risk_nodes": ["code", "callback", "holding"]},
}
"""What a chat profiler returns for the case."""


def _config(**changes: Any) -> BuildConfig:
    given = {"namespace": "chat", "seed": 1, "language": "en", "trees": 1, "depth": 2, "branching": 2, "abstracts": [CASE.id]}
    return BuildConfig.model_validate({**given, **changes})


# -- one scripted model for each role -----------------------------------------------------------------------------------


def _user(body: Body) -> str:
    return str(body["messages"][-1]["content"])


def _system(body: Body) -> str:
    return str(body["messages"][0]["content"])


def _asked(body: Body) -> str:
    """The role that a request is for, by its prompt; every prompt begins with words of its own."""
    beginnings = {
        "profiler": "You prepare reported cases",
        "caller": "You write what one person says in a telephone call that is made up from beginning to end: the caller.",
        "receiver": "You write what one person says in a telephone call that is made up from beginning to end: the receiver",
        "brancher": "You plan telephone calls",
        "terminator": "You watch telephone calls",
        "caller_delivery": "You direct the voice of the caller",
        "receiver_delivery": "You direct the voice of the person who is called",
    }
    (role,) = [role for role, words in beginnings.items() if _system(body).startswith(words)]
    return role


def _branches(body: Body) -> str:
    """Both ways at the first topic, or what the path still allows."""
    choices = re.search(r"Choose from: (.*)", _user(body))
    assert choices is not None
    possible = sorted(choices[1].split(", "))
    shown = [action for action in possible if action.partition(".")[0] in ("demand", "advise")]
    cue = [action for action in possible if action.startswith("cite-harm")]
    ways = shown[:1] + shown[-1:] if "nothing yet" not in _user(body) or "path: 1" in _user(body) else [*cue[:1], *shown[:1]]
    return json.dumps({"actions": [{"action": way, "meaning": "It happens.", "evidence": "It is said."} for way in ways]})


def _sound(body: Body) -> str:
    """A sound reply in every role; words are their own by what they answer."""
    match _asked(body):
        case "profiler":
            return json.dumps(DRAFT)
        case "brancher":
            return _branches(body)
        case "terminator":
            return json.dumps({"open": True, "reason": "Something may follow."})
        case "caller_delivery" | "receiver_delivery":
            return json.dumps({"delivery": "calm"})
        case _:
            return f"I say {_letters(body)} about the matter."


def _letters(body: Body) -> str:
    """Letters that stand for a question, so that every question gets words of its own."""
    return sha256(_user(body)).translate(str.maketrans("0123456789", "ghijklmnop"))


@pytest.fixture
def script() -> dict[str, Callable[[Body], Answer | str]]:
    """Role to what its model answers; tests replace single ones."""
    return dict.fromkeys(ROLES, _sound)


@pytest.fixture
def server(script: dict[str, Callable[[Body], Answer | str]]) -> Iterator[ChatServer]:
    """One model for each role, on one server."""
    with chat_server(script_of(script)) as made:
        yield made


def script_of(script: Mapping[str, Callable[[Body], Answer | str]]) -> Mapping[str, Callable[[Body], Answer | str]]:
    """A script that may still change while the server runs."""

    def answer(role: str, body: Body) -> Answer | str:
        return script[role](body)

    return {role: partial(answer, role) for role in script}


def _agents(server: ChatServer, cache: Path, options: str = "cache=off&attempts=1", roles: tuple[str, ...] = ROLES) -> AgentSet:
    return chat_agents(LIBRARY, {role: client(server.party(role, options), cache, role="caller") for role in roles})


# -- whole trees --------------------------------------------------------------------------------------------------------


def test_seven_chat_models_build_a_whole_tree(server: ChatServer, tmp_path: Path) -> None:
    """Depth 3, two branches: both labels, every state by the recorded actions, and each reply under its agent's name."""
    (built,) = build_calls(_config(depth=3), LIBRARY, _agents(server, tmp_path))
    assert {Label.FRAUD, Label.NONFRAUD} == {call.label for call in built.calls}
    assert [] == faults_of_calls(built.calls, PLOT)
    assert built.tree is not None
    assert 3 == max(len(node.path) for node in built.tree.nodes)
    assert 2 == max(Counter(node.path[:-1] for node in built.tree.nodes if node.path).values())
    for call in built.calls:
        assert set(ROLES) == {reply.agent for reply in call.generation.replies}
        assert "profiler" == call.generation.replies[0].agent
        said = [reply.raw for reply in call.generation.replies if reply.agent in ("caller", "receiver")]
        assert [turn.text for turn in call.turns] == said
    assert {role: server.party(role) for role in ROLES} == dict(built.calls[0].generation.agents)
    assert {role: hashes(name)[name] for role, name in PROMPTS.items()} == built.calls[0].generation.prompts
    assert 7 == len(set(built.calls[0].generation.prompts.values()))


def test_each_role_asks_its_own_model_with_its_own_prompt(server: ChatServer, tmp_path: Path) -> None:
    """Every model gets requests of its own role and of no other; both deliverers are asked separately."""
    list(build_calls(_config(), LIBRARY, _agents(server, tmp_path)))
    for role in ROLES:
        assert {role} == {_asked(body) for body in server.bodies(role)}


def test_the_same_build_twice_asks_for_nothing_twice(server: ChatServer, tmp_path: Path) -> None:
    """Replies that were paid for are kept, so that a build that was killed within a tree costs no more."""
    first = list(build_calls(_config(), LIBRARY, _agents(server, tmp_path, "attempts=1")))
    asked = len(server.requests)
    assert first == list(build_calls(_config(), LIBRARY, _agents(server, tmp_path, "attempts=1")))
    assert asked == len(server.requests)


def test_a_provider_that_fails_stops_the_build_which_goes_on_at_the_tree(
    server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """Finished trees are not asked for again, nothing half-done is kept, and the end is that of a build that never failed."""
    config = _config(trees=2)
    whole = build_into(tmp_path / "whole", config, LIBRARY, _agents(server, tmp_path))
    of_a_tree = len(server.bodies("profiler")) // 2
    del server.requests[:]
    profiled: list[Body] = []

    def second_fails(body: Body) -> Answer | str:
        profiled.append(body)
        return broken() if len(profiled) == 2 else _sound(body)

    script["profiler"] = second_fails
    folder = tmp_path / "stopped"
    with pytest.raises(ProviderError, match="engine on fire"):
        build_into(folder, config, LIBRARY, _agents(server, tmp_path))
    assert 1 == len(list(kept_trees(folder)))
    assert not (folder / "calls.jsonl").exists()
    del server.requests[:]
    assert whole == build_into(folder, config, LIBRARY, _agents(server, tmp_path))
    assert of_a_tree == len(server.bodies("profiler"))


@pytest.mark.parametrize("role", ROLES)
def test_a_wrong_key_stops_the_build(
    role: str, server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """No other request would fare better, whoever is asked first."""
    script[role] = lambda _: refused_key()
    with pytest.raises(OperatorError, match="Incorrect API key"):
        list(build_calls(_config(), LIBRARY, _agents(server, tmp_path)))


def test_some_roles_may_stay_offline(server: ChatServer, tmp_path: Path) -> None:
    """Here the words are a model's and the plot is not; each party is recorded for its roles."""
    (built,) = build_calls(_config(), LIBRARY, _agents(server, tmp_path, roles=("caller", "receiver_delivery")))
    assert {"caller", "receiver_delivery"} == {_asked(body) for body in server.bodies()}
    generation = built.calls[0].generation
    assert {"caller", "receiver_delivery"} == {role for role, party in generation.agents.items() if party != PARTY}
    assert {"caller", "receiver_delivery"} == generation.prompts.keys()
    assert [] == faults_of_calls(built.calls, PLOT)


@pytest.mark.parametrize("role", ROLES)
def test_any_single_role_may_be_a_chat_model(role: str, server: ChatServer, tmp_path: Path) -> None:
    """The chat agents have the same interface as the offline ones: each fits into a set of the others."""
    (built,) = build_calls(_config(), LIBRARY, _agents(server, tmp_path, roles=(role,)))
    assert isinstance(built, BuiltTree)
    assert isinstance(built.tree, MixedTree)
    assert [] == faults_of_calls(built.calls, PLOT)
    assert {role} == {_asked(body) for body in server.bodies()}


def test_no_agent_is_told_a_label(server: ChatServer, tmp_path: Path) -> None:
    """Only B and Gamma hear what the path has shown; players and deliverers hear neither that nor the plan."""
    list(build_calls(_config(), LIBRARY, _agents(server, tmp_path)))
    for role in ("caller", "receiver", "caller_delivery", "receiver_delivery"):
        for body in server.bodies(role):
            told = _user(body).casefold()
            assert not re.search(r"\bfraud|\blawful|nonfraud|ambiguous|\bshown\b|\blabel", told), told
    for role in ("caller_delivery", "receiver_delivery"):
        for body in server.bodies(role):
            assert CASE.entities["shop"][0] not in _system(body)
            assert "demand" not in _user(body)


@pytest.mark.parametrize("role", ["caller", "receiver"])
def test_the_language_of_the_calls_is_in_every_prompt_that_asks_for_words(role: str, tmp_path: Path) -> None:
    """Mandarin calls ask for Mandarin words, and words in another script are asked for again."""
    library = load_cases("zh")
    case = next(iter(library.abstracts.values()))
    moment = Moment(offline_agents(library).profiler.profile(case, 1).value, (), (), PathState.AMBIGUOUS, 3)
    beat = next(beat for beat in library.catalogue.opening if beat.side.value == role)
    with chat_server({"x": ["Good morning to you.", "您好，请讲。"]}) as made:
        agent = getattr(chat_agents(library, {role: client(made.party("x"), tmp_path, role="caller")}), role)
        answer = agent.speak(moment, "open", beat, 1)
        assert answer.refusal is not None
        assert "not in Mandarin Chinese (zh) in simplified Chinese script (Hans)" in answer.refusal[1]
        assert "您好，请讲。" == agent.speak(moment, "open", beat, 2).value
        assert "in Mandarin Chinese (zh) in simplified Chinese script (Hans)" in _system(made.bodies("x")[0])


# -- what is read from replies ------------------------------------------------------------------------------------------

TWO = [{"action": "demand.code", "meaning": "a", "evidence": "b"}, {"action": "explain", "meaning": "c", "evidence": ""}]


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps({"actions": TWO}),
        json.dumps({"branches": TWO, "note": "two"}),
        json.dumps(TWO),
        f"```json\n{json.dumps({'actions': TWO})}\n```",
        f"```json\n{json.dumps(TWO, indent=2)}\n```\nI hope that helps.",
        f"Here they are: {json.dumps({'actions': TWO})} Good luck!",
        f"<think>demand or advise? {{maybe}}</think>{json.dumps({'actions': TWO})}",
        f"<think>[1, 2]</think>{json.dumps(TWO)}",
    ],
)
def test_proposals_are_read_whatever_stands_around_them(raw: str) -> None:
    """Wrapped in an object under any name, bare, fenced, in prose, after thoughts."""
    assert (
        Proposal(action="demand.code", meaning="a", evidence="b"),
        Proposal(action="explain", meaning="c"),
    ) == proposals_in(raw)


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (json.dumps(TWO[0]), (Proposal(action="demand.code", meaning="a", evidence="b"),)),
        (json.dumps(TWO[:1]), (Proposal(action="demand.code", meaning="a", evidence="b"),)),
        ('{"actions": ["explain", " break-off "]}', (Proposal(action="explain"), Proposal(action="break-off"))),
        ('{"actions": [{"action": "explain", "evidence": null, "odds": 3}]}', (Proposal(action="explain"),)),
        (json.dumps({"actions": [{"action": "x" * 900}]}), (Proposal(action="x" * 300),)),
    ],
)
def test_proposals_of_other_shapes(raw: str, read: tuple[Proposal, ...]) -> None:
    """One by itself, names alone, nothing where a text should be, more than was asked for, and far too long a name."""
    assert read == proposals_in(raw)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "not valid JSON"),
        ("demand.code and advise.code", "not valid JSON"),
        ('{"actions": [{"action": "demand.co', "not valid JSON"),
        ('{"actions": []}', "no action is proposed"),
        ("[]", "no action is proposed"),
        ('{"actions": "demand.code"}', 'no list under "actions"'),
        ('{"one": ["explain"], "two": ["explain"]}', 'no list under "actions"'),
        ('{"actions": [7]}', "'7' is no object with an \"action\""),
        ('{"actions": [{"meaning": "x"}]}', 'is no object with an "action"'),
        ('{"actions": [{"action": 7}]}', 'is no object with an "action"'),
        ("[" * 5000, "not valid JSON"),
    ],
)
def test_what_is_no_list_of_proposals_says_why(raw: str, reason: str) -> None:
    """In one line that can be given back to the model."""
    with pytest.raises(ValueError, match=re.escape(reason)) as caught:
        proposals_in(raw)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("said", "goes_on"),
    [
        (True, True),
        (False, False),
        ("true", True),
        ("false", False),
        ("False", False),
        ("no", False),
        ("YES", True),
        (0, False),
        (1, True),
    ],
)
def test_a_verdict_in_words_is_read_as_it_is_meant(said: object, goes_on: bool) -> None:
    """A text that says false is false."""
    assert Verdict(goes_on, "so") == verdict_in(json.dumps({"open": said, "reason": "so"}))
    assert Verdict(goes_on, "so") == verdict_in(f"```json\n{json.dumps({'open': said, 'reason': ' so '})}\n```")


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", "not valid JSON"),
        ("It goes on.", "not valid JSON"),
        ('{"open": "maybe", "reason": "so"}', "\"open\" is 'maybe', neither true nor false"),
        ('{"open": null, "reason": "so"}', "\"open\" is 'None', neither true nor false"),
        ('{"reason": "so"}', "neither true nor false"),
        ('{"open": true}', 'no "reason" is given'),
        ('{"open": true, "reason": " "}', 'no "reason" is given'),
        ('{"open": true, "reason": ["so"]}', 'no "reason" is given'),
    ],
)
def test_what_is_no_verdict_says_why(raw: str, reason: str) -> None:
    """Neither true nor false is never taken for either."""
    with pytest.raises(ValueError, match=re.escape(reason)):
        verdict_in(raw)


@pytest.mark.parametrize(
    "raw",
    [
        "Please keep the code to yourself.",
        '"Please keep the code to yourself."',
        "“Please keep the code to yourself.”",
        "Caller: Please keep the code to yourself.",
        "**Caller:** Please keep the code to yourself.",
        "Vera Lindqvist: “Please keep the code to yourself.”",
        'Caller: "Please keep the code\nCaller: to yourself."',
        "<|emotion:calm|>Please keep the code to yourself.",
        "[calm] Please keep the code to yourself.",
        "(in an even voice) Please keep the code to yourself.",
        "*Please* keep the code to yourself.",
        "<think>They want advice.</think>\n\nPlease keep the code to yourself.",
        "```\nPlease keep the code to yourself.\n```",
        '{"utterance": "Please keep the code to yourself."}',
    ],
)
def test_the_words_of_a_turn_are_freed_of_what_models_put_around_them(raw: str) -> None:
    """Quotation marks, names, tags, stage directions, thoughts, fences."""
    assert "Please keep the code to yourself." == spoken(raw, Side.CALLER, NAMES)


def test_words_in_mandarin_are_freed_too() -> None:
    """Full-width colons, quotation marks and brackets."""
    assert "请您挂电话。" == spoken("来电者：“请您挂电话。”", Side.CALLER, NAMES)
    assert "请您挂电话。" == spoken("（平静地）请您挂电话。", Side.CALLER, NAMES)
    assert "请您挂电话。" == spoken("【平静】「请您挂电话。」", Side.CALLER, NAMES)


@pytest.mark.parametrize("raw", ["", "  \n", '""', "<|calm|>", "Caller:", "<think>Hm.</think>"])
def test_no_words_stay_no_words(raw: str) -> None:
    """Nothing is made up for them."""
    assert "" == spoken(raw, Side.CALLER, NAMES)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("Caller: Hello.\nReceiver: Yes?", "these are words of the receiver"),
        ("Alan Thackeray: Yes?", "these are words of the receiver"),
        ('{"caller": "Hello.", "receiver": "Yes?"}', "this is JSON"),
        ('{"utterance": ["Hello."]}', "this is JSON"),
        ('{"utterance": "Hello', "not valid JSON"),
    ],
)
def test_words_of_both_sides_or_of_none_are_not_taken(raw: str, reason: str) -> None:
    """A model that plays the whole call is asked again for its own turn."""
    with pytest.raises(ValueError, match=reason):
        spoken(raw, Side.CALLER, NAMES)


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("calm", "calm"),
        (" Calm.\n", "calm"),
        ('{"delivery": "calm"}', "calm"),
        ('```json\n{"delivery": "Calm"}\n```', "calm"),
        ("<think>angry?</think>calm", "calm"),
        ("gleeful", "gleeful"),
        ('{"delivery": ["calm"]}', '{"delivery": ["calm"]}'),
        ("I would say calm", "i would say calm"),
        ("", ""),
    ],
)
def test_a_delivery_is_a_word_alone_or_in_an_object(raw: str, read: str) -> None:
    """What is no known word stays what it is, so that it can be refused and told."""
    assert read == delivery_in(raw)


# -- asking again -------------------------------------------------------------------------------------------------------


def _turn(text: str, side: Side = Side.CALLER, delivery: Delivery = Delivery.CALM) -> CallTurn:
    state = PathState.AMBIGUOUS
    return CallTurn(i=0, side=side, action="open", text=text, delivery=delivery, before=state, after=state)


GOOD = json.dumps({"actions": [{"action": "demand.code", "meaning": "m", "evidence": "e"}]})
BAD: list[Item] = [say(""), say(None), say("I cannot decide."), say("[]"), truncated({"actions": TWO}), fenced({"actions": 7})]


@pytest.mark.parametrize("bad", BAD)
def test_the_brancher_is_told_what_was_wrong_and_asked_again(bad: Item, tmp_path: Path) -> None:
    """All replies are kept, the failed one first."""
    with chat_server({"x": [bad, GOOD]}) as made:
        answer = ChatBrancher(client(made.party("x"), tmp_path, role="caller"), PLOT, PROMPTS["brancher"]).propose(ROOT, 2, 1)
        assert (Proposal(action="demand.code", meaning="m", evidence="e"),) == answer.value
        assert answer.refusal is None
        assert 2 == len(answer.replies)
        assert GOOD == answer.replies[1]
        first, second = made.bodies("x")
        assert "was not taken" not in _user(first)
        assert "Your last answer was not taken: " in _user(second)


def test_a_brancher_that_is_never_right_says_so_after_three_replies(tmp_path: Path) -> None:
    """No branches are made up for it."""
    with chat_server({"x": ["a", "b", "c", GOOD]}) as made:
        answer = ChatBrancher(client(made.party("x"), tmp_path, role="caller"), PLOT, PROMPTS["brancher"]).propose(ROOT, 2, 1)
    assert ((), ("a", "b", "c")) == (answer.value, answer.replies)
    assert answer.refusal is not None
    assert RejectCode.UNREADABLE is answer.refusal[0]


def test_impossible_actions_are_asked_for_again_and_at_last_left_to_rho(tmp_path: Path) -> None:
    """So that the reason for each stands among what was left out."""
    odd = '{"actions": [{"action": "demand.gold", "evidence": "e"}]}'
    with chat_server({"x": [odd, odd, odd]}) as made:
        answer = ChatBrancher(client(made.party("x"), tmp_path, role="caller"), PLOT, PROMPTS["brancher"]).propose(ROOT, 2, 1)
        assert "'demand.gold' is none of the actions to choose from" in _user(made.bodies("x")[1])
    assert (Proposal(action="demand.gold", evidence="e"),) == answer.value
    assert 3 == len(answer.replies)
    refusal = refuse(PLOT, PROFILE, PathState.AMBIGUOUS, answer.value[0], ())
    assert refusal is not None
    assert RejectCode.CONTRADICTION is refusal[0]


SPOKEN = say('{"open": true, "reason": "She rings 020 7946 0123."}')


@pytest.mark.parametrize(
    "bad", [say(""), say('{"open": "perhaps", "reason": "x"}'), say("No."), truncated({"open": False}), SPOKEN]
)
def test_the_terminator_is_asked_again(bad: Item, tmp_path: Path) -> None:
    """Until it says true or false."""
    with chat_server({"x": [bad, '{"open": "false", "reason": "It is said."}']}) as made:
        agent = ChatTerminator(client(made.party("x"), tmp_path, role="caller"), LIBRARY, PROMPTS["terminator"])
        answer = agent.judge(ROOT, 1)
    assert Verdict(False, "It is said.") == answer.value
    assert 2 == len(answer.replies)


def test_the_terminator_is_not_asked_what_is_settled(tmp_path: Path) -> None:
    """After an ending the path is closed; at its greatest depth nothing depends on the answer."""
    with chat_server({}) as made:
        agent = ChatTerminator(client(made.party("x"), tmp_path, role="caller"), LIBRARY, PROMPTS["terminator"])
        assert not agent.judge(replace(ROOT, path=("break-off",)), 1).value.open
        assert agent.judge(replace(ROOT, path=("explain",), levels_left=0), 1).value.open
        assert [] == made.requests


BEAT = Beat(side=Side.CALLER, act="direct", content=Content.SAFE)


def _player(made: ChatServer, cache: Path, side: Side = Side.CALLER) -> ChatPlayer:
    return ChatPlayer(client(made.party("x", "attempts=1"), cache, role="caller"), LIBRARY, side, PROMPTS[side.value])


@pytest.mark.parametrize(
    ("reply", "code", "reason"),
    [
        (say("x" * 401), RejectCode.UNREADABLE, "401 characters are too many"),
        (say("I am sorry, but as an AI I cannot do that."), RejectCode.UNREADABLE, "words about yourself"),
        (say("Please hang up.", finish="length"), RejectCode.UNREADABLE, "cut off at its largest length"),
        (say(None, refusal="I cannot help."), RejectCode.UNREADABLE, "declined by the model: I cannot help."),
        (say("Receiver: Yes?"), RejectCode.UNREADABLE, "words of the receiver"),
        (say("Good morning!"), RejectCode.UNREADABLE, "said before in the call"),
        (say("(Ask for this.)"), RejectCode.UNREADABLE, "no words that could be said aloud"),
        (say("Ask the other person in earnest."), RejectCode.UNREADABLE, "it repeats the task"),
        (say("It was wrong."), RejectCode.UNREADABLE, "it repeats the task"),
        (say("请您挂电话。"), RejectCode.UNREADABLE, "not in English (en) in Latin script (Latn)"),
        (error(400, "flagged by moderation", "content_policy_violation"), RejectCode.REFUSED, "flagged by moderation"),
        (too_long(), RejectCode.REFUSED, "longer than the model can read"),
    ],
)
def test_words_that_cannot_be_used_say_why(reply: Answer, code: RejectCode, reason: str, tmp_path: Path) -> None:
    """The builder asks again with the reason, or leaves the action out with it."""
    moment = replace(ROOT, history=(_turn("Good morning."),), path=("advise.code",), rejected="it was wrong")
    with chat_server({"x": [reply]}) as made:
        answer = _player(made, tmp_path).speak(moment, "advise.code", BEAT, 1)
    assert answer.refusal is not None
    assert code is answer.refusal[0]
    assert reason in answer.refusal[1]


def test_a_player_is_told_its_task_its_case_and_what_was_wrong(tmp_path: Path) -> None:
    """The half of a pair is named by its meaning and one wording of the family, the same for both turns of an action."""
    moment = replace(ROOT, history=(_turn("Good morning."),), path=("advise.code",), rejected="it says '12345' (phone_number)")
    topic = LIBRARY.families[CASE.family].topics["code"]
    with chat_server({"x": ["Keep the code.", "I mean to keep the code."]}) as made:
        answer = _player(made, tmp_path).speak(moment, "advise.code", BEAT, 1)
        offer = Beat(side=Side.RECEIVER, act="propose", content=Content.SAFE)
        _player(made, tmp_path, Side.RECEIVER).speak(moment, "advise.code", offer, 1)
        one, two = made.bodies("x")
    assert ("Keep the code.", ("Keep the code.",), None) == (answer.value, answer.replies, answer.refusal)
    said = [place for place, pair in enumerate(topic.pairs) if f"{topic.verify} For instance: {pair.safe.say}" in _user(one)]
    offered = [place for place, pair in enumerate(topic.pairs) if f"{topic.verify} For instance: {pair.safe.offer}" in _user(two)]
    assert said == offered
    assert 1 == len(said)
    assert "Caller: Good morning." in _user(one)
    assert "Your last answer was not taken: it says '12345' (phone_number)." in _user(one)
    assert PROFILE.shared.event in _system(one)
    assert PROFILE.shared.background in _system(two)
    assert PROFILE.variable.persuasion[0] not in _system(two)


def test_the_reason_for_the_call_carries_the_words_of_risk(tmp_path: Path) -> None:
    """Every call names a code, a transfer, the official number, hanging up and verification, whatever it becomes."""
    with chat_server({"x": ["We stopped a payment."]}) as made:
        _player(made, tmp_path).speak(ROOT, "open", Beat(side=Side.CALLER, act="raise"), 1)
        asked = _user(made.bodies("x")[0])
    assert all(words[0] in asked for words in LIBRARY.manner.risk_words.values())


def test_unsafe_words_go_back_with_what_was_found(
    server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """A number, an address or a real name is asked for again; three in a row leave the action out, counted."""

    def once(body: Body) -> Answer | str:
        return _sound(body) if "was not taken" in _user(body) else "Please ring 020 7946 0123."

    script["caller"] = once
    (built,) = build_calls(_config(depth=1), LIBRARY, _agents(server, tmp_path))
    assert {Label.FRAUD, Label.NONFRAUD} >= {call.label for call in built.calls}
    assert RejectCode.UNSAFE not in {entry.code for entry in built.rejected}
    again = [body for body in server.bodies("caller") if "was not taken" in _user(body)]
    assert all("says '020 7946 0123' (phone_number)" in _user(body) for body in again)
    script["caller"] = lambda _: "Please open www.example.org now."
    (built,) = build_calls(_config(depth=1), LIBRARY, _agents(server, tmp_path))
    assert Counter({RejectCode.UNSAFE: 1, RejectCode.ONE_SIDED: 1}) == Counter(entry.code for entry in built.rejected)
    assert 3 == sum(reply.agent == "caller" for reply in built.rejected[0].replies)


def test_a_delivery_outside_the_ten_is_asked_for_again_and_never_stored(
    server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """The model hears which ones there are."""
    script["receiver_delivery"] = lambda body: _sound(body) if "was not taken" in _user(body) else "gleeful"
    (built,) = build_calls(_config(), LIBRARY, _agents(server, tmp_path))
    assert built.calls
    assert {"calm"} == {turn.delivery.value for call in built.calls for turn in call.turns}
    again = [body for body in server.bodies("receiver_delivery") if "was not taken" in _user(body)]
    assert all("'gleeful' is no delivery; there are neutral, professional, urgent" in _user(body) for body in again)
    script["receiver_delivery"] = lambda _: "gleeful"
    (built,) = build_calls(_config(), LIBRARY, _agents(server, tmp_path))
    assert RejectCode.UNKNOWN_DELIVERY is built.rejected[0].code
    assert () == built.calls


def test_a_deliverer_hears_the_words_and_the_call_and_nothing_else(tmp_path: Path) -> None:
    """With how it was said so far; the ten words are offered to it and handed over as the only possible ones."""
    moment = replace(ROOT, history=(_turn("Good morning."), _turn("Yes?", Side.RECEIVER, Delivery.WARM)), path=("demand.code",))
    with chat_server({"x": ['{"delivery": "urgent"}']}) as made:
        agent = ChatDeliverer(client(made.party("x"), tmp_path, role="caller"), PROMPTS["caller_delivery"])
        assert "urgent" == agent.deliver(moment, "Read me the code.", 1).value
        (body,) = made.bodies("x")
    assert "Caller (calm): Good morning.\nReceiver (warm): Yes?" in _user(body)
    assert "Read me the code." in _user(body)
    assert all(f"- {known.value}: " in _system(body) for known in Delivery)
    schema = body["response_format"]["json_schema"]["schema"]
    assert [known.value for known in Delivery] == schema["properties"]["delivery"]["enum"]
    assert "demand.code" not in json.dumps(body)


# -- the plot that is offered -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", PathState)
@pytest.mark.parametrize("left", [1, 3])
def test_rho_would_keep_every_action_that_is_offered(state: PathState, left: int) -> None:
    """And at the last chance of an ambiguous path only evidence is offered; what happened is not offered again."""
    moment = replace(ROOT, state=state, levels_left=left, path=("cite-harm.code",))
    offered = possible_actions(moment, PLOT)
    assert len(offered) >= 12
    assert [] == [a for a in offered if refuse(PLOT, PROFILE, state, Proposal(action=a, evidence="e"), ()) is not None]
    assert "cite-harm.code" not in offered
    evidence = {action for action in offered if PLOT.shows(action) is not PathState.AMBIGUOUS}
    assert (evidence == set(offered)) == (state is PathState.AMBIGUOUS and left == 1)
    assert {PathState.FRAUD, PathState.NONFRAUD} - {PLOT.shows(action) for action in evidence} == {
        PathState.AMBIGUOUS: set(),
        PathState.FRAUD: {PathState.NONFRAUD},
        PathState.NONFRAUD: {PathState.FRAUD},
    }[state]


@pytest.mark.parametrize(
    "action", ["", "open", "close", "DEMAND.code", "demand", "demand.", "demand.code/react", "explain.code", "explain/x"]
)
def test_rho_keeps_out_whatever_else_a_model_may_write(action: str) -> None:
    """Names of turns, of halves of actions, and actions without what they need: none can stand in a path."""
    assert refuse(PLOT, PROFILE, PathState.AMBIGUOUS, Proposal(action=action, evidence="e"), ()) is not None


def test_the_brancher_is_offered_what_is_possible_and_asked_for_an_object(tmp_path: Path) -> None:
    """An array inside an object, since providers that promise JSON promise an object; in an order that the seed settles."""
    with chat_server({"x": [GOOD, GOOD]}) as made:
        agent = ChatBrancher(client(made.party("x"), tmp_path, role="caller"), PLOT, PROMPTS["brancher"])
        agent.propose(ROOT, 2, 1)
        agent.propose(ROOT, 2, 2)
        one, two = made.bodies("x")
    schema = one["response_format"]["json_schema"]["schema"]
    assert "object" == schema["type"]
    offered = schema["properties"]["actions"]["items"]["properties"]["action"]["enum"]
    assert set(possible_actions(ROOT, PLOT)) == set(offered)
    assert f"Choose from: {', '.join(offered)}" in _user(one)
    assert _user(one) != _user(two)
    assert "What they have shown: nothing yet" in _user(one)
    assert all(f"- {node.id}: {node.topic}" in _system(one) for node in PROFILE.variable.risk_nodes)


# -- profiles -----------------------------------------------------------------------------------------------------------


def _changed(path: str, value: object) -> dict[str, Any]:
    """The draft with one place changed, or left out where the value is `...`."""
    made = json.loads(json.dumps(DRAFT))
    *parents, last = path.split(".")
    place = made
    for name in parents:
        place = place[name]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return dict(made)


def _profiler(made: ChatServer, cache: Path) -> ChatProfiler:
    return ChatProfiler(client(made.party("x"), cache, role="caller"), LIBRARY, PROMPTS["profiler"])


def test_a_profile_keeps_what_identifies_the_case_and_takes_the_models_words(tmp_path: Path) -> None:
    """Roles, tones, what risk nodes mean: the case's own; choices and words: the model's."""
    with chat_server({"x": [fenced(DRAFT)]}) as made:
        profile = _profiler(made, tmp_path).profile(CASE, 1).value
        (body,) = made.bodies("x")
    assert Profile.model_validate(profile.to_json()) == profile
    assert (CASE.id, CASE.family, CASE.language) == (profile.abstract_id, profile.family_id, profile.language)
    assert (CASE.caller.role, "female", 41) == (
        profile.shared.caller.role,
        profile.shared.caller.gender,
        profile.shared.caller.age,
    )
    assert ("male", 66, CASE.receiver.tones) == (
        profile.shared.receiver.gender,
        profile.shared.receiver.age,
        profile.shared.receiver.tones,
    )
    assert DRAFT["shared"]["event"] == profile.shared.event
    assert ["code", "callback", "holding"] == [node.id for node in profile.variable.risk_nodes]
    topics = LIBRARY.families[CASE.family].topics
    assert all(topics[node.id].escalate == node.escalate for node in profile.variable.risk_nodes)
    assert CASE.summary in _user(body)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("shared.mood", "dark", "shared.mood: "),
        ("variable.label", "fraud", "variable.label: "),
        ("shared.event", ..., "shared.event: "),
        ("shared.event", "", "shared.event: "),
        ("shared.caller", 41, "shared.caller: "),
        ("shared.caller.age", "about forty", "shared.caller.age: "),
        ("shared.caller.age", 90, "shared.caller.age: 90 is not within 28 to 55"),
        ("shared.setting", "on the moon", "shared.setting: 'on the moon' is none of at home in the kitchen"),
        ("shared.caller_name", "John Smith", "shared.caller_name: 'John Smith' is none of Martha Ellwood"),
        ("shared.caller_name", "Alan Thackeray", "shared.receiver_name: both persons have the same name"),
        ("shared.entities", {"institution": "Barclays"}, "shared.entities.institution: 'Barclays' is none of Harrow Vale Bank"),
        ("shared.entities.extra", "x", "shared.entities.extra: the case has no such field"),
        ("shared.entities.shop", ..., "shared.entities.shop: '' is none of a garden centre"),
        ("shared.opening", "Ring 020 7946 0123.", "shared.opening: says '020 7946 0123' (phone_number)"),
        ("variable.persuasion", ["calm", "say it is PayPal"], "variable.persuasion[1]: says 'paypal' (denied_name)"),
        ("variable.risk_nodes", ..., "variable.risk_nodes: "),
        ("variable.risk_nodes", [], "variable.risk_nodes: fewer than 3 different ones"),
        ("variable.risk_nodes", ["code", "code", "code"], "variable.risk_nodes: fewer than 3 different ones"),
        ("variable.risk_nodes", ["code", "callback", "gold"], "variable.risk_nodes: 'gold' is none of code"),
        ("variable.risk_nodes", ["code", "callback", "holding", "code"], "variable.risk_nodes: "),
    ],
)
def test_a_profile_with_a_fault_goes_back_with_its_path(path: str, value: object, reason: str, tmp_path: Path) -> None:
    """And then is right, or no profile is made."""
    with chat_server({"x": [json.dumps(_changed(path, value)), json.dumps(DRAFT)]}) as made:
        answer = _profiler(made, tmp_path).profile(CASE, 1)
        assert reason in _user(made.bodies("x")[1])
    assert 2 == len(answer.replies)
    assert DRAFT["shared"]["event"] == answer.value.shared.event


def test_no_profile_is_made_of_three_bad_replies(tmp_path: Path) -> None:
    """The tree is left out with the reason, and the replies are kept."""
    bad: list[Item] = [say(""), thinking("hm", "no"), truncated(DRAFT)]
    with (
        chat_server({"x": bad}) as made,
        pytest.raises(NoProfileError, match="no profile of 'bank-unusual-payment': not valid JSON") as caught,
    ):
        _profiler(made, tmp_path).profile(CASE, 1)
    assert ["profiler"] * 3 == [reply.agent for reply in caught.value.replies]
    with chat_server({"x": [*bad]}) as made:
        agents = chat_agents(LIBRARY, {"profiler": client(made.party("x"), tmp_path / "other", role="caller")})
        (built,) = build_calls(_config(), LIBRARY, agents)
    assert built.tree is None
    assert [(RejectCode.BAD_PROFILE, 3)] == [(entry.code, len(entry.replies)) for entry in built.rejected]


# -- by name ------------------------------------------------------------------------------------------------------------


def test_builders_are_named_for_all_roles_and_for_single_ones() -> None:
    """Nothing named means offline; a role's own party wins; no key is recorded."""
    model = "litellm:openai/writer?api_base=http://127.0.0.1:9/v1&temperature=0.7&rpm=60"
    recorded = "litellm:openai/writer?api_base=http://127.0.0.1:9/v1&temperature=0.7"
    assert offline_agents(LIBRARY).parties == make_builders([], LIBRARY).parties
    assert offline_agents(LIBRARY).parties == make_builders(["offline:snapshots"], LIBRARY).parties
    everywhere = make_builders([model], LIBRARY)
    assert dict.fromkeys(ROLES, recorded) == everywhere.parties
    assert {"wordings", "models"} == everywhere.settings.keys()
    mixed = make_builders(["caller_delivery=offline:snapshots", model, "receiver_delivery=offline:snapshots"], LIBRARY)
    assert {"caller_delivery", "receiver_delivery"} == {role for role, party in mixed.parties.items() if party == PARTY}
    single = make_builders([f"brancher={model}"], LIBRARY)
    assert {"brancher"} == {role for role, party in single.parties.items() if party != PARTY}
    assert {"brancher"} == single.prompts.keys()


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["offline:nobody"], "no builder 'offline:nobody'; valid: offline:snapshots, litellm:<provider>/<model>"),
        (["nobody"], "is no party"),
        (["painter=offline:snapshots"], "no role 'painter': there are profiler, caller"),
        (["Caller=offline:snapshots"], "no role 'Caller'"),
        (["caller="], "is no party"),
        (["caller=offline:snapshots", "caller=offline:snapshots"], "the role 'caller' is given twice"),
        (["offline:snapshots", "litellm:openai/x"], "one party plays all roles"),
        (["offline:snapshots?x=1"], "takes no options"),
        (["litellm:openai/x?tools=text"], "unknown option 'tools'"),
        (["brancher=litellm:x"], "write litellm:<provider>/<model>"),
    ],
)
def test_what_names_no_builder_is_refused(texts: list[str], reason: str) -> None:
    """In one line that says what there is."""
    with pytest.raises(UsageError, match=re.escape(reason)):
        make_builders(texts, LIBRARY)


def test_secrets_do_not_reach_messages() -> None:
    """A key that was written into a name is hidden where the name is shown."""
    with pytest.raises(UsageError) as caught:
        make_builders(["painter=litellm:openai/x?api_key=sk-123"], LIBRARY)
    assert "sk-123" not in str(caught.value)


def test_an_unknown_role_and_an_act_without_a_task_are_refused(tmp_path: Path) -> None:
    """Before anything is asked."""
    with chat_server({}) as made:
        model = client(made.party("x"), tmp_path, role="caller")
        with pytest.raises(UsageError, match="no role 'painter'"):
            chat_agents(LIBRARY, {"painter": model})
        odd = LIBRARY.catalogue.model_copy(update={"closing": (Beat(side=Side.CALLER, act="sing"),)})
        with pytest.raises(UsageError, match=r"the act 'sing' of actions\.yaml has no task in the prompt snapshot-caller-1"):
            chat_agents(replace(LIBRARY, catalogue=odd), {"caller": model})
