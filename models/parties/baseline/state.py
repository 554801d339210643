"""Where a call stands on the candidate's side: one mutable record that moves and turns share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from core.spoken import Value
from models.parties.baseline.briefing import Briefing
from models.parties.baseline.closing import Deed
from models.parties.baseline.guidance import Guidance
from models.parties.baseline.memory import Memory
from models.parties.baseline.offers import Offer
from models.parties.baseline.planning import Toolbox
from models.parties.baseline.schema_fields import Slot


class Expect(StrEnum):
    """What the next words of the caller should be."""

    GOAL = "goal"
    """What it wants."""
    IDENTITY = "identity"
    """Whether it is the person rung."""
    VALUE = "value"
    """A value for one slot."""
    CONFIRMATION = "confirmation"
    """Yes or no to values read back, or the right value."""
    WRONG_PART = "wrong_part"
    """Which of the values read back is wrong."""
    PICK = "pick"
    """One of several alternatives."""
    RESCUE = "rescue"
    """Whether it wants a person, or a call back."""
    MORE = "more"
    """Whether there is anything else."""
    CLOSED = "closed"
    """Nothing: leave was taken."""


@dataclass
class State:
    """Everything that changes in the course of a call."""

    brief: Briefing
    """What the instructions gave."""
    toolbox: Toolbox
    """The tools, understood."""
    memory: Memory
    """What is known."""
    guidance: Guidance
    """What the instructions want callers to be told."""
    limits: dict[tuple[str, str], Value]
    """(tool, slot) to the largest amount or the latest day."""
    told: set[str] = field(default_factory=set)
    """Advice already given."""
    expect: Expect = Expect.GOAL
    """What the next words should be."""
    goal: str | None = None
    """The tool the call is working towards."""
    request: str = ""
    """The words that asked for it."""
    slot: Slot | None = None
    """The slot asked for."""
    batch: tuple[Slot, ...] = ()
    """The slots read back."""
    offer: Offer | None = None
    """The alternatives proposed."""
    corrected: bool = False
    """Whether the next read-back follows a correction."""
    last: str = ""
    """What was said last, for those who missed it."""
    asks: Counter[str] = field(default_factory=Counter)
    """Questions without a readable answer, by slot."""
    attempts: Counter[str] = field(default_factory=Counter)
    """Calls for the present goal, by tool."""
    misses: int = 0
    """Turns in a row that led nowhere."""
    silences: int = 0
    """Silent turns in a row."""
    doubted: set[str] = field(default_factory=set)
    """Slots already asked for again after a refusal."""
    refused: dict[str, dict[str, JsonValue]] = field(default_factory=dict)
    """Arguments that a tool has refused last."""
    succeeded: set[str] = field(default_factory=set)
    """Tools that worked."""
    deeds: list[Deed] = field(default_factory=list)
    """Goals pursued to their end."""

    def open_slots(self) -> list[Slot]:
        """Slots of the goal and of what precedes it, each name once."""
        named: dict[str, Slot] = {}
        for tool in (*self.toolbox.order(self.goal), self.goal) if self.goal is not None else ():
            for slot in self.toolbox.slots[tool]:
                named.setdefault(slot.name, slot)
        return list(named.values())
