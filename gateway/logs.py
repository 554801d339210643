"""How much is logged, and in what shape: the same in the command and in the processes it starts."""

from __future__ import annotations

import logging
import sys


def configure(level: int) -> None:
    """Log Ringback's own notes of a level and above to stderr, one line each; other packages' from warnings on."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    logging.getLogger("ringback").setLevel(level)


def current_level() -> int:
    """The level in force, to hand to another process."""
    return logging.getLogger("ringback").getEffectiveLevel()
