"""The judge's side of the seam."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from core.grading.views import ConversationView, TaskView
from core.schemas.call_trace import PartyRecord
from core.schemas.checks import Check
from core.schemas.grade import Judgement, JudgeReply, Vote
from core.schemas.usage import Usage


@dataclass(frozen=True)
class Judged:
    """A judge's answer with what it took to get it."""

    judgements: tuple[Judgement, ...]
    """What it says."""
    faults: Mapping[str, str] = field(default_factory=dict)
    """Item id to why no judgement of it could be read; it is asked for once more."""
    settled: Mapping[str, str] = field(default_factory=dict)
    """Item id to why there is no judgement of it and asking again would not give one."""
    replies: tuple[JudgeReply, ...] = ()
    """The replies as they came."""
    votes: tuple[Vote, ...] = ()
    """The votes behind the judgements, where there are several."""
    usage: Usage | None = None
    """What it cost; None where no model was asked."""


class Judge(Protocol):
    """Judges criteria and conversation ratings from a view; one object may judge several calls at once.

    An item a judge returns nothing for is `unjudged`. A faulty judgement (label for rating, no reason, evidence that is not
    in the trace) is asked for once more, on a view whose `rejections` say what was wrong, and is unjudged after that.
    """

    def record(self) -> PartyRecord:
        """The party with all its settings and prompt hashes."""
        ...

    def judge_task(self, view: TaskView, seed: int) -> tuple[Judgement, ...] | Judged:
        """Labels for the task criteria."""
        ...

    def judge_conversation(self, view: ConversationView, seed: int) -> tuple[Judgement, ...] | Judged:
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
