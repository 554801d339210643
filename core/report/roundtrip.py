"""The agent's own speech in the reports: pooled by condition, and the replies that came back worst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.report import phrases
from core.report.markdown import escape
from core.report.markdown import table as markdown_table
from core.report.markup import Child, Html, el
from core.report.sections import call_link, data_table, section
from core.report.text import clean, wrapped
from core.report.text import table as text_table
from core.runs.roundtrip import totals, worst
from core.schemas.roundtrip import ReplyRoundTrip, RoundTrip

SHOWN = 8
LEAD = (
    "Each reply was spoken on a clean line and heard again. Errors are the recogniser's and the voice's too, so this stands"
    " beside the diagnostic spoken_form and enters no score."
)
HEAD = ("condition", "replies", "not sayable as written", "silent", "WER")


def total_rows(found: RoundTrip) -> list[list[str]]:
    """A row per condition, in the order of HEAD."""
    return [
        [name.value, str(held.replies), str(held.flagged), str(held.silent), phrases.number(held.wer, 3)]
        for name, held in totals(found).items()
    ]


def reply_text(reply: ReplyRoundTrip) -> str:
    """One reply on one line: where it is, what is wrong with it, what was written and what was heard."""
    where = f"{reply.case}, message {reply.message}"
    heard = f"silent: {reply.silent}" if reply.silent else f"heard {reply.heard!r}, WER {phrases.number(reply.wer.rate, 2)}"
    return f"{where}: wrote {reply.wrote!r}; {heard}{_unsaid(reply, '; not sayable: ')}"


def round_trip_lines(found: RoundTrip, width: int) -> list[str]:
    """For a terminal."""
    lines = text_table([list(HEAD), *total_rows(found)], right=(1, 2, 3, 4))
    return [*lines, *(wrapped(f"- {reply_text(reply)}", width) for reply in worst(found, SHOWN))]


def round_trip_markdown(found: RoundTrip) -> list[str]:
    """As a section of Markdown."""
    lines = ["## The agent's own speech", "", LEAD, "", *markdown_table([list(HEAD), *total_rows(found)])]
    bad = [f"- {escape(reply_text(reply))}" for reply in worst(found, SHOWN)]
    return [*lines, *bad, *([""] if bad else [])]


def round_trip_section(found: RoundTrip) -> Html:
    """As a section of the page; each of the worst replies links to its call."""
    whole = data_table([name.capitalize() for name in HEAD], total_rows(found), "The agent's own speech by condition")
    rows = [_row(reply) for reply in worst(found, SHOWN)]
    listed = data_table(["Reply", "Wrote", "Heard", "Not sayable", "WER"], rows, "Worst replies", numeric=False) if rows else None
    return section("roundtrip", "The agent's own speech", whole, listed, lead=LEAD)


def reply_data(reply: ReplyRoundTrip) -> dict[str, Any]:
    """What the call view shows beside a reply."""
    return {
        "heard": reply.heard,
        "silent": clean(reply.silent),
        "wer": reply.wer.rate,
        "spoken": reply.spoken if reply.spoken != " ".join(reply.wrote.split()) else "",
        "unsaid": _pieces(reply),
    }


def _row(reply: ReplyRoundTrip) -> Sequence[Child]:
    link = el("a", f"{reply.case} {reply.message}", href=call_link(reply.case, reply.message))
    heard = f"silent: {reply.silent}" if reply.silent else reply.heard
    return [link, reply.wrote, heard or "(nothing)", ", ".join(_pieces(reply)) or "-", phrases.number(reply.wer.rate, 2)]


def _unsaid(reply: ReplyRoundTrip, lead: str) -> str:
    return f"{lead}{', '.join(_pieces(reply))}" if reply.unsaid else ""


def _pieces(reply: ReplyRoundTrip) -> list[str]:
    return [f"{each.what} {each.text!r}" for each in reply.unsaid]
