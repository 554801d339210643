"""Asking a judge and checking what it says before it counts: one second attempt for what is wrong, then unjudged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from core.grading.views import ConversationView, TaskView
from core.schemas.grade import Judgement
from core.seeds import derive

_View = TypeVar("_View", TaskView, ConversationView)


@dataclass(frozen=True)
class Answers:
    """What a judge said of the items it was asked about."""

    valid: Mapping[str, Judgement]
    """Item id to a judgement that may count."""
    faults: Mapping[str, str]
    """Item id to what was wrong, twice, with its judgements."""


def ask(method: Callable[[_View, int], Iterable[Judgement]], view: _View, seed: int, indices: frozenset[int]) -> Answers:
    """Ask a judge for every item of a view; judgements of items it was not asked about are ignored.

    `indices` are the message indices of the trace. A faulty judgement is asked for once more, on a view that holds only the
    faulty items and says what was wrong, with another seed.
    """
    if not _ids(view):
        return Answers({}, {})
    valid, faults = _checked(method(view, seed), view, indices)
    if faults:
        again = view.second_attempt(faults)
        late, faults = _checked(method(again, derive(seed, "again")), again, indices)
        valid |= late
    return Answers(valid, faults)


def judgement_fault(judgement: Judgement, is_rating: bool, indices: frozenset[int]) -> str | None:
    """What is wrong with a judgement, or None: it needs its label or rating and no other, a reason, and real evidence."""
    wanted, other = ("rating", "label") if is_rating else ("label", "rating")
    if getattr(judgement, other) is not None:
        return f"a {other} where a {wanted} is asked for"
    if judgement.not_applicable == (getattr(judgement, wanted) is not None):
        return f"both a {wanted} and not applicable" if judgement.not_applicable else f"no {wanted}"
    if not judgement.reason.strip():
        return "no reason"
    unknown = sorted(set(judgement.evidence) - indices)
    return f"evidence {unknown} is not in the trace" if unknown else None


def _ids(view: TaskView | ConversationView) -> dict[str, bool]:
    """Item id to whether it is a rating."""
    ratings = view.ratings if isinstance(view, ConversationView) else ()
    return {criterion.id: False for criterion in view.criteria} | {diagnostic.value: True for diagnostic in ratings}


def _checked(
    judgements: Iterable[Judgement], view: TaskView | ConversationView, indices: frozenset[int]
) -> tuple[dict[str, Judgement], dict[str, str]]:
    ids = _ids(view)
    valid: dict[str, Judgement] = {}
    faults: dict[str, str] = {}
    seen: set[str] = set()
    for judgement in judgements:
        if judgement.id not in ids:
            continue
        fault = judgement_fault(judgement, ids[judgement.id], indices)
        if judgement.id in seen:
            valid.pop(judgement.id, None)
            fault = "judged twice"
        seen.add(judgement.id)
        if fault is None:
            valid[judgement.id] = judgement
        else:
            faults[judgement.id] = fault
    return valid, faults
