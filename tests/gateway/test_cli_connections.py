"""What a command leaves open: no connection to an endpoint, of which Python would complain at its end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tree import ROOT
from tests.support.chat_server import chat_server
from tests.support.small_talk import SCRIPT, run_of


@pytest.mark.slow
def test_a_command_closes_its_connections(tmp_path: Path) -> None:
    """Threads that ask one server, on connections that are kept for the next request until the command ends."""
    with chat_server(SCRIPT) as server:
        done = subprocess.run(
            [
                sys.executable,
                "-W",
                "always::ResourceWarning",
                "-m",
                "gateway.cli",
                *run_of(server, "caller", "candidate", repeats=2),
            ],
            cwd=tmp_path,
            env={"PATH": "", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "RINGBACK_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (0, "") == (done.returncode, done.stderr)
