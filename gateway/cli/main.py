"""The `ringback` command: one parser, one place where errors become exit codes."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from core.errors import EXIT_INPUT, RingbackError
from gateway.cli import bundles, calls, catalogue, results, schemas, sound
from gateway.version import distribution_version

EXIT_INTERRUPTED = 130


class Formatter(argparse.ArgumentDefaultsHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Shows defaults, and keeps the line breaks of examples."""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="ringback",
        description="Evaluate voice agents end to end through simulated phone calls.",
        epilog="example: ringback demo",
        formatter_class=Formatter,
    )
    top.add_argument("--version", action="version", version=f"ringback {distribution_version()}")
    top.add_argument("-v", "--verbose", action="count", default=0, help="log more; twice for details")
    top.add_argument("-q", "--quiet", action="store_true", help="no progress and no notes, only results")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (calls, results, bundles, schemas, catalogue, sound):
        module.add_commands(commands, Formatter)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns 0 done, 1 a gate failed, 2 usage or input, 3 infrastructure."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        args = parser().parse_args(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else EXIT_INPUT
    args.argv = ("ringback", *arguments)
    level = logging.ERROR if args.quiet else (logging.WARNING, logging.INFO, logging.DEBUG)[min(args.verbose, 2)]
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("ringback").setLevel(level)
    try:
        return int(args.run(args))
    except RingbackError as error:
        print(f"ringback: error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("ringback: interrupted; finished cases are kept, run the same command to go on", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
