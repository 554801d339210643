"""Two months side by side: their contracts, and what they share, which is nothing where their seeds are their own."""

from __future__ import annotations

import pytest

from core.schemas.snapshots import Label
from core.snapshots.freezing.diff import diff
from core.snapshots.freezing.freeze import freeze
from core.snapshots.freezing.reading import Snapshot, read_snapshot
from tests.core.snapshot_months import GENERATOR, NOW, make_build


@pytest.fixture(scope="module")
def months(tmp_path_factory: pytest.TempPathFactory) -> tuple[Snapshot, Snapshot]:
    """Two independent months, the second following the first."""
    root = tmp_path_factory.mktemp("months")
    first = freeze(make_build(root / "one"), root / "a", NOW, GENERATOR)
    later = make_build(root / "two", name="2026-12-en-test", seed=2, audio=False)
    freeze(later, root / "b", NOW, GENERATOR, [first.root_sha256])
    return read_snapshot(root / "a"), read_snapshot(root / "b")


def test_independent_months_share_no_call(months: tuple[Snapshot, Snapshot]) -> None:
    """No sample, no tree, no text; the parent is told, in one direction."""
    found = diff(*months)
    assert ((), (), 0) == (found.shared_samples, found.shared_trees, found.shared_texts)
    assert found.is_parent
    assert not diff(*reversed(months)).is_parent


def test_a_month_shares_everything_with_itself(months: tuple[Snapshot, Snapshot]) -> None:
    """All six calls, their trees, texts, cases, and the voices of every tree."""
    month = months[0]
    found = diff(month, month)
    trees = {row.call.tree_id for row in month.rows}
    assert tuple(sorted(row.call.sample_id for row in month.rows)) == found.shared_samples
    assert tuple(sorted(trees)) == found.shared_trees
    assert (6, len(trees)) == (found.shared_texts, found.shared_voice_draws)
    assert len({row.call.abstract_id for row in month.rows}) == found.shared_abstracts


def test_the_facts_of_a_month_are_counted_from_it(months: tuple[Snapshot, Snapshot]) -> None:
    """Counts, seed, agents, engines, voices by tree, channels; a month of text alone has none of the latter."""
    one, two = diff(*months).before, diff(*months).after
    trees = len({row.call.tree_id for row in months[0].rows})
    assert ({Label.FRAUD: 4, Label.NONFRAUD: 2}, 1, "2026-11") == (one.counts, one.seed, one.month)
    assert {"voice-a": trees, "voice-b": trees} == one.voices
    assert (("voice-a", "voice-b"), ("landline",)) == (one.engines, one.channels)
    assert {"offline:snapshots-1"} == set(one.agents.values())
    assert (2, {}, (), (), (one.root_sha256,)) == (two.seed, two.voices, two.engines, two.channels, two.parents)


def test_engines_are_named_by_their_signatures(months: tuple[Snapshot, Snapshot]) -> None:
    """Where the head tells what spoke a voice, the engine counts, not the voice."""
    month = months[0]
    known = {"render": {"synthesizers": {"voice-a": {"engine": "kokoro"}, "voice-b": {"engine": "kokoro"}}}}
    told = Snapshot(month.root, month.head.model_copy(update={"speech": known}), month.recipe, month.rows)
    assert ("kokoro",) == diff(told, told).before.engines
