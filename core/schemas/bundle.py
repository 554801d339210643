"""A bundle: a versioned folder of agents and scenarios, and the manifest that fixes its bytes."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue

from core.schemas.base import Model, Sha256, Slug
from core.schemas.tools import Tool


class BundleFile(Model):
    """`bundle.yaml`: what this bundle is."""

    format: Literal["ringback-bundle-1"] = "ringback-bundle-1"
    """Version of this format."""
    id: Slug
    """Name of the bundle, equal to its folder's name."""
    version: str = Field(pattern=r"^\d+\.\d+\.\d+$")
    """Semantic version; any changed byte needs a new one."""
    title: str = ""
    """One line for people."""
    languages: tuple[str, ...] = Field(min_length=1)
    """BCP 47 tags of the languages its scenarios are in."""
    licence: str
    """SPDX identifier."""
    official_repeats: int = Field(default=1, ge=1)
    """Repeats of each scenario that an official run has at least."""
    demo: tuple[Slug, ...] = ()
    """Scenarios a demonstration plays; empty for all."""
    generation: dict[str, JsonValue] = {}
    """How the content was made: model, parameters, seeds, prompt hashes, or `method: hand-written`."""


class Direction(StrEnum):
    """Who places the call."""

    INBOUND = "inbound"
    OUTBOUND = "outbound"


class Agent(Model):
    """`agents/<agent>/agent.yaml`: what a candidate is told and what it may do."""

    format: Literal["ringback-agent-1"] = "ringback-agent-1"
    """Version of this format."""
    id: Slug
    """Name of the agent, equal to its folder's name."""
    name: str
    """Name for people."""
    domain: str
    """Business field, for slices of the report."""
    direction: Direction
    """`inbound`: the caller rings the agent; `outbound`: the agent rings the caller."""
    active: bool = True
    """Whether runs include its scenarios."""
    instructions: str = "instructions.md"
    """File beside this one with the operating instructions; `{{ name }}` marks a template variable."""
    variables: tuple[str, ...] = ()
    """Names of the template variables; every scenario gives each a value."""
    tools: tuple[Tool, ...]
    """The typed tools."""

    def tool(self, name: str) -> Tool | None:
        """The tool of that name, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)


class Manifest(Model):
    """`manifest.json`: sha256 of every file of a locked bundle and one hash over them."""

    format: Literal["ringback-manifest-1"] = "ringback-manifest-1"
    """Version of this format."""
    id: Slug
    """The bundle's id."""
    version: str
    """The bundle's version."""
    files: dict[str, Sha256]
    """Path relative to the bundle's root, with forward slashes, to the file's hash."""
    bundle_hash: Sha256
    """Hash of the canonical JSON of `files`; every trace and grade carries it."""
