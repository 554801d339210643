"""`import-report.json`: what an import made of each file and record, and what it left out."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.schemas.base import Model, Sha256, Slug


class Note(Model):
    """One thing that is not as it was in the source."""

    what: str = Field(min_length=1)
    """The part of the source, by its own name."""
    why: str = Field(min_length=1)
    """Why it was left out, or what stands in its place."""


class ImportedFile(Model):
    """One file that was read."""

    file: str
    """Its name, with the folder it lies in."""
    sha256: Sha256
    """Hash of its bytes."""
    read_as: str
    """What it was taken for; `nothing` where it has no known layout."""
    left_out: tuple[Note, ...] = ()
    """What of it is in no scenario."""


class ImportedRecord(Model):
    """One record or task of the source."""

    id: str
    """Its id in the source."""
    file: str
    """The file it is from."""
    outcome: Literal["whole", "partly", "not"]
    """`whole`: nothing that decides the call is missing; `partly`: a scenario, with parts left out; `not`: no scenario."""
    scenario: Slug | None = None
    """The scenario it became."""
    left_out: tuple[Note, ...] = ()
    """What was left out; for `not`, why there is no scenario."""
    changed: tuple[Note, ...] = ()
    """What the importer wrote, because the source has it in another form or not at all."""


class ImportReport(Model):
    """What became of everything that was given to `ringback bundle import`."""

    format: Literal["ringback-import-1"] = "ringback-import-1"
    """Version of this format."""
    source: Literal["eva", "tau2"]
    """Whose layout was read."""
    bundle: Slug
    """The bundle that was written."""
    licence: str
    """Licence of the source, as far as its files tell."""
    files: tuple[ImportedFile, ...]
    """Every file."""
    records: tuple[ImportedRecord, ...]
    """Every record, in the order of the files."""

    def count(self, outcome: str) -> int:
        """How many records came out so."""
        return sum(record.outcome == outcome for record in self.records)
