"""The judge's side of the seam."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from core.grading.views import ConversationView, TaskView
from core.schemas.call_trace import PartyRecord
from core.schemas.checks import Check
from core.schemas.grade import Judgement


class Judge(Protocol):
    """Judges criteria and conversation ratings from a view.

    An item a judge returns nothing for is `unjudged`. A faulty judgement (label for rating, no reason, evidence that is not
    in the trace) is asked for once more, on a view whose `rejections` say what was wrong, and is unjudged after that.
    """

    def record(self) -> PartyRecord:
        """The party with all its settings and prompt hashes."""
        ...

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...]:
        """Labels for the task criteria."""
        ...

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...]:
        """Ratings for the built-in diagnostics and labels for the conversation criteria."""
        ...


@runtime_checkable
class ProgramJudge(Judge, Protocol):
    """A judge that is a program: it is handed the scenario's checks, which no model may see.

    Checks carry values of the brief and of the hidden state, so they come beside the views and never inside them.
    """

    def with_checks(self, checks: Mapping[str, Check]) -> Judge:
        """The same judge for one call; `checks` maps a criterion's id to its check, references resolved."""
        ...
