"""Two months side by side: their contracts, what made them, and what they share, which between independent months is nothing."""

from __future__ import annotations

from collections import Counter

from core.schemas.months import MonthDiff, MonthFacts
from core.schemas.snapshots import ManifestRow
from core.snapshots.building.ids import normalised
from core.snapshots.freezing.reading import Snapshot

Pair = tuple[str, str]
"""Voices of caller and receiver."""


def diff(before: Snapshot, after: Snapshot) -> MonthDiff:
    """What two months hold and share."""
    ids = [{row.call.sample_id for row in month.rows} for month in (before, after)]
    trees = [{row.call.tree_id for row in month.rows} for month in (before, after)]
    cases = [{row.call.abstract_id for row in month.rows} for month in (before, after)]
    words = {normalised(row.call.text) for row in before.rows}
    draws = zip(_pairs(before.rows).values(), _pairs(after.rows).values(), strict=False)
    return MonthDiff(
        before=facts(before),
        after=facts(after),
        shared_samples=tuple(sorted(ids[0] & ids[1])),
        shared_trees=tuple(sorted(trees[0] & trees[1])),
        shared_texts=sum(normalised(row.call.text) in words for row in after.rows),
        shared_voice_draws=sum(one == other for one, other in draws),
        shared_abstracts=len(cases[0] & cases[1]),
        is_parent=before.head.root_sha256 in after.head.parents,
    )


def facts(month: Snapshot) -> MonthFacts:
    """What one month holds."""
    head, recipe = month.head, month.recipe
    agents = recipe.words.get("agents")
    return MonthFacts(
        snapshot_id=head.snapshot_id,
        root_sha256=head.root_sha256,
        month=head.month,
        contract=head.contract,
        counts=head.counts,
        trees=head.trees,
        families=head.families,
        abstracts=len({row.call.abstract_id for row in month.rows}),
        seed=recipe.build.seed,
        agents={role: str(party) for role, party in sorted(agents.items())} if isinstance(agents, dict) else {},
        engines=_engines(month),
        voices=dict(sorted(Counter(voice for pair in _pairs(month.rows).values() for voice in pair).items())),
        channels=tuple(sorted({row.audio.channel for row in month.rows if row.audio is not None})),
        parents=head.parents,
    )


def _pairs(rows: tuple[ManifestRow, ...]) -> dict[str, Pair]:
    """Tree to its voices, in the order in which the rows come to the trees."""
    voiced = ((row.call.tree_id, row.voices) for row in rows if row.voices is not None)
    pairs: dict[str, Pair] = {}
    for tree_id, voices in voiced:
        pairs.setdefault(tree_id, (voices.caller.voice_id, voices.receiver.voice_id))
    return pairs


def _engines(month: Snapshot) -> tuple[str, ...]:
    """Engines that spoke, by the signatures of the voices that were used; a voice without one stands for itself."""
    render = month.head.speech.get("render")
    known = render.get("synthesizers") if isinstance(render, dict) else None
    signatures = known if isinstance(known, dict) else {}
    found = set()
    for voice in {voice for row in month.rows if row.audio is not None for voice in row.audio.engines}:
        signature = signatures.get(voice)
        found.add(str(signature.get("engine", voice)) if isinstance(signature, dict) else voice)
    return tuple(sorted(found))
