"""What is common to all transcripts of a set: their ids, and the name of their file."""

from __future__ import annotations

from collections.abc import Mapping

from core.schemas.base import Json, content_hash


def transcript_id(settings: Mapping[str, Json], audio_sha256: str, text: str) -> str:
    """Id of a transcript: hash of the settings of its set, of the recording and of the words."""
    return content_hash(["transcript", dict(settings), audio_sha256, text])


def set_name(recogniser: str, settings: Mapping[str, Json]) -> str:
    """Name of a set: the recogniser's id and the start of the hash of the settings."""
    return f"{recogniser}-{content_hash(dict(settings))[:12]}"
