"""Which code is running: the distribution's version and, from a checkout, its commit and whether it is clean."""

from __future__ import annotations

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core.schemas.call_trace import CodeVersion


def distribution_version() -> str:
    """The installed version of Ringback, or `0+unknown` from a bare tree."""
    try:
        return version("ringback")
    except PackageNotFoundError:
        return "0+unknown"


@cache
def code_version() -> CodeVersion:
    """Version, commit and dirtiness; commit and dirtiness are null outside a git checkout."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return CodeVersion(version=distribution_version())
    commit = _git(root, "rev-parse", "HEAD")
    status = _git(root, "status", "--porcelain", "--untracked-files=no")
    tags = (_git(root, "tag", "--points-at", "HEAD") or "").split()
    return CodeVersion(
        version=distribution_version(),
        commit=commit or None,
        dirty=None if status is None else bool(status),
        tag=tags[0] if tags else None,
    )


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
