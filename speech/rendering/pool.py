"""Which voices may speak in a month, and how well each fits a person."""

from __future__ import annotations

from pathlib import Path

from core.schemas.snapshots import Participant, Side
from core.schemas.voicing import VoiceTable
from models import registry
from models.specs import ModelSpec
from speech.naming import Named
from speech.voice_sets import VoiceSet, voice_set

SNAPSHOT = "snapshot"
TIERS = (("kokoro",), ("hibari", "piper"), ("espeak",))
"""Engines in order of preference; `snapshot` takes them, one tier after the other, until both genders have two voices."""
WEIGHTS = {"role": 0.40, "age": 0.20, "tone": 0.20, "gender": 0.10, "quality": 0.10}
"""Share of each part in how well a voice fits; the public benchmark names these parts and publishes no weights."""
AGE_SPAN = 40
"""Years of difference at which an age no longer fits at all."""
UNKNOWN_GENDER = 0.5
"""Fit of a voice whose gender nobody has listed."""
_ADULT = "adult"


def snapshot_voices(choice: str, language: str, cache_root: Path) -> VoiceSet:
    """The voices of `choice` for a language (BCP 47): `snapshot`, the same on every machine, or what `voice_set` knows.

    Raises:
        UsageError: an unknown name, or no name.
        FileError: a checkpoint that a name points to cannot be read.
    """
    if choice != SNAPSHOT:
        return voice_set(choice, language, cache_root)
    found: list[Named] = []
    for engines in TIERS:
        genders = [voice.spec.gender for voice in found]
        if min(genders.count("female"), genders.count("male")) < 2:
            found += [Named(spec.id, spec) for spec in registry.voices(language) if spec.engine in engines]
    return VoiceSet(choice, tuple(found))


def eligible(pool: VoiceSet, person: Participant) -> tuple[ModelSpec, ...]:
    """Voices of a person's gender, and those whose gender nobody has listed, in the order of the pool."""
    return tuple(voice.spec for voice in pool.voices if voice.spec.gender in (None, person.gender))


def fit(spec: ModelSpec, person: Participant, side: Side, table: VoiceTable) -> dict[str, float]:
    """The parts of how well a voice fits a person, without its use so far; each lies between 0 and its weight."""
    tone = spec.tone or ""
    years = table.years[spec.age or _ADULT]
    wanted = table.traits_of(person.tones)
    has = frozenset(table.traits.get(tone, ())) | frozenset(table.traits.get(spec.pace or "", ()))
    shares = {
        "role": table.role_fit[table.kind_of(person.role, side)].get(tone, 0.5),
        "age": max(0.0, 1 - abs(person.age - years) / AGE_SPAN),
        "tone": len(wanted & has) / len(wanted) if wanted else 1.0,
        "gender": 1.0 if spec.gender == person.gender else UNKNOWN_GENDER,
        "quality": table.quality.get(spec.engine, table.other_quality),
    }
    return {name: round(WEIGHTS[name] * share, 6) for name, share in shares.items()}
