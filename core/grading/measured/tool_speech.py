"""Tool speech: the caller hears what is being done, hears the result, and no failure is announced as success."""

from __future__ import annotations

import re

from pydantic import JsonValue

from core.grading.measured.english import CLAIM, DENIAL
from core.grading.measured.turns import AgentTurnView, agent_turns
from core.grading.sentences import sentences
from core.grading.views import ConversationView
from core.schemas.base import Diagnostic
from core.schemas.grade import Judgement

_STATUS_KEYS = ("status", "outcome", "result", "state")
_SUCCESS_KEYS = ("ok", "success", "succeeded", "accepted", "recorded", "booked")
_FAILURE_WORDS = frozenset(
    """fail failed failure error invalid not none rejected declined denied unavailable unknown mismatch timeout busy refused
    implausible missing cannot unable unsuccessful""".split()
)


def rate_tool_speech(view: ConversationView) -> Judgement | None:
    """Rate speech around tool calls; None for languages whose claims it cannot read, not applicable without a call."""
    if view.language.split("-")[0] != "en":
        return None
    name = Diagnostic.TOOL_SPEECH.value
    waits = [turn for turn in agent_turns(view) if turn.calls]
    if not waits:
        return Judgement(id=name, not_applicable=True, reason="no tool was called")
    silent = [turn for turn in waits if not _announced(turn)]
    owed = [turn for turn in waits if not turn.calls[-1].ended_call]
    untold = [turn for turn in owed if not _told(turn)]
    false = [index for turn in waits for index in _false_claims(turn)]
    if false:
        reason = f"{len(false)} messages announce success after a failed result"
        return Judgement(id=name, rating=1, reason=reason, evidence=tuple(false))
    share = 1 - (len(silent) + len(untold)) / (len(waits) + len(owed))
    reason = (
        f"{len(silent)} of {len(waits)} waits began in silence, {len(untold)} of {len(owed)} results were not followed by speech"
    )
    marked = [turn.calls[0].message for turn in silent] + [turn.calls[-1].result_message for turn in untold]
    evidence = tuple(sorted(set(marked or [turn.calls[0].message for turn in waits])))
    return Judgement(id=name, rating=1 + int(4 * share), reason=reason, evidence=evidence)


def failed_result(result: dict[str, JsonValue]) -> bool:
    """Whether a returned object says that the tool did not do it: an error, a false success flag, a status of failure."""
    if result.get("error"):
        return True
    if any(result.get(key) is False for key in _SUCCESS_KEYS):
        return True
    statuses = [value.casefold() for key in _STATUS_KEYS if isinstance(value := result.get(key), str)]
    return any(status == "taken" or _FAILURE_WORDS & set(re.findall(r"[a-z]+", status)) for status in statuses)


def _announced(turn: AgentTurnView) -> bool:
    """Some speech stands with or before the turn's first call: a chain of calls is one wait."""
    return any(message.index <= turn.calls[0].message for message in turn.speech)


def _told(turn: AgentTurnView) -> bool:
    """Some speech stands after the turn's last result."""
    return any(message.index > turn.calls[-1].result_message for message in turn.speech)


def _false_claims(turn: AgentTurnView) -> list[int]:
    """Messages that announce success when nothing but failures had come back in this turn."""
    found = []
    for message in turn.speech:
        before = [call for call in turn.calls if call.result_message < message.index]
        if (
            before
            and all(failed_result(call.result) for call in before)
            and any(_claims(sentence) for sentence in sentences(message.content))
        ):
            found.append(message.index)
    return found


def _claims(sentence: str) -> bool:
    return CLAIM.search(sentence) is not None and DENIAL.search(sentence) is None
