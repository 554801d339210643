"""The bundle `frontdesk` holds what it promises, and its checks tell a faultless call from a careless one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from core.bundle import Bundle, load_bundle, shipped_bundle
from core.grading.grade import grade_trace
from core.schemas.base import Diagnostic, Difficulty, Pillar
from core.schemas.bundle import Direction
from core.schemas.call_trace import EndReason
from core.schemas.grade import Grade, Source
from core.schemas.matchers import Equals
from core.schemas.scenario import EventKind, Scenario
from core.spoken import Kind, say
from models.parties.rules import RulesJudge
from tests.bundles.model_agent import model_calls, play

MIN_INSTRUCTIONS = 6000
"""Fewest characters of an agent's rendered instructions."""
_PLACEHOLDER = re.compile(r"\{([a-z0-9_]+)\}")
_FAILURES = {"error", "unavailable", "busy", "failed"}


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    """The shipped bundle, loaded with all its audits."""
    return load_bundle(shipped_bundle("frontdesk"))


def _scenarios(bundle: Bundle, agent: str) -> list[Scenario]:
    return [scenario for scenario in bundle.scenarios.values() if scenario.agent == agent]


def _line(scenario: Scenario, step: str) -> str:
    facts = scenario.caller.facts
    return _PLACEHOLDER.sub(lambda m: say(facts[m[1]].value, facts[m[1]].kind), scenario.offline.steps[step].line)


def test_every_agent_has_an_easy_a_medium_and_a_hard_scenario(bundle: Bundle) -> None:
    """Four agents of different domains, one of them outbound, three scenarios each."""
    assert len(bundle.agents) == 4
    assert len({agent.domain for agent in bundle.agents.values()}) == 4
    assert [agent.direction for agent in bundle.agents.values()].count(Direction.OUTBOUND) == 1
    for agent in bundle.agents:
        assert sorted(s.difficulty for s in _scenarios(bundle, agent)) == sorted(Difficulty)


def test_instructions_are_operating_documents(bundle: Bundle) -> None:
    """Rendered instructions are long, leave no variable open, and differ between scenarios by their variables."""
    prompts = {scenario.id: bundle.prompt(scenario) for scenario in bundle.scenarios.values()}
    assert all(len(prompt) >= MIN_INSTRUCTIONS for prompt in prompts.values()), {k: len(v) for k, v in prompts.items()}
    assert not [name for name, prompt in prompts.items() if "{{" in prompt]
    assert len(set(prompts.values())) == len(prompts)


def test_it_is_locked(bundle: Bundle) -> None:
    """`manifest.json` agrees with every file, so a run on the shipped bundle can be official."""
    assert bundle.locked, "run `ringback bundle lock frontdesk`, and raise the version if the bundle was released"


def test_callers_are_balanced_and_plans_are_of_call_length(bundle: Bundle) -> None:
    """As many women as men call, and every plan has four to seven steps with a line for the scripted caller."""
    genders = Counter(scenario.caller.voice.gender for scenario in bundle.scenarios.values())
    assert genders == {"female": 6, "male": 6}
    for scenario in bundle.scenarios.values():
        assert 4 <= len(scenario.caller.plan) <= 7, scenario.id
        assert set(scenario.offline.steps) == {step.id for step in scenario.caller.plan}, scenario.id


def test_lines_are_short_speech(bundle: Bundle) -> None:
    """A scripted line is one to eighteen words and holds no digit: it is what a recogniser would capture."""
    for scenario in bundle.scenarios.values():
        for step in scenario.caller.plan:
            line = _line(scenario, step.id)
            assert 1 <= len(line.split()) <= 18, line
            assert not re.search(r"[0-9@_{}]", line), line


def test_first_step_needs_no_cue_and_later_ones_have_several(bundle: Bundle) -> None:
    """A later step waits for any of at least three phrases, unless it follows whatever the agent says."""
    for scenario in bundle.scenarios.values():
        first, *later = scenario.caller.plan
        assert scenario.offline.steps[first.id].cues == (), scenario.id
        for step in later:
            cues = scenario.offline.steps[step.id].cues
            assert not cues or len(cues) >= 3, (scenario.id, step.id)


