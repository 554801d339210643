"""Sections of the page that tell of audits of a month's calls; what an audit lacks is left out."""

from __future__ import annotations

from collections.abc import Mapping

from core.report.markup import Child, Html, el
from core.report.month_audit import WORDS
from core.report.sections import data_table, section
from core.report.snapshots.lines import plural
from core.report.snapshots.plots import Mark, rows_plot
from core.schemas.audits import (
    Dependence,
    LearnerScore,
    MonthAudit,
    NearDuplicates,
    NegativeDifficulty,
    Probe,
    SeparabilityRow,
    Transfer,
    TreeDistance,
    Verdict,
)
from core.schemas.detections import ClassMetrics
from core.snapshots.audits.verdicts import check_name

_LOOKS = {Verdict.HOLDS: "good", Verdict.BROKEN: "bad", Verdict.CANNOT_TELL: "warn"}
_FIGURES = {
    "macro_f1": "Macro-F1",
    "balanced_accuracy": "BA",
    "fraud_recall": "rF",
    "nonfraud_recall": "rN",
    "predicted_fraud_ratio": "predF",
}


def audit_section(audit: MonthAudit, identifier: str) -> Html:
    """One audit: how hard its lawful calls are, by which side doors labels could be guessed, and how its trees hang together."""
    report = audit.report
    parts: list[Child] = [
        _checks(audit),
        None if audit.difficulty is None else _difficulty(audit.difficulty),
        _probes(audit),
        _separability(audit.separability),
        _distances(report.distance),
        _transfer(report.transfer),
        _dependence(report.dependence),
        _duplicates(report.duplicates),
        el("ul", [el("li", note) for note in audit.notes], class_="notes") if audit.notes else None,
    ]
    labels = ", ".join(f"{count} {label.value}" for label, count in report.labels.items())
    root = "a build that is not frozen" if audit.root_sha256 is None else audit.root_sha256[:12]
    lead = f"{plural(report.calls, 'call')} ({labels}) of {plural(report.trees, 'tree')}, {root}. No detector is asked here."
    return section(identifier, f"Audit of {audit.snapshot_id}", parts, lead=lead)


def _checks(audit: MonthAudit) -> Child:
    if not audit.checks:
        return None
    rows: list[list[Child]] = [
        [check.name, el("span", check.verdict.value.replace("_", " "), class_=f"badge {_LOOKS[check.verdict]}"), check.found]
        for check in audit.checks
    ]
    counts = [(verdict, sum(check.verdict is verdict for check in audit.checks)) for verdict in Verdict]
    title = ", ".join(f"{count} {verdict.value.replace('_', ' ')}" for verdict, count in counts if count)
    table = data_table(["Bound", "Verdict", "Found"], rows, "Figures that have a bound", numeric=False)
    return el(
        "details", el("summary", f"Bounds: {title}"), table, open=any(check.verdict is Verdict.BROKEN for check in audit.checks)
    )


def _difficulty(found: NegativeDifficulty) -> list[Child]:
    groups = []
    for tier in found.tiers:
        title = f"{tier.name}: {plural(tier.calls, 'call')}, overlap {tier.overlap:.3f}, with the nearest {tier.best_overlap:.3f}"
        groups.append((title, [Mark(score.learner, score.mean, score.interval) for score in tier.scores]))
    method = _method(found.tiers[0].scores[0]) if found.tiers and found.tiers[0].scores else ""
    caption = (
        f"Macro-F1 of shallow learners on the same {found.fraud} fraud calls against each kind of lawful calls, mean of "
        f"{plural(len(found.seeds), 'fold')} with 95 % intervals ({method}). Overlap: Jaccard index of sets of character pairs, "
        "mean over pairs of a fraud and a lawful call. Trees are never parted by a split."
    )
    plot = rows_plot(groups, "Macro-F1 by kind of lawful calls")
    return [el("h3", "How hard the lawful calls are"), el("figure", plot, el("figcaption", caption))]


def _method(score: LearnerScore) -> str:
    return score.interval.method


def _probes(audit: MonthAudit) -> list[Child]:
    report, verdicts = audit.report, {check.name: check.verdict for check in audit.checks}
    if not report.probes:
        return []
    marks = [
        Mark(f"{probe.name}, {_learner(probe)}", probe.metrics.macro_f1, probe.macro_f1, *_look(probe, verdicts))
        for probe in report.probes
    ]
    if report.oracle is not None:
        marks.append(Mark("recorded actions, no word", report.oracle.macro_f1))
    caption = (
        "Macro-F1 of learners that are shown one part of each call and trained on other trees, with 95 % intervals over trees. "
        "The green band is where the figure must lie. Red points break a bound; at grey ones the calls are too few to tell."
    )
    head = ["Shown", "Learner", *_FIGURES.values(), "Bounds"]
    rows: list[list[Child]] = [[probe.name, probe.learner, *_figures(probe.metrics), _bounds(probe)] for probe in report.probes]
    return [
        el("h3", "What a part of the call tells"),
        el("figure", rows_plot([("", marks)], "Macro-F1 by part of the call"), el("figcaption", caption)),
        el("details", el("summary", "Every probe as a table"), data_table(head, rows, "Probes", numeric=False)),
    ]


