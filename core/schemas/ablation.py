"""What each effect of a telephone channel costs: the same calls with the effect, without it, and with it alone."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from core.schemas.base import Model, Sha256
from core.schemas.hearing import ErrorRate, ValueAccuracy
from core.schemas.run import Score


class VariantKind(StrEnum):
    """How a variant of the channel relates to the whole of it."""

    CLEAN = "clean"
    WHOLE = "whole"
    BARE = "bare"
    WITHOUT = "without"
    ALONE = "alone"


class Difference(Model):
    """A paired difference on the calls both variants completed: this variant less the one it is compared with."""

    against: VariantKind
    """What it is compared with: `whole` or `clean`."""
    n: int
    """Scenarios both completed."""
    mean: float | None
    """Mean over scenarios, repeats averaged first; null where there are none."""
    low: float | None
    """Lower end of the 95 % hierarchical bootstrap interval; null below two scenarios."""
    high: float | None
    """Upper end."""


class VariantResult(Model):
    """One variant of the channel, played as a run of its own."""

    kind: VariantKind
    """`clean`: no channel; `whole`: as asked for; `bare`: every effect off; `without` or `alone`: one effect."""
    effect: str | None = None
    """The effect left out or left alone."""
    channel: str
    """The channel in its canonical form."""
    run: str
    """Folder of its run."""
    n: int
    """Graded calls."""
    dropped: int
    """Dropped calls."""
    wer: ErrorRate | None
    """Word errors, pooled over calls."""
    cer: ErrorRate | None
    """Character errors, pooled over calls."""
    known_values: ValueAccuracy
    """Known values that survived."""
    overall: Score
    """Overall score."""
    wer_change: Difference | None = None
    """Change of a call's word error rate; null for the variant others are compared with."""
    cer_change: Difference | None = None
    """Change of a call's character error rate."""
    score_change: Difference | None = None
    """Change of the overall score."""


class Ablation(Model):
    """`ablation.json`: derived from the runs beside it."""

    format: Literal["ringback-ablation-1"] = "ringback-ablation-1"
    """Version of this format."""
    bundle: str
    """`<id>@<version>`."""
    bundle_hash: Sha256
    """Hash over the bundle's files."""
    caller: str
    """Caller."""
    candidate: str
    """Candidate."""
    judge: str
    """Judge."""
    seed: int
    """Seed of every run."""
    repeats: int
    """Repeats of every run."""
    channel: str
    """The whole channel in its canonical form."""
    effects: tuple[str, ...]
    """Its effects, in the order in which sound meets them."""
    variants: tuple[VariantResult, ...]
    """Clean, whole and bare, then each effect left out, then each alone."""
    notes: tuple[str, ...]
    """How to read the figures."""
