"""The calls of a small made-up run: real traces and grades, tones for speech, one misheard number."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from core.schemas.base import Condition, Diagnostic, Pillar, sha256
from core.schemas.call_trace import (
    AudioSpan,
    CallerTurn,
    Channel,
    ChannelEvent,
    CodeVersion,
    EndReason,
    Fragment,
    MatcherResult,
    Message,
    Outcome,
    PartyRecord,
    Recording,
    Role,
    Seeds,
    Segment,
    ToolCall,
    ToolEvent,
    Trace,
    TraceHeader,
    TurnAudio,
)
from core.schemas.grade import Grade, Item, Label, PillarScore, Source, Status

RATE = 16_000
GAP = 0.25
CODE = CodeVersion(version="0.1.0", commit="485d378", dirty=True)
LINES: dict[Condition, dict[str, Any]] = {
    Condition.TEXT: {"line": "text-1"},
    Condition.AUTHORED: {"line": "authored-1", "confusions": "en-1"},
    Condition.ASR: {
        "line": "asr-1",
        "channel": {"preset": "landline", "snr_db": 5, "loss": 0.05},
        "recognizer": "whisper-base-int8",
    },
}


@dataclass(frozen=True)
class Call:
    """What one sample call says; `heard` is what arrived of the account number under each condition."""

    agent: str
    scenario: str
    greeting: str
    value: str
    heard: dict[Condition, str]


def _same(value: str) -> dict[Condition, str]:
    return dict.fromkeys((Condition.TEXT, Condition.AUTHORED, Condition.ASR), value)


CALLS = (
    Call(
        "bank-desk",
        "lost-card",
        "Northgate Bank, how can I help?",
        "4417 2093",
        {**_same("4417 2093"), Condition.ASR: "4417 2903"},
    ),
    Call("bank-desk", "card-limit", "Northgate Bank, how can I help?", "6620 1158", _same("6620 1158")),
    Call("bank-desk", "dispute-charge", "Northgate Bank, how can I help?", "7301 4482", _same("7301 4482")),
    Call(
        "clinic-desk",
        "move-visit",
        "Elm Street Clinic, good morning.",
        "90 81 27",
        {**_same("90 81 27"), Condition.ASR: "19 81 27"},
    ),
    Call(
        "clinic-desk",
        "cancel-visit",
        "Elm Street Clinic, good morning.",
        "35 60 02",
        {**_same("35 60 02"), Condition.AUTHORED: "35 60"},
    ),
    Call("clinic-desk", "test-results", "Elm Street Clinic, good morning.", "77 10 44", _same("77 10 44")),
)


def tones(recording: Recording) -> bytes:
    """The recording's sound as FLAC: one tone per segment, its pitch telling message and side."""
    soundfile = pytest.importorskip("soundfile", reason="tones are written as FLAC by soundfile")
    samples = np.zeros((recording.samples, 2), dtype=np.float32)
    for segment in recording.segments:
        length = segment.end_sample - segment.start_sample
        seconds = np.arange(length, dtype=np.float32) / recording.sample_rate
        envelope = np.abs(np.sin(2 * np.pi * 2.3 * seconds)) * np.hanning(length).clip(0.2)
        side = 0 if segment.channel is Channel.CALLER else 1
        tone = 0.4 * np.sin(2 * np.pi * (220 + 30 * segment.message + 200 * side) * seconds)
        samples[segment.start_sample : segment.end_sample, side] = (tone * envelope).astype(np.float32)
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, recording.sample_rate, format="FLAC", subtype="PCM_16")
    return buffer.getvalue()


