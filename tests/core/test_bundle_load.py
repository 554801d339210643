"""SPEC 2: what a bundle holds once it is read, and the hashes that fix its bytes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml

from core.bundle import hash_files, load_bundle, lock_bundle, shipped_bundle
from core.errors import FileError
from core.prompt import render_prompt, variables_in
from core.schemas.base import content_hash, sha256
from core.schemas.bundle import Manifest
from core.yamlfile import read_data
from tests.support.scenes import AGENT_FILE, MINIMAL, SCENARIO_FILE, change, copy_minimal, minimal, put


def test_a_bundle_holds_agents_templates_and_scenarios() -> None:
    """Everything of the folder is there by id, scenarios in order of their ids."""
    bundle = minimal()
    assert ("minimal", "1.0.0") == (bundle.file.id, bundle.file.version)
    assert ["corner-library"] == list(bundle.agents)
    assert ["noisy-renewal", "renew-loan"] == list(bundle.scenarios)
    assert bundle.agents["corner-library"] is bundle.agent_of(bundle.scenarios["renew-loan"])


def test_a_prompt_is_the_template_with_the_scenarios_values() -> None:
    """Variables are replaced, nothing else changes."""
    bundle = minimal()
    template = (MINIMAL / "agents/corner-library/instructions.md").read_text(encoding="utf-8")
    assert template.replace("{{ today }}", "Monday, March 16, 2026") == bundle.prompt(bundle.scenarios["renew-loan"])


def test_rendering_touches_variables_only() -> None:
    """An unknown variable and anything that only looks like one stay as written, and a value is not rendered again."""
    assert "a {{ b }} {c} {{ d }} {{1}} $x" == render_prompt("{{a}} {{ b }} {c} {{ d }} {{1}} $x", {"a": "a", "d": "{{ d }}"})
    assert {"a", "b", "d"} == variables_in("{{a}} {{ b }} {c} {{d }} {{1}} {{ d}}")


def test_yaml_and_json_both_load(tmp_path: Path) -> None:
    """An agent or a scenario written as JSON is the same agent or scenario."""
    root = copy_minimal(tmp_path)
    for file in (AGENT_FILE, SCENARIO_FILE):
        data = read_data(root / file)
        (root / file).unlink()
        (root / file).with_suffix(".json").write_text(json.dumps(data), encoding="utf-8")
    loaded = load_bundle(root)
    assert dict(minimal().agents) == dict(loaded.agents)
    assert dict(minimal().scenarios) == dict(loaded.scenarios)


def test_where_there_is_no_bundle_it_is_said(tmp_path: Path) -> None:
    """A folder without bundle.yaml, or no folder at all, is a file error and not a list of faults."""
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(FileError, match="no bundle here: a bundle is a folder with bundle"):
            load_bundle(path)


def test_the_hash_covers_every_file_and_every_byte(tmp_path: Path) -> None:
    """Each file's sha256 stands under its path, and the bundle's hash is the canonical JSON of them."""
    root = copy_minimal(tmp_path)
    (root / "notes.txt").write_bytes(b"any file counts")
    bundle = load_bundle(root)
    assert sha256((root / SCENARIO_FILE).read_bytes()) == bundle.files[SCENARIO_FILE]
    assert sha256(b"any file counts") == bundle.files["notes.txt"]
    assert content_hash(dict(bundle.files)) == bundle.bundle_hash
    (root / "notes.txt").write_bytes(b"any file counts!")
    assert bundle.bundle_hash != load_bundle(root).bundle_hash


def test_the_hash_does_not_depend_on_place_or_order(tmp_path: Path) -> None:
    """A copy elsewhere has the same hash."""
    assert minimal().bundle_hash == load_bundle(copy_minimal(tmp_path)).bundle_hash
    assert sorted(hash_files(MINIMAL)) == list(hash_files(MINIMAL))


def test_hidden_files_and_caches_are_no_part_of_a_bundle(tmp_path: Path) -> None:
    """What editors and version control leave behind is neither read nor hashed."""
    root = copy_minimal(tmp_path)
    for file in (
        ".git/config",
        "scenarios/.draft/new.yaml",
        "scenarios/corner-library/.renew-loan.yaml",
        "agents/.old/agent.yaml",
    ):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text("broken: [", encoding="utf-8")
    (root / "__pycache__").mkdir()
    (root / "__pycache__" / "x.pyc").write_bytes(b"\0")
    assert minimal().bundle_hash == load_bundle(root).bundle_hash


def test_a_lock_pins_the_bytes(tmp_path: Path) -> None:
    """After locking, the manifest agrees; after any change it does not, and locking again mends it."""
    root = copy_minimal(tmp_path)
    bundle = load_bundle(root)
    assert not bundle.locked
    path = lock_bundle(bundle)
    manifest = Manifest.model_validate_json(path.read_bytes())
    assert (dict(bundle.files), bundle.bundle_hash, "minimal", "1.0.0") == (
        manifest.files,
        manifest.bundle_hash,
        manifest.id,
        manifest.version,
    )
    locked = load_bundle(root)
    assert locked.locked
    assert bundle.bundle_hash == locked.bundle_hash
    change(root / SCENARIO_FILE, put("title", "Changed"))
    assert not load_bundle(root).locked
    lock_bundle(load_bundle(root))
    assert load_bundle(root).locked


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", '{"bundle_hash": "x"}'])
def test_a_manifest_that_cannot_be_read_locks_nothing(tmp_path: Path, text: str) -> None:
    """A bundle with a broken manifest is a bundle that is not locked."""
    root = copy_minimal(tmp_path)
    (root / "manifest.json").write_text(text, encoding="utf-8")
    assert not load_bundle(root).locked


def test_an_inactive_agent_is_read_and_audited_all_the_same(tmp_path: Path) -> None:
    """`active` only decides what runs include."""
    root = copy_minimal(tmp_path, off=(AGENT_FILE, put("active", False)))
    assert not load_bundle(root).agents["corner-library"].active


def test_a_shipped_bundle_is_found_by_name() -> None:
    """The demonstration's bundle comes with the distribution, and loads."""
    assert shipped_bundle("frontdesk").name == load_bundle(shipped_bundle("frontdesk")).file.id


def test_yaml_written_by_the_usual_library_reads_back(tmp_path: Path) -> None:
    """A bundle dumped by PyYAML, which quotes what it would misread, is the same bundle."""
    root = tmp_path / "minimal"
    shutil.copytree(MINIMAL, root)
    for file in ("bundle.yaml", AGENT_FILE, SCENARIO_FILE):
        (root / file).write_text(yaml.safe_dump(read_data(MINIMAL / file)), encoding="utf-8")
    assert dict(minimal().scenarios) == dict(load_bundle(root).scenarios)
