"""Whether matchers over arguments agree with the tool's JSON Schema, and whether some argument can satisfy them."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from core.audits.walk import values_of
from core.jsonvalues import leaves
from core.matchers.comparing import Way, fold, same, value_read, way_of
from core.matchers.evaluate import MISSING, Missing, evaluate
from core.matchers.references import References, UnresolvedReference
from core.schemas.matchers import (
    Absent,
    All,
    AnyOf,
    Contains,
    Equals,
    Extra,
    Matcher,
    MatcherSet,
    Not,
    OneOf,
    Range,
    Regex,
    Subset,
)
from core.schemas.tools import Tool

Finding = tuple[str, str]
_ANY = frozenset(("string", "number", "integer", "boolean", "array", "object", "null"))


def audit_arguments(
    tool: Tool, args: MatcherSet, references: References, path: str, extra: Extra = Extra.ALLOW
) -> Iterator[Finding]:
    """Faults of a matcher set over one tool's arguments."""
    properties = tool.parameters.get("properties", {})
    if not isinstance(properties, dict):
        return
    required = tool.parameters.get("required", [])
    for name in required if extra is Extra.REFUSE and isinstance(required, list) else ():
        if name not in args:
            yield path, f"{tool.name!r} requires {name!r}, but arguments without a matcher are refused: no call can match"
    for name, matcher in args.items():
        schema = properties.get(name)
        if not isinstance(schema, dict):
            known = ", ".join(properties) or "none"
            yield f"{path}.{name}", f"{tool.name!r} has no parameter {name!r}; parameters: {known}"
            continue
        yield from _agrees(matcher, schema, references, f"{path}.{name}")


def audit_options(matcher: Matcher, references: References, path: str) -> Iterator[Finding]:
    """Faults of a single matcher's options: values that are none of the kind they are read as, and options without use.

    References must resolve.
    """
    if not isinstance(matcher, Equals | OneOf | Contains):
        return
    way = way_of(matcher, references)
    wanted = [references.resolve(value) for value in values_of(matcher)]
    for value in wanted:
        if way.kind is not None and not isinstance(value, list | dict) and value_read(value, way.kind, way) is None:
            yield path, f"{value!r} is no {way.kind.value}, so nothing can be the same"
        elif way.tolerance is not None and way.kind is None and not any(map(_is_number, leaves(value))):
            yield path, f"a tolerance needs a number, found {value!r}"
    if way.unordered and not any(isinstance(value, list | dict) for value in wanted):
        yield path, "unordered needs a list"


def satisfiable(matcher: Matcher, references: References) -> bool:
    """Whether some value satisfies a matcher.

    Exact where a finite set of values decides (`equals`, `one_of`, range ends, absence); patterns are given the benefit
    of the doubt unless such a set refutes them.
    """
    try:
        candidates, exact = _candidates(matcher, references)
        return not exact or any(evaluate(matcher, value, references).ok for value in candidates)
    except UnresolvedReference:
        return True


def _types(schema: dict[str, JsonValue]) -> frozenset[str]:
    declared = schema.get("type")
    if isinstance(declared, str):
        return frozenset((declared,))
    if isinstance(declared, list):
        return frozenset(str(item) for item in declared)
    return _ANY


def _agrees(matcher: Matcher, schema: dict[str, JsonValue], references: References, path: str) -> Iterator[Finding]:
    types = _types(schema)
    match matcher:
        case All():
            for number, item in enumerate(matcher.all):
                yield from _agrees(item, schema, references, f"{path}.all[{number}]")
        case AnyOf():
            for number, item in enumerate(matcher.any):
                yield from _agrees(item, schema, references, f"{path}.any[{number}]")
        case Not():
            yield from _agrees(matcher.not_, schema, references, f"{path}.not")
        case Equals():
            for value in (matcher.equals, *matcher.aliases):
                yield from _value_agrees(value, way_of(matcher, references), schema, references, path)
        case OneOf():
            for value in matcher.one_of:
                yield from _value_agrees(value, way_of(matcher, references), schema, references, path)
        case Range() if not types & {"number", "integer"}:
            yield path, f"a range needs a number, but the tool's schema says {_said(types)}"
        case Regex() if "string" not in types:
            yield path, f"a regex needs text, but the tool's schema says {_said(types)}"
        case Contains() if not types & {"string", "array"}:
            yield path, f"contains needs text or a list, but the tool's schema says {_said(types)}"
        case Contains():
            items = schema.get("items")
            if isinstance(items, dict) and "string" not in types:
                yield from _value_agrees(matcher.contains, way_of(matcher, references), items, references, path)
        case Subset() if "object" not in types:
            yield path, f"subset needs an object, but the tool's schema says {_said(types)}"
        case Subset():
            yield from _fields_agree(matcher, schema, references, path)


