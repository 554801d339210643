"""Deterministic checks, decided on a judge's view: a verdict with its reason and the messages that show it.

Speech is searched, not matched whole: `contains` compares normalised words unless it says otherwise, `regex` may match
anywhere. The speech of a message that carries a tool call counts as before that call. The caller's words are the intended
ones, one text per turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from core.grading.resolving import NO_REFERENCES
from core.grading.sentences import is_question, right_language, sentences
from core.grading.views import CallView, ConversationView, MessageView, TaskView
from core.matchers.evaluate import describe, evaluate, match_arguments
from core.schemas.call_trace import Role
from core.schemas.checks import (
    AllChecks,
    AnyCheck,
    AskedTimesBody,
    Called,
    CalledBody,
    Check,
    CheckRule,
    LanguageBody,
    LastSpeech,
    LastSpeechBody,
    Moment,
    NotCheck,
    ResultBody,
    ResultCheck,
    Said,
    SaidBody,
    Speaker,
)
from core.schemas.checks import AskedTimes as AskedTimesRule
from core.schemas.grade import Label
from core.schemas.matchers import All, AnyOf, Compare, Contains, Matcher, Not

View = TaskView | ConversationView
"""What a check is decided on."""


class CheckVerdict(NamedTuple):
    """Whether a check holds, why, and the messages that show it."""

    ok: bool
    reason: str
    evidence: tuple[int, ...] = ()


class LabelVerdict(NamedTuple):
    """The label a check gives, None where it does not apply, why, and the messages that show it."""

    label: Label | None
    reason: str
    evidence: tuple[int, ...]


def label_by_check(check: Check, view: View) -> LabelVerdict:
    """None where `applies` does not hold, else met, partial or not met as the first rule that holds says. References resolved."""
    if check.applies is not None:
        occasion = evaluate_check(check.applies, view)
        if not occasion.ok:
            return LabelVerdict(None, f"no occasion: {occasion.reason}", occasion.evidence)
    met = evaluate_check(check.met, view)
    if met.ok:
        return LabelVerdict(Label.MET, met.reason, met.evidence)
    if check.partial is not None:
        partial = evaluate_check(check.partial, view)
        if partial.ok:
            return LabelVerdict(Label.PARTIAL, f"not met: {met.reason}; partly: {partial.reason}", partial.evidence)
    return LabelVerdict(Label.NOT_MET, met.reason, met.evidence)


def evaluate_check(rule: CheckRule, view: View) -> CheckVerdict:
    """Whether one check holds on a view. References must be resolved."""
    match rule:
        case Said():
            return _said(rule.said, view)
        case Called():
            return _called(rule.called, view)
        case ResultCheck():
            return _result(rule.result, view)
        case AskedTimesRule():
            return _asked_times(rule.asked_times, view)
        case LastSpeech():
            return _last_speech(rule.last_speech, view)
        case AllChecks():
            return _combined([evaluate_check(item, view) for item in rule.all], all)
        case AnyCheck():
            return _combined([evaluate_check(item, view) for item in rule.any], any)
        case NotCheck():
            inner = evaluate_check(rule.not_, view)
            return CheckVerdict(not inner.ok, f"ruled out: {inner.reason}" if inner.ok else inner.reason, inner.evidence)
        case _:
            return _language(rule.language, view)


def agent_speech(view: View) -> list[MessageView]:
    """The agent's messages that sound, in order."""
    return [message for message in view.messages if message.role is Role.AGENT and message.content.strip()]


def _said(body: SaidBody, view: View) -> CheckVerdict:
    matcher = _for_speech(body.matcher)
    who, wanted = body.role.value, describe(matcher, NO_REFERENCES)
    where = _where(body)
    if body.after is not None and _start_of(body.after, view) is None:
        return CheckVerdict(False, f"the {who} said nothing{where}, since that moment never came")
    for index, text in _speech_of(body.role, view):
        if _in_window(index, body, view) and evaluate(matcher, text, NO_REFERENCES, search=True).ok:
            return CheckVerdict(True, f"the {who} said {wanted}{where}", (index,))
    return CheckVerdict(False, f"the {who} did not say {wanted}{where}")


def _speech_of(role: Speaker, view: View) -> Iterator[tuple[int, str]]:
    if role is Speaker.AGENT:
        yield from ((message.index, message.content) for message in agent_speech(view))
    else:
        yield from ((message.index, message.intended) for message in view.messages if message.intended is not None)


def _in_window(index: int, body: SaidBody, view: View) -> bool:
    if body.before is not None:
        start = _start_of(body.before, view)
        if start is not None and not (index < start or (index == start and body.before.tool is not None)):
            return False
    if body.after is not None:
        end = _end_of(body.after, view)
        if end is None or index <= end:
            return False
    return True


