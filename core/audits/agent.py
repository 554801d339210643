"""Audits of one agent: what its file must keep beyond its schema."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from core.audits.names import audit_tool_names
from core.audits.patterns import pattern_fault
from core.audits.walk import matchers_in, values_of
from core.matchers.references import references_in
from core.prompt import variables_in
from core.schemas.bundle import Agent
from core.schemas.matchers import Regex
from core.schemas.tools import CONCLUDING_MESSAGE, Tool

Finding = tuple[str, str]
"""Field path and reason."""


def audit_agent(agent: Agent, template: str) -> Iterator[Finding]:
    """Every fault of an agent."""
    used, declared = variables_in(template), set(agent.variables)
    for name in sorted(used - declared):
        yield "variables", f"the instructions use {{{{ {name} }}}}, which is not declared: add {name!r}"
    for name in sorted(declared - used):
        yield "variables", f"{name!r} is declared but the instructions never use it"
    if not any(tool.ends_call for tool in agent.tools):
        yield "tools", "no tool ends the call: give one `ends_call: true` and `success`"
    yield from audit_tool_names(agent)
    for number, tool in enumerate(agent.tools):
        for where, reason in _audit_tool(tool):
            yield f"tools[{number}]{where}", reason


def _audit_tool(tool: Tool) -> Iterator[Finding]:
    if tool.ends_call and not tool.success:
        yield "", f"tool {tool.name!r} ends the call but declares no success condition: add `success`"
    if tool.success and not tool.ends_call:
        yield "", f"tool {tool.name!r} has a success condition but does not end the call: set `ends_call: true`"
    for where, matcher in matchers_in(tool.success or {}, ".success"):
        if isinstance(matcher, Regex) and (fault := pattern_fault(matcher.regex)):
            yield f"{where}.regex", fault
        for reference in references_in(values_of(matcher)):
            yield where, f"{reference!r} refers to a scenario, but a success condition holds in all of them: write the value"
    yield from _audit_parameters(tool)


def _audit_parameters(tool: Tool) -> Iterator[Finding]:
    schema = tool.parameters
    if schema.get("type") != "object":
        yield ".parameters.type", f"the parameters of {tool.name!r} must be a JSON Schema of type object"
        return
    properties = schema.get("properties", {})
    if not isinstance(properties, dict):
        yield ".parameters.properties", "properties must be an object"
        return
    required = schema.get("required", [])
    if not isinstance(required, list):
        yield ".parameters.required", "required must be a list of property names"
        required = []
    for name in required:
        if not isinstance(name, str) or name not in properties:
            yield ".parameters.required", f"{name!r} is required but is no property"
    if CONCLUDING_MESSAGE in properties:
        yield ".parameters.properties", f"{CONCLUDING_MESSAGE!r} is reserved: the harness adds it where a model needs it"
    for name, prop in properties.items():
        if not isinstance(prop, dict):
            yield f".parameters.properties.{name}", "a property is a JSON Schema object"
        elif reason := _pattern_reason(prop.get("pattern")):
            yield f".parameters.properties.{name}.pattern", reason


def _pattern_reason(pattern: JsonValue) -> str | None:
    if pattern is None:
        return None
    return pattern_fault(pattern) if isinstance(pattern, str) else "a pattern is a text"