class _Script:
    """Collects messages and their places on the recording."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.turns: list[CallerTurn] = []
        self.segments: list[Segment] = []
        self.clock = int(0.3 * RATE)

    def _span(self, text: str, channel: Channel) -> AudioSpan | None:
        if not text:
            return None
        start = self.clock
        end = start + int((0.35 + 0.035 * len(text)) * RATE)
        self.segments.append(Segment(message=len(self.messages), channel=channel, start_sample=start, end_sample=end))
        self.clock = end + int(GAP * RATE)
        return AudioSpan(channel=channel, start_sample=start, end_sample=end)

    def agent(self, text: str, calls: tuple[ToolCall, ...] = ()) -> int:
        span = self._span(text, Channel.AGENT)
        index = len(self.messages)
        self.messages.append(Message(index=index, role=Role.AGENT, content=text, tool_calls=calls, audio=span))
        return index

    def caller(
        self, said: str, heard: Sequence[str], events: tuple[ChannelEvent, ...] = (), step: str = "", spoken: bool = False
    ) -> None:
        fragments = []
        number = len(self.turns) + 1
        for text in heard:
            span = self._span(text, Channel.CALLER)
            index = len(self.messages)
            self.messages.append(Message(index=index, role=Role.CALLER, content=text, caller_turn=number, audio=span))
            fragments.append(Fragment(text=text, message=index, confidence=-0.214573 if spoken else None))
        audio = TurnAudio(voice="joe", engine="piper", spoken=said, clip=sha256(said)) if spoken else None
        self.turns.append(
            CallerTurn(
                turn=number,
                intended=said,
                expressed=(step,) if step else (),
                done=step == "say_bye_1",
                heard=tuple(fragments),
                events=events,
                audio=audio,
            )
        )

    def tool(self, result: dict[str, Any], call_id: str) -> int:
        index = len(self.messages)
        self.messages.append(Message(index=index, role=Role.TOOL, content=json.dumps(result), tool_call_id=call_id))
        return index


def sample_trace(call: Call, condition: Condition, recorded: bool = True) -> Trace:
    """One call of the made-up run; the tool fails where the number was misheard."""
    script, heard = _Script(), call.heard[condition]
    right = heard == call.value
    spoken = condition is Condition.ASR
    script.agent(call.greeting)
    opening = "Hello, I need help with my account please."
    script.caller(opening, [opening.replace("please", "police")] if spoken else [opening], step="ask_help_1", spoken=spoken)
    script.agent("Of course. Please tell me your account number.")
    event = ChannelEvent(id="cut_number_1", kind="split", applied=True, before=call.value, detail="silence of 820 ms")
    if condition is Condition.AUTHORED:
        pieces = ["It is " + heard[:4], heard[4:].strip() + ". That is all."]
    else:
        pieces = [f"It is {heard}. That is all."]
    script.caller(f"It is {call.value}. That is all.", pieces, (event,) if len(pieces) > 1 else (), "give_number_1", spoken)
    digits = heard.replace(" ", "")
    asked = ToolCall(id="call_1", tool="find_account", arguments={"account_number": digits, "urgent": True})
    carrier = script.agent("Thank you. One moment while I look that up.", (asked,))
    result: dict[str, Any] = {"ok": True, "name": "M. Okafor"} if right else {"ok": False, "error": "no such account"}
    answered = script.tool(result, "call_1")
    wanted = call.value.replace(" ", "")
    check = MatcherResult(argument="account_number", ok=right, reason=f"expected {wanted!r}, found {digits!r}")
    events = [
        ToolEvent(
            index=0,
            message=carrier,
            result_message=answered,
            call_id="call_1",
            tool="find_account",
            call_number=0,
            entry=0,
            raw_arguments=asked.arguments,
            arguments={"account_number": digits, "urgent": True},
            matchers=(check,),
            outcome=Outcome.MATCHED if right else Outcome.MISMATCH,
            result=result,
        )
    ]
    script.agent("I found it, and everything is arranged." if right else "I am sorry, I cannot find that account.")
    script.caller("Thank you. Goodbye.", ["Thank you. Goodbye."], step="say_bye_1", spoken=spoken)
    events.append(_goodbye(script))
    recording = Recording(
        sample_rate=RATE, samples=script.clock, pcm_sha256=sha256(call.scenario), segments=tuple(script.segments)
    )
    return Trace(
        header=_header(call, condition),
        messages=tuple(script.messages),
        caller_turns=tuple(script.turns),
        tool_events=tuple(events),
        end=EndReason.TOOL_END,
        recording=recording if recorded else None,
    )


def _goodbye(script: _Script) -> ToolEvent:
    closing = ToolCall(id="call_2", tool="end_call", arguments={})
    carrier = script.agent("Goodbye.", (closing,))
    answered = script.tool({"ended": True}, "call_2")
    return ToolEvent(
        index=1,
        message=carrier,
        result_message=answered,
        call_id="call_2",
        tool="end_call",
        call_number=0,
        raw_arguments={},
        arguments={},
        outcome=Outcome.DEFAULT,
        result={"ended": True},
        ended_call=True,
    )


def _header(call: Call, condition: Condition) -> TraceHeader:
    return TraceHeader(
        bundle="frontdesk",
        bundle_version="1.0.0",
        bundle_hash=sha256("bundle"),
        scenario=call.scenario,
        agent=call.agent,
        language="en-US",
        condition=condition,
        repeat=0,
        rerun=0,
        prompt_sha256=sha256("prompt"),
        seeds=Seeds(run=7, caller=11, candidate=12, judge=13, backend=14, line=15, speech=16),
        caller=PartyRecord(party="offline:scripted", settings={"version": "1"}),
        candidate=PartyRecord(party="offline:baseline", settings={"version": "1"}),
        line=LINES[condition],
        code=CODE,
    )


def _item(name: str, diagnostic: Diagnostic, label: Label | None, reason: str, **more: Any) -> Item:
    values = {Label.MET: 1.0, Label.PARTIAL: 0.5, Label.NOT_MET: 0.0}
    status = Status.SCORED if label else more.pop("status", Status.UNJUDGED)
    return Item(
        id=name,
        diagnostic=diagnostic,
        label=label,
        value=values[label] if label else None,
        reason=reason,
        status=status,
        **{"source": Source.CRITERION, "importance": 1, **more},
    )


def _items(trace: Trace) -> tuple[Item, ...]:
    event = trace.tool_events[0]
    right = event.outcome is Outcome.MATCHED
    return (
        _item(
            "verify_account_1",
            Diagnostic.ARGUMENTS,
            Label.MET if right else Label.NOT_MET,
            "one matching call" if right else "no call carried every expected argument",
            source=Source.ACTION,
            importance=3,
            evidence=(event.message,),
            tool_events=(0,) if right else (),
            matchers=() if right else event.matchers,
        ),
        _item("end_call_1", Diagnostic.OUTCOME, Label.MET, "the call was ended", source=Source.ACTION, tool_events=(1,)),
        _item(
            "asks_before_looking_1", Diagnostic.RULES, Label.PARTIAL, "asked for the number, not for the name", evidence=(2, 4)
        ),
        _item("tone_1", Diagnostic.RULES, None, "the rules judge has no check for this"),
        Item(
            id="closing",
            source=Source.RATING,
            diagnostic=Diagnostic.CLOSING,
            importance=1,
            status=Status.SCORED,
            rating=5,
            value=1.0,
            reason="says goodbye before the end",
            evidence=(trace.tool_events[1].message,),
        ),
        Item(
            id="channel_recovery",
            source=Source.RATING,
            diagnostic=Diagnostic.CHANNEL_RECOVERY,
            importance=1,
            status=Status.SCORED,
            rating=4 if right else 2,
            value=0.75 if right else 0.25,
            reason="went on without reading the number back",
            evidence=(event.message,),
        ),
    )


def sample_grade(trace: Trace) -> Grade:
    """A grade of a sample trace: the action fails where the tool failed."""
    items = _items(trace)
    pillars = {}
    for pillar in Pillar:
        mine = [item for item in items if item.diagnostic.pillar is pillar]
        scored = [item for item in mine if item.value is not None]
        points = sum(item.importance * (item.value or 0.0) for item in scored)
        top, applicable = float(sum(item.importance for item in scored)), float(sum(item.importance for item in mine))
        pillars[pillar] = PillarScore(
            score=100 * points / top, points=points, max_points=top, applicable=applicable, coverage=top / applicable
        )
    both = [pillar.score for pillar in pillars.values() if pillar.score is not None]
    head = trace.header
    return Grade(
        trace_sha256=trace_hash(trace),
        bundle_hash=head.bundle_hash,
        scenario=head.scenario,
        agent=head.agent,
        condition=head.condition,
        repeat=0,
        judge=PartyRecord(party="offline:rules"),
        judge_key="ab12cd34",
        items=items,
        pillars=pillars,
        overall=sum(both) / len(both),
    )


def trace_hash(trace: Trace) -> str:
    """A stand-in for the hash of the file."""
    return sha256(trace.model_dump_json())
