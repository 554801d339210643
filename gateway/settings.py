"""The only place that reads or sets the environment: cache folder, speech server, and the number of numpy's threads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import UsageError

if TYPE_CHECKING:
    from speech.endpoint import Endpoint


@dataclass(frozen=True)
class Settings:
    """What the environment decides."""

    cache_root: Path
    """Folder of joined weights, clips and transcripts (`RINGBACK_CACHE`, else the user's cache folder)."""
    endpoint: Endpoint | None = None
    """Speech server behind `openai:` models (`RINGBACK_SPEECH_URL` and `RINGBACK_SPEECH_KEY`); None where none is named."""


def read_settings() -> Settings:
    """Settings from the environment; `RINGBACK_CACHE` wins over `XDG_CACHE_HOME` over `~/.cache`.

    Raises:
        UsageError: none of them is there, as for a user without a home; or the speech server's address or key is none.
    """
    return Settings(_cache_root(), _endpoint())


def _endpoint() -> Endpoint | None:
    url, key = os.environ.get("RINGBACK_SPEECH_URL", ""), os.environ.get("RINGBACK_SPEECH_KEY", "")
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None or parts.query or parts.fragment:
        raise UsageError("RINGBACK_SPEECH_URL is no plain address such as https://speech.example/v1: mend it")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise UsageError("RINGBACK_SPEECH_KEY holds spaces or signs that no key has: set it again")
    from speech.endpoint import Endpoint

    return Endpoint(url, key)


def _cache_root() -> Path:
    chosen = os.environ.get("RINGBACK_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        root = Path(base) if base else Path.home() / ".cache"
    except RuntimeError:
        raise UsageError(
            "this user has no home folder: set RINGBACK_CACHE to a folder for weights, clips and transcripts"
        ) from None
    return root / "ringback"


def one_thread() -> None:
    """Let numpy compute on one thread: in this process, which must not have imported it yet, and in those it starts.

    The last bit of a matrix product depends on the number of threads, which is that of the cores, and with it what a recogniser
    makes of a sound. Besides, worker processes would fight over the cores.
    """
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
