"""Everyday dialogues: plots in many wordings, from which telephone talk about anything but money and service is expanded."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, model_validator

from core.schemas.base import Model, Slug

Wordings = tuple[str, ...]
"""Ways to say one turn; `{name}` stands for a detail or for what the two call each other."""


class SpokenTurn(Model):
    """One turn of one side; exactly one of the two is given."""

    caller: Wordings | None = Field(default=None, min_length=1)
    """What the caller may say."""
    receiver: Wordings | None = Field(default=None, min_length=1)
    """What the receiver may say."""

    @model_validator(mode="after")
    def _one_side(self) -> SpokenTurn:
        if (self.caller is None) == (self.receiver is None):
            raise ValueError("a turn is said by the caller or by the receiver, and by one of them only")
        return self

    @property
    def side(self) -> Literal["caller", "receiver"]:
        """Who speaks."""
        return "receiver" if self.caller is None else "caller"

    @property
    def wordings(self) -> Wordings:
        """The ways to say it."""
        return self.caller or self.receiver or ()


class Step(Model):
    """A part of a plot: one turn, turns that may be left out, or different ways to go on; exactly one of them is given."""

    caller: Wordings | None = Field(default=None, min_length=1)
    """What the caller may say."""
    receiver: Wordings | None = Field(default=None, min_length=1)
    """What the receiver may say."""
    maybe: tuple[SpokenTurn, ...] | None = Field(default=None, min_length=1)
    """Turns of which half of the dialogues have all and the others none."""
    either: tuple[tuple[SpokenTurn, ...], ...] | None = Field(default=None, min_length=2)
    """Turns of which a dialogue has one list."""

    @model_validator(mode="after")
    def _one_kind(self) -> Step:
        given = [name for name in ("caller", "receiver", "maybe", "either") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"a step has one of caller, receiver, maybe and either, not {', '.join(given) or 'nothing'}")
        return self

    @property
    def ways(self) -> tuple[tuple[SpokenTurn, ...], ...]:
        """The lists of turns it may become."""
        if self.either is not None:
            return self.either
        if self.maybe is not None:
            return self.maybe, ()
        return ((SpokenTurn(caller=self.caller, receiver=self.receiver),),)


class EverydayPlot(Model):
    """One conversation in many wordings."""

    id: Slug
    """Its name."""
    people: tuple[dict[str, str], ...] = Field(min_length=1)
    """What the two call each other: `caller` and `receiver`."""
    details: tuple[dict[str, str], ...] = Field(min_length=2)
    """Things that go together; a dialogue has one of these records."""
    turns: tuple[Step, ...] = Field(min_length=4)
    """How it goes."""

    @model_validator(mode="after")
    def _names_are_known(self) -> EverydayPlot:
        records = [record.keys() for record in self.details]
        known = frozenset.intersection(*map(frozenset, records)) | {"caller", "receiver"}
        if any(person.keys() != {"caller", "receiver"} for person in self.people):
            raise ValueError("people are records of what the two call each other: caller and receiver")
        for wording in (text for step in self.turns for way in step.ways for turn in way for text in turn.wordings):
            unknown = set(re.findall(r"\{([^}]*)\}", wording)) - known
            if unknown:
                raise ValueError(f"{wording!r} names {sorted(unknown)}, which not every record of details has")
        return self


class EverydayTopic(Model):
    """A file of plots about one thing of everyday life."""

    topic: Slug
    """Its name."""
    title: str = Field(min_length=1)
    """The same in the language of the dialogues."""
    plots: tuple[EverydayPlot, ...] = Field(min_length=1)
    """The plots."""
