"""Every file that ships with a bundle, the cases or the phrases holds what its published JSON Schema says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.yamlfile import read_data
from gateway.cli.schemas import FOLDER, FORMATS
from tests.repository.tree import ROOT

BUNDLES = ROOT / "bundles"
FILES = {
    "*/bundle.yaml": "bundle",
    "*/manifest.json": "manifest",
    "*/agents/*/agent.yaml": "agent",
    "*/scenarios/*/*.yaml": "scenario",
    "phrases/*.yaml": "phrases",
    "phrases/table.json": "hearing-table",
    "snapshots/acoustic.json": "acoustic-model",
    "snapshots/actions.yaml": "case-actions",
    "snapshots/delivery.yaml": "delivery-table",
    "snapshots/denied.yaml": "case-denied-names",
    "snapshots/voices.yaml": "voice-table",
    "snapshots/risk-words.yaml": "risk-words",
    "snapshots/*/manner.yaml": "case-manner",
    "snapshots/*/abstracts/*.yaml": "case-abstracts",
    "snapshots/*/wordings/*.yaml": "case-wordings",
    "snapshots/unrelated-*/*.yaml": "everyday-topic",
    "snapshots/months/*/SNAPSHOT.json": "snapshot",
    "snapshots/months/*/recipe.json": "snapshot-recipe",
    "snapshots/months/*/transcripts.json": "snapshot-transcripts",
    "snapshots/months/*/trees/*.json": "snapshot-tree",
    "snapshots/months/*/manifest.jsonl": "snapshot-row",
    "snapshots/months/*/rejected.jsonl": "snapshot-rejected",
    "snapshots/months/*/replaced.jsonl": "snapshot-replaced",
    "snapshots/months/*/transcripts/*.jsonl": "snapshot-transcript",
}
"""Places below `bundles/`, and the format of what lies there."""
FOUND = sorted((path, name) for place, name in FILES.items() for path in BUNDLES.glob(place) if path.parent != FOLDER)
VALIDATORS: dict[str, Any] = {}


def _validator(name: str) -> Any:
    """The validator of a published schema, itself checked once."""
    if name not in VALIDATORS:
        jsonschema = pytest.importorskip("jsonschema", reason="it comes with the extra `chat`")
        schema = json.loads((FOLDER / f"{name}.json").read_bytes())
        jsonschema.Draft202012Validator.check_schema(schema)
        VALIDATORS[name] = jsonschema.Draft202012Validator(schema)
    return VALIDATORS[name]


def _values(path: Path) -> list[Any]:
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [read_data(path)]


@pytest.mark.parametrize(("path", "name"), FOUND, ids=lambda value: str(value).removeprefix(f"{BUNDLES}/"))
def test_a_shipped_file_fits_its_published_schema(path: Path, name: str) -> None:
    """By a validator of JSON Schema that knows nothing of the models the schema was made from."""
    faults = [f"{error.json_path}: {error.message}" for value in _values(path) for error in _validator(name).iter_errors(value)]
    assert [] == faults


@pytest.mark.parametrize(
    ("name", "file", "spoil"),
    [
        ("case-abstracts", "snapshots/en/abstracts/*.yaml", lambda data: data["abstracts"][0].pop("risk_nodes")),
        ("case-actions", "snapshots/actions.yaml", lambda data: data["kinds"][0].update(action_class="threat")),
        ("case-denied-names", "snapshots/denied.yaml", lambda data: data.update(format=2)),
        ("case-manner", "snapshots/zh/manner.yaml", lambda data: data["names"].update(other=["A"] * 8)),
        ("case-wordings", "snapshots/zh/wordings/*.yaml", lambda data: data.update(label="FRAUD")),
        ("delivery-table", "snapshots/delivery.yaml", lambda data: data["forms"]["calm"].update(pace=3)),
        ("everyday-topic", "snapshots/unrelated-zh/*.yaml", lambda data: data["plots"][0].update(turns=[])),
        ("risk-words", "snapshots/risk-words.yaml", lambda data: data["languages"]["en"].update(threshold=0)),
        ("voice-table", "snapshots/voices.yaml", lambda data: data.update(other_quality=2)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_spoiled_file_does_not(name: str, file: str, spoil: Callable[[Any], object]) -> None:
    """A field that is missing, unknown or out of bounds is found by the schema alone."""
    data = read_data(sorted(BUNDLES.glob(file))[0])
    assert _validator(name).is_valid(data)
    spoil(data)
    assert not _validator(name).is_valid(data)


def test_every_shipped_file_has_one_format() -> None:
    """No file of data lies below `bundles/` that no schema speaks of, and every format named here is published."""
    data = {path for path in BUNDLES.rglob("*") if path.suffix in {".yaml", ".json", ".jsonl"} and path.parent != FOLDER}
    assert len(FOUND) == len(data)
    assert [] == sorted(data - {path for path, _ in FOUND})
    assert set() == set(FILES.values()) - FORMATS.keys()
