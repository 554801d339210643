"""Rows of the tables of evaluations, shared by the terminal and the page, so that both show the same figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from core.report.snapshots.assemble import Month
from core.schemas.detections import (
    Baseline,
    ClassMetrics,
    Collapse,
    CollapseFinding,
    DetectionError,
    EvaluationSummary,
    Interval,
    LeaderboardRow,
    PriorBaseline,
    Scores,
)
from core.schemas.snapshots import Label
from core.snapshots.metrics import scores_of

HEADS: Mapping[str, str] = {
    "balanced_accuracy": "BA",
    "macro_f1": "Macro-F1",
    "fraud_recall": "rF",
    "nonfraud_recall": "rN",
    "fraud_f1": "F1",
    "predicted_fraud_ratio": "predF",
    "error_rate": "errors",
}
"""Figures in the order of their columns, with short heads; coverage and the collapse tag follow."""

MEANINGS = (
    "BA: balanced accuracy, the mean of both recalls; 0.5 is what whoever does not listen has. Macro-F1: mean of the F1 of both "
    "classes. rF, rN: recall of fraud and of lawful calls. F1: that of fraud, which says little alone. predF: share of calls "
    "called fraud. errors: share of answers that are no label; each is a miss of its class. coverage: share that is one."
)

ENOUGH_TREES = 20
"""Trees from which intervals hold about what they promise; `docs/snapshot-metrics.md` has the measurement."""

BASELINES: Mapping[Baseline, str] = {
    Baseline.ALL_FRAUD: "all FRAUD",
    Baseline.ALL_NONFRAUD: "all NONFRAUD",
    Baseline.COIN: "fair coin",
}


RATIO_FIGURES = ("fraud_f1", "balanced_accuracy")
"""Figures that are told at other ratios of classes: the one that the ratio moves, and the one that it does not."""


class Kind(Enum):
    """What a row is of."""

    CONFIGURATION = auto()
    """One configuration, all of its answers."""
    LABELS = auto()
    """The answers of the configuration above that are labels."""
    AVERAGE = auto()
    """A detector over its prompt languages."""
    BASELINE = auto()
    """A detector that does not listen."""


@dataclass(frozen=True)
class Line:
    """One row."""

    kind: Kind
    """What it is of."""
    number: str
    """Place on the board, by which plots name it; empty where it has none."""
    name: str
    """Who answered."""
    given: str
    """What was given, and the language of the prompt."""
    n: int
    """Answers behind it."""
    scores: Scores
    """Figures."""
    coverage: float
    """Share of answers that are labels."""
    intervals: Mapping[str, Interval]
    """Figure to its interval; empty where there is none."""
    findings: tuple[tuple[str, CollapseFinding], ...]
    """What the rules of collapse say of each evaluation behind it, by the language of its prompt."""

    @property
    def severe(self) -> bool:
        """Whether one label is given nearly always by one of them."""
        return any(finding.severe for _language, finding in self.findings)

    @property
    def tags(self) -> list[str]:
        """`balanced, parse collapse`, with the language before it where there are several."""
        several = len(self.findings) > 1
        return [(f"{language}: " if several else "") + tag_text(finding) for language, finding in self.findings]


def tag_text(finding: CollapseFinding) -> str:
    """`balanced`, `all-fraud-like, parse collapse`."""
    return tag_name(finding.tag) + (", parse collapse" if finding.parse_collapse else "")


def tag_name(tag: Collapse) -> str:
    """`all-fraud-like`."""
    return tag.value.replace("_", "-")


def given_text(row: LeaderboardRow) -> str:
    """`asr`, `audio, zh`, `audio, en+zh`: what was given, and the languages of the prompts."""
    languages = "+".join(row.prompt_languages)
    return row.mode.value + (f", {languages}" if languages else "")


def board_lines(month: Month) -> list[Line]:
    """Every configuration, below it the row of its labels alone where some answer is none, and what the ratio alone is worth."""
    lines = []
    for number, (row, one) in enumerate(zip(month.board.configurations, month.counted, strict=True), 1):
        lines.append(_line(row, Kind.CONFIGURATION, str(number)))
        if one.parsed_only is not None and one.parsed_only.n < one.metrics.n:
            lines.append(_labels_line(one, one.parsed_only))
    return lines + baseline_lines(month.board.configurations[0].baselines, month.calls)


def average_lines(month: Month) -> list[Line]:
    """Detectors over their prompt languages, where there are several, and what the ratio alone is worth."""
    rows = [row for row in month.board.averages if len(row.config_keys) > 1]
    lines = [_line(row, Kind.AVERAGE, "") for row in rows]
    return lines + baseline_lines(rows[0].baselines, rows[0].n) if rows else []


def baseline_lines(baselines: Iterable[PriorBaseline], n: int) -> list[Line]:
    """Detectors that do not listen, about as many calls."""
    return [Line(Kind.BASELINE, "", BASELINES[one.name], "nothing", n, one.scores, 1.0, {}, ()) for one in baselines]


def _line(row: LeaderboardRow, kind: Kind, number: str) -> Line:
    findings = tuple(zip(row.prompt_languages or ("",), row.collapse, strict=True))
    given = given_text(row)
    return Line(kind, number, row.detector, given, row.n, row.scores, row.coverage, row.intervals, findings)


def _labels_line(one: EvaluationSummary, metrics: ClassMetrics) -> Line:
    finding = one.collapse_parsed_only
    findings = () if finding is None else (("", finding),)
    name = f"its {metrics.n} labels"
    return Line(Kind.LABELS, "", name, "", metrics.n, scores_of(metrics), metrics.coverage, {}, findings)


def methods(month: Month) -> str:
    """Names of the methods behind the intervals of a month; empty where there are none."""
    return ", ".join(sorted({interval.method for one in month.counted for interval in one.intervals.values()}))


def notes(month: Month) -> list[str]:
    """What must be known of single rows: who heard other recordings than the frozen ones, and who has no mean over languages."""
    found = []
    places: dict[str, list[str]] = {}
    for number, row in enumerate(month.board.configurations, 1):
        if row.recordings_sha256 is not None:
            places.setdefault(row.recordings_sha256, []).append(f"#{number}")
    for digest, numbers in places.items():
        found.append(f"{', '.join(numbers)}: not the frozen recordings, but made again elsewhere ({digest[:12]}).")
    for one in month.board.unaveraged:
        said = f"{one.detector} ({one.mode}) has several prompts in one language"
        found.append(f"No mean over prompt languages: {said}, and which of them would stand for it is not guessed.")
    return found


def error_rows(month: Month) -> list[list[str]]:
    """A head, and for each configuration with errors how many of each kind, fraud calls + lawful calls; empty without errors."""
    kinds = [kind for kind in DetectionError if any(_count(one, kind) != (0, 0) for one in month.counted)]
    rows = []
    for number, (row, one) in enumerate(zip(month.board.configurations, month.counted, strict=True), 1):
        pairs = [_count(one, kind) for kind in kinds]
        total = (sum(fraud for fraud, _lawful in pairs), sum(lawful for _fraud, lawful in pairs))
        if total != (0, 0):
            rows.append(
                [str(number), row.detector, given_text(row), *(f"{fraud} + {lawful}" for fraud, lawful in (*pairs, total))]
            )
    head = ["#", "detector", "given", *(kind.value.replace("_", " ") for kind in kinds), "all"]
    return [head, *rows] if rows else []


def _count(one: EvaluationSummary, kind: DetectionError) -> tuple[int, int]:
    return one.errors[Label.FRAUD].get(kind, 0), one.errors[Label.NONFRAUD].get(kind, 0)


def alone(month: Month) -> str:
    """`, only 45 of 60 calls, listed in ids.txt`: which calls the figures are of, behind a title; empty for every call."""
    return "" if month.board.only is None else f", only {month.board.only}"


def heading(month: Month) -> str:
    """What a month holds, how many evaluations of it are told, and in which order."""
    board = month.board
    order = board.sort_by.value.replace("_", " ").replace("macro f1", "Macro-F1")
    told = plural(board.counted, "configuration")
    if board.listed > board.counted:
        told = f"{plural(board.listed, 'evaluation')} listed, {told} counted"
    return (
        f"{month.calls} calls: {month.fraud} fraud, {month.calls - month.fraud} lawful; {month.counted[0].trees} trees. "
        f"{told}, by {order}, those with severe collapse last."
    )


def plural(count: int, what: str) -> str:
    """`1 call`, `2 calls`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def interval_note(month: Month) -> str:
    """What the intervals of a month cover, and what they do not."""
    trees = month.counted[0].trees
    few = f" {trees} trees are few: fewer than {ENOUGH_TREES} make intervals too narrow." if trees < ENOUGH_TREES else ""
    return (
        f"Intervals redraw whole trees of this month ({trees}), since calls of one tree are answered alike. They cover the luck "
        f"of which trees were grown, not the change from month to month, nor another recogniser, prompt or voice.{few}"
    )


def ratio_rows(month: Month) -> list[list[str]]:
    """A head, F1 and balanced accuracy of every configuration at each ratio, and what a ratio alone is worth; empty for none."""
    measured = [one for one in month.counted if one.priors]
    if not measured:
        return []
    priors = measured[0].priors
    ratios = [f"{one.fraud}:{one.nonfraud}" for one in priors]
    rows = [["#", "detector", *(f"{HEADS[figure]} {ratio}" for figure in RATIO_FIGURES for ratio in ratios)]]
    for number, one in enumerate(month.counted, 1):
        if one.priors:
            found = [getattr(prior.mean, figure) for figure in RATIO_FIGURES for prior in one.priors]
            rows.append([str(number), one.run.detector, *(f"{value:.3f}" for value in found)])
    for name, text in BASELINES.items():
        same = [next(one for one in prior.baselines if one.name is name).scores for prior in priors]
        rows.append(["", text, *(f"{getattr(scores, figure):.3f}" for figure in RATIO_FIGURES for scores in same)])
    return rows
