"""Parties are an open set: one registry for each role, which refuses unknown and duplicate names and lists the valid ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.errors import UsageError
from gateway.party_spec import PartySpec, parse_party

Made = TypeVar("Made")


@dataclass(frozen=True)
class _Entry(Generic[Made]):
    factory: Callable[[PartySpec], Made]
    options: bool


class PartyRegistry(Generic[Made]):
    """Party names of one role to what makes them."""

    def __init__(self, role: str) -> None:
        self._role = role
        self._entries: dict[str, _Entry[Made]] = {}

    def register(self, name: str, factory: Callable[[PartySpec], Made], *, options: bool = False) -> None:
        """Add a party: `scheme:name` is that one, `scheme:<...>` every name of a scheme.

        The factory looks at everything it is given and raises UsageError for what it cannot take; without `options`
        it is given none.

        Raises:
            UsageError: the name is taken.
        """
        if any(_key(name) == _key(other) for other in self._entries):
            raise UsageError(f"{self._role} {name!r} is registered twice: give the second one another name")
        self._entries[name] = _Entry(factory, options)

    def make(self, text: str) -> Made:
        """What makes a party from its name with its options.

        Raises:
            UsageError: no party, none that is registered (the valid ones are listed), or options it cannot take.
        """
        spec = parse_party(text)
        whole = f"{spec.scheme}:{spec.name}"
        by_key = {_key(name): entry for name, entry in self._entries.items()}
        entry = by_key.get(whole) or by_key.get(f"{spec.scheme}:")
        if entry is None:
            raise UsageError(f"no {self._role} {spec.text!r}; valid: {', '.join(self._entries)}")
        if spec.options and not entry.options:
            raise UsageError(f"{spec.text!r}: {whole} takes no options")
        return entry.factory(spec)


def _key(name: str) -> str:
    """A name without its placeholders."""
    return name.partition("<")[0]
