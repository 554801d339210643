"""The `ringback` command: one parser, one place where errors become exit codes."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import EXIT_INFRASTRUCTURE, EXIT_INPUT, RingbackError, UsageError
from gateway import logs
from gateway.cli.arguments import build_parser
from gateway.settings import one_thread

EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns 0 done, 1 a gate failed, 2 usage or input, 3 infrastructure."""
    _replace_closed_streams()
    one_thread()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()  # here, where a reader that is gone and a disk that is full are still ours to report
        return code
    except RingbackError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        print("ringback: interrupted; finished cases are kept, run the same command to go on", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return 0
    except OSError as error:
        _silence_stdout()
        return _fail(f"the system refused: {error}", EXIT_INFRASTRUCTURE)


def _run(arguments: list[str]) -> int:
    try:
        args = build_parser().parse_args(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else EXIT_INPUT
    for argument in arguments:
        if not argument.isascii() and argument != argument.encode(errors="replace").decode():
            raise UsageError(f"the argument {argument!r} is not UTF-8 text")
    args.argv = ("ringback", *arguments)
    logs.configure(logging.ERROR if args.quiet else (logging.WARNING, logging.INFO, logging.DEBUG)[min(args.verbose, 2)])
    return int(args.run(args))


def _fail(message: str, code: int) -> int:
    print(f"ringback: error: {message}", file=sys.stderr)
    return code


def _replace_closed_streams() -> None:
    """What is written to a stream that was closed before the start goes nowhere."""
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # open as long as the process
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # the same


def _silence_stdout() -> None:
    """Point stdout elsewhere, so that Python's own flush at the end does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
