"""Calls that others published, or that were written apart from any tree: words and label, and the report of an import."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue, model_validator

from core.schemas.base import Model, Sha256, Slug
from core.schemas.snapshots import Label, Side


class ImportedTurn(Model):
    """One turn, as its source has it."""

    side: Side
    """Who speaks."""
    text: str = Field(min_length=1)
    """The words, without any tag of delivery."""
    delivery: str | None = None
    """How they are said, in the source's own word; null where it says nothing."""


class ImportedAudio(Model):
    """The recording a source names for a call; it is not read."""

    path: str
    """Where the source says that it is."""
    sha256: Sha256 | None = None
    """Its hash, as far as the source gives one."""


class ImportedCall(Model):
    """A labelled call in words, without the plot that a snapshot's calls have; a line of `calls.jsonl`."""

    sample_id: Slug
    """The source's own id behind a prefix of the source, so that no two sources share one."""
    source: Slug
    """Where it is from."""
    source_id: str
    """Its id there."""
    group: Slug
    """Calls of one group have words in common: one tree, one plot, or the call alone. No group is parted by a split."""
    family: str
    """Kind of case or topic, in the source's own words."""
    language: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    """BCP 47 tag."""
    label: Label
    """What the call is, by its source."""
    turns: tuple[ImportedTurn, ...] = Field(min_length=2)
    """The call, in the order in which it was spoken."""
    details: dict[str, JsonValue] = {}
    """What the source says of the call besides, which no detector is shown."""
    audio: ImportedAudio | None = None
    """Its recording; null for words alone."""

    @property
    def text(self) -> str:
        """The words of the call, a line per turn, marked by who speaks and by nothing else."""
        return "\n".join(f"{turn.side}: {turn.text}" for turn in self.turns)


class CallFile(Model):
    """One file of rows that was read."""

    file: str
    """Its name inside the source."""
    sha256: Sha256
    """Hash of its bytes."""
    rows: int = Field(ge=0)
    """Rows in it."""
    kept: int = Field(ge=0)
    """Rows that became calls."""


class CallImportReport(Model):
    """What became of every row of an import; `import-report.json` beside `calls.jsonl`."""

    format: Literal["ringback-call-import-1"] = "ringback-call-import-1"
    """Version of this format."""
    source: Slug
    """Whose layout was read."""
    licence: str
    """Licence of the source, as its files or its authors state it."""
    files: tuple[CallFile, ...]
    """Every file of rows, by name."""
    rows: int = Field(ge=0)
    """Rows in all files."""
    dropped: dict[str, int]
    """Rows left out, by the first reason that held."""
    changed: dict[str, int]
    """Calls that differ from their row, by what differs; one call may count more than once."""
    kept: int = Field(ge=0)
    """Calls that came out."""
    labels: dict[Label, int]
    """Calls that came out, by label."""

    @model_validator(mode="after")
    def _adds_up(self) -> CallImportReport:
        if self.rows != self.kept + sum(self.dropped.values()) or self.kept != sum(self.labels.values()):
            raise ValueError(f"{self.rows} rows do not add up to {self.kept} calls and {sum(self.dropped.values())} left out")
        return self
