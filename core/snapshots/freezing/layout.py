"""Names of the files of a build and of a frozen month; nothing in them hints at a label or an order."""

from __future__ import annotations

from core.snapshots.building.folder import CALLS, REJECTED, TREES

RECIPE = "recipe.json"
"""Recipe: the first file of a build, and part of a month."""
RENDERED = "rendered"
"""Folder of a build: what came of rendering a call, its audio row or the reasons against it."""
HEARD = "heard"
"""Folder of a build: what the recogniser made of a call."""
SPEECH = "speech.json"
"""File of a build: settings of its sound, CPU features, versions of packages."""
CANDIDATES = "candidates.jsonl"
"""File of a build: the rows of a month, written last; a build without it is not finished."""
FROZEN = "frozen.json"
"""File of a build that was frozen: the head of its month. Such a build never changes again."""

HEAD = "SNAPSHOT.json"
"""Head of a month."""
MANIFEST = "manifest.jsonl"
"""Rows of a month."""
AUDIO = "audio"
"""Folder of recordings, of a build as of a month."""
TRANSCRIPT_SET = "transcripts.json"
"""Who made the transcripts, of a build as of a month."""
TRANSCRIPTS = "transcripts"
"""Folder of a month: transcripts by the name of their set."""
REPLACED = "replaced.jsonl"
"""Candidates that were left out, of a build as of a month."""
LICENCE = "LICENSE"
"""Licence of a month."""
DATASHEET = "DATASHEET.md"
"""What the month is, for people."""
SUMS = "SHA256SUMS"
"""Hash of every file of a month but itself and the head, as `sha256sum -c` reads it."""
REBUILT = "REBUILT.json"
"""Beside a month whose recordings were made again; no part of it."""

MONTHS = "snapshots/months"
"""Where months that ship lie, below the bundles; without recordings."""

__all__ = ["CALLS", "REJECTED", "TREES"]


def audio_path(sample_id: str) -> str:
    """Path of a recording."""
    return f"{AUDIO}/{sample_id}.wav"


def tree_path(tree_id: str) -> str:
    """Path of a tree."""
    return f"{TREES}/{tree_id}.json"


def transcripts_path(name: str) -> str:
    """Path of the transcripts of a set."""
    return f"{TRANSCRIPTS}/{name}.jsonl"
