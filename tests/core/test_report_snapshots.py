"""The snapshot report: every figure by hand, nothing shown that is not there, plots that stand where the numbers are."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from core.report.markup import VOID
from core.report.plots import Axis
from core.report.snapshots.assemble import Told, assemble
from core.report.snapshots.lines import Kind, average_lines, board_lines, error_rows, interval_note
from core.report.snapshots.page import render_snapshot_page
from core.report.snapshots.plots import FIGURES, NAMES, SIDE, TOP, WIDTH, balanced_region, near_groups, recall_plot, worth_plot
from core.report.snapshots.text import render_report
from core.schemas.detections import Collapse, EvaluationSummary, SortBy
from core.schemas.snapshot_report import SnapshotReport
from core.snapshots.collapse import RULES, collapse_of
from core.snapshots.metrics import metrics_of
from tests.core.snapshot_answers import answered
from tests.core.snapshot_report_samples import EAGER, GOOD, LOUD, audit, evaluation, one_month

BOARD = """
# detector       given   BA    MacF1 rF    rN    F1    predF error cover collapse
1 python:good    asr     0.750 0.733 0.750 0.750 0.800 0.583 0.000 1.000 balanced
2 litellm:a/b    asr, en 0.562 0.556 0.875 0.250 0.778 0.833 0.000 1.000 biased
3 litellm:a/b    asr, zh 0.562 0.718 0.625 0.500 0.769 0.417 0.417 0.583 biased*
its 7 labels             1.000 1.000 1.000 1.000 1.000 0.714 0.000 1.000 balanced
4 python:loud    asr     0.500 0.400 1.000 0.000 0.800 1.000 0.000 1.000 all-fraud-like
all FRAUD        nothing 0.500 0.400 1.000 0.000 0.800 1.000 0.000 1.000 -
all NONFRAUD     nothing 0.500 0.250 0.000 1.000 0.000 0.000 0.000 1.000 -
fair coin        nothing 0.500 0.486 0.500 0.500 0.571 0.500 0.000 1.000 -
"""
"""By hand from the counts: F1 of litellm in Chinese is 2 x 5/8 / (1 + 5/8), its Macro-F1 the mean of that and 2/3, and so on."""

AVERAGES = """
# detector       given      BA    MacF1 rF    rN    F1    predF error cover collapse
litellm:a/b      asr, en+zh 0.562 0.637 0.750 0.375 0.774 0.625 0.208 0.792 biased*
all FRAUD        nothing    0.500 0.400 1.000 0.000 0.800 1.000 0.000 1.000 -
all NONFRAUD     nothing    0.500 0.250 0.000 1.000 0.000 0.000 0.000 1.000 -
fair coin        nothing    0.500 0.486 0.500 0.500 0.571 0.500 0.000 1.000 -
"""
"""Means of both languages, which have as many answers each."""

RATIOS = """
# detector   F1 1:2 F1 1:1 F1 2:1 BA 1:2 BA 1:1 BA 2:1
all FRAUD    0.500  0.667  0.800  0.500  0.500  0.500
all NONFRAUD 0.000  0.000  0.000  0.500  0.500  0.500
fair coin    0.400  0.500  0.571  0.500  0.500  0.500
4 python:loud 0.500 0.667  0.800  0.500  0.500  0.500
"""


def _lines(text: str) -> list[str]:
    """Lines with single spaces."""
    return [" ".join(line.split()) for line in text.strip().splitlines()]


class Page(HTMLParser):
    """Tags with their attributes, the rows of every table, and elements that were not closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: list[list[list[str]]] = []
        self.unclosed: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if self._open.pop() != tag:
            self.unclosed.append(tag)

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self._open[-4:]):
            self.tables[-1][-1][-1] += f"{data} "

    def ids(self) -> set[str]:
        """Ids of sections."""
        return {found["id"] or "" for tag, found in self.tags if tag == "section"}


@pytest.fixture(scope="module", name="told")
def _told() -> Told:
    return assemble([*one_month(1), *one_month(0)], [audit()])


def test_the_board_of_a_terminal_has_every_figure(told: Told) -> None:
    """Checks 48, 50: both recalls, BA, Macro-F1, F1, predF, errors, coverage and collapse, the prior baselines beside them."""
    lines = _lines(render_report(told, 120))
    start = lines.index(_lines(BOARD)[0])
    shown = [line for line in lines[start : start + 10] if set(line) != {"-"}]
    assert _lines(BOARD) == shown
    start = lines.index(_lines(AVERAGES)[0], start + 10)
    found = [line for line in lines if line in _lines(AVERAGES)]
    assert set(_lines(AVERAGES)) <= set(found)
    assert "litellm:a/b, asr, en+zh: en: biased; zh: biased, parse collapse" in lines


