"""Detectors as a user would write them, for the tests of commands. None of them listens: each says what a test needs."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any, cast

from core.errors import ContextOverflowError, ProviderError
from core.schemas.call_trace import PartyRecord
from core.snapshots.detector import CallSound, CallWords, Said


class _Named:
    modes: tuple[str, ...] = ("asr", "ref")

    def record(self) -> PartyRecord:
        """Nothing but a name."""
        return PartyRecord(party=f"python:{type(self).__name__}")


class Slow(_Named):
    """Notes every call that it is asked about in a file, and takes its time."""

    def __init__(self, notes: str, pause_s: str = "0") -> None:
        self._notes = Path(notes)
        self._pause_s = float(pause_s)

    def detect(self, call: CallWords, seed: int) -> str:
        """A label by the hash of the words."""
        digest = hashlib.sha256(call.text.encode()).hexdigest()
        with self._notes.open("a", encoding="utf-8") as file:
            file.write(f"{digest}\n")
        time.sleep(self._pause_s)
        return "FRAUD" if int(digest, 16) % 2 else "NONFRAUD"


class Bright(_Named):
    """Calls a recording fraud by its first sample."""

    modes = ("audio",)

    def detect(self, call: CallSound, seed: int) -> str:
        """A label."""
        return "FRAUD" if call.samples[0] > 0 else "NONFRAUD"


class Moody(_Named):
    """Does something else at every call."""

    def __init__(self) -> None:
        self._calls = 0

    def detect(self, call: CallWords, seed: int) -> object:
        """A label, an exception, another exception, nonsense, words and a score that is none."""
        self._calls += 1
        if self._calls == 1:
            return Said("FRAUD", score=0.9)
        if self._calls == 2:
            raise KeyError("no such word")
        if self._calls == 3:
            raise ContextOverflowError("longer than I read")
        if self._calls == 4:
            return 0.7
        if self._calls == 5:
            return Said("FRAUD", score=7.0)
        return "perhaps"


class Broken(_Named):
    """Answers with what cannot be kept, each time in another way."""

    def __init__(self) -> None:
        lone, odd = "half \ud83d of a sign", cast(Any, "odd")
        self._answers: list[Said | str | Exception] = [
            lone,
            Said("FRAUD", attempts=(lone,)),
            ValueError(lone),
            ProviderError(lone),
            Said("FRAUD", attempts=odd),
            Said("FRAUD", attempts=(cast(Any, 7),)),
            Said("FRAUD", error=odd),
            Said("FRAUD", error=cast(Any, [])),
            Said("FRAUD", usage=odd),
        ]

    def detect(self, call: CallWords, seed: int) -> Said | str:
        """The next of these, then a label."""
        answer = self._answers.pop(0) if self._answers else "FRAUD"
        if isinstance(answer, Exception):
            raise answer
        return answer


class Hanging(_Named):
    """Hangs at the first call that it is asked about, if nobody of its kind hung before."""

    hung = False

    def detect(self, call: CallWords, seed: int) -> str:
        """A label, or nothing for a long time."""
        if not Hanging.hung:
            Hanging.hung = True
            time.sleep(30)
        return "FRAUD"


class Aimless(_Named):
    """Has no mode."""

    modes = ()

    def detect(self, call: CallWords, seed: int) -> str:
        """Never asked."""
        raise AssertionError


class Deaf(_Named):
    """Names a mode that there is not."""

    modes = ("video",)

    def detect(self, call: CallWords, seed: int) -> str:
        """Never asked."""
        raise AssertionError


class Silent(_Named):
    """Has no method to ask it by."""
