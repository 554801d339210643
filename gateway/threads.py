"""Threads for work that waits for endpoints: unlike the standard library's, they do not keep a command that stops waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Threads(Executor):
    """An executor of daemon threads.

    After Ctrl-C or an error that stops a run a call may go on for minutes; it is let go of as by a kill, which never leaves
    anything half saved.
    """

    def __init__(self, most: int) -> None:
        """`most` is the number of threads, 1 or more; they are started as work comes."""
        self._most = most
        self._work: SimpleQueue[tuple[Future[object], Callable[[], object]] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._over = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand out work; raises RuntimeError after `shutdown`."""
        if self._over:
            raise RuntimeError("these threads are shut down")
        future: Future[_T] = Future()
        self._work.put((future, lambda: fn(*args, **kwargs)))  # type: ignore[arg-type]  # a queue of futures of any kind
        if len(self._threads) < self._most:
            self._threads.append(threading.Thread(target=self._loop, daemon=True))
            self._threads[-1].start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work; `wait` for what was handed out, or with `cancel_futures` for what has begun."""
        self._over = True
        if cancel_futures:
            self._cancel()
        for _thread in self._threads:
            self._work.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Wait for all work at a good end, for none of it at another."""
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)

    def _cancel(self) -> None:
        try:
            while (waiting := self._work.get_nowait()) is not None:
                waiting[0].cancel()
        except Empty:
            return

    def _loop(self) -> None:
        while (waiting := self._work.get()) is not None:
            future, work = waiting
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:  # noqa: BLE001  # whatever it is, it belongs to whoever asks for the result
                    future.set_exception(error)
