"""Whether answers follow the calls at all: versioned rules, read in exact arithmetic so that a threshold is where it stands."""

from __future__ import annotations

from fractions import Fraction

from core.schemas.detections import ClassMetrics, Collapse, CollapseFinding, CollapseRules

RULES = CollapseRules(version="collapse-v1", high_recall=0.95, low_recall=0.10, ratio_gap=0.20, weak_recall=0.30, error_rate=0.20)
"""The rules in force. At two fraud calls in three the first two imply an F1 of 0.775 to 0.817."""


def collapse_of(metrics: ClassMetrics, rules: CollapseRules = RULES) -> CollapseFinding:
    """What `rules` say about figures; errors count as misses there, and are reported as parse collapse beside the tag.

    Raises:
        ValueError: the calls are of one class, where nothing can be said.
    """
    fraud = metrics.tp + metrics.fn + metrics.fraud_errors
    nonfraud = metrics.n - fraud
    if not fraud or not nonfraud:
        raise ValueError(f"collapse needs calls of both classes, not {fraud} fraud and {nonfraud} lawful ones")
    return CollapseFinding(
        rules=rules.version,
        tag=_tag(Fraction(metrics.tp, fraud), Fraction(metrics.tn, nonfraud), _ratio_gap(metrics, fraud), rules),
        parse_collapse=Fraction(metrics.fraud_errors + metrics.nonfraud_errors, metrics.n) >= _exact(rules.error_rate),
    )


def _ratio_gap(metrics: ClassMetrics, fraud: int) -> Fraction:
    """How far the predicted-fraud ratio lies from the share of fraud."""
    return Fraction(abs(metrics.tp + metrics.fp - fraud), metrics.n)


def _tag(fraud_recall: Fraction, nonfraud_recall: Fraction, gap: Fraction, rules: CollapseRules) -> Collapse:
    high, low = _exact(rules.high_recall), _exact(rules.low_recall)
    if fraud_recall >= high and nonfraud_recall <= low:
        return Collapse.ALL_FRAUD
    if nonfraud_recall >= high and fraud_recall <= low:
        return Collapse.ALL_NONFRAUD
    if gap > _exact(rules.ratio_gap) or min(fraud_recall, nonfraud_recall) < _exact(rules.weak_recall):
        return Collapse.BIASED
    return Collapse.BALANCED


def _exact(threshold: float) -> Fraction:
    """The decimal number that was written, not its neighbour in binary."""
    return Fraction(str(threshold))
