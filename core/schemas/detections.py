"""Detections: what detectors answered about the calls of a snapshot, and how good the answers are."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue, model_validator

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
    """The recording it heard, or that was heard for it; null for `ref`."""
    transcript_id: Sha256 | None
    """The transcript it read; null but for `asr`."""
    raw: str
    """The answer, unchanged."""
    parsed: Label | None
    """The label in it; null where it is none."""
    error: DetectionError | None
    """Why it is none."""
    flagged: bool = False
    """Whether the detector itself gave the error, whatever its words say; else label and error are read from the words alone."""
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

    @model_validator(mode="after")
    def _one_outcome(self) -> Response:
        if (self.parsed is None) == (self.error is None):
            raise ValueError(f"an answer has either a label or an error, not {self.parsed!r} and {self.error!r}")
        if self.flagged and self.error is None:
            raise ValueError(f"a detector gave an error, and the answer has the label {self.parsed!r}")
        return self


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
    """The party as named on the command line; shown, and no part of the key where `party` is there."""
    party: str | None = None
    """The party as it names itself, however it is spelled on the command line; null in older files."""
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
    recordings_sha256: Sha256 | None = None
    """Hash of the recordings' hashes, where what was heard was made again on other hardware; null for the frozen recordings."""
    parser: str | None = None
    """Name and version of the parser that reads labels from the answers; null in older files."""
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


class CollapseRules(Model):
    """Where collapse begins. Rules never change once published; better ones get the next version."""

    version: str
    """Name and version."""
    high_recall: float = Field(ge=0, le=1)
    """Recall of the class that is always named, at least this."""
    low_recall: float = Field(ge=0, le=1)
    """Recall of the other one, at most this."""
    ratio_gap: float = Field(ge=0, le=1)
    """Biased beyond this distance of the predicted-fraud ratio from the share of fraud."""
    weak_recall: float = Field(ge=0, le=1)
    """Biased where the smaller recall is below this."""
    error_rate: float = Field(ge=0, le=1)
    """Parse collapse from this error rate on."""


class CollapseFinding(Model):
    """What the rules say about one set of answers."""

    rules: str
    """Version of the rules."""
    tag: Collapse
    """Whether labels follow the calls; errors are misses."""
    parse_collapse: bool
    """Whether so many answers are no label that the tag says little; never folded into a class."""

    @property
    def severe(self) -> bool:
        """Whether nearly everything is given one label."""
        return self.tag in (Collapse.ALL_FRAUD, Collapse.ALL_NONFRAUD)


class Scores(Model):
    """The figures that stand beside each other in every table, 0 to 1; defined as in `ClassMetrics`."""

    accuracy: float
    """Right labels / calls."""
    fraud_f1: float
    """F1 of fraud, which says little alone: calling everything fraud reaches 0.8 where two calls in three are."""
    macro_f1: float
    """Mean of the F1 of both classes."""
    balanced_accuracy: float
    """Mean of both recalls; 0.5 for whoever does not listen."""
    fraud_recall: float
    """Share of fraud called fraud."""
    nonfraud_recall: float
    """Share of lawful calls called lawful."""
    predicted_fraud_ratio: float
    """Share of calls called fraud."""
    error_rate: float
    """Share of answers that are no label."""


class Baseline(StrEnum):
    """A detector that does not listen."""

    ALL_FRAUD = "all_fraud"
    """Calls everything fraud."""
    ALL_NONFRAUD = "all_nonfraud"
    """Calls everything lawful."""
    COIN = "coin"
    """Tosses a fair coin; figures of the expected counts."""


class PriorBaseline(Model):
    """What a detector that does not listen scores on the same calls."""

    name: Baseline
    """Which one."""
    scores: Scores
    """Its figures."""


class PriorDraw(Model):
    """One subset of a snapshot with a given ratio of classes."""

    seed: int
    """Seed of the draw."""
    sample_ids: tuple[str, ...] = Field(min_length=2)
    """Calls drawn, without replacement, sorted."""
    scores: Scores
    """Figures of the stored answers about them."""


class PriorResult(Model):
    """The stored answers scored again at one ratio of classes."""

    fraud: int = Field(ge=1)
    """Fraud calls in the ratio."""
    nonfraud: int = Field(ge=1)
    """Lawful calls in the ratio."""
    n: int = Field(ge=2)
    """Calls of every draw."""
    draws: tuple[PriorDraw, ...]
    """One per seed."""
    mean: Scores
    """Mean over the seeds."""
    intervals: dict[str, Interval]
    """Figure to its interval over the seeds."""
    baselines: tuple[PriorBaseline, ...]
    """What the ratio alone is worth."""


