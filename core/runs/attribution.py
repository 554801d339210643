"""Which misheard fact broke which action.

An action that was not met, or only partly, is put down to a damaged fact in two ways only: an argument of its closest call
carries the damaged form, or an argument that should carry the fact is missing and the fact never arrived. Everything else
may have other causes and is not attributed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue

from core.errors import UsageError
from core.hearing import KnownValue
from core.jsonvalues import leaves
from core.matchers.references import References, references_in
from core.runs.hearing import TurnValues
from core.schemas.base import Condition
from core.schemas.call_trace import ToolEvent, Trace
from core.schemas.grade import Grade, Item, Label, Source
from core.schemas.matchers import Equals, Matcher
from core.schemas.run import Attribution
from core.schemas.scenario import ExpectedAction, Scenario
from core.spoken import read, same_value
from core.text import normalise


def attribute(case: str, trace: Trace, grade: Grade, scenario: Scenario, turns: tuple[TurnValues, ...]) -> list[Attribution]:
    """Every broken action of a case with the damaged fact that broke it; empty under `text`."""
    if trace.header.condition is Condition.TEXT:
        return []
    damaged = [(turn, value) for turn in turns for value in turn.values if not value.survived]
    actions = {action.id: action for action in scenario.expected}
    found: list[Attribution] = []
    for item in grade.items:
        if item.source is Source.ACTION and item.label in (Label.NOT_MET, Label.PARTIAL) and item.id in actions:
            found.extend(_of_action(case, trace, item, actions[item.id], scenario, turns, damaged))
    return found


def _of_action(
    case: str,
    trace: Trace,
    item: Item,
    action: ExpectedAction,
    scenario: Scenario,
    turns: tuple[TurnValues, ...],
    damaged: list[tuple[TurnValues, KnownValue]],
) -> Iterator[Attribution]:
    events = [trace.tool_events[index] for index in item.tool_events]
    arrived = {value.key for turn in turns for value in turn.values if value.survived}
    done: set[str] = set()
    for turn, value in reversed(damaged):
        if value.key in done:
            continue
        carried = _first_carrier(events, item, turn, value, scenario)
        never_arrived = value.key not in arrived and _lacks(events[-1:], action, value.key, scenario)
        if carried is None and not never_arrived:
            continue
        index, form = carried or (events[-1].index if events else None, value.heard or "")
        done.add(value.key)
        yield Attribution(
            case=case,
            fact=value.key,
            said=value.said,
            heard=form,
            action=item.id,
            message=_message_of(turn, form),
            tool_event=index,
        )


def _first_carrier(
    events: list[ToolEvent], item: Item, turn: TurnValues, value: KnownValue, scenario: Scenario
) -> tuple[int, str] | None:
    """Index of the first call that carries the damaged form, and the form."""
    for event in events:
        form = _carried(event, item, turn, value, scenario)
        if form is not None:
            return event.index, form
    return None


def _carried(event: ToolEvent, item: Item, turn: TurnValues, value: KnownValue, scenario: Scenario) -> str | None:
    """The damaged form, where a wrong argument of a later call carries it."""
    if event.arguments is None or event.message < turn.turn.heard[0].message:
        return None
    wrong = {result.argument for result in item.matchers if not result.ok} or event.arguments.keys()
    sent = [leaf for name in event.arguments if name in wrong for leaf in leaves(event.arguments[name]) if leaf is not None]
    fact = scenario.caller.facts[value.key].value
    for form in _damaged_forms(turn, value, scenario):
        if any(_equal(argument, form, value, scenario) and not _equal(argument, fact, value, scenario) for argument in sent):
            return str(form)
    return None


def _damaged_forms(turn: TurnValues, value: KnownValue, scenario: Scenario) -> list[str | int | float | bool]:
    """What a listener could take for the fact: the words in its place, and every value of its kind read out of the turn."""
    forms: list[str | int | float | bool] = [] if value.heard is None else [value.heard]
    try:
        now = datetime.fromisoformat(scenario.caller.now)
        forms += [reading.value for reading in read(turn.heard, value.kind, language=scenario.language, now=now)]
    except UsageError:
        pass  # a language without spoken forms: the words in its place are all there is
    return forms


def _equal(argument: JsonValue, form: object, value: KnownValue, scenario: Scenario) -> bool:
    try:
        if same_value(argument, form, value.kind, scenario.language):
            return True
    except UsageError:
        pass  # compared as words alone
    a, b = _compact(str(argument)), _compact(str(form))
    return bool(a) and a == b


def _compact(text: str) -> str:
    return normalise(text, "generic-v1").replace(" ", "")


def _lacks(closest: list[ToolEvent], action: ExpectedAction, key: str, scenario: Scenario) -> bool:
    """Whether the closest call, if there is one, leaves out an argument that should carry the fact."""
    arguments = (closest[0].arguments or {}) if closest else {}
    return any(_linked(matcher, key, scenario) and arguments.get(name) in (None, "") for name, matcher in action.args.items())


def _linked(matcher: Matcher, key: str, scenario: Scenario) -> bool:
    """Whether a matcher wants the fact, by reference or by its value."""
    references = References.of(scenario)
    named = references_in(matcher.model_dump(mode="json", by_alias=True))
    if any(references.fact_key(reference) == key for reference in named):
        return True
    fact = scenario.caller.facts[key]
    return isinstance(matcher, Equals) and not isinstance(fact.value, bool) and matcher.equals == fact.value


def _message_of(turn: TurnValues, form: str) -> int:
    """The fragment that carried the damage, the first of the turn where it cannot be told."""
    wanted = _compact(form)
    for fragment in turn.turn.heard:
        if wanted and wanted in _compact(fragment.text):
            return fragment.message
    return turn.turn.heard[0].message
