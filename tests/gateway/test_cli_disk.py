"""A disk that is full: one line, nothing half written, and the same command goes on when there is room."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from core.errors import EXIT_INPUT
from tests.support.command import SCRIPT, Command, Finished, files_of
from tests.support.scenes import MINIMAL

RENEW = ("run", str(MINIMAL), "--scenarios", "renew-loan", "--concurrency", "1", "--out", "run")


def _with_room_for(command: Command, kilobytes: int, *arguments: str | Path) -> Finished:
    """Run a command whose files may not grow beyond a size: the system refuses the rest, as it does on a full disk."""
    script = f"ulimit -f {2 * kilobytes}; exec {shlex.join([str(SCRIPT), *map(str, arguments)])}"
    # Python would cut its own compiled files short, which no later process could read.
    environment = command.environment(PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(
        ["/bin/sh", "-c", script], cwd=command.cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("kilobytes", "refused"), [(1, "run/run.json"), (12, "run/cases/renew-loan--text--r0"), (30, "run/report.html")]
)
def test_a_run_on_a_full_disk_goes_on_later(ringback: Command, tmp_path: Path, kilobytes: int, refused: str) -> None:
    """Whichever file has no room: one line that names it, no file that is not whole, and later the run that would have been."""
    done = _with_room_for(ringback, kilobytes, *RENEW)
    assert EXIT_INPUT == done.returncode, done.stderr
    assert [f"ringback: error: {refused}: cannot be written: file too large"] == done.stderr.splitlines()
    left = files_of(tmp_path)
    assert [] == [name for name in left if "/." in name]
    ringback.passes(*RENEW)
    after = files_of(tmp_path)
    assert left == {name: after[name][: len(data)] for name, data in left.items()}  # the journal grew
    assert "run/report.html" in after


@pytest.mark.engine
def test_a_sound_file_without_room_is_not_half_written(ringback: Command, tmp_path: Path) -> None:
    """`speak` leaves the old file as it was where the new one does not fit."""
    ringback.passes("speak", "Hello there.", "-o", "hello.wav")
    before = files_of(tmp_path)
    done = _with_room_for(ringback, 8, "speak", "Hello there.", "-o", "hello.wav")
    assert (EXIT_INPUT, 1) == (done.returncode, len(done.stderr.splitlines()))
    assert before == files_of(tmp_path)