def test_other_ratios_show_what_a_ratio_alone_is_worth(told: Told) -> None:
    """Check 52: all FRAUD has an F1 of 0.500, 0.667 and 0.800, and a balanced accuracy of 0.5 throughout."""
    lines = set(_lines(render_report(told, 120)))
    assert set(_lines(RATIOS)) <= lines


def test_errors_stand_by_kind_and_class(told: Told) -> None:
    """Fraud and lawful calls without a label are told apart; without errors there is no table."""
    assert [
        ["#", "detector", "given", "parse", "all"],
        ["3", "litellm:a/b", "asr, zh", "3 + 2", "3 + 2"],
    ] == error_rows(told.months[0])
    assert [] == error_rows(assemble([evaluation(GOOD)]).months[0])


def test_a_repeated_configuration_is_listed_and_counted_once() -> None:
    """Check 47: of 28 evaluations with one repeated 27 count, and the page and the terminal name the other one."""
    listed = [evaluation(GOOD, f"python:d{number}") for number in range(27)]
    told = assemble([*listed, evaluation(LOUD, "python:d26", started="2026-12-05T00:00:00Z")])
    text = render_report(told, 120)
    assert "28 evaluations listed, 27 configurations counted" in text
    assert "of 2026-12-05T00:00:00Z, counted is that of 2026-12-01T00:00:00Z" in " ".join(text.split())
    assert 27 == sum(line.kind is Kind.CONFIGURATION for line in board_lines(told.months[0]))
    assert "Repeated configurations, listed and not counted: 1" in render_snapshot_page(told)


@pytest.mark.parametrize("sort_by", list(SortBy))
def test_no_order_puts_collapse_or_f1_first(sort_by: SortBy) -> None:
    """Check 50: whatever the order, severe collapse is last, though it has the highest F1 here."""
    months = assemble([evaluation(EAGER, "python:eager"), evaluation(LOUD, "python:loud")], sort_by=sort_by).months
    lines = [line for line in board_lines(months[0]) if line.kind is Kind.CONFIGURATION]
    assert ["python:eager", "python:loud"] == [line.name for line in lines]
    assert lines[0].scores.fraud_f1 < lines[1].scores.fraud_f1


def test_months_stand_in_their_order_and_are_compared(told: Told) -> None:
    """Check 51: groups by root hash, by month, and how collapse changed from one to the next."""
    assert ["2026-11-zh", "2026-12-zh"] == [board.snapshot_id for board in told.report.leaderboards]
    (found,) = told.report.transitions
    assert ("2026-11-zh", "2026-12-zh", 4) == (found.before, found.after, len(found.moves))
    assert (2, 1, 1) == tuple(found.table[tag][tag] for tag in (Collapse.BIASED, Collapse.BALANCED, Collapse.ALL_FRAUD))
    lines = _lines(render_report(told, 120))
    assert "biased 0 0 2 0" in lines


def test_months_are_ordered_by_what_their_snapshots_say() -> None:
    """Where the month is known, the name does not matter."""
    evaluations = [*one_month(0), *one_month(1)]
    known = {"a" * 64: "2027-01", "b" * 64: "2026-12"}
    assert ["2026-12-zh", "2026-11-zh"] == [month.board.snapshot_id for month in assemble(evaluations, months=known).months]


@pytest.mark.parametrize(
    ("summaries", "reason"),
    [
        ([], "no evaluations"),
        (
            [evaluation(GOOD), evaluation({**LOUD, "fp": 5}, "python:loud")],
            "disagree on its fraud and lawful calls: 8 and 4, 8 and 5",
        ),
    ],
)
def test_what_cannot_stand_side_by_side_is_refused(summaries: list[EvaluationSummary], reason: str) -> None:
    """Nothing at all, and evaluations of one root hash about different calls."""
    with pytest.raises(ValueError, match=reason):
        assemble(summaries)


def test_few_trees_are_said_to_be_few(told: Told) -> None:
    """Twelve trees make intervals too narrow, and the note says so; it names what intervals do not cover."""
    assert "12 trees are few" in interval_note(told.months[0])
    assert "not the change from month to month" in interval_note(told.months[0])
    many = assemble([evaluation({"tp": 10, "fn": 4, "tn": 5, "fp": 1})])
    assert "are few" not in interval_note(many.months[0])


