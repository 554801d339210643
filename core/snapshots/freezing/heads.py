"""What the head of a month says of its recipe and rows; written when it is frozen and held against them when it is verified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from core.schemas.months import Recipe
from core.schemas.snapshots import ManifestRow
from core.snapshots.freezing.checking import counts_of


def facts_of_head(recipe: Recipe, rows: Sequence[ManifestRow] | None) -> dict[str, Any]:
    """Field of SnapshotHead to its value, for those that follow from the recipe, and from the rows where they are known."""
    facts: dict[str, Any] = {
        "snapshot_id": recipe.snapshot_id,
        "month": recipe.month,
        "contract": recipe.contract,
        "licence": recipe.licence,
    }
    if rows is not None:
        facts["counts"] = counts_of(rows)
        facts["trees"] = len({row.call.tree_id for row in rows})
        facts["families"] = dict(sorted(Counter(row.call.family_id for row in rows).items()))
    return facts
