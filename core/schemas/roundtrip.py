"""The agent's own speech: each reply as written, as spoken, and as a recogniser heard it. A measure, never in the score."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from core.schemas.base import Condition, Model, Sha256
from core.schemas.hearing import ErrorRate


class Unsaid(Model):
    """A piece of a reply that no voice says as written."""

    what: str
    """What it is, such as `markdown` or `another script`."""
    text: str
    """The piece."""


class ReplyRoundTrip(Model):
    """One reply of the agent, there and back."""

    case: str
    """Case name."""
    condition: Condition
    """The line of the call; the reply itself is always heard on a clean one."""
    message: int = Field(ge=0)
    """Index of the agent's message."""
    language: str
    """BCP 47 tag of the call."""
    wrote: str
    """The words as the agent wrote them."""
    spoken: str
    """The same in spoken form, as given to the voice."""
    voice: str | None
    """The voice; null where the agent spoke itself or nothing sounded."""
    silent: str = ""
    """Why nothing sounded; empty where something did."""
    heard: str
    """What the recogniser understood; empty where nothing."""
    confidence: float | None = None
    """Mean log-probability of the recogniser; null without words."""
    wer: ErrorRate
    """Word errors of what was heard against what was written."""
    cer: ErrorRate
    """Character errors."""
    unsaid: tuple[Unsaid, ...] = ()
    """What in it no voice says as written."""

    @property
    def flagged(self) -> bool:
        """Whether anything in it could not be said as written."""
        return bool(self.silent or self.unsaid)


class RoundTrip(Model):
    """`measures/roundtrip.json` of a run: derived, made again by `ringback roundtrip`; no grade and no score depends on it."""

    format: Literal["ringback-roundtrip-1"] = "ringback-roundtrip-1"
    """Version of this format."""
    recogniser: str
    """The recogniser as asked for."""
    listeners: dict[str, dict[str, JsonValue]]
    """Language to everything that decides what was heard in it."""
    traces: dict[str, Sha256]
    """Case to the identity of the trace that was measured."""
    replies: tuple[ReplyRoundTrip, ...]
    """Every reply with words, in the order of cases and messages."""
