"""Sections of the page that tell of evaluations; complete without a script, and nothing is shown that is not there."""

from __future__ import annotations

from collections.abc import Sequence

from core.report.markup import Child, Html, el
from core.report.phrases import signed
from core.report.sections import data_table, section
from core.report.snapshots import plots
from core.report.snapshots.assemble import Month
from core.report.snapshots.lines import (
    BASELINES,
    HEADS,
    MEANINGS,
    RATIO_FIGURES,
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
    tag_name,
    tag_text,
)
from core.schemas.detections import Collapse, Interval, PriorResult, Scores, Transitions


def month_section(month: Month, identifier: str) -> Html:
    """One month: the board with its plots, languages, errors and repeated evaluations."""
    lines = board_lines(month)
    return section(
        identifier,
        f"Detectors on {month.board.snapshot_id}{alone(month)}",
        board_table(lines, f"Detectors on {month.board.snapshot_id}", methods(month)),
        [el("p", note) for note in notes(month)],
        el("p", MEANINGS, class_="quiet"),
        el("p", interval_note(month), class_="quiet") if methods(month) else None,
        _recalls(month, lines),
        _worth(lines),
        _languages(month),
        _errors(month),
        _repeated(month),
        lead=heading(month) + (f" 95 % intervals: {methods(month)}." if methods(month) else ""),
    )


def board_table(lines: Sequence[Line], caption: str, method: str) -> Html:
    """Figures of every row; those that do not listen, and rows of labels alone, are set apart."""
    heads: list[Child] = ["#", "Detector", "Given", "Collapse"]
    heads += [[name, el("small", "95 %")] if method else name for name in HEADS.values()]
    heads.append("coverage")
    top = el("thead", el("tr", [el("th", cell, scope="col") for cell in heads]))
    body = el("tbody", [_board_row(line) for line in lines])
    held = el("table", el("caption", caption, class_="hidden"), top, body, class_="board")
    return el("div", held, class_="scroll", tabindex=0)


def _board_row(line: Line) -> Html:
    cells: list[Child] = [
        el("td", line.number),
        el("th", line.name, scope="row"),
        el("td", line.given),
        el("td", _tag_badge(line)),
        *(el("td", value_cell(getattr(line.scores, figure), line.intervals.get(figure)), class_="number") for figure in HEADS),
        el("td", f"{line.coverage:.3f}", class_="number"),
    ]
    return el("tr", cells, class_=line.kind.name.lower() + (" severe" if line.severe else ""))


def _tag_badge(line: Line) -> Child:
    if not line.findings:
        return el("span", "does not listen" if line.kind is Kind.BASELINE else "labels of one class", class_="quiet")
    badges: list[Child] = []
    for language, finding in line.findings:
        which = f"{language}: " if len(line.findings) > 1 else ""
        look = "bad" if finding.severe else "good" if finding.tag is Collapse.BALANCED else "warn"
        badges.append(el("span", f"{which}{tag_name(finding.tag)}", class_=f"badge {look}"))
        badges.append(el("span", f"{which}parse collapse", class_="badge warn") if finding.parse_collapse else None)
    return badges


def value_cell(value: float, interval: Interval | None) -> Child:
    """A figure with its interval below it."""
    return [f"{value:.3f}", None if interval is None else el("small", f"[{interval.low:.2f}, {interval.high:.2f}]")]


def _recalls(month: Month, lines: Sequence[Line]) -> Html:
    rules = month.counted[0].rules
    caption = (
        f"Both recalls, one numbered point per configuration; diamonds do not listen. Shaded by {rules.version}: "
        "red is severe collapse, green is balanced, the rest is biased (drawn for answers without errors). On the dashed line "
        "balanced accuracy is 0.5."
    )
    return _figure(plots.recall_plot(lines, rules, month.fraud / month.calls), caption)


def _worth(lines: Sequence[Line]) -> Html:
    caption = (
        "Fraud F1 against what the ratio of classes alone is worth: the dashed line is the F1 of calling everything fraud on the "
        "same calls, and the last number is the distance from it. Red points are severe collapse."
    )
    return _figure(plots.worth_plot(lines), caption)


def _figure(plot: Html, caption: str) -> Html:
    return el("figure", plot, el("figcaption", caption))


def _languages(month: Month) -> list[Html]:
    lines = average_lines(month)
    if not lines:
        return []
    note = "Sum of answers times figure over the sum of answers. A mean hides collapse, so each language keeps its own finding."
    table = board_table(lines, "Over prompt languages", "")
    return [el("h3", "Over prompt languages"), el("p", note, class_="lead"), table]


