"""The judge's side of the seam."""

from __future__ import annotations

from typing import Protocol

from core.grading.views import ConversationView, TaskView
from core.schemas.call_trace import PartyRecord
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
