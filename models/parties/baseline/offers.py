"""Alternatives in a result: what is offered, which of them the caller means, and which slots it fills."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from core.spoken import Kind, Value, occurs
from models.parties.baseline import wording
from models.parties.baseline.hearing import Utterance, clock_text
from models.parties.baseline.memory import leaves, same_matter
from models.parties.baseline.results import moment_kind, spoken
from models.parties.baseline.schema_fields import Slot
from models.parties.words import stems

Option = Mapping[str, JsonValue]
SPOKEN = 3
"""Most alternatives said in one breath."""


@dataclass(frozen=True)
class Offer:
    """Alternatives in a result, each an object of scalars."""

    options: tuple[Option, ...]
    """The alternatives; a list of scalars becomes objects with the list's name in the singular."""
    refusal: str = wording.NOT_UNDERSTOOD
    """What is answered to anything but one of them."""

    @property
    def said(self) -> tuple[Option, ...]:
        """Those that are said."""
        return self.options[:SPOKEN]


def offer(result: Mapping[str, JsonValue]) -> Offer | None:
    """The first list of alternatives in a result."""
    for name, value in result.items():
        if isinstance(value, list) and value:
            if all(isinstance(item, dict) for item in value):
                return Offer(tuple(item for item in value if isinstance(item, dict)))
            if all(isinstance(item, str | int | float) for item in value):
                return Offer(tuple({re.sub(r"s$", "", name): item} for item in value))
        if isinstance(value, dict):
            inner = offer(value)
            if inner is not None:
                return inner
    return None


def option_words(option: Option) -> str:
    """One alternative as a person names it: its day, time, name and price, no ids."""
    fields = [leaf for leaf in leaves(dict(option)) if not isinstance(leaf.value, bool)]
    shown = [leaf for leaf in fields if not re.search(r"(^|_)(id|code|ref)$", leaf.path[-1])]
    return ", ".join(spoken(leaf.path[-1], leaf.value) for leaf in (shown or fields)[:4])


def fillings(option: Option, slots: Sequence[Slot]) -> dict[str, Value]:
    """The slots an alternative gives values to: by name, by a like name, or as the only slot for a day or a time."""
    found: dict[str, Value] = {}
    for leaf in leaves(dict(option)):
        value = leaf.value
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            continue
        name = leaf.path[-1]
        shape = moment_kind(value)
        homes = (
            [slot for slot in slots if slot.name == name],
            [slot for slot in slots if same_matter(stems(slot.name), stems(name))],
            [slot for slot in slots if shape is not None and slot.kind is shape],
        )
        for fitting in homes:
            if len(fitting) == 1 and fitting[0].fits(value):
                found.setdefault(fitting[0].name, value)
                break
    return found


def picked(heard: Utterance, options: Sequence[Option]) -> Option | None:
    """The alternative that the words name: by its values, by its place, or by a plain yes to the only one."""
    hits = [sum(1 for leaf in leaves(dict(option)) if _named(leaf.value, heard.text)) for option in options]
    best = max(hits)
    if best > 0 and hits.count(best) == 1:
        return options[hits.index(best)]
    place = heard.ordinal()
    if place is not None and -1 <= place < len(options):
        return options[place]
    return options[0] if len(options) == 1 and heard.yes_no is True else None


def agreeing(options: Iterable[Option], slots: Sequence[Slot], wished: Mapping[str, Value]) -> Option | None:
    """The alternative that is what the caller already asked for, in every day, time and choice it fills."""
    decided = {slot.name for slot in slots if slot.kind in (Kind.DATE, Kind.TIME, Kind.CHOICE)}
    for option in options:
        filled = {name: value for name, value in fillings(option, slots).items() if name in decided}
        if filled and all(wished.get(name) == value for name, value in filled.items()):
            return option
    return None


def _named(value: JsonValue, text: str) -> bool:
    """Whether a returned value is said in a text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    kind = moment_kind(value) or (Kind.TEXT if isinstance(value, str) else Kind.NUMBER)
    return occurs(value, kind, text) or (kind is Kind.TIME and occurs(value, kind, clock_text(text)))
