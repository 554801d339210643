"""A thread for one object of a user's, so that a call of it that hangs can be left behind."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

_T = TypeVar("_T")
_Work = Callable[[], object]
LIMIT_S = 300.0
"""Seconds that a user's code may take for one answer where nobody says otherwise."""


class LateError(Exception):
    """No answer came in time, and none will be waited for any more."""


class OwnThread:
    """Runs everything that is done with one object in one daemon thread, which ends with the last reference to this.

    What hangs is left behind and not stopped, since Python stops no thread: it goes on in the background until the process
    ends. Code that hangs in a library without letting go of the interpreter holds up the waiting, too.
    """

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[_Work, SimpleQueue[Any]] | None] = SimpleQueue()
        self._started = False
        self.late = False
        """Whether something was left behind."""
        weakref.finalize(self, self._work.put, None).atexit = False

    def run(self, work: Callable[[], _T], limit_s: float) -> _T:
        """What `work` gives back or raises, within `limit_s` seconds; `work` must not refer to this object.

        Raises:
            LateError: it takes longer, now or at an earlier call.
        """
        if self.late:
            raise LateError("hangs since an earlier call")
        if not self._started:
            threading.Thread(target=_loop, args=(self._work,), daemon=True).start()
            self._started = True
        answers: SimpleQueue[tuple[_T, None] | tuple[None, BaseException]] = SimpleQueue()
        self._work.put((work, answers))
        try:
            value, error = answers.get(timeout=limit_s)
        except Empty:
            self.late = True
            raise LateError(f"no answer within {limit_s:g} s") from None
        if error is not None:
            raise error
        return value  # type: ignore[return-value]  # there is a value where there is no error


def _loop(queue: SimpleQueue[tuple[_Work, SimpleQueue[Any]] | None]) -> None:
    while (item := queue.get()) is not None:
        work, answers = item
        try:
            answers.put((work(), None))
        except BaseException as error:  # noqa: BLE001  # whatever it is, it belongs to whoever asked
            answers.put((None, error))
        del item, work, answers  # an object that is not used any more can go before the next call