def test_known_values_cover_the_kinds(bundle: Bundle) -> None:
    """Somewhere a call hangs on an id of eight or more digits, a code, an e-mail, a rare surname, money, a date and a time."""
    facts = [fact for scenario in bundle.scenarios.values() for fact in scenario.caller.facts.values()]
    kinds = {fact.kind for fact in facts}
    assert kinds >= {
        Kind.DIGITS, Kind.CODE, Kind.MONEY, Kind.NUMBER, Kind.DATE, Kind.TIME, Kind.EMAIL, Kind.NAME, Kind.CHOICE, Kind.TEXT,
    }  # fmt: skip
    assert max(len(str(fact.value)) for fact in facts if fact.kind is Kind.DIGITS) >= 8
    assert "Okonkwo" in [fact.value for fact in facts if fact.kind is Kind.NAME]


def test_every_agent_has_an_outcome_that_hangs_on_one_exact_value(bundle: Bundle) -> None:
    """A weightiest expected action pins an argument to a value only the caller knows."""

    def pinned(scenario: Scenario) -> bool:
        return any(
            isinstance(matcher, Equals) and str(matcher.equals).startswith("$caller.facts.")
            for action in scenario.expected
            if action.importance == 3 and not action.forbidden
            for matcher in action.args.values()
        )

    for agent in bundle.agents:
        assert any(pinned(scenario) for scenario in _scenarios(bundle, agent)), agent


def test_channel_programs_hold_every_feature(bundle: Bundle) -> None:
    """All three ASR event kinds, damage on a decisive fact and on harmless words, both split forms, seeded words."""
    programs = [scenario.channel for scenario in bundle.scenarios.values()]
    events = [event for program in programs for event in program.asr_events]
    assert {event.kind for event in events} == set(EventKind)
    assert {event.span.startswith("$caller.facts.") for event in events} == {True, False}
    splits = [split for program in programs for split in program.splits]
    assert any(split.inside for split in splits)
    assert any(split.after for split in splits)
    assert sum(program.seeded_word for program in programs) >= 2
    assert sum(len(program.interruptions) for program in programs) >= 1


def test_a_tool_fails_first_and_call_ending_tools_fail_first(bundle: Bundle) -> None:
    """A right call is refused once and then served; two call-ending tools do not end the call at their first success."""
    flaky: list[tuple[str, str, bool]] = []
    for scenario in bundle.scenarios.values():
        for name, fixture in scenario.backend.fixtures.items():
            first = fixture.queue[0].result.get("status") if fixture.queue else None
            if first in _FAILURES:
                tool = bundle.agent_of(scenario).tool(name)
                assert tool is not None
                flaky.append((scenario.id, name, tool.ends_call))
    assert [(scenario, tool) for scenario, tool, ends in flaky if not ends] == [
        ("block-stolen-card", "block_card"),
        ("meter-reading-retry", "find_account"),
        ("reminder-email", "update_email"),
    ]
    assert [(scenario, tool) for scenario, tool, ends in flaky if ends] == [
        ("claim-over-limit", "transfer_call"),
        ("late-cancellation", "end_call"),
    ]


def test_every_agent_forbids_something_that_matters(bundle: Bundle) -> None:
    """Each agent has a forbidden action of the highest importance in one of its scenarios."""
    for agent in bundle.agents:
        actions = [action for scenario in _scenarios(bundle, agent) for action in scenario.expected]
        assert any(action.forbidden and action.importance == 3 for action in actions), agent


def test_every_criterion_can_be_decided_by_a_program(bundle: Bundle) -> None:
    """Each criterion carries a check, and each scenario has rules, outcome and conversation criteria."""
    for scenario in bundle.scenarios.values():
        assert all(criterion.check is not None for criterion in scenario.criteria), scenario.id
        diagnostics = {criterion.diagnostic for criterion in scenario.criteria}
        assert {Diagnostic.RULES, Diagnostic.OUTCOME, Diagnostic.TOOL_SPEECH} <= diagnostics, scenario.id
        assert {criterion.diagnostic.pillar for criterion in scenario.criteria} == set(Pillar), scenario.id
    used = {criterion.diagnostic for scenario in bundle.scenarios.values() for criterion in scenario.criteria}
    assert used >= {Diagnostic.MEMORY, Diagnostic.CHANNEL_RECOVERY, Diagnostic.SPOKEN_FORM, Diagnostic.CLOSING}


def _played(bundle: Bundle, name: str, entries: list[dict[str, Any]]) -> tuple[Grade, EndReason, int]:
    trace = play(bundle, name, entries)
    return grade_trace(trace, bundle, RulesJudge()), trace.end, len(trace.caller_turns)


def _score(grade: Grade, pillar: Pillar) -> float:
    score = grade.pillars[pillar].score
    assert score is not None
    return score


def _names() -> Iterator[str]:
    yield from model_calls()


