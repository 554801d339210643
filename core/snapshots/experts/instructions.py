"""What people are told: what the label means, what to fill in, and what this is for."""

from __future__ import annotations

from collections.abc import Sequence

from core.bundle import shipped_bundle
from core.files import read_bytes

COLUMNS = ("item", "call", "label", "confidence", "sufficient", "correct", "notes")
"""Columns of a packet; the first two are given, the others are to be filled in."""


def packet_page(name: str, language: str, calls: Sequence[tuple[str, str]]) -> str:
    """The page of a packet in the language of its calls, Chinese or else English; `calls` are items and words.

    Raises:
        FileError: the text that ships is gone.
    """
    spoken = "zh" if language.partition("-")[0] == "zh" else "en"
    text = read_bytes(shipped_bundle("snapshots") / f"experts-{spoken}.md", "instructions for experts").decode()
    parts = [f"## {item}\n\n" + "\n".join(f"    {line}" for line in words.splitlines()) for item, words in calls]
    return "\n".join((text.format(name=name, items=len(calls)), "\n\n".join(parts), ""))
