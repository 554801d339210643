"""A user's object in a thread of its own: what it answers, what it raises, and what becomes of one that hangs."""

from __future__ import annotations

import threading
import time

import pytest

from core.own_thread import LateError, OwnThread


def _fail() -> None:
    raise ZeroDivisionError("by zero")


def test_everything_is_done_in_one_thread() -> None:
    """What an object keeps for its thread, such as a connection to a database, it finds again at its next call."""
    own = OwnThread()
    first, second = own.run(threading.get_ident, 5), own.run(threading.get_ident, 5)
    assert first == second != threading.get_ident()


def test_what_is_raised_is_raised_here() -> None:
    """And the thread goes on."""
    own = OwnThread()
    with pytest.raises(ZeroDivisionError, match="by zero"):
        own.run(_fail, 5)
    assert (7, False) == (own.run(lambda: 7, 5), own.late)


def test_the_end_of_a_program_is_raised_and_ends_nothing() -> None:
    """A user's `sys.exit` is a fault like others."""
    own = OwnThread()
    with pytest.raises(SystemExit):
        own.run(lambda: (_ for _ in ()).throw(SystemExit(4)), 5)
    assert 7 == own.run(lambda: 7, 5)


def test_what_takes_too_long_is_left_behind_and_not_asked_again() -> None:
    """The second call is refused at once, since it would wait behind the first."""
    own, let_go = OwnThread(), threading.Event()
    with pytest.raises(LateError, match=r"no answer within 0\.1 s"):
        own.run(let_go.wait, 0.1)
    began = time.monotonic()
    with pytest.raises(LateError, match="hangs since an earlier call"):
        own.run(lambda: 7, 60)
    assert own.late
    assert time.monotonic() - began < 30
    let_go.set()


def test_a_thread_ends_with_its_object() -> None:
    """A run of thousands of calls leaves none behind."""
    own = OwnThread()
    thread = own.run(threading.current_thread, 5)
    del own
    thread.join(timeout=30)
    assert not thread.is_alive()
