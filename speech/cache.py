"""Content-addressed caches of clips and transcripts: same key, same bytes, whoever made them first.

An entry appears by one rename, so processes that race for it write the same bytes and none reads half a file. An entry
that cannot be read is reported, ignored and made again. A clip that can be read is used as it is, whatever it says: what
the candidate hears follows the sound.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from pathlib import Path

from pydantic import JsonValue

from core.errors import FileError, OperatorError
from core.schemas.base import content_hash, pretty_json
from speech import audiofile
from speech.clip import Clip

log = logging.getLogger("ringback.speech.cache")


def cache_key(kind: str, **parts: JsonValue) -> str:
    """The address of an entry: a hash of everything that decides it. `kind` names the format and its version."""
    return content_hash({"kind": kind, **parts})


class ClipCache:
    """Clips as 16-bit WAV files, so that a clip from here equals its quantised original sample for sample."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, key: str) -> Path:
        """Where the entry of `key` lies, present or not."""
        return _path(self._root, key, ".wav")

    def get(self, key: str) -> Clip | None:
        """The clip, or None where there is none or it cannot be read."""
        path = self.path(key)
        if not path.exists():
            return None
        try:
            return audiofile.read(path)
        except FileError as error:
            log.warning("ignoring a cached clip: %s; it is made again", error)
            return None

    def put(self, key: str, clip: Clip) -> None:
        """Keep a clip.

        Raises:
            OperatorError: the cache cannot be written.
        """
        path = self.path(key)
        _write(path, audiofile.encode(clip.to_pcm16()[:, None], clip.sample_rate, audiofile.file_format(path)))


class JsonCache:
    """Small JSON values, such as transcripts."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def path(self, key: str) -> Path:
        """Where the entry of `key` lies, present or not."""
        return _path(self._root, key, ".json")

    def get(self, key: str) -> JsonValue | None:
        """The value, or None where there is none or it cannot be read."""
        path = self.path(key)
        if not path.exists():
            return None
        try:
            value: JsonValue = json.loads(path.read_text(encoding="utf-8"))
            return value
        except (OSError, ValueError) as error:
            log.warning("ignoring a cached entry: cannot read %r: %s; it is made again", str(path), error)
            return None

    def put(self, key: str, value: JsonValue) -> None:
        """Keep a value.

        Raises:
            OperatorError: the cache cannot be written.
        """
        _write(self.path(key), pretty_json(value))


def _path(root: Path, key: str, suffix: str) -> Path:
    return root / key[:2] / f"{key}{suffix}"


def _write(path: Path, data: bytes) -> None:
    """Write a file so that it appears whole or not at all."""
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".partial")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise OperatorError(
            f"cannot write to the speech cache {str(path.parent)!r}: {error.strerror or error}:"
            " set RINGBACK_CACHE to a folder that can be written"
        ) from error
