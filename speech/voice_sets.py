"""Which voices may take part in a call: a setting of the run, so that a machine with more of them casts no differently."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import JsonValue

from core.errors import UsageError
from models import registry
from models.weights import WeightState, state_of
from speech.naming import Named, voice_named

STANDARD = "standard"
ALL = "all"
TIERS = (("hibari", "piper"), ("kokoro",), ("espeak",))
"""Engines in order of preference; `standard` takes them, one tier after the other, until there are two voices."""
_USABLE = (WeightState.READY, WeightState.INSTALLED)


@dataclass(frozen=True)
class VoiceSet:
    """The voices considered for one language."""

    choice: str
    """What was asked for: `standard`, `all`, or names."""
    voices: tuple[Named, ...]
    """Those that serve the language, in the order of tiers and ids, or as they were listed."""
    absent: tuple[str, ...] = ()
    """Ids of voices that `all` passed over, since they are not installed here."""

    def settings(self) -> dict[str, JsonValue]:
        """What was asked for, what that came to, and what is missing here."""
        return {
            "voices": self.choice,
            "voices_considered": [voice.text for voice in self.voices],
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
    """The voices of `choice` that serve `language` (BCP 47): `standard`, `all` that are installed, or names, commas between.

    A comma inside a name's options is written %2C.

    Raises:
        UsageError: an unknown name, or no name.
        FileError: a checkpoint that a name points to cannot be read.
    """
    if choice == STANDARD:
        return VoiceSet(choice, _standard(language))
    if choice == ALL:
        serving = [voice for engines in TIERS for voice in _of(engines, language)]
        absent = [voice.text for voice in serving if state_of(voice.spec, cache_root) not in _USABLE]
        return VoiceSet(choice, tuple(voice for voice in serving if voice.text not in absent), tuple(absent))
    return VoiceSet(choice, tuple(voice for voice in _listed(choice) if registry.serves(voice.spec, language)))


def _standard(language: str) -> tuple[Named, ...]:
    found: list[Named] = []
    for engines in TIERS:
        if len(found) < 2:
            found += _of(engines, language)
    return tuple(found)


def _of(engines: tuple[str, ...], language: str) -> list[Named]:
    return [Named(spec.id, spec) for spec in registry.voices(language) if spec.engine in engines]


@cache
def _listed(choice: str) -> tuple[Named, ...]:
    names = dict.fromkeys(name.strip() for name in choice.split(",") if name.strip())
    if not names:
        raise UsageError(f"no voices in {choice!r}: name {STANDARD}, {ALL}, or ids from `ringback models list`")
    voices = tuple(voice_named(name) for name in names)
    ids = [voice.spec.id for voice in voices]
    for number, model_id in enumerate(ids):
        if model_id in ids[:number]:
            raise UsageError(f"{voices[number].text!r} is the voice {model_id!r} a second time: name each voice once")
    return voices
