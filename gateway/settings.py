"""The only place that reads or sets the environment: the cache folder, handed inward as a plain value, and memory tuning."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.errors import UsageError


@dataclass(frozen=True)
class Settings:
    """What the environment decides."""

    cache_root: Path
    """Folder of joined weights, clips and transcripts (`RINGBACK_CACHE`, else the user's cache folder)."""


def read_settings() -> Settings:
    """Settings from the environment; `RINGBACK_CACHE` wins over `XDG_CACHE_HOME` over `~/.cache`.

    Raises:
        UsageError: none of them is there, as for a user without a home.
    """
    chosen = os.environ.get("RINGBACK_CACHE")
    if chosen:
        return Settings(cache_root=Path(chosen))
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        root = Path(base) if base else Path.home() / ".cache"
    except RuntimeError:
        raise UsageError(
            "this user has no home folder: set RINGBACK_CACHE to a folder for weights, clips and transcripts"
        ) from None
    return Settings(cache_root=root / "ringback")


def prefer_huge_pages() -> None:
    """Let processes started from here ask the kernel for huge pages, unless the user tunes the C library already.

    The recogniser allocates and frees large buffers for every turn: a fifth of its time goes into page faults without this.
    Not a byte of what it puts out depends on it.
    """
    os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
