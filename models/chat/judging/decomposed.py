"""The decomposed protocol: yes/no questions, made into a label or a rating by program.

For judges whose bare labels and ratings carry little but who can tell yes from no. Verdicts come before the reason, since a
small model's reasons pull its verdicts along.

A criterion is asked about in five questions, made from its statement and anchors. Its label is

1. the one anchor that was said to describe the call, if it is exactly one;
2. not applicable, if none was and there was no occasion;
3. else the best (the statement was said to hold) or the worst (it was not) of the anchors that were said to describe the call,
   or of all where none was.

A rating is asked about in four questions of fixed words and is 1 plus the number of good answers. Whether it applies is
counted, not asked: memory needs two caller turns, channel_recovery something that arrived otherwise than it was meant,
tool_speech a tool call, spoken_form and language a message with words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from pydantic import JsonValue

from core.grading.views import ConversationView, CriterionView, TaskView
from core.schemas.base import Diagnostic
from core.schemas.call_trace import Role
from core.schemas.grade import Judgement, Label
from models.chat.judging.reading import NUMBERS, SHOWN_NUMBERS, Request, one_of, read_answer, read_evidence, reply_schema
from models.chat.judging.rubric import rubric
from models.chat.naming import language_and_script
from models.chat.prompts import prompt

QUESTIONS = "judge-questions-1"
DECOMPOSED_VERSION = "decomposed-1"
"""Version of the criterion's questions, of both aggregations and of what applies; part of such a judge's record."""

_BEST_FIRST = (Label.MET, Label.PARTIAL, Label.NOT_MET)
_Verdict = Callable[[Mapping[str, bool]], Judgement]


def decomposed_requests(view: TaskView | ConversationView, rejected: str) -> tuple[list[Request], list[Judgement]]:
    """One request for each item that applies, and the judgements of ratings that do not."""
    requests = [_criterion(criterion, rejected) for criterion in view.criteria]
    absent: list[Judgement] = []
    if isinstance(view, ConversationView):
        language = language_and_script(view.language, view.script)
        for diagnostic in view.ratings:
            why = _why_absent(diagnostic, view)
            if why is None:
                requests.append(_rating(diagnostic, language, rejected))
            else:
                absent.append(Judgement(id=diagnostic.value, not_applicable=True, reason=why))
    return requests, absent


def criterion_label(answers: Mapping[str, bool]) -> Label | None:
    """The label that the answers to a criterion's five questions add up to; None for not applicable."""
    chosen = [label for label in _BEST_FIRST if answers[label.value]]
    if len(chosen) == 1:
        return chosen[0]
    if not chosen and not answers["occasion"]:
        return None
    return (chosen or _BEST_FIRST)[0 if answers["holds"] else -1]


def _criterion(criterion: CriterionView, rejected: str) -> Request:
    statement = json.dumps(criterion.statement, ensure_ascii=False)
    asked = {
        "occasion": f"Did the call come to a point where this could be kept or broken: {statement}?",
        "holds": f"Is this true of the agent in this call: {statement}?",
    } | {
        label.value: f"Does this describe the call: {json.dumps(getattr(criterion.anchors, label.value), ensure_ascii=False)}?"
        for label in _BEST_FIRST
    }

    def verdict(answers: Mapping[str, bool]) -> Judgement:
        label = criterion_label(answers)
        return Judgement(id=criterion.id, label=label, not_applicable=label is None, reason=_told(answers))

    return _request(criterion.id, asked, verdict, rejected)


def _rating(diagnostic: Diagnostic, language: str, rejected: str) -> Request:
    questions = rubric(diagnostic, language).questions

    def verdict(answers: Mapping[str, bool]) -> Judgement:
        good = sum(answers[question.key] == (question.good == "yes") for question in questions)
        return Judgement(id=diagnostic.value, rating=1 + good, reason=_told(answers))

    return _request(diagnostic.value, {question.key: question.ask for question in questions}, verdict, rejected)


def _request(name: str, asked: Mapping[str, str], verdict: _Verdict, rejected: str) -> Request:
    shape = dict.fromkeys(asked, "yes | no") | {"evidence": SHOWN_NUMBERS, "reason": "..."}
    text = prompt(QUESTIONS).fill(
        questions="\n".join(f"- {key}: {question}" for key, question in asked.items()),
        rejected=rejected,
        shape=json.dumps(shape),
    )
    answers: dict[str, JsonValue] = {key: one_of(("yes", "no")) for key in asked}
    schema = reply_schema(answers | {"evidence": NUMBERS, "reason": {"type": "string"}})

    def read(reply: Mapping[str, JsonValue]) -> tuple[list[Judgement], dict[str, str]]:
        """The judgement that the answers come to, or what is wrong with them."""
        try:
            judgement = verdict({key: read_answer(key, reply.get(key)) for key in asked})
            said = reply.get("reason")
            reason = f"{judgement.reason}: {said}" if isinstance(said, str) and said.strip() else judgement.reason
            evidence = read_evidence(reply.get("evidence"))
        except ValueError as error:
            return [], {name: str(error)}
        return [judgement.model_copy(update={"reason": reason, "evidence": evidence})], {}

    return Request((name,), text, schema, read)


def _told(answers: Mapping[str, bool]) -> str:
    return ", ".join(f"{key} {'yes' if answer else 'no'}" for key, answer in answers.items())


def _why_absent(diagnostic: Diagnostic, view: ConversationView) -> str | None:
    """Why a rating does not apply; None where it does."""
    caller = [message for message in view.messages if message.role is Role.CALLER]
    spoke = any(message.content.strip() for message in view.messages if message.role is Role.AGENT)
    match diagnostic:
        case Diagnostic.MEMORY if len({message.turn for message in caller}) < 2:
            return "the caller spoke fewer than two turns"
        case Diagnostic.CHANNEL_RECOVERY if all(message.intended == message.content for message in caller):
            return "everything arrived whole and as it was meant"
        case Diagnostic.TOOL_SPEECH if not view.calls:
            return "the agent called no tool"
        case Diagnostic.SPOKEN_FORM | Diagnostic.LANGUAGE if not spoke:
            return "the agent never spoke"
        case _:
            return None
