"""The catalogue: every model Ringback knows, read once from the YAML files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import yaml

from core.errors import UsageError
from models.specs import ModelKind, ModelSpec

CATALOG = Path(__file__).parent / "catalog"


@cache
def catalogue() -> Mapping[str, ModelSpec]:
    """Every model by id, in the order of ids. Read once per process; the result cannot be changed."""
    texts = [path.read_text(encoding="utf-8") for path in CATALOG.glob("*.yaml")]
    specs = [ModelSpec.model_validate(yaml.safe_load(text)) for text in texts]
    return MappingProxyType({spec.id: spec for spec in sorted(specs, key=lambda spec: spec.id)})


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
    primary = language.split("-")[0]
    spoken = (spec for spec in catalogue().values() if spec.kind is ModelKind.VOICE)
    return tuple(spec for spec in spoken if any(tag.split("-")[0] == primary for tag in spec.languages))
