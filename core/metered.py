"""Parties that cost something say what."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from core.schemas.usage import Usage


@runtime_checkable
class Metered(Protocol):
    """A party whose models are paid for by use; parties that are programs need not have this."""

    def usage(self) -> Usage:
        """What this object used since it was made."""
        ...


def usage_of(party: object) -> Usage:
    """What a party used; nothing for one that is not metered."""
    return party.usage() if isinstance(party, Metered) else Usage()
