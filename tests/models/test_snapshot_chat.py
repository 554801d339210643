"""Chat models as the agents that build calls: whole trees over HTTP, and what is read from replies."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from core.errors import OperatorError, ProviderError, UsageError
from core.schemas.casefile import Beat
from core.schemas.snapshots import Label, PathState, Side
from core.schemas.trees import BuiltTree, MixedTree, Proposal, RejectCode
from core.snapshots.building.agents import ROLES, Moment, Verdict
from core.snapshots.building.build import build_calls
from core.snapshots.building.folder import build_into, kept_trees
from core.snapshots.building.library import load_cases
from core.snapshots.building.validator import faults_of_calls
from gateway.snapshots.builders import make_builders
from models.chat.prompts import hashes
from models.snapshots.chat import PROMPTS, chat_agents
from models.snapshots.chat_asking import shown_moment
from models.snapshots.chat_plots import proposals_in, verdict_in
from models.snapshots.chat_words import delivery_in, spoken
from models.snapshots.offline import PARTY, offline_agents
from tests.models.snapshot_chat_samples import (
    CASE,
    LIBRARY,
    NAMES,
    PLOT,
    TWO,
    agents_on,
    config_of,
    role_of,
    sound,
    system_of,
    user_of,
)
from tests.support.chat import client
from tests.support.chat_server import (
    Answer,
    Body,
    ChatServer,
    broken,
    chat_server,
    refused_key,
)


@pytest.fixture
def script() -> dict[str, Callable[[Body], Answer | str]]:
    """Role to what its model answers; tests replace single ones."""
    return dict.fromkeys(ROLES, sound)


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


# -- whole trees --------------------------------------------------------------------------------------------------------


def test_seven_chat_models_build_a_whole_tree(server: ChatServer, tmp_path: Path) -> None:
    """Depth 3, two branches: both labels, every state by the recorded actions, and each reply under its agent's name."""
    (built,) = build_calls(config_of(depth=3), LIBRARY, agents_on(server, tmp_path))
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
    list(build_calls(config_of(), LIBRARY, agents_on(server, tmp_path)))
    for role in ROLES:
        assert {role} == {role_of(body) for body in server.bodies(role)}


def test_the_same_build_twice_asks_for_nothing_twice(server: ChatServer, tmp_path: Path) -> None:
    """Replies that were paid for are kept, so that a build that was killed within a tree costs no more."""
    first = list(build_calls(config_of(), LIBRARY, agents_on(server, tmp_path, "attempts=1")))
    asked = len(server.requests)
    assert first == list(build_calls(config_of(), LIBRARY, agents_on(server, tmp_path, "attempts=1")))
    assert asked == len(server.requests)


