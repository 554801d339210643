"""Several judges or votes: each is checked on its own, the majority decides, and what nobody could judge stays unjudged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.grading.grade import grade
from core.grading.judges import Judge, Judged
from core.grading.panel import Panel
from core.grading.views import ConversationView, TaskView
from core.grading.voting import decide
from core.schemas.call_trace import PartyRecord
from core.schemas.checks import Check
from core.schemas.grade import Grade, Item, Judgement, JudgeReply, Label, Status, View
from core.schemas.usage import Usage
from tests.core.grading_samples import HASH, PROMPT, CallScript, scenario

ANCHORS = {"met": "yes", "partial": "half", "not_met": "no"}
TASK = {"id": "task_1", "diagnostic": "outcome", "statement": "s", "anchors": ANCHORS}
VOTES = {"met": Label.MET, "partial": Label.PARTIAL, "not_met": Label.NOT_MET}


class TaskJudge:
    """Judges the one task criterion by what it is given, seed by seed, and reports a reply and its usage."""

    def __init__(self, answer: Callable[[int], Judgement | None], party: str = "test:one") -> None:
        self._answer = answer
        self._party = party
        self.seeds: list[int] = []

    def record(self) -> PartyRecord:
        return PartyRecord(party=self._party)

    def judge_task(self, view: TaskView, seed: int) -> Judged:
        self.seeds.append(seed)
        judgement = self._answer(len(self.seeds) - 1)
        reply = JudgeReply(view=View.TASK, items=("task_1",), raw=f"said {len(self.seeds)}")
        return Judged((judgement,) if judgement else (), replies=(reply,), usage=Usage(requests=1))

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        return ()


def _vote(word: str | int | None) -> Judgement:
    if isinstance(word, int):
        return Judgement(id="memory", rating=word, reason=f"because {word}", evidence=(word,))
    return Judgement(id="task_1", label=VOTES.get(word or ""), not_applicable=word is None, reason=f"because {word}")


def _graded(judge: Judge) -> tuple[Grade, Item]:
    trace = CallScript().agent("Hello.").caller("hi").trace()
    made = grade(trace, scenario(criteria=[TASK]), PROMPT, judge, trace_sha256=HASH)
    return made, next(item for item in made.items if item.id == "task_1")


@pytest.mark.parametrize(
    ("votes", "outcome"),
    [
        (["met", "met", "not_met"], "met"),
        (["met", "not_met"], "not_met"),
        (["met", "partial"], "partial"),
        (["met", "partial", "not_met"], "partial"),
        (["met", "met", "not_met", "not_met"], "not_met"),
        ([None, "met"], "met"),
        ([None, None, "met"], None),
        ([None, None, "not_met", "met", "met"], "met"),
    ],
)
def test_the_label_of_the_majority(votes: list[str | None], outcome: str | None) -> None:
    """Whether it applies is decided first, a tie meaning that it does; tied labels give their lower middle."""
    found = decide([_vote(vote) for vote in votes])

    assert (VOTES.get(outcome or ""), outcome is None) == (found.label, found.not_applicable)
    assert f"{votes.count(outcome)} of {len(votes)} votes: because {outcome}" == found.reason


@pytest.mark.parametrize(("votes", "outcome"), [([1, 5, 4], 4), ([2, 5], 2), ([3], 3), ([1, 2, 4, 5], 2)])
def test_the_median_rating(votes: list[int], outcome: int) -> None:
    """The middle one; of two middles the lower, so that the outcome is one that somebody gave, with that one's evidence."""
    found = decide([_vote(vote) for vote in votes])

    assert (outcome, (outcome,)) == (found.rating, found.evidence)


