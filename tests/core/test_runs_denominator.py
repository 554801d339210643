"""SPEC 3: every planned case is in exactly one class, so that no figure can grow by losing calls."""

from __future__ import annotations

from enum import Enum, auto

from hypothesis import given, settings
from hypothesis import strategies as st

from core.report import phrases
from core.runs.summary import GradedCase, summarise
from core.schemas.base import Condition
from core.schemas.run import CaseKey, ConditionSummary, DropClass, JournalLine, JournalState, Summary
from models.parties.rules import RulesJudge
from tests.core.grading_samples import scenario
from tests.core.test_summary import _bundle, _run, _scored


class Fate(Enum):
    """What may become of a case."""

    GRADED = auto()
    NO_SCORE = auto()
    JUDGE_FAILED = auto()
    SIMULATION = auto()
    INFRASTRUCTURE = auto()
    UNPLAYED = auto()


def _case(key: CaseKey, fate: Fate) -> GradedCase | None:
    if fate not in (Fate.GRADED, Fate.NO_SCORE):
        return None
    return _scored(key.scenario, key.condition, 50.0 if fate is Fate.GRADED else None, key.repeat)


def _dropped(key: CaseKey, fate: Fate) -> JournalLine:
    reason = "caller_invalid: x" if fate is Fate.SIMULATION else "provider: HTTP 503"
    return JournalLine(case=key.name, state=JournalState.DROPPED, drop_class=DropClass(fate.name.lower()), reason=reason)


def _summary(fates: dict[CaseKey, Fate]) -> Summary:
    cases = [case for key, fate in fates.items() if (case := _case(key, fate)) is not None]
    scenarios = [scenario(id=name, agent="larkfield") for name in sorted({key.scenario for key in fates})]
    lost = {key.name: _dropped(key, fate) for key, fate in fates.items() if fate in (Fate.SIMULATION, Fate.INFRASTRUCTURE)}
    unjudged = {key.name: "judge: HTTP 503" for key, fate in fates.items() if fate is Fate.JUDGE_FAILED}
    run, bundle = _run(*fates, repeats=2), _bundle(*scenarios)
    return summarise(run, bundle, RulesJudge().record(), cases, lost, tagged=True, unjudged=unjudged)


KEYS = [
    CaseKey(scenario=name, condition=condition, repeat=repeat)
    for name in ("a", "b")
    for condition in (Condition.TEXT, Condition.AUTHORED)
    for repeat in range(2)
]


def _counted(held: ConditionSummary) -> dict[Fate, int]:
    lost = {name: sum(reasons.values()) for name, reasons in held.dropped.items()}
    return {
        Fate.GRADED: held.n,
        Fate.NO_SCORE: held.ungraded_reasons.get("no_score", 0),
        Fate.JUDGE_FAILED: held.ungraded_reasons.get("judge", 0),
        Fate.SIMULATION: lost.get("simulation", 0),
        Fate.INFRASTRUCTURE: lost.get("infrastructure", 0),
        Fate.UNPLAYED: held.unplayed,
    }


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(list(Fate)), min_size=len(KEYS), max_size=len(KEYS)))
def test_planned_is_the_sum_of_all_classes(chosen: list[Fate]) -> None:
    """Under every condition, whatever becomes of the cases; each class counts its own and no other."""
    fates = dict(zip(KEYS, chosen, strict=True))
    for condition, held in _summary(fates).conditions.items():
        own = [fate for key, fate in fates.items() if key.condition is condition]
        assert {fate: own.count(fate) for fate in Fate} == _counted(held)
        assert held.planned == held.n + held.ungraded + phrases.dropped_count(held) + held.unplayed


def test_a_mean_is_over_graded_cases_alone() -> None:
    """A lost call is neither 0 nor 100: it is in no mean and in one count."""
    fates = dict(zip(KEYS, [Fate.GRADED, *list(Fate), Fate.UNPLAYED], strict=True))
    text = _summary(fates).conditions[Condition.TEXT]
    assert (2, 50.0) == (text.n, text.task.score)


def test_a_run_that_lost_calls_to_the_infrastructure_is_not_official() -> None:
    """They can be played again; those that the simulation lost would be lost again, and are declared."""
    fates = dict.fromkeys(KEYS, Fate.GRADED)
    assert not any("declared cases" in reason for reason in _summary(fates | {KEYS[0]: Fate.SIMULATION}).official_reasons)
    lost = _summary(fates | {KEYS[0]: Fate.INFRASTRUCTURE}).official_reasons
    assert "1 of 8 declared cases were dropped by the infrastructure" in lost
    unplayed = _summary(fates | {KEYS[0]: Fate.UNPLAYED, KEYS[1]: Fate.JUDGE_FAILED}).official_reasons
    assert "2 of 8 declared cases are not finished and graded" in unplayed
