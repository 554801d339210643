"""Plots as inline SVG: pure functions from numbers to markup, coloured by the page's style sheet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.report import phrases
from core.report.markup import Child, Html, el
from core.schemas.run import Paired, Score

WIDTH = 760
LABELS = 190
NARROW_LABELS = 110
ASIDE = 170
ROW = 24
LISTED_SCENARIOS = 40
"""Above this many scenarios a paired plot shows one strip of dots instead of one row for each."""


@dataclass(frozen=True)
class Axis:
    """A linear scale from values to horizontal pixels."""

    low: float
    high: float
    left: float = LABELS
    right: float = WIDTH - ASIDE

    def x(self, value: float) -> float:
        """Pixel of a value; values outside the scale are put on its edge."""
        held = min(max(value, self.low), self.high)
        return round(self.left + (held - self.low) / (self.high - self.low) * (self.right - self.left), 2)


def condition_plot(groups: Sequence[tuple[str, Sequence[tuple[str, Score]]]], cutoff: float | None = None) -> Html:
    """Scores from 0 to 100 with their intervals, one group of rows per measure; `cutoff` marks the last group."""
    axis = Axis(0.0, 100.0, left=NARROW_LABELS)
    rows = sum(len(scores) for _, scores in groups)
    bottom = 14 + rows * ROW + len(groups) * 26
    parts: list[Child] = [_grid(axis, [0, 20, 40, 60, 80, 100], 8, bottom, "{:g}")]
    if cutoff is not None and groups:
        top = bottom - len(groups[-1][1]) * ROW
        parts.append(el("line", x1=axis.x(cutoff), x2=axis.x(cutoff), y1=top, y2=bottom + 18, class_="cutoff"))
        parts.append(el("text", f"cutoff {cutoff:g}", x=axis.x(cutoff), y=bottom + 30, class_="tick", text_anchor="middle"))
    y = 14.0
    for title, scores in groups:
        parts.append(el("text", title, x=0, y=y + 14, class_="group"))
        y += 26
        for name, score in scores:
            parts.append(_score_row(axis, y + ROW / 2 - 6, name, score))
            y += ROW
    label = "Scores with 95 % intervals. " + "; ".join(
        f"{title} {name}: {phrases.score_text(score)}" for title, scores in groups for name, score in scores
    )
    return _figure(parts, bottom + 38, label)


def _score_row(axis: Axis, y: float, name: str, score: Score) -> Html:
    parts: list[Child] = [el("text", name, x=axis.left - 14, y=y + 4, class_="label", text_anchor="end")]
    if score.score is None or phrases.withheld(score):
        parts.append(el("text", phrases.score_text(score), x=axis.left + 4, y=y + 4, class_="tick"))
        return el("g", parts)
    parts.append(_whisker(axis, y, score.low, score.high))
    parts.append(el("circle", cx=axis.x(score.score), cy=y, r=5, class_="point"))
    bounds = phrases.interval(score.low, score.high)
    parts.append(el("text", phrases.number(score.score), x=axis.right + 14, y=y + 4, class_="value"))
    parts.append(el("text", bounds, x=axis.right + 62, y=y + 4, class_="tick"))
    return el("g", el("title", f"{name}: {phrases.score_text(score)}"), parts)


def paired_plot(paired: Paired, beside: Mapping[str, str] | None = None, links: Mapping[str, str] | None = None) -> Html:
    """Mean difference with its interval on top, then every scenario's difference, largest first.

    `beside`: scenario to a short text set after its difference. `links`: scenario to the place its row leads to.
    """
    ordered = sorted(paired.differences.items(), key=lambda pair: (-pair[1], pair[0]))
    values = [*paired.differences.values(), paired.mean or 0.0, paired.low or 0.0, paired.high or 0.0]
    reach = nice_reach(max((abs(value) for value in values), default=0.0))
    axis = Axis(-reach, reach)
    listed = len(ordered) <= LISTED_SCENARIOS
    bottom = 30 + 34 + (len(ordered) * ROW if listed else 90)
    parts: list[Child] = [_grid(axis, [-reach, -reach / 2, 0, reach / 2, reach], 26, bottom, "{:+g}")]
    parts.append(el("line", x1=axis.x(0), x2=axis.x(0), y1=26, y2=bottom, class_="zero"))
    parts.append(el("text", f"← {paired.b} better", x=axis.x(0) - 12, y=14, class_="tick", text_anchor="end"))
    parts.append(el("text", f"{paired.a} better →", x=axis.x(0) + 12, y=14, class_="tick"))
    parts.append(_mean_row(axis, 42, paired))
    if listed:
        for index, (name, value) in enumerate(ordered):
            row = _difference_row(axis, 64 + index * ROW + ROW / 2, name, value, (beside or {}).get(name, ""))
            target = (links or {}).get(name)
            parts.append(el("a", row, href=target) if target else row)
    else:
        parts.append(_strip(axis, bottom - 10, [value for _, value in ordered]))
    mean = f"{phrases.signed(paired.mean)} {phrases.interval(paired.low, paired.high, sign=True)}"
    outcome = f"{paired.n} scenarios, {paired.wins} wins, {paired.losses} losses, {paired.ties} ties"
    label = f"{paired.a} minus {paired.b}, {paired.measure}: mean {mean} over {outcome}"
    return _figure(parts, bottom + 24, label, role="group" if links else "img")


def nice_reach(value: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten (at least 10) that is not below `value`."""
    if value <= 10:
        return 10.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= value)


