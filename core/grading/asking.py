"""Asking a judge and checking what it says before it counts: one second attempt for what is wrong, then unjudged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from core.grading.judges import Judged
from core.grading.views import ConversationView, TaskView
from core.schemas.grade import Judgement, JudgeReply, Vote
from core.schemas.usage import Usage
from core.seeds import derive

REFUSED = "the judgement was refused twice"
_View = TypeVar("_View", TaskView, ConversationView)


@dataclass(frozen=True)
class Answers:
    """What a judge said of the items it was asked about."""

    valid: Mapping[str, Judgement]
    """Item id to a judgement that may count."""
    unjudged: Mapping[str, str]
    """Item id to why its judgements may not count; items the judge said nothing about are in neither."""
    replies: tuple[JudgeReply, ...] = ()
    """The replies of both attempts as they came, each with the faults found in it."""
    votes: tuple[Vote, ...] = ()
    """The votes behind the judgements, where there are several."""
    usage: Usage | None = None
    """What asking cost; None where no model was asked."""


def ask(method: Callable[[_View, int], tuple[Judgement, ...] | Judged], view: _View, seed: int) -> Answers:
    """Ask a judge for every item of a view; judgements of items it was not asked about are ignored.

    A faulty judgement is asked for once more, on a view that holds only the faulty items and says what was wrong, with
    another seed.
    """
    if not item_kinds(view):
        return Answers({}, {})
    first = _judged(method(view, seed))
    valid, faults = _checked(first, view)
    replies = _replies(first, 1, faults)
    settled = dict(first.settled)
    usage = first.usage
    if faults:
        again = view.second_attempt(faults)
        second = _judged(method(again, derive(seed, "again")))
        late, faults = _checked(second, again)
        valid |= late
        replies += _replies(second, 2, faults)
        settled |= second.settled
        usage = add_usage(usage, second.usage)
    refused = {name: f"{REFUSED}: {fault}" for name, fault in faults.items()}
    return Answers(valid, settled | refused, replies, first.votes, usage)


def judgement_fault(judgement: Judgement, is_rating: bool, indices: frozenset[int]) -> str | None:
    """What is wrong with a judgement, or None: it needs its label or rating and no other, a reason, and real evidence.

    `indices` are the messages that the judge was shown. Evidence may be empty: not every protocol asks for it.
    """
    wanted, other = ("rating", "label") if is_rating else ("label", "rating")
    if getattr(judgement, other) is not None:
        return f"a {other} where a {wanted} is asked for"
    if judgement.not_applicable == (getattr(judgement, wanted) is not None):
        return f"both a {wanted} and not applicable" if judgement.not_applicable else f"no {wanted}"
    if not judgement.reason.strip():
        return "no reason"
    unknown = sorted(set(judgement.evidence) - indices)
    return f"evidence {unknown} is not in the trace" if unknown else None


def item_kinds(view: TaskView | ConversationView) -> dict[str, bool]:
    """Id of every item of a view to whether it is a rating."""
    ratings = view.ratings if isinstance(view, ConversationView) else ()
    return {criterion.id: False for criterion in view.criteria} | {diagnostic.value: True for diagnostic in ratings}


def add_usage(one: Usage | None, other: Usage | None) -> Usage | None:
    """The sum of what was used; None only where neither asked a model."""
    if one is None or other is None:
        return one or other
    return one.plus(other)


def _judged(answer: tuple[Judgement, ...] | Judged) -> Judged:
    return answer if isinstance(answer, Judged) else Judged(tuple(answer))


def _checked(answer: Judged, view: TaskView | ConversationView) -> tuple[dict[str, Judgement], dict[str, str]]:
    kinds = item_kinds(view)
    instructions = {0} if isinstance(view, TaskView) else set()
    indices = frozenset(instructions | {message.index for message in view.messages})
    valid: dict[str, Judgement] = {}
    faults = {name: fault for name, fault in answer.faults.items() if name in kinds}
    seen = set(faults)
    for judgement in answer.judgements:
        if judgement.id not in kinds:
            continue
        fault = judgement_fault(judgement, kinds[judgement.id], indices)
        if judgement.id in seen:
            valid.pop(judgement.id, None)
            fault = "judged twice"
        seen.add(judgement.id)
        if fault is None:
            valid[judgement.id] = judgement
        else:
            faults[judgement.id] = fault
    return valid, faults


def _replies(answer: Judged, attempt: Literal[1, 2], faults: Mapping[str, str]) -> tuple[JudgeReply, ...]:
    """The replies with what was found wrong in each; those of a panel's seats know their own attempts and faults."""
    if answer.votes:
        return answer.replies
    return tuple(
        reply.model_copy(update={"attempt": attempt, "faults": {name: faults[name] for name in reply.items if name in faults}})
        for reply in answer.replies
    )
