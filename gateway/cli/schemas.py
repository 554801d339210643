"""`ringback schema`: the JSON Schema of every file format."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.errors import EXIT_GATE, EXIT_OK, UsageError
from core.files import write_atomic
from core.schemas.base import Model, pretty_json
from core.schemas.bundle import Agent, BundleFile, Manifest
from core.schemas.call_trace import Trace
from core.schemas.grade import Grade
from core.schemas.run import JournalLine, RunFile, Summary
from core.schemas.scenario import Scenario
from core.schemas.tools import Tool
from gateway.cli.common import Formatter, Subparsers, command

FORMATS: dict[str, type[Model]] = {
    "agent": Agent,
    "bundle": BundleFile,
    "grade": Grade,
    "journal": JournalLine,
    "manifest": Manifest,
    "run": RunFile,
    "scenario": Scenario,
    "summary": Summary,
    "tool": Tool,
    "trace": Trace,
}
FOLDER = Path(__file__).resolve().parents[2] / "bundles" / "schema"


def add_commands(commands: Subparsers, formatter: Formatter) -> None:
    """Add `schema`."""
    made = command(commands, formatter, "schema", "print the JSON Schema of a file format", "ringback schema scenario", _run)
    made.add_argument("name", nargs="?", metavar="NAME", help=f"one of {', '.join(FORMATS)}; without it, the names are listed")
    made.add_argument("--check", action="store_true", help="compare with the published files; exit 1 where they differ")
    made.add_argument("--write", action="store_true", help="write the published files")


def schema_bytes(name: str) -> bytes:
    """The published bytes of a format's JSON Schema (what a file may hold: validation mode, aliases applied)."""
    schema = FORMATS[name].model_json_schema(by_alias=True)
    return pretty_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def _run(args: argparse.Namespace) -> int:
    if args.write:
        for name in FORMATS:
            write_atomic(FOLDER / f"{name}.json", schema_bytes(name))
        print(f"wrote {len(FORMATS)} schemas")
        return EXIT_OK
    if args.check:
        return _check()
    if args.name is None:
        print("\n".join(FORMATS))
        return EXIT_OK
    if args.name not in FORMATS:
        raise UsageError(f"no format {args.name!r}; formats: {', '.join(FORMATS)}")
    print(schema_bytes(args.name).decode(), end="")
    return EXIT_OK


def _check() -> int:
    published = {path.stem: path.read_bytes() for path in FOLDER.glob("*.json")}
    current = {name: schema_bytes(name) for name in FORMATS}
    stale = sorted(name for name in current.keys() | published.keys() if current.get(name) != published.get(name))
    if stale:
        print(f"published schemas differ from the models: {', '.join(stale)}; run `ringback schema --write`")
        return EXIT_GATE
    print(f"{len(FORMATS)} published schemas agree with the models")
    return EXIT_OK
