"""Threads that wait for endpoints: as many as asked for, never in the way of a command that ends."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import wait

import pytest

from gateway.threads import Threads
from tests.repository.tree import ROOT


def test_results_and_errors_reach_whoever_asks() -> None:
    """A future holds what the work returned or raised."""
    with Threads(2) as threads:
        good, bad = threads.submit(lambda a, b: a + b, 1, b=2), threads.submit(lambda: 1 // 0)
        assert 3 == good.result(timeout=10)
        with pytest.raises(ZeroDivisionError):
            bad.result(timeout=10)


def test_no_more_work_runs_at_once_than_there_are_threads() -> None:
    """The rest waits its turn, and all of it is done at a good end."""
    now, most, lock = [0], [0], threading.Lock()

    def work() -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.02)
        with lock:
            now[0] -= 1

    with Threads(3) as threads:
        futures = [threads.submit(work) for _ in range(12)]
    assert all(future.done() for future in futures)
    assert 3 == most[0]


def test_an_error_lets_go_of_what_runs_and_cancels_what_waits() -> None:
    """Nobody waits for a call that may take minutes more."""
    free = threading.Event()
    began = time.monotonic()
    threads = Threads(1)
    running, waiting = threads.submit(free.wait, 60), threads.submit(free.wait, 60)
    while not running.running():
        time.sleep(0.001)
    with pytest.raises(KeyboardInterrupt), threads:
        raise KeyboardInterrupt
    assert time.monotonic() - began < 30
    assert (False, True) == (running.done(), waiting.cancelled())
    free.set()
    assert wait([running], timeout=10).done
    with pytest.raises(RuntimeError, match="shut down"):
        threads.submit(free.wait)


def test_a_process_ends_although_a_thread_still_waits() -> None:
    """As the standard library's threads would not let it."""
    script = "import time\nfrom gateway.threads import Threads\nThreads(1).submit(time.sleep, 600)\n"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=60, check=False, capture_output=True)
    assert (0, b"") == (done.returncode, done.stderr)
