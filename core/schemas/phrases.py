"""Phrase sets, what callers say in one language, and the table of how well they are heard."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, model_validator

from core.schemas.base import Model, Sha256, Slug
from core.spoken.kinds import Kind


class PhraseSplit(StrEnum):
    """Whether anything was ever adjusted by looking at how a phrase was heard."""

    TUNED = "tuned"
    """Rules and bounds may have been adjusted on it."""
    HELD_OUT = "held_out"
    """Nothing was adjusted on it."""


class PhraseValue(Model):
    """A value that a phrase carries and that must survive."""

    kind: Kind
    """What it is."""
    value: str | int | float
    """The value in the canonical form of its kind."""


class Phrase(Model):
    """One thing a caller says."""

    id: Slug
    """Unique in its set."""
    text: str = Field(min_length=1)
    """The words as meant, before they are put into spoken form."""
    split: PhraseSplit
    """Whether it may have been tuned on."""
    values: tuple[PhraseValue, ...] = ()
    """Known values in it."""


class PhraseSet(Model):
    """Phone sentences of one language, by which engines and channels are measured."""

    language: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    """BCP 47 tag."""
    script: str = Field(pattern=r"^[A-Z][a-z]{3}$")
    """ISO 15924 script they are written in."""
    now: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$")
    """The moment they are said, which settles dates without a year."""
    phrases: tuple[Phrase, ...] = Field(min_length=1)
    """The phrases."""

    @model_validator(mode="after")
    def _each_once(self) -> PhraseSet:
        ids = [phrase.id for phrase in self.phrases]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"phrases {', '.join(twice)} stand twice: give each its own id")
        return self


class Rate(Model):
    """Summed edits over summed reference units, with the interval over phrases."""

    rate: float
    """The rate, 0 or more."""
    low: float
    """Lower end of the 95 % interval: 2,000 resamples of the phrases, whole phrases drawn."""
    high: float
    """Upper end."""


class Survived(Model):
    """Known values of one kind."""

    survived: int = Field(ge=0)
    """Those that can be read out of the transcripts."""
    occurring: int = Field(ge=0)
    """Those that were said."""


class HearingRow(Model):
    """One voice on one channel heard by one recogniser, over one half of a language's phrases."""

    language: str
    """BCP 47 tag of the phrases."""
    recogniser: str
    """Recogniser as it is named on the command line."""
    model_sha256: Sha256
    """Hash of its model."""
    engine: str
    """Engine of the voice."""
    voice: str
    """Voice id."""
    channel: str
    """Channel, fully written out."""
    preset: str
    """Name of the channel's preset."""
    split: PhraseSplit
    """Which half."""
    n: int = Field(ge=1)
    """Phrases."""
    wer: Rate
    """Word errors, normalised."""
    cer: Rate
    """Character errors, normalised; the headline for Chinese and Indic scripts."""
    folded_cer: Rate | None = None
    """Character errors after all Indic scripts are folded into one; null for other scripts."""
    raw_wer: float
    """Word errors as written."""
    raw_cer: float
    """Character errors as written."""
    known_values: dict[str, Survived]
    """Known values by kind."""
    empty: int = Field(ge=0)
    """Phrases of which nothing was heard; their words count as deleted."""
    audio_s: float = Field(ge=0)
    """Seconds of speech."""


class HearingTable(Model):
    """How well each voice is heard through each channel by each recogniser, in each language."""

    phrases: dict[str, Sha256]
    """Language to the hash of the phrase set its rows were made from."""
    seed: int
    """Seed of voices and channels."""
    normalisers: dict[str, str]
    """Language to the normaliser its errors were counted with."""
    spoken: dict[str, str]
    """Language to the version of the rules by which its phrases were put into words."""
    cpu_features: tuple[str, ...]
    """CPU features of the machine that made it; engines differ a little beyond them."""
    rows: tuple[HearingRow, ...]
    """The rows, sorted by language, recogniser, voice, preset and split."""
