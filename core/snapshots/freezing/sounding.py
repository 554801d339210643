"""Whether the sound of a month would be the same here: machine, settings of the sound, and who hears recordings made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from core.schemas.base import Json
from core.schemas.snapshots import ManifestRow

_MACHINE = ("cpu_features", "packages", "channel_packages")
"""Parts of a record that tell of a machine, wherever they stand in it."""
_CASTING = frozenset({"assignment", "voice_table", "voices_absent", "voices_considered"})
"""Parts that chose voices, which are frozen: they do not decide how a recording is made again."""


class Hearer(Protocol):
    """Hears a recording as those of a month were heard when it was frozen."""

    @property
    def settings(self) -> Mapping[str, Json]:
        """Who hears, as `transcripts.json` says it."""

    def __call__(self, row: ManifestRow, data: bytes) -> str:
        """The words of a recording, given the bytes of its file."""


@dataclass(frozen=True)
class Machine:
    """What of a machine decides the bytes of sound."""

    cpu_features: frozenset[str]
    """Of its CPU and of those that its engines name."""
    packages: frozenset[str]
    """Each with its version, those of engines included."""


def machine_of(record: Mapping[str, Json]) -> Machine:
    """All CPU features and packages that a record of sound names, at any depth."""
    features, packages = set[str](), set[str]()
    for name, value in _machine_parts(dict(record)):
        names = {str(each) for each in value} if isinstance(value, list) else set[str]()
        if isinstance(value, dict):
            names = {f"{key} {version}" for key, version in value.items()}
        (features if name == "cpu_features" else packages).update(names)
    return Machine(frozenset(features), frozenset(packages))


def known_on_both(frozen: Mapping[str, Json], here: Mapping[str, Json]) -> tuple[Machine, Machine]:
    """The machine of a month's recordings and this one, by those parts of their records that both have."""
    both = [name for name in frozen if name in here]
    one, other = ({name: record[name] for name in both} for record in (frozen, here))
    return machine_of(one), machine_of(other)


def machine_differences(frozen: Machine, here: Machine) -> list[str]:
    """What is listed on one side alone, for people; empty for equal machines."""
    found = []
    for what, one, other in (
        ("CPU features", frozen.cpu_features, here.cpu_features),
        ("package versions", frozen.packages, here.packages),
    ):
        parts = [f"{word} {', '.join(sorted(names))}" for word, names in (("there", one - other), ("here", other - one)) if names]
        if parts:
            found.append(f"{what} ({'; '.join(parts)})")
    return found


def settings_differences(frozen: Json, here: Json) -> list[str]:
    """Settings that have other values or stand on one side alone, machine and choice of voices left out."""
    one, other = dict(_leaves(frozen)), dict(_leaves(here))
    return [
        f"{name} (there {_said(one.get(name))}, here {_said(other.get(name))})"
        for name in sorted({*one, *other})
        if name not in one or name not in other or one[name] != other[name]
    ]


def _machine_parts(value: Json) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in _MACHINE:
                yield name, inner
            else:
                yield from _machine_parts(inner)


def _leaves(value: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Json]]:
    if not isinstance(value, dict) or not value:
        yield ".".join(path), value
        return
    for name, inner in value.items():
        if name not in _MACHINE and not (len(path) == 0 and name in _CASTING):
            yield from _leaves(inner, (*path, name))


def _said(value: Json) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