@given(st.lists(st.sampled_from(["met", "partial", "not_met", None]), min_size=1, max_size=9))
def test_the_outcome_was_given_by_somebody_and_does_not_depend_on_the_order(votes: list[str | None]) -> None:
    """Any order of the same votes decides alike."""
    outcomes = {
        (found.label, found.not_applicable) for found in (decide([_vote(v) for v in order]) for order in (votes, votes[::-1]))
    }

    assert 1 == len(outcomes)
    assert outcomes <= {(_vote(vote).label, _vote(vote).not_applicable) for vote in votes}


def test_three_votes_of_one_judge() -> None:
    """Each vote has its own seed, the first the one it would have alone; every vote, reply and request is kept."""
    words = ["met", "not_met", "met"]
    judge = TaskJudge(lambda turn: _vote(words[turn]))
    alone = TaskJudge(lambda _turn: _vote("met"))
    made, item = _graded(Panel([judge] * 3))
    _graded(alone)

    assert (Status.SCORED, Label.MET, "2 of 3 votes: because met") == (item.status, item.label, item.reason)
    assert 3 == len(set(judge.seeds))
    assert alone.seeds[0] == judge.seeds[0]
    assert [(0, Label.MET), (1, Label.NOT_MET), (2, Label.MET)] == [
        (vote.vote, vote.judgement.label if vote.judgement else None) for vote in made.votes if vote.item == "task_1"
    ]
    assert [(0, "said 1"), (1, "said 2"), (2, "said 3")] == [(reply.vote, reply.raw) for reply in made.replies]
    assert Usage(requests=3) == made.usage


def test_a_faulty_vote_is_asked_again_and_then_is_none() -> None:
    """Two of three votes cite what is not there, twice each: one valid vote is less than half, so the item is unjudged."""
    wrong = _vote("met").model_copy(update={"evidence": (99,)})
    members = [TaskJudge(lambda _turn: wrong, "test:a"), TaskJudge(lambda _turn: wrong, "test:b")]
    made, item = _graded(Panel([*members, TaskJudge(lambda _turn: _vote("met"), "test:c")]))

    assert [2, 2] == [len(member.seeds) for member in members]
    assert Status.UNJUDGED == item.status
    assert "1 of 3 votes, less than half: the judgement was refused twice: evidence [99] is not in the trace" == item.reason
    assert [1, 2, 1, 2, 1] == [reply.attempt for reply in made.replies]
    assert 4 == sum("task_1" in reply.faults for reply in made.replies)


def test_half_of_the_votes_are_enough() -> None:
    """Of two judges one has nothing to say: the other's judgement stands."""
    _made, item = _graded(Panel([TaskJudge(lambda _turn: None, "test:a"), TaskJudge(lambda _turn: _vote("partial"), "test:b")]))

    assert (Status.SCORED, Label.PARTIAL, "because partial") == (item.status, item.label, item.reason)


def test_a_panel_is_known_by_its_members() -> None:
    """Its record names every member with its settings and the rule of the vote."""
    judge = TaskJudge(lambda _turn: None)
    record = Panel([judge, judge, TaskJudge(lambda _turn: None, "test:two")]).record()

    assert "2 x test:one + test:two" == record.party
    assert "votes-1" == record.settings["voting"]
    assert 3 == len(list(_members(record)))


def _members(record: PartyRecord) -> Sequence[object]:
    members = record.settings["members"]
    assert isinstance(members, list)
    return members


def test_only_programs_of_a_panel_are_handed_the_checks() -> None:
    """A member that is a program gets them, a member that is not does not even have the method."""

    class Program(TaskJudge):
        given: Mapping[str, Check] | None = None

        def with_checks(self, checks: Mapping[str, Check]) -> Program:
            Program.given = checks
            return self

    check = {"met": {"said": {"role": "agent", "matcher": {"contains": "Hello"}}}}
    trace = CallScript().agent("Hello.").trace()
    panel = Panel([TaskJudge(lambda _turn: None), Program(lambda _turn: None, "test:program")])
    grade(trace, scenario(criteria=[{**TASK, "check": check}]), PROMPT, panel, trace_sha256=HASH)

    assert {"task_1"} == set(Program.given or ())
