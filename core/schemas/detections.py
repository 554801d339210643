"""Detections: what detectors answered about the calls of a snapshot, and how good the answers are."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue

from core.schemas.base import Model, Sha256
from core.schemas.snapshots import Label
from core.schemas.usage import Usage


class InputMode(StrEnum):
    """What a detector is given."""

    AUDIO = "audio"
    """The recording itself."""
    ASR = "asr"
    """The transcript of the recording, the same for every detector."""
    REF = "ref"
    """The words as written, which no deployed detector ever has."""


class DetectionError(StrEnum):
    """Why an answer is no label."""

    PARSE = "parse"
    """Words outside the two-label contract."""
    EMPTY = "empty"
    """No words."""
    REFUSAL = "refusal"
    """The provider's filter or the model declined."""
    TRANSPORT = "transport"
    """No answer after retries."""
    TIMEOUT = "timeout"
    """No answer in time."""
    TOO_LONG = "too_long"
    """The call does not fit the model, and nothing is ever cut off silently."""


class Response(Model):
    """One answer of one detector about one call; a line of `responses.jsonl`."""

    sample_id: str
    """The call."""
    audio_sha256: Sha256 | None
    """The recording it heard; null for `ref`."""
    transcript_id: Sha256 | None
    """The transcript it read; null but for `asr`."""
    raw: str
    """The answer, unchanged."""
    parsed: Label | None
    """The label in it; null where it is none."""
    error: DetectionError | None
    """Why it is none."""
    score: float | None = None
    """The detector's own confidence in FRAUD, 0 to 1, where it gives one."""
    attempts: tuple[str, ...] = ()
    """Earlier attempts and what became of them."""
    started_at: str
    """When it was asked, UTC."""
    latency_ms: float = Field(ge=0)
    """How long the answer took."""
    usage: Usage | None = None
    """Tokens and cost, where the detector tells."""


class EvaluationRun(Model):
    """`run.json` of an evaluation: everything that decides its answers; written first, never changed."""

    format: Literal[1] = 1
    """Version of this format."""
    config_key: str
    """Hash of what follows but the time: two runs with the same key are the same configuration."""
    snapshot_id: str
    """Snapshot that is evaluated."""
    root_sha256: Sha256
    """Its root hash; another one is refused."""
    detector: str
    """The party as named on the command line."""
    settings: dict[str, JsonValue]
    """Its settings, secrets left out."""
    mode: InputMode
    """What it is given."""
    prompt_language: Literal["zh", "en"] | None
    """Language of the prompt; null for detectors without one."""
    prompt_sha256: Sha256 | None
    """Hash of the prompt."""
    recogniser: dict[str, JsonValue] | None
    """Who made the transcripts; null but for `asr`."""
    started_at: str
    """When it began, UTC."""


class Interval(Model):
    """A 95 % interval and how it was made."""

    low: float
    """Lower end."""
    high: float
    """Upper end."""
    method: str
    """Name of the method."""


class ClassMetrics(Model):
    """Figures of one set of answers. Fraud is the positive class; a figure without a denominator is 0."""

    n: int = Field(ge=1)
    """Calls."""
    tp: int
    """Fraud called fraud."""
    tn: int
    """Lawful called lawful."""
    fp: int
    """Lawful called fraud."""
    fn: int
    """Fraud called lawful."""
    fraud_errors: int = 0
    """Fraud without a label; each is a miss."""
    nonfraud_errors: int = 0
    """Lawful without a label; each is neither right nor a false alarm."""
    accuracy: float
    """(tp + tn) / n."""
    fraud_precision: float
    """tp / (tp + fp)."""
    fraud_recall: float
    """tp / all fraud calls, errors included."""
    nonfraud_recall: float
    """tn / all lawful calls, errors included."""
    fraud_f1: float
    """Harmonic mean of precision and recall of fraud."""
    nonfraud_f1: float
    """The same for lawful calls."""
    macro_f1: float
    """Mean of both."""
    balanced_accuracy: float
    """Mean of both recalls."""
    predicted_fraud_ratio: float
    """(tp + fp) / n."""
    error_rate: float
    """Answers that are no label / n."""
    coverage: float
    """Answers that are a label / n."""


class Collapse(StrEnum):
    """Whether answers follow the calls at all."""

    ALL_FRAUD = "all_fraud_like"
    """Nearly everything is called fraud."""
    ALL_NONFRAUD = "all_nonfraud_like"
    """Nearly everything is called lawful."""
    BIASED = "biased"
    """One class is much preferred."""
    BALANCED = "balanced"
    """Neither."""
