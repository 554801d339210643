"""One graded call as the plain data the page's script shows: words with marks, tool calls, items, places in the sound."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.report import phrases
from core.report.roundtrip import reply_data
from core.report.words import Piece, compare_words
from core.schemas.base import Pillar
from core.schemas.call_trace import CallerTurn, Message, Role, ToolEvent, Trace
from core.schemas.grade import Grade, Item
from core.schemas.hearing import TurnHearing
from core.schemas.roundtrip import ReplyRoundTrip
from core.schemas.run import Attribution, CaseSummary, Summary
from core.text import headline_of, normaliser_of

PAUSE = " |"
"""How the text given to a synthesiser marks an authored pause; the event says it better than the mark."""


@dataclass(frozen=True)
class CasePage:
    """One case with all the page shows of it."""

    summary: CaseSummary
    """Its row of the run's summary."""
    trace: Trace
    """The record of the call."""
    grade: Grade | None = None
    """Its grade; null where it was not graded."""
    audio: bytes | None = None
    """The recording as FLAC, to be embedded; null where it is linked or there is none."""
    link: str | None = None
    """Address of the recording relative to the page, where it is not embedded."""
    replies: tuple[ReplyRoundTrip, ...] = ()
    """What came back of the agent's own replies, where it was measured."""


def call_data(page: CasePage, summary: Summary) -> dict[str, Any]:
    """Everything one call view shows, as JSON values."""
    case, trace = page.summary, page.trace
    recording = trace.recording
    return {
        "case": case.case,
        "scenario": case.scenario,
        "agent": case.agent,
        "language": trace.header.language,
        "condition": case.condition.value,
        "repeat": case.repeat,
        "end": trace.end.value,
        "endDetail": trace.end_detail,
        "voice": case.voice,
        "scores": {"overall": case.overall, **{pillar.value: case.scores.get(pillar) for pillar in Pillar}},
        "errorRate": _headline(case, trace.header.language),
        "known": f"{case.known_values.survived} of {case.known_values.occurring}",
        "rate": recording.sample_rate if recording else None,
        "samples": recording.samples if recording else None,
        "segments": [
            [part.message, 0 if part.channel.value == "caller" else 1, part.start_sample, part.end_sample]
            for part in recording.segments
        ]
        if recording
        else [],
        "blocks": _blocks(page),
        "items": [_item(item) for item in page.grade.items] if page.grade else [],
        "pillars": _pillars(page.grade),
        "broken": [_broken(each) for each in summary.attribution if each.case == case.case],
        "facts": _facts(page),
    }


def _headline(case: CaseSummary, language: str) -> list[Any]:
    """Name and value of the error rate to read first; null where nothing was transcribed."""
    name = headline_of(language)
    rate = case.wer if name == "wer" else case.cer
    return [name.upper(), None if rate is None else rate.rate]


def _blocks(page: CasePage) -> list[dict[str, Any]]:
    """The call cut before every caller turn: block 0 is what comes before the caller speaks."""
    trace = page.trace
    hearing = {turn.turn: turn for turn in page.summary.hearing}
    back = {reply.message: reply for reply in page.replies}
    normaliser = normaliser_of(trace.header.language)
    turns = {turn.turn: turn for turn in trace.caller_turns}
    answers = {event.result_message for event in trace.tool_events}
    blocks: list[dict[str, Any]] = [{"turn": 0, "key": "", "rows": []}]
    for message in trace.messages:
        if message.role is Role.CALLER:
            number = message.caller_turn or 0
            if number in turns and number != blocks[-1]["turn"]:
                turn = turns[number]
                key = " ".join(turn.expressed) or turn.intended
                blocks.append({"turn": number, "key": key, "rows": [_caller(turn, hearing.get(number), normaliser)]})
            elif number not in turns:
                blocks[-1]["rows"].append({"kind": "other", "role": "caller", "index": message.index, "text": message.content})
        elif message.role is Role.AGENT:
            blocks[-1]["rows"].append(_agent(message, trace.tool_events, back.get(message.index)))
        elif message.index not in answers:
            blocks[-1]["rows"].append(
                {"kind": "other", "role": message.role.value, "index": message.index, "text": message.content}
            )
    return [block for block in blocks if block["rows"]]


def _spoken(turn: CallerTurn) -> str:
    """The words given to the voice, where they are not the ones meant."""
    spoken = turn.audio.spoken.replace(PAUSE, "") if turn.audio else ""
    return "" if spoken == turn.intended else spoken


