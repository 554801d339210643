"""The `ringback` command as a user runs it: the installed script, in a process of its own, over the tree under test."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.repository.tree import ROOT

SCRIPT = Path(sys.executable).parent / "ringback"
Finished = subprocess.CompletedProcess[str]
SPOKEN = (ROOT / "tests" / "bundles" / "workshop", "--scenarios", "lost-slip", "--condition", "text,asr", "--record")
"""The shortest call of the test bundles, as words and through the telephone."""


@dataclass(frozen=True)
class SpokenRun:
    """A finished run with sound, not to be changed."""

    folder: Path
    """The run."""
    cache: Path
    """The cache it filled."""


@dataclass
class Command:
    """Runs commands in one folder with one cache; nothing of the tests' own environment reaches them but PATH."""

    cwd: Path
    """Folder they run in."""
    cache: Path
    """Their cache folder."""
    more: dict[str, str] = field(default_factory=dict)
    """Further variables for all of them."""
    patience_s: float = 300
    """Seconds after which one is given up."""

    def environment(self, **more: str) -> dict[str, str]:
        """The variables a command gets."""
        given = {"PATH": os.environ["PATH"], "HOME": str(self.cwd), "PYTHONPATH": str(ROOT), "RINGBACK_CACHE": str(self.cache)}
        return {**given, **self.more, **more}

    def start(self, *arguments: str | Path, **variables: str) -> subprocess.Popen[str]:
        """Start a command, the leader of a process group of its own, and leave it running."""
        return subprocess.Popen(
            [str(SCRIPT), *map(str, arguments)],
            cwd=self.cwd,
            env=self.environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __call__(self, *arguments: str | Path, **variables: str) -> Finished:
        """Run a command to its end."""
        with self.start(*arguments, **variables) as process:
            out, err = process.communicate(timeout=self.patience_s)
            return Finished(process.args, process.returncode, out, err)

    def passes(self, *arguments: str | Path, **variables: str) -> str:
        """Run a command that must exit 0 and write nothing to stderr; returns what it printed."""
        done = self(*arguments, **variables)
        assert (0, "") == (done.returncode, done.stderr), f"{done.args}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def fails(self, code: int, *arguments: str | Path, **variables: str) -> str:
        """Run a command that must exit with `code` and say why in one line on stderr; returns that line without its head."""
        done = self(*arguments, **variables)
        assert code == done.returncode, f"{done.args}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        (line,) = done.stderr.splitlines()
        head = "ringback: error: "
        assert head == line[: len(head)]
        return line.removeprefix(head)


def cache_beside(cache: Path, engine_cache: Path) -> Path:
    """A new cache folder that shares only the joined weights with the session's."""
    (engine_cache / "weights").mkdir(exist_ok=True)
    cache.mkdir()
    (cache / "weights").symlink_to(engine_cache / "weights")
    return cache


def files_of(folder: Path) -> dict[str, bytes]:
    """Relative path to bytes of every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
