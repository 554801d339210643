"""Validating a file so that every fault is found: pydantic's errors as faults an author can act on, and the rest mended.

After a fault the file is mended where it stands (the part left out, else a stand-in of the right form, else the object
around it left out), so that everything behind it is still validated and audited in the same reading.

Pydantic names the chosen member of a union inside an error's location; authors do not write that name, so it is taken out
of field paths here.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from core.schemas import checks, matchers

Location = tuple[str | int, ...]
"""Keys and list positions that lead to a place in a file."""
_M = TypeVar("_M", bound=BaseModel)
_TAGS = frozenset((*matchers.TAGS, *checks.TAGS))
_STAND_INS: tuple[Any, ...] = ("x_1", "x", 1, "1.0.0", "en", "Latn", "2026-01-01T00:00", "0" * 64, True, {}, [])
"""Values of which one fits nearly every field of the file formats."""
_ROUNDS = 50


@dataclass
class Validated(Generic[_M]):
    """What a file holds, and what is wrong with it."""

    value: _M | None = None
    """The object, mended where it was faulty; None where nothing could be saved."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """(field path, reason) of every fault."""
    removed: list[Location] = field(default_factory=list)
    """List items left out of `value`, in that order; later paths are shifted by them."""
    stand_ins: list[str] = field(default_factory=list)
    """Field paths in `value` that hold a stand-in, about which nothing else should be said."""

    def in_file(self, where: str) -> str | None:
        """A field path of `value` as it stands in the file; None where `value` holds a stand-in."""
        if any(where == place or where.startswith((f"{place}.", f"{place}[")) for place in self.stand_ins):
            return None
        for *parent, last in reversed(self.removed):
            prefix = f"{_dotted(parent)}["
            if isinstance(last, int) and where.startswith(prefix):
                number, rest = where.removeprefix(prefix).split("]", 1)
                where = f"{prefix}{int(number) + (int(number) >= last)}]{rest}"
        return where


def validate(model: type[_M], data: Any) -> Validated[_M]:
    """Validate `data` to its end; see the module's docstring for what becomes of faulty parts."""
    found: Validated[_M] = Validated()
    data = copy.deepcopy(data)
    for _round in range(_ROUNDS):
        try:
            found.value = model.model_validate(data)
            return found
        except ValidationError as error:
            for where, reason in faults_of(error, data):
                place = found.in_file(where)
                if place is not None and (place, reason) not in found.faults:
                    found.faults.append((place, reason))
            data = _mended(found, model, data, error)
            if data is None:
                return found
    return found


def faults_of(error: ValidationError, data: Any) -> list[tuple[str, str]]:
    """(field path, reason) of every error; where several types are allowed, what each of them wanted is one reason."""
    reasons: dict[str, list[str]] = {}
    for item in error.errors():
        reasons.setdefault(_dotted(_path(item, data)), []).append(_reason(item))
    return [(where, " or ".join(dict.fromkeys(wanted))) for where, wanted in reasons.items()]


# -- mending ------------------------------------------------------------------------------------------------------------


def _mended(found: Validated[_M], model: type[_M], data: Any, error: ValidationError) -> Any | None:
    """`data` with every faulty place mended; deeper and later places first, so that no removal moves the next one."""
    items = {_path(item, data): item for item in error.errors()}
    order = sorted(items, key=lambda place: [("", part) if isinstance(part, int) else (part, 0) for part in place])
    for place in reversed(order):
        data = _mend(found, model, data, place, items[place])
        if data is None:
            return None
    return data


def _mend(found: Validated[_M], model: type[_M], data: Any, place: Location, item: ErrorDetails | None) -> Any | None:
    """`data` mended at one place, or at the object around it where nothing fits there."""
    if not place:
        return None
    before = _places(model, data)
    for stand_in in _options(item):
        trial = copy.deepcopy(data)
        if not _set(trial, place, stand_in) or _objects(model, trial, place, before):
            continue
        if stand_in is not _NOTHING:
            found.stand_ins.append(_dotted(place))
        elif isinstance(place[-1], int):
            found.removed.append(place)
        return trial
    return _mend(found, model, data, place[:-1], None)


_NOTHING = object()


def _options(item: ErrorDetails | None) -> Iterator[Any]:
    """What may be put in place of a faulty part, best first: nothing, an allowed word, some value of the right form."""
    yield _NOTHING
    if item is None or item["type"] == "extra_forbidden":
        return
    yield from re.findall(r"'([^']*)'", str(item.get("ctx", {}).get("expected", "")))[:1]
    yield from _STAND_INS


def _objects(model: type[_M], data: Any, place: Location, before: set[Location]) -> bool:
    """Whether a mended place is still faulty, or made the object around it faulty."""
    after = _places(model, data)
    around = place[:-1]
    inside = {other for other in after if other[: len(place)] == place} - (before if isinstance(place[-1], int) else set())
    return bool(inside) or (around != () and around in after - before)


def _places(model: type[_M], data: Any) -> set[Location]:
    try:
        model.model_validate(data)
    except ValidationError as error:
        return {_path(item, data) for item in error.errors()}
    return set()


def _set(data: Any, place: Location, value: Any) -> bool:
    """Put a value at a place, or take away what is there; False where there is no such place."""
    node = data
    try:
        for part in place[:-1]:
            node = node[part]
        if value is _NOTHING:
            del node[place[-1]]
        else:
            node[place[-1]] = value
    except (KeyError, IndexError, TypeError):
        return False
    return True


# -- locations and reasons ------------------------------------------------------------------------------------------------


def _path(item: ErrorDetails, data: Any) -> Location:
    """The error's location in the file: names of union members and markers of dictionary keys taken out."""
    path: list[str | int] = []
    location, node = item["loc"], data
    tag_seen = False
    for number, part in enumerate(location):
        here = node if isinstance(node, dict) else {}
        inner = location[number + 1] if number + 1 < len(location) else None
        if not tag_seen and inner in here and _is_tag(here, part):
            tag_seen = True
            continue
        tag_seen = False
        is_missing = item["type"] == "missing" and inner is None
        if isinstance(part, str) and part not in here and not is_missing:
            continue
        path.append(part)
        try:
            node = node[part]
        except (KeyError, IndexError, TypeError):
            node = None
    return tuple(path)


def _is_tag(node: dict[Any, Any], part: str | int) -> bool:
    """Whether `part` names the member of a union that `node` is: it is the one tag key there."""
    return part in node and [part] == [key for key in node if key in _TAGS]


def _dotted(path: Iterable[str | int]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _reason(item: ErrorDetails) -> str:
    message = item["msg"].removeprefix("Value error, ")
    if item["type"] == "extra_forbidden":
        return "unknown field: remove it or check its spelling"
    if item["type"] == "missing":
        return "required field is missing"
    found = item["input"]
    shown = "" if isinstance(found, dict | list) else f", found {_short(repr(found))}"
    return f"{message[0].lower()}{message[1:]}{shown}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
