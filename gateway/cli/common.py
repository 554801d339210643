"""What commands share: the type of the subparsers, argument types, progress, JSON output."""

from __future__ import annotations

import json
import shutil
import sys
from itertools import count
from pathlib import Path
from typing import Any

from core.bundle import shipped_bundle
from core.errors import UsageError
from core.report.text import render_table
from core.schemas.run import Summary


def bundle_folder(name: str) -> Path:
    """A bundle's folder from a path, or from the name of a shipped bundle."""
    path = Path(name)
    if path.exists() or "/" in name:
        return path
    shipped = shipped_bundle(name)
    return shipped if shipped.exists() else path


def free_folder(name: str) -> Path:
    """The first of runs/<name>, runs/<name>-2, ... that does not exist."""
    for number in count(1):
        path = Path("runs") / (name if number == 1 else f"{name}-{number}")
        if not path.exists():
            return path
    raise AssertionError("count is endless")


def print_json(value: Any) -> None:
    """Print a value as JSON, keys sorted."""
    print(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True))


def terminal_width() -> int:
    """Columns to print in: the terminal's between 80 and 120, or 100 where there is none."""
    return max(80, min(shutil.get_terminal_size((100, 24)).columns, 120))


def print_table(summary: Summary) -> None:
    """Print a run's scores, in colour on a terminal."""
    print(render_table(summary, width=terminal_width(), colour=sys.stdout.isatty()), end="")


def listed(text: str) -> list[str]:
    """The items of a list with commas between them, empty ones left out."""
    return [item.strip() for item in text.split(",") if item.strip()]


def split_run(text: str) -> tuple[Path, str | None]:
    """`RUN[@condition]` taken apart."""
    path, at, condition = text.rpartition("@")
    if not at or "/" in condition or Path(text).is_dir():
        return Path(text), None
    if not condition:
        raise UsageError(f"{text!r}: a condition is missing after @")
    return Path(path), condition


class Progress:
    """A one-line counter on stderr that shows only on a terminal and vanishes at the end."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        self._total = total
        self._done = 0
        self._shown = not quiet and sys.stderr.isatty()

    def step(self, note: str) -> None:
        """Count one and show what was finished."""
        self._done += 1
        if self._shown:
            print(f"\r\x1b[K[{self._done}/{self._total}] {note}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Wipe the line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
