"""Ids of trees and calls, and the book that lets no id and no text into a build twice."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import UsageError
from core.schemas.base import content_hash
from core.schemas.snapshots import CallTurn, SnapshotCall
from core.text import nfkc_casefold

_LENGTH = 24
"""Hexadecimal digits of an id: 96 bits."""


def tree_id(namespace: str, seed: int, abstract_id: str, number: int) -> str:
    """The id of a tree; it tells nothing but that."""
    return content_hash(["tree", namespace, seed, abstract_id, number])[:_LENGTH]


def sample_id(namespace: str, seed: int, path: Iterable[str], turns: Iterable[CallTurn]) -> str:
    """The id of a call: hash of its words, its path and its seed's namespace."""
    words = [[turn.side.value, turn.text] for turn in turns]
    return content_hash(["call", namespace, seed, list(path), words])[:_LENGTH]


def normalised(text: str) -> str:
    """A text as it is compared with others: folded, letters and digits alone."""
    return "".join(char for char in nfkc_casefold(text) if char.isalnum())


class Book:
    """Ids and texts of a build so far."""

    def __init__(self) -> None:
        self._ids: set[str] = set()
        self._texts: dict[str, str] = {}

    def twin(self, call: SnapshotCall) -> str | None:
        """Id of the call that has the same normalised words; None where there is none."""
        return self._texts.get(normalised(call.text))

    def enter(self, call: SnapshotCall) -> None:
        """Note a call.

        Raises:
            UsageError: another call has its id.
        """
        if call.sample_id in self._ids:
            raise UsageError(f"the id {call.sample_id!r} was given twice: two builds were mixed, or a tree was built twice")
        self._ids.add(call.sample_id)
        self._texts[normalised(call.text)] = call.sample_id
