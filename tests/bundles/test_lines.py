"""The bundle `lines`: nine operating documents, six languages, and every call solved by its author's own solution."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

import pytest

from core.backend import ParsedArguments, QueueBackend
from core.bundle import Bundle, load_bundle, shipped_bundle
from core.candidate import Candidate
from core.grading.grade import grade_trace
from core.line import AuthoredLines, TextLines
from core.runs.play import Parties, Played, play_case
from core.schemas.base import Condition, Diagnostic, Difficulty, Pillar
from core.schemas.bundle import Direction
from core.schemas.call_trace import CodeVersion, EndReason, Trace
from core.schemas.grade import Grade, Label
from core.schemas.run import CaseKey
from core.schemas.scenario import Scenario
from core.text import script_share
from models.parties.reference import ReferenceCandidate
from models.parties.rules import RulesJudge
from models.parties.scripted import ScriptedCaller
from tests.support.parties import ListCandidate, turn

DOMAINS = {
    "finance",
    "healthcare",
    "public services",
    "logistics",
    "retail",
    "travel",
    "agriculture",
    "education",
    "emergency intake",
}
"""The nine of the seed: "They cover finance, healthcare, public services, ..."."""
SHORTEST, LONGEST = 21_658, 43_969
"""Characters of rendered instructions: "the range is 21,658 to 43,969"."""
MOST_TOOLS = 18
"""Tools of one agent: "from one to eighteen each"."""
LONG_SENTENCE = 60
"""Characters from which on two documents should not share a sentence."""
DAIRY = "mastitis-zero-supply"


@cache
def lines() -> Bundle:
    """The shipped bundle, loaded with all its audits."""
    return load_bundle(shipped_bundle("lines"))


def scenarios() -> list[str]:
    """Ids of all its scenarios."""
    return sorted(path.stem for path in (shipped_bundle("lines") / "scenarios").glob("*/*.yaml"))


def played(scenario: str, condition: Condition = Condition.TEXT, candidate: Candidate | None = None) -> Trace:
    """One call with the scripted caller, by default against the author's own solution."""
    parties = Parties(
        caller=lambda made: ScriptedCaller(made.offline),
        candidate=lambda made: candidate or ReferenceCandidate(made),
        lines={Condition.TEXT: TextLines(), Condition.AUTHORED: AuthoredLines()},
    )
    result = play_case(CaseKey(scenario=scenario, condition=condition), lines(), parties, 7, CodeVersion(version="test"))
    assert isinstance(result, Played), result
    return result.trace


def graded(trace: Trace) -> Grade:
    """The grade of the judge that is a program."""
    return grade_trace(trace, lines(), RulesJudge())


def test_it_has_one_agent_in_each_of_the_nine_domains() -> None:
    """With at least three calls each, of all difficulties."""
    bundle = lines()
    assert DOMAINS == {agent.domain for agent in bundle.agents.values()}
    assert len(DOMAINS) == len(bundle.agents)
    for agent in bundle.agents:
        own = [scenario for scenario in bundle.scenarios.values() if scenario.agent == agent]
        assert len(own) >= 3, agent
        assert set(Difficulty) == {scenario.difficulty for scenario in own}, agent


def test_each_language_has_at_least_three_calls() -> None:
    """English, Hindi, Mandarin, Gujarati, Tamil and Marathi, and no other."""
    counts = Counter(scenario.language.split("-")[0] for scenario in lines().scenarios.values())
    assert {"en", "gu", "hi", "mr", "ta", "zh"} == set(counts)
    assert min(counts.values()) >= 3, counts


def test_instructions_are_operating_documents_of_the_seeds_length() -> None:
    """Every rendered prompt lies in the range, with no variable left open."""
    for scenario in lines().scenarios.values():
        prompt = lines().prompt(scenario)
        assert SHORTEST <= len(prompt) <= LONGEST, (scenario.id, len(prompt))
        assert "{{" not in prompt