def test_model_calls_cover_every_scenario(bundle: Bundle) -> None:
    """There is a model call under `text` for every scenario, and one under `authored` wherever the line does harm."""
    wanted = {f"{name}@text" for name in bundle.scenarios}
    wanted |= {f"{name}@authored" for name, s in bundle.scenarios.items() if s.channel.asr_events or s.channel.splits}
    assert wanted == set(_names())


@pytest.mark.parametrize("name", sorted(_names()))
def test_a_faultless_agent_scores_full_marks(bundle: Bundle, name: str) -> None:
    """Whoever does what the instructions say loses no point, in a call of six to ten caller turns ended by a tool."""
    grade, end, turns = _played(bundle, name, model_calls()[name])
    lost = [(item.id, item.reason) for item in grade.items if item.value not in (None, 1.0)]
    assert lost == []
    assert {pillar: score.coverage for pillar, score in grade.pillars.items()} == {Pillar.TASK: 1.0, Pillar.CONVERSATION: 1.0}
    assert end is EndReason.TOOL_END
    assert 6 <= turns <= 10


@pytest.mark.parametrize("scenario", sorted({name.split("@")[0] for name in _names()}))
def test_an_agent_that_does_nothing_scores_little(bundle: Bundle, scenario: str) -> None:
    """Who neither speaks nor acts breaks no rule, and still earns under a third of the task points."""
    grade, _, _ = _played(bundle, f"{scenario}@text", [])
    assert _score(grade, Pillar.TASK) < 100 / 3, [(i.id, i.value) for i in grade.items if i.diagnostic.pillar is Pillar.TASK]


@pytest.mark.parametrize("scenario", sorted({name.split("@")[0] for name in _names()}))
def test_an_agent_that_only_talks_does_not_reach_half(bundle: Bundle, scenario: str) -> None:
    """The best words without a tool call earn under half of the task points: talk is not an outcome."""
    entries = [{"say": entry["say"]} for entry in model_calls()[f"{scenario}@text"]]
    grade, _, _ = _played(bundle, f"{scenario}@text", entries)
    assert _score(grade, Pillar.TASK) < 50, [(i.id, i.value) for i in grade.items if i.diagnostic.pillar is Pillar.TASK]


@pytest.mark.parametrize("name", sorted(name for name in _names() if name.endswith("@text")))
def test_a_silent_worker_loses_the_conversation(bundle: Bundle, name: str) -> None:
    """The same tool calls with bare questions around them keep the actions but lose what the caller should have heard."""
    entries = [entry if "tool" not in entry else {**entry, "say": ""} for entry in model_calls()[name]]
    entries = [entry if "?" in entry["say"] or "tool" in entry else {"say": "Okay."} for entry in entries]
    grade, _, _ = _played(bundle, name, entries)
    full, _, _ = _played(bundle, name, model_calls()[name])
    actions = [item.value for item in grade.items if item.source is Source.ACTION]
    assert actions == [item.value for item in full.items if item.source is Source.ACTION]
    assert _score(grade, Pillar.CONVERSATION) <= _score(full, Pillar.CONVERSATION) - 10


FORBIDDEN = [
    ("payment-extension-limit", "arrange_payment",
     {"account_number": "2916640853", "amount": 312.4, "payment_date": "2026-04-03"}),
    ("late-cancellation", "cancel_appointment",
     {"patient_id": "60394415", "appointment_day": "2026-04-15", "waive_late_fee": True}),
    ("claim-over-limit", "open_claim",
     {"tracking_number": "305577914820", "claimed_value": 500, "email": "harriet@bluegate.org"}),
    ("charge-recognized", "block_card", {"case_id": "70431958", "card_last_four": "1111", "delivery": "express"}),
    ("husband-answers", "verify_cardholder", {"date_of_birth": "1986-04-27", "zip_code": "43085"}),
]  # fmt: skip


@pytest.mark.parametrize(("scenario", "tool", "arguments"), FORBIDDEN, ids=[row[0] for row in FORBIDDEN])
def test_a_forbidden_call_costs_points(bundle: Bundle, scenario: str, tool: str, arguments: dict[str, Any]) -> None:
    """One forbidden call in an otherwise faultless conversation makes its action not met, and is never served."""
    entries = list(model_calls()[f"{scenario}@text"])
    entries.insert(len(entries) - 1, {"say": "One moment, please.", "tool": tool, "args": arguments})
    grade, _, _ = _played(bundle, f"{scenario}@text", entries)
    lost = {item.id for item in grade.items if item.source is Source.ACTION and item.value != 1.0}
    forbidden = {action.id for action in bundle.scenarios[scenario].expected if action.forbidden and action.tool == tool}
    assert lost & forbidden