def test_a_provider_that_fails_stops_the_build_which_goes_on_at_the_tree(
    server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """Finished trees are not asked for again, nothing half-done is kept, and the end is that of a build that never failed."""
    config = config_of(trees=2)
    whole = build_into(tmp_path / "whole", config, LIBRARY, agents_on(server, tmp_path))
    of_a_tree = len(server.bodies("profiler")) // 2
    del server.requests[:]
    profiled: list[Body] = []

    def second_fails(body: Body) -> Answer | str:
        profiled.append(body)
        return broken() if len(profiled) == 2 else sound(body)

    script["profiler"] = second_fails
    folder = tmp_path / "stopped"
    with pytest.raises(ProviderError, match="engine on fire"):
        build_into(folder, config, LIBRARY, agents_on(server, tmp_path))
    assert 1 == len(list(kept_trees(folder)))
    assert not (folder / "calls.jsonl").exists()
    del server.requests[:]
    assert whole == build_into(folder, config, LIBRARY, agents_on(server, tmp_path))
    assert of_a_tree == len(server.bodies("profiler"))


@pytest.mark.parametrize("role", ROLES)
def test_a_wrong_key_stops_the_build(
    role: str, server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """No other request would fare better, whoever is asked first."""
    script[role] = lambda _: refused_key()
    with pytest.raises(OperatorError, match="Incorrect API key"):
        list(build_calls(config_of(), LIBRARY, agents_on(server, tmp_path)))


def test_some_roles_may_stay_offline(server: ChatServer, tmp_path: Path) -> None:
    """Here the words are a model's and the plot is not; each party is recorded for its roles."""
    (built,) = build_calls(config_of(), LIBRARY, agents_on(server, tmp_path, roles=("caller", "receiver_delivery")))
    assert {"caller", "receiver_delivery"} == {role_of(body) for body in server.bodies()}
    generation = built.calls[0].generation
    assert {"caller", "receiver_delivery"} == {role for role, party in generation.agents.items() if party != PARTY}
    assert {"caller", "receiver_delivery"} == generation.prompts.keys()
    assert [] == faults_of_calls(built.calls, PLOT)


@pytest.mark.parametrize("role", ROLES)
def test_any_single_role_may_be_a_chat_model(role: str, server: ChatServer, tmp_path: Path) -> None:
    """The chat agents have the same interface as the offline ones: each fits into a set of the others."""
    (built,) = build_calls(config_of(), LIBRARY, agents_on(server, tmp_path, roles=(role,)))
    assert isinstance(built, BuiltTree)
    assert isinstance(built.tree, MixedTree)
    assert [] == faults_of_calls(built.calls, PLOT)
    assert {role} == {role_of(body) for body in server.bodies()}


def test_only_b_and_gamma_are_told_what_was_shown(server: ChatServer, tmp_path: Path) -> None:
    """B and Gamma hear the label once there is one; players and deliverers hear neither that nor the plan."""
    list(build_calls(config_of(), LIBRARY, agents_on(server, tmp_path)))
    settled = Moment(offline_agents(LIBRARY).profiler.profile(CASE, 1).value, (), (), PathState.FRAUD, 1)
    assert "that the call is fraud" == shown_moment(settled)["shown"]
    for role in ("caller", "receiver", "caller_delivery", "receiver_delivery"):
        for body in server.bodies(role):
            told = user_of(body).casefold()
            assert not re.search(r"\bfraud|\blawful|nonfraud|ambiguous|\bshown\b|\blabel", told), told
    for role in ("caller_delivery", "receiver_delivery"):
        for body in server.bodies(role):
            assert CASE.entities["shop"][0] not in system_of(body)
            assert "demand" not in user_of(body)


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
        assert "in Mandarin Chinese (zh) in simplified Chinese script (Hans)" in system_of(made.bodies("x")[0])


def test_unsafe_words_go_back_with_what_was_found(
    server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """A number, an address or a real name is asked for again; three in a row leave the action out, counted."""

    def once(body: Body) -> Answer | str:
        return sound(body) if "was not taken" in user_of(body) else "Please ring 020 7946 0123."

    script["caller"] = once
    (built,) = build_calls(config_of(depth=1), LIBRARY, agents_on(server, tmp_path))
    assert {Label.FRAUD, Label.NONFRAUD} >= {call.label for call in built.calls}
    assert RejectCode.UNSAFE not in {entry.code for entry in built.rejected}
    again = [body for body in server.bodies("caller") if "was not taken" in user_of(body)]
    assert all("says '020 7946 0123' (phone_number)" in user_of(body) for body in again)
    script["caller"] = lambda _: "Please open www.example.org now."
    (built,) = build_calls(config_of(depth=1), LIBRARY, agents_on(server, tmp_path))
    assert Counter({RejectCode.UNSAFE: 1, RejectCode.ONE_SIDED: 1}) == Counter(entry.code for entry in built.rejected)
    assert 3 == sum(reply.agent == "caller" for reply in built.rejected[0].replies)


def test_a_delivery_outside_the_ten_is_asked_for_again_and_never_stored(
    server: ChatServer, script: dict[str, Callable[[Body], Answer | str]], tmp_path: Path
) -> None:
    """The model hears which ones there are."""
    script["receiver_delivery"] = lambda body: sound(body) if "was not taken" in user_of(body) else "gleeful"
    (built,) = build_calls(config_of(), LIBRARY, agents_on(server, tmp_path))
    assert built.calls
    assert {"calm"} == {turn.delivery.value for call in built.calls for turn in call.turns}
    again = [body for body in server.bodies("receiver_delivery") if "was not taken" in user_of(body)]
    assert all("'gleeful' is no delivery; there are neutral, professional, urgent" in user_of(body) for body in again)
    script["receiver_delivery"] = lambda _: "gleeful"
    (built,) = build_calls(config_of(), LIBRARY, agents_on(server, tmp_path))
    assert RejectCode.UNKNOWN_DELIVERY is built.rejected[0].code
    assert () == built.calls


# -- what is read from replies ------------------------------------------------------------------------------------------


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
