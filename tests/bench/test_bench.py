"""The measurements run, and say what each figure means."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.bench import broken_rules, fuzz
from tests.repository.tree import ROOT


@pytest.mark.slow
def test_the_measurements_run_in_small() -> None:
    """`--tiny` prints every figure that needs no engine, each a number above zero with a line of meaning."""
    command = [sys.executable, "-m", "tests.bench.run", "--tiny"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert 19 == len(lines)
    for line in lines:
        name, value, meaning = line[:34], line[35:51], line[53:]
        assert name.strip()
        assert 0 < float(re.sub(r"[^0-9.].*", "", value.strip()))
        assert 20 < len(meaning)


def test_random_calls_never_raise_and_replay() -> None:
    """Whatever caller and candidate do, a call ends in a whole trace that replays and can be graded, or its caller is invalid."""
    ends = fuzz.run(60, chosen=1)
    assert 60 == sum(ends.values())
    assert 3 <= len(ends)


def test_every_rule_can_be_broken_and_its_test_stands_on_the_page_of_rules() -> None:
    """Each change of text applies exactly once to the code as it is, and docs/seed-coverage.md names the test that finds it."""
    page = (ROOT / "docs" / "seed-coverage.md").read_text(encoding="utf-8")
    assert [] == [broken.rule for broken in broken_rules.BREAKS if not broken_rules.applies(broken)]
    assert [] == [broken.test for broken in broken_rules.BREAKS if f"`{broken.test}`" not in page]


@pytest.mark.slow
def test_only_a_rule_whose_test_fails_counts_as_found() -> None:
    """Not a change without effect, nor one that cannot be read, crashes or is not there."""
    limit = broken_rules.BREAKS[1]
    told = {
        "CHAIN_LIMIT = 9": "found",
        "CHAIN_LIMIT = 5 + 5": "NOT FOUND",
        "CHAIN_LIMIT = ": "DID NOT RUN (pytest exit 4)",
        'CHAIN_LIMIT = "10"': "CRASHED",
    }
    breaks = [*(replace(limit, new=new) for new in told), replace(limit, old="CHAIN_LIMIT = 12")]
    outcomes = list(broken_rules.outcomes(breaks))
    assert [*told.values(), "DOES NOT APPLY"] == [outcome.told for outcome in outcomes]
    assert [True, False, False, False, False] == [outcome.found for outcome in outcomes]
