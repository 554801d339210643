"""What `ringback measure` prints and writes: the hearing of a run, or of utterances, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from core.report import phrases
from core.report.figures import Rows, edits_cell, figure_rows, rate_cell
from core.report.markdown import escape
from core.report.markdown import table as markdown_table
from core.report.text import Ink, clean, wrapped
from core.report.text import table as text_table
from core.schemas.hearing import (
    CallHearing,
    ConditionHearing,
    ErrorRate,
    HeardPair,
    HearingReport,
    PairsReport,
    TurnHearing,
    ValueAccuracy,
)

HOW_TO_READ = (
    "Rates are summed edits over summed units, normalised, with the rate as written in brackets; * is the rate to read first."
    " S/D/I: words substituted, deleted, inserted. Empty: turns of which nothing was heard, all their words deleted. In silence:"
    " words heard where none was said, counted among the inserted."
)


def kind_rows(kinds: dict[str, ValueAccuracy]) -> Rows:
    """Known values by kind."""
    return [["kind of value", "survived"], *([kind, phrases.values_text(held)] for kind, held in kinds.items())]


def turn_rows(turns: Sequence[TurnHearing]) -> Rows:
    """One row per turn: errors, what guard and recogniser thought of it, and both texts."""
    head = ["turn", "WER", "S/D/I", "CER", "damaged", "log-prob.", "guard", "said", "heard"]
    rows = [
        [
            str(turn.turn),
            rate_cell(turn.wer, False),
            edits_cell(turn.wer),
            rate_cell(turn.cer, False),
            ", ".join(turn.damaged) or "-",
            phrases.number(turn.confidence, 2),
            ", ".join(turn.guard) or "-",
            turn.intended,
            turn.heard or "(nothing)",
        ]
        for turn in turns
    ]
    return [head, *rows]


def _whole_and_slices(held: ConditionHearing) -> Rows:
    named = [("all", held.figures)]
    named += [(f"{name} {value}", each) for name, values in held.slices.items() for value, each in values.items()]
    return figure_rows("calls", named)


def _call_rows(calls: Sequence[CallHearing]) -> Rows:
    return figure_rows("call", [(call.case, call.figures) for call in calls])


def report_text(report: HearingReport, width: int, turns: bool, colour: bool = False) -> str:
    """The hearing of a run for a terminal, with every turn where `turns` are wanted."""
    ink = Ink(colour)
    lines: list[str] = []
    for condition, held in report.conditions.items():
        lines += [ink.bold(f"Hearing under {condition.value}"), *_text(_whole_and_slices(held)), ""]
        if held.figures.by_kind:
            lines += [*_text(kind_rows(held.figures.by_kind)), ""]
        if held.figures.turns:
            lines += [*_text(_call_rows(held.calls)), ""]
        for call in held.calls if turns else ():
            lines += [ink.bold(clean(call.case)), *_text(turn_rows(call.turns)), ""] if call.turns else []
    lines += [wrapped(trust.statement, width) for trust in report.trust]
    return "\n".join([*lines, ink.dim(wrapped(HOW_TO_READ, width))]) + "\n"


def report_markdown(report: HearingReport) -> str:
    """The hearing of a run as Markdown, with every turn."""
    parts = ["# Hearing", "", escape(report.bundle), ""]
    for condition, held in report.conditions.items():
        parts += [f"## {condition.value}", "", *_markdown(_whole_and_slices(held))]
        parts += _markdown(kind_rows(held.figures.by_kind)) if held.figures.by_kind else []
        if held.figures.turns:
            parts += _markdown(_call_rows(held.calls))
        for call in held.calls:
            parts += [f"### {escape(call.case)}", "", *_markdown(turn_rows(call.turns))] if call.turns else []
    parts += [f"- {escape(trust.statement)}" for trust in report.trust]
    return "\n".join([*parts, *([""] if report.trust else []), escape(HOW_TO_READ)]) + "\n"


def pairs_text(report: PairsReport, width: int) -> str:
    """Utterances for a terminal: each with its alignment and values, and the pooled figures where there are several."""
    lines: list[str] = []
    for pair in report.pairs:
        lines += _pair(pair, report.language, numbered=len(report.pairs) > 1)
    if len(report.pairs) > 1:
        lines += ["", *_text(figure_rows("utterances", [("all", report.figures)])), ""]
        lines += [*_text(kind_rows(report.figures.by_kind)), ""] if report.figures.by_kind else []
        lines.append(wrapped(HOW_TO_READ, width))
    return "\n".join(lines) + "\n"


def pairs_markdown(report: PairsReport) -> str:
    """Utterances as Markdown: the pooled figures, then a row for each."""
    parts = ["# Hearing", "", *_markdown(figure_rows("utterances", [("all", report.figures)]))]
    parts += _markdown(kind_rows(report.figures.by_kind)) if report.figures.by_kind else []
    head = ["utterance", "WER", "S/D/I", "CER", "said", "heard"]
    rows = [
        [str(pair.number), rate_cell(pair.wer, False), edits_cell(pair.wer), rate_cell(pair.cer, False), pair.said, pair.heard]
        for pair in report.pairs
    ]
    return "\n".join([*parts, *_markdown([head, *rows]), escape(HOW_TO_READ)]) + "\n"


def _pair(pair: HeardPair, language: str, numbered: bool) -> list[str]:
    wer = pair.wer
    counts = f"{wer.substitutions} substituted, {wer.deletions} deleted, {wer.insertions} inserted of {wer.reference}"
    number = f"{pair.number}: " if numbered else ""
    raw = phrases.raw_text(wer)
    lines = [f"{number}WER {_rate(wer)} ({counts}; {wer.normaliser}), raw WER {raw}, CER {_rate(pair.cer)}"]
    steps = [step for step in pair.alignment if step.op != "equal" or not numbered]
    lines += [f"  {step.op:10} {clean(step.said) or '-':30} {clean(step.heard) or '-'}" for step in steps]
    if pair.values is None:
        return [*lines, f"known values: not read in {language!r}"]
    if pair.values or not numbered:
        lines.append(f"known values: {sum(value.survived for value in pair.values)} of {len(pair.values)} survived")
    for value in pair.values:
        state, heard = "survived" if value.survived else "damaged", clean(value.heard or "") or "-"
        lines.append(f"  {state:10} {clean(value.said):30} {heard:30} {value.kind.value} {value.value}")
    return lines


def _rate(rate: ErrorRate) -> str:
    return "n/a" if rate.rate is None else phrases.number(rate.rate, 3)


def _text(rows: Rows) -> list[str]:
    return text_table([[clean(cell) for cell in row] for row in rows])


def _markdown(rows: Rows) -> list[str]:
    return markdown_table([[escape(cell) for cell in row] for row in rows])
