"""Calibration: the errors authors wrote into channel programs beside those that a recogniser really made."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from core.schemas.base import Model
from core.schemas.scenario import AsrEvent


class ErrorKind(StrEnum):
    """What became of a word. Authored events know the first three."""

    DROP = "drop"
    """It was not heard."""
    DOUBLE = "double"
    """It was heard twice."""
    SUBSTITUTE = "substitute"
    """Another was heard in its place."""
    INSERT = "insert"
    """A word was heard that nobody said, and that is no doubled one."""


class WordClass(StrEnum):
    """What sort of word it befell."""

    DIGIT = "digit"
    """A number, after normalising: mostly one digit."""
    LETTER = "letter"
    """A single letter, as in spelling."""
    NAME = "name"
    """A word of a name that the caller knows."""
    FUNCTION = "function"
    """A word that only joins others, where the language has a list of them."""
    OTHER = "other"
    """Anything else."""


class ErrorCount(Model):
    """How often one kind of error befell one class of words."""

    kind: ErrorKind
    """The error."""
    word_class: WordClass
    """The class of the word said; of an inserted word, its own."""
    count: int = Field(ge=1)
    """How often."""
    per_100: float
    """Per hundred words of the class that were said."""
    low: float
    """Lower end of the 95 % Wilson interval of that rate, which takes words as independent."""
    high: float
    """Upper end."""


class ErrorProfile(Model):
    """Errors over one set of turns."""

    source: Literal["authored", "measured"]
    """From channel programs applied to the turns, or from what a recogniser made of them."""
    language: str
    """BCP 47 tag."""
    channel: str | None = None
    """Channel; null for all together."""
    voice: str | None = None
    """Voice of the caller; null for all together."""
    recogniser: str | None = None
    """Model that heard; null for all together."""
    turns: int
    """Caller turns."""
    words: dict[WordClass, int]
    """Words said, in units of the language's normaliser, by class."""
    per_100: float
    """Errors per hundred words said."""
    errors: tuple[ErrorCount, ...]
    """By kind, then by class."""


class SuggestedEvent(Model):
    """An error that a recogniser made, as an event that an author can paste."""

    scenario: str
    """Scenario id."""
    event: AsrEvent
    """An entry of `channel.asr_events`."""
    count: int
    """In how many turns it was heard so."""
    turns: int
    """Turns in which the same step was expressed."""


class Confusion(Model):
    """One word heard for another, as a candidate for the list of the seeded mode."""

    language: str
    """Primary language code."""
    said: str
    """The word said."""
    heard: str
    """What was heard in its place."""
    count: int
    """How often."""
    of: int
    """How often the word was said."""
    listed: bool
    """Whether the shipped list has the pair already."""


class Calibration(Model):
    """`ringback calibrate --json`: authored and real errors of hearing side by side."""

    format: Literal["ringback-calibration-1"] = "ringback-calibration-1"
    """Version of this format."""
    bundles: tuple[str, ...]
    """`<bundle>@<version>` of the calls."""
    profiles: tuple[ErrorProfile, ...]
    """By language: authored, measured together, then by channel, voice and recogniser."""
    suggestions: tuple[SuggestedEvent, ...]
    """The most frequent real errors of each scenario first."""
    confusions: tuple[Confusion, ...]
    """The most frequent first."""
