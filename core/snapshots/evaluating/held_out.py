"""What no detector may have learned from: the calls of the month that it is asked about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import UsageError
from core.schemas.imported_calls import ImportedCall
from core.schemas.snapshots import ManifestRow, SnapshotCall
from core.snapshots.plain import plain


@dataclass(frozen=True)
class HeldOut:
    """Ids and words of a month, without its labels."""

    ids: frozenset[str] = frozenset()
    """Ids of its calls and trees."""
    texts: frozenset[str] = frozenset()
    """Its calls in plain words."""

    @classmethod
    def of(cls, rows: Iterable[ManifestRow]) -> HeldOut:
        """Those of a month."""
        calls = [row.call for row in rows]
        ids = frozenset(name for call in calls for name in (call.sample_id, call.tree_id))
        return cls(ids, frozenset(plain(call.text) for call in calls))

    def refuse_trees(self, learned: Iterable[str], what: str) -> None:
        """Raises UsageError where a tree of the month is among those that were learned from."""
        for tree in learned:
            if tree in self.ids:
                raise UsageError(f"{what} holds the tree {tree!r}, which is in the month itself: a month is for testing alone")

    def refuse(self, learned: Iterable[SnapshotCall | ImportedCall], what: str) -> None:
        """Raises UsageError where a call, a tree or the words of a call of the month are among what is to be learned from."""
        for call in learned:
            tree = call.tree_id if isinstance(call, SnapshotCall) else call.group
            if call.sample_id in self.ids or tree in self.ids or plain(call.text) in self.texts:
                raise UsageError(f"{what} holds {call.sample_id!r}, which is in the month itself: a month is for testing alone")
