"""Kill -9 of a build with sound at ten random moments: gone on with, it ends with the root hash of an undisturbed one."""

from __future__ import annotations

import time
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
    """One build, killed again and again at moments of the clock from its start to its end, each with what the last one left.

    A build gone on with is quicker than a whole one, so each moment is drawn from the share of the time that is left.
    """
    (command.cache / "weights").mkdir(parents=True, exist_ok=True)
    locate("silero-vad", command.cache)
    one, other = (
        Command(command.cwd, cache_beside(command.cwd / f"cache-{name}", command.cache)) for name in ("whole", "killed")
    )
    with listening_server() as address:
        begin = time.perf_counter()
        whole = built(one, "whole", address)
        whole_s = time.perf_counter() - begin
        build, kept, cut, seen = command.cwd / "killed", dict[str, tuple[int, int]](), 0, set[str]()
        rng = np.random.default_rng(7)
        for number in range(moments):
            left_s = whole_s * (moments - number) / moments
            with other.start(*build_arguments("killed"), RINGBACK_SPEECH_URL=address) as process:
                cut += killed(process, lambda: True, float(rng.uniform(0, left_s)))
            assert_gone(process.pid)
            now = kept_of(build)
            assert kept == {name: now[name] for name in kept}
            kept = now
            seen.add(max((stage for stage in _STAGES if count(build, stage)), key=_STAGES.index, default="nothing"))
        built(other, "killed", address)
    assert contents(whole) == contents(build)
    roots = {_frozen(command, folder) for folder in ("whole", "killed")}
    assert 1 == len(roots)
    yield Figure(
        "kills of a build with sound",
        f"{cut} of {moments}",
        f"from {', '.join(sorted(seen))} on; {len(kept)} finished files untouched, the same root hash",
    )


def _frozen(command: Command, build: str) -> str:
    """The root hash of a build's month, in a folder where no other month has its name."""
    command.passes("snapshot", "freeze", build, "--out", Path(f"months-{build}") / "month")
    return SnapshotHead.model_validate_json(
        (command.cwd / f"months-{build}" / "month" / "SNAPSHOT.json").read_bytes()
    ).root_sha256
