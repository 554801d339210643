"""How much of what goes wrong with a request is borne.

A failure uses up one of its attempts, and patience: the time that attempts and the waits between them take, but not the time in
which it waits for its turn. A provider that has too much to do uses up nothing while it takes any requests at all.
"""

from __future__ import annotations

import logging

from core.errors import OperatorError, ProviderError, UnansweredError
from core.seeds import generator
from models.chat.endpoint import SHORTEST_PAUSE_S, Again
from models.chat.settings import ChatSettings

log = logging.getLogger("ringback.models.chat.patience")

FIRST_PAUSE_S = 1.0
"""Pause before the second attempt where the server asks for none; it doubles with each further one."""
LONGEST_PAUSE_S = 30.0
"""Where that ends, seconds."""
JITTER = 0.25
"""Most that a pause for all is longer than it has to be, as a share of it, so that several machines do not come back at once."""


class Trouble:
    """What went wrong with one request so far, and how much more of it is borne."""

    def __init__(self, settings: ChatSettings, attempts: int, seed: int) -> None:
        self._settings = settings
        self._attempts = attempts
        self._seed = seed
        self._failed: list[str] = []
        self._spent_s = 0.0
        self._busy = 0
        self._busy_s = 0.0
        self._busy_since: float | None = None

    def pause_s(self, busy: bool) -> float:
        """The pause after another failure where the server asks for none: longer each time, up to an end."""
        return float(min(FIRST_PAUSE_S * 2 ** min(self._busy if busy else len(self._failed), 10), LONGEST_PAUSE_S))

    def pause_for_all_s(self, outcome: Again) -> float:
        """What a failure lets all requests wait; nothing where it is longer than patience, for which the run stops."""
        wait_s = outcome.wait_s or 0.0
        if not outcome.busy or wait_s > self._settings.patience:
            return 0.0
        share = float(generator(self._seed, "jitter", self._busy).random())
        return max(wait_s, SHORTEST_PAUSE_S) * (1 + JITTER * share)

    def busy(self, outcome: Again, last_through: float, now: float) -> None:
        """The provider had too much to do, which uses up no attempt: as long as it takes some requests, all get their turn.

        `last_through` is when it last took one for this model. Raises OperatorError where it took none for longer than patience,
        or asks for a longer wait: no case is lost, and the run stops.
        """
        wait_s = outcome.wait_s or 0.0
        self._busy_since = now if self._busy_since is None else self._busy_since
        since_s = now - max(last_through, self._busy_since)
        if since_s + wait_s > self._settings.patience:
            so_far = f" for {since_s:.0f} s on end" if since_s >= 1 else ""
            raise OperatorError(
                f"{self._settings.party}: {outcome.said}{so_far}; it asks for {wait_s:g} s more, and "
                f"patience={self._settings.patience:g}: run the same command later, or with more patience"
            )
        self._busy += 1
        self._busy_s += wait_s
        log.warning("%s: %s; waited %g s", self._settings.party, outcome.said, wait_s)

    def failed(self, outcome: Again, took_s: float) -> None:
        """An attempt failed after so many seconds.

        Raises:
            ProviderError: it was the last one; UnansweredError where it was late.
        """
        wait_s = outcome.wait_s or 0.0
        self._spent_s += took_s + wait_s
        if self._spent_s > self._settings.patience or len(self._failed) + 1 >= self._attempts:
            number = len(self._failed) + 1
            kind = UnansweredError if outcome.late else ProviderError
            raise kind(f"{self._settings.party}: {outcome.said}, in the last of {number} attempts")
        self._failed.append(f"{outcome.said}; waited {wait_s:g} s")
        log.warning("%s: %s", self._settings.party, self._failed[-1])

    def told(self) -> tuple[str, ...]:
        """A line for every attempt that failed, and one for all that found the provider busy."""
        times = f", {self._busy} times" if self._busy > 1 else ""
        busy = (f"429: too many requests{times}; waited {self._busy_s:g} s",) if self._busy else ()
        return (*busy, *self._failed)