class EvaluationSummary(Model):
    """How good the answers of one evaluation are; derived from its responses, and rebuilt from them at any time."""

    format: Literal[1] = 1
    """Version of this format."""
    run: EvaluationRun
    """What was evaluated, and how."""
    detector_key: str
    """Hash of the configuration without the snapshot: the same in every month."""
    parser: str
    """Name and version of the label parser."""
    error_policy: str
    """Name and version of how answers that are no label count."""
    trees: int = Field(ge=1)
    """Trees of the calls; intervals over fewer than twenty are too narrow."""
    metrics: ClassMetrics
    """Figures of all calls."""
    parsed_only: ClassMetrics | None
    """Figures of the calls whose answer is a label; null where none is."""
    errors: dict[Label, dict[DetectionError, int]]
    """Answers that are no label, by class and kind."""
    collapse: CollapseFinding
    """Whether all calls together show collapse."""
    collapse_parsed_only: CollapseFinding | None
    """The same for the calls whose answer is a label; null where these lack a class."""
    rules: CollapseRules
    """The rules behind both."""
    intervals: dict[str, Interval]
    """Figure to its interval over trees; empty for a single tree."""
    baselines: tuple[PriorBaseline, ...]
    """What the ratio of classes alone is worth."""
    priors: tuple[PriorResult, ...]
    """The same answers at other ratios of classes; empty for a set too small for all of them."""


class SortBy(StrEnum):
    """What a leaderboard may be ordered by. Fraud F1 is not among them: a detector that does not listen wins on it."""

    BALANCED_ACCURACY = "balanced_accuracy"
    """Mean of both recalls; the default."""
    MACRO_F1 = "macro_f1"
    """Mean of the F1 of both classes."""
    WEAKER_RECALL = "weaker_recall"
    """The smaller of both recalls."""


class LeaderboardRow(Model):
    """One configuration, or one detector over its prompt languages."""

    config_keys: tuple[str, ...] = Field(min_length=1)
    """Evaluations behind the row."""
    detector_keys: tuple[str, ...] = Field(min_length=1)
    """Their configurations without the snapshot."""
    detector: str
    """The party."""
    mode: InputMode
    """What it was given."""
    prompt_languages: tuple[Literal["zh", "en"], ...]
    """Languages of the prompts; empty for detectors without one."""
    n: int = Field(ge=1)
    """Answers behind the row."""
    scores: Scores
    """Figures, weighted by answers where there are several evaluations."""
    coverage: float
    """Answers that are a label / n."""
    fraud_errors: int
    """Fraud without a label."""
    nonfraud_errors: int
    """Lawful without a label."""
    intervals: dict[str, Interval]
    """Figure to its interval; empty for a mean over prompt languages."""
    collapse: tuple[CollapseFinding, ...] = Field(min_length=1)
    """One finding per evaluation, in the order of the keys, since a mean hides collapse."""
    baselines: tuple[PriorBaseline, ...]
    """What the ratio of classes alone is worth on the same calls."""
    recordings_sha256: Sha256 | None = None
    """Recordings that were heard, where they were made again on other hardware; null for the frozen ones."""


class Repeated(Model):
    """An evaluation of a configuration that was evaluated before; listed, not counted."""

    config_key: str
    """Its key."""
    started_at: str
    """When it began."""
    counted: str
    """When the one that counts began, the earliest."""


class Unaveraged(Model):
    """A detector without a mean over prompt languages, since it was asked with several prompts in one of them."""

    detector: str
    """The party."""
    mode: InputMode
    """What it was given."""
    config_keys: tuple[str, ...] = Field(min_length=2)
    """Its evaluations, which stand in rows of their own."""


class Leaderboard(Model):
    """All evaluations of one snapshot."""

    snapshot_id: str
    """The snapshot."""
    root_sha256: Sha256
    """Its root hash."""
    sort_by: SortBy
    """Order within the rows that follow the calls; rows with severe collapse come last."""
    listed: int = Field(ge=1)
    """Evaluations given."""
    counted: int = Field(ge=1)
    """Configurations among them."""
    repeated: tuple[Repeated, ...]
    """The others."""
    configurations: tuple[LeaderboardRow, ...]
    """A row per configuration."""
    averages: tuple[LeaderboardRow, ...]
    """A row per detector and mode, over prompt languages."""
    unaveraged: tuple[Unaveraged, ...] = ()
    """Detectors that are left out of the averages: which of several prompts in a language stands for it is not guessed."""
    only: str | None = None
    """Which calls alone the figures are of; null for every call."""


class Move(Model):
    """One configuration in two snapshots."""

    detector_key: str
    """Configuration without the snapshot."""
    detector: str
    """The party."""
    mode: InputMode
    """What it was given."""
    prompt_language: Literal["zh", "en"] | None
    """Language of the prompt."""
    before: CollapseFinding
    """In the first snapshot."""
    after: CollapseFinding
    """In the second."""
    balanced_accuracy_change: float
    """Second minus first."""


class Transitions(Model):
    """How collapse changed from one snapshot to the next, over the configurations that both have."""

    before: str
    """First snapshot."""
    after: str
    """Second snapshot."""
    rules: str
    """Version of the collapse rules, the same for both."""
    table: dict[Collapse, dict[Collapse, int]]
    """Tag before to tag after to the number of configurations; every cell is there."""
    moves: tuple[Move, ...]
    """Every common configuration."""
    only_before: tuple[str, ...]
    """Detector keys that the second snapshot lacks."""
    only_after: tuple[str, ...]
    """Detector keys that the first one lacks."""
