"""Every command that the documentation shows does what it says: the README's in order, then those of the pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tree import ROOT
from tests.support.scenes import copy_minimal

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = ("README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")))
BIN = Path(sys.executable).parent
ELSEWHERE = (
    "ringback snapshot",
    "bundle import",
    "litellm:",
    "models fetch",
    "models serve",
    "ringback[coqui]",
    "RINGBACK_SPEECH_URL",
)
"""What a command needs that a machine without a network, a server or a month has not: each is proven by tests of its own."""


def _blocks(page: str, language: str) -> list[str]:
    return [text for tag, text in FENCE.findall((ROOT / page).read_text(encoding="utf-8")) if tag == language]


def _run(script: str, folder: Path, cache: Path) -> None:
    """Run the lines of a block as one script that stops at the first failure."""
    environment = {
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "RINGBACK_CACHE": str(cache),
    }
    done = subprocess.run(
        ["/bin/sh", "-ex"], input=script, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, f"{done.stdout}\n{done.stderr}"


def test_the_doors_of_the_makefile_exist() -> None:
    """Every `make` command of the README is a target."""
    commands = re.findall(r"^make (\w+)", "".join(_blocks("README.md", "sh")), re.MULTILINE)
    assert {"demo", "test"} <= set(commands)
    for target in commands:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_shown_is_run_here(page: str) -> None:
    """A block that holds a command is marked `sh`, so that the test below finds it, or `console` where it needs more."""
    blocks = FENCE.findall((ROOT / page).read_text(encoding="utf-8"))
    commands = [(tag, text) for tag, text in blocks if re.search("^ringback ", text, re.MULTILINE)]
    assert {"sh", "console"} >= {tag for tag, _ in commands}
    assert [] == [text for tag, text in commands if tag == "console" and not any(word in text for word in ELSEWHERE)]
    assert page != "README.md" or {"sh"} >= {tag for tag, _ in commands}


@pytest.mark.engine
@pytest.mark.slow
def test_every_command_of_the_documentation_works(tmp_path: Path, engine_cache: Path) -> None:
    """The blocks of README and pages exit 0, in order, in one folder; a Python block is the file its page says to save."""
    (tmp_path / ".venv").symlink_to(Path(sys.prefix))
    bundle = copy_minimal(tmp_path).rename(tmp_path / "mybundle") / "bundle.yaml"
    bundle.write_text(bundle.read_text(encoding="utf-8").replace("id: minimal", "id: mybundle"), encoding="utf-8")
    for page in PAGES:
        for source in _blocks(page, "python"):
            (tmp_path / "my_agent.py").write_text(source, encoding="utf-8")
        for block in _blocks(page, "sh"):
            if not block.startswith("make "):
                _run(block, tmp_path, engine_cache)
    assert (tmp_path / "first.html").is_file()
