"""The audit of a month as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from core.report.phrases import interval
from core.report.text import clean, table, wrapped
from core.schemas.audits import (
    AuditCheck,
    AuditReport,
    Dependence,
    LearnerScore,
    MonthAudit,
    NegativeDifficulty,
    Probe,
    SeparabilityRow,
    Verdict,
)
from core.schemas.detections import Interval
from core.snapshots.audits.verdicts import check_name

WORDS = {Verdict.HOLDS: "holds", Verdict.BROKEN: "BROKEN", Verdict.CANNOT_TELL: "cannot tell"}
"""Verdicts as people read them."""
NOTE = (
    "Every call is answered by a learner that saw no call of its tree; intervals are 95 %, with trees redrawn, and for tiers "
    "t-intervals over five folds. Cannot tell: the calls are too few to hold this figure against its bound."
)


def audit_lines(found: MonthAudit, width: int) -> list[str]:
    """Lines of every table, then what cannot be told, what is broken and what could not be done, wrapped to `width` columns."""
    report = found.report
    root = "a build, not frozen" if found.root_sha256 is None else f"root {found.root_sha256[:12]}"
    labels = ", ".join(f"{count} {label.value}" for label, count in report.labels.items())
    lines = [f"{clean(found.snapshot_id)} ({root}): {report.calls} calls of {report.trees} trees: {labels}"]
    lines += ["", "What learners make of parts of a call", *_probes(found)]
    if report.oracle is not None:
        lines.append(f"oracle on the recorded actions, no word read: Macro-F1 {report.oracle.macro_f1:.3f}")
    lines += ["", "What a property says of the label", *_dependence(report.dependence)]
    lines += ["", "Trees", *_trees(report)]
    if found.difficulty is not None:
        lines += ["", "The same fraud calls against other lawful calls, Macro-F1", *_tiers(found.difficulty)]
    if found.separability:
        lines += ["", "Linear separability", *_separability(found.separability)]
    for line in ("", *_conclusion(found), "", NOTE):
        lines += wrapped(line, width).splitlines() or [""]
    return lines


def _table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """A table of cells that may come from anybody's file."""
    return table([[clean(cell) for cell in row] for row in rows], right)


def _probes(found: MonthAudit) -> list[str]:
    verdict = {check.name: WORDS[check.verdict] for check in found.checks}
    rows = [["part", "learner", "Macro-F1", "balanced accuracy", "bounds", "verdict"]]
    for probe in found.report.probes:
        figures = (probe.metrics.macro_f1, probe.macro_f1), (probe.metrics.balanced_accuracy, probe.balanced_accuracy)
        cells = (f"{value:.3f} {_interval(around)}".rstrip() for value, around in figures)
        rows.append([probe.name, _short(probe.learner), *cells, _bounds(probe) or "none", verdict.get(check_name(probe), "")])
    return _table(rows)


def _short(learner: str) -> str:
    """A learner without the id of its encoder, which stands with the distances."""
    words = learner.split()
    return " ".join((words[0], words[-1])) if len(words) > 2 else learner


def _interval(found: Interval | None) -> str:
    return "" if found is None else interval(found.low, found.high, 3)


def _bounds(probe: Probe) -> str:
    bounds = (probe.at_least, ">="), (probe.at_most, "<="), (probe.upper_at_most, "upper ends <=")
    return ", ".join(f"{sign} {bound:.2f}" for bound, sign in bounds if bound is not None)


def _dependence(found: tuple[Dependence, ...]) -> list[str]:
    rows = [["property", "seen", "values", "bits", "by chance", "p within trees", "p between"]]
    for each in found:
        between = "-" if each.p_between is None else f"{each.p_between:.3f}"
        bits = f"{each.bits:.4f}", f"{each.by_chance:.4f}"
        rows.append([each.name, str(each.observations), str(each.values), *bits, f"{each.p_within:.3f}", between])
    return _table(rows, right=range(1, 7))


def _trees(report: AuditReport) -> list[str]:
    rows = [["distance of", "within", "across", "ratio", "ratio, trees shuffled"]]
    for each in report.distance:
        ratios = ("-" if value is None else f"{value:.2f}" for value in (each.ratio, each.shuffled_ratio))
        rows.append(
            [
                {"whole": "whole calls", "suffix": "what follows openings"}[each.part],
                f"{each.within:.3f}",
                f"{each.cross:.3f}",
                *ratios,
            ]
        )
    lines = _table(rows, right=range(1, 5))
    encoders = ", ".join(dict.fromkeys(each.encoder for each in report.distance))
    moved, twins = report.transfer, report.duplicates
    left_out = f"{moved.held_out:.3f} with whole trees left out ({len(moved.trees)} trees)"
    near = f"{twins.pairs} pairs at {twins.threshold:g} or above, {twins.across_groups} of different trees"
    return [
        *lines,
        f"encoder {encoders}",
        f"fraud F1 of {moved.learner}: {left_out}, {moved.leaky:.3f} with siblings in training, gap {moved.gap:.3f}",
        f"near-duplicates: {near}, {twins.equal} with equal words",
    ]


def _tiers(found: NegativeDifficulty) -> list[str]:
    names = [score.learner for score in found.tiers[0].scores]
    rows = [["lawful calls", "calls", "groups", "overlap", "nearest", *names]]
    for tier in found.tiers:
        overlaps = f"{tier.overlap:.3f}", f"{tier.best_overlap:.3f}"
        rows.append([tier.name, str(tier.calls), str(tier.groups), *overlaps, *map(_score, tier.scores)])
    sizes = ((min(sizes), max(sizes)) for sizes in (found.train, found.validation, found.test))
    shown = ("each fold", *(f"{low}" if low == high else f"{low} to {high}" for low, high in sizes))
    return [*_table(rows, right=range(1, 5)), "calls of each class in {}: {} train, {} validate, {} test".format(*shown)]


def _score(score: LearnerScore) -> str:
    return f"{score.mean:.3f} {interval(score.interval.low, score.interval.high, 3)}"


def _separability(found: tuple[SeparabilityRow, ...]) -> list[str]:
    rows = [["tested on", "trained on", "calls", "Macro-F1", "fraud recall", "lawful recall", "called fraud"]]
    for row in found:
        of = row.metrics
        figures = (of.macro_f1, of.fraud_recall, of.nonfraud_recall, of.predicted_fraud_ratio)
        rows.append([row.name, row.trained_on, str(of.n), *(f"{value:.3f}" for value in figures)])
    return [*_table(rows, right=range(2, 7)), f"learner {found[0].learner}"]


def _conclusion(found: MonthAudit) -> list[str]:
    lines = []
    for verdict in (Verdict.CANNOT_TELL, Verdict.BROKEN):
        lines += [f"{WORDS[verdict]}: {check.name}: {check.found}" for check in found.checks if check.verdict == verdict]
    lines += [f"note: {note}" for note in found.notes]
    counts = [(sum(check.verdict == verdict for check in found.checks), WORDS[verdict]) for verdict in Verdict]
    return [*lines, f"{len(found.checks)} checks: " + ", ".join(f"{count} {word}" for count, word in counts)]


def broken(found: MonthAudit) -> tuple[AuditCheck, ...]:
    """The checks that are broken."""
    return tuple(check for check in found.checks if check.verdict == Verdict.BROKEN)
