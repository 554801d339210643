"""Several evaluations of one snapshot side by side: repeated configurations count once, prompt languages are averaged by answers.

A detector that does not listen wins on fraud F1 wherever fraud is frequent, so nothing here is ordered by it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from core.schemas.detections import (
    EvaluationRun,
    EvaluationSummary,
    Leaderboard,
    LeaderboardRow,
    PriorBaseline,
    Repeated,
    Scores,
    SortBy,
    Unaveraged,
)
from core.snapshots.metrics import scores_of
from core.snapshots.summary import config_key, promptless_key

Summaries = Sequence[EvaluationSummary]
Item = TypeVar("Item")


def deduplicate(items: Iterable[Item], run_of: Callable[[Item], EvaluationRun]) -> tuple[tuple[Item, ...], tuple[Repeated, ...]]:
    """The items whose configuration counts, in their order, and the others.

    The same configuration on the same snapshot counts once, by the evaluation that began first, so that nobody can repeat a run
    until it pleases. The key is computed anew; what a file claims does not matter.
    """
    first: dict[str, str] = {}
    listed = [(item, run_of(item)) for item in items]
    for _item, run in listed:
        key = config_key(run)
        first[key] = min(first.get(key, run.started_at), run.started_at)
    counted, repeated, seen = [], [], set()
    for item, run in listed:
        key = config_key(run)
        if run.started_at == first[key] and key not in seen:
            seen.add(key)
            counted.append(item)
        else:
            repeated.append(Repeated(config_key=key, started_at=run.started_at, counted=first[key]))
    return tuple(counted), tuple(repeated)


def weighted_scores(parts: Sequence[tuple[int, Scores]]) -> Scores:
    """Sum of n times figure over the sum of n, figure by figure.

    Raises:
        ValueError: no parts, or a part of fewer than one answer.
    """
    if not parts or any(n < 1 for n, _scores in parts):
        raise ValueError(
            f"cannot weight {[n for n, _scores in parts]} answers: give at least one part, of at least one answer each"
        )
    total = sum(n for n, _scores in parts)
    return Scores.model_validate(
        {name: math.fsum(n * getattr(scores, name) for n, scores in parts) / total for name in Scores.model_fields}
    )


def leaderboard(summaries: Iterable[EvaluationSummary], sort_by: SortBy = SortBy.BALANCED_ACCURACY) -> Leaderboard:
    """All evaluations of one snapshot: a row per configuration, and one per detector and mode over its prompt languages.

    Rows with severe collapse come last; within each part the better come first by `sort_by`. A mean over languages takes one
    prompt of each, so a detector with several in one language has none.

    Raises:
        ValueError: no evaluations, or of several snapshots.
    """
    listed = tuple(summaries)
    snapshots = sorted({(one.run.snapshot_id, one.run.root_sha256) for one in listed})
    if len(snapshots) != 1:
        found = ", ".join(f"{name} ({root[:12]})" for name, root in snapshots) or "none"
        raise ValueError(f"a leaderboard is of one snapshot, not of {found}")
    counted, repeated = deduplicate(listed, lambda one: one.run)
    detectors: dict[str, list[EvaluationSummary]] = {}
    for one in counted:
        detectors.setdefault(promptless_key(one.run), []).append(one)
    averaged = [of for of in detectors.values() if _one_per_language(of)]
    return Leaderboard(
        snapshot_id=snapshots[0][0],
        root_sha256=snapshots[0][1],
        sort_by=sort_by,
        listed=len(listed),
        counted=len(counted),
        repeated=repeated,
        configurations=_ordered((_row((one,)) for one in counted), sort_by),
        averages=_ordered((_row(_by_language(of)) for of in averaged), sort_by),
        unaveraged=tuple(_unaveraged(of) for of in detectors.values() if not _one_per_language(of)),
    )


def _one_per_language(summaries: Summaries) -> bool:
    languages = [one.run.prompt_language for one in summaries]
    return len(set(languages)) == len(languages)


def _by_language(summaries: Summaries) -> Summaries:
    return sorted(summaries, key=lambda one: one.run.prompt_language or "")


def _unaveraged(summaries: Summaries) -> Unaveraged:
    run = summaries[0].run
    return Unaveraged(detector=run.detector, mode=run.mode, config_keys=tuple(config_key(one.run) for one in summaries))


def _row(summaries: Summaries) -> LeaderboardRow:
    """One row for evaluations of one detector that differ by the prompt's language alone."""
    first, sizes = summaries[0], [one.metrics.n for one in summaries]
    scores = weighted_scores([(one.metrics.n, scores_of(one.metrics)) for one in summaries])
    fraud_errors = sum(one.metrics.fraud_errors for one in summaries)
    nonfraud_errors = sum(one.metrics.nonfraud_errors for one in summaries)
    return LeaderboardRow(
        config_keys=tuple(config_key(one.run) for one in summaries),
        detector_keys=tuple(one.detector_key for one in summaries),
        detector=first.run.detector,
        mode=first.run.mode,
        prompt_languages=tuple(one.run.prompt_language for one in summaries if one.run.prompt_language),
        n=sum(sizes),
        scores=scores,
        coverage=1 - (fraud_errors + nonfraud_errors) / sum(sizes),
        fraud_errors=fraud_errors,
        nonfraud_errors=nonfraud_errors,
        intervals=first.intervals if len(summaries) == 1 else {},
        collapse=tuple(one.collapse for one in summaries),
        baselines=_baselines(summaries),
        recordings_sha256=first.run.recordings_sha256,
    )


def _baselines(summaries: Summaries) -> tuple[PriorBaseline, ...]:
    """Those of the same answers, weighted as their figures are."""
    return tuple(
        PriorBaseline(
            name=same[0].name,
            scores=weighted_scores([(one.metrics.n, found.scores) for one, found in zip(summaries, same, strict=True)]),
        )
        for same in zip(*(one.baselines for one in summaries), strict=True)
    )


_SORTING: Mapping[SortBy, Callable[[Scores], float]] = {
    SortBy.BALANCED_ACCURACY: lambda scores: scores.balanced_accuracy,
    SortBy.MACRO_F1: lambda scores: scores.macro_f1,
    SortBy.WEAKER_RECALL: lambda scores: min(scores.fraud_recall, scores.nonfraud_recall),
}


def _ordered(rows: Iterable[LeaderboardRow], sort_by: SortBy) -> tuple[LeaderboardRow, ...]:
    def place(row: LeaderboardRow) -> tuple[bool, float, str, str, tuple[str, ...], tuple[str, ...]]:
        severe = any(finding.severe for finding in row.collapse)
        return severe, -_SORTING[sort_by](row.scores), row.detector, row.mode, row.prompt_languages, row.config_keys

    return tuple(sorted(rows, key=place))
