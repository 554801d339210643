"""What the candidate knows in a call: values it heard, values tools returned, values its instructions give. Nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from core.spoken import Kind, Value, read
from models.parties.baseline.schema_fields import IDENTIFYING, Slot
from models.parties.words import humanised, stem, stems

_GENERIC = frozenset(stem(word) for word in ("number", "id", "code", "name", "reference", "ref", "no"))
_OWNERS = frozenset(
    stem(word) for word in ("caller", "customer", "patient", "guest", "client", "contact", "member", "full", "holder")
)


class Source(StrEnum):
    """Where a value comes from."""

    HEARD = "heard"
    RETURNED = "returned"
    GIVEN = "given"


@dataclass
class Known:
    """A value with its standing."""

    value: Value
    """As read, before it is put into the JSON type of a parameter."""
    source: Source
    """Where it comes from."""
    confirmed: bool = False
    """Whether the caller agreed to it, or it needs no agreement."""
    rounds: int = 0
    """How often it was read back."""
    spoken: str | None = None
    """How it is said, where that is not by its value: what was picked, instead of its id."""


@dataclass(frozen=True)
class Leaf:
    """One scalar of a returned object."""

    path: tuple[str, ...]
    """Field names from the outside in."""
    value: JsonValue
    """Text, number or boolean."""


def leaves(value: JsonValue, path: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Every scalar of an object, lists left out: they are options, not facts."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif value is not None and not isinstance(value, list):
        yield Leaf(path, value)


class Memory:
    """Everything known in one call."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self._heard: dict[str, tuple[Slot, Known]] = {}
        self._rounds: dict[str, int] = {}
        self._returned: list[Leaf] = []

    def get(self, slot: Slot) -> Known | None:
        """The value for a slot: heard under its name or a like one, returned by a tool, or given by the instructions."""
        for other, known in self._heard.values():
            if other.name == slot.name and slot.fits(known.value):
                return known
        if slot.kind in IDENTIFYING:
            for other, known in self._heard.values():
                if other.kind is slot.kind and same_matter(stems(other.name), stems(slot.name)) and slot.fits(known.value):
                    return known
        return self._from_tools(slot) or self._from_instructions(slot)

    def knows(self, name: str, value: Value) -> bool:
        """Whether this value was heard for the slot of that name already."""
        return name in self._heard and self._heard[name][1].value == value

    def hear(self, slot: Slot, value: Value, confirmed: bool = False) -> None:
        """Take a value from the caller; a changed value has to be confirmed again, the rounds already spent stay spent."""
        before = self._heard.get(slot.name)
        rounds = before[1].rounds if before else self._rounds.pop(slot.name, 0)
        agreed = confirmed or not slot.critical or (before is not None and before[1].value == value and before[1].confirmed)
        self._heard[slot.name] = (slot, Known(value, Source.HEARD, agreed, rounds))

    def choose(self, slot: Slot, value: Value, spoken: str) -> None:
        """Take a value from an offer that the caller picked; it is read back like what was heard, an id by what it stands for."""
        said = spoken if slot.kind in IDENTIFYING else None
        self._heard[slot.name] = (slot, Known(value, Source.RETURNED, confirmed=not slot.critical, spoken=said))

    def confirm(self, slot: Slot) -> None:
        """Take the caller's agreement to a value."""
        known = self.get(slot)
        if known is None:
            return
        if known.source is Source.HEARD or slot.name in self._heard:
            known.confirmed = True
        else:
            self._heard[slot.name] = (slot, Known(known.value, known.source, True, known.rounds))

    def reject(self, slot: Slot) -> None:
        """Take the caller's denial: the value goes, the rounds spent on it stay."""
        if slot.name in self._heard:
            self._rounds[slot.name] = self._heard.pop(slot.name)[1].rounds

    def forget(self, slot: Slot) -> None:
        """Drop what was heard for a slot."""
        self._heard.pop(slot.name, None)

    def forget_particulars(self, slots: tuple[Slot, ...]) -> None:
        """Before the same tool serves a second request: keep who it is for, drop what, when and how much."""
        for slot in slots:
            if slot.kind not in IDENTIFYING:
                self.forget(slot)

    def learn(self, result: Mapping[str, JsonValue]) -> None:
        """Keep the scalars of a successful result, the newest first."""
        self._returned = [*leaves(dict(result)), *self._returned]

    def returned(self) -> tuple[Leaf, ...]:
        """What tools returned, the newest first."""
        return tuple(self._returned)

    def _from_tools(self, slot: Slot) -> Known | None:
        """A returned value of the slot's name; days, times and choices are the caller's to make and never taken over."""
        if slot.kind not in IDENTIFYING | {Kind.MONEY, Kind.TEXT, Kind.NUMBER}:
            return None
        exact = [leaf for leaf in self._returned if slot.name in (leaf.path[-1], "_".join(leaf.path))]
        alike = [leaf for leaf in self._returned if slot.kind in IDENTIFYING and _same_leaf(leaf, slot)]
        for leaf in (*exact, *alike):
            if isinstance(leaf.value, str | int | float) and not isinstance(leaf.value, bool) and slot.fits(leaf.value):
                return Known(leaf.value, Source.RETURNED, confirmed=slot.kind is not Kind.MONEY)
        return None

    def _from_instructions(self, slot: Slot) -> Known | None:
        for label, text in self._given.items():
            if same_matter(stems(label), stems(slot.name)) or stems(label) == stems(slot.noun):
                readings = read(text, slot.kind, choices=slot.choices)
                value = text if slot.kind is Kind.TEXT else readings[0].value if readings else None
                if value is not None and slot.fits(value):
                    return Known(value, Source.GIVEN, confirmed=True)
        return None


def _same_leaf(leaf: Leaf, slot: Slot) -> bool:
    named = stems(slot.name)
    return same_matter(stems(leaf.path[-1]), named) or same_matter(stems(" ".join(map(humanised, leaf.path[-2:]))), named)


def same_matter(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two names mean the same thing: what they do not share is only whose it is, or that it is a number or a name."""
    core_one, core_other = one - _GENERIC - _OWNERS, other - _GENERIC - _OWNERS
    if not core_one and not core_other:
        return bool(one & other & _GENERIC)
    return core_one == core_other
