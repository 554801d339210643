"""Which misheard fact broke which action.

An action that was not met, or only partly, is put down to a misheard fact in three ways only:

1. an argument of its call carries a value that was heard but not said;
2. an argument that should carry the fact is missing, or holds another fact in its stead, and the fact never arrived whole
   while the agent was there;
3. it must come after an action that was broken so, and was not done, or too early, for that reason alone.

Everything else may have other causes and is not attributed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from core.hearing import KnownValue
from core.jsonvalues import leaves
from core.matchers.evaluate import match_arguments
from core.matchers.references import References, references_in
from core.runs.hearing import TurnValues
from core.schemas.base import Condition
from core.schemas.call_trace import EndReason, ToolEvent, Trace
from core.schemas.grade import Grade, Item, Label, Source
from core.schemas.matchers import Equals, Matcher
from core.schemas.run import Attribution
from core.schemas.scenario import ExpectedAction, Scenario
from core.spoken import Kind, Value, read, same_value
from core.text import normalise

_UNREAD = (Kind.TEXT, Kind.CHOICE, Kind.NAME)
"""Kinds of which a sentence does not show where another value begins."""
_GONE = (EndReason.AGENT_DISCONNECTED, EndReason.PROTOCOL_ERROR, EndReason.AGENT_IDLE)
"""The agent left before it could do what is missing."""


@dataclass(frozen=True)
class _Misheard:
    """A fact that one turn carried otherwise than it was said."""

    turn: TurnValues
    value: KnownValue
    forms: tuple[Value, ...]
    """What a listener could take for it: the words in its place, and values of its kind that were heard and not said."""


def attribute(case: str, trace: Trace, grade: Grade, scenario: Scenario, turns: tuple[TurnValues, ...]) -> list[Attribution]:
    """Every broken action of a case with each misheard fact that broke it; empty under `text`.

    Actions come in the order of the grade, those that follow from them last; the facts of one action from the last turn back.
    """
    if trace.header.condition is Condition.TEXT:
        return []
    return _Attributor(case, trace, scenario, turns).all_of(grade)


class _Attributor:
    """One case, looked at for what hearing broke."""

    def __init__(self, case: str, trace: Trace, scenario: Scenario, turns: tuple[TurnValues, ...]) -> None:
        self._case, self._trace, self._scenario = case, trace, scenario
        self._references = References.of(scenario)
        self._misheard = [found for turn in turns for found in _misheard_in(turn, scenario)]
        said = {(turn.turn.turn, value.key) for turn in turns for value in _own_values(turn)}
        bad = {(each.turn.turn.turn, each.value.key) for each in self._misheard}
        self._arrived = {key for turn, key in said - bad}

    def all_of(self, grade: Grade) -> list[Attribution]:
        """Every attribution of the case."""
        actions = {action.id: action for action in self._scenario.expected}
        broken = {
            item.id: item
            for item in grade.items
            if item.source is Source.ACTION and item.label in (Label.NOT_MET, Label.PARTIAL) and item.id in actions
        }
        found = {name: list(self._of_action(item, actions[name])) for name, item in broken.items()}
        own = [each for entries in found.values() for each in entries]
        return own + self._following(broken, actions, own)

    def _of_action(self, item: Item, action: ExpectedAction) -> Iterator[Attribution]:
        """The misheard facts that the action's own call shows, or lacks."""
        closest = [self._trace.tool_events[index] for index in item.tool_events]
        tried = [event for event in self._trace.tool_events if event.tool == action.tool and event not in closest]
        done: set[str] = set()
        for misheard in reversed(self._misheard):
            key = misheard.value.key
            if key in done:
                continue
            # a fact that arrived later makes earlier calls without it past; else what they carried broke the action too
            carried = self._first_carrier(closest if key in self._arrived else closest + tried, action, misheard)
            if carried is None and not self._never_came(closest, action, key):
                continue
            event, form = carried or (closest[-1] if closest else None, misheard.value.heard or "")
            done.add(key)
            yield self._attribution(item.id, misheard, form, event)

    def _following(
        self, broken: Mapping[str, Item], actions: Mapping[str, ExpectedAction], own: Sequence[Attribution]
    ) -> list[Attribution]:
        """Broken actions that had to wait for a broken one, however far back, with the facts that broke that one."""
        known = {(each.action, each.fact) for each in own}
        found: list[Attribution] = []
        fresh = list(own)
        while fresh:
            later = [
                cause.model_copy(update={"action": name, "through": cause.action})
                for name, item in broken.items()
                for cause in fresh
                if cause.action in actions[name].after and self._waited(item)
            ]
            fresh = list({(each.action, each.fact): each for each in later if (each.action, each.fact) not in known}.values())
            known |= {(each.action, each.fact) for each in fresh}
            found += fresh
        return found

    def _waited(self, item: Item) -> bool:
        """Whether the action was not tried, or only its order or count is wrong: a wrong call of its own is another cause."""
        return item.label is Label.PARTIAL or (not item.tool_events and self._trace.end not in _GONE)

    def _first_carrier(
        self, events: Sequence[ToolEvent], action: ExpectedAction, misheard: _Misheard
    ) -> tuple[ToolEvent, str] | None:
        """The first call that carries what was heard in the fact's place, and the form it carries."""
        for event in events:
            form = self._carried(event, action, misheard)
            if form is not None:
                return event, form
        return None

    def _carried(self, event: ToolEvent, action: ExpectedAction, misheard: _Misheard) -> str | None:
        """The form, where a wrong argument of a later call carries it."""
        if event.arguments is None or event.message < misheard.turn.turn.heard[0].message:
            return None
        results = match_arguments(action.args, event.arguments, self._references, action.extra)
        wrong = {result.argument for result in results if not result.ok} or event.arguments.keys()
        sent = [leaf for name in event.arguments if name in wrong for leaf in leaves(event.arguments[name]) if leaf is not None]
        kind, fact = misheard.value.kind, self._scenario.caller.facts[misheard.value.key].value
        for form in misheard.forms:
            if any(self._equal(argument, form, kind) and not self._equal(argument, fact, kind) for argument in sent):
                return str(form)
        return None

    def _never_came(self, events: Sequence[ToolEvent], action: ExpectedAction, key: str) -> bool:
        """Whether the closest call, if there is one, leaves out an argument that should carry a fact that never arrived whole."""
        if key in self._arrived or (not events and self._trace.end in _GONE):
            return False
        arguments = (events[-1].arguments or {}) if events else {}
        return any(
            self._wants(matcher, key) and self._stands_in(arguments.get(name), key) for name, matcher in action.args.items()
        )

    def _stands_in(self, argument: JsonValue, key: str) -> bool:
        """Whether an argument is empty, or holds another of the caller's facts."""
        others = [fact for name, fact in self._scenario.caller.facts.items() if name != key and fact.kind is not Kind.YES_NO]
        return argument in (None, "") or any(self._equal(argument, fact.value, fact.kind) for fact in others)

    def _wants(self, matcher: Matcher, key: str) -> bool:
        """Whether a matcher wants the fact, by reference or by its value."""
        named = references_in(matcher.model_dump(mode="json", by_alias=True))
        if any(self._references.fact_key(reference) == key for reference in named):
            return True
        fact = self._scenario.caller.facts[key]
        return isinstance(matcher, Equals) and not isinstance(fact.value, bool) and matcher.equals == fact.value

    def _equal(self, argument: JsonValue, form: object, kind: Kind) -> bool:
        if same_value(argument, form, kind, self._scenario.language):
            return True
        a, b = _compact(str(argument)), _compact(str(form))
        return bool(a) and a == b

    def _attribution(self, action: str, misheard: _Misheard, form: str, event: ToolEvent | None) -> Attribution:
        message = _message_of(misheard.turn, form)
        clips = self._trace.recording.clips if self._trace.recording is not None else {}
        clip = next((name for name in clips if name.isdecimal() and int(name) == message), None)
        return Attribution(
            case=self._case,
            fact=misheard.value.key,
            said=misheard.value.said,
            heard=form,
            action=action,
            turn=misheard.turn.turn.turn,
            message=message,
            clip=None if clip is None else f"clips/{clip}.flac",
            clip_sha256=None if clip is None else clips[clip],
            tool_event=None if event is None else event.index,
            tool_message=None if event is None else event.message,
        )


