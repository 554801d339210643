"""A month of twelve calls, four evaluations of it whose figures can be had by hand, and an audit of round numbers."""

from __future__ import annotations

from typing import Literal

from core.schemas.audits import (
    AuditCheck,
    AuditReport,
    Dependence,
    LearnerScore,
    MonthAudit,
    NearDuplicates,
    NegativeDifficulty,
    Probe,
    SeparabilityRow,
    Tier,
    Transfer,
    TreeDistance,
    TreeTransfer,
    Verdict,
)
from core.schemas.detections import EvaluationSummary, Interval
from core.schemas.snapshots import Label
from core.snapshots.metrics import metrics_of
from core.snapshots.summary import summarise
from tests.core.snapshot_answers import answered, gold_of, responses_of, run_of

MONTHS = (("2026-11-zh", "a" * 64), ("2026-12-zh", "b" * 64))
GOOD = {"tp": 6, "fn": 2, "tn": 3, "fp": 1}
LOUD = {"tp": 8, "fp": 4}
SILENT = {"tp": 5, "fraud_errors": 3, "tn": 2, "nonfraud_errors": 2}
EAGER = {"tp": 7, "fn": 1, "tn": 1, "fp": 3}


def evaluation(
    counts: dict[str, int],
    detector: str = "python:good",
    language: Literal["zh", "en"] | None = None,
    month: int = 0,
    started: str = "2026-12-01T00:00:00Z",
) -> EvaluationSummary:
    """An evaluation with so many outcomes of each kind, each call a tree of its own."""
    calls = answered(**counts)
    name, root = MONTHS[month]
    return summarise(run_of(detector, language, name, root, started), gold_of(calls), responses_of(calls), seed=7)


def one_month(month: int = 0) -> list[EvaluationSummary]:
    """Four configurations about eight fraud and four lawful calls."""
    return [
        evaluation(LOUD, "python:loud", month=month),
        evaluation(SILENT, "litellm:a/b", "zh", month),
        evaluation(GOOD, month=month),
        evaluation(EAGER, "litellm:a/b", "en", month),
    ]


def audit(*, broken: bool = False) -> MonthAudit:
    """An audit with one of everything."""
    figures, around = metrics_of(answered(**GOOD)), Interval(low=0.5, high=0.9, method="test-v1")
    doors = [("opening", 0.55, "tfidf-lr C=10"), ("length", None, "tree depth=4")]
    probes = tuple(
        Probe(
            name=name,
            learner=learner,
            metrics=figures,
            macro_f1=around,
            balanced_accuracy=around,
            at_most=most,
            upper_at_most=most,
            holds=most is None,
        )
        for name, most, learner in doors
    )
    verdicts = (Verdict.BROKEN if broken else Verdict.CANNOT_TELL, Verdict.HOLDS)
    report = AuditReport(
        seed=7,
        calls=12,
        trees=6,
        labels={Label.FRAUD: 8, Label.NONFRAUD: 4},
        oracle=figures,
        probes=probes,
        dependence=(
            Dependence(
                name="voice", observations=12, values=3, bits=0.25, by_chance=0.125, p_within=0.5, p_between=None, permutations=99
            ),
        ),
        distance=(
            TreeDistance(
                part="suffix", encoder="hash-v1", calls=12, trees=6, within=0.1, cross=0.4, ratio=4.0, shuffled_ratio=None
            ),
        ),
        transfer=Transfer(
            learner="tfidf-lr C=10", trees=(TreeTransfer(tree_id="t", calls=2, held_out=0.5),), held_out=0.5, leaky=0.75, gap=0.25
        ),
        duplicates=NearDuplicates(shingle=5, threshold=0.8, pairs=0, across_groups=0, equal=0, listed=()),
    )
    score = LearnerScore(learner="tfidf-lr", chosen=("C=10",), values=(0.625,), mean=0.625, interval=around)
    tier = Tier(name="siblings", calls=4, groups=2, overlap=0.125, best_overlap=0.5, scores=(score,), test_ids=(("s1",),))
    return MonthAudit(
        snapshot_id="2026-11-zh",
        root_sha256="a" * 64,
        report=report,
        difficulty=NegativeDifficulty(
            seeds=(13,), fraud=8, train=(4,), validation=(2,), test=(2,), test_ids=(("s0",),), tiers=(tier,)
        ),
        separability=(SeparabilityRow(name="transcripts", trained_on="words", learner="tfidf-svm", groups=6, metrics=figures),),
        checks=tuple(
            AuditCheck(name=f"{probe.name}, {probe.learner}", verdict=verdict, found="as it is")
            for probe, verdict in zip(probes, verdicts, strict=True)
        ),
        notes=("the ordinary tier is not there",),
    )
