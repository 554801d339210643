"""`offline:rules`: a judge that is a program. It decides what can be measured and leaves the rest unjudged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.grading.checks import View, label_by_check
from core.grading.measured.ratings import MEASURED, RULES_VERSION
from core.grading.views import ConversationView, TaskView
from core.schemas.call_trace import PartyRecord
from core.schemas.checks import Check
from core.schemas.grade import Judgement


class RulesJudge:
    """Labels criteria by their `check` and rates conversations by measurable rules; needs no model and no seed."""

    def __init__(self, checks: Mapping[str, Check] | None = None) -> None:
        self._checks = checks or {}

    def with_checks(self, checks: Mapping[str, Check]) -> RulesJudge:
        """The judge of one call: `checks` maps a criterion's id to its check."""
        return RulesJudge(checks)

    def record(self) -> PartyRecord:
        """The party; its rules have one version."""
        return PartyRecord(party="offline:rules", settings={"rules": RULES_VERSION})

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        """Labels of the task criteria that carry a check."""
        del seed
        return tuple(self._by_check(view))

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        """Ratings that can be measured, and labels of the conversation criteria that carry a check."""
        del seed
        ratings = (MEASURED[diagnostic](view) for diagnostic in view.ratings)
        return (*(rating for rating in ratings if rating is not None), *self._by_check(view))

    def _by_check(self, view: View) -> Iterator[Judgement]:
        for criterion in view.criteria:
            check = self._checks.get(criterion.id)
            if check is not None:
                label, reason, evidence = label_by_check(check, view)
                absent = label is None
                yield Judgement(id=criterion.id, label=label, not_applicable=absent, reason=reason, evidence=evidence)
