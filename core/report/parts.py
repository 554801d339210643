"""Large runs in several pages, so that each opens at once: the tables stand in the first, the calls in all of them in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.schemas.run import CaseSummary

MAX_CALLS = 300
"""Calls of one page, some megabytes of traces; a scenario's calls stay together, since they are compared side by side."""


@dataclass(frozen=True)
class Part:
    """The calls of one page."""

    file: str
    """The page's file name."""
    cases: tuple[CaseSummary, ...]
    """Its calls, in the order of the run."""


def parts_of(cases: Sequence[CaseSummary], most: int = MAX_CALLS) -> tuple[Part, ...]:
    """The pages of a run, one at least; a page holds more than `most` calls only where one scenario does."""
    groups: list[list[CaseSummary]] = []
    for case in cases:
        if groups and groups[-1][-1].scenario == case.scenario:
            groups[-1].append(case)
        else:
            groups.append([case])
    pages: list[list[CaseSummary]] = [[]]
    for group in groups:
        if pages[-1] and len(pages[-1]) + len(group) > most:
            pages.append([])
        pages[-1] += group
    return tuple(Part(_file(number), tuple(page)) for number, page in enumerate(pages, 1))


def _file(number: int) -> str:
    return "report.html" if number == 1 else f"report-{number}.html"
