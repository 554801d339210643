"""What a catalogue entry says about one model: where it comes from, what it can do, and the bytes it must be."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Literal

from pydantic import Field, model_validator

from core.schemas.base import Model, Sha256, Slug


class ModelKind(StrEnum):
    """What a model is for."""

    RECOGNISER = "recogniser"
    VOICE = "voice"
    WEIGHTS = "weights"


class Source(Model):
    """A registry package that carries bytes of the model."""

    distribution: str
    """Name of the distribution."""
    version: str
    """Version whose bytes are pinned here."""
    licence: str
    """Licence the package declares (SPDX)."""


class Part(Model):
    """One file inside an installed package."""

    distribution: str
    """The package, one of the entry's sources."""
    path: str
    """Path below the folder the package is installed in."""
    size: int = Field(gt=0)
    """Bytes."""
    sha256: Sha256
    """Hash of its bytes."""


class ModelFile(Model):
    """One file the engine reads: a single part, or several joined in order."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    """File name in the model's folder."""
    parts: tuple[Part, ...] = Field(min_length=1)
    """Where its bytes come from, in order."""
    joined_sha256: Sha256 | None = None
    """Hash of the parts joined; only where there are several."""

    @property
    def sha256(self) -> str:
        """Hash of the whole file."""
        return self.joined_sha256 or self.parts[0].sha256

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return sum(part.size for part in self.parts)

    @model_validator(mode="after")
    def _joined_only_if_several(self) -> ModelFile:
        if (len(self.parts) > 1) != (self.joined_sha256 is not None):
            raise ValueError(f"{self.name}: joined_sha256 belongs to, and only to, a file of several parts")
        return self


class ModelSpec(Model):
    """One model of the catalogue."""

    id: Slug
    """Name by which it is chosen and recorded."""
    kind: ModelKind
    """What it is for."""
    title: str
    """One line for people."""
    engine: str
    """Engine that runs it; the name it is registered under in the speech ring."""
    runtime: tuple[str, ...] = Field(min_length=1)
    """Distributions whose versions decide what it puts out."""
    extra: str
    """Extra of Ringback that installs it."""
    languages: tuple[str, ...] = Field(min_length=1)
    """BCP 47 tags it serves."""
    licence: str
    """Licence of the weights (SPDX), with conditions of the engine where they differ."""
    origin: str
    """Where the weights were first published."""
    sources: tuple[Source, ...] = Field(min_length=1)
    """Packages that carry its bytes."""
    main: str
    """The file whose hash names the model."""
    files: tuple[ModelFile, ...] = Field(min_length=1)
    """Every file that is verified."""
    determinism: str
    """What makes its output repeatable, and within which limits."""
    gender: Literal["female", "male"] | None = None
    """Voices: gender."""
    accent: str | None = None
    """Voices: accent, as a BCP 47 tag."""
    sample_rate: int | None = Field(default=None, gt=0)
    """Voices: samples per second put out; recognisers: samples per second taken in."""

    @property
    def sha256(self) -> str:
        """Hash of the main file: the model's identity."""
        return next(file.sha256 for file in self.files if file.name == self.main)

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)

    @property
    def in_place(self) -> bool:
        """Whether the engine can read it where the package was installed, with nothing to join."""
        return all(len(file.parts) == 1 for file in self.files)

    @model_validator(mode="after")
    def _consistent(self) -> ModelSpec:
        if self.main not in {file.name for file in self.files}:
            raise ValueError(f"main file {self.main!r} is not among the files")
        known = {source.distribution for source in self.sources}
        used = {part.distribution for file in self.files for part in file.parts}
        if known != used:
            raise ValueError(f"sources {sorted(known)} and the parts' distributions {sorted(used)} differ")
        folders = {str(PurePosixPath(file.parts[0].path).parent) for file in self.files}
        names_kept = all(PurePosixPath(file.parts[0].path).name == file.name for file in self.files)
        if self.in_place and not (len(folders) == 1 and names_kept):
            raise ValueError("a model that is read in place keeps all files in one folder under their own names")
        if self.kind is ModelKind.VOICE and None in (self.gender, self.accent, self.sample_rate):
            raise ValueError("a voice needs gender, accent and sample_rate")
        return self
