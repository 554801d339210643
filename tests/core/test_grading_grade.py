"""From judgements to pillars: what a judge says is checked before it counts, and nothing is 0 for want of an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grading.grade import grade, judge_key
from core.grading.scores import score_items, score_pillars
from core.grading.views import ConversationView, TaskView
from core.schemas.base import CONVERSATION_DIAGNOSTICS, Diagnostic, Pillar
from core.schemas.call_trace import PartyRecord
from core.schemas.grade import Grade, Item, Judgement, Label, Source, Status
from tests.core.grading_samples import HASH, PROMPT, Called, CallScript, scenario

ANCHORS = {"met": "yes", "partial": "half", "not_met": "no"}
CRITERIA = [
    {"id": "task_1", "diagnostic": "outcome", "importance": 3, "statement": "s", "anchors": ANCHORS},
    {"id": "talk_1", "diagnostic": "closing", "importance": 2, "statement": "s", "anchors": ANCHORS},
]
View = TaskView | ConversationView


class ScriptedJudge:
    """Says what it is told, attempt by attempt, and remembers what it was shown."""

    def __init__(self, *attempts: Callable[[View], Sequence[Judgement]]) -> None:
        self.attempts = attempts
        self.views: list[View] = []
        self.seeds: list[int] = []

    def record(self) -> PartyRecord:
        return PartyRecord(party="test:scripted")

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        return self._answer(view, seed)

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        return self._answer(view, seed)

    def _answer(self, view: View, seed: int) -> tuple[Judgement, ...]:
        number = sum(type(seen) is type(view) for seen in self.views)
        self.views.append(view)
        self.seeds.append(seed)
        return tuple(self.attempts[min(number, len(self.attempts) - 1)](view))


def _perfect(view: View) -> list[Judgement]:
    labels = [Judgement(id=c.id, label=Label.MET, reason="r", evidence=(1,)) for c in view.criteria]
    ratings = view.ratings if isinstance(view, ConversationView) else ()
    return labels + [Judgement(id=d.value, rating=5, reason="r") for d in ratings]


def _with(**changes: Any) -> Callable[[View], list[Judgement]]:
    """A perfect answer, but for the judgements named."""
    return lambda view: [j.model_copy(update=changes.get(j.id, {})) for j in _perfect(view)]


def _grade(judge: ScriptedJudge, **fields: Any) -> Grade:
    trace = CallScript().agent("Hello.").caller("hi").agent("Bye.", Called("find", {"q": 1})).trace()
    return grade(trace, scenario(criteria=CRITERIA, **fields), PROMPT, judge, trace_sha256=HASH)


def _item(result: Grade, name: str) -> Item:
    return next(item for item in result.items if item.id == name)


def test_a_perfect_call_scores_a_hundred() -> None:
    """Every item at its best: both pillars and overall are 100, nothing is left unjudged."""
    result = _grade(ScriptedJudge(_perfect), expected=[{"id": "find_1", "tool": "find", "importance": 2}])

    assert (100.0, 100.0, 100.0) == (result.overall, *(result.pillars[pillar].score for pillar in Pillar))
    assert (5.0, 8.0) == tuple(result.pillars[pillar].max_points for pillar in Pillar)
    assert {1.0} == {result.pillars[pillar].coverage for pillar in Pillar}


def test_points_by_hand() -> None:
    """Task: not met 3 and met 2 give 2 of 5, 40. Conversation: a half of 2 and ratings 5,4,3,2,1,5 give 1 + 3.5 of 8."""
    ratings = dict(zip([d.value for d in CONVERSATION_DIAGNOSTICS], [5, 4, 3, 2, 1, 5], strict=True))
    changes: dict[str, Any] = {name: {"rating": rating} for name, rating in ratings.items()}
    judge = ScriptedJudge(_with(task_1={"label": Label.NOT_MET}, talk_1={"label": Label.PARTIAL}, **changes))
    result = _grade(judge, expected=[{"id": "find_1", "tool": "find", "importance": 2}])

    assert (2.0, 5.0, 40.0) == _points(result, Pillar.TASK)
    assert (4.5, 8.0, 56.25) == _points(result, Pillar.CONVERSATION)
    assert 48.125 == result.overall


def _points(result: Grade, pillar: Pillar) -> tuple[float, float, float | None]:
    return result.pillars[pillar].points, result.pillars[pillar].max_points, result.pillars[pillar].score


def test_weights_and_applicability_of_ratings() -> None:
    """A scenario may weigh a rating 1 to 3 or leave it out: left out, it enters neither side."""
    result = _grade(ScriptedJudge(_perfect), ratings={"memory": {"weight": 3}, "closing": {"applicable": False}})

    assert 3 == _item(result, "memory").importance
    assert Status.NOT_APPLICABLE == _item(result, "closing").status
    assert 2 + 3 + 4 == result.pillars[Pillar.CONVERSATION].applicable


def test_not_applicable_is_not_unjudged() -> None:
    """Not applicable leaves the sum and the coverage alone; silence of the judge leaves the sum but lowers the coverage."""

    def answer(view: View) -> list[Judgement]:
        said = [j for j in _perfect(view) if j.id != "language"]
        return [j.model_copy(update={"rating": None, "not_applicable": True}) if j.id == "memory" else j for j in said]

    result = _grade(ScriptedJudge(answer))
    conversation = result.pillars[Pillar.CONVERSATION]

    assert (Status.NOT_APPLICABLE, None) == (_item(result, "memory").status, _item(result, "memory").value)
    assert (Status.UNJUDGED, None) == (_item(result, "language").status, _item(result, "language").value)
    assert (100.0, 6.0, 7.0, 6 / 7) == (
        conversation.score,
        conversation.max_points,
        conversation.applicable,
        conversation.coverage,
    )


def test_a_pillar_without_a_scored_item_is_null() -> None:
    """No action and no judged task criterion: the task pillar is null, not 0, and so is overall."""
    result = _grade(ScriptedJudge(lambda view: [] if isinstance(view, TaskView) else _perfect(view)))

    assert (None, 0.0, 3.0, 0.0) == (
        result.pillars[Pillar.TASK].score,
        result.pillars[Pillar.TASK].max_points,
        result.pillars[Pillar.TASK].applicable,
        result.pillars[Pillar.TASK].coverage,
    )
    assert result.overall is None


def test_a_pillar_without_any_item_has_no_coverage() -> None:
    """Nothing applies: score and coverage are null."""
    found = score_items([])

    assert (None, None) == (found.score, found.coverage)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"task_1": {"label": None}}, "no label"),
        ({"task_1": {"rating": 4}}, "a rating where a label is asked for"),
        ({"task_1": {"not_applicable": True}}, "both a label and not applicable"),
        ({"task_1": {"reason": "  "}}, "no reason"),
        ({"task_1": {"evidence": (1, 99, -1)}}, "evidence [-1, 99] is not in the trace"),
        ({"memory": {"evidence": (0, 1)}}, "evidence [0] is not in the trace"),
        ({"memory": {"rating": None, "label": Label.MET}}, "a label where a rating is asked for"),
        ({"memory": {"rating": None}}, "no rating"),
    ],
)
def test_a_faulty_judgement_is_asked_for_once_more_then_unjudged(change: dict[str, Any], fault: str) -> None:
    """The second attempt sees only the faulty item and what was wrong with it, with another seed."""
    judge = ScriptedJudge(_with(**change))
    result = _grade(judge)
    name = next(iter(change))
    again = next(view for view in judge.views if view.rejections)

    assert Status.UNJUDGED == _item(result, name).status
    assert f"the judgement was refused twice: {fault}" == _item(result, name).reason
    assert (f"{name}: {fault}",) == again.rejections
    shown = [c.id for c in again.criteria] + [d.value for d in getattr(again, "ratings", ())]
    assert [name] == shown
    assert 3 == len(judge.views)
    assert 2 == len(set(judge.seeds))


def test_only_who_was_shown_the_instructions_may_cite_them() -> None:
    """They are message 0, which the conversation judge's view does not hold."""
    result = _grade(ScriptedJudge(_with(task_1={"evidence": (0,)})))

    assert (Status.SCORED, (0,)) == (_item(result, "task_1").status, _item(result, "task_1").evidence)


