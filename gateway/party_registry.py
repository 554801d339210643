"""Parties are an open set: one registry for each role, which refuses unknown and duplicate names and lists the valid ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from core.errors import UsageError
from core.own_thread import LIMIT_S
from gateway.party_spec import PartySpec, parse_party

Made = TypeVar("Made")


@dataclass(frozen=True)
class _Entry(Generic[Made]):
    factory: Callable[[PartySpec], Made]
    options: bool
    languages: tuple[str, ...]


class PartyRegistry(Generic[Made]):
    """Party names of one role to what makes them."""

    def __init__(self, role: str) -> None:
        self._role = role
        self._entries: dict[str, _Entry[Made]] = {}

    def register(
        self, name: str, factory: Callable[[PartySpec], Made], *, options: bool = False, languages: tuple[str, ...] = ()
    ) -> None:
        """Add a party: `scheme:name` is that one, `scheme:<...>` every name of a scheme.

        The factory looks at everything it is given and raises UsageError for what it cannot take; without `options`
        it is given none. `languages` are the primary language codes it is able to speak; empty for any.

        Raises:
            UsageError: the name is taken.
        """
        if any(_key(name) == _key(other) for other in self._entries):
            raise UsageError(f"{self._role} {name!r} is registered twice: give the second one another name")
        self._entries[name] = _Entry(factory, options, languages)

    def make(self, text: str, turn_timeout_s: float = LIMIT_S) -> Made:
        """What makes a party from its name with its options; a user's own code has `turn_timeout_s` seconds for a turn.

        Raises:
            UsageError: no party, none that is registered (the valid ones are listed), or options it cannot take.
        """
        spec, entry = self._find(text)
        if spec.options and not entry.options:
            raise UsageError(f"{spec.text!r}: {spec.scheme}:{spec.name} takes no options")
        return entry.factory(replace(spec, turn_timeout_s=turn_timeout_s))

    def check_languages(self, text: str, spoken: Mapping[str, str]) -> None:
        """Refuse a party for a language it does not speak; `spoken` maps each BCP 47 language to a scenario in it.

        Raises:
            UsageError: no such party, or one of the languages is none of its own.
        """
        spec, entry = self._find(text)
        for language, scenario in spoken.items():
            if entry.languages and language.split("-")[0] not in entry.languages:
                own = ",".join(entry.languages)
                raise UsageError(
                    f"{self._role} {spec.text!r} cannot speak {language!r}, the language of scenario {scenario!r}: "
                    f"choose another --{self._role}, or play only what it speaks with --languages {own}"
                )

    def _find(self, text: str) -> tuple[PartySpec, _Entry[Made]]:
        spec = parse_party(text)
        by_key = {_key(name): entry for name, entry in self._entries.items()}
        entry = by_key.get(f"{spec.scheme}:{spec.name}") or by_key.get(f"{spec.scheme}:")
        if entry is None:
            raise UsageError(f"no {self._role} {spec.text!r}; valid: {', '.join(self._entries)}")
        return spec, entry


def _key(name: str) -> str:
    """A name without its placeholders."""
    return name.partition("<")[0]
