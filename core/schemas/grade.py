"""A grade: every item judged on one trace, two pillars, and the judgements behind them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from core.schemas.base import Condition, Diagnostic, Importance, Model, Pillar, Sha256
from core.schemas.call_trace import CodeVersion, MatcherResult, PartyRecord
from core.schemas.usage import Usage


class Label(StrEnum):
    """Outcome of an action or criterion."""

    MET = "met"
    PARTIAL = "partial"
    NOT_MET = "not_met"


LABEL_VALUE = {Label.MET: 1.0, Label.PARTIAL: 0.5, Label.NOT_MET: 0.0}

Rating = Annotated[int, Field(ge=1, le=5)]
"""A conversation rating: 5 best; its value is (rating - 1) / 4."""


class Judgement(Model):
    """What a judge says of one criterion or rating."""

    id: str
    """Criterion id, or the diagnostic's name for a built-in rating."""
    label: Label | None = None
    """For a criterion."""
    rating: Rating | None = None
    """For a built-in rating."""
    not_applicable: bool = False
    """The item does not apply to this call."""
    reason: str
    """Why, in a sentence."""
    evidence: tuple[int, ...] = ()
    """Message indices that show it; each must exist in the trace."""


class View(StrEnum):
    """What a judge was shown."""

    TASK = "task"
    CONVERSATION = "conversation"


class JudgeReply(Model):
    """One reply of a judge's model, as it came."""

    view: View
    """What it was shown."""
    vote: int = Field(default=0, ge=0)
    """Whose: position among the judges and their votes, counted from 0."""
    attempt: Literal[1, 2] = 1
    """The second attempt asks again for what was wrong in the first."""
    items: tuple[str, ...]
    """Ids of the items it was asked about."""
    raw: str
    """The reply's words."""
    attempts: tuple[str, ...] = ()
    """Requests that failed before this reply came, each with the reason."""
    faults: dict[str, str] = {}
    """Item id to what was wrong with its judgement."""


class Vote(Model):
    """What one of several judges, or one of several votes of a judge, said of one item."""

    vote: int = Field(ge=0)
    """Position among the judges and their votes, counted from 0."""
    party: str
    """The judge."""
    item: str
    """Item id."""
    judgement: Judgement | None
    """Its judgement; null where it gave none that may count."""
    fault: str | None = None
    """What was wrong, twice, where it gave one that may not."""


class Source(StrEnum):
    """Where an item comes from."""

    ACTION = "action"
    STATE = "state"
    CRITERION = "criterion"
    RATING = "rating"


class Status(StrEnum):
    """Whether an item counts."""

    SCORED = "scored"
    NOT_APPLICABLE = "not_applicable"
    UNJUDGED = "unjudged"


class Item(Model):
    """One graded item."""

    id: str
    """Action or criterion id, or a diagnostic's name."""
    source: Source
    """Action, criterion or built-in rating."""
    diagnostic: Diagnostic
    """The diagnostic it feeds, and by it the pillar."""
    importance: Importance
    """Weight."""
    status: Status
    """Whether it counts."""
    label: Label | None = None
    """Outcome of an action or criterion."""
    rating: Rating | None = None
    """Outcome of a built-in rating."""
    value: float | None = Field(default=None, ge=0.0, le=1.0)
    """Outcome between 0 and 1; null unless scored."""
    reason: str
    """Why."""
    evidence: tuple[int, ...] = ()
    """Message indices."""
    tool_events: tuple[int, ...] = ()
    """For an action: indices of the tool events that count for it; where it is not met, of the closest call."""
    matchers: tuple[MatcherResult, ...] = ()
    """For an action not met: the matcher results of the closest call."""


class PillarScore(Model):
    """One pillar of one case."""

    score: float | None
    """100 * points / max_points; null where nothing was scored."""
    points: float
    """Sum of importance * value over scored items."""
    max_points: float
    """Sum of importance over scored items."""
    applicable: float
    """Sum of importance over applicable items, judged or not."""
    coverage: float | None
    """max_points / applicable; null where nothing is applicable."""


class Grade(Model):
    """`grades/<judge key>/<case>.json`: one trace, graded."""

    format: Literal["ringback-grade-1"] = "ringback-grade-1"
    """Version of this format."""
    trace_sha256: Sha256
    """Identity of the trace."""
    bundle_hash: Sha256
    """The bundle it was graded against."""
    scenario: str
    """Scenario id."""
    agent: str
    """Agent id."""
    condition: Condition
    """The line."""
    repeat: int
    """Repeat, counted from 0."""
    judge: PartyRecord
    """The judge with its full settings."""
    judge_key: str
    """Hash of judge, settings and prompts; names the folder."""
    code: CodeVersion | None = None
    """The code that graded; null where it was not told."""
    items: tuple[Item, ...]
    """Every item, graded or not."""
    pillars: dict[Pillar, PillarScore]
    """Both pillars."""
    overall: float | None
    """Mean of both pillars; null where one is null."""
    replies: tuple[JudgeReply, ...] = ()
    """Every reply of the judge's models, as it came; empty for judges that are programs."""
    votes: tuple[Vote, ...] = ()
    """Every vote on every item, where there was more than one judge or vote."""
    usage: Usage | None = None
    """What judging cost; null for judges that are programs."""
