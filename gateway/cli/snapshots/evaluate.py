"""`ringback snapshot evaluate`: one detector about every call of a month, and a small table of what its answers are worth."""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial

from core.errors import EXIT_OK
from core.report.text import table
from core.schemas.detections import ClassMetrics, EvaluationSummary, InputMode, Scores
from core.snapshots.evaluating.store import SUMMARY
from gateway.cli.common import Progress
from gateway.settings import read_settings
from gateway.snapshots import evaluating

_HEAD = ("", "recall fraud", "recall lawful", "BA", "Macro-F1", "F1", "predF", "errors")


def evaluate(args: argparse.Namespace) -> int:
    """Ask, sum up, print."""
    request = evaluating.Request(
        snapshot=args.snapshot,
        detector=args.detector,
        mode=InputMode(args.mode),
        out=args.out,
        prompt=args.prompt,
        recogniser=args.recogniser,
        concurrency=args.concurrency,
        again=args.again,
    )
    summary = evaluating.evaluate(request, read_settings(), partial(Progress, quiet=args.quiet))
    print("\n".join([*lines(summary), f"figures: {args.out / SUMMARY}"]))
    return EXIT_OK


def lines(summary: EvaluationSummary) -> list[str]:
    """The figures for a terminal, those of detectors that do not listen below them."""
    run, prompt = summary.run, f", {summary.run.prompt_language} prompt" if summary.run.prompt_language else ""
    said = [f"{run.snapshot_id}: {run.detector} ({run.mode}{prompt}), {summary.metrics.n} calls of {summary.trees} trees", ""]
    rows = [_HEAD, _cells("these answers", summary.metrics)]
    rows += [_cells(f"always {each.name}" if each.name != "coin" else "a coin", each.scores) for each in summary.baselines]
    said += [*table(rows, right=range(1, len(_HEAD))), ""]
    tag = f"collapse: {summary.collapse.tag} ({summary.collapse.rules})"
    said.append(f"{tag}{'; so many answers are no label that this says little' if summary.collapse.parse_collapse else ''}")
    if run.recordings_sha256 is not None:
        said.append(f"not the frozen recordings, but made again elsewhere ({run.recordings_sha256[:12]})")
    kinds = Counter[str]()
    for by_kind in summary.errors.values():
        kinds.update(by_kind)
    if kinds.total():
        said.append("no label: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()) if count))
    return said


def _cells(name: str, of: ClassMetrics | Scores) -> tuple[str, ...]:
    figures = (of.fraud_recall, of.nonfraud_recall, of.balanced_accuracy, of.macro_f1, of.fraud_f1, of.predicted_fraud_ratio)
    return (name, *(f"{figure:.3f}" for figure in figures), f"{of.error_rate:.3f}")
