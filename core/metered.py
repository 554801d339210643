"""What a party of models adds to being a party: it says what it used, and whether it can be reached at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Protocol, runtime_checkable

from core.schemas.usage import Usage

Told = Callable[[Usage], None]
"""Hears of everything that is used, as soon as it is."""


@runtime_checkable
class Metered(Protocol):
    """A party whose models are paid for by use; parties that are programs need not have this."""

    def usage(self) -> Usage:
        """What this object used since it was made."""
        ...

    def tell(self, told: Told) -> None:
        """Tell of what is used from now on, reply by reply, since a call may be killed before its end."""
        ...


class Meter:
    """Counts what one party uses and tells of it at once. Threads may share it."""

    def __init__(self) -> None:
        self._used = Usage()
        self._lock = Lock()
        self._told: list[Told] = []

    def add(self, used: Usage) -> None:
        """Count what a reply used."""
        with self._lock:
            self._used = self._used.plus(used)
        for told in self._told:
            told(used)

    def total(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._used

    def tell(self, told: Told) -> None:
        """Tell `told` of what is used from now on."""
        self._told.append(told)


@runtime_checkable
class Checked(Protocol):
    """A party that can fail for want of a key, a model or a server; every such party is checked before a run's first case."""

    def check(self) -> None:
        """Ask for the smallest reply there is; what that used is part of the party's usage, if it has one.

        Raises:
            OperatorError: it cannot work as it is set up, in one line that says what to mend.
            ProviderError: it does not answer now.
        """
        ...


def usage_of(party: object) -> Usage:
    """What a party used; nothing for one that is not metered."""
    return party.usage() if isinstance(party, Metered) else Usage()


def usage_by_role(parties: Mapping[str, object]) -> dict[str, Usage]:
    """Role to what its party used; those that are not metered are left out."""
    return {role: party.usage() for role, party in parties.items() if isinstance(party, Metered)}


def summed(usages: Iterable[Mapping[str, Usage]]) -> dict[str, Usage]:
    """Role to the sum over all."""
    total: dict[str, Usage] = {}
    for usage in usages:
        for role, used in usage.items():
            total[role] = total.get(role, Usage()).plus(used)
    return total


def check(party: object) -> None:
    """Check a party that can be checked; raises OperatorError or ProviderError."""
    if isinstance(party, Checked):
        party.check()
