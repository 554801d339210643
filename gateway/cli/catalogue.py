"""`ringback models list|show|verify`: what can hear and speak here, with licence, size, hash and state."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK
from gateway.cli.common import print_json
from gateway.settings import read_settings
from models import registry, weights


def list_models(args: argparse.Namespace) -> int:
    """List the catalogue."""
    cache = read_settings().cache_root
    rows = [
        {
            "id": spec.id,
            "kind": spec.kind.value,
            "languages": list(spec.languages),
            "megabytes": round(spec.size / 1e6, 1),
            "licence": spec.licence,
            "sha256": spec.sha256,
            "state": weights.state(spec.id, cache).value,
            "extra": spec.extra,
        }
        for spec in registry.catalogue().values()
    ]
    if args.json:
        print_json(rows)
        return EXIT_OK
    print(f"{'id':14} {'kind':11} {'languages':12} {'MB':>6} {'state':10} {'sha256':14} licence")
    for row in rows:
        spoken = ",".join(row["languages"]) if isinstance(row["languages"], list) else ""
        shown = spoken if len(spoken) <= 12 else f"{spoken[:9]}..."
        print(
            f"{row['id']:14} {row['kind']:11} {shown:12} {row['megabytes']:>6} {row['state']:10}"
            f" {str(row['sha256'])[:12]:14} {row['licence']}"
        )
    return EXIT_OK


def show(args: argparse.Namespace) -> int:
    """Show one."""
    spec = registry.get(args.model)
    print_json({**spec.model_dump(mode="json"), "state": weights.state(spec.id, read_settings().cache_root).value})
    return EXIT_OK


def verify(args: argparse.Namespace) -> int:
    """Verify weights."""
    cache = read_settings().cache_root
    chosen = args.model or [
        name for name in registry.catalogue() if weights.state(name, cache) is not weights.WeightState.MISSING
    ]
    for name in chosen:
        folder = weights.locate(name, cache)
        print(f"{name}: every byte as published, in {folder}")
    return EXIT_OK
