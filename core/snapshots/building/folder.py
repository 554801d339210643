"""A build on disk: one file per finished tree, so that a stopped build goes on where it was and never looks finished.

build.json             what is built, by whom and from what; written first, and another build into the same folder is refused
trees/<tree_id>.json   a finished tree with its calls and what was left out; there whole or not at all
calls.jsonl            every call, written last: a build without it is not finished
rejected.jsonl         what was left out, line by line
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from core.errors import FileError
from core.files import write_atomic
from core.schemas.base import Json, content_hash, json_lines, pretty_json
from core.schemas.snapshots import SnapshotCall
from core.schemas.trees import BuildConfig, BuiltTree
from core.snapshots.building.agents import AgentSet
from core.snapshots.building.build import build_calls, plan_trees
from core.snapshots.building.library import CaseLibrary
from core.yamlfile import read_data

BUILD, TREES, CALLS, REJECTED = "build.json", "trees", "calls.jsonl", "rejected.jsonl"


def build_into(
    folder: Path, config: BuildConfig, library: CaseLibrary, agents: AgentSet, on_tree: Callable[[BuiltTree], None] | None = None
) -> tuple[SnapshotCall, ...]:
    """Build into a folder, or go on with a build that was stopped there; `on_tree` is told of each new tree.

    Raises:
        FileError: the folder holds another build, or a file that cannot be read or written.
        UsageError: see `build_calls`.
    """
    plan_trees(config, library)
    _begin(folder, build_record(config, library, agents))
    for built in build_calls(config, library, agents, kept_trees(folder)):
        write_atomic(folder / TREES / f"{built.tree_id}.json", pretty_json(built.to_json()))
        if on_tree is not None:
            on_tree(built)
    kept = {built.tree_id: built for built in kept_trees(folder)}
    trees = [kept[planned.tree_id] for planned in plan_trees(config, library)]
    write_atomic(folder / REJECTED, json_lines(entry for built in trees for entry in built.rejected))
    calls = tuple(call for built in trees for call in built.calls)
    write_atomic(folder / CALLS, json_lines(calls))
    return calls


def build_record(config: BuildConfig, library: CaseLibrary, agents: AgentSet) -> dict[str, Json]:
    """What decides every byte of a build."""
    decides: dict[str, Json] = {
        "config": config.to_json(),
        "cases_sha256": library.sha256,
        "agents": dict(agents.parties),
        "prompts": dict(agents.prompts),
        "settings": dict(agents.settings),
    }
    return {**decides, "config_sha256": content_hash(decides)}


def words_record(config: BuildConfig, library: CaseLibrary, agents: AgentSet) -> dict[str, Json]:
    """What decides the words of a build beside its configuration, as a recipe has it."""
    record = build_record(config, library, agents)
    return {name: record[name] for name in ("cases_sha256", "agents", "prompts", "settings")}


def kept_trees(folder: Path) -> Iterator[BuiltTree]:
    """The finished trees of a folder, in the order of their ids.

    Raises:
        FileError: a file there is no finished tree.
    """
    for path in sorted((folder / TREES).glob("[!.]*.json")):
        try:
            yield BuiltTree.model_validate(read_data(path))
        except ValidationError as error:
            raise FileError(f"{path}: no finished tree: {error.errors()[0]['msg']}; remove it and build again") from None


def read_calls(folder: Path) -> tuple[SnapshotCall, ...]:
    """The calls of a finished build.

    Raises:
        FileError: the build is not finished, or the file is damaged.
    """
    path = folder / CALLS
    if not path.is_file():
        raise FileError(f"{folder}: no finished build here: build it again, and it goes on where it was")
    try:
        return tuple(SnapshotCall.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines())
    except (ValidationError, OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: not the calls of a build: {' '.join(str(error).split())[:200]}") from None


def _begin(folder: Path, record: dict[str, Json]) -> None:
    path = folder / BUILD
    if path.exists():
        if read_data(path) != record:
            raise FileError(f"{folder}: another build was begun here (see {BUILD}): choose another folder")
        return
    write_atomic(path, pretty_json(record))
