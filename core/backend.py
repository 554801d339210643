"""What answers a candidate's tool calls. By default every tool has an ordered queue of authored answers.

A queue reacts to what was sent and replays exactly; `core/tool_program.py` has a user's own program answer instead.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from core.matchers.evaluate import match_arguments
from core.matchers.references import References
from core.schemas.base import is_json
from core.schemas.bundle import Agent
from core.schemas.call_trace import MatcherResult, Outcome, StateChange, ToolCall
from core.schemas.scenario import Scenario
from core.schemas.tools import CONCLUDING_MESSAGE, Tool

CHAIN_LIMIT = 10
"""Tool calls a candidate may chain before the caller speaks again."""


@dataclass(frozen=True)
class ParsedArguments:
    """A call's arguments as an object, or why they are none."""

    arguments: dict[str, JsonValue] | None
    """The object, without `concluding_message`; null where parsing failed."""
    error: str | None
    """Why parsing failed."""
    concluding_message: str | None = None
    """The farewell carried by a call-ending tool's reserved parameter."""


@dataclass(frozen=True)
class ToolResult:
    """How the backend answered one call."""

    outcome: Outcome
    """Kind of answer."""
    result: dict[str, JsonValue]
    """The returned object."""
    call_number: int | None = None
    """Which call to this tool it was, from 0."""
    entry: int | None = None
    """Queue entry consulted."""
    matchers: tuple[MatcherResult, ...] = ()
    """Every matcher's result."""
    ended_call: bool = False
    """Whether a call-ending tool succeeded."""


def parse_arguments(call: ToolCall, tool: Tool | None) -> ParsedArguments:
    """Read a call's arguments; text is parsed as JSON, anything but an object is a parse error, never `{}`."""
    value = call.arguments
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=_refuse_constant)
        except json.JSONDecodeError as error:
            return ParsedArguments(None, f"arguments are not valid JSON: {error.msg} at character {error.pos}")
        except ValueError as error:
            return ParsedArguments(None, f"arguments are not valid JSON: {error}")
        except RecursionError:
            return ParsedArguments(None, "arguments are not valid JSON: nested too deeply")
    if not isinstance(value, dict):
        return ParsedArguments(None, f"arguments are {_json_type(value)}, not an object")
    if not is_json(value):
        return ParsedArguments(None, "arguments hold a number or text that JSON cannot carry")
    if tool is not None and tool.ends_call and CONCLUDING_MESSAGE in value:
        rest = {key: item for key, item in value.items() if key != CONCLUDING_MESSAGE}
        message = value[CONCLUDING_MESSAGE]
        return ParsedArguments(rest, None, (message.strip() or None) if isinstance(message, str) else None)
    return ParsedArguments(value, None)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


class Backend(Protocol):
    """The backend of one attempt at a call."""

    def call(self, tool_name: str, parsed: ParsedArguments) -> ToolResult:
        """The answer to a call."""
        ...

    def chain_limit(self) -> ToolResult:
        """The answer to a call past the chain limit, which changes nothing."""
        ...

    def state_diff(self) -> tuple[StateChange, ...] | None:
        """What the calls changed in the hidden state; None where nothing can change it."""
        ...


def unknown_tool(name: str, agent: Agent) -> ToolResult:
    """The answer to a call of a tool that the agent has not."""
    known = ", ".join(tool.name for tool in agent.tools)
    return ToolResult(Outcome.UNKNOWN_TOOL, {"error": "unknown_tool", "message": f"no tool {name!r}; tools: {known}"})


def chain_limit() -> ToolResult:
    """The answer to a call past the chain limit."""
    message = f"more than {CHAIN_LIMIT} tool calls without speaking to the caller; speak now"
    return ToolResult(Outcome.CHAIN_LIMIT, {"error": "chain_limit", "message": message})


def has_ended(tool: Tool, result: dict[str, JsonValue], references: References) -> bool:
    """Whether a result of a tool ends the call."""
    return tool.success is not None and all(item.ok for item in match_arguments(tool.success, result, references))


class QueueBackend:
    """Fixtures as a backend: the j-th call to a tool is matched against the j-th entry of its queue."""

    def __init__(self, agent: Agent, scenario: Scenario) -> None:
        self._agent = agent
        self._fixtures = scenario.backend.fixtures
        self._references = References.of(scenario)
        self._calls: Counter[str] = Counter()

    def call(self, tool_name: str, parsed: ParsedArguments) -> ToolResult:
        """Answer a call. The j-th call to a tool consults entry j; a mismatch consumes its entry."""
        tool = self._agent.tool(tool_name)
        if tool is None:
            return unknown_tool(tool_name, self._agent)
        number = self._calls[tool_name]
        self._calls[tool_name] += 1
        fixture = self._fixtures[tool_name]
        if number >= len(fixture.queue):
            outcome = Outcome.DEFAULT if parsed.error is None else Outcome.PARSE_ERROR
            return self._answer(tool, outcome, fixture.default, number, None, ())
        entry = fixture.queue[number]
        if parsed.arguments is None:
            return self._answer(tool, Outcome.PARSE_ERROR, entry.mismatch, number, number, ())
        results = match_arguments(entry.args, parsed.arguments, self._references, entry.extra)
        if all(result.ok for result in results):
            return self._answer(tool, Outcome.MATCHED, entry.result, number, number, results)
        return self._answer(tool, Outcome.MISMATCH, entry.mismatch, number, number, results)

    def chain_limit(self) -> ToolResult:
        """The answer to a call past the chain limit: the queue does not advance."""
        return chain_limit()

    def state_diff(self) -> None:
        """Nothing: authored answers change no state."""

    def _answer(
        self,
        tool: Tool,
        outcome: Outcome,
        authored: dict[str, JsonValue],
        number: int,
        entry: int | None,
        matchers: tuple[MatcherResult, ...],
    ) -> ToolResult:
        result = self._references.resolve_object(authored)
        return ToolResult(outcome, result, number, entry, matchers, has_ended(tool, result, self._references))


def _json_type(value: JsonValue) -> str:
    names = {type(None): "null", bool: "a boolean", int: "a number", float: "a number", str: "a text", list: "a list"}
    return names[type(value)]
