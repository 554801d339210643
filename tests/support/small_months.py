"""Months of a few short calls, frozen by hand: whole as evaluations read them, whatever their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.schemas.base import json_lines, pretty_json, sha256
from core.schemas.months import Recipe
from core.schemas.snapshots import Contract, Label, ManifestRow, SnapshotCall, SnapshotHead
from core.schemas.trees import BuildConfig
from core.schemas.voicing import RenderConfig
from core.snapshots.freezing import layout
from core.snapshots.freezing.sums import root_of, sums_text
from speech import render
from speech.render import Rendered
from speech.studio import Studio

_CHECKS = {"structural": True, "label": True, "safety": True}


def written(calls: Sequence[SnapshotCall]) -> list[ManifestRow]:
    """Rows of text alone."""
    return [ManifestRow(call=call, voices=None, audio=None, checks=_CHECKS, provenance="ours") for call in calls]


def spoken(calls: Sequence[SnapshotCall], config: RenderConfig, studio: Studio) -> tuple[list[ManifestRow], dict[str, bytes]]:
    """Rows with recordings, and these by their paths."""
    voices = render.assign(calls, config, studio)
    rows, wavs = [], {}
    for row in written(calls):
        pair = voices[row.call.tree_id]
        made = render.render_call(row.call, pair, config, studio)
        assert isinstance(made, Rendered), made
        rows.append(row.model_copy(update={"voices": pair, "audio": made.audio}))
        wavs[made.audio.path] = made.wav
    return rows, wavs


def small_month(
    folder: Path, rows: Sequence[ManifestRow], wavs: Mapping[str, bytes] | None = None, name: str | None = None
) -> Path:
    """A month of these rows in a new folder, with manifest, recipe, hashes and head; named like its folder without a `name`."""
    name = name or folder.name
    language, trees = rows[0].call.language, len({row.call.tree_id for row in rows})
    counts = {label: sum(row.call.label is label for row in rows) for label in Label}
    contract = Contract(fraud=counts[Label.FRAUD], nonfraud=counts[Label.NONFRAUD], language=language, audio=wavs is not None)
    build = BuildConfig(namespace=name, seed=1, language=language, trees=trees)
    recipe = Recipe(snapshot_id=name, month="2026-11", contract=contract, build=build, words={}, render=None, recogniser=None)
    files = {
        layout.RECIPE: pretty_json(recipe.to_json()),
        layout.MANIFEST: json_lines(rows),
        **(wavs or {}),
    }
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    hashes = {path: sha256(data) for path, data in files.items()}
    head = SnapshotHead(
        snapshot_id=name,
        month="2026-11",
        created_at="2026-11-30T00:00:00Z",
        contract=contract,
        counts=counts,
        trees=trees,
        families={rows[0].call.family_id: len(rows)},
        generator={},
        speech={},
        licence=recipe.licence,
        root_sha256="0" * 64,
    )
    head = head.model_copy(update={"root_sha256": root_of(hashes, head)})
    (folder / layout.SUMS).write_bytes(sums_text(hashes))
    (folder / layout.HEAD).write_bytes(pretty_json(head.to_json()))
    return folder
