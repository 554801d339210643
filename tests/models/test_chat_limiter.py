"""The limiter of a provider: a minute that moves, places in flight, a pause for all, shared by threads and processes."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.chat.limiter import FIRST_SPACING_S, WINDOW_S, Limiter, Limits, WallClock

_AHEAD = json.dumps(
    {
        "sent": [{"first": 9e9, "last": 9e9, "requests": 1, "tokens": 5}],
        "paused_until": 9e9,
        "spacing": 30,
        "slowed_at": 9e9,
        "through": {"": 9e9},
    }
)


class _Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += max(seconds, 1e-6)


def _moments(limiter: Limiter, clock: _Clock, tokens: list[int], used: list[int] | None = None) -> list[float]:
    """Seconds after the first at which requests of so many tokens go out."""
    moments = []
    for place, asked in enumerate(tokens):
        with limiter.turn(asked) as turn:
            moments.append(clock.now())
            turn.tokens = used[place] if used else asked
    return [round(moment - moments[0], 3) for moment in moments]


def test_requests_a_minute_are_kept(tmp_path: Path) -> None:
    """Three at once, and the fourth when the first is a minute old."""
    clock = _Clock()
    assert [0, 0, 0, 60, 60, 60, 120] == _moments(Limiter(tmp_path, Limits(rpm=3), clock), clock, [1] * 7)


def test_tokens_a_minute_are_kept(tmp_path: Path) -> None:
    """One that is larger than the limit goes out alone."""
    clock = _Clock()
    limiter = Limiter(tmp_path, Limits(tpm=100), clock)
    assert [0, 0, 60, 120, 180] == _moments(limiter, clock, [40, 60, 30, 500, 100])


def test_what_was_really_used_counts(tmp_path: Path) -> None:
    """The reckoning before is replaced by the endpoint's own count."""
    clock = _Clock()
    limiter = Limiter(tmp_path, Limits(tpm=100), clock)
    assert [0, 0, 0, 60] == _moments(limiter, clock, [90, 90, 90, 90], used=[5, 5, 5, 90])


def test_without_limits_nobody_waits(tmp_path: Path) -> None:
    """Requests are counted all the same, for those who have limits."""
    clock = _Clock()
    assert [0] * 50 == _moments(Limiter(tmp_path, Limits(), clock), clock, [10] * 50)
    assert [0, 60] == _moments(Limiter(tmp_path, Limits(rpm=51), clock), clock, [1, 1])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=25), st.integers(1, 5), st.integers(60, 120))
def test_no_minute_has_more_than_allowed(tmp_path_factory: pytest.TempPathFactory, tokens: list[int], rpm: int, tpm: int) -> None:
    """Whatever is asked for, in every minute that begins with a request."""
    clock = _Clock()
    moments = _moments(Limiter(tmp_path_factory.mktemp("limits"), Limits(rpm, tpm), clock), clock, tokens)
    for start in moments:
        inside = [place for place, moment in enumerate(moments) if start <= moment < start + WINDOW_S]
        assert len(inside) <= rpm
        assert sum(tokens[place] for place in inside) <= tpm


def test_a_busy_provider_lets_everybody_wait(tmp_path: Path) -> None:
    """One request that is told to wait makes all wait, whoever they are."""
    clock = _Clock()
    with Limiter(tmp_path, Limits(), clock).turn(1) as turn:
        turn.pause_s = 7.0
    assert 1000.0 == clock.now()
    with Limiter(tmp_path, Limits(), clock).turn(1):
        assert 1007.0 == clock.now()


def _busy(limiter: Limiter, pause_s: float) -> None:
    with limiter.turn(1) as turn:
        turn.pause_s = pause_s


def test_a_provider_that_was_too_busy_is_asked_one_by_one(tmp_path: Path) -> None:
    """After the pause not all at once: twice as slowly each time, and a little faster with each answer."""
    clock = _Clock()
    limiter = Limiter(tmp_path, Limits(), clock)
    for _ in range(3):
        _busy(limiter, 1.0)
    moments = []
    for _ in range(60):
        with limiter.turn(1) as turn:
            moments.append(clock.now())
            turn.through = True
    gaps = [after - before for before, after in pairwise(moments)]
    assert pytest.approx(4 * FIRST_SPACING_S * 0.93) == gaps[0]
    assert gaps == sorted(gaps, reverse=True)
    assert pytest.approx(0, abs=1e-5) == gaps[-1]


