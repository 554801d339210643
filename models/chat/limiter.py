"""One limiter for each provider: requests and tokens a minute, requests in flight, and a pause that a busy provider asks for.

After such a pause requests go out one by one: a provider that is too busy halves the pace, and every answer quickens it a little.

Threads and processes of one machine share it through locked files in a folder. A lock of a file falls with the process that
holds it, so a killed run leaves nothing behind that another would wait for.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

from core.files import make_folder

WINDOW_S = 60.0
"""The minute of the limits."""
LONGEST_PAUSE_S = 86_400.0
"""Longest pause that can be asked for, seconds."""
FIRST_SPACING_S = 0.1
"""Seconds between two requests after a provider was too busy; they double each time, and shrink with every answer."""
LONGEST_SPACING_S = 30.0
"""Where that ends."""
_QUICKER = 0.93
"""What an answer leaves of the time between two requests; a dozen undo one doubling."""
_POLL_S = 0.02
"""How often a place in flight is looked for."""


class Clock(Protocol):
    """Time that all processes share, in seconds; a limit decides when a request goes out, never what is answered."""

    def now(self) -> float:
        """The moment."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class WallClock:
    """The machine's own."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


@dataclass(frozen=True)
class Limits:
    """What one user of a provider keeps to; None is no limit."""

    rpm: int | None = None
    """Requests in any minute, those of others included."""
    tpm: int | None = None
    """Tokens in any minute, those of others included."""
    in_flight: int = 16
    """Requests at one time."""


@dataclass
class Turn:
    """The right to send one request."""

    tokens: int
    """Tokens it is counted for; set it to what was really used before the turn ends."""
    pause_s: float = 0.0
    """Set it to what the provider asks all to wait, seconds."""
    through: bool = False
    """Set it where the provider took the request, whatever it answered."""
    last_through: float = 0.0
    """When the provider last took a request for this model, set as the turn ends; 0 where nobody knows of any."""


@dataclass
class _Sent:
    """Requests that went out within one second of each other, counted together so that the file stays small."""

    first: float
    last: float
    requests: int
    tokens: float


@dataclass
class _State:
    """What the file holds: the requests of the last minute, the oldest first, and until when all wait."""

    sent: list[_Sent] = field(default_factory=list)
    paused_until: float = 0.0
    spacing: float = 0.0
    slowed_at: float = 0.0
    through: dict[str, float] = field(default_factory=dict)

    def slow_down(self, now: float, moment: float, pause_s: float) -> None:
        """Let all wait; those that were sent at one pace, `moment` being when one of them was, halve it once."""
        self.paused_until = max(self.paused_until, now + pause_s)
        if moment >= self.slowed_at:
            self.spacing = min(max(FIRST_SPACING_S, 2 * self.spacing), LONGEST_SPACING_S)
            self.slowed_at = now

    def quicken(self) -> None:
        """An answer came."""
        self.spacing = self.spacing * _QUICKER if self.spacing > FIRST_SPACING_S / 4 else 0.0

    def count(self, now: float, tokens: float) -> None:
        """Another request."""
        if self.sent and now - self.sent[-1].first < 1:
            self.sent[-1].last = now
            self.sent[-1].requests += 1
            self.sent[-1].tokens += tokens
        else:
            self.sent.append(_Sent(now, now, 1, tokens))

    def until_below(self, now: float, most: float, size: Callable[[_Sent], float]) -> float:
        """Seconds until no more than `most` of something is left of the last minute."""
        over = sum(map(size, self.sent)) - most
        wait = 0.0
        for sent in self.sent:
            if over <= 0:
                break
            over -= size(sent)
            wait = sent.last + WINDOW_S - now
        return wait


class Limiter:
    """The limiter of one provider; `folder` is shared by all who use it and belongs to nothing else."""

    def __init__(self, folder: Path, limits: Limits, clock: Clock, model: str = "") -> None:
        """`model` is whom requests are for: one model may be too busy while others of its provider answer."""
        self._folder = folder
        self._model = model
        self._limits = limits
        self._clock = clock

    @contextlib.contextmanager
    def turn(self, tokens: int) -> Iterator[Turn]:
        """Wait until one request of about that many tokens may go out; the place in flight is held while the context is open.

        A request that alone exceeds the limit of tokens goes out once nothing else was sent for a minute.
        """
        make_folder(self._folder)
        with self._place():
            moment = self._admitted(tokens)
            turn = Turn(tokens)
            try:
                yield turn
            finally:
                self._settle(moment, tokens, turn)

    @contextlib.contextmanager
    def _place(self) -> Iterator[None]:
        """One of the numbered places in flight, each a file that is locked while it is taken."""
        while True:
            for number in range(self._limits.in_flight):
                place = os.open(self._folder / f"place-{number}", os.O_RDWR | os.O_CREAT, 0o644)
                try:
                    fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(place)
                    continue
                try:
                    yield
                finally:
                    os.close(place)
                return
            self._clock.sleep(_POLL_S)

    def _admitted(self, tokens: int) -> float:
        """The moment at which the request was counted."""
        while True:
            with self._state() as state:
                now = self._clock.now()
                wait = self._wait(state, now, tokens)
                if wait <= 0:
                    state.count(now, tokens)
                    return now
            self._clock.sleep(wait)

    def _wait(self, state: _State, now: float, tokens: int) -> float:
        """Seconds until the request may go out; 0 for now."""
        # What lies ahead of now was written before the machine's clock was set back.
        state.sent = [sent for sent in state.sent if now - WINDOW_S < sent.last <= now]
        if state.paused_until > now + LONGEST_PAUSE_S:
            state.paused_until = now
        if state.slowed_at > now:
            state.slowed_at = 0.0
        waits = [state.paused_until - now]
        if state.sent:
            waits.append(state.sent[-1].last + state.spacing - now)
        if self._limits.rpm is not None:
            waits.append(state.until_below(now, self._limits.rpm - 1, lambda sent: sent.requests))
        if self._limits.tpm is not None:
            waits.append(state.until_below(now, self._limits.tpm - tokens, lambda sent: sent.tokens))
        return max(waits)

    def _settle(self, moment: float, counted: int, turn: Turn) -> None:
        """Count what was really used, and let all wait if the provider asked for it."""
        with self._state() as state:
            now = self._clock.now()
            own = next((sent for sent in state.sent if sent.first <= moment <= sent.last), None)
            if own is not None:
                own.tokens += turn.tokens - counted
            if turn.pause_s:
                state.slow_down(now, moment, turn.pause_s)
            elif turn.through:
                state.quicken()
                state.through[self._model] = now
            turn.last_through = min(now, state.through.get(self._model, 0.0))

    @contextlib.contextmanager
    def _state(self) -> Iterator[_State]:
        """The state, locked against all others and written back."""
        with (self._folder / "state.json").open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            state = _read(file.read())
            yield state
            file.truncate(0)
            file.write(json.dumps(asdict(state)).encode())


def _read(data: bytes) -> _State:
    """The state in a file; a new one where it is new, was cut off by a kill, or is of another version."""
    try:
        held = json.loads(data)
        sent = [_Sent(**row) for row in held.pop("sent")]
        return _State(sent=sent, **held)
    except (TypeError, ValueError, LookupError, AttributeError):
        return _State()
