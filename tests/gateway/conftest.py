"""The command in an empty folder, and one spoken run that starts from an empty cache and fills it for the tests after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import SPOKEN, Command, SpokenRun, cache_beside
from tests.support.shell import Shell


@pytest.fixture
def ringback(tmp_path: Path, engine_cache: Path) -> Command:
    """The command in an empty folder with the session's cache."""
    return Command(tmp_path, engine_cache)


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command in this process, in an empty folder with an empty cache."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RINGBACK_CACHE", str(tmp_path / "cache"))
    return Shell(capsys)


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory, engine_cache: Path) -> SpokenRun:
    """A run from a cache without clips and transcripts, in one process."""
    home = tmp_path_factory.mktemp("spoken")
    cache = cache_beside(home / "cache", engine_cache)
    Command(home, cache).passes("run", *SPOKEN, "--out", "run", "--concurrency", "1", PYTHONHASHSEED="1")
    return SpokenRun(home / "run", cache)
