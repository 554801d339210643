"""Audits of the names inside one file: ids are unique, and no key or step id is a word the caller might say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.schemas.base import Diagnostic
from core.schemas.bundle import Agent
from core.schemas.scenario import Scenario

Finding = tuple[str, str]


def audit_tool_names(agent: Agent) -> Iterator[Finding]:
    """Every tool name used twice."""
    yield from _repeated((f"tools[{number}].name", tool.name) for number, tool in enumerate(agent.tools))


def audit_names(scenario: Scenario) -> Iterator[Finding]:
    """Every id used twice, and every fact key or step id that could be said by accident."""
    brief, channel = scenario.caller, scenario.channel
    steps = [(f"caller.plan[{number}].id", step.id) for number, step in enumerate(brief.plan)]
    yield from _repeated(steps)
    yield from _repeated(
        [
            *((f"expected[{number}].id", action.id) for number, action in enumerate(scenario.expected)),
            *((f"expected_state[{number}].id", item.id) for number, item in enumerate(scenario.expected_state)),
        ]
    )
    yield from _repeated((f"criteria[{number}].id", criterion.id) for number, criterion in enumerate(scenario.criteria))
    yield from _repeated((f"channel.asr_events[{number}].id", event.id) for number, event in enumerate(channel.asr_events))
    for number, criterion in enumerate(scenario.criteria):
        if criterion.id in tuple(Diagnostic):
            yield f"criteria[{number}].id", f"{criterion.id!r} is the name of a built-in diagnostic: choose another id"
    for where, name in [*((f"caller.facts.{key}", key) for key in brief.facts), *steps]:
        if not re.search(r"[_0-9]", name):
            yield where, f"{name!r} could be said by accident: fact keys and step ids need an underscore or a digit"


def _repeated(names: Iterable[Finding]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for where, name in names:
        if name in first:
            yield where, f"{name!r} is taken by {first[name]}"
        first.setdefault(name, where)
