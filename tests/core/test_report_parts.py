"""A large run is told in several pages: none is too large, calls that are compared stay together, and every call is found."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.report.page import render_page, render_part
from core.report.parts import MAX_CALLS, Part, parts_of
from core.schemas.run import CaseSummary
from tests.core.report_samples import sample_run

ROW = sample_run(recorded=False)[0].cases[0]


def _rows(counts: list[int]) -> list[CaseSummary]:
    """`counts[n]` calls of the n-th scenario."""
    return [
        ROW.model_copy(update={"scenario": f"s{number}", "repeat": repeat, "case": f"s{number}--text--r{repeat}"})
        for number, count in enumerate(counts)
        for repeat in range(count)
    ]


@given(st.lists(st.integers(1, 6), max_size=12), st.integers(1, 8))
def test_parts_hold_every_call_once_in_order(counts: list[int], most: int) -> None:
    """A scenario's calls stay together, and a page is larger than it may be only where one scenario is."""
    rows = _rows(counts)
    parts = parts_of(rows, most)
    assert rows == [case for part in parts for case in part.cases]
    assert ["report.html", *(f"report-{number}.html" for number in range(2, len(parts) + 1))] == [part.file for part in parts]
    pages = {scenario: {part.file for part in parts for case in part.cases if case.scenario == scenario} for scenario in
             (row.scenario for row in rows)}  # fmt: skip
    assert all(len(files) == 1 for files in pages.values())
    assert all(len(part.cases) <= most or len({case.scenario for case in part.cases}) == 1 for part in parts)


def test_a_run_without_calls_has_one_page() -> None:
    """The tables still stand somewhere, and an ordinary run is one file."""
    assert (Part("report.html", ()),) == parts_of([])
    assert 1 == len(parts_of(_rows([MAX_CALLS])))


def _block(page: str, name: str) -> Any:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page)
    assert found is not None
    return json.loads(found[1])


def test_the_first_page_lists_every_call_and_knows_where_the_others_are() -> None:
    """Its table is the run's; of calls on other pages it holds the address and none of the words."""
    summary, pages = sample_run(recorded=False)
    first = parts_of(summary.cases, 1)[0]
    here = [page for page in pages if page.summary.case in {case.case for case in first.cases}]
    there = [case.case for case in summary.cases if case not in first.cases]
    assert there
    whole = render_page(summary, here, "none", parts=parts_of(summary.cases, 1), audible=())
    assert all(f"#call/{case.case}" in whole for case in summary.cases)
    index = _block(whole, "index")
    assert dict.fromkeys(there[:2], "report-2.html") == {case: index["elsewhere"][case] for case in there[:2]}
    assert len(here) == len(re.findall(r'id="case-\d+"', whole))
    assert "This run is told in several pages" in whole
    assert "several pages" not in render_page(summary, pages, "none")


def test_a_further_page_holds_its_own_calls_and_a_way_back() -> None:
    """And no tables of the whole run, which stand in one place."""
    summary, pages = sample_run(recorded=False)
    part = parts_of(summary.cases, 1)[1]
    own = {case.case for case in part.cases}
    page = render_part(summary, [page for page in pages if page.summary.case in own], "none", part)
    assert own == {entry["case"] for entry in _block(page, "index")["cases"]}
    assert 'href="report.html"' in page
    assert all((f"#call/{case.case}" in page) == (case.case in own) for case in summary.cases)
    assert "Paired" not in page
