"""Labels that people gave to graded items, and how far judges agree with them and among themselves."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.schemas.base import Diagnostic, Model, Sha256
from core.schemas.grade import Label, Rating


class HumanLabel(Model):
    """What one person says of one item of one call: exactly one of label, rating and not applicable."""

    case: str
    """Case name, `<scenario>--<condition>--r<repeat>`."""
    item: str
    """Id of an action or criterion, or a diagnostic's name for a built-in rating."""
    label: Label | None = None
    """For an action or criterion."""
    rating: Rating | None = None
    """For a built-in rating."""
    not_applicable: bool = False
    """The item does not apply to this call."""
    labeller: Annotated[str, Field(min_length=1)]
    """Who says so."""
    note: str = ""
    """Why, for people who read the file."""

    @model_validator(mode="after")
    def _one(self) -> HumanLabel:
        if (self.label is not None) + (self.rating is not None) + self.not_applicable != 1:
            raise ValueError("give exactly one of label, rating and not_applicable")
        return self


class LabelFile(Model):
    """Labels that people gave to the calls of a run, as YAML or JSON."""

    format: Literal["ringback-labels-1"] = "ringback-labels-1"
    """Version of this format."""
    traces: dict[str, Sha256] = {}
    """Case name to the identity of the trace that was labelled; where given, labels are refused for any other call."""
    labels: Annotated[tuple[HumanLabel, ...], Field(min_length=1)]
    """The labels."""

    @model_validator(mode="after")
    def _once(self) -> LabelFile:
        counts = Counter((label.labeller, label.case, label.item) for label in self.labels)
        twice = next((key for key, count in counts.items() if count > 1), None)
        if twice is not None:
            raise ValueError(f"{twice[0]!r} labels {twice[2]!r} of {twice[1]!r} more than once")
        return self


class Weights(StrEnum):
    """How much a disagreement of two raters weighs for kappa."""

    NOMINAL = "nominal"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


class Metric(StrEnum):
    """How far two values are apart for alpha."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Scale(StrEnum):
    """What raters choose from."""

    LABEL = "label"
    RATING = "rating"


class Raters(StrEnum):
    """Who agrees with whom."""

    JUDGE = "judge"
    """The judge with the people: criteria and ratings."""
    PROGRAM = "program"
    """The grading program with the people: actions."""
    PEOPLE = "people"
    """The people among themselves: what a judge could reach at best."""
    VOTES = "votes"
    """Several judges, or several votes of one, among themselves."""


class Estimated(Model):
    """A measure of agreement, at most 1; 0 is what chance would give."""

    value: float | None
    """The measure; null where nothing could disagree, since only one value was ever given."""
    low: float | None = None
    """Lower end of the 95 % hierarchical bootstrap interval over cases; null for fewer than two scenarios."""
    high: float | None = None
    """Upper end."""


class AgreementRow(Model):
    """Agreement of some raters on some items."""

    raters: Raters
    """Who agrees with whom."""
    scale: Scale
    """What they choose from."""
    diagnostic: Diagnostic | None
    """Items of this diagnostic; null for all."""
    n: int
    """Items that at least two raters gave a value."""
    cases: int
    """Calls these items are in."""
    agreement: Estimated
    """Share of pairs of values that are equal; chance is not taken off."""
    kappa: dict[Weights, Estimated] = {}
    """Cohen's kappa, where there are two raters; beyond nominal over the items both found applicable."""
    alpha: dict[Metric, Estimated]
    """Krippendorff's alpha; beyond nominal over the items found applicable."""
    values: tuple[str, ...]
    """The values in order, as in the rows and columns of the table."""
    confusion: tuple[tuple[int, ...], ...] = ()
    """Where there are two raters: how often the people (rows) said this where the judge (columns) said that."""


class Agreement(Model):
    """`grades/<judge key>/agreement.json`: how far a judge agrees with people, people among themselves, votes with votes."""

    format: Literal["ringback-agreement-1"] = "ringback-agreement-1"
    """Version of this format."""
    judge: str
    """The judge."""
    judge_key: str
    """Hash of judge, settings, prompts."""
    labels_sha256: Sha256 | None = None
    """Hash of the label file; null where only votes are compared."""
    labellers: tuple[str, ...] = ()
    """Who labelled."""
    left_out: dict[str, int] = {}
    """Reason to number of labelled items that are not compared."""
    rows: tuple[AgreementRow, ...]
    """All items first, then diagnostic by diagnostic."""
