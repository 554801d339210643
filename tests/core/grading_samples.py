"""Traces and scenarios written by hand for the tests of grading: a call is a list of turns, indices follow by themselves."""

from __future__ import annotations

import json
from typing import Any

from core.schemas.base import Condition
from core.schemas.call_trace import (
    CallerTurn,
    ChannelEvent,
    CodeVersion,
    EndReason,
    Fragment,
    Message,
    Outcome,
    PartyRecord,
    Role,
    Seeds,
    ToolCall,
    ToolEvent,
    Trace,
    TraceHeader,
    TurnAudio,
)
from core.schemas.scenario import Scenario

HASH = "0" * 64
PROMPT = "You answer the phone of a power company."


class Called:
    """One tool call of an agent turn."""

    def __init__(
        self,
        tool: str,
        arguments: dict[str, Any] | str,
        result: dict[str, Any] | None = None,
        outcome: Outcome = Outcome.MATCHED,
        ended: bool = False,
    ) -> None:
        self.tool = tool
        self.arguments = arguments
        self.result = {"status": "ok"} if result is None else result
        self.outcome = Outcome.PARSE_ERROR if isinstance(arguments, str) else outcome
        self.ended = ended


class CallScript:
    """Builds a trace turn by turn; message 0 is the system prompt."""

    def __init__(self, condition: Condition = Condition.TEXT, scenario: str = "outage", repeat: int = 0) -> None:
        self.condition = condition
        self.scenario = scenario
        self.repeat = repeat
        self.messages: list[Message] = []
        self.turns: list[CallerTurn] = []
        self.events: list[ToolEvent] = []
        self._add(Role.SYSTEM, PROMPT)

    def agent(self, speech: str, *calls: Called) -> CallScript:
        """An agent message, its calls and their results."""
        made = tuple(
            ToolCall(id=f"call_{len(self.events) + n}", tool=call.tool, arguments=call.arguments) for n, call in enumerate(calls)
        )
        message = self._add(Role.AGENT, speech, tool_calls=made)
        for sent, call in zip(made, calls, strict=True):
            result = self._add(Role.TOOL, json.dumps(call.result), tool_call_id=sent.id)
            parsed = call.arguments if isinstance(call.arguments, dict) else None
            self.events.append(
                ToolEvent(
                    index=len(self.events),
                    message=message,
                    result_message=result,
                    call_id=sent.id,
                    tool=call.tool,
                    raw_arguments=call.arguments,
                    arguments=parsed,
                    parse_error=None if parsed is not None else "arguments are not valid JSON",
                    outcome=call.outcome,
                    result=call.result,
                    ended_call=call.ended,
                )
            )
        return self

    def caller(
        self, intended: str, *heard: str, events: tuple[ChannelEvent, ...] = (), clip: bool = False, voice: str | None = None
    ) -> CallScript:
        """A caller turn; without `heard` it arrived as it was meant."""
        number = len(self.turns) + 1
        fragments = tuple(
            Fragment(text=text, message=self._add(Role.CALLER, text, caller_turn=number), clip=HASH if clip else None)
            for text in heard or (intended,)
        )
        audio = None if voice is None else TurnAudio(voice=voice, engine="e", spoken=intended, clip=HASH)
        self.turns.append(CallerTurn(turn=number, intended=intended, heard=fragments, events=events, audio=audio))
        return self

    def trace(self, end: EndReason = EndReason.TOOL_END, agent: str = "larkfield") -> Trace:
        """The finished trace."""
        header = TraceHeader(
            bundle="b",
            bundle_version="1.0.0",
            bundle_hash=HASH,
            scenario=self.scenario,
            agent=agent,
            language="en",
            condition=self.condition,
            repeat=self.repeat,
            rerun=0,
            prompt_sha256=HASH,
            seeds=Seeds(run=1, caller=1, candidate=1, judge=1, backend=1, line=1, speech=1),
            caller=PartyRecord(party="offline:scripted"),
            candidate=PartyRecord(party="offline:baseline"),
            line={},
            code=CodeVersion(version="0"),
        )
        return Trace(
            header=header,
            messages=tuple(self.messages),
            caller_turns=tuple(self.turns),
            tool_events=tuple(self.events),
            end=end,
        )

    def _add(self, role: Role, content: str, **fields: Any) -> int:
        self.messages.append(Message(index=len(self.messages), role=role, content=content, **fields))
        return len(self.messages) - 1


def scenario(**fields: Any) -> Scenario:
    """A small valid scenario; fields replace its own."""
    data: dict[str, Any] = {
        "id": "outage",
        "agent": "larkfield",
        "language": "en",
        "script": "Latn",
        "difficulty": "easy",
        "goal": "The outage is recorded.",
        "caller": {
            "context": "At home.",
            "reason": "No power.",
            "now": "2026-03-10T18:52",
            "facts": {
                "account_no": {"value": "4820197355", "kind": "digits"},
                "zip_code": {"value": "47906", "kind": "digits"},
            },
            "plan": [{"id": "say_it", "trigger": "t", "meaning": "m"}],
        },
        "backend": {"state": {}, "fixtures": {}},
    }
    return Scenario.model_validate({**data, **fields})


def substituted(before: str, after: str) -> ChannelEvent:
    """An applied substitution."""
    return ChannelEvent(id="event_1", kind="substitute", applied=True, before=before, after=after)
