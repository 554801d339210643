"""How a candidate is shown its tools and how its calls are read: as the endpoint's own feature, as text, or as a JSON reply.

`native` tools are the rule. The other two are for models or servers without tool calls: the tools are described after the
instructions, and results come back as the user's messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import JsonValue

from core.candidate import ToolAnswer
from core.replies import json_object, without_thoughts
from core.schemas.base import canonical_json, is_json
from core.schemas.call_trace import ToolCall
from core.schemas.tools import CONCLUDING_MESSAGE, Tool
from models.chat.prompts import prompt
from models.chat.reply import CallRequest, ChatReply, Json
from models.chat.written_calls import split_calls

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What chat endpoints accept as the name of a function."""
_FAREWELL = "What you say to the other person as your last words, before the call ends. It is spoken aloud."


@dataclass(frozen=True)
class Said:
    """A reply taken apart."""

    speech: str
    """Words for the caller."""
    calls: tuple[ToolCall, ...]
    """Calls, in order."""
    message: Json | None
    """What stands for it in the conversation from now on; None for a reply with nothing in it, which many endpoints refuse."""


@dataclass(frozen=True)
class Ask:
    """What a request adds to the conversation."""

    tools: tuple[Json, ...] = ()
    """Functions for the endpoint."""
    tool_choice: str | None = None
    """`none` where only speech is wanted."""
    schema: dict[str, JsonValue] | None = None
    """JSON Schema of the reply."""


class Dialect(Protocol):
    """One way to call tools."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Prompts it adds to the instructions, by name."""
        ...

    def instructions(self, instructions: str) -> str:
        """The instructions as the candidate gets them."""
        ...

    def ask(self, calls_allowed: bool) -> Ask:
        """What the next request carries."""
        ...

    def read(self, reply: ChatReply) -> Said:
        """Take a reply apart; never fails."""
        ...

    def results(self, answers: Sequence[ToolAnswer]) -> list[Json]:
        """The results as messages; `call_id` is the model's own."""
        ...


def functions(tools: Sequence[Tool], farewell: bool) -> tuple[Json, ...]:
    """Tools as chat endpoints take them; with `farewell`, call-ending ones also take the last words."""
    return tuple(
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": _with_farewell(tool.parameters) if farewell and tool.ends_call else tool.parameters,
            },
        }
        for tool in tools
    )


