"""Prompts of the chat parties: one Markdown file each below `prompts/`, named by use and version, known by its hash.

A prompt that changes gets the next number, so that runs can say which words made them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.prompt import render_prompt, variables_in
from core.schemas.base import sha256

_FOLDER = Path(__file__).with_suffix("")


@dataclass(frozen=True)
class Prompt:
    """A prompt as written."""

    name: str
    """Its file's name without the ending, such as `caller-1`."""
    text: str
    """Its words; `{{ name }}` is a place to be filled."""

    @property
    def sha256(self) -> str:
        """Hash of the words."""
        return sha256(self.text)

    def fill(self, **values: str) -> str:
        """The words with every place filled; what is filled in is never read as a place itself."""
        assert variables_in(self.text) == values.keys(), f"prompt {self.name}: {variables_in(self.text) ^ values.keys()}"
        return render_prompt(self.text, values)


@cache
def prompt(name: str) -> Prompt:
    """The prompt of that name."""
    return Prompt(name, (_FOLDER / f"{name}.md").read_text("utf-8").strip())


def hashes(*names: str) -> Mapping[str, str]:
    """Prompt name to hash, as a party records them."""
    return {name: prompt(name).sha256 for name in names}
