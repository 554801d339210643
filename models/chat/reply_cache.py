"""Replies that were paid for, kept by the content of their requests: a resumed or regraded run asks for none of them twice."""

from __future__ import annotations

from pathlib import Path

from pydantic import JsonValue, ValidationError

from core.files import write_atomic
from core.schemas.base import Model, canonical_json, content_hash
from models.chat.reply import Answered

FORMAT = 3
"""Raised when what is kept, or what a request is known by, changes its meaning."""


class Kept(Model):
    """A reply with what it took to get it."""

    reply: Answered
    """The reply."""
    attempts: tuple[str, ...] = ()
    """What failed before it came, so that a trace is the same when it comes from here."""
    dropped: tuple[str, ...] = ()
    """Settings that the endpoint did not take."""


class ReplyCache:
    """Kept replies in a folder; any number of threads and processes may use it."""

    def __init__(self, folder: Path, made_by: str) -> None:
        """`made_by` is what turns requests into a provider's and replies back, with its version: part of every key."""
        self._folder = folder
        self._made_by = made_by

    def key(self, request: JsonValue) -> str:
        """What a request is known by: every field of it, and what translates it."""
        return content_hash({"format": FORMAT, "made_by": self._made_by, "request": request})

    def get(self, key: str) -> Kept | None:
        """The reply; None where there is none, or none that can be read."""
        try:
            return Kept.model_validate_json(self._path(key).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, key: str, kept: Kept) -> Kept:
        """Keep a reply unless another was faster; gives back the one that is kept. Raises FileError."""
        before = self.get(key)
        if before is not None:
            return before
        write_atomic(self._path(key), canonical_json(kept.to_json()))
        return kept

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
