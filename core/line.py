"""The line: what carries a caller turn to the candidate, and the two lines that need no sound.

A condition is nothing but the choice of a line. `asr` and `audio` lines stand in the speech ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from pydantic import JsonValue

from core.authored import apply_program
from core.confusions import VERSIONS, version_of
from core.schemas.base import Condition
from core.schemas.call_trace import AudioSpan, ChannelEvent, Message, Recording, TurnAudio
from core.schemas.scenario import Scenario


@dataclass(frozen=True)
class LineTurn:
    """An accepted caller turn on its way."""

    number: int
    """Caller turn, counted from 1."""
    speech: str
    """The intended words."""
    expressed: tuple[str, ...] = ()
    """Plan steps newly expressed."""


@dataclass(frozen=True)
class HeardFragment:
    """One fragment as it arrived."""

    text: str
    """Words heard; empty is silence."""
    span: AudioSpan | None = None
    """Where it sounds in the recording."""
    clip: str | None = None
    """Hash of the samples the recogniser got."""
    confidence: float | None = None
    """Mean log-probability, rounded to 6 digits."""


@dataclass(frozen=True)
class Heard:
    """What a line delivered of one turn."""

    fragments: tuple[HeardFragment, ...]
    """One to three fragments."""
    events: tuple[ChannelEvent, ...] = ()
    """What happened on the way, applied or not."""
    audio: TurnAudio | None = None
    """How the turn was spoken."""


@dataclass(frozen=True)
class Sounded:
    """How an agent's words were put on the recording."""

    span: AudioSpan | None
    """Where they sound; None where no voice could say them."""
    voice: str | None = None
    """Voice that spoke them."""
    spoken: str | None = None
    """The words given to the voice."""
    retakes: tuple[str, ...] = ()
    """Attempts that failed quality control before."""


class Line(Protocol):
    """One line in one attempt at a call."""

    @property
    def condition(self) -> Condition:
        """The condition this line is."""
        ...

    def settings(self) -> dict[str, JsonValue]:
        """Everything that decides its behaviour, for the trace."""
        ...

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        """Carry a caller turn; all chance comes from `rng`."""
        ...

    def reply(self, speech: str) -> Sounded | None:
        """Put the agent's speech on the recording; None where there is none, or nothing that can be said."""
        ...

    def recording(self, messages: Sequence[Message]) -> Recording | None:
        """The finished recording with a segment for every message that sounds."""
        ...

    def save(self, folder: Path, messages: Sequence[Message]) -> None:
        """Write recording, captions and clips into the case's folder."""
        ...


class LineFactory(Protocol):
    """Makes lines of one condition."""

    def settings(self) -> dict[str, JsonValue]:
        """Settings of the lines it makes, for the run's manifest."""
        ...

    def open(self, scenario: Scenario, seed: int) -> Line:
        """A fresh line for one attempt at a call; `seed` decides its voices. Chance on the way comes with each turn."""
        ...


class TextLine:
    """`text`: the words as spoken, and nothing else."""

    condition = Condition.TEXT

    def settings(self) -> dict[str, JsonValue]:
        """Nothing decides this line."""
        return {"line": "text-1"}

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        """The turn, unchanged."""
        del rng
        return Heard(fragments=(HeardFragment(turn.speech),))

    def reply(self, speech: str) -> Sounded | None:
        """Text has no sound."""
        del speech
        return None

    def recording(self, messages: Sequence[Message]) -> Recording | None:
        """Text has no recording."""
        del messages
        return None

    def save(self, folder: Path, messages: Sequence[Message]) -> None:
        """Nothing to write."""
        del folder, messages


class AuthoredLine(TextLine):
    """`authored`: the scenario's channel program applied to the words."""

    condition = Condition.AUTHORED

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    def settings(self) -> dict[str, JsonValue]:
        """Versions of the program and of the confusion list."""
        return {"line": "authored-1", "confusions": version_of(self._scenario.language)}

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        """The turn with ASR events, the seeded word and splits applied."""
        pieces, events = apply_program(self._scenario, turn.number, turn.speech, turn.expressed, rng)
        return Heard(fragments=tuple(HeardFragment(piece) for piece in pieces), events=events)


class TextLines:
    """Factory of `text` lines."""

    def settings(self) -> dict[str, JsonValue]:
        """Settings of a text line."""
        return TextLine().settings()

    def open(self, scenario: Scenario, seed: int) -> Line:
        """A text line; neither scenario nor seed matters."""
        del scenario, seed
        return TextLine()


class AuthoredLines:
    """Factory of `authored` lines."""

    def settings(self) -> dict[str, JsonValue]:
        """Settings of an authored line."""
        return {"line": "authored-1", "confusions": ",".join(sorted(VERSIONS.values()))}

    def open(self, scenario: Scenario, seed: int) -> Line:
        """An authored line for the scenario's program."""
        del seed
        return AuthoredLine(scenario)
