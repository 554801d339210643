"""Kill -9 of `ringback snapshot demo` at ten random moments: gone on with, it ends with the root hash of an undisturbed one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.schemas.snapshots import SnapshotHead
from models.weights import locate
from tests.bench.figures import Figure, cpu_seconds
from tests.support.command import Command
from tests.support.kills import assert_gone
from tests.support.snapshot_builds import killed

MOMENTS = 10
_STAGES = {
    "build/recipe.json": "words",
    "build/speech.json": "sound",
    "build/candidates.jsonl": "freeze",
    "month/SNAPSHOT.json": "evaluation",
    "evals/acoustic-audio/summary.json": "audit",
    "report.html": "the end",
}
"""File to what is being done once it is there."""


def kills(command: Command, *, language: str = "en", moments: int = MOMENTS) -> Iterator[Figure]:
    """What a demonstration costs from an empty cache; then the same with the clips and transcripts that it left, killed.

    Each moment is drawn from the share of an undisturbed run's time that is left, so that later ones find later stages.
    """
    (command.cache / "weights").mkdir(parents=True, exist_ok=True)
    locate("whisper-base", command.cache)
    begin = time.perf_counter()
    spent = cpu_seconds(lambda: command.passes(*_demo(language, "whole")))
    yield Figure("snapshot demo", f"{spent:.0f} CPU s", f"{time.perf_counter() - begin:.0f} s with two processes, empty cache")
    begin = time.perf_counter()
    command.passes(*_demo(language, "warm"))
    whole_s = time.perf_counter() - begin
    root, cut, seen = command.cwd / "killed", 0, Counter[str]()
    rng = np.random.default_rng(7)
    for number in range(moments):
        left_s = whole_s * (moments - number) / moments
        with command.start(*_demo(language, "killed")) as process:
            cut += killed(process, lambda: True, float(rng.uniform(0, left_s)))
        assert_gone(process.pid)
        seen[next((what for file, what in reversed(_STAGES.items()) if (root / file).exists()), "start")] += 1
    command.passes(*_demo(language, "killed"))
    heads = [
        SnapshotHead.model_validate_json((command.cwd / name / "month" / "SNAPSHOT.json").read_bytes())
        for name in ("whole", "warm", "killed")
    ]
    assert 1 == len({head.root_sha256 for head in heads}), [head.root_sha256 for head in heads]
    assert [] == list(root.rglob(".*"))
    assert _answers(command.cwd / "whole") == _answers(root)
    assert "identical" in command.passes("snapshot", "verify", root / "month")
    told = ", ".join(f"{count} in {what}" for what, count in seen.items())
    yield Figure("kills of a demonstration", f"{cut} of {moments}", f"{told}; the same root hash and no answer asked twice")


def _demo(language: str, name: str) -> tuple[str, ...]:
    return ("snapshot", "demo", "--language", language, "--out", name)


def _answers(root: Path) -> dict[str, int]:
    """Evaluation to its lines."""
    found = {path.parent.name: path.read_bytes().count(b"\n") for path in root.glob("evals/*/responses.jsonl")}
    assert found
    return found
