"""The holistic protocol: a label or a rating for each item, chosen against its written anchors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from pydantic import JsonValue

from core.grading.asking import item_kinds
from core.grading.views import ConversationView, CriterionView, TaskView
from core.schemas.base import Diagnostic
from core.schemas.grade import Judgement
from models.chat.judging.reading import LABELS, NUMBERS, RATINGS, SHOWN_NUMBERS, Request, one_of, read_verdict, reply_schema
from models.chat.judging.rubric import rubric
from models.chat.naming import language_and_script
from models.chat.prompts import prompt

VERDICTS = "judge-verdicts-1"
Per = Literal["view", "item"]


def holistic_requests(view: TaskView | ConversationView, rejected: str, per: Per) -> list[Request]:
    """One request for all items of the view, or one for each; `rejected` says what was wrong before, or is empty."""
    shown = {criterion.id: _criterion(criterion) for criterion in view.criteria}
    if isinstance(view, ConversationView):
        shown = {diagnostic.value: _rating(diagnostic, view) for diagnostic in view.ratings} | shown
    kinds = item_kinds(view)
    groups = [tuple(shown)] if per == "view" else [(name,) for name in shown]
    cites = isinstance(view, TaskView) or bool(view.messages)
    return [
        _request({name: shown[name] for name in group}, {name: kinds[name] for name in group}, rejected, cites)
        for group in groups
    ]


def _request(shown: Mapping[str, str], kinds: Mapping[str, bool], rejected: str, cites: bool) -> Request:
    shape = {
        name: {"reason": "...", "evidence": SHOWN_NUMBERS, "verdict": " | ".join(RATINGS if is_rating else LABELS)}
        for name, is_rating in kinds.items()
    }
    text = prompt(VERDICTS).fill(items="\n\n".join(shown.values()), rejected=rejected, shape=json.dumps(shape, indent=1))
    schema = reply_schema({name: _entry_schema(is_rating) for name, is_rating in kinds.items()})

    def read(reply: Mapping[str, JsonValue]) -> tuple[list[Judgement], dict[str, str]]:
        return _read(reply, kinds, cites)

    return Request(tuple(kinds), text, schema, read)


def _read(reply: Mapping[str, JsonValue], kinds: Mapping[str, bool], cites: bool) -> tuple[list[Judgement], dict[str, str]]:
    """Judgements and faults; `cites` says that there are messages to be named as evidence of whatever applies."""
    judgements: list[Judgement] = []
    faults: dict[str, str] = {}
    for name, is_rating in kinds.items():
        # Asked about one item only, some models leave its id out.
        entry = dict(reply) if len(kinds) == 1 and name not in reply and "verdict" in reply else reply.get(name)
        try:
            judgement = read_verdict(name, entry, is_rating)
            if cites and not judgement.evidence and not judgement.not_applicable:
                raise ValueError("no evidence: it lists the numbers of the messages that show it")
            judgements.append(judgement)
        except ValueError as error:
            faults[name] = str(error)
    return judgements, faults


def _entry_schema(is_rating: bool) -> dict[str, JsonValue]:
    return reply_schema({"reason": {"type": "string"}, "evidence": NUMBERS, "verdict": one_of(RATINGS if is_rating else LABELS)})


def _criterion(criterion: CriterionView) -> str:
    rests = [
        f"- It rests on these words of the instructions: {json.dumps(e.text, ensure_ascii=False)}" for e in criterion.excerpts
    ]
    anchors = criterion.anchors
    return "\n".join(
        [
            f"## {criterion.id}",
            "",
            criterion.statement,
            "",
            *rests,
            f"- met: {anchors.met}",
            f"- partial: {anchors.partial}",
            f"- not_met: {anchors.not_met}",
            "- not_applicable: the call gave no occasion for it",
        ]
    )


def _rating(diagnostic: Diagnostic, view: ConversationView) -> str:
    found = rubric(diagnostic, language_and_script(view.language, view.script))
    anchors = [f"- {rating}: {text}" for rating, text in found.anchors.items()]
    return "\n".join([f"## {diagnostic.value}", "", found.observes, "", *anchors, f"- not_applicable: {found.not_applicable}"])
