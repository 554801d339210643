"""Audits of one scenario against its agent: references, types, order, prompt, isolation, script, caller help."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from core.audits.arguments import audit_arguments, audit_options, satisfiable
from core.audits.isolation import audit_isolation
from core.audits.names import audit_names
from core.audits.patterns import pattern_fault
from core.audits.walk import check_matchers, matchers_in, nested, rules_in, values_of
from core.authored import MAX_FRAGMENTS
from core.errors import InputError, UsageError
from core.matchers.references import References, UnresolvedReference, references_in
from core.prompt import render_prompt
from core.schemas.base import CONVERSATION_DIAGNOSTICS, Diagnostic, sha256
from core.schemas.bundle import Agent
from core.schemas.checks import AskedTimes, Called, CheckRule, ResultCheck, Said
from core.schemas.matchers import Matcher, MatcherSet, Range, Regex
from core.schemas.scenario import ExpectedAction, Interruption, Scenario
from core.scripts import scripts_of
from core.spoken import canonical
from core.text import script_share

Finding = tuple[str, str]


def audit_scenario(scenario: Scenario, agent: Agent, template: str) -> Iterator[Finding]:
    """Every fault of a scenario."""
    references = References.of(scenario)
    yield from audit_names(scenario)
    yield from _audit_script(scenario)
    yield from _audit_facts(scenario)
    yield from _audit_variables(scenario, agent)
    yield from _audit_fixtures(scenario, agent, references)
    yield from _audit_actions(scenario, agent, references)
    yield from _audit_states(scenario, references)
    yield from _audit_criteria(scenario, agent, references, template)
    yield from _audit_channel(scenario, references)
    yield from _audit_offline(scenario, agent)
    yield from audit_isolation(scenario, agent)


def _audit_script(scenario: Scenario) -> Iterator[Finding]:
    try:
        script_share("", scenario.script)
    except UsageError as error:
        yield "script", str(error)
        return
    allowed = scripts_of(scenario.language)
    if allowed and scenario.script not in allowed:
        yield "script", f"{scenario.script!r} contradicts language {scenario.language!r}, written in {' or '.join(allowed)}"


def _audit_facts(scenario: Scenario) -> Iterator[Finding]:
    """Lines find facts in speech by their kind, so each value must be one of its kind."""
    for key, fact in scenario.caller.facts.items():
        try:
            canonical(fact.value, fact.kind, scenario.language)
        except InputError as error:
            yield f"caller.facts.{key}.value", str(error)


def _audit_variables(scenario: Scenario, agent: Agent) -> Iterator[Finding]:
    for name in sorted(set(agent.variables) - set(scenario.variables)):
        yield "variables", f"no value for the agent's variable {name!r}"
    for name in sorted(set(scenario.variables) - set(agent.variables)):
        yield "variables", f"{name!r} is no variable of agent {agent.id!r}; variables: {', '.join(agent.variables) or 'none'}"


def _audit_matchers(args: MatcherSet, references: References, path: str) -> Iterator[Finding]:
    for where, matcher in matchers_in(args, path):
        yield from _audit_matcher(matcher, references, where)


def _audit_matcher(matcher: Matcher, references: References, where: str) -> Iterator[Finding]:
    if isinstance(matcher, Range):
        yield from _audit_range(matcher, references, where)
    if isinstance(matcher, Regex) and (fault := pattern_fault(matcher.regex)):
        yield f"{where}.regex", fault
    for reference in references_in(values_of(matcher)):
        try:
            references.resolve(reference)
        except UnresolvedReference as error:
            yield where, str(error)
            return
    yield from audit_options(matcher, references, where)
    if isinstance(matcher, Range):
        for end in values_of(matcher):
            if isinstance(references.resolve(end), bool) or not isinstance(references.resolve(end), int | float):
                yield f"{where}.range", f"{end!r} is no number, so nothing can be in this range"


def _audit_range(matcher: Range, references: References, where: str) -> Iterator[Finding]:
    for name, end in (("min", matcher.range.min), ("max", matcher.range.max)):
        try:
            resolved = references.resolve(end) if isinstance(end, str) else end
        except UnresolvedReference:
            continue
        if resolved is not None and (isinstance(resolved, bool) or not isinstance(resolved, int | float)):
            yield f"{where}.range.{name}", f"an end of a range is a number, found {resolved!r}"


def _audit_fixtures(scenario: Scenario, agent: Agent, references: References) -> Iterator[Finding]:
    fixtures, program = scenario.backend.fixtures, scenario.backend.program
    if program is not None and fixtures:
        yield "backend.fixtures", f"the program {program!r} answers the tools: leave out the fixtures"
    for tool in agent.tools:
        if tool.name not in fixtures and program is None:
            yield "backend.fixtures", f"no fixture for tool {tool.name!r}"
    for name, fixture in fixtures.items():
        path = f"backend.fixtures.{name}"
        fixture_tool = agent.tool(name)
        if fixture_tool is None:
            yield path, _no_tool(name, agent)
        for number, entry in enumerate(fixture.queue):
            where = f"{path}.queue[{number}]"
            yield from _audit_matchers(entry.args, references, f"{where}.args")
            if fixture_tool is not None:
                yield from audit_arguments(fixture_tool, entry.args, references, f"{where}.args", entry.extra)
            for argument, matcher in entry.args.items():
                if not satisfiable(matcher, references):
                    yield f"{where}.args.{argument}", "no argument can match: the entry can never give its result"
            for part, result in (("result", entry.result), ("mismatch", entry.mismatch)):
                yield from _audit_result(result, references, f"{where}.{part}")
        yield from _audit_result(fixture.default, references, f"{path}.default")


def _audit_result(result: dict[str, JsonValue], references: References, path: str) -> Iterator[Finding]:
    for reference in references_in(result):
        try:
            references.resolve(reference)
        except UnresolvedReference as error:
            yield path, str(error)


def _audit_actions(scenario: Scenario, agent: Agent, references: References) -> Iterator[Finding]:
    known = {action.id for action in scenario.expected}
    for number, action in enumerate(scenario.expected):
        path = f"expected[{number}]"
        if action.diagnostic in CONVERSATION_DIAGNOSTICS:
            yield f"{path}.diagnostic", f"an action feeds a task diagnostic, not {action.diagnostic.value!r}"
        tool = agent.tool(action.tool)
        if tool is None:
            yield f"{path}.tool", _no_tool(action.tool, agent)
        else:
            yield from audit_arguments(tool, action.args, references, f"{path}.args", action.extra)
        yield from _audit_matchers(action.args, references, f"{path}.args")
        for argument, matcher in action.args.items():
            if not satisfiable(matcher, references):
                yield f"{path}.args.{argument}", "no argument can match: no call can ever be this action"
        for other in action.after:
            if other not in known:
                yield f"{path}.after", f"no action {other!r}; actions: {', '.join(sorted(known))}"
    cycle = _cycle(scenario.expected)
    if cycle:
        yield "expected", f"the order of actions goes in a circle: {' after '.join(cycle)}"


def _audit_states(scenario: Scenario, references: References) -> Iterator[Finding]:
    for number, expected in enumerate(scenario.expected_state):
        path = f"expected_state[{number}]"
        if scenario.backend.program is None:
            yield path, "fixtures change no state: only a backend program does"
        if expected.diagnostic in CONVERSATION_DIAGNOSTICS:
            yield f"{path}.diagnostic", f"a state feeds a task diagnostic, not {expected.diagnostic.value!r}"
        for where, matcher in nested(expected.matcher, f"{path}.matcher"):
            yield from _audit_matcher(matcher, references, where)
        if not satisfiable(expected.matcher, references):
            yield f"{path}.matcher", "no value can match: no call can ever bring about this state"


def _cycle(actions: Sequence[ExpectedAction]) -> list[str]:
    after = {action.id: action.after for action in actions}
    finished: set[str] = set()

    def visit(node: str, path: list[str]) -> list[str]:
        """The circle reached from a node, or nothing."""
        if node in path:
            return [*path[path.index(node) :], node]
        if node in finished or node not in after:
            return []
        for other in after[node]:
            if found := visit(other, [*path, node]):
                return found
        finished.add(node)
        return []

    for action in actions:
        if found := visit(action.id, []):
            return found
    return []


def _audit_criteria(scenario: Scenario, agent: Agent, references: References, template: str) -> Iterator[Finding]:
    prompt = render_prompt(template, scenario.variables)
    prompt_hash = sha256(prompt)
    for diagnostic in scenario.ratings:
        if diagnostic not in CONVERSATION_DIAGNOSTICS:
            yield f"ratings.{diagnostic.value}", f"ratings are for conversation diagnostics, not {diagnostic.value!r}"
    for number, criterion in enumerate(scenario.criteria):
        path = f"criteria[{number}]"
        if criterion.diagnostic is Diagnostic.RULES and not criterion.excerpts:
            yield f"{path}.excerpts", "a `rules` criterion needs an excerpt of the instructions it rests on"
        for place, excerpt in enumerate(criterion.excerpts):
            where = f"{path}.excerpts[{place}]"
            if excerpt.text not in prompt:
                yield f"{where}.text", f"not in the rendered prompt: {_short(excerpt.text)!r}"
            if excerpt.prompt_sha256 != prompt_hash:
                yield f"{where}.prompt_sha256", f"the rendered prompt's hash is {prompt_hash}"
        if criterion.check is None:
            continue
        check = criterion.check
        for name, rule in (("applies", check.applies), ("met", check.met), ("partial", check.partial)):
            if rule is not None:
                for where, single in rules_in(rule, f"{path}.check.{name}"):
                    yield from _audit_rule(single, where, scenario, agent, references)


def _audit_rule(rule: CheckRule, path: str, scenario: Scenario, agent: Agent, references: References) -> Iterator[Finding]:
    for where, matcher in check_matchers(rule, path):
        yield from _audit_matcher(matcher, references, where)
    tools: list[tuple[str, str]] = []
    match rule:
        case Said():
            for name, moment in (("before", rule.said.before), ("after", rule.said.after)):
                if moment is not None and moment.tool is not None:
                    tools.append((f"{path}.said.{name}.tool", moment.tool))
        case Called():
            tools.append((f"{path}.called.tool", rule.called.tool))
            tool = agent.tool(rule.called.tool)
            if tool is not None:
                yield from audit_arguments(tool, rule.called.args, references, f"{path}.called.args")
        case ResultCheck():
            tools.append((f"{path}.result.tool", rule.result.tool))
        case AskedTimes() if rule.asked_times.fact not in scenario.caller.facts:
            yield f"{path}.asked_times.fact", f"no known fact {rule.asked_times.fact!r}"
    for where, tool_name in tools:
        if agent.tool(tool_name) is None:
            yield where, _no_tool(tool_name, agent)


def _audit_channel(scenario: Scenario, references: References) -> Iterator[Finding]:
    channel = scenario.channel
    steps = {step.id for step in scenario.caller.plan}
    places = [
        *((f"channel.asr_events[{n}]", event.at, event.span) for n, event in enumerate(channel.asr_events)),
        *((f"channel.splits[{n}]", split.at, split.inside or split.after or "") for n, split in enumerate(channel.splits)),
        *((f"channel.interruptions[{n}]", item, "") for n, item in enumerate(channel.interruptions)),
    ]
    if channel.seeded_word and channel.asr_events:
        yield "channel.seeded_word", "only for scenarios without asr_events"
    for number, split in enumerate(channel.splits):
        if [earlier.at for earlier in channel.splits[:number]].count(split.at) >= MAX_FRAGMENTS - 1:
            yield f"channel.splits[{number}]", "a turn splits into at most three messages: at most two splits at one place"
    for path, place, span in places:
        if place.step is not None and place.step not in steps:
            field = f"{path}.step" if isinstance(place, Interruption) else f"{path}.at.step"
            yield field, f"no plan step {place.step!r}; steps: {', '.join(sorted(steps))}"
        if span.startswith("$") and references.fact_key(span) is None:
            yield path, f"{span!r} names no known fact; known: {', '.join(sorted(scenario.caller.facts)) or 'none'}"


def _audit_offline(scenario: Scenario, agent: Agent) -> Iterator[Finding]:
    steps = {step.id for step in scenario.caller.plan}
    for name, step in scenario.offline.steps.items():
        path = f"offline.steps.{name}"
        if name not in steps:
            yield path, f"no plan step {name!r}; steps: {', '.join(sorted(steps))}"
        for fact in re.findall(r"\{([^{}]*)\}", step.line):
            if fact not in scenario.caller.facts:
                yield f"{path}.line", f"no known fact {fact!r}; known: {', '.join(sorted(scenario.caller.facts)) or 'none'}"
    for number, turn in enumerate(scenario.offline.agent):
        for place, call in enumerate(turn.calls):
            if agent.tool(call.tool) is None:
                yield f"offline.agent[{number}].calls[{place}].tool", _no_tool(call.tool, agent)


def _no_tool(name: str, agent: Agent) -> str:
    return f"agent {agent.id!r} has no tool {name!r}; tools: {', '.join(tool.name for tool in agent.tools)}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
