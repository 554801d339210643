"""Which code runs: commit, changes, sources that git does not know, and the tag of the version."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.schemas.call_trace import CodeVersion
from gateway.version import code_of

VERSION = "1.2.3"


def _git(root: Path, *arguments: str) -> str:
    named = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false")
    done = subprocess.run(["git", "-C", str(root), *named, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with one commit and nothing else."""
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "a.py").write_text("A = 1\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("*.pyc\n/runs/\n", encoding="utf-8")
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-q", "-m", "First")
    return tmp_path


def test_a_clean_checkout_has_its_commit_and_no_tag(tree: Path) -> None:
    """And is no release."""
    found = code_of(tree, VERSION)
    assert CodeVersion(version=VERSION, commit=_git(tree, "rev-parse", "HEAD"), dirty=False, tag=None) == found
    assert not found.is_release


@pytest.mark.parametrize(
    ("tags", "tag", "is_release"),
    [(["a", "v1.2.3"], "v1.2.3", True), (["1.2.3", "wip"], "1.2.3", True), (["v1.2.4", "wip"], "v1.2.4", False)],
)
def test_the_tag_of_the_version_makes_a_release(tree: Path, tags: list[str], tag: str, is_release: bool) -> None:
    """Whatever other tags the commit carries; a tag of another name makes none."""
    for name in tags:
        _git(tree, "tag", name)
    found = code_of(tree, VERSION)
    assert (tag, is_release) == (found.tag, found.is_release)


@pytest.mark.parametrize(
    ("path", "dirty"),
    [
        ("core/a.py", True),
        ("core/new.py", True),
        ("speech/voices/new.py", True),
        ("notes.txt", False),
        ("core/a.pyc", False),
        ("runs/core/x.py", False),
    ],
)
def test_changes_and_sources_that_git_does_not_know_are_dirt(tree: Path, path: str, dirty: bool) -> None:
    """A new file below the folders of the code may be imported; one elsewhere may not."""
    (tree / path).parent.mkdir(parents=True, exist_ok=True)
    (tree / path).write_text("B = 2\n", encoding="utf-8")
    assert dirty == code_of(tree, VERSION).dirty


def test_without_a_checkout_only_the_version_is_known(tmp_path: Path) -> None:
    """As from an installed package."""
    assert CodeVersion(version=VERSION) == code_of(tmp_path, VERSION)
