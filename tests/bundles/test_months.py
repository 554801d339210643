"""The months that ship, in words and recipe: whole, under the root hash they were published with, and usable as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.bundle import shipped_bundle
from core.schemas.months import Difference, Sameness
from core.schemas.snapshots import Label
from core.snapshots.freezing.reading import read_snapshot, read_transcripts
from core.snapshots.freezing.verify import verify
from tests.support.command import Command

ROOTS = {"2026-11-zh-small": "37028d464c0dcf7a48c12ed439146cbfd2616932e84b15ebc2783163c398d523"}
"""Month to root hash, as first published: a month never changes, and a mended one has another name."""
MONTHS = shipped_bundle("snapshots") / "months"


def test_every_month_that_ships_has_a_published_root() -> None:
    """No month is added without its root hash, and none disappears."""
    assert sorted(ROOTS) == sorted(path.name for path in MONTHS.iterdir())


@pytest.mark.parametrize("name", sorted(ROOTS))
def test_a_month_that_ships_is_what_was_published(name: str) -> None:
    """Every byte of words and recipe, rows that agree with their trees, and the published root; recordings are made again."""
    found = verify(MONTHS / name)
    assert (Sameness.TEXT_ONLY, ROOTS[name]) == (found.sameness, found.root_sha256)
    assert [] == [finding for finding in found.findings if finding.kind is not Difference.WRITABLE]


def test_the_small_month_holds_its_contract() -> None:
    """40 fraud and 20 lawful Mandarin calls of 20 trees, two and one from each, with recording rows and transcripts."""
    month = read_snapshot(MONTHS / "2026-11-zh-small")
    labels = {
        tree: [row.call.label for row in month.rows if row.call.tree_id == tree] for tree in {r.call.tree_id for r in month.rows}
    }
    assert (40, 20) == (month.head.counts[Label.FRAUD], month.head.counts[Label.NONFRAUD])
    assert [[Label.FRAUD, Label.FRAUD, Label.NONFRAUD]] * 20 == [sorted(each) for each in labels.values()]
    assert {row.call.sample_id for row in month.rows} == set(read_transcripts(month.root))
    assert all(row.audio is not None and all(check.passed for check in row.audio.checks) for row in month.rows)


def test_a_month_that_ships_is_evaluated_by_its_name(tmp_path: Path) -> None:
    """Its frozen transcripts are given to a detector without any recording and without hearing anything."""
    command = Command(tmp_path, tmp_path / "cache")
    told = command.passes(
        "snapshot", "evaluate", "2026-11-zh-small", "--detector", "offline:keywords", "--mode", "asr", "--out", "eval"
    )
    assert "offline:keywords" in told
    assert 60 == len((tmp_path / "eval" / "responses.jsonl").read_text("utf-8").splitlines())
