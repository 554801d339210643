"""The run as Markdown, for a pull request, a wiki or a paper's appendix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from core.report import phrases
from core.report.figures import condition_rows, slice_rows
from core.report.text import clean
from core.schemas.base import Condition, Diagnostic
from core.schemas.run import Attribution, ConditionSummary, Summary


def escape(text: str) -> str:
    """A text that Markdown shows as it is, on one line and inside a table cell."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", clean(text))


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of finished cells as a pipe table; the first row is the head and every column but the first is flush right."""
    head, *body = [f"| {' | '.join(row)} |" for row in rows]
    rule = f"| --- |{' ---: |' * (len(rows[0]) - 1)}"
    return [head, rule, *body, ""]


def render_markdown(summary: Summary, more: Sequence[str] = (), run: str = ".") -> str:
    """The whole summary: scores, pairs, diagnostics, hearing, what it cost, slices and notes; `more` are lines before them.

    `run` is where the run's folder lies as seen from the file, for the links to clips.
    """
    parts = ["# Ringback run", "", escape(phrases.identity(summary)), "", f"**{escape(phrases.standing(summary))}**", ""]
    parts += ["## Scores", "", *_scores(summary)]
    if summary.paired:
        parts += ["## Paired differences", "", *_paired(summary)]
    parts += ["## Diagnostics", "", *_diagnostics(summary)]
    parts += ["## Hearing", "", *_hearing(summary)]
    for dimension in summary.hearing_slices:
        parts += table([[escape(cell) for cell in row] for row in slice_rows(summary, dimension)])
    if summary.attribution:
        parts += ["## What hearing cost", ""]
        parts += [f"- {_attribution(each, run)}" for each in summary.attribution]
        parts.append("")
    for dimension, values in summary.slices.items():
        parts += [f"## By {escape(dimension)}", "", *_slice(summary, dimension)] if values else []
    parts += more
    parts += ["## Notes", "", *(f"- {escape(note)}" for note in phrases.all_notes(summary))]
    return "\n".join(parts) + "\n"


def _attribution(each: Attribution, run: str) -> str:
    """The sentence, with a link that plays the clip."""
    clip = "" if each.clip is None else f" ([hear it]({quote(f'{run}/cases/{each.case}/{each.clip}')}))"
    return f"{escape(phrases.attribution_text(each))}{clip}"


def _scores(summary: Summary) -> list[str]:
    head = ["condition", "task", "conversation", "overall", "success", "graded", "dropped", "ended by agent's fault"]
    first = phrases.first_rate(summary)
    rows = [[*head, first.upper(), f"raw {first.upper()}", "known values"]]
    for name, held in summary.conditions.items():
        scores = [phrases.score_text(each) for each in (held.task, held.conversation, held.overall)]
        counts = [f"{held.n}/{held.planned}", escape(phrases.dropped_text(held)), escape(_faults(held))]
        errors = getattr(held, first)
        hearing = [phrases.rate_text(errors), phrases.raw_text(errors), phrases.values_text(held.known_value_accuracy)]
        rows.append([name.value, *scores, phrases.success_text(held), *counts, *hearing])
    points = [["condition", "task points", "coverage", "conversation points", "coverage"]]
    for name, held in summary.conditions.items():
        cells = [[phrases.points_text(each), phrases.number(each.coverage, 2)] for each in (held.task, held.conversation)]
        points.append([name.value, *cells[0], *cells[1]])
    over = [[escape(cell) for cell in row] for row in phrases.passes_rows(list(summary.conditions.values()))]
    small = [[escape(cell) for cell in row] for row in phrases.precision_rows(list(summary.conditions.values()))]
    shown = table([["precision of overall", *(name.value for name in summary.conditions)], *small]) if small else []
    repeats = table([["over repeats", *(name.value for name in summary.conditions)], *over]) if over else []
    lead = f"Success: {escape(phrases.cutoff_text(summary))}. Intervals are 95 %."
    return [*table(rows), *repeats, *shown, *table(points), lead, ""]


def _faults(held: ConditionSummary) -> str:
    return f"{phrases.agent_faults_text(held)} {phrases.agent_faults_detail(held)}".rstrip()


def _paired(summary: Summary) -> list[str]:
    head = ["a - b", "measure", "n", "mean", "95 % interval", "win/loss/tie"]
    rows = [
        [escape(f"{each.a} - {each.b}"), escape(each.measure), str(each.n), *phrases.paired_cells(each)]
        for each in summary.paired
    ]
    return table([head, *rows])


def _diagnostics(summary: Summary) -> list[str]:
    rows = [["diagnostic", *(name.value for name in summary.conditions)]]
    for diagnostic in Diagnostic:
        scores = [held.diagnostics.get(diagnostic) for held in summary.conditions.values()]
        rows.append([escape(diagnostic.value), *("-" if score is None else phrases.score_text(score) for score in scores)])
    return table(rows)


def _hearing(summary: Summary) -> list[str]:
    kinds = sorted({kind for held in summary.conditions.values() for kind in held.known_value_accuracy.by_kind})
    voices = sorted({voice for held in summary.conditions.values() for voice in held.known_value_accuracy.by_voice})
    rows = [["measure", *(name.value for name in summary.conditions)]]
    conditions = list(summary.conditions.values())
    rows.append(["WER normalised", *(phrases.rate_text(held.wer) for held in conditions)])
    rows.append(["WER raw", *(phrases.raw_text(held.wer) for held in conditions)])
    rows.append(["CER normalised", *(phrases.rate_text(held.cer) for held in conditions)])
    rows.append(["CER raw", *(phrases.raw_text(held.cer) for held in conditions)])
    rows.append(["known values", *(phrases.values_text(held.known_value_accuracy) for held in conditions)])
    rows += [[escape(cell) for cell in row] for row in condition_rows(conditions)]
    for title, group, names in (("kind", "by_kind", kinds), ("voice", "by_voice", voices)):
        for name in names:
            found = [getattr(held.known_value_accuracy, group).get(name) for held in conditions]
            rows.append([f"{title}: {escape(name)}", *("-" if each is None else phrases.values_text(each) for each in found)])
    return table(rows)


def _slice(summary: Summary, dimension: str) -> list[str]:
    names: list[Condition] = list(summary.conditions)
    rows = [[escape(dimension), *(name.value for name in names)]]
    for value, scores in summary.slices[dimension].items():
        rows.append([escape(value), *("-" if name not in scores else phrases.score_text(scores[name]) for name in names)])
    return table(rows)
