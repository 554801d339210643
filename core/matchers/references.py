"""References: `$caller.facts.<key>` and `$state.<path>` inside matchers, fixtures and spans; `$$` starts a literal `$`."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from core.schemas.scenario import Fact, Scenario

_FACTS = "$caller.facts."
_STATE = "$state."


class UnresolvedReference(ValueError):
    """A reference that names nothing."""


class References:
    """Resolves the references of one scenario."""

    def __init__(
        self, facts: Mapping[str, Fact], state: Mapping[str, JsonValue], *, language: str = "en", now: str | None = None
    ) -> None:
        self._facts = facts
        self._state = state
        self.language = language
        """BCP 47 tag of the language values are said in."""
        self.now = now
        """The caller's present, from which relative dates count."""

    @classmethod
    def of(cls, scenario: Scenario) -> References:
        """The references of a scenario."""
        caller = scenario.caller
        return cls(caller.facts, scenario.backend.state, language=scenario.language, now=caller.now)

    def resolve(self, value: JsonValue) -> JsonValue:
        """`value` with every reference replaced, at any depth; raises UnresolvedReference."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.resolve(item) for item in value]
        if isinstance(value, dict):
            return {key: self.resolve(item) for key, item in value.items()}
        return value

    def resolve_object(self, value: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The same for an object."""
        return {key: self.resolve(item) for key, item in value.items()}

    def fact_key(self, text: str) -> str | None:
        """The key where the text is a reference to a known fact."""
        key = text.removeprefix(_FACTS)
        return key if text.startswith(_FACTS) and key in self._facts else None

    def _text(self, text: str) -> JsonValue:
        if text.startswith("$$"):
            return text[1:]
        if text.startswith(_FACTS):
            key = text.removeprefix(_FACTS)
            if key not in self._facts:
                raise UnresolvedReference(f"{text!r} names no known fact; known: {', '.join(sorted(self._facts)) or 'none'}")
            return self._facts[key].value
        if text.startswith(_STATE):
            return self._path(text)
        if text.startswith("$"):
            raise UnresolvedReference(f"{text!r} is no reference: use $caller.facts.<key>, $state.<path>, or $$ for a literal $")
        return text

    def _path(self, text: str) -> JsonValue:
        node: JsonValue = dict(self._state)
        for part in text.removeprefix(_STATE).split("."):
            if isinstance(node, dict) and part in node:
                node = node[part]
            elif isinstance(node, list) and part.isdecimal() and int(part) < len(node):
                node = node[int(part)]
            else:
                raise UnresolvedReference(f"{text!r} names nothing in the backend state (stopped at {part!r})")
        return copy.deepcopy(node)


def references_in(value: JsonValue) -> Iterator[str]:
    """Every string of `value`, at any depth, that is a reference."""
    if isinstance(value, str):
        if value.startswith("$") and not value.startswith("$$"):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from references_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from references_in(item)
