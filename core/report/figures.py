"""Cells and rows of figures of hearing, shared by the terminal, Markdown and the page."""

from __future__ import annotations

from collections.abc import Sequence

from core.report import phrases
from core.schemas.hearing import ErrorRate, HearingFigures
from core.schemas.run import ConditionSummary, Summary

Rows = list[list[str]]
"""Cells of a table, its head first."""


def figure_rows(label: str, named: Sequence[tuple[str, HearingFigures]]) -> Rows:
    """A head and one row for each; columns in which nothing stands are left out."""
    columns = [
        [label, *(name for name, _held in named)],
        ["turns", *(str(held.turns) for _name, held in named)],
        ["WER", *(rate_cell(held.wer, held.headline in ("wer", "both")) for _name, held in named)],
        ["S/D/I", *(edits_cell(held.wer) for _name, held in named)],
        ["CER", *(rate_cell(held.cer, held.headline in ("cer", "both")) for _name, held in named)],
        ["CER, one Indic script", *(rate_cell(held.folded_cer, False) for _name, held in named)],
        ["known values", *(phrases.values_text(held.known_values) for _name, held in named)],
        ["empty", *(str(held.empty or "-") for _name, held in named)],
        ["in silence", *(f"{held.silent_insertions} in {held.silent}" if held.silent else "-" for _name, held in named)],
        ["log-prob.", *(phrases.number(held.confidence.mean, 2) for _name, held in named)],
        ["unsure", *(phrases.number(held.confidence.low_share, 2) for _name, held in named)],
        ["guard", *(guard_cell(held.guard) for _name, held in named)],
    ]
    kept = [column for column in columns if any(cell != "-" for cell in column[1:])]
    return [list(row) for row in zip(*kept, strict=True)]


def rate_cell(rate: ErrorRate | None, first: bool) -> str:
    """`0.058* (0.121)`: normalised, with a star where it is to be read first, and as written; `-` where there is none."""
    if rate is None or rate.rate is None:
        return "-"
    return f"{rate.rate:.3f}{'*' if first else ''} ({phrases.raw_text(rate)})"


def edits_cell(rate: ErrorRate | None) -> str:
    """`7/1/0 of 138`: units substituted, deleted, inserted, of those said."""
    return "-" if rate is None else f"{rate.substitutions}/{rate.deletions}/{rate.insertions} of {rate.reference}"


def guard_cell(hits: dict[str, int]) -> str:
    """`loop 1, silence 2`, `-` for none."""
    return ", ".join(f"{kind} {count}" for kind, count in sorted(hits.items())) or "-"


def condition_rows(conditions: Sequence[ConditionSummary]) -> Rows:
    """What else happened in hearing, a row per measure and a cell per condition; rows in which nothing stands are left out."""
    held = [each.hearing for each in conditions]
    rows = [
        ["CER, one Indic script", *(phrases.rate_text(each.folded_cer) if each else "-" for each in held)],
        ["Turns heard as nothing", *(str(each.empty) if each and each.empty else "-" for each in held)],
        ["Words heard in silence", *(str(each.silent_insertions) if each and each.silent else "-" for each in held)],
        ["Guard hits", *(guard_cell(each.guard) if each else "-" for each in held)],
    ]
    return [row for row in rows if any(cell != "-" for cell in row[1:])]


def slice_rows(summary: Summary, dimension: str) -> Rows:
    """Figures of each language, script or voice under each condition in which something was transcribed."""
    values = summary.hearing_slices.get(dimension, {})
    several = len({condition for held in values.values() for condition in held}) > 1
    named = [
        (f"{value}, {condition.value}" if several else value, figures)
        for value, held in values.items()
        for condition, figures in held.items()
    ]
    return figure_rows(dimension, named)
