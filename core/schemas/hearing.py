"""What hearing cost: figures of a turn, of a call, of any set of calls, and whether they can be trusted."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from core.schemas.base import Condition, Model
from core.spoken.kinds import Kind

Headline = Literal["wer", "cer", "both"]
"""Which error rate to read first: words, characters, or each where languages of both sorts are pooled."""


class ErrorRate(Model):
    """Pooled edit errors."""

    rate: float | None
    """(substitutions + deletions + insertions) / reference units; null without reference."""
    substitutions: int = 0
    """Units replaced."""
    deletions: int = 0
    """Units lost."""
    insertions: int = 0
    """Units added."""
    reference: int = 0
    """Reference units."""
    raw: float | None = None
    """The same rate on the text as written."""
    normaliser: str = ""
    """Name and version of the normaliser."""


class ValueAccuracy(Model):
    """How many known values survived the line."""

    rate: float | None
    """Survived / occurring; null where none occurred."""
    survived: int = 0
    """Values heard right."""
    occurring: int = 0
    """Values said."""


class KnownValueReport(ValueAccuracy):
    """Known-value accuracy, whole and by kind and voice."""

    by_kind: dict[str, ValueAccuracy] = {}
    """By kind of value."""
    by_voice: dict[str, ValueAccuracy] = {}
    """By voice of the caller."""


class Confidence(Model):
    """How sure a recogniser was of its fragments."""

    mean: float | None
    """Mean over fragments of their mean log-probability; null where none is known."""
    low_share: float | None
    """Share of fragments below -1, where Whisper itself would decode again; null where none is known."""
    fragments: int = 0
    """Fragments whose confidence is known."""


class TurnHearing(Model):
    """Hearing of one caller turn."""

    turn: int
    """Caller turn."""
    messages: tuple[int, ...]
    """Message indices of its fragments."""
    intended: str
    """What was said."""
    heard: str
    """What arrived, fragments joined by a space."""
    wer: ErrorRate
    """Word errors."""
    cer: ErrorRate
    """Character errors."""
    damaged: tuple[str, ...] = ()
    """Keys of facts said here that did not survive."""
    values: int = 0
    """Facts said here."""
    confidence: float | None = None
    """Mean log-probability over its fragments; null where unknown."""
    guard: tuple[str, ...] = ()
    """Kinds of made-up words that the guard found in it, one entry per hit."""


class HearingFigures(Model):
    """Figures pooled over turns: sums over sums, never means of rates."""

    turns: int
    """Turns that a recogniser transcribed."""
    headline: Headline
    """Which rate to read first."""
    wer: ErrorRate | None
    """Word errors; null where nothing was transcribed."""
    cer: ErrorRate | None
    """Character errors, spaces left out."""
    folded_cer: ErrorRate | None = None
    """Character errors with all Indic scripts folded into one, of the turns in such a language; beside `cer`, never for it."""
    known_values: ValueAccuracy
    """Known values that arrived as text, transcribed or not."""
    by_kind: dict[str, ValueAccuracy] = {}
    """By kind of value."""
    empty: int = 0
    """Turns with words of which nothing was heard; all their words count as deleted."""
    silent: int = 0
    """Turns without a word to hear, such as fillers alone."""
    silent_insertions: int = 0
    """Words heard in them; they count among the insertions and add nothing to the reference."""
    confidence: Confidence
    """How sure the recogniser was."""
    guard: dict[str, int] = {}
    """Kind of made-up words to the number of times the guard found them."""


class Verdict(StrEnum):
    """How far figures of hearing can be trusted."""

    TRUSTED = "trusted"
    """The recogniser hears these voices well enough."""
    WEAK = "weak"
    """More than a quarter is misheard even on a clean line."""
    UNUSABLE = "unusable"
    """More than half is misheard even on a clean line: what is measured is the recogniser, not the line or the agent."""
    NOT_SURVEYED = "not_surveyed"
    """Nobody measured it."""


class Trust(Model):
    """Whether figures of one language can be trusted, by how held-out phrases are heard on a clean line."""

    language: str
    """Primary language code."""
    recogniser: str
    """The recogniser as it is named on the command line."""
    engine: str
    """Engine of the caller's voice."""
    verdict: Verdict
    """How far."""
    measure: Literal["wer", "cer"]
    """The rate it is judged by: the headline of the language."""
    rate: float | None = None
    """That rate, the mean over the engine's voices, which all say the same phrases; null where not surveyed."""
    folded_cer: float | None = None
    """Character errors with all Indic scripts folded into one; null for other scripts."""
    n: int | None = None
    """Phrases of each voice."""
    statement: str
    """The same in one sentence."""


class CallHearing(Model):
    """Hearing of one call."""

    case: str
    """Case name."""
    scenario: str
    """Scenario id."""
    language: str
    """BCP 47 tag of the call."""
    script: str
    """ISO 15924 script of the call."""
    voice: str | None
    """Voice of the caller, if spoken."""
    figures: HearingFigures
    """The call's figures."""
    turns: tuple[TurnHearing, ...] = ()
    """Turn by turn; empty on lines that change nothing."""


class ConditionHearing(Model):
    """Hearing of one condition of a run."""

    figures: HearingFigures
    """All its calls."""
    slices: dict[str, dict[str, HearingFigures]] = {}
    """`language`, `script`, `voice` to value to figures."""
    calls: tuple[CallHearing, ...] = ()
    """Call by call, in the order of the run."""


class HearingReport(Model):
    """`ringback measure RUN --json`: the hearing of a run, from its traces alone."""

    format: Literal["ringback-hearing-1"] = "ringback-hearing-1"
    """Version of this format."""
    bundle: str
    """`<id>@<version>`."""
    conditions: dict[Condition, ConditionHearing]
    """Each condition whose candidate got text."""
    trust: tuple[Trust, ...] = ()
    """Whether the figures can be trusted, by language, recogniser and engine."""


class AlignedWords(Model):
    """One stretch of an alignment, in normalised words."""

    op: Literal["equal", "substitute", "delete", "insert"]
    """What became of it."""
    said: str
    """The words said."""
    heard: str
    """The words heard there."""


class HeardValue(Model):
    """A value that a listener reads out of what was said, and what became of it."""

    kind: Kind
    """What it is."""
    value: str | int | float | bool
    """The value."""
    said: str
    """The words that said it."""
    heard: str | None
    """The words in its place; null where there are none."""
    survived: bool
    """Whether it can still be read."""


class HeardPair(Model):
    """One utterance, as said and as heard."""

    number: int = Field(ge=1)
    """Counted from 1; in files, the line."""
    said: str
    """The reference."""
    heard: str
    """The transcript."""
    wer: ErrorRate
    """Word errors."""
    cer: ErrorRate
    """Character errors."""
    alignment: tuple[AlignedWords, ...]
    """How the two correspond."""
    values: tuple[HeardValue, ...] | None
    """Values said; null in a language whose values cannot be read."""


class PairsReport(Model):
    """`ringback measure --reference ... --json`: utterances as said and as heard, and their pooled figures."""

    format: Literal["ringback-pairs-1"] = "ringback-pairs-1"
    """Version of this format."""
    language: str
    """BCP 47 tag, which chose the normaliser."""
    figures: HearingFigures
    """All utterances pooled."""
    pairs: tuple[HeardPair, ...]
    """Utterance by utterance."""
