"""docs/seed-coverage.md: every sentence of the benchmark's description has a test that exists, or a stated decision."""

from __future__ import annotations

import ast
import re
from collections.abc import Set
from functools import cache

import pytest

from tests.repository.tree import ROOT

PAGE = ROOT / "docs" / "seed-coverage.md"
SENTENCES = (
    4, 5, 4, 3, 6, 4, 2, 9, 3, 6, 5, 4, 2, 2, 5, 7, 3, 3, 4, 4, 6, 5, 5, 4, 3, 3, 3, 4, 9, 4, 6, 6, 3,
)  # fmt: skip
"""Sentences of each paragraph of the description, a formula counted with the words that lead to it."""
ROW = re.compile(r"^\| (\d+\.\d+) \| (.+) \| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
DECISION = re.compile(r"Decision: .{20,}\.$")


@cache
def existing_tests() -> frozenset[str]:
    """Every test function of the tree as `path::name`, read and not imported."""
    return frozenset(
        f"{path.relative_to(ROOT)}::{node.name}"
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def faults(page: str, tests: Set[str]) -> list[str]:
    """What is wrong with a page: sentences left out or out of order, rows without a test or decision, unknown tests."""
    rows = ROW.findall(page)
    wanted = [f"{place}.{n}" for place, count in enumerate(SENTENCES, 1) for n in range(1, count + 1)]
    numbers = [number for number, _, _ in rows]
    found = [f"no row for {number}" for number in wanted if number not in numbers]
    found += [f"{number} is no sentence" for number in numbers if number not in wanted]
    if not found and numbers != wanted:
        found.append("rows are not in the order of the sentences")
    for number, _, proof in rows:
        named = [f"{path}::{name}" for path, name in TEST.findall(proof)]
        if not named and not DECISION.search(proof):
            found.append(f"{number} has neither test nor decision")
        found += [f"{number} names {name}, which is no test" for name in named if name not in tests]
    loose = page.count("`tests/") - sum(len(TEST.findall(proof)) for _, _, proof in rows)
    # The introduction names this file.
    return [*found, *([] if loose == 1 else ["a test stands outside of a row, or is not written as `tests/path.py::name`"])]


def test_every_sentence_has_a_test_that_exists_or_a_decision() -> None:
    """Every one, in order."""
    assert [] == faults(PAGE.read_text(encoding="utf-8"), existing_tests())


KNOWN = "tests/core/test_call_loop.py::test_a_call_ends_at_thirty_caller_turns"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (f"`{KNOWN}`", f"`{KNOWN}_and_one`", f"names {KNOWN}_and_one, which is no test"),
        (
            "| 29.2 | which ran first | Decision: history of those runs, no rule. |",
            "| 29.2 | which ran first |  |",
            "29.2 has nei",
        ),
        ("Decision: history of those runs, no rule.", "Decision: no.", "29.2 has neither test nor decision"),
        ("| 29.2 | which", "| 29.22 | which", "no row for 29.2"),
        ("| 29.2 | which", "| 29.3 | which", "no row for 29.2"),
        (f"`{KNOWN}`", f"`{KNOWN.replace('::', ' ')}`", "a test stands outside of a row"),
    ],
    ids=["unknown test", "empty row", "no reason", "unknown sentence", "sentence twice", "test in another form"],
)
def test_a_planted_fault_is_found(old: str, new: str, fault: str) -> None:
    """By the same checker, wherever it stands."""
    page = PAGE.read_text(encoding="utf-8")
    assert old in page
    assert any(fault in found for found in faults(page.replace(old, new, 1), existing_tests()))


def test_tests_are_collected_as_they_are_written() -> None:
    """This one is among them, and a name that nobody wrote is not."""
    assert f"tests/docs/test_seed_coverage.py::{test_tests_are_collected_as_they_are_written.__name__}" in existing_tests()
    assert len(existing_tests()) > 1000
