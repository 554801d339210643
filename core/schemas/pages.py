"""A page per file format, written from the models, so that page, schema and code cannot disagree."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import model_json_schema

from core.schemas.base import Model


def format_page(name: str, model: type[Model]) -> str:
    """Markdown: the format's purpose, then every object with its fields, types, defaults and meanings."""
    schema = model_json_schema(model, by_alias=True)
    parts = [
        f"# Format: {name}",
        "",
        _prose(schema),
        "",
        f"JSON Schema: [`bundles/schema/{name}.json`](../../bundles/schema/{name}.json), printed by `ringback schema {name}`.",
        "Written from the models by `ringback schema --write`; a check fails where it is stale.",
        "",
        *_fields(schema),
    ]
    for title, part in sorted(schema.get("$defs", {}).items()):
        parts += [f"## {title}", "", _prose(part), ""]
        if "enum" in part:
            parts += [f"One of {', '.join(f'`{value}`' for value in part['enum'])}.", ""]
        else:
            parts += _fields(part)
    return "\n".join(parts).rstrip() + "\n"


def _prose(schema: dict[str, Any]) -> str:
    return " ".join(str(schema.get("description", "")).split())


def _fields(schema: dict[str, Any]) -> list[str]:
    properties: dict[str, dict[str, Any]] = schema.get("properties", {})
    if not properties:
        return []
    required = schema.get("required", [])
    rows = ["| field | type | default | meaning |", "| --- | --- | --- | --- |"]
    for field, part in properties.items():
        default = "required" if field in required else f"`{_short(part.get('default'))}`"
        rows.append(f"| `{field}` | {_cell(_type(part))} | {_cell(default)} | {_cell(_prose(part))} |")
    return [*rows, ""]


def _type(part: dict[str, Any]) -> str:
    if "$ref" in part:
        title = part["$ref"].rsplit("/", 1)[-1]
        return f"[{title}](#{title.lower()})"
    for key in ("anyOf", "oneOf", "allOf"):
        if key in part:
            return " or ".join(dict.fromkeys(_type(item) for item in part[key]))
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return " or ".join(f"`{value}`" for value in part["enum"])
    kind = part.get("type")
    if kind == "array":
        return f"list of {_type(part.get('items', {}))}"
    if kind == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"map to {_type(part['additionalProperties'])}"
    return _with_bounds(str(kind), part) if kind else "any value"


def _with_bounds(kind: str, part: dict[str, Any]) -> str:
    words = {"minimum": "at least", "maximum": "at most", "pattern": "like", "minLength": "length at least"}
    bounds = [f"{word} `{part[key]}`" for key, word in words.items() if key in part]
    return f"{kind} ({', '.join(bounds)})" if bounds else kind


def _short(value: Any) -> str:
    text = "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 40 else "see its own table"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