def test_requests_that_went_out_at_one_pace_slow_it_down_once(tmp_path: Path) -> None:
    """Eight at a time are refused for one reason, not for eight."""
    clock = _Clock()
    limiter = Limiter(tmp_path, Limits(), clock)
    with ExitStack() as open_turns:
        turns = [open_turns.enter_context(limiter.turn(1)) for _ in range(8)]
        clock.time += 0.5
        for turn in turns:
            turn.pause_s = 1.0
    with limiter.turn(1):
        began = clock.now()
    with limiter.turn(1):
        assert pytest.approx(FIRST_SPACING_S) == clock.now() - began


def test_who_was_taken_last_is_known_by_model(tmp_path: Path) -> None:
    """One model of a provider may be too busy while another answers."""
    clock = _Clock()
    with Limiter(tmp_path, Limits(), clock, "one").turn(1) as one:
        one.through = True
    clock.time += 5
    with Limiter(tmp_path, Limits(), clock, "one").turn(1) as again, Limiter(tmp_path, Limits(), clock, "two").turn(1) as two:
        pass
    assert (1000.0, 1000.0, 0.0) == (one.last_through, again.last_through, two.last_through)


@pytest.mark.parametrize("state", ["", "[0.0", "{}", "[0.0, []]", '{"sent": [[1]]}', _AHEAD])
def test_a_state_that_is_none_starts_anew(tmp_path: Path, state: str) -> None:
    """A file cut off by a kill, or from before the machine's clock was set back by years, holds nobody up."""
    clock = _Clock()
    (tmp_path / "state.json").write_text(state)
    with Limiter(tmp_path, Limits(rpm=1), clock).turn(1):
        assert 1000.0 == clock.now()


def test_places_in_flight_are_kept_over_threads(tmp_path: Path) -> None:
    """Of twelve at once never more than three are under way, and all get their turn."""
    lock, under_way, most = threading.Lock(), 0, 0

    def one(_number: int) -> None:
        nonlocal under_way, most
        with Limiter(tmp_path, Limits(in_flight=3), WallClock()).turn(1):
            with lock:
                under_way += 1
                most = max(most, under_way)
            time.sleep(0.02)
            with lock:
                under_way -= 1

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(one, range(12)))
    assert (3, 0) == (most, under_way)


def test_a_killed_process_gives_its_place_back(tmp_path: Path) -> None:
    """Another process holds the only place; when it is killed in mid-request, the next gets it."""
    held = (
        "import sys, time; from pathlib import Path; from models.chat.limiter import Limiter, Limits, WallClock\n"
        "with Limiter(Path(sys.argv[1]), Limits(in_flight=1), WallClock()).turn(1):\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", held, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    with holder.stdout:
        assert "held\n" == holder.stdout.readline()
        got = threading.Event()

        def wait() -> None:
            with Limiter(tmp_path, Limits(in_flight=1), WallClock()).turn(1):
                got.set()

        waiting = threading.Thread(target=wait)
        waiting.start()
        assert not got.wait(0.3)
        holder.kill()
        holder.wait()
        assert got.wait(10)
        waiting.join()


def test_processes_share_the_minute(tmp_path: Path) -> None:
    """Four processes of five requests each, at most twelve a minute: exactly twelve go out at once."""
    sent = (
        "import sys; from pathlib import Path; from models.chat.limiter import Limiter, Limits\n"
        "class Late(Exception): pass\n"
        "class Clock:\n"
        "    def now(self): return 1000.0\n"
        "    def sleep(self, seconds): raise Late\n"
        "try:\n"
        "    for _ in range(5):\n"
        "        with Limiter(Path(sys.argv[1]), Limits(rpm=12), Clock()).turn(1): print('sent')\n"
        "except Late: pass"
    )
    running = [subprocess.Popen([sys.executable, "-c", sent, str(tmp_path)], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert 12 == sum(process.communicate()[0].count("sent") for process in running)
    assert [0] * 4 == [process.returncode for process in running]
