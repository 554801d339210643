"""What importers share: reading the files, and the pieces of a scenario that every foreign layout has to be turned into."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from core.errors import FileError, InputError, UsageError
from core.files import read_bytes
from core.schemas.base import sha256
from core.schemas.imported import ImportedFile, Note
from core.spoken import Kind, canonical
from core.yamlfile import read_data

END_CALL: dict[str, JsonValue] = {
    "name": "end_call",
    "description": "Hang up after saying goodbye. The line is closed when the answer is ended.",
    "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
    "ends_call": True,
    "success": {"status": {"equals": "ended"}},
}
"""The tool that ends a call, which neither source has: there, the caller's program hangs up."""
LONG_TEXT = 5
"""Words from which on an argument is free text, that only has to be there."""
OFF_LAYOUT = (KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration)
"""What reading a file raises that is not built as its layout has it."""
RETRIES = 2
"""Further calls that are answered where a tool has one answer only: a person is misheard, and a lookup is repeated."""
_KINDS = (
    (Kind.DATE, r"\d{4}-\d{2}-\d{2}"),
    (Kind.TIME, r"\d{2}:\d{2}"),
    (Kind.EMAIL, r"[^@\s]+@[^@\s]+\.[a-z]+"),
    (Kind.DIGITS, r"[\d][\d .()-]{2,}"),
    (Kind.CODE, r"(?=.*\d)[A-Z0-9-]{4,}|[A-Z]{5,}"),
)


@dataclass(frozen=True)
class Source:
    """One file that was given."""

    path: Path
    """Where it is."""
    data: Any
    """What it holds: JSON or YAML, or text for Markdown."""
    sha256: str
    """Hash of its bytes."""

    @property
    def name(self) -> str:
        """The file's name with its folder's, as reports show it."""
        return f"{self.path.resolve().parent.name}/{self.path.name}"

    def noted(self, read_as: str, *left_out: Note) -> ImportedFile:
        """The report's line on it."""
        return ImportedFile(file=self.name, sha256=self.sha256, read_as=read_as, left_out=left_out)


@dataclass(frozen=True)
class Call:
    """A tool call that the source expects."""

    tool: str
    arguments: Mapping[str, JsonValue]
    result: Mapping[str, JsonValue]
    """What it is answered."""
    counts: int = 1
    """Importance as an expected action."""
    optional: frozenset[str] = frozenset()
    """Arguments that the tool does not require."""


@dataclass
class Draft:
    """One record on its way to a scenario."""

    id: str
    """Its id in the source."""
    file: str
    """The file it is from."""
    agent: str = ""
    """The agent it calls."""
    data: dict[str, Any] | None = None
    """The scenario as a file would hold it; None where there is none."""
    left_out: list[Note] = field(default_factory=list)
    changed: list[Note] = field(default_factory=list)

    def leave_out(self, what: str, why: str) -> None:
        """Note a part of the source that is in no scenario."""
        self.left_out.append(Note(what=what, why=why))

    def change(self, what: str, why: str) -> None:
        """Note what the importer wrote."""
        self.changed.append(Note(what=what, why=why))


def read_sources(paths: Sequence[Path]) -> list[Source]:
    """Every file, read by its ending; raises FileError, and UsageError for an ending that neither layout has."""
    sources = []
    for path in paths:
        data = read_bytes(path, "file to import")
        if path.suffix not in (".json", ".yaml", ".yml", ".md"):
            raise UsageError(f"{path}: a file of records, of an agent or of a policy ends in .json, .yaml or .md")
        sources.append(Source(path, _text(path, data) if path.suffix == ".md" else read_data(path), sha256(data)))
    return sources


