"""Evaluations of months as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from core.report.month_audit import audit_lines
from core.report.snapshots.assemble import Month, Told
from core.report.snapshots.lines import (
    HEADS,
    MEANINGS,
    Kind,
    Line,
    alone,
    average_lines,
    board_lines,
    error_rows,
    heading,
    interval_note,
    methods,
    notes,
    ratio_rows,
    tag_name,
)
from core.report.text import Ink, clean, columns, table, wrapped
from core.schemas.detections import Collapse, Transitions

SHOWN_INTERVALS = ("balanced_accuracy", "macro_f1", "fraud_recall", "nonfraud_recall", "fraud_f1")
_SHORT = {"Macro-F1": "MacF1", "errors": "error"}
"""Heads that would make a column wider than its figures."""
PARSE = "*"
"""Marks parse collapse."""

SHORTEST = 16
"""Columns that a detector's name has at least."""


def render_report(told: Told, width: int = 100, colour: bool = False) -> str:
    """Every table for a terminal of `width` columns; what is not there is left out."""
    ink = Ink(colour)
    parts: list[str] = []
    for month in told.months:
        parts += _month(month, width, ink)
    for found in told.report.transitions:
        parts += [ink.bold(f"From {clean(found.before)} to {clean(found.after)}"), *_moves(found, width), ""]
    for audit in told.report.audits:
        head, *lines = audit_lines(audit, width)
        parts += [ink.bold(f"Audit of {head}"), *lines, ""]
    parts.append(ink.dim(wrapped(MEANINGS, width)))
    return "\n".join(parts) + "\n"


def _month(month: Month, width: int, ink: Ink) -> list[str]:
    lines = board_lines(month)
    title = clean(f"{month.board.snapshot_id} ({month.board.root_sha256[:12]}){alone(month)}")
    parts = [ink.bold(title), wrapped(heading(month), width), ""]
    parts += [*_scores(lines, width), ""]
    for note in notes(month):
        parts += [wrapped(clean(note), width), ""]
    if methods(month):
        parts += [
            ink.bold(f"95 % intervals, {methods(month)}"),
            *_intervals(lines),
            ink.dim(wrapped(interval_note(month), width)),
            "",
        ]
    averages = average_lines(month)
    if averages:
        parts += [ink.bold("Over prompt languages, weighted by answers"), *_scores(averages, width), ""]
    for title, rows, right in (
        ("Other ratios of fraud to lawful calls, mean over five draws", ratio_rows(month), range(2, 12)),
        ("Answers that are no label: fraud + lawful calls", error_rows(month), range(3, 12)),
    ):
        if rows:
            fitted = _fitted([[clean(cell) for cell in row] for row in rows], 1, width)
            parts += [ink.bold(title), *table(fitted, right=right), ""]
    if month.board.repeated:
        listed = [f"{one.config_key[:12]} of {one.started_at}, counted is that of {one.counted}" for one in month.board.repeated]
        parts += [wrapped(f"Repeated configurations, listed and not counted: {'; '.join(listed)}", width), ""]
    return parts


def _scores(lines: Sequence[Line], width: int) -> list[str]:
    rows = [["#", "detector", "given", *(_SHORT.get(head, head) for head in HEADS.values()), "cover", "collapse"]]
    for line in lines:
        name = f"  {line.name}" if line.kind is Kind.LABELS else clean(line.name)
        values = [f"{getattr(line.scores, figure):.3f}" for figure in HEADS]
        rows.append([line.number, name, line.given, *values, f"{line.coverage:.3f}", _tag(line)])
    fitted = _fitted(rows, 1, width)
    cut = [f"{row[0] or row[2]} {row[1]}" for row, shown in zip(rows, fitted, strict=True) if row[1] != shown[1]]
    several = [f"{line.name}, {line.given}: {'; '.join(line.tags)}" for line in lines if len(line.findings) > 1]
    silent = [f"{PARSE} parse collapse: too many answers are no label for the tag to say much"] if _any_silent(lines) else []
    return [*table(fitted, right=(0, *range(3, 11))), *(wrapped(text, width) for text in (*silent, *cut, *several))]


def _tag(line: Line) -> str:
    """The tag in few columns: `balanced`, `biased*`; the worst one where there are several."""
    found = [finding for _language, finding in line.findings]
    if not found:
        return "-"
    worst = min(found, key=lambda finding: list(Collapse).index(finding.tag))
    return tag_name(worst.tag) + PARSE * any(finding.parse_collapse for finding in found)


def _any_silent(lines: Sequence[Line]) -> bool:
    return any(finding.parse_collapse for line in lines for _language, finding in line.findings)


def _fitted(rows: Sequence[Sequence[str]], place: int, width: int) -> list[list[str]]:
    """The same rows with the cells of one column cut, where the table would be too wide and as far as that helps."""
    widths = [max(columns(row[index]) for row in rows) for index in range(len(rows[0]))]
    room = max(SHORTEST, widths[place] - max(0, sum(widths) + 2 * (len(widths) - 1) - width))
    return [[cell if index != place else _cut(cell, room) for index, cell in enumerate(row)] for row in rows]


def _cut(text: str, room: int) -> str:
    return text if columns(text) <= room else f"{text[: room - 3]}..."


def _intervals(lines: Sequence[Line]) -> list[str]:
    rows = [["#", *(HEADS[figure] for figure in SHOWN_INTERVALS)]]
    for line in lines:
        if line.kind is Kind.CONFIGURATION and line.intervals:
            found = [line.intervals[figure] for figure in SHOWN_INTERVALS]
            rows.append([line.number, *(f"[{one.low:.3f}, {one.high:.3f}]" for one in found)])
    return table(rows, right=(0,))


def _moves(found: Transitions, width: int) -> list[str]:
    if not found.moves:
        return ["No configuration in common."]
    tags = {tag: tag_name(tag) for tag in Collapse}
    head = ["before \\ after", *tags.values()]
    rows = [[tags[before], *(str(found.table[before][after]) for after in Collapse)] for before in Collapse]
    only = f"Only before: {len(found.only_before)} configurations, only after: {len(found.only_after)}. Rules {found.rules}."
    return [*table([head, *rows], right=range(1, 5)), wrapped(only, width)]
