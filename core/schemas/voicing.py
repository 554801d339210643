"""How the calls of a month are voiced: what is set, and the two tables behind voices and delivery."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.schemas.base import Model
from core.schemas.snapshots import Delivery, Side

Share = Annotated[float, Field(ge=0, le=1)]
"""From not at all to wholly."""


class RenderConfig(Model):
    """What decides the sound of a month beside its calls and its voices' weights."""

    seed: int = Field(ge=0)
    """Seed of everything drawn."""
    voices: str = "snapshot"
    """Voices to cast from: `snapshot` takes people's voices where a language has enough, else as `--voices` says it."""
    channels: Annotated[tuple[str, ...], Field(min_length=1)] = ("landline", "mobile", "voip", "speakerphone")
    """Telephone channels; a tree draws one of them for all its calls."""
    variant: Literal["delivery", "neutral"] = "delivery"
    """`neutral` speaks every turn of the same calls as in small talk."""


class DeliveryForm(Model):
    """What a delivery does to the sound of a turn."""

    pace: float = Field(ge=0.8, le=1.25)
    """Factor on the voice's own speaking rate."""
    pitch: float = Field(ge=0.9, le=1.12)
    """Factor on its pitch."""
    gain_db: float = Field(ge=-6, le=6)
    """Decibels above the common level of speech."""
    pauses: float = Field(ge=0.5, le=3)
    """Factor on the pauses inside the turn."""

    def __str__(self) -> str:
        return f"pace={self.pace:g},pitch={self.pitch:g},gain_db={self.gain_db:g},pauses={self.pauses:g}"


class DeliveryTable(Model):
    """`delivery.yaml`: every delivery as pace, pitch, energy and pauses."""

    format: Literal[1]
    """Version of this format."""
    version: int = Field(ge=1)
    """Goes up with any change of a number."""
    forms: dict[Delivery, DeliveryForm]
    """Delivery to sound."""

    @model_validator(mode="after")
    def _total(self) -> DeliveryTable:
        missing = [name.value for name in Delivery if name not in self.forms]
        if missing:
            raise ValueError(f"no form for {', '.join(missing)}: the table is total")
        if self.forms[Delivery.NEUTRAL] != DeliveryForm(pace=1, pitch=1, gain_db=0, pauses=1):
            raise ValueError("neutral changes the sound: it is what the others are measured against")
        return self


class RoleKind(StrEnum):
    """What kind of person speaks, as far as a voice can fit it."""

    AUTHORITY = "authority"
    """An office of the state."""
    SERVICE = "service"
    """Somebody at work."""
    PRIVATE = "private"
    """Somebody at home."""


class VoiceTable(Model):
    """`voices.yaml`: what the catalogue's words for a voice mean for the people of a call."""

    format: Literal[1]
    """Version of this format."""
    version: int = Field(ge=1)
    """Goes up with any change of a number or a word."""
    role_words: dict[RoleKind, tuple[str, ...]]
    """Kind of person to the words of a role that tell it; the first kind that has one counts."""
    role_by_side: dict[Side, RoleKind]
    """Kind where no word tells it."""
    role_fit: dict[RoleKind, dict[str, Share]]
    """Kind of person to how well each tone of voice fits it."""
    years: dict[str, int]
    """Age of a voice to years."""
    tone_words: dict[str, tuple[str, ...]]
    """Trait to the words for it in cases."""
    traits: dict[str, tuple[str, ...]]
    """Tone or pace of a voice to the traits it has."""
    quality: dict[str, Share]
    """Engine to how much its voices sound like people."""
    other_quality: Share
    """The same for any other engine."""

    def kind_of(self, role: str, side: Side) -> RoleKind:
        """What kind of person a role is."""
        lower = role.casefold()
        told = (kind for kind, words in self.role_words.items() if any(word in lower for word in words))
        return next(told, self.role_by_side[side])

    def traits_of(self, words: tuple[str, ...]) -> frozenset[str]:
        """The traits that words of a case ask for; a word that the table has not asks for none."""
        return frozenset(trait for trait, known in self.tone_words.items() if any(word.casefold() in known for word in words))
