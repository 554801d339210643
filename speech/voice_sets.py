"""Which voices may take part in a call: a setting of the run, so that a machine with more of them casts no differently."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from core.errors import UsageError
from models import registry
from models.specs import ModelKind, ModelSpec
from models.weights import WeightState, state_of

STANDARD = "standard"
ALL = "all"
TIERS = (("hibari", "piper"), ("kokoro",), ("espeak",))
"""Engines in order of preference; `standard` takes them, one tier after the other, until there are two voices."""
_USABLE = (WeightState.READY, WeightState.INSTALLED)


@dataclass(frozen=True)
class VoiceSet:
    """The voices considered for one language."""

    choice: str
    """What was asked for: `standard`, `all`, or ids."""
    voices: tuple[ModelSpec, ...]
    """Those that serve the language, in the order of tiers and ids, or as they were listed."""
    absent: tuple[str, ...] = ()
    """Ids of voices that `all` passed over, since they are not installed here."""

    def settings(self) -> dict[str, JsonValue]:
        """What was asked for, what that came to, and what is missing here."""
        return {
            "voices": self.choice,
            "voices_considered": [spec.id for spec in self.voices],
            "voices_absent": list(self.absent),
        }


def check_choice(choice: str) -> None:
    """Refuse a choice that names nothing, or a voice that is not in the catalogue.

    Raises:
        UsageError: as said; valid names are listed.
    """
    if choice not in (STANDARD, ALL):
        _listed(choice)


def voice_set(choice: str, language: str, cache_root: Path) -> VoiceSet:
    """The voices of `choice` that serve `language` (BCP 47): `standard`, `all` that are installed, or ids with commas between.

    Raises:
        UsageError: an unknown id, or none of them.
    """
    if choice == STANDARD:
        return VoiceSet(choice, _standard(language))
    if choice == ALL:
        serving = [spec for engines in TIERS for spec in _of(engines, language)]
        absent = [spec.id for spec in serving if state_of(spec, cache_root) not in _USABLE]
        return VoiceSet(choice, tuple(spec for spec in serving if spec.id not in absent), tuple(absent))
    return VoiceSet(choice, tuple(spec for spec in _listed(choice) if registry.serves(spec, language)))


def _standard(language: str) -> tuple[ModelSpec, ...]:
    found: list[ModelSpec] = []
    for engines in TIERS:
        if len(found) < 2:
            found += _of(engines, language)
    return tuple(found)


def _of(engines: tuple[str, ...], language: str) -> list[ModelSpec]:
    return [spec for spec in registry.voices(language) if spec.engine in engines]


def _listed(choice: str) -> list[ModelSpec]:
    names = dict.fromkeys(name.strip() for name in choice.split(",") if name.strip())
    if not names:
        raise UsageError(f"no voices in {choice!r}: name {STANDARD}, {ALL}, or ids from `ringback models list`")
    return [registry.get(name, ModelKind.VOICE) for name in names]
