"""`offline:rules`: a judge that is a program. It decides what can be measured and leaves the rest unjudged."""

from __future__ import annotations

from collections.abc import Iterator

from core.grading.checks import View, label_by_check
from core.grading.measured.ratings import MEASURED, RULES_VERSION
from core.grading.views import ConversationView, TaskView
from core.schemas.call_trace import PartyRecord
from core.schemas.grade import Judgement


class RulesJudge:
    """Labels criteria by their `check` and rates conversations by measurable rules; needs no model and no seed."""

    def record(self) -> PartyRecord:
        """The party; its rules have one version."""
        return PartyRecord(party="offline:rules", settings={"rules": RULES_VERSION})

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        """Labels of the task criteria that carry a check."""
        del seed
        return tuple(_by_check(view))

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        """Ratings that can be measured, and labels of the conversation criteria that carry a check."""
        del seed
        ratings = (MEASURED[diagnostic](view) for diagnostic in view.ratings)
        return (*(rating for rating in ratings if rating is not None), *_by_check(view))


def _by_check(view: View) -> Iterator[Judgement]:
    for criterion in view.criteria:
        if criterion.check is not None:
            label, reason, evidence = label_by_check(criterion.check, view)
            yield Judgement(id=criterion.id, label=label, reason=reason, evidence=evidence)
