"""Which code is running: the distribution's version and, from a checkout, its commit and whether it is clean."""

from __future__ import annotations

import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from core.schemas.call_trace import CodeVersion

RINGS = ("core", "models", "speech", "gateway")
"""Folders whose every file can be imported, also one that git does not know."""


def distribution_version() -> str:
    """The installed version of Ringback, or `0+unknown` from a bare tree."""
    try:
        return version("ringback")
    except PackageNotFoundError:
        return "0+unknown"


@cache
def code_version() -> CodeVersion:
    """Version, commit, dirtiness and tag of the code that runs."""
    return code_of(Path(__file__).resolve().parent.parent, distribution_version())


def code_of(root: Path, version_: str) -> CodeVersion:
    """Version, commit, dirtiness and tag of the tree at `root`; all but the version are null where it is no git checkout."""
    if not (root / ".git").exists():
        return CodeVersion(version=version_)
    commit = _git(root, "rev-parse", "HEAD")
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    unknown = _git(root, "ls-files", "--others", "--exclude-standard", "--", *RINGS)
    tags = (_git(root, "tag", "--points-at", "HEAD") or "").split()
    own = [tag for tag in tags if tag in (version_, f"v{version_}")]
    return CodeVersion(
        version=version_,
        commit=commit or None,
        dirty=None if changed is None or unknown is None else bool(changed or unknown),
        tag=next(iter(own + tags), None),
    )


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
