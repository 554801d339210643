"""What an audit's figures mean: which of them lie within their bounds, which do not, and where the calls are too few to say."""

from __future__ import annotations

from collections.abc import Iterator

from core.schemas.audits import AuditCheck, AuditReport, Dependence, NegativeDifficulty, Probe, Verdict

ENOUGH_CALLS, ENOUGH_TREES = 400, 16
"""From here on a figure outside its bound counts against the month. Below, intervals are wider than what the bounds leave, and
learners have too little to learn from; only what cannot be chance counts then."""
SOME_TREES = 10
"""Trees below which intervals, which redraw them, are too narrow for chance to be told from anything."""
EASY = 0.99
"""Least Macro-F1 of linear learners on ordinary calls."""
LINEAR = ("tfidf-lr", "tfidf-svm")
"""The learners this is asked of."""
HARDER_BY = 0.15
"""By how much siblings must be harder than every other tier, in mean Macro-F1."""
SIBLINGS, ORDINARY, UNRELATED = "siblings", "ordinary", "unrelated"
"""Names of the tiers."""


def verdicts(report: AuditReport, difficulty: NegativeDifficulty | None) -> tuple[AuditCheck, ...]:
    """Every figure that has a bound, with what came of it."""
    enough = report.calls >= ENOUGH_CALLS and report.trees >= ENOUGH_TREES
    made = [*_labels(report), *(_probe(found, enough, report.trees) for found in report.probes if _bounded(found))]
    made += [_dependence(found, enough) for found in report.dependence]
    equal = report.duplicates.equal
    made.append(AuditCheck(name="equal words", verdict=_verdict(equal == 0, True), found=f"{equal} pairs, 0 allowed"))
    return (*made, *(() if difficulty is None else _tiers(difficulty, enough)))


def _verdict(holds: bool, enough: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.BROKEN if enough else Verdict.CANNOT_TELL


def _labels(report: AuditReport) -> Iterator[AuditCheck]:
    if report.oracle is not None:
        found = report.oracle.macro_f1
        yield AuditCheck(name="oracle", verdict=_verdict(found == 1.0, True), found=f"Macro-F1 {found:.3f}, must be 1")


def check_name(probe: Probe) -> str:
    """What a probe's check is called."""
    return f"{probe.name}, {probe.learner}"


def _bounded(probe: Probe) -> bool:
    """Whether a probe has a bound; one without is shown and gets no verdict."""
    return (probe.at_least, probe.at_most, probe.upper_at_most) != (None, None, None)


def _probe(probe: Probe, enough: bool, trees: int) -> AuditCheck:
    lows = [found.low for found in (probe.macro_f1, probe.balanced_accuracy) if found is not None]
    certain = trees >= SOME_TREES and probe.at_most is not None and max(lows, default=0.0) > probe.at_most
    figures = f"Macro-F1 {probe.metrics.macro_f1:.3f}, balanced accuracy {probe.metrics.balanced_accuracy:.3f}"
    if probe.macro_f1 is not None and probe.balanced_accuracy is not None:
        figures += f", upper ends {probe.macro_f1.high:.3f} and {probe.balanced_accuracy.high:.3f}"
    bounds = ((probe.at_least, "at least"), (probe.at_most, "at most"), (probe.upper_at_most, "upper ends at most"))
    asked = ", ".join(f"{words} {bound:g}" for bound, words in bounds if bound is not None)
    return AuditCheck(
        name=check_name(probe),
        verdict=_verdict(probe.holds, enough or certain),
        found=f"{figures}; {asked}",
    )


def _dependence(found: Dependence, enough: bool) -> AuditCheck:
    """Broken where no shuffle showed as much; few calls can show a leak, and cannot show that there is none."""
    least = min(found.p_within, 1.0 if found.p_between is None else found.p_between)
    broken = least <= 1 / (1 + found.permutations)
    verdict = Verdict.BROKEN if broken else Verdict.HOLDS if enough else Verdict.CANNOT_TELL
    return AuditCheck(
        name=f"information in {found.name}",
        verdict=verdict,
        found=f"{found.bits:.4f} bits, {found.by_chance:.4f} by chance, p {least:.3f}; p above {1 / (1 + found.permutations):g}",
    )


def _tiers(difficulty: NegativeDifficulty, enough: bool) -> Iterator[AuditCheck]:
    means = {tier.name: {score.learner: score.mean for score in tier.scores} for tier in difficulty.tiers}
    for learner, mean in means.get(ORDINARY, {}).items():
        if learner in LINEAR:
            found = f"Macro-F1 {mean:.3f}, at least {EASY:g}"
            yield AuditCheck(name=f"ordinary tier, {learner}", verdict=_verdict(mean >= EASY, enough), found=found)
    for learner, hard in means.get(SIBLINGS, {}).items():
        for name in (ORDINARY, UNRELATED):
            if name in means:
                harder = means[name][learner] - hard
                found = f"Macro-F1 {harder:.3f} below the {name} tier, at least {HARDER_BY:g}"
                yield AuditCheck(
                    name=f"siblings against {name}, {learner}", verdict=_verdict(harder >= HARDER_BY, enough), found=found
                )
