"""What is told of a run on disk: summary and report, rebuilt from manifest, journal, traces and grades alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.bundle import Bundle
from core.files import write_atomic
from core.grading.grade import judge_key
from core.report.page import MAX_EMBEDDED_BYTES, CasePage, render_page, render_part
from core.report.parts import Part, parts_of
from core.runs.roundtrip import of_traces
from core.runs.runner import is_refused
from core.runs.store import RunStore
from core.runs.summary import GradedCase, summarise
from core.runs.trust import shipped_table
from core.schemas.call_trace import PartyRecord
from core.schemas.roundtrip import RoundTrip
from core.schemas.run import CaseSummary, DropClass, RunFile, Summary


@dataclass(frozen=True)
class Outcome:
    """What a user is shown at the end."""

    summary: Summary
    """The summary."""
    report: Path
    """The HTML report."""
    audio: Literal["embedded", "linked", "none"]
    """Where the page's sound is."""
    pages: int = 1
    """Files of the report."""
    lost: tuple[str, ...] = ()
    """Calls that the infrastructure dropped and the same command plays again, each with the reason."""
    refused: tuple[str, ...] = ()
    """Calls that an endpoint refused for good, each with the reason."""
    unjudged: tuple[str, ...] = ()
    """Calls that the judge failed to grade, each with the reason."""
    back: RoundTrip | None = None
    """What was measured of the agent's own speech, if it was."""


def rebuild(store: RunStore, bundle: Bundle, judge: PartyRecord) -> Outcome:
    """Write `summary.json` and `report.html` as one judge grades the run; `bundle` is the run's own."""
    run, key = store.run(), judge_key(judge)
    dropped, unjudged = store.dropped(), store.unjudged(key)
    summary = summarise(
        run,
        bundle,
        judge,
        _graded(store, run, key),
        dropped,
        tagged=run.code.is_release,
        table=shipped_table(),
        unjudged=unjudged,
        usage=store.spending.usage(),
        cuts=store.spending.cuts(),
    )
    store.save_summary(summary)
    found = store.round_trip()
    back = None if found is None else of_traces(found, {case.case: case.trace_sha256 for case in summary.cases})
    parts = parts_of(summary.cases)
    audio = _write_pages(store, summary, parts, key, back)
    refused = [f"{case}: {line.reason}" for case, line in dropped.items() if is_refused(line)]
    lost = [f"{case}: {line.reason}" for case, line in dropped.items() if line.drop_class is DropClass.INFRASTRUCTURE]
    return Outcome(
        summary=summary,
        report=store.root / parts[0].file,
        audio=audio,
        pages=len(parts),
        lost=tuple(case for case in lost if case not in refused),
        refused=tuple(refused),
        unjudged=tuple(f"{case}: {why}" for case, why in unjudged.items()),
        back=back,
    )


def reported_judge(store: RunStore) -> PartyRecord:
    """Whose grades tell of a run where nobody names a judge: its own judge, or the one with most grades where that gave none.

    Grades by another version of the grading program are not looked at: they cannot be told by this one.
    """
    return next((judge for key, judge in store.judges().items() if key == judge_key(judge)), store.run().judge)


def _graded(store: RunStore, run: RunFile, key: str) -> Iterator[GradedCase]:
    """Every finished case with its trace and this judge's grade, one at a time."""
    for case in run.cases:
        grade = store.grade(key, case.name) if store.has(case.name) else None
        if grade is not None:
            yield GradedCase(case.name, store.trace(case.name), grade)


def _write_pages(
    store: RunStore, summary: Summary, parts: Sequence[Part], key: str, back: RoundTrip | None
) -> Literal["embedded", "linked", "none"]:
    """Write the report: one page, or one with the tables and the first calls and further ones with the other calls."""
    sounds = {case.case: path.stat().st_size for case in summary.cases if (path := _sound(store, case.case)).is_file()}
    total = sum(sounds.values())
    audio: Literal["embedded", "linked", "none"] = (
        "none" if not total else "embedded" if total <= MAX_EMBEDDED_BYTES else "linked"
    )
    for stale in store.root.glob("report-*.html"):
        stale.unlink()
    for part in reversed(parts):
        pages = [_page(store, case, key, audio if case.case in sounds else "none", back) for case in part.cases]
        text = (
            render_page(summary, pages, audio, back, parts=parts, audible=sounds.keys())
            if part is parts[0]
            else render_part(summary, pages, audio, part)
        )
        write_atomic(store.root / part.file, text.encode())
    return audio


def _page(
    store: RunStore, case: CaseSummary, key: str, audio: Literal["embedded", "linked", "none"], back: RoundTrip | None
) -> CasePage:
    return CasePage(
        summary=case,
        trace=store.trace(case.case),
        grade=store.grade(key, case.case),
        audio=_sound(store, case.case).read_bytes() if audio == "embedded" else None,
        link=f"cases/{case.case}/call.flac" if audio == "linked" else None,
        replies=tuple(reply for reply in back.replies if reply.case == case.case) if back else (),
    )


def _sound(store: RunStore, case: str) -> Path:
    return store.case_folder(case) / "call.flac"