def _errors(month: Month) -> list[Html]:
    found = error_rows(month)
    if not found:
        return []
    rows = [[f"{number} {name} ({given})", *counts] for number, name, given, *counts in found[1:]]
    title = "Answers that are no label"
    note = "By kind, fraud calls + lawful calls. An error is a miss of its class and never an answer."
    return [el("h3", title), el("p", note, class_="lead"), data_table(["Detector", *found[0][3:]], rows, title)]


def _repeated(month: Month) -> Html | None:
    if not month.board.repeated:
        return None
    listed = [
        el("li", el("code", one.config_key[:12]), f" begun {one.started_at}; the one begun {one.counted} counts")
        for one in month.board.repeated
    ]
    title = f"Repeated configurations, listed and not counted: {len(listed)}"
    return el("details", el("summary", title), el("ul", listed, class_="notes"))


def ratio_section(months: Sequence[tuple[Month, str]]) -> Html | None:
    """The answers of every month scored again at other ratios of classes; nothing where no month has calls enough."""
    made: list[Child] = []
    for month, _identifier in months:
        named = plots.named_priors(board_lines(month), month.counted)
        if not named:
            continue
        caption = (
            "The stored answers at other ratios of fraud to lawful calls. F1 slides with the ratio whatever a detector hears; "
            "balanced accuracy stays but for noise."
        )
        made += [
            el("h3", month.board.snapshot_id),
            _figure(plots.ratios_plot(named), caption),
            _ratio_table(named, month.board.snapshot_id),
        ]
    if not made:
        return None
    lead = (
        "Nobody is asked again: subsets of the calls are drawn at each ratio with five frozen seeds, the same for all detectors."
    )
    return section("ratios", "Other ratios of fraud", made, lead=lead)


_RATIO_COLUMNS = ("accuracy", *RATIO_FIGURES, "macro_f1", "fraud_recall", "nonfraud_recall", "predicted_fraud_ratio")


def _ratio_table(named: Sequence[tuple[str, Sequence[PriorResult]]], month: str) -> Html:
    heads = {"accuracy": "accuracy", **HEADS}
    head = ["Fraud : lawful", "Detector", "Calls", *(heads[figure] for figure in _RATIO_COLUMNS)]
    rows: list[list[Child]] = []
    for place, prior in enumerate(named[0][1]):
        ratio = f"{prior.fraud} : {prior.nonfraud}"
        drawn = [(name, priors[place]) for name, priors in named]
        rows += [[ratio, name, one.n, *_cells(one.mean, one.intervals)] for name, one in drawn]
        rows += [[ratio, BASELINES[one.name], prior.n, *_cells(one.scores, {})] for one in prior.baselines]
    method = next(iter(named[0][1][0].intervals.values())).method
    return el(
        "details",
        el("summary", f"Every ratio as a table, 95 % intervals {method}"),
        data_table(head, rows, f"Other ratios of classes, {month}", numeric=False),
    )


def _cells(scores: Scores, intervals: dict[str, Interval]) -> list[Child]:
    return [value_cell(getattr(scores, figure), intervals.get(figure)) for figure in _RATIO_COLUMNS]


def change_section(found: Sequence[Transitions]) -> Html | None:
    """How collapse changed from month to month; nothing for one month."""
    if not found:
        return None
    lead = (
        "Configurations that both months have, matched without the month in their key. Two months alone cannot tell a change of "
        "the world from the luck of the sample."
    )
    return section("changes", "From month to month", [_change(one) for one in found], lead=lead)


def _change(found: Transitions) -> list[Child]:
    title = el("h3", f"{found.before} to {found.after}")
    only = (
        f"Only in {found.before}: {len(found.only_before)}. Only in {found.after}: {len(found.only_after)}. Rules: {found.rules}."
    )
    if not found.moves:
        return [title, el("p", f"No configuration in common. {only}", class_="quiet")]
    head = ["Detector", "Given", "Before", "After", "Change of BA"]
    rows: list[list[Child]] = [
        [
            move.detector,
            move.mode.value + (f", {move.prompt_language}" if move.prompt_language else ""),
            tag_text(move.before),
            tag_text(move.after),
            signed(move.balanced_accuracy_change, 3),
        ]
        for move in found.moves
    ]
    caption = f"Configurations by tag before (rows) and after (columns); outlined cells did not change. {only}"
    table = data_table(head, rows, f"Configurations in {found.before} and {found.after}", numeric=False)
    return [title, _figure(plots.moves_plot(found), caption), el("details", el("summary", "Every configuration"), table)]
