"""Chat models as the agents that build calls: what each is told, and what it is asked again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.schemas.casefile import Beat, Content, Profile
from core.schemas.snapshots import CallTurn, Delivery, PathState, Side
from core.schemas.trees import Proposal, RejectCode
from core.snapshots.building.agents import NoProfileError, Verdict
from core.snapshots.building.build import build_calls
from core.snapshots.building.validator import refuse
from models.snapshots.chat import PROMPTS, chat_agents
from models.snapshots.chat_plots import ChatBrancher, ChatTerminator, possible_actions
from models.snapshots.chat_profiles import ChatProfiler
from models.snapshots.chat_words import ChatDeliverer, ChatPlayer
from tests.models.snapshot_chat_samples import (
    CASE,
    DRAFT,
    LIBRARY,
    PLOT,
    PROFILE,
    ROOT,
    TWO,
    config_of,
    system_of,
    user_of,
)
from tests.support.chat import client
from tests.support.chat_server import (
    Answer,
    ChatServer,
    Item,
    chat_server,
    error,
    fenced,
    say,
    thinking,
    too_long,
    truncated,
)

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
        assert "was not taken" not in user_of(first)
        assert "Your last answer was not taken: " in user_of(second)


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
        assert "'demand.gold' is none of the actions to choose from" in user_of(made.bodies("x")[1])
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
    start = f"{topic.verify} For instance: "
    said = [place for place, pair in enumerate(topic.pairs) if start + pair.safe.say in user_of(one)]
    offered = [place for place, pair in enumerate(topic.pairs) if start + pair.safe.offer in user_of(two)]
    assert said == offered
    assert 1 == len(said)
    assert "Caller: Good morning." in user_of(one)
    assert "Your last answer was not taken: it says '12345' (phone_number)." in user_of(one)
    assert PROFILE.shared.event in system_of(one)
    assert PROFILE.shared.background in system_of(two)
    assert PROFILE.variable.persuasion[0] not in system_of(two)


def test_the_reason_for_the_call_carries_the_words_of_risk(tmp_path: Path) -> None:
    """Every call names a code, a transfer, the official number, hanging up and verification, whatever it becomes."""
    with chat_server({"x": ["We stopped a payment."]}) as made:
        _player(made, tmp_path).speak(ROOT, "open", Beat(side=Side.CALLER, act="raise"), 1)
        asked = user_of(made.bodies("x")[0])
    assert all(words[0] in asked for words in LIBRARY.manner.risk_words.values())


def test_a_deliverer_hears_the_words_and_the_call_and_nothing_else(tmp_path: Path) -> None:
    """With how it was said so far; the ten words are offered to it and handed over as the only possible ones."""
    moment = replace(ROOT, history=(_turn("Good morning."), _turn("Yes?", Side.RECEIVER, Delivery.WARM)), path=("demand.code",))
    with chat_server({"x": ['{"delivery": "urgent"}']}) as made:
        agent = ChatDeliverer(client(made.party("x"), tmp_path, role="caller"), PROMPTS["caller_delivery"])
        assert "urgent" == agent.deliver(moment, "Read me the code.", 1).value
        (body,) = made.bodies("x")
    assert "Caller (calm): Good morning.\nReceiver (warm): Yes?" in user_of(body)
    assert "Read me the code." in user_of(body)
    assert all(f"- {known.value}: " in system_of(body) for known in Delivery)
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
    assert f"Choose from: {', '.join(offered)}" in user_of(one)
    assert user_of(one) != user_of(two)
    assert "What they have shown: nothing yet" in user_of(one)
    assert all(f"- {node.id}: {node.topic}" in system_of(one) for node in PROFILE.variable.risk_nodes)


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
    assert CASE.summary in user_of(body)


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
        assert reason in user_of(made.bodies("x")[1])
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
        (built,) = build_calls(config_of(), LIBRARY, agents)
    assert built.tree is None
    assert [(RejectCode.BAD_PROFILE, 3)] == [(entry.code, len(entry.replies)) for entry in built.rejected]
