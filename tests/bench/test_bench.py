"""The measurements run, and say what each figure means."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.bench import fuzz
from tests.repository.tree import ROOT


@pytest.mark.slow
def test_the_measurements_run_in_small() -> None:
    """`--tiny` prints every figure that needs no engine, each a number above zero with a line of meaning."""
    command = [sys.executable, "-m", "tests.bench.run", "--tiny"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert 13 == len(lines)
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
