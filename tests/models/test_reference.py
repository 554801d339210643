"""`offline:reference` plays the author's own solution of a scenario, and is no candidate under test."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.audits.scenario import audit_scenario
from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswer, ToolAnswers
from core.errors import UsageError
from core.schemas.call_trace import PartyRecord, ToolCall
from core.schemas.scenario import Offline, OfflineTurn, Scenario
from models.parties.reference import VERSION, ReferenceCandidate
from tests.support.scenes import agent, minimal, scenario

TURNS: list[dict[str, object]] = [
    {"say": "Corner Library, how can I help?"},
    {"say": "One moment.", "calls": [{"tool": "find_card", "arguments": {"card_number": "04412907"}}]},
    {"calls": [{"tool": "end_call"}]},
]


def solved(turns: list[dict[str, object]]) -> Scenario:
    """The library's scenario with a solution."""
    return scenario().model_copy(update={"offline": Offline.model_validate({"agent": turns})})


def test_it_plays_the_authors_turns_in_order_whatever_it_hears() -> None:
    """A caller turn and tool results each lead to the next turn; past the end it is silent."""
    candidate = ReferenceCandidate(solved(TURNS))
    assert AgentTurn("Corner Library, how can I help?") == candidate.open(CandidateView("", ()), 1)
    found = ToolCall(id="0", tool="find_card", arguments={"card_number": "04412907"})
    assert AgentTurn("One moment.", (found,)) == candidate.respond(Hearing(("It is four four one.",)))
    answers = ToolAnswers((ToolAnswer("0", "find_card", {"status": "found"}),))
    assert AgentTurn("", (ToolCall(id="0", tool="end_call", arguments={}),)) == candidate.respond(answers)
    assert AgentTurn() == candidate.respond(Hearing(("Hello?",)))


def test_each_attempt_begins_at_the_greeting_and_is_recorded_alike_for_every_scenario() -> None:
    """Two candidates of one scenario do not share their place; the record names the version and nothing of the scenario."""
    first, second = ReferenceCandidate(solved(TURNS)), ReferenceCandidate(solved(TURNS))
    assert first.open(CandidateView("", ()), 1) == second.open(CandidateView("", ()), 2)
    assert PartyRecord(party="offline:reference", settings={"version": VERSION}) == first.record()


def test_a_scenario_without_a_solution_is_refused() -> None:
    """The message says whose it is and what is missing."""
    with pytest.raises(UsageError, match=f"scenario '{scenario().id}' has no offline.agent: write its solution"):
        ReferenceCandidate(scenario())


def test_a_turn_has_words_or_calls() -> None:
    """An empty turn is refused by the format."""
    with pytest.raises(ValidationError, match="a turn has words, calls, or both"):
        OfflineTurn.model_validate({"say": " "})


def test_a_solution_that_calls_a_tool_the_agent_lacks_is_a_fault_of_the_bundle() -> None:
    """The audit names the place and the tools there are."""
    made = solved([{"say": "Hello."}, {"calls": [{"tool": "find_cart"}]}])
    faults = dict(audit_scenario(made, agent(), minimal().templates[agent().id]))
    assert faults["offline.agent[1].calls[0].tool"].startswith(f"agent '{agent().id}' has no tool 'find_cart'; tools: ")