def _start_of(moment: Moment, view: View) -> int | None:
    """Index of the message that carries the tool's first call, or of the turn's first fragment; None if it never came."""
    if moment.tool is not None:
        return next((call.message for call in _calls_to(moment.tool, view)), None)
    return next((message.index for message in view.messages if message.turn == moment.turn), None)


def _end_of(moment: Moment, view: View) -> int | None:
    if moment.tool is not None:
        return _start_of(moment, view)
    return max((message.index for message in view.messages if message.turn == moment.turn), default=None)


def _where(body: SaidBody) -> str:
    parts = []
    for word, moment in (("before", body.before), ("after", body.after)):
        if moment is not None:
            parts.append(f" {word} " + (f"the call to {moment.tool!r}" if moment.tool else f"caller turn {moment.turn}"))
    return "".join(parts)


def _called(body: CalledBody, view: View) -> CheckVerdict:
    closest = f"no call to {body.tool!r}"
    evidence: tuple[int, ...] = ()
    for call in _calls_to(body.tool, view):
        if not isinstance(call.arguments, dict):
            closest, evidence = f"the arguments of the call to {body.tool!r} are no object", (call.message,)
            continue
        results = match_arguments(body.args, call.arguments, NO_REFERENCES)
        wrong = [f"{result.argument}: {result.reason}" for result in results if not result.ok]
        if not wrong:
            return CheckVerdict(True, f"{body.tool!r} was called", (call.message,))
        closest, evidence = f"the call to {body.tool!r} differs: {'; '.join(wrong)}", (call.message,)
    return CheckVerdict(False, closest, evidence)


def _result(body: ResultBody, view: View) -> CheckVerdict:
    reason = f"no result of {body.tool!r}"
    evidence: tuple[int, ...] = ()
    for call in _calls_to(body.tool, view):
        verdict = evaluate(body.matcher, dict(call.result), NO_REFERENCES)
        if verdict.ok:
            return CheckVerdict(True, f"{body.tool!r} returned {describe(body.matcher, NO_REFERENCES)}", (call.result_message,))
        reason, evidence = f"result of {body.tool!r}: {verdict.reason}", (call.result_message,)
    return CheckVerdict(False, reason, evidence)


def _calls_to(tool: str, view: View) -> list[CallView]:
    return [call for call in view.calls if call.tool == tool and not call.refused]


def _asked_times(body: AskedTimesBody, view: View) -> CheckVerdict:
    wanted = [Contains(contains=words, compare=Compare.NORMALIZED) for words in body.phrases]
    asked = tuple(
        message.index
        for message in agent_speech(view)
        if any(
            is_question(sentence) and any(evaluate(matcher, sentence, NO_REFERENCES).ok for matcher in wanted)
            for sentence in sentences(message.content)
        )
    )
    reason = f"asked for {body.fact} {len(asked)} time{'' if len(asked) == 1 else 's'}, at most {body.max} allowed"
    return CheckVerdict(len(asked) <= body.max, reason, asked)


def _language(body: LanguageBody, view: View) -> CheckVerdict:
    wrong = tuple(message.index for message in agent_speech(view) if not right_language(message.content, body.code))
    if not agent_speech(view):
        return CheckVerdict(False, "the agent never spoke")
    return CheckVerdict(not wrong, f"{len(wrong)} messages are not in {body.code!r}" if wrong else f"all in {body.code!r}", wrong)


def _last_speech(body: LastSpeechBody, view: View) -> CheckVerdict:
    spoken = agent_speech(view)
    if not spoken:
        return CheckVerdict(False, "the agent never spoke")
    verdict = evaluate(_for_speech(body.matcher), spoken[-1].content, NO_REFERENCES, search=True)
    return CheckVerdict(verdict.ok, f"last speech: {verdict.reason}", (spoken[-1].index,))


def _for_speech(matcher: Matcher) -> Matcher:
    match matcher:
        case Contains(compare=None, kind=None):
            return Contains(contains=matcher.contains, compare=Compare.NORMALIZED)
        case All():
            return All(all=tuple(_for_speech(item) for item in matcher.all))
        case AnyOf():
            return AnyOf(any=tuple(_for_speech(item) for item in matcher.any))
        case Not():
            return Not.model_validate({"not": _for_speech(matcher.not_)})
        case _:
            return matcher


def _combined(verdicts: Sequence[CheckVerdict], fold: Callable[[Iterator[bool]], bool]) -> CheckVerdict:
    ok = fold(verdict.ok for verdict in verdicts)
    relevant = [verdict for verdict in verdicts if verdict.ok == ok]
    evidence = tuple(sorted({index for verdict in relevant for index in verdict.evidence}))
    return CheckVerdict(ok, "; ".join(verdict.reason for verdict in relevant), evidence)
