"""What commands share: the type of the subparsers, argument types, progress, JSON output."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from core.bundle import shipped_bundle
from core.errors import UsageError

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001  # it has no public name
"""What `add_subparsers` returns; generic only to type checkers."""
Formatter = type[argparse.HelpFormatter]


def command(
    commands: Subparsers, formatter: Formatter, name: str, help_: str, example: str, run: Callable[[argparse.Namespace], int]
) -> argparse.ArgumentParser:
    """Add one command with its help line, an example and the function that runs it."""
    made = commands.add_parser(
        name, help=help_, description=help_[0].upper() + help_[1:] + ".", epilog=f"example: {example}", formatter_class=formatter
    )
    made.set_defaults(run=run)
    return made


def bundle_folder(name: str) -> Path:
    """A bundle's folder from a path, or from the name of a shipped bundle."""
    path = Path(name)
    if path.exists() or "/" in name:
        return path
    shipped = shipped_bundle(name)
    return shipped if shipped.exists() else path


def positive(text: str) -> int:
    """An argument type: a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def seed(text: str) -> int:
    """An argument type: a whole number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def print_json(value: Any) -> None:
    """Print a value as JSON, keys sorted."""
    print(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True))


def split_run(text: str) -> tuple[Path, str | None]:
    """`RUN[@condition]` taken apart."""
    path, at, condition = text.rpartition("@")
    if not at:
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
