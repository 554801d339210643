"""A finished build of text alone, made of given calls, for commands that read months."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.schemas.base import Model, canonical_json, content_hash, pretty_json
from core.schemas.months import CallTranscript, Recipe
from core.schemas.snapshots import Contract, Label, ManifestRow, SnapshotCall
from core.schemas.trees import BuildConfig


def text_rows(calls: Sequence[SnapshotCall]) -> list[ManifestRow]:
    """Rows without sound."""
    checks = {"structural": True, "label": True, "safety": True}
    return [ManifestRow(call=call, voices=None, audio=None, checks=checks, provenance="ours") for call in calls]


def text_build(folder: Path, calls: Sequence[SnapshotCall], heard: Mapping[str, str] | None = None) -> Path:
    """A finished build of these calls in `folder`; `heard` maps sample ids to what was heard of them."""
    language, labels = calls[0].language, [call.label for call in calls]
    fraud, nonfraud = (max(1, labels.count(label)) for label in Label)
    recipe = Recipe(
        snapshot_id="2026-11-test",
        month="2026-11",
        contract=Contract(fraud=fraud, nonfraud=nonfraud, language=language, audio=False),
        build=BuildConfig(namespace="2026-11-test", seed=7, language=language, trees=len({call.tree_id for call in calls})),
        words={},
        render=None,
        recogniser=None,
    )
    (folder / "heard").mkdir(parents=True)
    (folder / "recipe.json").write_bytes(pretty_json(recipe.to_json()))
    (folder / "candidates.jsonl").write_bytes(lines(text_rows(calls)))
    for sample, text in (heard or {}).items():
        digest = content_hash([sample, text])
        one = CallTranscript(sample_id=sample, transcript_id=digest, audio_sha256=digest, text=text, cer=0.1)
        (folder / "heard" / f"{sample}.json").write_bytes(pretty_json(one.to_json()))
    return folder


def lines(entries: Sequence[Model]) -> bytes:
    """A line for each entry."""
    return b"".join(canonical_json(entry.to_json()) + b"\n" for entry in entries)
