"""docs/snapshot-checks.md: each of the sixty rules of snapshots has tests, and all of them exist."""

from __future__ import annotations

import re
from collections.abc import Set

import pytest

from tests.docs.test_seed_coverage import TEST, existing_tests
from tests.repository.tree import ROOT

PAGE = ROOT / "docs" / "snapshot-checks.md"
RULES = 60
ROW = re.compile(r"^\| (\d+) \| (.+) \| (.*) \|$", re.MULTILINE)


def faults(page: str, tests: Set[str]) -> list[str]:
    """What is wrong with a page: rules left out or out of order, rows without a test, tests that are not there."""
    rows = ROW.findall(page)
    numbers = [int(number) for number, _, _ in rows]
    found = [f"rows are {numbers}, not 1 to {RULES} in order"] if numbers != list(range(1, RULES + 1)) else []
    for number, _, proof in rows:
        named = [f"{path}::{name}" for path, name in TEST.findall(proof)]
        found += [] if named else [f"{number} has no test"]
        found += [f"{number} names {name}, which is no test" for name in named if name not in tests]
    loose = page.count("`tests/") - sum(len(TEST.findall(proof)) for _, _, proof in rows)
    # The introduction names this file.
    return [*found, *([] if loose == 1 else ["a test stands outside of a row, or is not written as `tests/path.py::name`"])]


def test_every_rule_has_tests_that_exist() -> None:
    """All sixty, in order."""
    assert [] == faults(PAGE.read_text(encoding="utf-8"), existing_tests())


KNOWN = "tests/core/test_snapshot_growing.py::test_a_tree_of_one_label_is_dropped"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (f"`{KNOWN}`", f"`{KNOWN}_too`", f"9 names {KNOWN}_too, which is no test"),
        (f"`{KNOWN}`", "It is so.", "9 has no test"),
        (f"`{KNOWN}`", f"`{KNOWN.replace('::', ' ')}`", "a test stands outside of a row"),
        ("\n| 60 | ", "\n| 61 | ", "not 1 to 60 in order"),
        ("\n| 9 | ", "\n| 8 | ", "not 1 to 60 in order"),
    ],
    ids=["unknown test", "row without a test", "test in another form", "unknown rule", "rule twice"],
)
def test_a_planted_fault_is_found(old: str, new: str, fault: str) -> None:
    """By the same checker, wherever it stands."""
    page = PAGE.read_text(encoding="utf-8")
    assert 1 == page.count(old)
    assert any(fault in found for found in faults(page.replace(old, new), existing_tests()))
