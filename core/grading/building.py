"""Building what is handed to judges from a trace: the only place where what a judge may see is chosen."""

from __future__ import annotations

from core.grading.resolving import resolve_check
from core.grading.views import CallView, ConversationView, CriterionView, MessageView, TaskView
from core.matchers.references import References
from core.schemas.base import CONVERSATION_DIAGNOSTICS, Diagnostic, Pillar
from core.schemas.call_trace import Outcome, Role, ToolEvent, Trace
from core.schemas.checks import Check
from core.schemas.scenario import Criterion, RatingOverride, Scenario

REFUSED = (Outcome.UNKNOWN_TOOL, Outcome.CHAIN_LIMIT)
"""Outcomes of calls that never reached a tool."""


def build_task_view(trace: Trace, scenario: Scenario, prompt: str) -> TaskView:
    """What the task judge sees: prompt, conversation, calls and results, goal and task criteria."""
    return TaskView(
        prompt=prompt,
        goal=scenario.goal,
        criteria=_criteria(scenario, Pillar.TASK),
        messages=_messages(trace),
        calls=_calls(trace),
        end=trace.end,
    )


def build_conversation_view(trace: Trace, scenario: Scenario) -> ConversationView:
    """What the conversation judge sees: the conversation, the required language, the ratings and criteria that apply."""
    return ConversationView(
        language=scenario.language,
        script=scenario.script,
        ratings=tuple(d for d in CONVERSATION_DIAGNOSTICS if rating_override(scenario, d).applicable),
        criteria=_criteria(scenario, Pillar.CONVERSATION),
        messages=_messages(trace),
        calls=_calls(trace),
        end=trace.end,
    )


def build_checks(scenario: Scenario) -> dict[str, Check]:
    """Criterion id to its check with references replaced by values: for program judges only, and in no view."""
    references = References.of(scenario)
    return {
        criterion.id: resolve_check(criterion.check, references) for criterion in scenario.criteria if criterion.check is not None
    }


def rating_override(scenario: Scenario, diagnostic: Diagnostic) -> RatingOverride:
    """How a built-in rating counts in a scenario: weight 1 and applicable unless it says otherwise."""
    return scenario.ratings.get(diagnostic, RatingOverride())


def pillar_criteria(scenario: Scenario, pillar: Pillar) -> tuple[Criterion, ...]:
    """The criteria of one pillar, in the scenario's order."""
    return tuple(criterion for criterion in scenario.criteria if criterion.diagnostic.pillar is pillar)


def _criteria(scenario: Scenario, pillar: Pillar) -> tuple[CriterionView, ...]:
    return tuple(
        CriterionView(
            id=criterion.id,
            diagnostic=criterion.diagnostic,
            statement=criterion.statement,
            anchors=criterion.anchors,
            excerpts=criterion.excerpts,
        )
        for criterion in pillar_criteria(scenario, pillar)
    )


def _messages(trace: Trace) -> tuple[MessageView, ...]:
    turns = {turn.turn: turn for turn in trace.caller_turns}
    seen: set[int] = set()
    views = []
    for message in trace.messages:
        if message.role is Role.SYSTEM:
            continue
        turn = None if message.caller_turn is None or message.caller_turn in seen else turns.get(message.caller_turn)
        if turn is not None:
            seen.add(turn.turn)
        views.append(
            MessageView(
                index=message.index,
                role=message.role,
                content=message.content,
                intended=None if turn is None else turn.intended,
                events=() if turn is None else turn.events,
                turn=message.caller_turn,
            )
        )
    return tuple(views)


def _calls(trace: Trace) -> tuple[CallView, ...]:
    return tuple(_call(event) for event in trace.tool_events)


def _call(event: ToolEvent) -> CallView:
    return CallView(
        tool=event.tool,
        arguments=event.raw_arguments if event.arguments is None else event.arguments,
        result=event.result,
        message=event.message,
        result_message=event.result_message,
        ended_call=event.ended_call,
        refused=event.outcome in REFUSED,
    )
