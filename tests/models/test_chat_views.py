"""SPEC 3, who sees what, on the wire: a secret in every field, searched for in every request of chat caller and candidate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.schemas.base import Condition
from core.schemas.call_trace import Trace
from models.chat.caller import ChatCaller
from models.chat.candidate import ChatCandidate
from tests.support.chat_parties import Provider, provider
from tests.support.chat_server import Item, tools
from tests.support.parties import play, say
from tests.support.scenes import agent, put
from tests.support.secrets_planted import BRIEF, HIDDEN, planted_scene, secret

AGENT = agent(put("tools.2.success", {"status": {"equals": secret("success")}}), put("domain", secret("domain")))
OF_THE_CANDIDATE = {
    "instructions": "You answer the telephone of a small library.",
    "tool": "find_card",
    "description": "Look up a library card.",
    "its raw reply": "zq-thought-zq",
}
"""What only the candidate may see or think, with words that stand for it."""
OF_THE_CALLER = {"its rejected reply": "zq-rejected-zq", "its raw reply": "zq-prose-zq"}
"""The same for the caller."""
CALLER: list[Item] = [
    say("My card_number is zq-rejected-zq."),
    f"Now zq-prose-zq:\n{say('I said the first thing.', 'ask_renewal')}",
    say("And my zq-intended-zq words."),
    say("Bye.", done=True),
]


def _candidate(options: str) -> list[Item]:
    calls: list[tuple[str, str, Any]] = [
        ("One look.", "find_card", {"card_number": "04412907"}),
        ("Result is in.", "renew_loan", {"title": "wrong"}),
    ]
    written = [f"{said}\n{json.dumps({'name': name, 'arguments': arguments})}" for said, name, arguments in calls]
    native = [tools((name, arguments), speech=said) for said, name, arguments in calls]
    made: list[Item] = [*written] if options == "tools=text" else [*native]
    return ["<think>zq-thought-zq</think>Greeting.", *made, "Anything else?", "Yes?", "Goodbye."]


class _Sent:
    """One call through both parties: its trace, and what each was sent."""

    def __init__(self, model: Provider, cache: Any, options: str) -> None:
        model.script("caller", *CALLER)
        model.also("candidate", *_candidate(options))
        caller = ChatCaller(model.client("caller", cache))
        candidate = ChatCandidate(model.client("candidate", cache, options))
        self.trace: Trace = play(candidate, caller, scenario=planted_scene(), agent=AGENT, condition=Condition.AUTHORED)
        self.caller = json.dumps([body for body in model.sent() if "caller" == body["model"]], ensure_ascii=False)
        self.candidate = json.dumps([body for body in model.sent() if "candidate" == body["model"]], ensure_ascii=False)


@pytest.fixture(scope="module", params=["tools=native", "tools=text", "system=off"])
def sent(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Sent]:
    """Every way in which the candidate may be shown its instructions and tools."""
    with provider() as model:
        yield _Sent(model, tmp_path_factory.mktemp("cache"), request.param)


def test_the_secrets_are_where_they_could_leak_from(sent: _Sent) -> None:
    """What is searched for below is really in the scenario, the agent and the trace."""
    whole = repr((planted_scene(), AGENT, sent.trace))
    assert [] == [name for name in (*BRIEF, *HIDDEN, "success", "domain") if secret(name) not in whole]
    assert [] == [word for word in (*OF_THE_CANDIDATE.values(), *OF_THE_CALLER.values()) if word not in whole]


@pytest.mark.parametrize("name", BRIEF)
def test_the_caller_is_sent_its_brief(sent: _Sent, name: str) -> None:
    """So that searching finds what is there."""
    assert secret(name) in sent.caller


@pytest.mark.parametrize("name", [*HIDDEN, "success", "domain"])
def test_the_caller_is_sent_no_backend_no_grader_and_no_help(sent: _Sent, name: str) -> None:
    """It knows its own account number, not what the database says about the account."""
    assert secret(name) not in sent.caller


@pytest.mark.parametrize("name", OF_THE_CANDIDATE)
def test_the_caller_is_sent_nothing_of_the_candidate_but_its_speech(sent: _Sent, name: str) -> None:
    """Neither instructions nor tools, results or thoughts."""
    assert OF_THE_CANDIDATE[name] in sent.candidate or name == "its raw reply"
    assert OF_THE_CANDIDATE[name] not in sent.caller


@pytest.mark.parametrize("name", [*BRIEF, *(name for name in HIDDEN if name not in ("state", "mismatch")), "success", "domain"])
def test_the_candidate_is_sent_neither_brief_nor_backend_nor_graders(sent: _Sent, name: str) -> None:
    """What it wants to know it has to ask for, or look up."""
    assert secret(name) not in sent.candidate


@pytest.mark.parametrize("name", OF_THE_CALLER)
def test_the_candidate_is_sent_nothing_of_the_caller_but_what_was_heard(sent: _Sent, name: str) -> None:
    """Neither rejected attempts nor raw replies."""
    assert OF_THE_CALLER[name] not in sent.candidate


@pytest.mark.parametrize("name", ["state", "mismatch"])
def test_the_candidate_is_sent_the_results_of_its_own_calls(sent: _Sent, name: str) -> None:
    """A result that names hidden state, and a mismatch's answer, are earned by calling."""
    assert secret(name) in sent.candidate


def test_the_words_the_line_dropped_are_not_sent_to_the_candidate(sent: _Sent) -> None:
    """They stay in the trace as what was meant; the caller knows what it said."""
    assert "zq-intended-zq" in sent.trace.caller_turns[1].intended
    assert "zq-intended-zq" in sent.caller
    assert "zq-intended-zq" not in sent.candidate
    assert "And my words." in sent.candidate


def test_neither_is_sent_the_names_of_run_scenario_and_settings(sent: _Sent) -> None:
    """Nothing tells a model which case of which benchmark this is, or what plays the other side."""
    for body in (sent.caller, sent.candidate):
        assert "renew-loan" not in body
        assert "corner-library" not in body
        assert "authored" not in body
    assert '"candidate"' not in sent.caller
    assert '"caller"' not in sent.candidate
