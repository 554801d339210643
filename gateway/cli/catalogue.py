"""`ringback models list|show|verify`: what can hear and speak here, with licence, size, hash and state."""

from __future__ import annotations

import argparse

from core.errors import EXIT_OK, UsageError
from gateway.cli.common import Formatter, Subparsers, command, print_json
from gateway.settings import read_settings
from models import registry, weights


def add_commands(commands: Subparsers, formatter: Formatter) -> None:
    """Add `models` and its actions."""
    group = command(commands, formatter, "models", "list, show or verify speech models", "ringback models list", _none)
    inner = group.add_subparsers(dest="action", metavar="ACTION", required=True)
    made = command(
        inner, formatter, "list", "list every model of the catalogue and its state here", "ringback models list", _list
    )
    made.add_argument("--json", action="store_true", help="machine form")
    made = command(inner, formatter, "show", "show one model", "ringback models show whisper-base", _show)
    made.add_argument("model", metavar="ID", help="id from `ringback models list`")
    made = command(inner, formatter, "verify", "join and check the bytes of models", "ringback models verify", _verify)
    made.add_argument("model", metavar="ID", nargs="*", help="ids; without one, every model that is installed")


def _none(args: argparse.Namespace) -> int:
    raise UsageError(f"ringback models needs an action, found {args.action!r}")


def _list(args: argparse.Namespace) -> int:
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


def _show(args: argparse.Namespace) -> int:
    spec = registry.get(args.model)
    print_json({**spec.model_dump(mode="json"), "state": weights.state(spec.id, read_settings().cache_root).value})
    return EXIT_OK


def _verify(args: argparse.Namespace) -> int:
    cache = read_settings().cache_root
    chosen = args.model or [
        name for name in registry.catalogue() if weights.state(name, cache) is not weights.WeightState.MISSING
    ]
    for name in chosen:
        folder = weights.locate(name, cache)
        print(f"{name}: every byte as published, in {folder}")
    return EXIT_OK
