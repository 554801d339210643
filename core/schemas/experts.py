"""Labels that people give to calls they know nothing of: the key of their packets, and what came of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.schemas.base import Model, Sha256, Slug
from core.schemas.snapshots import Label


class ExpertItem(Model):
    """A call of a packet."""

    item: Slug
    """What it is called in the packet."""
    sample_id: Slug
    """The call."""
    label: Label
    """What the month says that it is."""
    words_sha256: Sha256
    """Hash of the words in the packet, without spaces and line breaks."""


class ExpertPacket(Model):
    """What one person is given."""

    file: Annotated[str, Field(pattern=r"^packet-\d{2,4}\.csv$")]
    """The file to fill in."""
    words_sha256: Sha256
    """Hash of all its words in their order."""
    items: tuple[ExpertItem, ...] = Field(min_length=1)
    """Its calls, in its order."""


class ExpertKey(Model):
    """`key.json`: what the items of all packets are."""

    notice: Literal["Do not hand out: this file names the label of every call."] = (
        "Do not hand out: this file names the label of every call."
    )
    """For whoever opens it."""
    format: Literal["ringback-expert-key-1"] = "ringback-expert-key-1"
    """Version of this format."""
    snapshot_id: Slug
    """The month."""
    root_sha256: Sha256 | None
    """Its root hash; null for a build that is not frozen."""
    seed: int
    """Seed of choice and order."""
    shared: int = Field(ge=0)
    """Calls that every packet holds, so that people can be compared with each other; more of them may overlap by chance."""
    packets: tuple[ExpertPacket, ...] = Field(min_length=1)
    """Every packet."""


class PacketResult(Model):
    """What one person said."""

    file: str
    """The packet."""
    items: int = Field(ge=1)
    """Its calls, every one labelled."""
    agreement: float = Field(ge=0, le=1)
    """Share of its calls with the label of the month."""
    kappa: float | None
    """Cohen's kappa with the label of the month; null where neither could differ."""
    labels: dict[Label, int]
    """Labels given."""
    confidence: float | None
    """Mean confidence, 1 to 5; null where none was given."""
    sufficient: int = Field(ge=0)
    """Calls whose evidence was called sufficient."""
    correct: int = Field(ge=0)
    """Calls that were called free of mistakes."""


class ExpertPair(Model):
    """Two people on the calls that both labelled."""

    first: str
    """Packet of one."""
    second: str
    """Packet of the other."""
    items: int = Field(ge=1)
    """Calls that both labelled."""
    agreement: float = Field(ge=0, le=1)
    """Share with equal labels."""
    kappa: float | None
    """Cohen's kappa; null where neither could differ."""


class ItemResult(Model):
    """What people said of one call."""

    sample_id: Slug
    """The call."""
    label: Label
    """What the month says that it is."""
    given: dict[str, Label]
    """Packet to the label given in it."""
    agreement: float = Field(ge=0, le=1)
    """Share of them with the label of the month."""
    notes: tuple[str, ...] = ()
    """What people wrote of it."""


class ExpertReport(Model):
    """`expert-report.json`: how far people who saw the words alone agree with the labels of a month, and with each other."""

    format: Literal["ringback-expert-report-1"] = "ringback-expert-report-1"
    """Version of this format."""
    snapshot_id: Slug
    """The month."""
    root_sha256: Sha256 | None
    """Its root hash; null for a build that was not frozen."""
    key_sha256: Sha256
    """Hash of the key."""
    packets: tuple[PacketResult, ...] = Field(min_length=1)
    """Every filled packet."""
    unfilled: tuple[str, ...]
    """Packets without a single answer, or not there; they count for nothing."""
    labelled: int = Field(ge=1)
    """Labels given, over all packets."""
    agreement: float = Field(ge=0, le=1)
    """Mean of the packets' agreement."""
    lowest: float = Field(ge=0, le=1)
    """Agreement of the packet that agrees least."""
    highest: float = Field(ge=0, le=1)
    """Agreement of the packet that agrees most."""
    kappa: float | None
    """Cohen's kappa of all labels given with those of the month; null where neither could differ."""
    labels: dict[Label, int]
    """Labels given."""
    confidence: float | None
    """Mean of all confidences given, 1 to 5; null where none was given."""
    confidences: int = Field(ge=0)
    """How many were given."""
    sufficient: int = Field(ge=0)
    """Calls whose evidence was called sufficient."""
    sufficient_answers: int = Field(ge=0)
    """Answers to that question."""
    correct: int = Field(ge=0)
    """Calls that were called free of mistakes."""
    correct_answers: int = Field(ge=0)
    """Answers to that question."""
    pairs: tuple[ExpertPair, ...]
    """Every two people who labelled a call in common."""
    alpha: float | None
    """Krippendorff's alpha over all calls that more than one person labelled; null where none was, or nothing could differ."""
    items: tuple[ItemResult, ...] = Field(min_length=1)
    """Every call that was labelled."""
    agreed_only: tuple[Slug, ...]
    """Calls on which everybody who labelled them agrees with the month."""
    doubted: tuple[Slug, ...]
    """The other labelled calls."""