def _learner(probe: Probe) -> str:
    return probe.learner.split(" ")[0]


def _look(probe: Probe, verdicts: Mapping[str, Verdict]) -> tuple[str, str, float | None, float | None]:
    """Class of the point, note, and the band that it must lie in."""
    verdict = verdicts.get(check_name(probe), Verdict.HOLDS if probe.holds else Verdict.BROKEN)
    looks = {Verdict.HOLDS: "", Verdict.BROKEN: "low", Verdict.CANNOT_TELL: "unsure"}
    return looks[verdict], "" if verdict is Verdict.HOLDS else WORDS[verdict], probe.at_least, probe.at_most


def _bounds(probe: Probe) -> str:
    told = [
        f"{text} {bound:g}"
        for text, bound in (("at least", probe.at_least), ("at most", probe.at_most), ("upper end at most", probe.upper_at_most))
        if bound is not None
    ]
    return ", ".join(told) or "none"


def _figures(metrics: ClassMetrics) -> list[str]:
    return [f"{getattr(metrics, figure):.3f}" for figure in _FIGURES]


def _separability(found: tuple[SeparabilityRow, ...]) -> list[Child]:
    if not found:
        return []
    head = ["Tested on", "Trained on", "Learner", "Groups", "Calls", *_FIGURES.values()]
    rows: list[list[Child]] = [
        [row.name, row.trained_on, row.learner, row.groups, row.metrics.n, *_figures(row.metrics)] for row in found
    ]
    return [el("h3", "Linear separability"), data_table(head, rows, "Linear separability", numeric=False)]


def _distances(found: tuple[TreeDistance, ...]) -> list[Child]:
    if not found:
        return []
    head = ["Part", "Encoder", "Calls", "Trees", "Within", "Across", "Ratio", "Ratio, trees shuffled"]
    rows: list[list[Child]] = [
        [
            "whole call" if row.part == "whole" else "after the opening",
            row.encoder,
            row.calls,
            row.trees,
            f"{row.within:.4f}",
            f"{row.cross:.4f}",
            *("-" if ratio is None else f"{ratio:.1f}" for ratio in (row.ratio, row.shuffled_ratio)),
        ]
        for row in found
    ]
    note = "Mean cosine distance of calls of one tree and of different trees. With tree ids shuffled the ratio is about 1."
    return [
        el("h3", "Distance within and across trees"),
        el("p", note, class_="lead"),
        data_table(head, rows, "Distances", numeric=False),
    ]


def _transfer(found: Transfer) -> list[Child]:
    marks = [
        Mark("as many calls of all trees", found.leaky),
        Mark(f"whole trees left out ({len(found.trees)})", found.held_out, note=f"gap {found.gap:.3f}"),
    ]
    caption = (
        f"Mean fraud F1 of {found.learner}: what siblings in training are worth. Only trees that hold both classes are left out, "
        "so each has its own ratio of classes."
    )
    plot = rows_plot([("", marks)], "Fraud F1 with siblings in training and without")
    return [el("h3", "Leaving whole trees out"), el("figure", plot, el("figcaption", caption))]


def _dependence(found: tuple[Dependence, ...]) -> list[Child]:
    if not found:
        return []
    head = ["Property", "Seen", "Values", "Bits", "By chance", "p inside trees", "p between trees", "Permutations"]
    rows: list[list[Child]] = [
        [
            row.name,
            row.observations,
            row.values,
            f"{row.bits:.4f}",
            f"{row.by_chance:.4f}",
            f"{row.p_within:.3f}",
            "-" if row.p_between is None else f"{row.p_between:.3f}",
            row.permutations,
        ]
        for row in found
    ]
    note = "Mutual information of property and label, against what permutations give."
    return [
        el("h3", "What voices and deliveries say of the label"),
        el("p", note, class_="lead"),
        data_table(head, rows, "Dependence"),
    ]


def _duplicates(found: NearDuplicates) -> list[Child]:
    note = (
        f"{plural(found.pairs, 'pair')} of calls at a Jaccard index of {found.threshold:g} or more "
        f"({found.shingle}-character runs); {found.across_groups} of different trees, {found.equal} with equal words."
    )
    parts: list[Child] = [el("h3", "Near duplicates"), el("p", note, class_="lead")]
    if found.listed:
        rows: list[list[Child]] = [
            [pair.first, pair.second, f"{pair.jaccard:.3f}", "yes" if pair.same_group else "no"] for pair in found.listed
        ]
        table = data_table(["Call", "Call", "Jaccard", "Same tree"], rows, "Near duplicates", numeric=False)
        parts.append(el("details", el("summary", f"The nearest {plural(len(rows), 'pair')}"), table))
    return parts
