"""Expected actions, graded by program from the trace.

Calls are given to actions one to one, so that the total is the highest that they allow: see `core/grading/counting.py`. Calls
whose arguments could not be parsed match nothing; calls to unknown tools or past the chain limit are no calls at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.grading.building import REFUSED
from core.grading.counting import Want, choose
from core.matchers.evaluate import match_arguments
from core.matchers.references import References
from core.schemas.call_trace import MatcherResult, ToolEvent, Trace
from core.schemas.grade import LABEL_VALUE, Item, Label, Source, Status
from core.schemas.scenario import ExpectedAction, Scenario


def grade_actions(trace: Trace, scenario: Scenario) -> tuple[Item, ...]:
    """One item per expected or forbidden action, in the scenario's order."""
    references = References.of(scenario)
    wanted = [action for action in scenario.expected if not action.forbidden]
    counted = count_calls(wanted, trace.tool_events, references)
    taken = {event: action for action, calls in counted.items() for event in calls}
    items = []
    for action in scenario.expected:
        if action.forbidden:
            items.append(_forbidden(action, trace.tool_events, references))
        elif counted[action.id] or action.calls.min == 0:
            items.append(_counted(action, trace.tool_events, counted))
        else:
            items.append(_not_met(action, trace.tool_events, references, taken))
    return tuple(items)


def count_calls(
    actions: Sequence[ExpectedAction], events: Sequence[ToolEvent], references: References
) -> dict[str, tuple[int, ...]]:
    """Action id to the indices of the tool events that count for it, each event counting for at most one action."""
    wants = [
        Want(
            action.id,
            tuple(_fitting(action, events, references)),
            action.calls.min,
            action.calls.max,
            action.importance,
            action.after,
        )
        for action in actions
    ]
    return choose(wants)


def closest_call(
    action: ExpectedAction, events: Sequence[ToolEvent], references: References
) -> tuple[ToolEvent, tuple[MatcherResult, ...]] | None:
    """The parsed call to the action's tool that satisfies most of its matchers, the latest of equals, with every result."""
    best: tuple[ToolEvent, tuple[MatcherResult, ...]] | None = None
    for event in _calls_to(action.tool, events):
        if event.arguments is None:
            continue
        results = match_arguments(action.args, event.arguments, references, action.extra)
        if best is None or sum(r.ok for r in results) >= sum(r.ok for r in best[1]):
            best = (event, results)
    return best


def _calls_to(tool: str, events: Sequence[ToolEvent]) -> list[ToolEvent]:
    return [event for event in events if event.tool == tool and event.outcome not in REFUSED]


def _fitting(action: ExpectedAction, events: Sequence[ToolEvent], references: References) -> list[int]:
    return [
        event.index
        for event in _calls_to(action.tool, events)
        if event.arguments is not None
        and all(r.ok for r in match_arguments(action.args, event.arguments, references, action.extra))
    ]


def _counted(action: ExpectedAction, events: Sequence[ToolEvent], counted: dict[str, tuple[int, ...]]) -> Item:
    mine = counted[action.id]
    faults = []
    if not action.calls.min <= len(mine) <= action.calls.max:
        faults.append(f"{_number(len(mine))}, expected {_span(action)}")
    for name in action.after if mine else ():
        first = counted.get(name, ())
        if not first:
            faults.append(f"{name!r}, which must come before it, did not happen")
        elif first[0] >= mine[0]:
            faults.append(f"it came before {name!r}, which must come first")
    label = Label.PARTIAL if faults else Label.MET
    reason = "; ".join(faults) or (_number(len(mine)) + (", in order" if action.after and mine else ""))
    return _item(action, label, reason, [events[index] for index in mine])


def _not_met(action: ExpectedAction, events: Sequence[ToolEvent], references: References, taken: dict[int, str]) -> Item:
    closest = closest_call(action, events, references)
    if closest is None:
        calls = _calls_to(action.tool, events)
        reason = f"no call to {action.tool!r}"
        if calls:
            reason = f"the call to {action.tool!r} could not be parsed: {calls[-1].parse_error}"
        elif any(event.tool == action.tool for event in events):
            reason = f"the call to {action.tool!r} came past the chain limit and was not carried out"
        return _item(action, Label.NOT_MET, reason, calls[-1:])
    event, results = closest
    wrong = [f"{result.argument}: {result.reason}" for result in results if not result.ok]
    reason = f"closest call is tool event {event.index}: {'; '.join(wrong)}"
    if not wrong:
        reason = f"tool event {event.index} fits but counts for {taken[event.index]!r}"
    return _item(action, Label.NOT_MET, reason, [event], results)


def _forbidden(action: ExpectedAction, events: Sequence[ToolEvent], references: References) -> Item:
    found = [events[index] for index in _fitting(action, events, references)]
    if not found:
        return _item(action, Label.MET, f"no forbidden call to {action.tool!r}", [])
    return _item(action, Label.NOT_MET, f"forbidden: {_number(len(found))} of {action.tool!r}", found)


def _item(
    action: ExpectedAction,
    label: Label,
    reason: str,
    events: Sequence[ToolEvent],
    matchers: tuple[MatcherResult, ...] = (),
) -> Item:
    return Item(
        id=action.id,
        source=Source.ACTION,
        diagnostic=action.diagnostic,
        importance=action.importance,
        status=Status.SCORED,
        label=label,
        value=LABEL_VALUE[label],
        reason=reason,
        evidence=tuple(sorted({index for event in events for index in (event.message, event.result_message)})),
        tool_events=tuple(event.index for event in events),
        matchers=matchers,
    )


def _number(count: int) -> str:
    return f"{count} matching call{'' if count == 1 else 's'}"


def _span(action: ExpectedAction) -> str:
    low, high = action.calls.min, action.calls.max
    return str(low) if low == high else f"{low} to {high}"
