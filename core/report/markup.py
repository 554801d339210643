"""Markup that cannot be broken by its content: every child and attribute is escaped unless it is already `Html`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape as _escape
from typing import Any

VOID = frozenset({"meta", "input", "br", "img", "link"})


class Html(str):
    """Text that is already markup and is not escaped again."""

    __slots__ = ()


Child = str | int | float | None | Iterable["Child"]
"""What an element may hold: text (escaped), markup, nothing, or any nesting of these."""


def flatten(child: Child) -> Html:
    """One child as markup: `None` is nothing, `Html` stands as it is, anything else is escaped text."""
    if child is None:
        return Html("")
    if isinstance(child, Html):
        return child
    if isinstance(child, str | int | float):
        return Html(_escape(str(child), quote=True))
    return Html("".join(flatten(part) for part in child))


def el(name: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Html:
    """An element. `class_` gives `class`, `data_case` gives `data-case`; None and False leave one out, True gives it bare."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        label = key.removesuffix("_").replace("_", "-")
        parts.append(f" {label}" if value is True else f' {label}="{_escape(str(value), quote=True)}"')
    head = "".join(parts)
    if name in VOID:
        return Html(f"{head}>")
    return Html(f"{head}>{flatten(children)}</{name}>")


def json_block(identifier: str, value: Any) -> Html:
    """A data block a script reads with `JSON.parse`; no `<` of the data survives, so no text can close the block."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return el("script", Html(text), type="application/json", id=identifier)
