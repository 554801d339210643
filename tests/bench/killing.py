"""Kill -9 at random moments of runs, resumed until they end: nothing is lost, nothing done twice, the end is the same."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.runs.store import RunStore
from core.schemas.run import JournalState
from tests.bench import scale
from tests.bench.figures import Figure
from tests.support.chat_server import chat_server
from tests.support.command import Command
from tests.support.instant import PARTIES, write_bundle
from tests.support.kills import (
    Finished,
    assert_gone,
    assert_resumed,
    assert_same_but_cost,
    finished,
    kill_after,
    lines_of,
    wait_for_lines,
)
from tests.support.small_talk import CENT, SCRIPT, run_of, slowly

CHAT_CALLS = 12
MOMENTS = 30


def kills(
    command: Command, *, agents: int = scale.AGENTS, repeats: int = scale.REPEATS, moments: int = MOMENTS
) -> Iterator[Figure]:
    """One run of thousands of calls, killed again and again: at moments of the clock, which know nothing of its files.

    A kill may find it while it starts, plays, writes a case, a grade or a line, or sums up. Each start does some work again, so
    the moments lie within the time of a start and three times the share of the work that would end it after the last kill.
    """
    write_bundle(command.cwd / "many", agents, scale.SCENARIOS)
    calls = agents * scale.SCENARIOS * repeats
    whole, killed = command.cwd / "whole", command.cwd / "killed"
    arguments = ("run", "many", *PARTIES, "--repeats", str(repeats), "--concurrency", "2")
    start_s, work_s = _undisturbed(command, (*arguments, "--out", "whole"), whole)
    kept, hit, torn = Finished(), 0, 0
    for moment_s in np.random.default_rng(7).uniform(0.0, start_s + 3 * work_s / moments, moments):
        hit += _killed(command, (*arguments, "--out", "killed"), float(moment_s))
        torn += _is_torn(killed)
        now = finished(killed)
        assert_resumed(kept, now)
        kept = now
    command.passes(*arguments, "--out", "killed")
    assert_resumed(kept, finished(killed))
    for name in ("summary.json", "report.html"):
        assert (whole / name).read_bytes() == (killed / name).read_bytes(), name
    _assert_each_once(killed, calls)
    assert [] == list(killed.rglob(".*"))
    yield Figure(
        f"kills of a run of {calls} calls",
        f"{hit} of {moments}",
        f"at random moments, {torn} inside a line, {len(kept)} calls finished by then; each finished once, the same report",
    )
    for folder in (whole, killed):
        shutil.rmtree(folder)


def _undisturbed(command: Command, arguments: tuple[str, ...], folder: Path) -> tuple[float, float]:
    """Seconds until the first call started, and from there to the end."""
    begin = time.perf_counter()
    with command.start(*arguments) as process:
        wait_for_lines(process, folder, 1)
        started = time.perf_counter()
        _out, err = process.communicate()
    assert (0, "") == (process.returncode, err)
    return started - begin, time.perf_counter() - started


def _killed(command: Command, arguments: tuple[str, ...], moment_s: float) -> bool:
    """Kill a command so long after its start; False where it had ended by then."""
    with command.start(*arguments) as process:
        time.sleep(moment_s)
        ended = process.poll() is not None
        process.kill()
        process.communicate()
    assert_gone(process.pid)
    return not ended


def _is_torn(folder: Path) -> bool:
    journal = folder / "journal.jsonl"
    return journal.exists() and not journal.read_bytes().endswith(b"\n")


def _assert_each_once(folder: Path, calls: int) -> None:
    """Every line is a whole one, every call finished once and by the trace that is there, and graded."""
    store = RunStore(folder)
    done = [line for line in store.journal() if line.state is JournalState.FINISHED]
    assert calls == len(done) == len({line.case for line in done})
    counted = Counter(line.state for line in store.journal())
    assert {JournalState.STARTED, JournalState.FINISHED} == counted.keys()
    assert counted[JournalState.STARTED] >= calls
    identities = {case["case"]: case["trace_sha256"] for case in json.loads((folder / "summary.json").read_bytes())["cases"]}
    assert identities == {line.case: line.trace_sha256 for line in done}


def chat_kills(command: Command, loops: int) -> Iterator[Figure]:
    """Runs of chat models over HTTP, in threads that play and judge, each killed once at a random line of its journal."""
    with chat_server({name: slowly(answer, 0.03) for name, answer in SCRIPT.items()}) as server:
        roles = ("caller", "candidate", "judge")
        command.passes(*run_of(server, *roles, repeats=CHAT_CALLS, out="chat"))
        whole, kept = command.cwd / "chat", 0
        rng = np.random.default_rng(8)
        for loop in range(loops):
            folder = command.cwd / f"chat-{loop}"
            arguments = tuple(run_of(server, *roles, options=f"{CENT}&cache=off", repeats=CHAT_CALLS, out=folder.name))
            first = kill_after(command, arguments, folder, int(rng.integers(2, lines_of(whole) - 9)))
            command.passes(*arguments)
            assert_resumed(first, finished(folder))
            assert_same_but_cost(whole, folder)
            kept += len(first)
    yield Figure(
        "killed runs of chat models", f"{loops} of {loops}", f"ended like an undisturbed one; {kept} finished calls untouched"
    )
