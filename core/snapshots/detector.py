"""What a detector is: something that is given a call, as sound or as words, and answers in words of its own.

Answers are read by `core.snapshots.parsing`, and what is raised becomes an error flag; a detector decides neither.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from core.schemas.call_trace import PartyRecord
from core.schemas.detections import DetectionError, InputMode
from core.schemas.usage import Usage


@dataclass(frozen=True)
class CallSound:
    """A recording as a detector is given it."""

    samples: npt.NDArray[np.float32]
    """Mono samples, -1 to 1."""
    sample_rate: int
    """Samples per second."""
    wav: bytes
    """The same as the bytes of its file."""


@dataclass(frozen=True)
class CallWords:
    """A call in words as a detector is given it: no label, id, path or tag of delivery."""

    text: str
    """The transcript; or, as written, a line per turn marked by who speaks."""


Given = CallSound | CallWords


@dataclass(frozen=True)
class Said:
    """What a detector answered."""

    raw: str
    """Its words, unchanged."""
    score: float | None = None
    """Its confidence in FRAUD, 0 to 1, where it gives one."""
    attempts: tuple[str, ...] = ()
    """Earlier attempts and what became of them."""
    usage: Usage | None = None
    """Tokens and cost, where it tells."""
    error: DetectionError | None = None
    """Why the words are no label whatever they say, where the endpoint tells: cut off before their end, or declined."""


class Detector(Protocol):
    """Answers whether a call is telecom fraud. Threads may share one if `waits` is true.

    One with a prompt has the attributes `prompt_language` (`zh` or `en`) and `prompt_sha256`; one that can be tried before any
    call has a method `check()`, which raises OperatorError or ProviderError.
    """

    @property
    def modes(self) -> Collection[InputMode]:
        """What it can be given."""

    @property
    def waits(self) -> bool:
        """Whether its work is waiting for an endpoint, so that several calls are asked about at once."""

    def record(self) -> PartyRecord:
        """Its name and every setting that decides its answers, without secrets."""

    def detect(self, given: Given, seed: int) -> Said:
        """Its answer about one call; nothing of one call may decide the answer about another.

        Raises:
            RefusedError: it or its provider declined (ModeratedError), or the call is too long for it (ContextOverflowError).
            TimeoutError: no answer in time.
            ProviderError: no answer after retries.
            OperatorError: it cannot work as it is set up; the evaluation stops.
        """