def _misheard_in(turn: TurnValues, scenario: Scenario) -> Iterator[_Misheard]:
    """Every fact of a turn that did not survive, or beside which a listener reads a value that nobody said."""
    for value in _own_values(turn) if turn.heard != turn.turn.intended else ():
        strange = _unsaid_values(turn, value.kind, scenario)
        if strange or not value.survived:
            words = () if value.heard is None or value.survived else (value.heard,)
            yield _Misheard(turn, value, (*words, *strange))


def _own_values(turn: TurnValues) -> list[KnownValue]:
    """The facts said in a turn, but for those that are a part of another one, such as a surname in an address."""

    def within(value: KnownValue, other: KnownValue) -> bool:
        address = other.kind is Kind.EMAIL and value.kind is not Kind.EMAIL
        return value.said in other.said and (address or value.said != other.said)

    return [value for value in turn.values if not any(within(value, other) for other in turn.values)]


def _unsaid_values(turn: TurnValues, kind: Kind, scenario: Scenario) -> tuple[Value, ...]:
    """Values of the kind that can be read out of what was heard, and more of them than out of what was said."""
    if kind in _UNREAD:
        return ()
    now = datetime.fromisoformat(scenario.caller.now)
    heard, said = (
        [reading.value for reading in read(text, kind, language=scenario.language, now=now)]
        for text in (turn.heard, turn.turn.intended)
    )
    return tuple(value for number, value in enumerate(heard) if heard[: number + 1].count(value) > said.count(value))


def _compact(text: str) -> str:
    return normalise(text, "generic-v1").replace(" ", "")


def _message_of(turn: TurnValues, form: str) -> int:
    """The fragment that carried the damage, the first of the turn where it cannot be told."""
    wanted = _compact(form)
    for fragment in turn.turn.heard:
        if wanted and wanted in _compact(fragment.text):
            return fragment.message
    return turn.turn.heard[0].message
