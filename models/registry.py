"""The catalogue: every model Ringback knows, read once from the YAML files beside this module.

A file holds one entry, or, under `voices`, several that share the fields above them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.errors import UsageError
from core.yamlfile import read_data
from models.specs import ModelKind, ModelSpec

CATALOG = Path(__file__).parent / "catalog"


@cache
def catalogue() -> Mapping[str, ModelSpec]:
    """Every model by id, in the order of ids. Read once per process; the result cannot be changed."""
    return read_catalogue(CATALOG)


def read_catalogue(folder: Path) -> Mapping[str, ModelSpec]:
    """Every model of a folder of YAML files by id, in the order of ids, each with the entries it needs.

    Raises:
        UsageError: an id is taken twice, or an entry needs one that is not of kind `weights` or has needs itself.
    """
    known: dict[str, ModelSpec] = {}
    for spec in (ModelSpec.model_validate(entry) for path in sorted(folder.glob("*.yaml")) for entry in _entries(path)):
        if spec.id in known:
            raise UsageError(f"the model id {spec.id!r} is taken twice in {str(folder)!r}: give the second one another id")
        known[spec.id] = spec
    return MappingProxyType({key: _with_needs(known[key], known) for key in sorted(known)})


def get(model_id: str, kind: ModelKind | None = None) -> ModelSpec:
    """The entry of `model_id`, optionally of one kind only.

    Raises:
        UsageError: unknown id, or another kind; the valid ids are listed.
    """
    known = {key: spec for key, spec in catalogue().items() if kind is None or spec.kind is kind}
    if model_id not in known:
        what = kind.value if kind else "model"
        raise UsageError(f"unknown {what} {model_id!r}: choose one of {', '.join(known)} (see `ringback models list`)")
    return known[model_id]


def voices(language: str) -> tuple[ModelSpec, ...]:
    """Every voice that serves the primary language of a BCP 47 tag, in the order of ids."""
    return tuple(spec for spec in catalogue().values() if spec.kind is ModelKind.VOICE and serves(spec, language))


def serves(spec: ModelSpec, language: str) -> bool:
    """Whether a model serves the primary language of a BCP 47 tag; one for `mul` serves every language."""
    primary = language.split("-")[0].lower()
    return any(tag.split("-")[0] in (primary, "mul") for tag in spec.languages)


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    shared = read_data(path)
    for own in shared.pop("voices", [{}]):
        yield {**shared, **own}


def _with_needs(spec: ModelSpec, known: Mapping[str, ModelSpec]) -> ModelSpec:
    for need in spec.needs:
        entry = known.get(need)
        if entry is None or entry.kind is not ModelKind.WEIGHTS or entry.needs:
            raise UsageError(f"{spec.id!r} needs {need!r}, which is no entry of kind weights without needs of its own")
    return spec.model_copy(update={"needed": tuple(known[need] for need in spec.needs)}) if spec.needs else spec
