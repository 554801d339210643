"""Months of text alone, made of given calls, for commands that read months."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.schemas.base import Model, canonical_json, content_hash, pretty_json
from core.schemas.months import CallTranscript, Recipe
from core.schemas.snapshots import Contract, Label, ManifestRow, SnapshotCall, SnapshotHead
from core.schemas.trees import BuildConfig

NAME = "2026-11-test"


def text_rows(calls: Sequence[SnapshotCall]) -> list[ManifestRow]:
    """Rows without sound."""
    checks = {"structural": True, "label": True, "safety": True}
    return [ManifestRow(call=call, voices=None, audio=None, checks=checks, provenance="ours") for call in calls]


def text_build(folder: Path, calls: Sequence[SnapshotCall], heard: Mapping[str, str] | None = None) -> Path:
    """A finished build of these calls in `folder`; `heard` maps sample ids to what was heard of them."""
    (folder / "heard").mkdir(parents=True)
    (folder / "recipe.json").write_bytes(pretty_json(_recipe(calls).to_json()))
    (folder / "candidates.jsonl").write_bytes(_lines(text_rows(calls)))
    for sample, text in (heard or {}).items():
        digest = content_hash([sample, text])
        one = CallTranscript(sample_id=sample, transcript_id=digest, audio_sha256=digest, text=text, cer=0.1)
        (folder / "heard" / f"{sample}.json").write_bytes(pretty_json(one.to_json()))
    return folder


def text_month(folder: Path, calls: Sequence[SnapshotCall]) -> Path:
    """A frozen month of these calls in `folder`, as far as readers look at it: head, recipe and manifest."""
    recipe = _recipe(calls)
    head = SnapshotHead(
        snapshot_id=recipe.snapshot_id,
        month=recipe.month,
        created_at="2026-11-30T12:00:00Z",
        contract=recipe.contract,
        counts={label: sum(call.label == label for call in calls) for label in Label},
        trees=recipe.build.trees,
        families={},
        generator={},
        speech={},
        licence=recipe.licence,
        root_sha256=content_hash([call.sample_id for call in calls]),
    )
    folder.mkdir(parents=True)
    (folder / "SNAPSHOT.json").write_bytes(pretty_json(head.to_json()))
    (folder / "recipe.json").write_bytes(pretty_json(recipe.to_json()))
    (folder / "manifest.jsonl").write_bytes(_lines(text_rows(calls)))
    return folder


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


def _lines(entries: Sequence[Model]) -> bytes:
    return b"".join(canonical_json(entry.to_json()) + b"\n" for entry in entries)