def _caller(turn: CallerTurn, hearing: TurnHearing | None, normaliser: str) -> dict[str, Any]:
    marked = compare_words(turn.intended, [fragment.text for fragment in turn.heard], normaliser)
    return {
        "kind": "caller",
        "turn": turn.turn,
        "said": _words(marked.said),
        "differs": marked.differs or len(turn.heard) > 1,
        "heard": [
            {"index": fragment.message, "words": _words(words), "confidence": fragment.confidence}
            for fragment, words in zip(turn.heard, marked.heard, strict=True)
        ],
        "expressed": list(turn.expressed),
        "done": turn.done,
        "wer": None if hearing is None else hearing.wer.rate,
        "cer": None if hearing is None else hearing.cer.rate,
        "damaged": list(hearing.damaged) if hearing else [],
        "spoken": _spoken(turn),
        "events": [
            {
                "id": each.id,
                "kind": each.kind,
                "applied": each.applied,
                "before": each.before,
                "after": each.after,
                "detail": each.detail,
            }
            for each in turn.events
        ],
        "rejected": [{"raw": each.raw, "reasons": list(each.reasons)} for each in turn.rejected],
    }


def _words(pieces: Iterable[Piece]) -> list[list[str]]:
    return [[piece.text, piece.mark] for piece in pieces]


def _agent(message: Message, events: Sequence[ToolEvent], back: ReplyRoundTrip | None) -> dict[str, Any]:
    shown = {} if back is None else {"back": reply_data(back)}
    return {
        **shown,
        "kind": "agent",
        "index": message.index,
        "text": message.content,
        "calls": [_tool(event) for event in events if event.message == message.index],
        "interruptedBy": message.interrupted_by,
    }


def _tool(event: ToolEvent) -> dict[str, Any]:
    checks = {check.argument: check for check in event.matchers}
    named = event.arguments or {}
    arguments = [
        {
            "name": name,
            "value": _json(value),
            "ok": checks[name].ok if name in checks else None,
            "reason": checks[name].reason if name in checks else "",
        }
        for name, value in named.items()
    ]
    others = [check for name, check in checks.items() if name not in named]
    return {
        "index": event.index,
        "answer": event.result_message,
        "tool": event.tool,
        "number": event.call_number,
        "entry": event.entry,
        "outcome": event.outcome.value,
        "arguments": arguments,
        "others": [{"name": check.argument, "ok": check.ok, "reason": check.reason} for check in others],
        "raw": _json(event.raw_arguments) if event.arguments is None else "",
        "parseError": event.parse_error or "",
        "result": _readable(event.result),
        "ended": event.ended_call,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _readable(value: Any) -> str:
    """JSON on one line where it fits a narrow column, else indented."""
    line = _json(value)
    return line if len(line) <= 72 else json.dumps(value, ensure_ascii=False, indent=2)


def _item(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "source": item.source.value,
        "diagnostic": item.diagnostic.value,
        "pillar": item.diagnostic.pillar.value,
        "importance": item.importance,
        "status": item.status.value,
        "label": item.label.value if item.label else None,
        "rating": item.rating,
        "reason": item.reason,
        "evidence": list(item.evidence),
        "toolEvents": list(item.tool_events),
        "matchers": [{"name": each.argument, "ok": each.ok, "reason": each.reason} for each in item.matchers],
    }


def _pillars(grade: Grade | None) -> dict[str, Any]:
    if grade is None:
        return {}
    return {
        pillar.value: {"score": held.score, "points": held.points, "max": held.max_points, "coverage": held.coverage}
        for pillar, held in grade.pillars.items()
    }


def _broken(each: Attribution) -> dict[str, Any]:
    return {"text": phrases.attribution_text(each), "message": each.message, "toolEvent": each.tool_event}


def _facts(page: CasePage) -> list[list[str]]:
    """What identifies this call and what decided it, as label and text."""
    head, case = page.trace.header, page.summary
    seeds = ", ".join(f"{name} {value}" for name, value in head.seeds.model_dump().items())
    code = f"{head.code.version} {head.code.commit or ''}{' (uncommitted changes)' if head.code.dirty else ''}".strip()
    rows = [
        ["Trace SHA-256", case.trace_sha256],
        ["Bundle", f"{head.bundle}@{head.bundle_version} {head.bundle_hash}"],
        ["Rendered prompt SHA-256", head.prompt_sha256],
        ["Language", head.language],
        ["Rerun", str(head.rerun)],
        ["Seeds", seeds],
        ["Candidate", f"{head.candidate.party} {_json(head.candidate.settings)}"],
        ["Caller", f"{head.caller.party} {_json(head.caller.settings)}"],
        ["Line", json.dumps(head.line, ensure_ascii=False, indent=2)],
        ["Code", code],
    ]
    if page.grade:
        rows.append(["Judge", f"{page.grade.judge.party} {_json(page.grade.judge.settings)} key {page.grade.judge_key}"])
    if page.trace.recording:
        rows.append(["Recording PCM SHA-256", page.trace.recording.pcm_sha256])
    return rows
