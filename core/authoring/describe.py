"""One agent or one scenario of a bundle as a person reads it, without the file's syntax."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from core.matchers.evaluate import describe
from core.matchers.references import References
from core.schemas.base import canonical_json
from core.schemas.bundle import Agent
from core.schemas.matchers import MatcherSet
from core.schemas.scenario import Brief, ChannelProgram, Criterion, ExpectedAction, Fixture, Place, Scenario

WIDTH = 110
"""Columns that prose is broken at."""


def describe_agent(agent: Agent, template: str, scenarios: Mapping[str, Scenario]) -> str:
    """Who the agent is, its tools with their parameters, and its calls."""
    head = (
        f"agent {agent.id}: {agent.name}\n{agent.domain}, {agent.direction.value}, {len(template):,} characters of instructions"
    )
    lines = [head + (f", variables {', '.join(agent.variables)}" if agent.variables else ""), "", "tools"]
    for tool in agent.tools:
        ends = f"  [ends the call: {_matchers(tool.success or {}, None)}]" if tool.ends_call else ""
        lines += [f"  {tool.name}{ends}", *_wrapped(tool.description, 4)]
        required = tool.parameters.get("required")
        properties = tool.parameters.get("properties")
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            optional = "" if isinstance(required, list) and name in required else " (optional)"
            lines += _wrapped(f"{name}{optional}: {_schema(schema)}", 6)
    own = [scenario for scenario in scenarios.values() if scenario.agent == agent.id]
    lines += ["", "scenarios", *(f"  {item.id}  {item.language} {item.difficulty.value}  {item.title}" for item in own)]
    return "\n".join(lines)


def describe_scenario(scenario: Scenario, agent: Agent) -> str:
    """What the caller knows and plans, what the tools answer, what the line does, and what is graded."""
    references = References.of(scenario)
    tags = f", {', '.join(scenario.tags)}" if scenario.tags else ""
    head = f"scenario {scenario.id}: {scenario.title}\n{scenario.language} ({scenario.script}), {scenario.difficulty.value}{tags}"
    parts = [
        [head, f"with {agent.name} ({agent.id})", "", "goal", *_wrapped(scenario.goal, 2)],
        ["caller", *_brief(scenario.caller)],
        [
            "tools answer",
            *([f"  by {scenario.backend.program}, code of the bundle"] if scenario.backend.program else []),
            *(line for name, fixture in scenario.backend.fixtures.items() for line in _fixture(name, fixture, references)),
        ],
        ["line", *(_channel(scenario.channel) or ["  as it is"])],
        ["expected", *([line for action in scenario.expected for line in _action(action, references)] or ["  no tool calls"])],
        *(
            [["expected state", *(f"  {item.id}: {item.path} is {describe(item.matcher, references)}" for item in states)]]
            if (states := scenario.expected_state)
            else []
        ),
        ["criteria", *([line for item in scenario.criteria for line in _criterion(item)] or ["  the built-in ratings alone"])],
    ]
    if scenario.backend.state:
        parts.insert(2, ["hidden state", *(f"  {key}: {_json(value)}" for key, value in scenario.backend.state.items())])
    return "\n\n".join("\n".join(part) for part in parts)


def _brief(brief: Brief) -> Iterator[str]:
    yield from _wrapped(brief.context, 2)
    yield from _wrapped(brief.reason, 2)
    yield f"  now {brief.now}"
    yield from (f"  knows {key} = {_json(fact.value)} ({fact.kind.value})" for key, fact in brief.facts.items())
    yield from (f"  does not know {item}" for item in brief.unknown)
    for place, step in enumerate(brief.plan, 1):
        yield from _wrapped(f"{place}. {step.id}: when: {step.trigger} then: {step.meaning}", 2)


def _fixture(name: str, fixture: Fixture, references: References) -> Iterator[str]:
    yield f"  {name}"
    for place, entry in enumerate(fixture.queue, 1):
        yield from _wrapped(f"{place}. {_matchers(entry.args, references)} -> {_json(entry.result)}", 4)
        yield from _wrapped(f"else {_json(entry.mismatch)}", 7)
    yield from _wrapped(f"{'then' if fixture.queue else 'always'} {_json(fixture.default)}", 4)


def _channel(channel: ChannelProgram) -> list[str]:
    events = [
        f"  {event.id}: {event.kind.value} {event.span!r} {_place(event.at)}" + (f" with {event.with_!r}" if event.with_ else "")
        for event in channel.asr_events
    ]
    splits = [
        f"  pause {'inside' if split.inside else 'after'} {split.inside or split.after!r} {_place(split.at)}"
        for split in channel.splits
    ]
    breaks = [f"  interrupts after {item.after_ms} ms {_place(item)}" for item in channel.interruptions]
    return [*events, *splits, *breaks, *(["  one word of the first turn changes, by seed"] if channel.seeded_word else [])]


def _action(action: ExpectedAction, references: References) -> list[str]:
    calls = "must not be called" if action.forbidden else f"{action.calls.min} to {action.calls.max} calls"
    after = f", after {', '.join(action.after)}" if action.after else ""
    head = f"{action.id}: {action.tool} {calls}{after}; importance {action.importance}, {action.diagnostic.value}"
    return [*_wrapped(head, 2), *(_wrapped(_matchers(action.args, references), 6) if action.args else [])]


def _criterion(criterion: Criterion) -> list[str]:
    decided = "decided by a program" if criterion.check else "decided by a judge"
    head = f"{criterion.id}: {criterion.statement} (importance {criterion.importance}, {criterion.diagnostic.value}, {decided})"
    anchors = (("met", criterion.anchors.met), ("partial", criterion.anchors.partial), ("not met", criterion.anchors.not_met))
    quotes = [line for excerpt in criterion.excerpts for line in _wrapped(f"rests on: {excerpt.text!r}", 6)]
    return [*_wrapped(head, 2), *(line for name, text in anchors for line in _wrapped(f"{name}: {text}", 6)), *quotes]


def _place(place: Place) -> str:
    return f"in caller turn {place.turn}" if place.turn is not None else f"in step {place.step}"


def _matchers(args: MatcherSet, references: References | None) -> str:
    """Matchers in words; without a scenario there is nothing they could refer to."""
    found = references or References(facts={}, state={})
    return ", ".join(f"{name} {describe(matcher, found)}" for name, matcher in args.items()) or "any arguments"


def _schema(schema: JsonValue) -> str:
    if not isinstance(schema, dict):
        return _json(schema)
    rest = {key: value for key, value in schema.items() if key not in ("type", "description")}
    kind = schema.get("type")
    told = f"; {schema['description']}" if "description" in schema else ""
    return f"{kind if isinstance(kind, str) else _json(kind)}{f' {_json(rest)}' if rest else ''}{told}"


def _json(value: JsonValue) -> str:
    return canonical_json(value).decode()


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2),
        break_on_hyphens=False,
        break_long_words=False,
    )
