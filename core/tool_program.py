"""Tools that are a program over a state object: a user's own code answers the calls, and what it changed is recorded.

The program works on a copy of the scenario's state, one per attempt. A tool that fails changes nothing: every object and list of
the state, also those that the program keeps by a name of its own, gets back what it held before the call.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from pydantic import JsonValue

from core.backend import ParsedArguments, ToolResult, chain_limit, has_ended, unknown_tool
from core.errors import ProviderError, UsageError
from core.matchers.references import References
from core.own_thread import LIMIT_S, LateError, OwnThread
from core.schemas.base import canonical_json, encodable
from core.schemas.bundle import Agent
from core.schemas.call_trace import Outcome, StateChange
from core.schemas.scenario import Scenario

Program: TypeAlias = Callable[[dict[str, Any], int], object]
"""Makes the tools of one attempt from its state, which they change in place, and a seed; each tool is a method of its name."""
_FAULTS = (Exception, SystemExit, GeneratorExit)
"""What a user's code may raise and does not end the command."""
MAX_DEPTH = 100
"""How deep lists and objects of a state or an answer may lie in each other; files are read to about twice that."""
_GONE = object()


class ProgramBackend:
    """The backend of one attempt at a call, answered by a program."""

    def __init__(self, agent: Agent, scenario: Scenario, program: Program, seed: int, limit_s: float = LIMIT_S) -> None:
        """Make the tools, within `limit_s` seconds as for each answer; raises UsageError where that fails or one is missing."""
        self._agent = agent
        self._references = References.of(scenario)
        self._before = scenario.backend.state
        self._state: dict[str, Any] = copy.deepcopy(scenario.backend.state)
        self._calls: Counter[str] = Counter()
        self._own, self._limit_s = OwnThread(), limit_s
        self._name = name = scenario.backend.program
        try:
            self._tools = self._own.run(partial(program, self._state, seed), limit_s)
        except _FAULTS as fault:
            raise UsageError(f"{name!r}: cannot be made: {_told(fault)}") from fault
        missing = [tool.name for tool in agent.tools if not callable(getattr(self._tools, tool.name, None))]
        if missing:
            raise UsageError(f"{name!r}: a {type(self._tools).__name__} has no method {', '.join(missing)}")
        try:
            self._after = _read(self._state, "the state")
        except _FAULTS as fault:
            raise UsageError(f"{name!r}: cannot be made: {_told(fault)}") from fault

    def call(self, tool_name: str, parsed: ParsedArguments) -> ToolResult:
        """What the program answers; an exception, or an answer JSON cannot carry, is a `tool_error` and changes nothing.

        Raises:
            ProviderError: no answer came in time. What hangs may change the state at any moment, so the call cannot go on.
        """
        tool = self._agent.tool(tool_name)
        if tool is None:
            return unknown_tool(tool_name, self._agent)
        number = self._calls[tool_name]
        self._calls[tool_name] += 1
        if parsed.arguments is None:
            return ToolResult(Outcome.PARSE_ERROR, {"error": "parse_error", "message": parsed.error or ""}, number)
        kept = list(_containers(self._state, set()))
        try:
            asked = partial(getattr(self._tools, tool_name), **copy.deepcopy(parsed.arguments))
            answer = self._own.run(asked, self._limit_s)
            result = _read(answer, "the answer")
            self._after = _read(self._state, "the state")
        except LateError as late:
            raise ProviderError(f"backend {self._name!r}: {tool_name}: turn_timeout: {late}") from late
        except _FAULTS as fault:
            for container, content in kept:
                _put_back(container, content)
            return ToolResult(Outcome.TOOL_ERROR, {"error": "tool_error", "message": encodable(_told(fault))}, number)
        return ToolResult(Outcome.ANSWERED, result, number, ended_call=has_ended(tool, result, self._references))

    def chain_limit(self) -> ToolResult:
        """The answer to a call past the chain limit: the program is not asked."""
        return chain_limit()

    def state_diff(self) -> tuple[StateChange, ...]:
        """What the calls so far changed in the state, in the order of its keys."""
        return tuple(changes(self._before, self._after))


def changes(before: JsonValue, after: JsonValue, path: tuple[str | int, ...] = ()) -> Iterator[StateChange]:
    """The smallest changes of fields that make one value of another; a list of another length is changed as a whole."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            old, new = before.get(key, _GONE), after.get(key, _GONE)
            if old is _GONE:
                yield StateChange(path=(*path, key), change="added", after=after[key])
            elif new is _GONE:
                yield StateChange(path=(*path, key), change="removed", before=before[key])
            else:
                yield from changes(before[key], after[key], (*path, key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old_item, new_item) in enumerate(zip(before, after, strict=True)):
            yield from changes(old_item, new_item, (*path, place))
    elif type(before) is not type(after) or before != after:
        yield StateChange(path=path, change="changed", before=copy.deepcopy(before), after=copy.deepcopy(after))


def changed(before: Mapping[str, JsonValue], diff: tuple[StateChange, ...]) -> dict[str, JsonValue]:
    """The state after its changes."""
    state: dict[str, JsonValue] = copy.deepcopy(dict(before))
    for item in diff:
        node: Any = state
        for part in item.path[:-1]:
            node = node[part]
        if item.change == "removed":
            del node[item.path[-1]]
        else:
            node[item.path[-1]] = copy.deepcopy(item.after)
    return state


def _plain(value: object) -> JsonValue:
    """A copy of plain objects and lists, as a file would hold it; raises TypeError or ValueError where no file could."""
    found: JsonValue = json.loads(canonical_json(value))
    level = [found]
    for _ in range(MAX_DEPTH):
        level = [part for item in level for part in _parts(item)]
    if level:
        raise ValueError(f"more than {MAX_DEPTH} lists and objects in each other")
    return found


def _parts(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def _read(value: object, what: str) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise TypeError(f"{what} is an object, not a {type(value).__name__}")
    try:
        found = _plain(value)
    except (TypeError, ValueError, RecursionError) as fault:
        raise TypeError(f"{what} holds what JSON cannot carry: {fault}") from fault
    assert isinstance(found, dict)
    return found


def _containers(value: object, seen: set[int]) -> Iterator[tuple[Any, Any]]:
    """Every object and list of a state, each once, with a shallow copy of what it holds."""
    if not isinstance(value, dict | list | tuple) or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, dict | list):
        yield value, dict(value) if isinstance(value, dict) else list(value)
    for part in _parts(value):
        yield from _containers(part, seen)


def _put_back(container: Any, content: Any) -> None:
    container.clear()
    if isinstance(content, dict):
        container.update(content)
    else:
        container.extend(content)


def _told(fault: BaseException) -> str:
    try:
        return " ".join(f"{type(fault).__name__}: {fault}".split())
    except Exception:  # noqa: BLE001 - a user's exception may fail to say what it is
        return type(fault).__name__
