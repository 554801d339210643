"""A run that is killed, interrupted or started twice: what is finished stays, and the end is that of an undisturbed run."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from core.errors import EXIT_GATE, EXIT_INPUT
from core.runs.store import RunStore
from tests.support.chat_server import chat_server, hang, refuse
from tests.support.command import Command
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
from tests.support.small_talk import CENT, REQUESTS, SCRIPT, candidate, run_of, slowly

RUN = ("run", "frontdesk", "--agents", "alder-*,swiftlane-*", "--condition", "text,authored", "--concurrency", "2")
CASES = 12
KILLS = 5


@pytest.mark.slow
def test_a_run_killed_again_and_again_ends_like_an_undisturbed_one(ringback: Command, tmp_path: Path) -> None:
    """Kill -9 after k journal lines, five random k: the same summary, and each finished trace keeps inode, time and bytes."""
    ringback.passes(*RUN, "--out", "whole")
    assert 2 * CASES == lines_of(tmp_path / "whole")
    moments = np.random.default_rng(20260316).choice(np.arange(1, 2 * CASES - 2), size=KILLS, replace=False)
    folder, kept = tmp_path / "killed", Finished()
    for lines in sorted(int(moment) for moment in moments):
        now = kill_after(ringback, (*RUN, "--out", "killed"), folder, lines)
        assert_resumed(kept, now)
        kept = now
    assert 0 < len(kept) < CASES
    ringback.passes(*RUN, "--out", "killed")
    after, whole = finished(folder), finished(tmp_path / "whole")
    assert_resumed(kept, after)
    assert {case: entry[2] for case, entry in whole.items()} == {case: entry[2] for case, entry in after.items()}
    for name in ("summary.json", "report.html"):
        assert (tmp_path / "whole" / name).read_bytes() == (folder / name).read_bytes()
    assert [] == list(folder.rglob(".*"))


@pytest.mark.slow
def test_a_run_of_chat_models_killed_while_playing_and_judging_ends_like_an_undisturbed_one(
    ringback: Command, tmp_path: Path
) -> None:
    """Three kills among threads that play and judge: no case is finished or graded twice, and all but the cost is the same.

    What a killed call had spent is spent and counted, but what its models had said is in the reply cache and is not paid for
    again. Only what the threads were waiting for at a kill is not known, and the summary says how often that was.
    """
    with chat_server({name: slowly(answer, 0.03) for name, answer in SCRIPT.items()}) as server:
        command = tuple(run_of(server, "caller", "candidate", "judge", options=f"{CENT}&cache=off", repeats=9, out="whole"))
        ringback.passes(*command)
        lines = lines_of(tmp_path / "whole")
        assert 3 * 9 == lines
        cached = tuple(run_of(server, "caller", "candidate", "judge", repeats=9, out="killed"))
        folder, kept, before = tmp_path / "killed", Finished(), len(server.requests)
        for moment in sorted(np.random.default_rng(20260317).choice(np.arange(2, lines - 9), size=3, replace=False)):
            now = kill_after(ringback, cached, folder, int(moment))
            assert_resumed(kept, now)
            kept = now
        ringback.passes(*cached)
        requests = len(server.requests) - before
    assert_resumed(kept, finished(folder))
    assert 0 < len(kept) < 9
    assert_same_but_cost(tmp_path / "whole", folder)
    calls, checks, under_way = 9 * sum(REQUESTS.values()), 4 * 3, 3 * 8
    assert calls + 2 * 3 <= requests <= calls + checks + under_way  # a kill may come before the checks
    summary = RunStore.open(folder).summary()
    counted = sum(used.requests for used in summary.usage.values())
    assert requests - under_way <= counted <= requests
    assert counted / 100 == pytest.approx(sum(used.cost_usd for used in summary.usage.values()))
    assert 1 <= summary.cuts <= 3
    assert 0 == RunStore.open(tmp_path / "whole").summary().cuts


def test_a_budget_holds_over_kills(ringback: Command, tmp_path: Path) -> None:
    """Killed in the third call, whose replies so far are in the cache then: they are spent all the same, and so are checks."""
    with chat_server({name: slowly(answer, 0.2) for name, answer in SCRIPT.items()}) as server:
        arguments = (*run_of(server, "caller", "candidate", repeats=9), "--concurrency", "1", "--budget", "0.125")
        with ringback.start(*arguments) as process:
            while len(server.requests) < 10:  # two checks, two calls of three requests, the second of the third call
                assert process.poll() is None
                time.sleep(0.01)
            process.kill()
            process.communicate()
        done = ringback(*arguments)
        asked = len(server.requests)
    told = "ringback: the budget of 0.12 USD is spent (at least 0.13 USD): 6 of 9 calls were not started"
    assert (EXIT_GATE, told) == (done.returncode, done.stderr.partition(";")[0])
    assert asked in (13, 14)  # what was under way at the kill is asked again, unless its reply had come
    summary = RunStore.open(tmp_path / "run").summary()
    assert (13, 1) == (sum(used.requests for used in summary.usage.values()), summary.cuts)


def test_ctrl_c_ends_threads_at_once(ringback: Command, tmp_path: Path) -> None:
    """A model that says nothing for minutes does not keep the command; what is finished is kept."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    begun = refuse(*[candidate] * 5, *[hang()] * 50, then=candidate)
    with chat_server({**SCRIPT, "candidate": begun}) as server:
        arguments = run_of(server, "caller", "candidate", repeats=9)
        with ringback.start(*arguments, "--concurrency", "2") as process:
            wait_for_lines(process, tmp_path / "run", 4)
            os.killpg(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=60)
    assert (130, "") == (process.returncode, out)
    assert ["ringback: interrupted; finished cases are kept, run the same command to go on"] == err.splitlines()
    assert 1 <= len(finished(tmp_path / "run")) < 9


