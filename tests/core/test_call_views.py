"""SPEC 3, who sees what: a secret planted in every field, searched for in everything a party was given."""

from __future__ import annotations

import pytest

from core.caller import CallerView
from core.candidate import CandidateView, Hearing
from core.schemas.base import Condition
from tests.support.parties import ListCaller, ListCandidate, call, play, say, turn
from tests.support.scenes import agent
from tests.support.secrets_planted import BRIEF, HIDDEN, planted_scene, secret

CALLER_SAYS = [say("I said the first thing.", "ask_renewal"), say("And my zq-intended-zq words."), say("Bye.", done=True)]
AGENT_SAYS = [
    turn("Greeting."),
    turn("One look.", call("find_card", card_number="04412907")),
    turn("Result is in.", call("renew_loan", title="wrong")),
    turn("Anything else?"),
    turn("Goodbye."),
]


SCENE = planted_scene()
CALLER, CANDIDATE = ListCaller(CALLER_SAYS), ListCandidate(AGENT_SAYS)
play(CANDIDATE, CALLER, scenario=SCENE, condition=Condition.AUTHORED)
CALLER_WAS_GIVEN = repr(CALLER.views)
CANDIDATE_WAS_GIVEN = repr((CANDIDATE.view, CANDIDATE.observations))


def test_every_secret_is_in_the_scenario() -> None:
    """What is searched for below is really planted."""
    whole = repr(SCENE)
    assert [] == [name for name in BRIEF | HIDDEN if secret(name) not in whole]


@pytest.mark.parametrize("name", BRIEF)
def test_the_caller_sees_its_brief(name: str) -> None:
    """Every part of the brief is there, so the searches below can find what is shown."""
    assert secret(name) in CALLER_WAS_GIVEN


@pytest.mark.parametrize("name", HIDDEN)
def test_the_caller_sees_nothing_but_its_brief_and_the_public_conversation(name: str) -> None:
    """No backend, no grader text, no channel, no help for the scripted caller."""
    assert secret(name) not in CALLER_WAS_GIVEN


@pytest.mark.parametrize("name", BRIEF | {name: path for name, path in HIDDEN.items() if name not in {"state", "mismatch"}})
def test_the_candidate_sees_neither_brief_nor_backend_nor_graders(name: str) -> None:
    """The rendered prompt, the tools, what was heard and its own results are all there is."""
    assert secret(name) not in CANDIDATE_WAS_GIVEN


@pytest.mark.parametrize("name", ["state", "mismatch"])
def test_the_candidate_sees_the_results_of_its_own_calls(name: str) -> None:
    """A result that names hidden state, and a mismatch's answer, are earned by calling."""
    assert secret(name) in CANDIDATE_WAS_GIVEN


def test_the_candidate_hears_what_the_line_delivered_and_not_what_was_meant() -> None:
    """Intended words that the line lost reach the caller's own conversation only."""
    assert "zq-intended-zq" not in CANDIDATE_WAS_GIVEN
    assert "zq-intended-zq" in CALLER_WAS_GIVEN
    assert "And my words." in CANDIDATE_WAS_GIVEN


@pytest.mark.parametrize(
    "told",
    [
        "matched",
        "mismatch",
        "expected 'zq",
        "found",
        "secret_fact",
        "give_card",
        "look_up",
        "card_first",
        "event_1",
        "renew-loan",
    ],
)
def test_the_candidate_learns_no_internal_names_or_verdicts(told: str) -> None:
    """Outcomes, matcher reasons, ids of facts, steps, actions, criteria, events and the scenario stay inside."""
    given = CANDIDATE_WAS_GIVEN.replace("'status': 'found'", "").replace("zq-mismatch-zq", "")
    assert told not in given


def test_the_caller_hears_speech_and_no_tools() -> None:
    """The public conversation is what was said: no prompt, no call, no result."""
    *_, last = CALLER.views
    assert [
        "Greeting.",
        "I said the first thing.",
        "One look.",
        "Result is in.",
        "Anything else?",
        "And my zq-intended-zq words.",
    ] == [item.speech for item in last.conversation[:6]]
    for told in ("find_card", "renew_loan", "status", "Corner Library desk", "04412907"):
        assert told not in CALLER_WAS_GIVEN.replace("'card_number': Fact(value='04412907'", "")


def test_the_views_are_types_with_just_these_fields() -> None:
    """A new field of a view is a decision about who sees what, so it must be made here too."""
    assert {"instructions", "tools"} == set(CandidateView.__dataclass_fields__)
    assert {"fragments"} == set(Hearing.__dataclass_fields__)
    assert {"brief", "language", "script", "conversation", "expressed", "rejection"} == set(CallerView.__dataclass_fields__)


def test_the_candidate_is_given_the_rendered_prompt_and_the_agents_tools() -> None:
    """Variables filled in, tools as authored but for what makes them succeed, seed of its own: the whole of its beginning."""
    view = CANDIDATE.view
    assert view is not None
    assert "Today is Monday, March 16, 2026." in view.instructions
    assert tuple(tool.model_copy(update={"success": None}) for tool in agent().tools) == view.tools