def test_a_report_survives_a_file(told: Told) -> None:
    """What is written is what is read."""
    assert told.report == SnapshotReport.model_validate_json(told.report.model_dump_json())


def test_names_of_providers_cannot_steer_a_terminal_and_are_told_whole() -> None:
    """A long name is cut in the table and told below it; control characters go nowhere."""
    name = "litellm:provider/" + "long-" * 20 + "\x1b[31mname"
    text = render_report(assemble([evaluation(GOOD, name)]), 100)
    assert "\x1b" not in text
    assert "1 litellm:provider/" + "long-" * 20 + " [31mname" in " ".join(text.split())
    assert re.search(r"^1  litellm:provider/[a-z-]+\.\.\.  asr ", text, re.MULTILINE)


# -- the page -------------------------------------------------------------------------------------------------------------


def test_the_page_is_whole_closed_and_asks_for_nothing(told: Told) -> None:
    """Every element is closed; there is no script, no address, no event; the policy lets the one style in alone."""
    text = render_snapshot_page(told)
    page = Page(text)
    assert [] == page.unclosed
    assert {"html", "head", "meta", "title", "style", "body"} == {tag for tag, _ in page.tags[:9]}
    assert [] == [
        tag for tag, found in page.tags if tag in ("script", "img", "link", "iframe") or any(k.startswith("on") for k in found)
    ]
    assert [] == re.findall(r"https?://|url\(|@import", text)
    assert [] == [found["href"] for tag, found in page.tags if tag == "a" and not str(found["href"]).startswith("#")]


def test_the_page_has_every_figure_of_the_board(told: Told) -> None:
    """The first table of the page holds what the terminal's holds, with intervals below figures that have them."""
    board = Page(render_snapshot_page(told)).tables[0]
    assert ["#", "Detector", "Given", "Collapse", "BA 95 %", "Macro-F1 95 %"] == [cell.strip() for cell in board[0][:6]]
    shown = [[cell.split("[")[0].strip() for cell in row] for row in board[1:]]
    figures = [re.findall(r"\b[01]\.\d{3}\b", line) for line in _lines(BOARD)[1:]]
    assert figures == [row[4:] for row in shown]
    assert ["balanced", "biased", "biased parse collapse", "balanced", "all-fraud-like"] == [row[3] for row in shown[:5]]
    assert all("[" in cell for cell in board[1][4:11])
    assert not any("[" in cell for row in board[6:] for cell in row)


def test_every_plot_has_a_text_alternative_and_takes_the_keyboard(told: Told) -> None:
    """Each SVG is an image with a label that holds its numbers, in a box that can be reached and scrolled by keys."""
    page = Page(render_snapshot_page(told))
    plots = [found for tag, found in page.tags if tag == "svg"]
    assert 3 * 2 + 1 + 3 == len(plots)
    assert all(found["role"] == "img" and len(found["aria-label"] or "") > 40 for found in plots)
    boxes = [found for tag, found in page.tags if tag == "div" and found.get("class") in ("plot", "scroll")]
    assert {"0"} == {found.get("tabindex") for found in boxes}


def test_what_is_not_there_is_not_shown() -> None:
    """One month without errors, languages, repeats, ratios or audits: one section, and not a word of the rest."""
    few = {"tp": 3, "fp": 1}
    text = render_snapshot_page(assemble([evaluation(few)]))
    assert {"month-1"} == Page(text).ids()
    for words in ("Over prompt languages", "no label</h3>", "Repeated", "Other ratios", "From month to month", "Audit"):
        assert words not in text
    terminal = render_report(assemble([evaluation(few)]), 100)
    for words in ("Over prompt languages", "no label:", "Repeated", "Other ratios", "From ", "Audit"):
        assert words not in terminal


def test_months_without_a_common_configuration_say_so() -> None:
    """No matrix of zeros stands for two months that share nothing."""
    told = assemble([evaluation(GOOD, "python:one"), evaluation(GOOD, "python:two", month=1)])
    assert "No configuration in common" in render_snapshot_page(told)
    assert "No configuration in common" in render_report(told, 100)


