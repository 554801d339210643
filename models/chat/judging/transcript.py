"""A call as a judge reads it: numbered messages, words in quotation marks, so that no word can pass for a line of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from pydantic import JsonValue

from core.grading.views import CallView, ConversationView, MessageView, TaskView
from core.schemas.call_trace import ChannelEvent, EndReason, Role
from models.chat.naming import language_and_script

LAYOUT_VERSION = "judging-2"
"""Version of this layout, of how items, questions and the shape of a reply are written, and of what a reply must hold; in every
chat judge's record."""

_ENDS = {
    EndReason.TOOL_END: "a tool that ends the call succeeded",
    EndReason.CALLER_DONE: "the caller had nothing more to say and hung up",
    EndReason.TURN_LIMIT: "the largest number of turns was reached",
    EndReason.AGENT_DISCONNECTED: "the agent was gone",
    EndReason.PROTOCOL_ERROR: "the agent's system failed",
    EndReason.AGENT_IDLE: "the agent did not answer",
}


def shown_call(view: TaskView | ConversationView) -> str:
    """Everything of the view but the items: the same for every request about one call, so that it can be cached."""
    if isinstance(view, TaskView):
        head = f"# The agent's instructions, message [0]\n\n{view.prompt}\n\n# The goal of the call\n\n{view.goal}"
    else:
        head = f"# The language\n\nThe agent must speak {language_and_script(view.language, view.script)}."
    return f"{head}\n\n# The call\n\n{transcript(view)}"


def transcript(view: TaskView | ConversationView) -> str:
    """The call, line by line."""
    lines = [line for message in view.messages for line in _message(message, view)]
    return "\n".join([*lines, f"The call ended: {_ENDS[view.end]}."])


def _message(message: MessageView, view: TaskView | ConversationView) -> Iterator[str]:
    number = f"[{message.index}]"
    match message.role:
        case Role.CALLER:
            yield f"{number} {_caller(message, view)}"
            yield from (f"    on the line: {_event(event)}" for event in message.events if event.applied)
        case Role.TOOL:
            yield from (f"{number} {_result(call)}" for call in view.calls if call.result_message == message.index)
        case _:
            yield f"{number} agent: {_json(message.content)}" if message.content.strip() else f"{number} agent: (says nothing)"
            for call in view.calls:
                if call.message == message.index:
                    yield f"    agent calls {_json(call.tool)} with {_json(call.arguments)}"


def _caller(message: MessageView, view: TaskView | ConversationView) -> str:
    parts = Counter(other.turn for other in view.messages if other.role is Role.CALLER)[message.turn]
    if message.intended is None:
        return f"agent heard, going on: {_json(message.content)}"
    if parts == 1 and message.intended == message.content:
        return f"caller: {_json(message.content)}"
    split = f" (in {parts} parts)" if parts > 1 else ""
    return f"caller said: {_json(message.intended)}; agent heard{split}: {_json(message.content)}"


def _event(event: ChannelEvent) -> str:
    change = f" {_json(event.before)} became {_json(event.after)}" if event.before or event.after else ""
    return f"{event.kind}{change}"


def _result(call: CallView) -> str:
    note = "; this ended the call" if call.ended_call else "; no tool was reached" if call.refused else ""
    return f"tool {_json(call.tool)} returned: {_json(call.result)}{note}"


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
