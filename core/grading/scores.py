"""From items to scores: P = 100 * sum(w r) / sum(w) per pillar and case; overall is the mean of both pillars."""

from __future__ import annotations

from collections.abc import Iterable

from core.schemas.base import Pillar
from core.schemas.grade import Item, PillarScore, Rating, Status


def rating_value(rating: Rating) -> float:
    """A rating of 1 to 5 as a value of 0 to 1: (rating - 1) / 4."""
    return (rating - 1) / 4


def score_items(items: Iterable[Item]) -> PillarScore:
    """Points, maximum and score of any set of items; not applicable and unjudged items enter neither side.

    The score is null where nothing was scored, the coverage where nothing applies: never 0 for want of an answer.
    """
    points = maximum = applicable = 0.0
    for item in items:
        if item.status is Status.NOT_APPLICABLE:
            continue
        applicable += item.importance
        if item.status is Status.SCORED and item.value is not None:
            maximum += item.importance
            points += item.importance * item.value
    return PillarScore(
        score=100.0 * points / maximum if maximum else None,
        points=points,
        max_points=maximum,
        applicable=applicable,
        coverage=maximum / applicable if applicable else None,
    )


def score_pillars(items: Iterable[Item]) -> dict[Pillar, PillarScore]:
    """Both pillars of one case."""
    kept = tuple(items)
    return {pillar: score_items(item for item in kept if item.diagnostic.pillar is pillar) for pillar in Pillar}


def overall_score(pillars: dict[Pillar, PillarScore]) -> float | None:
    """Mean of both pillars; null where one is null."""
    task, conversation = pillars[Pillar.TASK].score, pillars[Pillar.CONVERSATION].score
    return None if task is None or conversation is None else (task + conversation) / 2
