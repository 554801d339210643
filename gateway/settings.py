"""The only place that reads the environment: the cache folder, handed inward as a plain value."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """What the environment decides."""

    cache_root: Path
    """Folder of joined weights, clips and transcripts (`RINGBACK_CACHE`, else the user's cache folder)."""


def read_settings() -> Settings:
    """Settings from the environment; `RINGBACK_CACHE` wins over `XDG_CACHE_HOME` over `~/.cache`."""
    chosen = os.environ.get("RINGBACK_CACHE")
    if chosen:
        return Settings(cache_root=Path(chosen))
    base = os.environ.get("XDG_CACHE_HOME")
    root = Path(base) if base else Path.home() / ".cache"
    return Settings(cache_root=root / "ringback")
