"""One evaluation, summed up: figures of its answers, what stands beside them, and the keys that tell configurations apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.schemas.base import content_hash
from core.schemas.detections import CollapseFinding, EvaluationRun, EvaluationSummary, Response
from core.schemas.snapshots import Label
from core.snapshots.collapse import RULES, collapse_of
from core.snapshots.intervals import tree_intervals
from core.snapshots.metrics import (
    ERROR_POLICY,
    Gold,
    ScoredCall,
    error_counts,
    metrics_of,
    parsed_only,
    prior_baselines,
    scored_calls,
)
from core.snapshots.parsing import PARSER
from core.snapshots.resampling import can_resample, resample

_DETECTOR = {"detector", "settings", "mode", "prompt_language", "prompt_sha256", "recogniser"}
_PROMPT = {"prompt_language", "prompt_sha256"}
_SNAPSHOT = {"snapshot_id", "root_sha256"}


def config_key(run: EvaluationRun) -> str:
    """Hash of everything that decides the answers of a run; the key that stands in it, and its time, do not."""
    return _key(run, _DETECTOR | _SNAPSHOT)


def detector_key(run: EvaluationRun) -> str:
    """The same without the snapshot: one configuration has one detector key in every month, on recordings made again another."""
    return _key(run, _DETECTOR)


def promptless_key(run: EvaluationRun) -> str:
    """The same without the prompt: what the configurations of one detector in several prompt languages share."""
    return _key(run, _DETECTOR - _PROMPT)


def _key(run: EvaluationRun, fields: set[str]) -> str:
    said = run.model_dump(mode="json", include=fields)
    # what older runs lack is left out, so that their keys stay
    if run.party is not None:
        said["detector"] = {"party": run.party}  # not as it was typed: one configuration can be spelled in many ways
    if run.parser is not None:
        said["parser"] = run.parser
    if run.recordings_sha256 is not None:
        of_one_month = fields != _DETECTOR
        said["recordings"] = run.recordings_sha256 if of_one_month else "made again"
    return content_hash(said)


def summarise(run: EvaluationRun, gold: Iterable[Gold], responses: Iterable[Response], seed: int) -> EvaluationSummary:
    """The figures of an evaluation from the labels of its snapshot and its stored responses.

    Raises:
        ValueError: not exactly one response to every call, or calls of one class only.
    """
    calls = scored_calls(gold, responses)
    metrics = metrics_of(calls)
    parsed = parsed_only(calls)
    labels = {call.sample_id: call.label for call in calls}
    fraud = sum(label == Label.FRAUD for label in labels.values())
    return EvaluationSummary(
        run=run,
        detector_key=detector_key(run),
        parser=PARSER,
        error_policy=ERROR_POLICY,
        trees=len({call.tree_id for call in calls}),
        metrics=metrics,
        parsed_only=metrics_of(parsed) if parsed else None,
        errors=error_counts(calls),
        collapse=collapse_of(metrics),
        collapse_parsed_only=_collapse_of_parsed(parsed),
        rules=RULES,
        intervals=tree_intervals(calls, seed),
        baselines=prior_baselines(fraud, len(labels) - fraud),
        priors=resample(calls, "snapshot") if can_resample(labels) else (),
    )


def _collapse_of_parsed(parsed: Sequence[ScoredCall]) -> CollapseFinding | None:
    both = len({call.label for call in parsed}) == len(Label)
    return collapse_of(metrics_of(parsed)) if both else None
