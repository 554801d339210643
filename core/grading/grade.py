"""Grading one trace: actions by program, criteria and ratings by a judge whose judgements are checked before they count."""

from __future__ import annotations

from collections.abc import Iterator

from core.bundle import Bundle
from core.grading.actions import grade_actions
from core.grading.asking import Answers, add_usage, ask
from core.grading.building import build_checks, build_conversation_view, build_task_view, pillar_criteria, rating_override
from core.grading.judges import Judge, ProgramJudge
from core.grading.scores import overall_score, rating_value, score_pillars
from core.grading.states import grade_state
from core.schemas.base import CONVERSATION_DIAGNOSTICS, Diagnostic, Importance, Pillar, content_hash, pretty_json, sha256
from core.schemas.call_trace import CodeVersion, PartyRecord, Trace
from core.schemas.grade import LABEL_VALUE, Grade, Item, Source, Status
from core.schemas.scenario import Scenario

GRADING_VERSION = "grading-3"
"""Version of the program that grades actions and checks judgements; part of every judge key."""

UNJUDGED = "the judge gave no judgement"


def judge_key(judge: PartyRecord) -> str:
    """Sixteen hexadecimal digits that name the judge with its settings and prompts, and the grading program."""
    return content_hash({"grading": GRADING_VERSION, "judge": judge.to_json()})[:16]


def grade(
    trace: Trace, scenario: Scenario, prompt: str, judge: Judge, *, trace_sha256: str, code: CodeVersion | None = None
) -> Grade:
    """Grade one trace.

    `prompt` is the candidate's rendered instructions, `trace_sha256` the hash of the trace's file, `code` the version of the code
    that grades. The judge's seed is the one in the trace's header. A program judge is handed the scenario's checks too. A judge's
    ProviderError is passed on: no grade is made then.
    """
    if isinstance(judge, ProgramJudge):
        judge = judge.with_checks(build_checks(scenario))
    seed = trace.header.seeds.judge
    task = ask(judge.judge_task, build_task_view(trace, scenario, prompt), seed)
    conversation = ask(judge.judge_conversation, build_conversation_view(trace, scenario), seed)
    items = (
        *grade_actions(trace, scenario),
        *grade_state(trace, scenario),
        *_criteria(scenario, Pillar.TASK, task),
        *_ratings(scenario, conversation),
        *_criteria(scenario, Pillar.CONVERSATION, conversation),
    )
    pillars = score_pillars(items)
    record = judge.record()
    return Grade(
        trace_sha256=trace_sha256,
        bundle_hash=trace.header.bundle_hash,
        scenario=trace.header.scenario,
        agent=trace.header.agent,
        condition=trace.header.condition,
        repeat=trace.header.repeat,
        judge=record,
        judge_key=judge_key(record),
        code=code,
        items=items,
        pillars=pillars,
        overall=overall_score(pillars),
        replies=task.replies + conversation.replies,
        votes=task.votes + conversation.votes,
        usage=add_usage(task.usage, conversation.usage),
    )


def grade_trace(trace: Trace, bundle: Bundle, judge: Judge, code: CodeVersion | None = None) -> Grade:
    """Grade a trace against the bundle it was made with."""
    scenario = bundle.scenarios[trace.header.scenario]
    trace_sha256 = sha256(pretty_json(trace.to_json()))
    return grade(trace, scenario, bundle.prompt(scenario), judge, trace_sha256=trace_sha256, code=code)


def _criteria(scenario: Scenario, pillar: Pillar, answers: Answers) -> Iterator[Item]:
    for criterion in pillar_criteria(scenario, pillar):
        yield _item(criterion.id, Source.CRITERION, criterion.diagnostic, criterion.importance, answers)


def _ratings(scenario: Scenario, answers: Answers) -> Iterator[Item]:
    for diagnostic in CONVERSATION_DIAGNOSTICS:
        override = rating_override(scenario, diagnostic)
        if override.applicable:
            yield _item(diagnostic.value, Source.RATING, diagnostic, override.weight, answers)
        else:
            yield Item(
                id=diagnostic.value,
                source=Source.RATING,
                diagnostic=diagnostic,
                importance=override.weight,
                status=Status.NOT_APPLICABLE,
                reason="the scenario leaves this rating out",
            )


def _item(name: str, source: Source, diagnostic: Diagnostic, importance: Importance, answers: Answers) -> Item:
    judgement = answers.valid.get(name)
    if judgement is None:
        return Item(
            id=name,
            source=source,
            diagnostic=diagnostic,
            importance=importance,
            status=Status.UNJUDGED,
            reason=answers.unjudged.get(name, UNJUDGED),
        )
    value = None
    if judgement.label is not None:
        value = LABEL_VALUE[judgement.label]
    elif judgement.rating is not None:
        value = rating_value(judgement.rating)
    return Item(
        id=name,
        source=source,
        diagnostic=diagnostic,
        importance=importance,
        status=Status.NOT_APPLICABLE if judgement.not_applicable else Status.SCORED,
        label=judgement.label,
        rating=judgement.rating,
        value=value,
        reason=judgement.reason,
        evidence=judgement.evidence,
    )