def test_no_two_instructions_share_a_sentence() -> None:
    """They are documents of their own, not one text with nine names."""
    owner: dict[str, str] = {}
    for agent, template in lines().templates.items():
        for sentence in set(re.split(r"(?<=[.!?:|])\s+", template)):
            if len(sentence) >= LONG_SENTENCE:
                assert owner.setdefault(sentence, agent) == agent, sentence


def test_agents_declare_from_one_to_eighteen_tools() -> None:
    """Both ends are there, and sizes between; at least one tool of each ends the call."""
    counts = sorted(len(agent.tools) for agent in lines().agents.values())
    assert (1, MOST_TOOLS) == (counts[0], counts[-1])
    assert len(set(counts)) >= 5, counts
    assert all(any(tool.ends_call for tool in agent.tools) for agent in lines().agents.values())


def test_it_is_locked() -> None:
    """`manifest.json` agrees with every file, so a run on the shipped bundle can be official."""
    assert lines().locked, "run `ringback bundle lock lines`, and raise the version if the bundle was released"


def test_callers_speak_in_their_own_script() -> None:
    """Brief and lines are written in the language, without a digit to be read out; a plan has four to nine steps."""
    for scenario in lines().scenarios.values():
        brief = scenario.caller
        assert 4 <= len(brief.plan) <= 9, scenario.id
        assert {step.id for step in brief.plan} == set(scenario.offline.steps), scenario.id
        spoken = [step.line for step in scenario.offline.steps.values()]
        assert not re.search(r"[0-9]", " ".join(spoken).replace("_1", "").replace("_2", "")), scenario.id
        for text in (brief.context, brief.reason, re.sub(r"\{\w+\}", "", " ".join(spoken))):
            assert script_share(text, scenario.script) >= 0.9, (scenario.id, text)


@pytest.mark.parametrize("condition", [Condition.TEXT, Condition.AUTHORED])
@pytest.mark.parametrize("scenario", scenarios())
def test_the_authors_solution_solves_every_call(scenario: str, condition: Condition) -> None:
    """It reaches every expected action, meets every checked criterion, and a call-ending tool ends the call."""
    trace = played(scenario, condition)
    grade = graded(trace)
    task = grade.pillars[Pillar.TASK]
    assert [] == [f"{item.id}: {item.reason}" for item in grade.items if item.label not in (None, Label.MET)]
    assert EndReason.TOOL_END == trace.end
    assert 100 == task.score
    assert task.coverage is not None
    assert task.coverage >= 0.9


@pytest.mark.parametrize("scenario", scenarios())
def test_what_an_author_damages_or_splits_is_in_the_lines_words(scenario: str) -> None:
    """Each authored event of words applies to the caller's own lines, so nobody is graded on a damage that never came."""
    events = [event for turn in played(scenario, Condition.AUTHORED).caller_turns for event in turn.events]
    assert [] == [event.id for event in events if event.kind in ("drop", "double", "substitute", "split") and not event.applied]


