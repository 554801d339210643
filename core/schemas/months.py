"""Months on disk: the recipe they are made by, what was heard of their calls, and what a check or a comparison of them finds."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue

from core.schemas.base import Model, Sha256, Slug
from core.schemas.snapshots import Contract, Label
from core.schemas.trees import BuildConfig
from core.schemas.voicing import RenderConfig


class Recipe(Model):
    """`recipe.json`: all that is needed to make a month again; the first file of a build, never changed."""

    format: Literal[1] = 1
    """Version of this format."""
    snapshot_id: Slug
    """Name of the month's snapshot; the namespace of its ids."""
    month: str = Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")
    """Month it stands for."""
    contract: Contract
    """What it must hold."""
    build: BuildConfig
    """Trees, depth, seed."""
    words: dict[str, JsonValue]
    """What decides the words beside it: hash of the cases, agents, their prompts and settings, as in `build.json`."""
    render: RenderConfig | None
    """How calls are voiced; null for text alone."""
    recogniser: str | None
    """Recogniser of the transcripts as asked for; null for text alone."""
    licence: str = "CC-BY-4.0"
    """Licence of words and sound."""
    parents: tuple[Sha256, ...] = ()
    """Root hashes of the snapshots it amends or follows."""


class CallTranscript(Model):
    """What the recogniser made of a recording; a line of `transcripts/<name>.jsonl`, the same for every detector."""

    sample_id: Slug
    """The call."""
    transcript_id: Sha256
    """Hash of recogniser, recording and words."""
    audio_sha256: Sha256
    """The recording."""
    text: str
    """The words, without who speaks, which no recogniser tells; empty where nothing was understood."""
    cer: float = Field(ge=0)
    """Character errors against the words as written / their characters, both normalised."""
    wer: float | None = Field(default=None, ge=0)
    """Word errors / words; null for languages without spaces."""


class TranscriptSet(Model):
    """`transcripts.json`: who made the transcripts of a month."""

    name: str = Field(pattern=r"^[0-9a-z-]+$")
    """Name of their file: the recogniser's id and the start of the hash of its settings."""
    settings: dict[str, JsonValue]
    """Recogniser, detector of speech, guard and language; the paper's recogniser where it is another."""
    calls: int = Field(ge=1)
    """Transcripts."""
    cer: float = Field(ge=0)
    """Summed character errors / summed characters."""
    wer: float | None = Field(default=None, ge=0)
    """Summed word errors / summed words."""


class Difference(StrEnum):
    """How a month differs from what was frozen."""

    CHANGED = "changed"
    """A file has other bytes."""
    MISSING = "missing"
    """A file is gone."""
    EXTRA = "extra"
    """A file was added."""
    RENAMED = "renamed"
    """A file has another name."""
    HEAD = "head"
    """`SNAPSHOT.json` says something else than it did."""
    ROW = "row"
    """A row of the manifest contradicts itself: its label and its actions, a text and its turns, a sound and its row."""
    CONTRACT = "contract"
    """Counts, ids, order or language are not what the contract says."""
    WRITABLE = "writable"
    """A file may be written again; told, never a fault of the contents."""


class Finding(Model):
    """One thing that a check found."""

    kind: Difference
    """What kind."""
    where: str
    """File, or file and sample."""
    what: str
    """What was found against what was frozen."""


class Sameness(StrEnum):
    """How near a month is to what was frozen."""

    IDENTICAL = "identical"
    """Every byte."""
    TEXT_ONLY = "text_only"
    """Every byte of text and recipe; recordings are not here."""
    EQUIVALENT = "equivalent"
    """Text and recipe byte for byte; recordings made on other hardware or packages, alike in length and transcript."""
    BROKEN = "broken"
    """Neither."""


class Remade(Model):
    """One recording that was made again, beside the frozen one."""

    sample_id: Slug
    """The call."""
    same_bytes: bool
    """Whether it has the frozen bytes."""
    duration_change: float
    """Length / frozen length - 1."""
    transcript_change: float | None
    """Character errors of its transcript against the frozen transcript / characters; null where it was not heard."""
    sha256: Sha256 | None = None
    """Hash of the recording that was made, so that a check knows it again; null where nobody noted it."""


class Rebuilt(Model):
    """`REBUILT.json`: where recordings of a month were made again; beside the frozen files, part of none of them."""

    format: Literal[1] = 1
    """Version of this format."""
    cpu_features: tuple[str, ...]
    """Of the machine that made them."""
    packages: dict[str, str]
    """Versions of the packages that decide sound."""
    calls: tuple[Remade, ...]
    """Every call."""


class Verification(Model):
    """What a check of a month found."""

    snapshot_id: str
    """The month."""
    root_sha256: str
    """Its root hash as it stands in `SNAPSHOT.json`."""
    sameness: Sameness
    """How near it is to what was frozen."""
    calls: int
    """Rows that were read."""
    findings: tuple[Finding, ...]
    """What differs."""
    notes: tuple[str, ...] = ()
    """What could not be compared here, and why."""


class MonthFacts(Model):
    """What `diff` prints of one month."""

    snapshot_id: str
    """Its name."""
    root_sha256: str
    """Its root hash."""
    month: str
    """Month it stands for."""
    contract: Contract
    """What it must hold."""
    counts: dict[Label, int]
    """What it holds."""
    trees: int
    """Trees."""
    families: dict[str, int]
    """Calls by family."""
    abstracts: int
    """Cases."""
    seed: int
    """Seed of its words."""
    agents: dict[str, str]
    """Who wrote it."""
    engines: tuple[str, ...]
    """Speech engines."""
    voices: dict[str, int]
    """Trees by voice."""
    channels: tuple[str, ...]
    """Telephone channels."""
    parents: tuple[str, ...]
    """Root hashes of months it amends or follows."""


class MonthDiff(Model):
    """Two months side by side, and what they share."""

    before: MonthFacts
    """The first."""
    after: MonthFacts
    """The second."""
    shared_samples: tuple[str, ...]
    """Ids that both have; none in independent months."""
    shared_trees: tuple[str, ...]
    """The same for trees."""
    shared_texts: int
    """Calls of the second whose normalised words stand in the first."""
    shared_voice_draws: int
    """Trees at the same place of both orders with the same pair of voices."""
    shared_abstracts: int
    """Cases that both grew from."""
    is_parent: bool
    """Whether the second names the first as a parent."""