def _fields_agree(matcher: Subset, schema: dict[str, JsonValue], references: References, path: str) -> Iterator[Finding]:
    fields = schema.get("properties")
    if not isinstance(fields, dict):
        return
    for name, item in matcher.subset.items():
        inner = fields.get(name)
        if isinstance(inner, dict):
            yield from _agrees(item, inner, references, f"{path}.subset.{name}")
        else:
            yield f"{path}.subset.{name}", f"the tool's schema has no field {name!r} here; fields: {', '.join(fields) or 'none'}"


def _value_agrees(
    value: JsonValue, way: Way, schema: dict[str, JsonValue], references: References, path: str
) -> Iterator[Finding]:
    try:
        wanted = references.resolve(value)
    except UnresolvedReference:
        return
    types = _types(schema)
    by_text = (way.compare is not None or way.kind is not None) and isinstance(wanted, str | int | float)
    nearby = way.tolerance is not None and _is_number(wanted) and bool(types & {"number", "integer"})
    if not nearby and not _fits(wanted, types) and not (by_text and types & {"string", "number", "integer"}):
        yield path, f"{wanted!r} can never be sent: the tool's schema says {_said(types)}"
        return
    allowed = schema.get("enum")
    if isinstance(allowed, list) and not any(same(item, wanted, way) for item in allowed):
        yield path, f"{wanted!r} is not in the tool's enum {allowed!r}"


def _fits(value: JsonValue, types: frozenset[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, int):
        return bool(types & {"integer", "number"})
    if isinstance(value, float):
        return "number" in types or (value.is_integer() and "integer" in types)
    if isinstance(value, str):
        return "string" in types
    if isinstance(value, list):
        return "array" in types
    return ("object" if isinstance(value, dict) else "null") in types


def _said(types: frozenset[str]) -> str:
    return " or ".join(sorted(types))


def _candidates(matcher: Matcher, references: References) -> tuple[list[JsonValue | Missing], bool]:
    """Values worth trying, and whether they are all that could matter."""
    match matcher:
        case Equals():
            wanted = references.resolve(matcher.equals)
            # Under a comparison other values count as the same, so only a value that fails its own matcher decides.
            names = [wanted, *map(references.resolve, matcher.aliases)]
            return [*names], _literally(matcher) or not any(evaluate(matcher, name, references).ok for name in names)
        case OneOf():
            return [references.resolve(item) for item in matcher.one_of], _literally(matcher)
        case Range():
            return _numbers(matcher, references), True
        case Absent():
            return [MISSING], True
        case All():
            parts = [_candidates(item, references) for item in matcher.all]
            decisive = [values for values, exact in parts if exact]
            return (sorted_unique(decisive), True) if decisive else ([], False)
        case AnyOf():
            parts = [_candidates(item, references) for item in matcher.any]
            return sorted_unique([values for values, _ in parts]), all(exact for _, exact in parts)
        case Subset():
            return [], not all(satisfiable(item, references) for item in matcher.subset.values())
    return [], False


def _literally(matcher: Equals | OneOf) -> bool:
    """Whether nothing but the values written down satisfies a matcher."""
    return matcher.compare is None and matcher.kind is None and matcher.tolerance is None and not matcher.unordered


def _numbers(matcher: Range, references: References) -> list[JsonValue | Missing]:
    """The ends of a range, its middle and the neighbours of each, so that a bound or value beside it refutes no other."""
    ends = [references.resolve(end) for end in (matcher.range.min, matcher.range.max) if end is not None]
    numbers = [end for end in ends if isinstance(end, int | float) and not isinstance(end, bool)]
    points = [*numbers, sum(numbers) / len(numbers)] if numbers else []
    return [point + step for point in points for step in (0, 1, -1, 0.5, -0.5)]


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def sorted_unique(groups: list[list[JsonValue | Missing]]) -> list[JsonValue | Missing]:
    """All values of the groups once, in a stable order."""
    seen: dict[str, JsonValue | Missing] = {}
    for group in groups:
        for value in group:
            seen.setdefault("" if isinstance(value, Missing) else f"{type(value).__name__}:{_text(value)}", value)
    return list(seen.values())


def _text(value: JsonValue) -> str:
    return fold(value, None) if not isinstance(value, list | dict) else repr(value)
