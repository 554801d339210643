"""The `ringback` command: one parser, one place where errors become exit codes."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence

from core.errors import EXIT_INPUT, RingbackError
from gateway.cli.arguments import build_parser

EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns 0 done, 1 a gate failed, 2 usage or input, 3 infrastructure."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        args = build_parser().parse_args(arguments)
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
