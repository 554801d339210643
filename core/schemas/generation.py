"""`generation.json`: how a chat model wrote a bundle's scenarios, and what was made of each draft."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.schemas.base import Difficulty, Model, Sha256, Slug
from core.schemas.call_trace import PartyRecord
from core.schemas.usage import Usage


class Rejection(Model):
    """One draft that was not taken."""

    round: int = Field(ge=0)
    """0 for the first draft, then the number of the repair."""
    reasons: tuple[str, ...] = Field(min_length=1)
    """What was wrong with it, as it was given back to the model."""


class Slot(Model):
    """One scenario that was asked for."""

    number: int = Field(ge=1)
    """Its place in the order of asking."""
    language: str
    """BCP 47 tag it was written in from the start."""
    difficulty: Difficulty
    """The difficulty asked for."""
    seeds: tuple[int, ...]
    """The seed of each request, in order."""
    scenario: Slug | None = None
    """The scenario that was taken; null where every draft was rejected."""
    rejections: tuple[Rejection, ...] = ()
    """Drafts that were not taken, in order."""
    failure: str = ""
    """What the provider failed with, where it was that which ended the slot."""


class Generation(Model):
    """Everything that decided what was written."""

    format: Literal["ringback-generation-1"] = "ringback-generation-1"
    """Version of this format."""
    author: PartyRecord
    """The model with its settings and the hashes of the prompts."""
    agent: Slug
    """The agent that scenarios were written for."""
    agent_files: dict[str, Sha256]
    """Hashes of the agent as canonical JSON and of its instructions."""
    seed: int = Field(ge=0)
    """Seed from which the seed of every request derives."""
    rounds: int = Field(ge=0)
    """Most repairs of one draft."""
    audits: str
    """Version of the rules that drafts are held to."""
    slots: tuple[Slot, ...]
    """Every scenario asked for."""
    usage: Usage
    """What the model was asked for in all, and what that cost."""

    @property
    def accepted(self) -> int:
        """Scenarios that were taken."""
        return sum(slot.scenario is not None for slot in self.slots)

    @property
    def rejected(self) -> int:
        """Drafts that were not taken."""
        return sum(len(slot.rejections) for slot in self.slots)
