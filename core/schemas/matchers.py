"""Typed predicates on one value: the closed set that fixtures, success conditions, actions and checks are written in.

A matcher is an object with exactly one naming key (`equals`, `present`, ...) and, where values are compared as text,
an optional `compare`. A value may be a reference: `$caller.facts.<key>` or `$state.<path>`; `$$` starts a literal `$`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, JsonValue, Tag, model_validator

from core.schemas.base import Model, one_of_keys


class Compare(StrEnum):
    """How two texts are compared; without one they must be the same JSON value."""

    CASEFOLD = "casefold"
    DIGITS = "digits"
    NORMALIZED = "normalized"


class _Textual(Model):
    compare: Compare | None = None
    """`casefold` ignores case, `digits` compares digits only, `normalized` folds NFKC, case and spaces."""


class Equals(_Textual):
    """The value equals this one; numbers by value (5 equals 5.0), booleans only booleans, text by `compare`."""

    equals: JsonValue
    """The expected value or a reference to it."""


class Present(Model):
    """The value is there and is not null."""

    present: Literal[True]
    """Always true."""


class Absent(Model):
    """The value is missing or null."""

    absent: Literal[True]
    """Always true."""


class OneOf(_Textual):
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


class Contains(_Textual):
    """A list has this element, or a text has this text between word boundaries."""

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
"""Argument or field name to matcher; names not listed are free."""

for _model in (Subset, All, AnyOf, Not):
    _model.model_rebuild()