def test_audits_stand_with_all_their_parts(told: Told) -> None:
    """Checks 54, 56 to 59 as they are shown: tiers, probes with verdicts, separability, distances, transfer, dependence."""
    text = render_snapshot_page(told)
    words = Page(text)
    assert "audit-1" in words.ids()
    assert ["transcripts", "words", "tfidf-svm", "6", "12", "0.733", "0.750", "0.750", "0.750", "0.583"] in [
        [cell.strip() for cell in row] for table in words.tables for row in table
    ]
    for part in (
        "siblings: 4 calls, overlap 0.125, with the nearest 0.500",
        "Bounds: 1 holds, 1 cannot tell",
        "gap 0.250",
        "after the opening",
        "0 pairs of calls at a Jaccard index of 0.8 or more",
        "the ordinary tier is not there",
    ):
        assert part in text
    assert "<details open>" not in text
    assert "<details open>" in render_snapshot_page(assemble(one_month(), [audit(broken=True)]))


def test_hostile_names_stay_text() -> None:
    """Markup in the name of a detector or in an audit is shown as text."""
    worse = audit().model_copy(update={"notes": ("<script>alert(1)</script>",)})
    text = render_snapshot_page(assemble([evaluation(GOOD, "<b onclick=x>python</b>")], [worse]))
    assert "<script" not in text
    assert "<b onclick" not in text
    assert "&lt;b onclick=x&gt;" in text


# -- plots ----------------------------------------------------------------------------------------------------------------


def _elements(markup: str, name: str, classes: str) -> list[ET.Element]:
    return [each for each in ET.fromstring(markup).iter(name) if each.get("class") == classes]


def test_points_stand_at_their_recalls(told: Told) -> None:
    """A point per configuration, a diamond per detector that does not listen, and the regions of severe collapse in corners."""
    month = told.months[0]
    plot = recall_plot(board_lines(month), RULES, month.fraud / month.calls)
    across, up = Axis(0, 1, left=64, right=64 + SIDE), Axis(0, 1, left=TOP + SIDE, right=TOP)
    wanted = [(0.75, 0.75), (0.875, 0.25), (0.625, 0.5), (1.0, 0.0)]
    assert [(str(across.x(x)), str(up.x(y))) for x, y in wanted] == [
        (each.get("cx"), each.get("cy")) for each in _elements(plot, "circle", "point")
    ]
    assert 3 == len(_elements(plot, "path", "point prior"))
    assert 2 == len(_elements(plot, "polygon", "region severe"))
    assert f"{across.x(0.95):g},{up.x(0):g}" in (_elements(plot, "polygon", "region severe")[0].get("points") or "")


@pytest.mark.parametrize(("fraud", "lawful"), [(20, 10), (10, 10), (10, 20)])
def test_the_green_region_is_where_the_rules_say_balanced(fraud: int, lawful: int) -> None:
    """For every pair of recalls that so many calls can give, the point lies inside exactly where the tag is balanced."""
    shape = balanced_region(RULES, fraud / (fraud + lawful))

    def inside(x: float, y: float) -> bool:
        edges = pairwise([*shape, shape[0]])
        return all((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) >= -1e-9 for a, b in edges)

    for tp in range(fraud + 1):
        for tn in range(lawful + 1):
            tag = collapse_of(metrics_of(answered(tp=tp, fn=fraud - tp, tn=tn, fp=lawful - tn))).tag
            assert (tag is Collapse.BALANCED) == inside(tp / fraud, tn / lawful), (tp, tn)


def test_f1_stands_against_what_the_ratio_is_worth(told: Told) -> None:
    """The line stands at 0.8, and each row tells its distance from it."""
    plot = worth_plot(board_lines(told.months[0]))
    axis = Axis(0, 1, left=NAMES, right=WIDTH - FIGURES)
    assert [str(axis.x(0.8))] == [each.get("x1") for each in _elements(plot, "line", "cutoff")]
    notes = [each.text or "" for each in _elements(plot, "text", "tick")]
    assert 1 == sum(note.endswith("-0.022") for note in notes)  # 0.778 of the eager one
    assert [str(axis.x(0.8))] == [each.get("cx") for each in _elements(plot, "circle", "point low")]


def test_labels_of_near_points_are_put_together() -> None:
    """Points that nearly cover each other share their label; others keep their own."""
    assert [[0, 1], [2]] == near_groups([(10, 10), (14, 12), (60, 10)])


def test_averages_keep_what_was_found_of_each_language(told: Told) -> None:
    """A mean over languages has no interval, and both findings stand in it."""
    (line,) = [line for line in average_lines(told.months[0]) if line.kind is Kind.AVERAGE]
    assert ({}, ["en: biased", "zh: biased, parse collapse"]) == (line.intervals, line.tags)
    assert 24 == line.n
