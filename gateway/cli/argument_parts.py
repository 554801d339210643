"""What the arguments of every command are made of: its help, its lazy start, the types of its values. Imports nothing heavy."""

from __future__ import annotations

import argparse
import importlib
import textwrap
from collections.abc import Callable
from typing import TypeAlias

from gateway.defaults import DEFAULT_RECOGNISER

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001  # it has no public name


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Shows the defaults that say something, and breaks lines at spaces alone, so that a name stays whole."""

    def _get_help_string(self, action: argparse.Action) -> str:
        nothing = action.default is None or action.default is False or action.default in ([], "", argparse.SUPPRESS)
        return f"{action.help}{'' if nothing else ' (default: %(default)s)'}"

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


def loudness(parser: argparse.ArgumentParser, *, top: bool = False) -> None:
    """`-v` and `-q`, before a command or after it; a command's own leave no default, which would wipe out those before it."""
    verbose, quiet = (0, False) if top else (argparse.SUPPRESS, argparse.SUPPRESS)
    parser.add_argument("-v", "--verbose", action="count", default=verbose, help="log more; twice for details")
    parser.add_argument("-q", "--quiet", action="store_true", default=quiet, help="no progress and no notes, only results")


def command(commands: Subparsers, name: str, help_: str, example: str, runs: str | None) -> argparse.ArgumentParser:
    """Add a command; `runs` is `module:function` below gateway.cli, imported when it runs."""
    made = commands.add_parser(
        name,
        help=help_,
        description=f"{help_[0].upper()}{help_[1:]}.",
        epilog=f"example: {example}",
        formatter_class=Formatter,
    )
    loudness(made)
    if runs is not None:
        made.set_defaults(run=lazy(runs))
    return made


def lazy(target: str) -> Callable[[argparse.Namespace], int]:
    """What runs `module:function` below gateway.cli, imported then."""
    module, _, function = target.partition(":")

    def run(args: argparse.Namespace) -> int:
        return int(getattr(importlib.import_module(f"gateway.cli.{module}"), function)(args))

    return run


def up_to(most: int) -> Callable[[str], int]:
    """An argument type: a whole number from 1 to `most`."""

    def count(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {most}")
        return int(text)

    return count


def natural(text: str) -> int:
    """An argument type: a whole number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def dollars(text: str) -> float:
    """An argument type: an amount above 0."""
    try:
        amount = float(text)
    except ValueError:
        amount = 0.0
    if not 0 < amount < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount above 0, such as 2.50")
    return amount


def seconds(text: str) -> float:
    """An argument type: a time above 0, of a day at most."""
    try:
        time_s = float(text)
    except ValueError:
        time_s = 0.0
    if not 0 < time_s <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0 and up to 86400")
    return time_s


def recogniser(made: argparse.ArgumentParser, default: str = DEFAULT_RECOGNISER, auto: str = "auto") -> None:
    """`--recogniser`; `auto` is how its help puts that word."""
    help_ = (
        f"who hears: {auto}, an id of `ringback models list`, whisper:<folder or hub name>, openai:<model>; with ?key=value&..."
    )
    made.add_argument("--recogniser", default=default, metavar="NAME", help=help_)
