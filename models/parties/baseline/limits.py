"""Limits that words set: "up to 500 dollars" in a tool's description, "at most fourteen days after today" in instructions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from core.candidate import CandidateView
from core.spoken import Kind, Value, read
from models.parties.baseline.schema_fields import Slot
from models.parties.words import stems

_UP_TO = re.compile(r"\b(?:up to|at most|no more than|not more than|a maximum of) ([^,.;]+)", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:at most|no more than|within|no later than|up to) (?P<number>[\w ]{1,20}?) (?P<unit>days?|weeks?)"
    r" (?:after|from|of) today\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def limits(view: CandidateView, slots: Mapping[str, Sequence[Slot]], now: datetime | None) -> dict[tuple[str, str], Value]:
    """(tool, slot) to the largest amount or the latest day that may be sent."""
    found: dict[tuple[str, str], Value] = {}
    for tool in view.tools:
        for slot in slots[tool.name]:
            largest = _largest(tool.description) if slot.kind is Kind.MONEY else None
            latest = _latest(view.instructions, slot, now) if slot.kind is Kind.DATE and now is not None else None
            limit = largest if largest is not None else latest
            if limit is not None:
                found[tool.name, slot.name] = limit
    return found


def _largest(description: str) -> float | None:
    amounts = [reading.value for phrase in _UP_TO.findall(description) for reading in read(phrase, Kind.MONEY)]
    return float(amounts[0]) if amounts else None


def _latest(instructions: str, slot: Slot, now: datetime) -> str | None:
    """The last day allowed by a sentence that names the slot."""
    for sentence in _SENTENCE.split(instructions):
        found = _WITHIN.search(sentence)
        if found is None or not stems(slot.name) <= stems(sentence):
            continue
        counted = read(found["number"], Kind.NUMBER)
        if counted:
            days = int(counted[0].value) * (7 if found["unit"].startswith("week") else 1)
            return (now.date() + timedelta(days=days)).isoformat()
    return None
