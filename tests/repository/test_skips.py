"""A test that needs a browser, npm or data skips aloud, and not at all where everything is said to be installed."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository.tree import ROOT

MARKED = """
import pytest

@pytest.mark.{marker}
def test_marked():
    {body}

def test_plain():
    pytest.skip("not for want of anything installed")
"""


def _run(folder: Path, marker: str, body: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (folder / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", folder / "tests")
    (folder / "tests" / "test_it.py").write_text(MARKED.format(marker=marker, body=body), encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=folder,
        env={"PATH": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("marker", ["browser", "npm", "data"])
def test_an_unmet_need_skips_with_its_reason(tmp_path: Path, marker: str) -> None:
    """Under plain pytest the marked test is skipped and the summary says what is missing."""
    done = _run(tmp_path, marker, "raise AssertionError('must not run')")
    assert 0 == done.returncode, done.stdout
    assert "2 skipped" in done.stdout
    assert f"{marker}: " in done.stdout


@pytest.mark.parametrize("marker", ["browser", "npm"])
def test_an_unmet_need_fails_where_everything_is_required(tmp_path: Path, marker: str) -> None:
    """With RINGBACK_REQUIRE_ALL=1 the same skip is a failure that keeps its reason; other skips stay skips."""
    done = _run(tmp_path, marker, "raise AssertionError('must not run')", RINGBACK_REQUIRE_ALL="1")
    assert 1 == done.returncode, done.stdout
    assert "1 skipped, 1 error" in done.stdout
    assert f"may not skip under RINGBACK_REQUIRE_ALL=1: Skipped: {marker}: " in done.stdout


def test_data_is_required_only_where_its_folder_is_named(tmp_path: Path) -> None:
    """A checkout without outside data passes; a folder that is named and not there is a failure."""
    body = "raise AssertionError('must not run')"
    (tmp_path / "without").mkdir()
    done = _run(tmp_path / "without", "data", body, RINGBACK_REQUIRE_ALL="1")
    assert (0, True) == (done.returncode, "2 skipped" in done.stdout), done.stdout
    (tmp_path / "gone").mkdir()
    done = _run(tmp_path / "gone", "data", body, RINGBACK_REQUIRE_ALL="1", RINGBACK_TEST_DATA=str(tmp_path / "nowhere"))
    assert 1 == done.returncode, done.stdout
    assert "may not skip under RINGBACK_REQUIRE_ALL=1: Skipped: data: RINGBACK_TEST_DATA is" in done.stdout


def test_a_marked_test_may_not_skip_itself_either(tmp_path: Path) -> None:
    """A skip from inside the body of a marked test is a failure too, though its need is met."""
    done = _run(tmp_path, "data", "pytest.skip('no such file')", RINGBACK_REQUIRE_ALL="1", RINGBACK_TEST_DATA=str(tmp_path))
    assert 1 == done.returncode, done.stdout
    assert "Skipped: no such file" in done.stdout


def test_a_met_need_runs(tmp_path: Path) -> None:
    """With its need met the marked test runs and can fail by itself."""
    done = _run(tmp_path, "data", "assert 1 == 2", RINGBACK_TEST_DATA=str(tmp_path))
    assert 1 == done.returncode, done.stdout
    assert "assert 1 == 2" in done.stdout


def test_an_unknown_marker_is_refused(tmp_path: Path) -> None:
    """A misspelled marker would hide a need, so it stops the run."""
    done = _run(tmp_path, "browzer", "pass")
    assert 0 != done.returncode
    assert "browzer" in done.stdout


def test_no_test_reaches_another_machine() -> None:
    """A connection that leaves this machine is refused before it is tried; 192.0.2.1 is reserved for documentation (RFC 5737)."""
    with socket.socket() as door, pytest.raises(PermissionError, match=r"192\.0\.2\.1"):
        door.connect(("192.0.2.1", 80))