def _with_farewell(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    properties = parameters.get("properties")
    known = properties if isinstance(properties, dict) else {}
    return {**parameters, "properties": {**known, CONCLUDING_MESSAGE: {"type": "string", "description": _FAREWELL}}}


@dataclass(frozen=True)
class NativeTools:
    """The endpoint's own tool calls."""

    tools: tuple[Json, ...]
    prompts: tuple[str, ...] = field(default=(), init=False)

    def instructions(self, instructions: str) -> str:
        """As they are."""
        return instructions

    def ask(self, calls_allowed: bool) -> Ask:
        """The tools always, since some endpoints refuse a conversation with calls in it without them."""
        return Ask(tools=self.tools, tool_choice=None if calls_allowed or not self.tools else "none")

    def read(self, reply: ChatReply) -> Said:
        """Words without thoughts, calls with their arguments read."""
        speech = without_thoughts(reply.text).strip()
        calls = tuple(ToolCall(id=call.id, tool=call.name, arguments=self._arguments(call)) for call in reply.tool_calls)
        return Said(speech, calls, _sendable(reply, calls) if calls or reply.text.strip() else None)

    def _arguments(self, call: CallRequest) -> JsonValue:
        """Arguments; none where nothing was written for a tool that requires none, as several servers send such a call."""
        free = (tool["function"] for tool in self.tools if not tool["function"]["parameters"].get("required"))
        if not call.arguments.strip() and any(function["name"] == call.name for function in free):
            return {}
        return _as_object(call.arguments)

    def results(self, answers: Sequence[ToolAnswer]) -> list[Json]:
        """One tool message for each."""
        return [{"role": "tool", "tool_call_id": answer.call_id, "content": _text(answer.result)} for answer in answers]


@dataclass(frozen=True)
class WrittenTools:
    """Tools described in the prompt and called in the text."""

    tools: tuple[Json, ...]
    prompts: tuple[str, ...] = field(default=("candidate-text-1",), init=False)

    def instructions(self, instructions: str) -> str:
        """With the tools below them."""
        return _with_tools(instructions, self.prompts[0], self.tools)

    def ask(self, calls_allowed: bool) -> Ask:
        """Nothing: the last result says that it is time to speak."""
        return Ask()

    def read(self, reply: ChatReply) -> Said:
        """Words outside of the calls."""
        return _read_text(reply.text, self.tools)

    def results(self, answers: Sequence[ToolAnswer]) -> list[Json]:
        """All of them in one message."""
        return _as_user(answers)


@dataclass(frozen=True)
class SchemaTools:
    """Tools described in the prompt, speech and at most one call in a JSON reply."""

    tools: tuple[Json, ...]
    prompts: tuple[str, ...] = field(default=("candidate-schema-1",), init=False)

    def instructions(self, instructions: str) -> str:
        """With the tools and the form of a reply below them."""
        return _with_tools(instructions, self.prompts[0], self.tools)

    def ask(self, calls_allowed: bool) -> Ask:
        """The form of a reply."""
        kinds: list[JsonValue] = [{"type": "null"}]
        for tool in self.tools if calls_allowed else ():
            function = tool["function"]
            properties = {"name": {"const": function["name"]}, "arguments": function["parameters"]}
            kinds.append(
                {"type": "object", "properties": properties, "required": ["name", "arguments"], "additionalProperties": False}
            )
        properties = {"speech": {"type": "string"}, "call": {"anyOf": kinds}}
        return Ask(
            schema={"type": "object", "properties": properties, "required": ["speech", "call"], "additionalProperties": False}
        )

    def read(self, reply: ChatReply) -> Said:
        """The two fields; a reply that has not this form is read as text."""
        try:
            value = json_object(reply.text)
        except ValueError:
            return _read_text(reply.text, self.tools)
        speech, call = value.get("speech"), value.get("call")
        if not isinstance(speech, str):
            return _read_text(reply.text, self.tools)
        calls: tuple[ToolCall, ...] = ()
        if isinstance(call, dict):
            calls = (ToolCall(id="", tool=str(call.get("name", "")), arguments=call.get("arguments")),)
        return Said(speech.strip(), calls, {"role": "assistant", "content": reply.text})

    def results(self, answers: Sequence[ToolAnswer]) -> list[Json]:
        """All of them in one message."""
        return _as_user(answers)


def _read_text(text: str, tools: Sequence[Json]) -> Said:
    speech, written = split_calls(without_thoughts(text), {tool["function"]["name"] for tool in tools})
    calls = tuple(ToolCall(id="", tool=call.name, arguments=_as_object(call.arguments)) for call in written)
    return Said(speech, calls, {"role": "assistant", "content": text} if text.strip() else None)


def _with_tools(instructions: str, name: str, tools: Sequence[Json]) -> str:
    lines = "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in tools)
    return f"{instructions.rstrip()}\n\n{prompt(name).fill(tools=lines)}"


def _as_user(answers: Sequence[ToolAnswer]) -> list[Json]:
    told = (f"<tool_response>\n{_text(answer.result)}\n</tool_response>" for answer in answers)
    return [{"role": "user", "content": "\n".join(told)}]


def _text(result: dict[str, JsonValue]) -> str:
    return canonical_json(result).decode()


def _as_object(arguments: Any) -> JsonValue:
    """Arguments that are the text of an object as that object; all else as it came, for the backend to judge."""
    if not isinstance(arguments, str):
        return arguments  # type: ignore[no-any-return]
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return value if isinstance(value, dict) and is_json(value) else arguments


def _sendable(reply: ChatReply, read: Sequence[ToolCall]) -> Json:
    """The reply as it came, since some endpoints sign parts of it, but for calls that no server would take back.

    Servers read names and arguments again when they get the conversation back, and refuse all of it for a broken one.
    """
    mended: dict[int, Json] = {}
    for place, call in enumerate(reply.tool_calls):
        if not isinstance(read[place].arguments, dict):
            mended.setdefault(place, {})["arguments"] = json.dumps({"unreadable": call.arguments})
        elif not call.arguments.strip():
            mended.setdefault(place, {})["arguments"] = "{}"
        if not _NAME.fullmatch(call.name):
            mended.setdefault(place, {})["name"] = re.sub(r"[^a-zA-Z0-9_-]", "_", call.name)[:64] or "nameless"
    if not mended:
        return reply.message
    calls = [dict(call) for call in reply.message["tool_calls"]]
    for place, parts in mended.items():
        calls[place]["function"] = {**calls[place]["function"], **parts}
    return {**reply.message, "tool_calls": calls}
