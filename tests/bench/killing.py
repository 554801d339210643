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
FIRST_CALLS = 6
"""Lines by which a resumed run has finished calls: what the kill kept out of the journal, and two starts, come first."""


def kills(
    command: Command, *, agents: int = scale.AGENTS, repeats: int = scale.REPEATS, moments: int = MOMENTS
) -> Iterator[Figure]:
    """One run of thousands of calls, killed again and again: at moments of the clock, which know nothing of its files.

    Every fourth falls into the start of the command, every fourth is counted from the first thing that it does, and the others
    from the first calls that it finishes: within four times their share of the playing, so that the last find it summing up.
    """
    write_bundle(command.cwd / "mortal", agents, scale.SCENARIOS)
    calls = agents * scale.SCENARIOS * repeats
    whole, killed = command.cwd / "whole", command.cwd / "killed"
    arguments = ("run", "mortal", *PARTIES, "--repeats", str(repeats), "--concurrency", "2")
    start_s, play_s = _undisturbed(command, (*arguments, "--out", "whole"), whole, 2 * calls)
    kept, when, torn = Finished(), Counter[str](), 0
    rng = np.random.default_rng(7)
    for number in range(moments):
        lines = lines_of(killed)
        stage = "starting" if number % 4 == 1 else "playing" if len(kept) < calls else "summing up"
        moment_s = float(rng.uniform(0, start_s if stage == "starting" else 4 * play_s / moments))
        past = -1 if stage != "playing" else lines if number % 4 == 3 else lines + FIRST_CALLS
        lead_s = start_s if stage == "summing up" else 0
        was_at_work = _killed(command, (*arguments, "--out", "killed"), killed, past, lead_s + moment_s)
        when[stage if was_at_work else "too late"] += 1
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
    told = ", ".join(f"{count} {stage}" for stage, count in when.items())
    yield Figure(
        f"kills of a run of {calls} calls",
        f"{moments - when['too late']} of {moments}",
        f"{told}; {torn} inside a line; each call finished once, the same report",
    )
    for folder in (whole, killed):
        shutil.rmtree(folder)


def _undisturbed(command: Command, arguments: tuple[str, ...], folder: Path, lines: int) -> tuple[float, float]:
    """Seconds until the first line of the journal, and from there to the last."""
    begin = time.perf_counter()
    with command.start(*arguments) as process:
        wait_for_lines(process, folder, 1)
        started = time.perf_counter()
        wait_for_lines(process, folder, lines)
        played = time.perf_counter()
        _out, err = process.communicate()
    assert (0, "") == (process.returncode, err)
    return started - begin, played - started


def _killed(command: Command, arguments: tuple[str, ...], folder: Path, past: int, moment_s: float) -> bool:
    """Kill a command so long after its journal went past a number of lines; False where it had ended by then."""
    with command.start(*arguments) as process:
        while process.poll() is None and lines_of(folder) <= past:
            time.sleep(0.002)
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
