"""A build on disk goes on after a stop, repeats no finished tree, and is never readable as finished before it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FileError
from core.schemas.trees import BuiltTree
from core.snapshots.building.folder import CALLS, build_into, kept_trees, read_calls
from tests.core.snapshot_agents import LIBRARY, agents, config

SETTING = config(trees=4, abstracts=(), depth=2)


class _StoppedError(Exception):
    """Stands for a kill between two trees."""


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_stopped_build_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """Two trees, a stop, the rest: no tree twice, nothing finished in between, the same files as in one go."""
    grown: list[str] = []

    def stop(built: BuiltTree) -> None:
        grown.append(built.tree_id)
        if len(grown) == 2:
            raise _StoppedError

    with pytest.raises(_StoppedError):
        build_into(tmp_path / "stopped", SETTING, LIBRARY, agents(), stop)
    with pytest.raises(FileError, match="no finished build here"):
        read_calls(tmp_path / "stopped")
    assert sorted(grown) == [built.tree_id for built in kept_trees(tmp_path / "stopped")]
    (tmp_path / "stopped" / "trees" / ".half.json.x1").write_text("{", encoding="utf-8")
    calls = build_into(tmp_path / "stopped", SETTING, LIBRARY, agents(), lambda built: grown.append(built.tree_id))
    (tmp_path / "stopped" / "trees" / ".half.json.x1").unlink()
    assert 4 == len(grown) == len(set(grown))
    assert calls == build_into(tmp_path / "whole", SETTING, LIBRARY, agents()) == read_calls(tmp_path / "whole")
    assert _bytes(tmp_path / "whole") == _bytes(tmp_path / "stopped")


def test_another_build_into_the_same_folder_is_refused(tmp_path: Path) -> None:
    """Nothing is mixed."""
    build_into(tmp_path, SETTING, LIBRARY, agents())
    with pytest.raises(FileError, match="another build was begun here"):
        build_into(tmp_path, config(trees=4, abstracts=(), depth=2, seed=2), LIBRARY, agents())


def test_damaged_files_are_named(tmp_path: Path) -> None:
    """A tree or a list of calls that cannot be read says which and what to do."""
    build_into(tmp_path, SETTING, LIBRARY, agents())
    tree = next((tmp_path / "trees").glob("*.json"))
    tree.write_text("{}", encoding="utf-8")
    with pytest.raises(FileError, match=r"no finished tree: .*; remove it and build again"):
        list(kept_trees(tmp_path))
    (tmp_path / CALLS).write_text("{}\n", encoding="utf-8")
    with pytest.raises(FileError, match="not the calls of a build"):
        read_calls(tmp_path)
