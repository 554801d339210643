"""Plots of evaluations as inline SVG: both recalls, F1 against what the ratio is worth, other ratios, and change by month."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.report.markup import Child, Html, el
from core.report.plots import Axis
from core.report.snapshots.lines import BASELINES, HEADS, RATIO_FIGURES, Kind, Line, tag_name
from core.schemas.detections import (
    Baseline,
    Collapse,
    CollapseRules,
    EvaluationSummary,
    Interval,
    PriorBaseline,
    PriorResult,
    Transitions,
)

WIDTH = 760
NAMES = 250
"""Pixels for the names of rows."""
FIGURES = 205
"""Pixels for figures at the right end of rows."""
LETTERS = 32
"""Letters of a name that fit there."""
ROW = 24
SIDE = 400
"""Side of the square of recalls."""
LEGEND = 17
"""Names beside it."""
TOP = 26
"""Pixels above it."""
NEAR = 15.0
"""Points nearer than so many pixels share their label."""
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class Spot(NamedTuple):
    """A place in the square of recalls, 0 to 1 each."""

    fraud_recall: float
    nonfraud_recall: float


@dataclass(frozen=True)
class Mark:
    """One row of a plot of figures from 0 to 1."""

    name: str
    """What stands beside it."""
    value: float
    """The figure."""
    interval: Interval | None = None
    """Its interval."""
    kind: str = ""
    """Further classes of the point."""
    note: str = ""
    """Short text at the right end."""
    low: float | None = None
    """Least value that it may have."""
    high: float | None = None
    """Greatest value that it may have."""


def figure(parts: Sequence[Child], height: float, label: str) -> Html:
    """An SVG with its text alternative, in a box that scrolls by keyboard where the screen is narrow."""
    body = el("svg", parts, viewBox=f"0 0 {WIDTH} {height:g}", role="img", aria_label=label)
    return el("div", body, class_="plot", tabindex=0)


def recall_plot(lines: Sequence[Line], rules: CollapseRules, share: float) -> Html:
    """Fraud recall against lawful recall, a numbered point per configuration, over the regions of the collapse rules.

    `share` is that of fraud among the calls, on which the region of `balanced` depends.
    """
    across = Axis(0.0, 1.0, left=64, right=64 + SIDE)
    up = Axis(0.0, 1.0, left=TOP + SIDE, right=TOP)
    parts: list[Child] = [_regions(across, up, rules, share), _square(across, up)]
    parts += [_baseline_spot(across, up, line) for line in lines if line.kind is Kind.BASELINE]
    points = [line for line in lines if line.kind is Kind.CONFIGURATION]
    places = [(across.x(line.scores.fraud_recall), up.x(line.scores.nonfraud_recall)) for line in points]
    parts += [
        el("circle", el("title", _spot_text(line)), cx=x, cy=y, r=5, class_="point")
        for line, (x, y) in zip(points, places, strict=True)
    ]
    parts += [_number(group, places, points, across.right) for group in near_groups(places)]
    legend = [f"{line.number}  {_cut(line.name, 34)}" for line in points]
    if len(legend) > LEGEND:
        legend = [*legend[: LEGEND - 1], f"… numbers up to {points[-1].number} as in the table"]
    parts += [el("text", text, x=across.right + 28, y=28 + place * 19, class_="tick") for place, text in enumerate(legend)]
    label = "Fraud recall and lawful recall. " + "; ".join(_spot_text(line) for line in lines if line.kind is not Kind.LABELS)
    return figure(parts, TOP + SIDE + 48, label)


def _spot_text(line: Line) -> str:
    tags = f", {'; '.join(line.tags)}" if line.tags else ""
    place = f"{line.number} " if line.number else ""
    return f"{place}{line.name}: {line.scores.fraud_recall:.3f} and {line.scores.nonfraud_recall:.3f}{tags}"


def _square(across: Axis, up: Axis) -> Html:
    parts: list[Child] = []
    for tick in TICKS:
        x, y = across.x(tick), up.x(tick)
        parts.append(el("line", x1=x, x2=x, y1=up.right, y2=up.left, class_="grid"))
        parts.append(el("line", x1=across.left, x2=across.right, y1=y, y2=y, class_="grid"))
        parts.append(el("text", f"{tick:g}", x=x, y=up.left + 17, class_="tick", text_anchor="middle"))
        parts.append(el("text", f"{tick:g}", x=across.left - 8, y=y + 4, class_="tick", text_anchor="end"))
    parts.append(el("line", x1=across.x(0), x2=across.x(1), y1=up.x(1), y2=up.x(0), class_="cutoff"))
    centre = (across.left + across.right) / 2
    parts.append(el("text", "fraud recall →", x=centre, y=up.left + 38, class_="label", text_anchor="middle"))
    turned = f"rotate(-90 16 {up.x(0.5):g})"
    parts.append(el("text", "lawful recall →", x=16, y=up.x(0.5), class_="label", text_anchor="middle", transform=turned))
    return el("g", parts)


def _regions(across: Axis, up: Axis, rules: CollapseRules, share: float) -> Html:
    """Where the tags hold, for answers without errors."""
    corners = {
        Collapse.ALL_FRAUD: _box(rules.high_recall, 1.0, 0.0, rules.low_recall),
        Collapse.ALL_NONFRAUD: _box(0.0, rules.low_recall, rules.high_recall, 1.0),
    }
    shapes = [("balanced", balanced_region(rules, share)), *(("severe", box) for box in corners.values())]
    parts: list[Child] = [
        el("polygon", points=" ".join(f"{across.x(spot[0]):g},{up.x(spot[1]):g}" for spot in shape), class_=f"region {name}")
        for name, shape in shapes
        if shape
    ]
    named = (
        (Collapse.ALL_FRAUD, across.right + 14, up.x(rules.low_recall / 2) + 4, "start"),
        (Collapse.ALL_NONFRAUD, across.left, TOP - 12, "start"),
        (Collapse.BALANCED, across.right - 8, up.x(1.0) + 20, "end"),
        (Collapse.BIASED, across.x(0.04), up.x(0.05), "start"),
    )
    parts += [
        el("text", tag_name(tag), x=round(x, 2), y=round(y, 2), class_="tick", text_anchor=anchor) for tag, x, y, anchor in named
    ]
    return el("g", parts)


def _box(left: float, right: float, low: float, high: float) -> list[Spot]:
    return [Spot(left, low), Spot(right, low), Spot(right, high), Spot(left, high)]


def balanced_region(rules: CollapseRules, share: float) -> list[Spot]:
    """Corners of the region that the rules call balanced at a share of fraud, for answers without errors.

    Inside it the smaller recall is at least `weak_recall`, and the predicted-fraud ratio, which is
    share rF + (1 - share) (1 - rN), lies within `ratio_gap` of the share.
    """
    shape = _box(rules.weak_recall, 1.0, rules.weak_recall, 1.0)
    for sign in (1.0, -1.0):
        shape = _clip(shape, sign * share, -sign * (1 - share), rules.ratio_gap - sign * (1 - 2 * share))
    return shape


def _clip(shape: Sequence[Spot], a: float, b: float, most: float) -> list[Spot]:
    """The part of a convex shape where a rF + b rN is at most `most`."""
    kept: list[Spot] = []
    for spot, following in zip(shape, [*shape[1:], *shape[:1]], strict=True):
        here, there = (a * one[0] + b * one[1] - most for one in (spot, following))
        if here <= 0:
            kept.append(spot)
        if (here < 0) != (there < 0) and here != there:
            part = here / (here - there)
            kept.append(Spot(*(one + part * (other - one) for one, other in zip(spot, following, strict=True))))
    return kept


def _baseline_spot(across: Axis, up: Axis, line: Line) -> Html:
    x, y = across.x(line.scores.fraud_recall), up.x(line.scores.nonfraud_recall)
    return el("path", el("title", _spot_text(line)), d=_diamond(x, y, 9), class_="point prior")


def _diamond(x: float, y: float, reach: float) -> str:
    return f"M{x - reach:g} {y:g}L{x:g} {y - reach:g}L{x + reach:g} {y:g}L{x:g} {y + reach:g}Z"


def near_groups(places: Sequence[tuple[float, float]]) -> list[list[int]]:
    """Indices of points, those together that lie near the first of their group, so that labels do not cover each other."""
    groups: list[list[int]] = []
    for index, (x, y) in enumerate(places):
        for group in groups:
            first = places[group[0]]
            if abs(first[0] - x) < NEAR and abs(first[1] - y) < NEAR:
                group.append(index)
                break
        else:
            groups.append([index])
    return groups


def _number(group: Sequence[int], places: Sequence[tuple[float, float]], points: Sequence[Line], edge: float) -> Html:
    text = ", ".join(points[index].number for index in group)
    if len(group) > 4:
        text = f"{points[group[0]].number} and {len(group) - 1} more"
    x, y = max(places[index][0] for index in group), places[group[0]][1]
    left = x > edge - 60
    x = min(places[index][0] for index in group) - 10 if left else x + 10
    return el("text", text, x=x, y=y - 8 if y > 30 else y + 14, class_="value", text_anchor="end" if left else "start")


def rows_plot(groups: Sequence[tuple[str, Sequence[Mark]]], label: str, line: tuple[float, str] | None = None) -> Html:
    """Figures from 0 to 1 with their intervals, a row each under the title of its group; `line` is drawn through all rows."""
    axis = Axis(0.0, 1.0, left=NAMES, right=WIDTH - FIGURES)
    top = 26.0 if line else 8.0
    bottom = top + 6 + sum(len(marks) * ROW + (26 if title else 0) for title, marks in groups)
    parts: list[Child] = [_grid(axis, top, bottom)]
    if line is not None:
        x = axis.x(line[0])
        parts.append(el("line", x1=x, x2=x, y1=top, y2=bottom, class_="cutoff"))
        parts.append(el("text", line[1], x=x, y=14, class_="tick", text_anchor="middle"))
    y = top + 6
    for title, marks in groups:
        if title:
            parts.append(el("text", title, x=0, y=y + 14, class_="group"))
            y += 26
        for mark in marks:
            parts.append(_mark_row(axis, y + ROW / 2 - 6, mark))
            y += ROW
    told = "; ".join(f"{title + ' ' if title else ''}{_mark_text(mark)}" for title, marks in groups for mark in marks)
    return figure(parts, bottom + 26, f"{label}. {told}")


def _mark_text(mark: Mark) -> str:
    bounds = "" if mark.interval is None else f" [{mark.interval.low:.3f}, {mark.interval.high:.3f}]"
    return f"{mark.name}: {mark.value:.3f}{bounds}{' ' + mark.note if mark.note else ''}"


def _mark_row(axis: Axis, y: float, mark: Mark) -> Html:
    parts: list[Child] = [
        el("title", _mark_text(mark)),
        el("text", _cut(mark.name, LETTERS), x=axis.left - 12, y=y + 4, class_="label", text_anchor="end"),
    ]
    if mark.low is not None or mark.high is not None:
        left, right = axis.x(mark.low or 0.0), axis.x(1.0 if mark.high is None else mark.high)
        parts.append(el("rect", x=left, y=y - 9, width=round(right - left, 2), height=18, class_="region balanced"))
    if mark.interval is not None:
        left, right = axis.x(mark.interval.low), axis.x(mark.interval.high)
        parts.append(el("rect", x=left, y=y - 4, width=max(2.0, round(right - left, 2)), height=8, rx=4, class_="whisker"))
    x = axis.x(mark.value)
    if "prior" in mark.kind.split():
        parts.append(el("path", d=_diamond(x, y, 6), class_="point prior"))
    else:
        parts.append(el("circle", cx=x, cy=y, r=5, class_=f"point {mark.kind}".rstrip()))
    parts.append(el("text", f"{mark.value:.3f}", x=axis.right + 12, y=y + 4, class_="value"))
    bounds = "" if mark.interval is None else f"[{mark.interval.low:.2f}, {mark.interval.high:.2f}]"
    parts.append(el("text", " ".join(part for part in (bounds, mark.note) if part), x=axis.right + 54, y=y + 4, class_="tick"))
    return el("g", parts)


def _grid(axis: Axis, top: float, bottom: float) -> Html:
    parts = []
    for tick in TICKS:
        parts.append(el("line", x1=axis.x(tick), x2=axis.x(tick), y1=top, y2=bottom, class_="grid"))
        parts.append(el("text", f"{tick:g}", x=axis.x(tick), y=bottom + 16, class_="tick", text_anchor="middle"))
    return el("g", parts)


def worth_plot(lines: Sequence[Line]) -> Html:
    """Fraud F1 of every configuration against what calling everything fraud is worth on the same calls."""
    worth = next(line for line in lines if line.name == BASELINES[Baseline.ALL_FRAUD]).scores.fraud_f1
    marks = [
        Mark(
            f"{line.number} {line.name}".lstrip(),
            line.scores.fraud_f1,
            line.intervals.get("fraud_f1"),
            "prior" if line.kind is Kind.BASELINE else "low" if line.severe else "",
            f"{line.scores.fraud_f1 - worth:+.3f}",
        )
        for line in lines
        if line.kind is not Kind.LABELS
    ]
    text = f"all FRAUD {worth:.3f}"
    return rows_plot([("", marks)], f"Fraud F1 against {worth:.3f}, the F1 of calling everything fraud", (worth, text))


def ratios_plot(named: Sequence[tuple[str, Sequence[PriorResult]]]) -> Html:
    """F1 and balanced accuracy at each ratio of classes: a row per configuration, a point per ratio, the growing share filled."""
    rows: list[tuple[str, Mapping[str, Sequence[float]], str]] = [
        (name, {figure_: [getattr(one.mean, figure_) for one in priors] for figure_ in RATIO_FIGURES}, "")
        for name, priors in named
    ]
    for which, text in BASELINES.items():
        found = [_baseline(one.baselines, which) for one in named[0][1]]
        rows.append((text, {figure_: [getattr(one.scores, figure_) for one in found] for figure_ in RATIO_FIGURES}, "prior"))
    panels = [Axis(0.0, 1.0, left=NAMES, right=NAMES + 215), Axis(0.0, 1.0, left=NAMES + 275, right=NAMES + 490)]
    bottom = 52.0 + len(rows) * ROW
    parts: list[Child] = []
    for axis, name in zip(panels, RATIO_FIGURES, strict=True):
        parts.append(_grid(axis, 46, bottom))
        parts.append(el("text", HEADS[name], x=axis.left, y=36, class_="group"))
        for place, (_label, values, kind) in enumerate(rows):
            parts.append(_ratio_row(axis, 50 + place * ROW + ROW / 2, values[name], kind))
    parts += [
        el("text", _cut(name, LETTERS), x=NAMES - 12, y=54 + place * ROW + ROW / 2, class_="label", text_anchor="end")
        for place, (name, _values, _kind) in enumerate(rows)
    ]
    ratios = " → ".join(f"{one.fraud}:{one.nonfraud}" for one in named[0][1])
    parts.append(el("text", f"fraud to lawful {ratios}: the fuller, the more fraud", x=NAMES, y=14, class_="tick"))
    told = "; ".join(
        f"{name}: " + ", ".join(f"{HEADS[each]} {' '.join(f'{value:.3f}' for value in found)}" for each, found in values.items())
        for name, values, _kind in rows
    )
    return figure(parts, bottom + 24, f"F1 and balanced accuracy at {ratios} fraud to lawful calls. {told}")


def _baseline(baselines: Sequence[PriorBaseline], which: Baseline) -> PriorBaseline:
    return next(one for one in baselines if one.name is which)


def _ratio_row(axis: Axis, y: float, values: Sequence[float], kind: str) -> Html:
    places = [axis.x(value) for value in values]
    parts: list[Child] = [el("line", x1=min(places), x2=max(places), y1=y, y2=y, class_="way")]
    # The smallest share first, so that points in one place show the largest on top.
    parts += [
        el("circle", el("title", f"{value:.3f}"), cx=x, cy=y, r=4.5, class_=f"point ratio-{level} {kind}".rstrip())
        for level, (x, value) in enumerate(zip(places, values, strict=True))
    ]
    return el("g", parts)


def moves_plot(found: Transitions) -> Html:
    """Tags before in rows, tags after in columns, and in each cell how many configurations moved there."""
    tags = list(Collapse)
    most = max((count for line in found.table.values() for count in line.values()), default=0)
    left, top, wide, high = 210.0, 58.0, 130.0, 40.0
    parts: list[Child] = [
        el("text", f"{found.before} ↓", x=left - 14, y=top - 12, class_="group", text_anchor="end"),
        el("text", f"{found.after} →", x=left, y=16, class_="group"),
    ]
    for column, tag in enumerate(tags):
        x = left + column * wide + wide / 2
        parts.append(el("text", tag_name(tag), x=x, y=top - 12, class_="label", text_anchor="middle"))
    for row, before in enumerate(tags):
        y = top + row * high
        parts.append(el("text", tag_name(before), x=left - 14, y=y + high / 2 + 4, class_="label", text_anchor="end"))
        for column, after in enumerate(tags):
            parts.append(_cell(left + column * wide, y, wide, high, found.table[before][after], most, before is after))
    told = "; ".join(
        f"{tag_name(before)} to {tag_name(after)}: {count}"
        for before, line in found.table.items()
        for after, count in line.items()
        if count
    )
    label = f"Collapse in {found.before} and in {found.after}. {told or 'no configuration in common'}"
    return figure(parts, top + len(tags) * high + 8, label)


def _cell(x: float, y: float, wide: float, high: float, count: int, most: int, same: bool) -> Html:
    shade = round(0.12 + 0.5 * count / most, 3) if count else 0
    return el(
        "g",
        el("rect", x=x + 1, y=y + 1, width=wide - 2, height=high - 2, class_="cell same" if same else "cell"),
        el("rect", x=x + 1, y=y + 1, width=wide - 2, height=high - 2, class_="heat", fill_opacity=shade),
        el("text", count, x=x + wide / 2, y=y + high / 2 + 4, class_="value" if count else "tick", text_anchor="middle"),
    )


def named_priors(lines: Sequence[Line], counted: Sequence[EvaluationSummary]) -> list[tuple[str, tuple[PriorResult, ...]]]:
    """Results at other ratios by number and name of their configuration; those too small for any are left out."""
    points = [line for line in lines if line.kind is Kind.CONFIGURATION]
    return [(f"{line.number} {line.name}", one.priors) for line, one in zip(points, counted, strict=True) if one.priors]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