def _mean_row(axis: Axis, y: float, paired: Paired) -> Html:
    parts: list[Child] = [el("text", "mean", x=LABELS - 14, y=y + 4, class_="label strong", text_anchor="end")]
    if paired.mean is None:
        return el("g", parts, el("text", "no scenario was completed on both sides", x=axis.left + 4, y=y + 4, class_="tick"))
    x = axis.x(paired.mean)
    parts.append(_whisker(axis, y, paired.low, paired.high))
    parts.append(el("path", d=f"M{x - 7} {y}L{x} {y - 7}L{x + 7} {y}L{x} {y + 7}Z", class_="point"))
    parts.append(el("text", phrases.signed(paired.mean), x=axis.right + 14, y=y + 4, class_="value"))
    parts.append(el("text", phrases.interval(paired.low, paired.high, sign=True), x=axis.right + 62, y=y + 4, class_="tick"))
    return el("g", parts)


def _difference_row(axis: Axis, y: float, name: str, value: float, beside: str) -> Html:
    side = "tie" if abs(value) < 1e-9 else "win" if value > 0 else "loss"
    zero, x = axis.x(0), axis.x(value)
    return el(
        "g",
        el("title", f"{name}: {phrases.signed(value)}"),
        el("rect", x=0, y=y - ROW / 2, width=WIDTH, height=ROW, class_="row"),
        el("text", _short(name), x=LABELS - 14, y=y + 4, class_="label", text_anchor="end"),
        el("line", x1=zero, x2=x, y1=y, y2=y, class_=f"stem {side}"),
        el("circle", cx=x, cy=y, r=4, class_=f"dot {side}"),
        el("text", phrases.signed(value), x=axis.right + 14, y=y + 4, class_="value plain"),
        el("text", beside, x=axis.right + 62, y=y + 4, class_="tick"),
    )


def _strip(axis: Axis, base: float, values: Sequence[float]) -> Html:
    """Dots stacked in bins of six pixels; tall stacks are drawn closer so that they stay inside the plot."""
    bins: dict[int, list[float]] = {}
    for value in values:
        bins.setdefault(round(axis.x(value) / 6), []).append(value)
    tallest = max(len(stack) for stack in bins.values())
    pitch = min(6.0, 76.0 / tallest)
    dots = []
    for place, stack in sorted(bins.items()):
        for level, value in enumerate(stack):
            side = "tie" if abs(value) < 1e-9 else "win" if value > 0 else "loss"
            dots.append(el("circle", cx=place * 6, cy=round(base - level * pitch, 2), r=2.5, class_=f"dot {side}"))
    return el("g", dots)


def _whisker(axis: Axis, y: float, low: float | None, high: float | None) -> Html | None:
    if low is None or high is None:
        return None
    return el(
        "rect", x=axis.x(low), y=y - 4, width=round(max(2.0, axis.x(high) - axis.x(low)), 2), height=8, rx=4, class_="whisker"
    )


def _grid(axis: Axis, ticks: Sequence[float], top: float, bottom: float, form: str) -> Html:
    parts = []
    for tick in ticks:
        text = "0" if tick == 0 else form.format(tick)
        parts.append(el("line", x1=axis.x(tick), x2=axis.x(tick), y1=top, y2=bottom, class_="grid"))
        parts.append(el("text", text, x=axis.x(tick), y=bottom + 16, class_="tick", text_anchor="middle"))
    return el("g", parts)


def _short(name: str, limit: int = 27) -> str:
    return name if len(name) <= limit else f"{name[: limit - 1]}…"


def _figure(parts: Sequence[Child], height: float, label: str, role: str = "img") -> Html:
    body = el("svg", parts, viewBox=f"0 0 {WIDTH} {height:g}", role=role, aria_label=label)
    return el("div", body, class_="plot", tabindex=0)
