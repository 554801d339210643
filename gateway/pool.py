"""Worker processes: started by `spawn` with plain values, safe under Ctrl-C, and gone with their parent however it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import ParamSpec, TypeVar

from gateway import logs

_A = TypeVar("_A")
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Pool(ProcessPoolExecutor):
    """Processes that each call `prepare(argument)` once before their first work; they leave the terminal to the parent."""

    def __init__(self, processes: int, prepare: Callable[[_T], None], argument: _T) -> None:
        with _later_interrupts():
            spawn = multiprocessing.get_context("spawn")
            super().__init__(processes, spawn, _start, (logs.current_level(), prepare, argument))

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand out work, and start a process for it where there is none."""
        with _later_interrupts():
            return super().submit(fn, *args, **kwargs)

    def in_order(self, fn: Callable[[_A], _T], items: Sequence[_A]) -> Iterator[tuple[_A, _T]]:
        """Each item with what `fn` makes of it, in the order given, several at a time; the first failure stops the rest."""
        try:
            for item, done in [(item, self.submit(fn, item)) for item in items]:
                yield item, done.result()
        except BaseException:
            self.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def _later_interrupts() -> Iterator[None]:
    """Let Ctrl-C wait until a process has been started. That process inherits the blocked signal, so its imports are safe too."""
    met: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _frame: met.append(number))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a library's thread may take the signal all the same
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, usual)
        if met:  # the processes got it too, and a pool that broke because of it is no fault of the machine
            raise KeyboardInterrupt


def _start(log_level: int, prepare: Callable[[_T], None], argument: _T) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # a job in a shell's background ignores it, and so do its processes
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    logs.configure(log_level)
    prepare(argument)


def _end_with_parent() -> None:
    """A pool's process does not notice that its parent was killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
