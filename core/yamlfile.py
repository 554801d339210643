"""Reading YAML and JSON files without YAML's surprises.

Plain scalars follow the YAML 1.2 core schema, narrowed: `yes`/`on` stay text, dates stay text, and a number is decimal
without leading zeros, so that `0412` stays text. Keys are text, and appear once; numbers are finite.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import yaml

from core.errors import FileError

_MAX_DEPTH = 100
_MAX_VALUES = 200_000


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # which of the two, only the wheel knows
    """A safe loader, in C where the wheel has it (ten times faster), with the narrowed implicit resolvers."""


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:bool", r"true|false", "tf"),
    ("tag:yaml.org,2002:null", r"~|null|", ["~", "n", ""]),
    ("tag:yaml.org,2002:int", r"-?(0|[1-9][0-9]*)", "-0123456789"),
    ("tag:yaml.org,2002:float", r"-?(0|[1-9][0-9]*)(\.[0-9]+)([eE][-+]?[0-9]+)?", "-0123456789"),
):
    _Loader.add_implicit_resolver(_tag, re.compile(rf"^(?:{_pattern})$"), list(_first))


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[str] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(None, None, f"a key is text, found {key!r}: quote it", key_node.start_mark)
        if key in seen:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} appears twice", key_node.start_mark)
        seen.add(key)
    return dict(loader.construct_mapping(node, deep=True))


def _float(_loader: _Loader, node: yaml.ScalarNode) -> float:
    try:
        return _finite(node.value)
    except ValueError as error:
        raise yaml.constructor.ConstructorError(None, None, str(error), node.start_mark) from None


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
_Loader.add_constructor("tag:yaml.org,2002:float", _float)


def read_data(path: Path) -> Any:
    """The content of a `.yaml`, `.yml` or `.json` file; raises FileError with one line."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    language, parse = ("JSON", _parse_json) if path.suffix == ".json" else ("YAML", _parse_yaml)
    try:
        return _walkable(parse(text))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise FileError(f"{path}: not valid {language}{where}: {error.problem}") from None
    except RecursionError:
        raise FileError(f"{path}: not valid {language}: nested too deeply") from None
    # ValueError and KeyError: a value that does not fit its explicit tag, such as `!!bool perhaps`.
    except (yaml.YAMLError, ValueError, KeyError) as error:
        raise FileError(f"{path}: not valid {language}: {' '.join(str(error).split())}") from None


def _walkable(data: Any) -> Any:
    """The data itself; raises ValueError where it is deeper, or by aliases larger, than anything that walks it can follow."""
    level = {id(data): (data, 1)} if _is_nested(data) else {}
    values = 0
    for _depth in range(_MAX_DEPTH):
        inner: dict[int, tuple[Any, int]] = {}
        for node, times in level.values():
            values += times * len(node)
            for item in node.values() if isinstance(node, dict) else node:
                if _is_nested(item):
                    inner[id(item)] = (item, inner.get(id(item), (item, 0))[1] + times)
        if values > _MAX_VALUES:
            raise ValueError(f"more than {_MAX_VALUES} values once its aliases are written out")
        level = inner
        if not level:
            return data
    raise ValueError("nested too deeply")


def _is_nested(node: Any) -> bool:
    return isinstance(node, dict | list)


def _parse_yaml(text: str) -> Any:
    return yaml.load(text, Loader=_Loader)  # noqa: S506  # a narrowed SafeLoader


def _parse_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_unique, parse_float=_finite, parse_constant=_finite)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is no finite number")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} appears twice")
        found[key] = value
    return found
