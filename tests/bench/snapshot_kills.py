"""Kill -9 of a build with sound at ten random moments: gone on with, it ends with the root hash of an undisturbed one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.schemas.snapshots import SnapshotHead
from models.weights import locate
from tests.bench.figures import Figure
from tests.support.command import Command, cache_beside
from tests.support.kills import assert_gone
from tests.support.listening_server import listening_server
from tests.support.snapshot_builds import build_arguments, built, contents, count, kept_of, killed

MOMENTS = 10
_STAGES = ("recipe.json", "trees/*.json", "audio/*.wav", "rendered/*.json", "heard/*.json", "candidates.jsonl")


def kills(command: Command, *, moments: int = MOMENTS) -> Iterator[Figure]:
    """Builds killed once each, at moments drawn over the time of an undisturbed one with the same clips, then gone on with."""
    (command.cache / "weights").mkdir(parents=True, exist_ok=True)
    locate("silero-vad", command.cache)
    one = Command(command.cwd, cache_beside(command.cwd / "cache-builds", command.cache))
    with listening_server() as address:
        whole = built(one, "whole", address)
        begin = time.perf_counter()
        built(one, "warm", address)
        whole_s = time.perf_counter() - begin
        cut, seen, untouched = 0, Counter[str](), 0
        rng = np.random.default_rng(7)
        for number in range(moments):
            build = command.cwd / f"killed-{number}"
            with one.start(*build_arguments(build.name), RINGBACK_SPEECH_URL=address) as process:
                cut += killed(process, lambda: True, float(rng.uniform(0.05, 0.95)) * whole_s)
            assert_gone(process.pid)
            seen[max((stage for stage in _STAGES if count(build, stage)), key=_STAGES.index, default="nothing")] += 1
            kept = kept_of(build)
            built(one, build.name, address)
            now = kept_of(build)
            assert kept == {name: now[name] for name in kept}
            untouched += len(kept)
            assert contents(whole) == contents(build)
    roots = {_frozen(command, folder) for folder in ("whole", *(f"killed-{number}" for number in range(moments)))}
    assert 1 == len(roots)
    told = ", ".join(f"{many} at {stage}" for stage, many in seen.items())
    yield Figure(
        "kills of a build with sound", f"{cut} of {moments}", f"{told}; {untouched} finished files untouched, one root hash"
    )


def _frozen(command: Command, build: str) -> str:
    """The root hash of a build's month, in a folder where no other month has its name."""
    command.passes("snapshot", "freeze", build, "--out", Path(f"months-{build}") / "month")
    return SnapshotHead.model_validate_json(
        (command.cwd / f"months-{build}" / "month" / "SNAPSHOT.json").read_bytes()
    ).root_sha256
