"""Months of text alone, made of given calls, for commands that read months."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.schemas.base import content_hash, json_lines, pretty_json
from core.schemas.months import CallTranscript, Recipe
from core.schemas.snapshots import Contract, Label, ManifestRow, SnapshotCall
from core.schemas.trees import BuildConfig
from tests.support.small_months import small_month, written

NAME = "2026-11-test"


def text_rows(calls: Sequence[SnapshotCall]) -> list[ManifestRow]:
    """Rows without sound."""
    return written(calls)


def text_build(folder: Path, calls: Sequence[SnapshotCall], heard: Mapping[str, str] | None = None) -> Path:
    """A finished build of these calls in `folder`; `heard` maps sample ids to what was heard of them."""
    (folder / "heard").mkdir(parents=True)
    (folder / "recipe.json").write_bytes(pretty_json(_recipe(calls).to_json()))
    (folder / "candidates.jsonl").write_bytes(json_lines(text_rows(calls)))
    for sample, text in (heard or {}).items():
        digest = content_hash([sample, text])
        one = CallTranscript(sample_id=sample, transcript_id=digest, audio_sha256=digest, text=text, cer=0.1)
        (folder / "heard" / f"{sample}.json").write_bytes(pretty_json(one.to_json()))
    return folder


def text_month(folder: Path, calls: Sequence[SnapshotCall]) -> Path:
    """A frozen month of these calls in `folder`."""
    return small_month(folder, text_rows(calls), name=NAME)


def change_month(folder: Path, name: str) -> None:
    """Change what a file of a frozen month says in a way that leaves it valid: one word, number or hash is another."""
    old, new = {
        "manifest.jsonl": (b'"provenance":"ours"', b'"provenance":"mine"'),
        "recipe.json": (b'"seed": 1', b'"seed": 2'),
        "SNAPSHOT.json": (b'"FRAUD": ', b'"FRAUD": 1'),
        "SHA256SUMS": (b"", b"0" * 64 + b"  more\n"),
    }[name]
    data = (folder / name).read_bytes()
    assert old in data
    (folder / name).write_bytes(data.replace(old, new, 1) if old else data + new)


def _recipe(calls: Sequence[SnapshotCall]) -> Recipe:
    language, labels = calls[0].language, [call.label for call in calls]
    fraud, nonfraud = (max(1, labels.count(label)) for label in Label)
    return Recipe(
        snapshot_id=NAME,
        month="2026-11",
        contract=Contract(fraud=fraud, nonfraud=nonfraud, language=language, audio=False),
        build=BuildConfig(namespace=NAME, seed=7, language=language, trees=len({call.tree_id for call in calls})),
        words={},
        render=None,
        recogniser=None,
    )
