"""Builds of a few calls with robots' voices and a recogniser that answers at once, killed and gone on with."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.command import Command, files_of
from tests.support.kills import assert_gone
from tests.support.listening_server import RECOGNISER

ROBOTS = "espeak-f2,espeak-f4,espeak-m3,espeak-m7"
CALLS = 4
TINY = ("--fraud", "2", "--nonfraud", "2", "--trees", "2", "--month", "2026-11")
SOUND = ("--language", "en", "--voices", ROBOTS, "--recogniser", RECOGNISER)
"""A month of four calls, six minutes of sound: about ten CPU seconds with an empty cache."""
EFFORT = ("effort.json", "effort.jsonl")
"""Files of a build that tell what it cost."""
Kept = dict[str, tuple[int, int]]
"""Finished file to inode and time of change."""


def built(command: Command, name: str, address: str, *more: str) -> Path:
    """Build a tiny month in a folder of the command's, and return it."""
    command.passes(*build_arguments(name, *more), RINGBACK_SPEECH_URL=address)
    return command.cwd / name


def build_arguments(name: str, *more: str) -> tuple[str, ...]:
    """The command that builds a tiny month with sound."""
    return ("snapshot", "build", *TINY, *SOUND, *more, "--out", name)


def contents(build: Path) -> dict[str, bytes]:
    """Every file of a build that depends on its recipe and this machine alone."""
    return {name: data for name, data in files_of(build).items() if name not in EFFORT}


def kept_of(build: Path) -> Kept:
    """Files that are never written again: trees, what came of each call, and recordings that a file tells of."""
    found: list[Path] = []
    for folder in ("trees", "rendered", "heard"):
        found += build.glob(f"{folder}/[!.]*.json")
    found += [wav for wav in build.glob("audio/[!.]*.wav") if (build / "rendered" / f"{wav.stem}.json").exists()]
    stats = {str(path.relative_to(build)): path.stat() for path in sorted(found)}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()}


def count(build: Path, pattern: str) -> int:
    """Files of a build by a pattern."""
    return len(list(build.glob(pattern)))


def killed(process: subprocess.Popen[str], when: Callable[[], bool], moment_s: float = 0.0) -> bool:
    """Kill a command and all its processes so long after something holds; False where it had ended by then."""
    while process.poll() is None and not when():
        time.sleep(0.002)
    time.sleep(moment_s)
    at_work = process.poll() is None
    if at_work:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert_gone(process.pid)
    return at_work
