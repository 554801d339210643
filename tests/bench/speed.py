"""Speed of spoken calls: the engines alone, and the whole pipeline on the same work, cold, with several calls at once, warm."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from core.bundle import demo_scenarios, shipped_bundle
from core.schemas.call_trace import Trace
from models.weights import locate
from tests.bench.figures import Figure
from tests.bench.watching import Cost, together_mb, watched
from tests.repository.tree import ROOT
from tests.support.command import Command

BUNDLE = "frontdesk"
MORE = ("block-stolen-card", "late-cancellation")
"""Beside the demonstration's six calls, so that eight can be played at once."""
AT_ONCE = (1, 2, 4, 8)


def spoken_calls(command: Command) -> Iterator[Figure]:
    """The figures, as they are measured; about ten minutes of CPU."""
    locate("whisper-base", command.cache)
    costs = {}
    for processes in AT_ONCE:
        for kept in ("clips", "transcripts"):
            shutil.rmtree(command.cache / kept, ignore_errors=True)
        costs[processes] = _play(command, f"cold-{processes}", processes)
    audio_s = _seconds(command.cwd / "cold-1")
    bare = _bare(command, command.cwd / "cold-1")
    engines = bare["load_cpu"] + bare["say_cpu"] + bare["hear_cpu"]
    yield Figure("the voices alone", f"{bare['say_cpu']:.1f} CPU s", f"{bare['lines']} clips in a straight loop")
    yield Figure("the recogniser alone", f"{bare['hear_cpu']:.1f} CPU s", f"{bare['clips']} fragments in a straight loop")
    yield Figure("loading all engines", f"{bare['load_cpu']:.1f} CPU s", "once, with their imports and the check of their bytes")
    yield Figure(
        "the recogniser's floor",
        f"{bare['hear_cpu'] / audio_s:.3f} CPU s/s",
        f"for a second of call; {bare['hear_cpu'] / bare['clips']:.2f} a fragment, however short; {audio_s:.0f} s of calls",
    )
    yield Figure(
        "the engines on one core", f"{engines / audio_s:.3f} CPU s/s", "for a second of call: no pipeline can take less CPU"
    )
    for processes, cost in costs.items():
        calls = f"{processes} call{'s' if processes > 1 else ''} at once"
        yield Figure(f"cold, {calls}", f"{cost.cpu_s / engines:.3f} x engines", f"{cost.cpu_s:.1f} CPU s against {engines:.1f}")
        yield Figure(f"wall, {calls}", f"{cost.wall_s / audio_s:.3f} s/s", f"{cost.wall_s:.1f} s for {audio_s:.0f} s of calls")
        yield Figure(f"memory, {calls}", f"{cost.memory_mb:.0f} MB", "most that all its processes held together")
    warm = _play(command, "warm", 1)
    yield Figure("warm", f"1/{costs[1].cpu_s / warm.cpu_s:.1f} of cold", "every clip and transcript comes out of the cache")


def _play(command: Command, out: str, processes: int) -> Cost:
    scenarios = ",".join((*demo_scenarios(shipped_bundle(BUNDLE)), *MORE))
    arguments = ("run", BUNDLE, "--scenarios", scenarios, "--condition", "asr", "--concurrency", str(processes), "--out", out)
    return watched(command, *arguments, memory_mb=together_mb, every_s=0.25)


def _seconds(run: Path) -> float:
    """Seconds of all recorded calls of a run."""
    traces = [Trace.model_validate_json(path.read_bytes()) for path in (run / "cases").glob("*/trace.json")]
    return sum(trace.recording.samples / trace.recording.sample_rate for trace in traces if trace.recording is not None)


def _bare(command: Command, run: Path) -> dict[str, float]:
    environment = command.environment(OPENBLAS_NUM_THREADS="1")
    script = [sys.executable, "-m", "tests.bench.bare", str(run), str(command.cache)]
    done = subprocess.run(script, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found