def test_ctrl_c_is_one_line_and_the_run_goes_on_later(ringback: Command, tmp_path: Path) -> None:
    """SIGINT to the whole group, as a terminal sends it: exit 130, one line, no traceback of a worker; then it is resumed."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests started in a shell's background would hand on an ignored one
    arguments = ("run", "frontdesk", "--scenarios", "hold-*", "--repeats", "25", "--out", "run")
    with ringback.start(*arguments) as process:
        wait_for_lines(process, tmp_path / "run", 4)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (130, "") == (process.returncode, out)
    assert ["ringback: interrupted; finished cases are kept, run the same command to go on"] == err.splitlines()
    assert_gone(process.pid)
    kept = finished(tmp_path / "run")
    assert 0 < len(kept) < 25
    ringback.passes(*arguments)
    assert 25 == len(finished(tmp_path / "run"))
    assert_resumed(kept, finished(tmp_path / "run"))


def test_two_commands_cannot_play_one_run_at_once(ringback: Command, tmp_path: Path) -> None:
    """The second is refused with one line while the first is at work; the first then ends well."""
    arguments = ("run", "frontdesk", "--scenarios", "hold-*", "--repeats", "4", "--out", "run")
    with ringback.start(*arguments) as first:
        wait_for_lines(first, tmp_path / "run", 1)
        first.send_signal(signal.SIGSTOP)
        try:
            told = "run: another process is playing or judging this run: wait until it has ended"
            assert told == ringback.fails(EXIT_INPUT, *arguments)
        finally:
            first.send_signal(signal.SIGCONT)
        _out, err = first.communicate(timeout=120)
    assert (0, "") == (first.returncode, err)
    assert 8 == lines_of(tmp_path / "run")


def test_another_configuration_is_refused_and_nothing_changes(ringback: Command, tmp_path: Path) -> None:
    """Another seed, channel, scenario or repeat count on the same folder is an input error that names what differs."""
    first = ("run", "frontdesk", "--scenarios", "hold-*", "--concurrency", "1", "--out", "run")
    ringback.passes(*first)
    before = {path: path.read_bytes() for path in sorted((tmp_path / "run").rglob("*")) if path.is_file()}
    for other, field in ((("--seed", "8"), "seed"), (("--repeats", "2"), "repeats"), (("--condition", "authored"), "cases")):
        why = ringback.fails(EXIT_INPUT, *first, *other)
        assert "holds a run with another configuration" in why
        assert f"{field}: " in why
    assert before == {path: path.read_bytes() for path in sorted((tmp_path / "run").rglob("*")) if path.is_file()}
    assert 7 == json.loads(before[tmp_path / "run" / "run.json"])["seed"]
