"""A small made-up run for the report's tests: the summary over the sample calls, and the same run with hostile text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel

from core.report.page import CasePage
from core.schemas.base import Condition, Diagnostic, Pillar, sha256
from core.schemas.call_trace import Trace
from core.schemas.grade import Grade
from core.schemas.hearing import ErrorRate, KnownValueReport, TurnHearing, ValueAccuracy
from core.schemas.run import Attribution, CaseSummary, ConditionSummary, Paired, Score, Signature, SuccessRate, Summary
from tests.core.report_calls import CALLS, CODE, LINES, Call, sample_grade, sample_trace, tones, trace_hash


def _case(call: Call, trace: Trace, grade: Grade) -> CaseSummary:
    condition = trace.header.condition
    right = call.heard[condition] == call.value
    hearing = []
    for turn in trace.caller_turns:
        heard = " ".join(fragment.text for fragment in turn.heard)
        wrong = sum(a != b for a, b in zip(turn.intended.split(), heard.split(), strict=False))
        size = len(turn.intended.split())
        number = turn.turn == 2
        rate = ErrorRate(rate=wrong / size, substitutions=wrong, reference=size, raw=wrong / size, normaliser="en-1")
        hearing.append(
            TurnHearing(
                turn=turn.turn,
                messages=tuple(fragment.message for fragment in turn.heard),
                intended=turn.intended,
                heard=heard,
                wer=rate,
                cer=rate,
                damaged=("account_no_1",) if number and not right else (),
                values=int(number),
            )
        )
    wrong, size = sum(turn.wer.substitutions for turn in hearing), sum(turn.wer.reference for turn in hearing)
    rate = ErrorRate(rate=wrong / size, substitutions=wrong, reference=size, raw=wrong / size + 0.05, normaliser="en-1")
    transcribed = condition is Condition.ASR
    return CaseSummary(
        case=f"{call.scenario}--{condition.value}--r0",
        scenario=call.scenario,
        agent=call.agent,
        condition=condition,
        repeat=0,
        end=trace.end.value,
        trace_sha256=trace_hash(trace),
        scores={pillar: score.score for pillar, score in grade.pillars.items()},
        overall=grade.overall,
        turns=len(trace.caller_turns),
        voice="joe",
        wer=rate if transcribed else None,
        cer=rate if transcribed else None,
        known_values=ValueAccuracy(rate=float(right), survived=int(right), occurring=1),
        hearing=tuple(hearing) if condition is not Condition.TEXT else (),
    )


def _mean(values: Sequence[float | None], spread: float = 6.0) -> Score:
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known)
    return Score(
        score=mean, low=max(0.0, mean - spread), high=min(100.0, mean + spread), points=mean * 0.4, max_points=40.0, coverage=0.93
    )


def _condition(condition: Condition, cases: Sequence[CaseSummary]) -> ConditionSummary:
    survived = sum(case.known_values.survived for case in cases)
    accuracy = ValueAccuracy(rate=survived / len(cases), survived=survived, occurring=len(cases))
    wer = ErrorRate(rate=0.058, substitutions=7, deletions=1, insertions=0, reference=138, raw=0.121, normaliser="en-1")
    asr = condition is Condition.ASR
    diagnostics: dict[Diagnostic, Score] = {
        name: _mean([case.scores[name.pillar] for case in cases], 9.0) for name in Diagnostic if name is not Diagnostic.MEMORY
    }
    diagnostics[Diagnostic.MEMORY] = Score(score=None)
    return ConditionSummary(
        n=len(cases),
        planned=len(cases) + (1 if asr else 0),
        dropped={"infrastructure": {"clip": 1}} if asr else {},
        ends={"tool_end": len(cases)},
        task=_mean([case.scores[Pillar.TASK] for case in cases], 9.0),
        conversation=_mean([case.scores[Pillar.CONVERSATION] for case in cases]),
        overall=_mean([case.overall for case in cases]),
        success=SuccessRate(rate=sum((case.overall or 0) >= 70 for case in cases) / len(cases), low=0.31, high=0.98),
        wer=wer if asr else None,
        cer=wer if asr else None,
        diagnostics=diagnostics,
        known_value_accuracy=KnownValueReport(
            **accuracy.model_dump(), by_kind={"digits": accuracy}, by_voice={"joe": accuracy} if asr else {}
        ),
    )


def _paired(a: Condition, b: Condition, cases: Sequence[CaseSummary], measure: str) -> Paired:
    def value(case: CaseSummary) -> float:
        return (case.overall if measure == "overall" else case.scores[Pillar(measure)]) or 0.0

    sides = {condition: {case.scenario: value(case) for case in cases if case.condition is condition} for condition in (a, b)}
    differences = {name: sides[a][name] - sides[b][name] for name in sides[a]}
    mean = sum(differences.values()) / len(differences)
    wins, losses = sum(d > 1e-9 for d in differences.values()), sum(d < -1e-9 for d in differences.values())
    return Paired(
        a=a.value,
        b=b.value,
        measure=measure,
        n=len(differences),
        mean=mean,
        low=mean - 11.0,
        high=mean + 12.5,
        wins=wins,
        losses=losses,
        ties=len(differences) - wins - losses,
        differences=differences,
    )


def _attribution(cases: Sequence[CaseSummary]) -> tuple[Attribution, ...]:
    calls = {call.scenario: call for call in CALLS}
    said_and_heard = [(case, calls[case.scenario].value, calls[case.scenario].heard[case.condition]) for case in cases]
    return tuple(
        Attribution(
            case=case.case,
            fact="account_no_1",
            said=said,
            heard=heard,
            action="verify_account_1",
            turn=2,
            message=3,
            clip="clips/003.flac",
            clip_sha256="0" * 64,
            tool_event=0,
            tool_message=4,
        )
        for case, said, heard in said_and_heard
        if said != heard
    )


def sample_run(recorded: bool = True) -> tuple[Summary, list[CasePage]]:
    """The whole made-up run: six scenarios of two agents under three conditions, tones as sound unless told otherwise."""
    pages, cases = [], []
    for call in CALLS:
        for condition in call.heard:
            trace = sample_trace(call, condition, recorded)
            grade = sample_grade(trace)
            case = _case(call, trace, grade)
            cases.append(case)
            pages.append(CasePage(case, trace, grade, tones(trace.recording) if trace.recording else None))
    conditions = {
        condition: _condition(condition, [case for case in cases if case.condition is condition]) for condition in LINES
    }
    slices = {
        "difficulty": {name: {c: _mean([70.0 + 4 * len(name)]) for c in LINES} for name in ("easy", "medium", "hard")},
        "agent": {
            agent: {c: _mean([case.overall for case in cases if case.agent == agent and case.condition is c]) for c in LINES}
            for agent in ("bank-desk", "clinic-desk")
        },
    }
    signature = Signature(
        bundle="frontdesk@1.0.0",
        bundle_hash=sha256("bundle"),
        caller="offline:scripted",
        candidate="offline:baseline",
        judge="offline:rules",
        judge_key="ab12cd34",
        seed=7,
        repeats=1,
        code=CODE,
        measures={"wer": "en-1", "bootstrap": "hierarchical-2000"},
        lines=LINES,
    )
    pairs = ((Condition.TEXT, Condition.ASR), (Condition.TEXT, Condition.AUTHORED))
    paired = tuple(_paired(a, b, cases, measure) for a, b in pairs for measure in ("overall", "task", "conversation"))
    return Summary(
        signature=signature,
        official=False,
        official_reasons=("the working tree has uncommitted changes",),
        conditions=conditions,
        paired=paired,
        attribution=_attribution(cases),
        slices=slices,
        cases=tuple(cases),
    ), pages


def poison(value: Any, payload: str) -> Any:
    """The same object with `payload` put before every free text in it; hashes, closed sets and case names stay as they are."""
    if isinstance(value, BaseModel):
        changed = {}
        for name, field in type(value).model_fields.items():
            held = getattr(value, name)
            fixed = field.metadata or (
                get_args(field.annotation) and isinstance(held, str) and held in get_args(field.annotation)
            )
            changed[name] = held if fixed or name in {"case", "scenario", "agent", "trace_sha256"} else poison(held, payload)
        return value.model_copy(update=changed)
    if type(value) is str:
        return payload + value
    if isinstance(value, tuple | list):
        return type(value)(poison(part, payload) for part in value)
    if isinstance(value, dict):
        return {poison(key, payload): poison(part, payload) for key, part in value.items()}
    return value


def poison_page(page: CasePage, payload: str) -> CasePage:
    """A case of the page with `payload` in every free text; its sound stays."""
    return CasePage(poison(page.summary, payload), poison(page.trace, payload), poison(page.grade, payload), page.audio)
