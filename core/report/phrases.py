"""The sentences and number formats that terminal, Markdown and page share, so that one run reads the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable

from core.schemas.run import Attribution, ConditionSummary, ErrorRate, Score, Summary, ValueAccuracy

COVERAGE_FLOOR = 0.8
"""Judged weight over applicable weight below which no headline is printed."""

INTERVAL_NOTE = (
    "Intervals cover benchmark sampling only (agents, scenarios, repeats): caller, judge and weights lie outside them."
)
SLICE_NOTE = "Slices hold different agents and tasks; a difference between slices is not an effect of language or difficulty."
NO_INTERVAL = "no interval"

TITLES = {"task": "Task", "conversation": "Conversation", "overall": "Overall"}
"""Measures as people read them."""


def number(value: float | None, digits: int = 1) -> str:
    """A number with fixed digits, `-` for none."""
    return "-" if value is None else f"{value:.{digits}f}"


def signed(value: float | None, digits: int = 1) -> str:
    """A difference with its sign; a value that rounds to nothing has none."""
    if value is None:
        return "-"
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text


def interval(low: float | None, high: float | None, digits: int = 1, sign: bool = False) -> str:
    """`[low, high]`, or nothing where there is no interval."""
    if low is None or high is None:
        return ""
    show = signed if sign else number
    return f"[{show(low, digits)}, {show(high, digits)}]"


def withheld(score: Score) -> bool:
    """Whether too little was judged for this score to be a headline."""
    return score.score is not None and score.coverage is not None and score.coverage < COVERAGE_FLOOR


def score_text(score: Score) -> str:
    """`81.2 [70.1, 90.3]`, `withheld`, or `-`."""
    if withheld(score):
        return "withheld"
    return f"{number(score.score)} {interval(score.low, score.high)}".rstrip()


def points_text(score: Score) -> str:
    """Pooled points with their maximum, so that a reader can weigh otherwise: `128.5 of 131`."""
    return f"{score.points:g} of {score.max_points:g}" if score.max_points else "-"


def rate_text(rate: ErrorRate | None) -> str:
    """Normalised error rate to three digits, `-` where nothing was transcribed."""
    return "-" if rate is None else number(rate.rate, 3)


def raw_text(rate: ErrorRate | None) -> str:
    """Raw error rate to three digits."""
    return "-" if rate is None else number(rate.raw, 3)


def values_text(accuracy: ValueAccuracy) -> str:
    """`0.917 (11/12)`, `-` where no known value was said."""
    return "-" if accuracy.rate is None else f"{accuracy.rate:.3f} ({accuracy.survived}/{accuracy.occurring})"


def dropped_count(summary: ConditionSummary) -> int:
    """How many cases were dropped, whatever the class."""
    return sum(sum(reasons.values()) for reasons in summary.dropped.values())


def dropped_reasons(summary: ConditionSummary) -> list[str]:
    """`infrastructure:clip 1` for every class and reason."""
    return [
        f"{kind}:{reason} {count}"
        for kind, reasons in sorted(summary.dropped.items())
        for reason, count in sorted(reasons.items())
    ]


def dropped_text(summary: ConditionSummary) -> str:
    """All reasons on one line, or `none`."""
    return ", ".join(dropped_reasons(summary)) or "none"


def success_text(summary: ConditionSummary) -> str:
    """Success rate with its interval."""
    return f"{number(summary.success.rate, 2)} {interval(summary.success.low, summary.success.high, 2)}".rstrip()


def cutoff_text(summary: Summary) -> str:
    """`overall >= 70, provisional`."""
    rates = [condition.success for condition in summary.conditions.values()]
    cutoff = rates[0].cutoff if rates else 70.0
    provisional = ", provisional" if any(rate.provisional for rate in rates) else ""
    return f"overall >= {cutoff:g}{provisional}"


def turn_of(summary: Summary, attribution: Attribution) -> int | None:
    """The caller turn that the attribution's message belongs to, where the hearing of its case is known."""
    for case in summary.cases:
        if case.case == attribution.case:
            for turn in case.hearing:
                if attribution.message in turn.messages:
                    return turn.turn
    return None


def attribution_text(summary: Summary, attribution: Attribution) -> str:
    """One sentence: what was said, what was heard, where, and the action it broke."""
    turn = turn_of(summary, attribution)
    place = f"message {attribution.message}" if turn is None else f"turn {turn}"
    heard = f"'{attribution.heard}'" if attribution.heard else "nothing"
    return f"'{attribution.said}' heard as {heard} in {place} of {attribution.case}: action {attribution.action} failed"


def offline_note(parties: Iterable[tuple[str, str]]) -> str | None:
    """Names the parties that are programs, not models, so that nobody reads a baseline as a product."""
    named = [f"{role} {party}" for role, party in parties if party.startswith("offline:")]
    return f"Offline parties are programs, not models: {', '.join(named)}." if named else None


def withheld_notes(summary: Summary) -> list[str]:
    """One sentence per pillar whose coverage is too small for a headline."""
    notes = []
    for condition, held in summary.conditions.items():
        for name in TITLES:
            score: Score = getattr(held, name)
            if withheld(score):
                notes.append(
                    f"{TITLES[name]} under {condition.value} is withheld: only {score.coverage:.2f} of the applicable weight was "
                    f"judged (at least {COVERAGE_FLOOR:g} is needed)."
                )
    return notes


def standing(summary: Summary) -> str:
    """Whether the run is official, and if not why."""
    if summary.official:
        return "official"
    reasons = "; ".join(summary.official_reasons) or "no reason was recorded"
    return f"not official: {reasons}"


def all_notes(summary: Summary) -> list[str]:
    """Every note a reader must have beside the numbers, without repetition."""
    signature = summary.signature
    offline = offline_note((("candidate", signature.candidate), ("caller", signature.caller), ("judge", signature.judge)))
    wanted = [*withheld_notes(summary), *([offline] if offline else []), *_standing_notes(summary)]
    return list(dict.fromkeys(wanted))


def _standing_notes(summary: Summary) -> list[str]:
    """The run's own notes; the two that every report prints are added where the run does not bring them."""
    notes = list(summary.notes)
    if not any("interval" in note.lower() for note in notes):
        notes.append(INTERVAL_NOTE)
    if not any("slice" in note.lower() for note in notes):
        notes.append(SLICE_NOTE)
    return notes


def identity(summary: Summary) -> str:
    """One line that says which number this is."""
    signature = summary.signature
    parties = f"candidate {signature.candidate}, caller {signature.caller}, judge {signature.judge}"
    return f"{signature.bundle} ({signature.bundle_hash[:12]}), {parties}, seed {signature.seed}, repeats {signature.repeats}"
