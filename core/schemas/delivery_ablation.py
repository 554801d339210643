"""What delivery changes: the same calls said in their deliveries and as in small talk, and what detectors answer about both."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from core.schemas.base import Model, Sha256
from core.schemas.detections import ClassMetrics, InputMode
from core.schemas.snapshots import Label


class AblationConfig(Model):
    """`config.json` of a delivery ablation: all that decides it; written first, never changed."""

    format: Literal[1] = 1
    """Version of this format."""
    snapshot_id: str
    """The month."""
    root_sha256: Sha256
    """Its root hash."""
    calls: int = Field(ge=2)
    """Calls that are asked about."""
    seed: int = Field(ge=0)
    """Seed of their choice."""
    detectors: tuple[str, ...] = Field(min_length=1)
    """The parties as named on the command line."""
    modes: tuple[InputMode, ...]
    """What they are given; empty for whatever each can take."""
    prompt: Literal["zh", "en"] | None
    """Language of prompts; null for that of the calls."""
    recogniser: str
    """Who hears both halves, as asked for."""
    recordings_sha256: Sha256 | None = None
    """Hash of the recordings' hashes, where the sound was made again on other hardware; null for the frozen recordings."""


class AblatedCall(Model):
    """One call in both halves."""

    sample_id: str
    """The call."""
    tree_id: str
    """Its tree."""
    label: Label
    """What it is."""
    delivery_sha256: Sha256
    """The recording of the month that is here: the frozen one, or the one that was made again."""
    neutral_sha256: Sha256
    """The same call with every turn said as in small talk, by the same voices over the same line."""
    delivery_s: float = Field(gt=0)
    """Seconds of that recording."""
    neutral_s: float = Field(gt=0)
    """Seconds of the other."""


class Passed(Model):
    """A call that was drawn and left out of both halves, since it failed quality control without its deliveries."""

    sample_id: str
    """The call."""
    reasons: tuple[str, ...]
    """What failed."""


class AblatedDetector(Model):
    """One detector in one mode."""

    detector: str
    """The party."""
    mode: InputMode
    """What it was given."""
    prompt_language: Literal["zh", "en"] | None
    """Language of the prompt; null for detectors without one."""
    settings: dict[str, JsonValue]
    """Its settings, secrets left out."""
    delivery: ClassMetrics
    """Figures of its answers about the recordings of the month."""
    neutral: ClassMetrics
    """Figures of its answers about the same calls without delivery."""
    fraud_f1_change: float
    """Fraud F1 without delivery less that with it."""
    balanced_accuracy_change: float
    """The same for balanced accuracy."""
    changed: int = Field(ge=0)
    """Calls about which it answered otherwise."""


class DeliveryAblation(Model):
    """`ablation.json`: what delivery changes for detectors. A change is without delivery less with it."""

    format: Literal[1] = 1
    """Version of this format."""
    config: AblationConfig
    """What decided it."""
    trees: int = Field(ge=1)
    """Trees of the calls."""
    calls: tuple[AblatedCall, ...] = Field(min_length=2)
    """Both halves."""
    passed_over: tuple[Passed, ...] = ()
    """Calls that were left out."""
    hearing: dict[str, JsonValue]
    """Settings of the transcripts of both halves."""
    delivery_cer: float = Field(ge=0)
    """Character errors of the transcripts of the frozen recordings, summed over calls."""
    neutral_cer: float = Field(ge=0)
    """The same without delivery."""
    detectors: tuple[AblatedDetector, ...] = Field(min_length=1)
    """Every detector in every mode."""
    pooled_delivery_f1: float
    """Fraud F1 of all answers of all detectors together, with delivery."""
    pooled_neutral_f1: float
    """The same without."""
    largest_change: dict[str, float]
    """Detector to its largest absolute change of fraud F1 over its modes."""
