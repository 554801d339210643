"""What a run's models used, as it was paid."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from core.schemas.base import Model
from core.schemas.usage import Usage


class SpendingState(StrEnum):
    """What a line tells: models set to work, one reply came, all work came to its end."""

    BEGAN = "began"
    USED = "used"
    ENDED = "ended"


class SpendingLine(Model):
    """One line of `spending.jsonl`. After a kill or an error that stops the command a `began` has no `ended`."""

    format: Literal["ringback-spending-1"] = "ringback-spending-1"
    """Version of this format."""
    state: SpendingState
    """What happened."""
    role: str | None = None
    """Of a reply: whose model gave it, `caller`, `candidate` or `judge`."""
    judge_key: str | None = None
    """Of a judge's reply: which judge's."""
    usage: Usage | None = None
    """Of a reply: what it used. The checks before the first call are replies like others."""
