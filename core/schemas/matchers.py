"""Typed predicates on one value: the closed set that fixtures, success conditions, actions and checks are written in.

A matcher is an object with exactly one naming key (`equals`, `present`, ...) and options for how values are compared: as
text (`compare`) or as what they stand for (`kind`), with a `tolerance`, with `aliases`, or with lists in any order
(`unordered`). A value may be a reference: `$caller.facts.<key>` or `$state.<path>`; `$$` starts a literal `$`.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, Tag, field_validator, model_validator

from core.schemas.base import Model, one_of_keys
from core.spoken import Kind


class Compare(StrEnum):
    """How two texts are compared; without one they must be the same JSON value."""

    CASEFOLD = "casefold"
    DIGITS = "digits"
    NORMALIZED = "normalized"


class _Textual(Model):
    compare: Compare | None = None
    """`casefold` ignores case, `digits` compares digits only, `normalized` folds NFKC, case and spaces."""


class Tolerance(Model):
    """How far a number may be from the expected one; of two limits the wider counts, and each is still inside."""

    abs: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Largest difference."""
    rel: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Largest difference as a share of the expected number: 0.01 is one percent."""

    @model_validator(mode="after")
    def _has_a_limit(self) -> Tolerance:
        if self.abs is None and self.rel is None:
            raise ValueError("a tolerance needs abs or rel")
        return self


class _Read(_Textual):
    kind: Kind | None = None
    """Read both values as this kind, in any written or spoken form: a `date`, a `time`, `digits` or a `code` as spelled."""
    language: str | None = Field(default=None, pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")
    """With `kind`: BCP 47 tag of the words; the scenario's where not given. English is understood beside it."""
    now: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$")
    """With `kind`: the moment relative dates and missing years count from; the caller's where not given."""

    @field_validator("now")
    @classmethod
    def _real_moment(cls, now: str | None) -> str | None:
        if now is not None:
            datetime.fromisoformat(now)
        return now

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.kind is not None and self.compare is not None:
            raise ValueError("`compare` is for texts, `kind` for what they stand for: one of them")
        if self.kind is None and (self.language or self.now):
            raise ValueError("`language` and `now` belong to `kind`")
        return self


class _Valued(_Read):
    tolerance: Tolerance | None = None
    """How far numbers may be apart; texts count as numbers only with `kind: number` or `kind: money`."""
    unordered: bool = False
    """True: lists may hold their elements in any order, each element standing for one."""

    @model_validator(mode="after")
    def _for_numbers(self) -> Self:
        if self.tolerance is not None and (self.compare is not None or self.kind not in (None, Kind.NUMBER, Kind.MONEY)):
            raise ValueError("a tolerance is for numbers: without `compare`, and with no `kind` but number or money")
        return self


class Equals(_Valued):
    """The value equals this one; numbers by value (5 equals 5.0), booleans only booleans, text by `compare` or `kind`."""

    equals: JsonValue
    """The expected value or a reference to it."""
    aliases: tuple[JsonValue, ...] = ()
    """Other names of the same thing, compared alike, or references to them."""


class Present(Model):
    """The value is there and is not null."""

    present: Literal[True]
    """Always true."""


class Absent(Model):
    """The value is missing or null."""

    absent: Literal[True]
    """Always true."""


class OneOf(_Valued):
    """The value equals one of these."""

    one_of: Annotated[tuple[JsonValue, ...], Field(min_length=1)]
    """The allowed values or references to them."""


class Bounds(Model):
    """A closed numeric interval; at least one end is given."""

    min: float | str | None = None
    """Smallest allowed value, or a reference."""
    max: float | str | None = None
    """Largest allowed value, or a reference."""

    @model_validator(mode="after")
    def _has_an_end(self) -> Bounds:
        if self.min is None and self.max is None:
            raise ValueError("a range needs min or max")
        if isinstance(self.min, float) and isinstance(self.max, float) and self.min > self.max:
            raise ValueError(f"range min {self.min:g} is above max {self.max:g}")
        return self


class Range(Model):
    """The value is a number inside the bounds, ends included."""

    range: Bounds
    """The closed interval."""


class Regex(_Textual):
    """The whole text matches the pattern."""

    regex: str
    """A Python regular expression, matched against the whole text; guarded against catastrophic time at load."""


class Contains(_Read):
    """A list has this element, or a text has this text between word boundaries, or with `kind` this value in any form."""

    contains: JsonValue
    """The element or words looked for, or a reference."""


class Subset(Model):
    """An object whose named fields satisfy these matchers; other fields are free."""

    subset: dict[str, Matcher]
    """Field name to matcher."""


class All(Model):
    """Every matcher holds."""

    all: Annotated[tuple[Matcher, ...], Field(min_length=1)]
    """The matchers."""


class AnyOf(Model):
    """At least one matcher holds."""

    any: Annotated[tuple[Matcher, ...], Field(min_length=1)]
    """The matchers."""


class Not(Model):
    """The matcher does not hold."""

    not_: Annotated[Matcher, Field(alias="not")]
    """The matcher."""


TAGS = ("equals", "present", "absent", "one_of", "range", "regex", "contains", "subset", "all", "any", "not")

Matcher = Annotated[
    Annotated[Equals, Tag("equals")]
    | Annotated[Present, Tag("present")]
    | Annotated[Absent, Tag("absent")]
    | Annotated[OneOf, Tag("one_of")]
    | Annotated[Range, Tag("range")]
    | Annotated[Regex, Tag("regex")]
    | Annotated[Contains, Tag("contains")]
    | Annotated[Subset, Tag("subset")]
    | Annotated[All, Tag("all")]
    | Annotated[AnyOf, Tag("any")]
    | Annotated[Not, Tag("not")],
    one_of_keys("matcher", TAGS),
]
"""One predicate of the closed set."""

MatcherSet = dict[str, Matcher]
"""Argument or field name to matcher; a missing one fails all but `absent`."""


class Extra(StrEnum):
    """What becomes of arguments that a set of matchers does not list."""

    ALLOW = "allow"
    REFUSE = "refuse"


for _model in (Subset, All, AnyOf, Not):
    _model.model_rebuild()