def test_a_mended_judgement_counts() -> None:
    """The second attempt is right: the item is scored as if it had been right at once."""
    judge = ScriptedJudge(_with(task_1={"evidence": (99,)}), _perfect)
    result = _grade(judge)

    assert (Status.SCORED, Label.MET, (1,)) == (
        _item(result, "task_1").status,
        _item(result, "task_1").label,
        _item(result, "task_1").evidence,
    )


def test_an_item_judged_twice_is_faulty() -> None:
    """Two judgements of one item contradict each other or waste one: neither is taken."""
    result = _grade(ScriptedJudge(lambda view: _perfect(view) * 2))

    assert "the judgement was refused twice: judged twice" == _item(result, "task_1").reason


def test_judgements_nobody_asked_for_are_ignored() -> None:
    """A judge cannot add items."""
    extra = Judgement(id="made_up", label=Label.MET, reason="r")
    result = _grade(ScriptedJudge(lambda view: [*_perfect(view), extra]))

    assert [] == [item for item in result.items if item.id == "made_up"]


def test_a_judge_with_nothing_to_judge_is_not_asked() -> None:
    """No criteria and no ratings: no call to the judge is spent."""
    judge = ScriptedJudge(_perfect)
    trace = CallScript().agent("Hello.").trace()
    grade(trace, scenario(), PROMPT, judge, trace_sha256=HASH)

    assert [ConversationView] == [type(view) for view in judge.views]


def test_the_judge_key_names_judge_settings_and_grading() -> None:
    """Same record, same key; another setting, another key."""
    one = PartyRecord(party="a", settings={"temperature": 0})

    assert judge_key(one) == judge_key(one.model_copy())
    assert judge_key(one) != judge_key(PartyRecord(party="a", settings={"temperature": 1}))
    assert 16 == len(judge_key(one))


def test_the_same_trace_gives_the_same_grade() -> None:
    """Grading twice gives equal bytes."""
    first, second = (_grade(ScriptedJudge(_perfect)).model_dump_json() for _ in range(2))

    assert first == second


_ITEMS = st.lists(
    st.builds(
        lambda diagnostic, importance, value: Item(
            id="i",
            source=Source.CRITERION,
            diagnostic=diagnostic,
            importance=importance,
            status=Status.UNJUDGED if value is None else Status.SCORED,
            value=value,
            reason="r",
        ),
        st.sampled_from(list(Diagnostic)),
        st.integers(1, 3),
        st.sampled_from([None, 0.0, 0.25, 0.5, 0.75, 1.0]),
    ),
    max_size=12,
)


@given(_ITEMS)
def test_scores_stay_in_range_and_ten_diagnostics_hold_the_points(items: list[Item]) -> None:
    """0 <= P <= 100, coverage in [0, 1], and the diagnostics' points add up to the pillars'."""
    pillars = score_pillars(items)
    for pillar in Pillar:
        score = pillars[pillar]
        parts = [score_items(i for i in items if i.diagnostic is d) for d in Diagnostic if d.pillar is pillar]

        assert score.score is None or 0.0 <= score.score <= 100.0
        assert score.coverage is None or 0.0 <= score.coverage <= 1.0
        assert sum(part.points for part in parts) == score.points
        assert sum(part.max_points for part in parts) == score.max_points