def test_nobody_can_be_rung_up_by_a_number_of_the_bundle() -> None:
    """No ten figures begin as an Indian mobile number does, no eleven as a Chinese one; 154 is given to nobody there."""
    files = sorted(path for kind in ("*.yaml", "*.md") for path in shipped_bundle("lines").rglob(kind))
    mobile = re.compile(r"(?<![\dA-Fa-f])(?:[6-9]\d{4}[ -]?\d{5}|0?1(?!54)[3-9]\d[ -]?\d{4}[ -]?\d{4})(?![\dA-Fa-f])")
    assert [] == [f"{path.name}: {found[0]}" for path in files for found in mobile.finditer(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("scenario", scenarios())
def test_an_agent_that_only_listens_solves_none(scenario: str) -> None:
    """Friendly words without a tool stay far below the cutoff."""
    grade = graded(played(scenario, candidate=ListCandidate([turn("...")])))
    score = grade.pillars[Pillar.TASK].score
    assert score is not None
    assert score < 50, [item.id for item in grade.items if item.label is Label.MET]


# -- the dairy call of the seed --------------------------------------------------------------------------


def dairy() -> Scenario:
    """The farmer whose cow has mastitis."""
    return lines().scenarios[DAIRY]


def test_the_dairy_call_is_the_one_of_the_seed() -> None:
    """Outbound, in Gujarati, with eighteen tools, and instructions within a hundredth of 38,812 characters."""
    agent = lines().agent_of(dairy())
    assert (Direction.OUTBOUND, "gu", MOST_TOOLS) == (agent.direction, dairy().language, len(agent.tools))
    assert 38_812 == pytest.approx(len(lines().prompt(dairy())), rel=0.01)


def test_the_graders_of_the_dairy_call_want_the_zero_and_its_reason_without_pressure() -> None:
    """ "requires the zero estimate and its reason to be recorded without pressuring the farmer"."""
    made = dairy()
    wanted = {action.tool: action for action in made.expected if not action.forbidden and action.importance == 3}
    assert {"log_milk_estimate", "log_zero_supply_reason"} == set(wanted)
    assert (("record_zero",), 0) == (wanted["log_zero_supply_reason"].after, made.caller.facts["milk_litres"].value)
    (pressure,) = [criterion for criterion in made.criteria if criterion.id == "no_pressure"]
    assert (Diagnostic.RULES, 3) == (pressure.diagnostic, pressure.importance)
    steps = [step.id for step in made.caller.plan]
    assert ["confirm_self", "name_centre", "say_zero", "give_reason", "decline_once"] == steps


RIGHT: dict[str, Any] = {
    "member_number": "58203341",
    "supply_date": "2026-07-14",
    "shift": "evening",
    "centre_code": "MTP-02",
    "category": "cattle_health",
}


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "recorded"),
        ({"centre_code": "MTA-12"}, "not_recorded"),
        ({"centre_code": "NVG-03"}, "not_recorded"),
        ({"shift": "morning"}, "not_recorded"),
        ({"category": "other"}, "not_recorded"),
        ({"category": "dry_period"}, "not_recorded"),
    ],
)
def test_the_reason_is_recorded_for_the_right_centre_shift_and_category_only(changes: dict[str, Any], status: str) -> None:
    """ "a confirmation only when the model sends the right collection center, the evening shift, and cattle_health"."""
    backend = QueueBackend(lines().agent_of(dairy()), dairy())
    answer = backend.call("log_zero_supply_reason", ParsedArguments({**RIGHT, **changes}, None))
    assert status == answer.result["status"]


PRESSING = (
    turn("નમસ્તે, હું સોનવાડી ડેરીમાંથી મીરા બોલું છું. હું જશોદાબેન સાથે વાત કરું છું?"),
    turn("દૂધ કયા કેન્દ્ર પર જશે?"),
    turn("કેટલા લિટર દૂધ આવશે?"),
    turn("કારણ શું છે?"),
    turn("થોડું દૂધ તો મોકલી શકો ને? બીજી ગાયનું?"),
)
"""An agent that presses on, the last words for ever."""


def test_pressed_to_supply_the_farmer_declines_once_and_moves_to_end_the_call() -> None:
    """The one refusal is her leave-taking, and the agent loses the points it pressed away."""
    trace = played(DAIRY, candidate=ListCandidate(PRESSING))
    declined = [each for each in trace.caller_turns if "decline_once" in each.expressed]
    assert [trace.caller_turns[-1]] == declined
    assert declined[0].done
    assert EndReason.CALLER_DONE == trace.end
    pressed = next(item for item in graded(trace).items if item.id == "no_pressure")
    assert Label.NOT_MET == pressed.label


def test_the_farmer_gives_the_reason_only_when_asked() -> None:
    """An agent that accepts the zero without a question hears no reason."""
    quiet = (*PRESSING[:3], turn("ચાલશે, શૂન્ય લખું છું."))
    trace = played(DAIRY, candidate=ListCandidate(quiet))
    told = [each.intended for each in trace.caller_turns[:5]]
    assert not [speech for speech in told if "સોજો" in speech], told
