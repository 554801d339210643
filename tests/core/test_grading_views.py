"""A judge's view holds what it may see and nothing else: a secret planted in every other field never reaches it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from core.grading.building import build_checks, build_conversation_view, build_task_view
from core.grading.grade import grade
from core.grading.views import ConversationView, TaskView
from core.schemas.base import Diagnostic
from core.schemas.call_trace import ChannelEvent, MatcherResult, PartyRecord, RejectedAttempt, Trace
from core.schemas.checks import Check
from core.schemas.grade import Judgement
from core.schemas.scenario import Scenario
from tests.core.grading_samples import HASH, PROMPT, Called, CallScript, scenario

SECRET = "xyzzy"
ANCHORS = {"met": "yes", "partial": "half", "not_met": "no"}
CHECK = {
    "met": {
        "all": [
            {"said": {"role": "agent", "matcher": {"contains": "$state.truth"}}},
            {"called": {"tool": "find", "args": {"q": {"equals": "$caller.facts.fact_1"}}}},
        ]
    }
}


def _planted() -> tuple[Trace, Scenario]:
    """A trace and a scenario with the secret in every field that no judge may see."""
    hidden = f"{SECRET}-hidden"
    made = scenario(
        title=SECRET,
        tags=[SECRET],
        variables={"v": SECRET},
        goal="GOAL-for-the-task-judge",
        caller={
            "context": SECRET,
            "reason": SECRET,
            "now": "2026-03-10T18:52",
            "facts": {"fact_1": {"value": hidden, "kind": "text"}},
            "unknown": [SECRET],
            "plan": [{"id": "step_1", "trigger": SECRET, "meaning": SECRET}],
            "voice": {"accent": SECRET, "mood": SECRET},
        },
        backend={"state": {"truth": SECRET}, "fixtures": {"find": {"default": {"x": SECRET}}}},
        channel={"asr_events": [{"id": "event_1", "at": {"turn": 1}, "kind": "drop", "span": SECRET}]},
        expected=[{"id": f"act_{SECRET}", "tool": SECRET, "args": {"a": {"equals": SECRET}}}],
        criteria=[
            {"id": "task_1", "diagnostic": "outcome", "statement": "TASK-statement", "anchors": ANCHORS, "check": CHECK},
            {"id": "talk_1", "diagnostic": "closing", "statement": "TALK-statement", "anchors": ANCHORS, "check": CHECK},
        ],
        offline={"steps": {"step_1": {"cues": [SECRET], "line": SECRET}}},
    )
    event = ChannelEvent(id="event_1", kind="substitute", applied=True, before="hi", after="high")
    trace = (
        CallScript().agent("Hello.").caller("hi there", "high there", events=(event,)).agent("", Called("find", {"q": 1})).trace()
    )
    events = tuple(
        e.model_copy(update={"matchers": (MatcherResult(argument=SECRET, ok=False, reason=SECRET),)}) for e in trace.tool_events
    )
    turns = tuple(
        t.model_copy(
            update={"rejected": (RejectedAttempt(raw=SECRET, reasons=(SECRET,)),), "raw": SECRET, "expressed": (SECRET,)}
        )
        for t in trace.caller_turns
    )
    header = trace.header.model_copy(update={"line": {"x": SECRET}})
    return trace.model_copy(update={"tool_events": events, "caller_turns": turns, "header": header}), made


def test_no_secret_reaches_the_task_judge() -> None:
    """Expected actions, checks, matcher results, hidden state, brief, offline help and the caller's raw replies stay outside."""
    trace, made = _planted()

    assert SECRET in repr(trace)
    assert SECRET not in repr(build_task_view(trace, made, PROMPT))


def test_no_secret_reaches_the_conversation_judge() -> None:
    """The same holds for the conversation judge, which is not given goal, prompt or task criteria either."""
    trace, made = _planted()
    seen = repr(build_conversation_view(trace, made))

    assert SECRET not in seen
    assert [] == [word for word in ("GOAL", "TASK-statement", PROMPT) if word in seen]


class _Recorder:
    """A judge that judges nothing and keeps every object it is handed."""

    def __init__(self) -> None:
        self.handed: list[object] = []

    def record(self) -> PartyRecord:
        return PartyRecord(party="test:recorder")

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        self.handed.append(view)
        return ()

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        self.handed.append(view)
        return ()


class _ProgramRecorder(_Recorder):
    """The same as a program."""

    def with_checks(self, checks: Mapping[str, Check]) -> _ProgramRecorder:
        self.handed.append(checks)
        return self


def test_a_plain_judge_is_never_handed_a_check() -> None:
    """What hides behind `$state` and `$caller.facts` in a check reaches no judge that could put it into a prompt."""
    trace, made = _planted()
    judge = _Recorder()
    grade(trace, made, PROMPT, judge, trace_sha256=HASH)

    assert [TaskView, ConversationView] == [type(each) for each in judge.handed]
    assert SECRET not in repr(judge.handed)


def test_a_program_judge_is_handed_resolved_checks_beside_its_views() -> None:
    """Its views are those of every judge; the checks come on their own, with the values in place of the references."""
    trace, made = _planted()
    judge = _ProgramRecorder()
    grade(trace, made, PROMPT, judge, trace_sha256=HASH)
    checks, *views = judge.handed

    assert {"task_1", "talk_1"} == set(build_checks(made)) == set(cast(Mapping[str, Check], checks))
    assert f"{SECRET}-hidden" in repr(checks)
    assert "$state" not in repr(checks)
    assert SECRET not in repr(views)


def test_each_judge_gets_its_own_criteria() -> None:
    """Criteria go to the judge of their diagnostic's pillar."""
    trace, made = _planted()

    assert ["task_1"] == [c.id for c in build_task_view(trace, made, PROMPT).criteria]
    assert ["talk_1"] == [c.id for c in build_conversation_view(trace, made).criteria]


def test_intended_and_heard_words_stand_side_by_side() -> None:
    """The first fragment of a turn carries the intended words and the events; later ones only what was heard."""
    event = ChannelEvent(id="split_1", kind="split", applied=True)
    trace = CallScript().agent("Hello.").caller("my number is 5", "my number", "is 5", events=(event,)).trace()
    view = build_conversation_view(trace, scenario())
    (first, second) = view.messages[1:]

    assert ("my number is 5", "my number", (event,)) == (first.intended, first.content, first.events)
    assert (None, "is 5", ()) == (second.intended, second.content, second.events)
    assert (1, 1) == (first.turn, second.turn)


def test_ratings_left_out_by_the_scenario_are_not_asked_for() -> None:
    """`applicable: false` takes a rating from the view."""
    view = build_conversation_view(CallScript().trace(), scenario(ratings={"closing": {"applicable": False}}))

    assert Diagnostic.CLOSING not in view.ratings
    assert 5 == len(view.ratings)