def _text(path: Path, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise FileError(f"{path}: not UTF-8 text") from None


def off_layout(layout: str, error: BaseException) -> str:
    """Why a part that raised one of `OFF_LAYOUT` is left out."""
    return f"not in the layout of {layout}: {type(error).__name__} {' '.join(str(error).split())[:80]!r}"


def slug(text: str) -> str:
    """Lower-case words joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))[:70].strip("-") or "unnamed"


def key(text: str) -> str:
    """A fact key or an id: lower-case words joined by underscores, with one in it so that speech cannot contain it."""
    name = "_".join(re.findall(r"[a-z0-9]+", text.lower()))[:70].strip("_") or "value"
    name = name if name[0].isalpha() else f"v_{name}"
    return name if re.search(r"[_0-9]", name) else f"{name}_1"


def literal(value: Any) -> Any:
    """A value in which nothing is read as a reference."""
    if isinstance(value, str):
        return f"${value}" if value.startswith("$") else value
    if isinstance(value, list):
        return [literal(item) for item in value]
    if isinstance(value, dict):
        return {str(name): literal(item) for name, item in value.items()}
    return value


def fact(name: str, value: str | int | float | bool, language: str) -> dict[str, Any]:
    """A fact with the kind that its form shows; text where it shows none."""
    kind = _kind(name, value)
    try:
        canonical(value, kind, language)
    except (InputError, UsageError):
        kind = Kind.TEXT
    return {"value": value if kind is not Kind.TEXT else str(value), "kind": kind.value}


def _kind(name: str, value: str | int | float | bool) -> Kind:
    if isinstance(value, bool):
        return Kind.YES_NO
    if isinstance(value, int | float):
        return Kind.NUMBER
    found = next((kind for kind, form in _KINDS if re.fullmatch(form, value)), None)
    return found or (Kind.NAME if name.endswith("name") else Kind.TEXT)


def arguments(call: Call, facts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Matchers for a call's arguments: what a fact says by reference, other values as they are, long texts only as present.

    What the tool does not require may be left out, for its files do not tell what the tool then takes.
    """
    matchers: dict[str, Any] = {}
    for name, value in call.arguments.items():
        known = next((key for key, item in facts.items() if item["value"] == value and type(item["value"]) is type(value)), None)
        if isinstance(value, str) and len(value.split()) >= LONG_TEXT and known is None:
            matchers |= {} if name in call.optional else {name: {"present": True}}
            continue
        wanted = f"$caller.facts.{known}" if known is not None else literal(value)
        matcher = {"equals": wanted, **({"compare": "normalized"} if isinstance(value, str) else {})}
        matchers[name] = {"any": [{"absent": True}, matcher]} if name in call.optional else matcher
    return matchers


def fixtures(tools: Sequence[str], calls: Sequence[Call], facts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A fixture for each tool: its expected calls in order, and refusals for all else; a lone call may be repeated."""
    made: dict[str, Any] = {}
    for tool in tools:
        own = [call for call in calls if call.tool == tool]
        mismatch = {"status": "error", "message": "No such entry, or it is not possible with these values."}
        queue = [{"args": arguments(call, facts), "result": literal(dict(call.result)), "mismatch": mismatch} for call in own]
        made[tool] = {"queue": queue * (1 + RETRIES if len(queue) == 1 else 1), "default": mismatch}
    made["end_call"] = {"default": {"status": "ended"}}
    return made


def actions(calls: Sequence[Call], facts: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """An expected action for each different call."""
    made: list[dict[str, Any]] = []
    for call in calls:
        args = arguments(call, facts)
        same = next((item for item in made if item["tool"] == call.tool and item["args"] == args), None)
        if same is not None:
            same["calls"] = {"min": same["calls"]["min"] + 1, "max": same["calls"]["max"] + 1}
            continue
        most = 1 if call.counts > 1 else 1 + RETRIES
        diagnostic = "arguments" if call.counts > 1 else "tool_choice"
        made.append(
            {
                "id": f"call_{len(made) + 1}",
                "tool": call.tool,
                "args": args,
                "calls": {"min": 1, "max": most},
                "importance": call.counts,
                "diagnostic": diagnostic,
            }
        )
    return made


def criterion(name: str, statement: str, importance: int = 2, check: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A criterion of the outcome with plain anchors; `statement` becomes one sentence."""
    made = {
        "id": name,
        "diagnostic": "outcome",
        "importance": importance,
        "statement": " ".join(re.sub(r"([.!?])\s+", "; ", statement.strip()).split()),
        "anchors": {
            "met": "The call shows that this is true.",
            "partial": "The call shows that a part of it is true.",
            "not_met": "The call shows that it is not true, or shows nothing of it.",
        },
    }
    return {**made, "check": check} if check else made
