"""The report page: one self-contained HTML file that opens from disk, plays every call and follows its trace."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from core.report import phrases, sections
from core.report.call_data import CasePage, call_data
from core.report.markup import Html, el, json_block
from core.report.parts import Part
from core.report.roundtrip import round_trip_section
from core.schemas.roundtrip import RoundTrip
from core.schemas.run import Summary

__all__ = ["MAX_EMBEDDED_BYTES", "CasePage", "render_page", "render_part"]

MAX_EMBEDDED_BYTES = 50_000_000
"""Bytes of recordings up to which they are embedded; beyond, the page links to them."""

ASSETS = Path(__file__).parent / "assets"
SCRIPTS = ("player.js", "call.js", "page.js")
LINKS = (
    ("scores", "Scores"),
    ("paired", "Pairs"),
    ("attribution", "What hearing cost"),
    ("diagnostics", "Diagnostics"),
    ("hearing", "Hearing"),
    ("roundtrip", "Agent's speech"),
    ("slices", "Slices"),
    ("calls", "Calls"),
)


def render_page(
    summary: Summary,
    cases: Iterable[CasePage],
    audio: Literal["embedded", "linked", "none"],
    back: RoundTrip | None = None,
    *,
    parts: Sequence[Part] = (),
    audible: Collection[str] | None = None,
) -> str:
    """The whole page as text; `audio` is what it says about its sound, and each case brings bytes or a link accordingly.

    `back` is what was measured of the agent's own speech, if it was. Of a run in several pages, `cases` are those of the
    first, `parts` are all pages, this one first, and `audible` names every case of the run that has a recording.
    """
    pages = list(cases)
    heard = {page.summary.case for page in pages if page.audio is not None or page.link is not None}
    title = f"Ringback report: {summary.signature.bundle}, {summary.signature.candidate}"
    header = _header(summary, pages, audio, back, more=len(parts) > 1)
    overview = _overview(summary, heard if audible is None else audible, back)
    elsewhere = {case.case: part.file for part in parts[1:] for case in part.cases}
    return _document(title, header, overview, pages, summary, elsewhere)


def render_part(summary: Summary, cases: Iterable[CasePage], audio: Literal["embedded", "linked", "none"], part: Part) -> str:
    """One of the further pages of a large run: its calls and a way back."""
    pages = list(cases)
    heard = {page.summary.case for page in pages if page.audio is not None or page.link is not None}
    title = f"Ringback report: {summary.signature.bundle}, {summary.signature.candidate}, {part.file}"
    own = summary.model_copy(update={"cases": part.cases})
    way = el("nav", el("a", "The whole run", href="report.html"), el("a", "Calls", href="#calls"), aria_label="Sections")
    header = el(
        "header", *_title(summary), el("p", _sound_note(audio, pages), class_="quiet", id="sound-note"), way, class_="top"
    )
    overview = el("main", sections.calls(own, dict.fromkeys(heard, True)), id="overview")
    return _document(title, header, overview, pages, own, {})


def _document(
    title: str, header: Html, overview: Html, pages: Sequence[CasePage], summary: Summary, elsewhere: Mapping[str, str]
) -> str:
    """A page with the calls in it; `elsewhere` names the page of every call that is not."""
    style = (ASSETS / "page.css").read_text("utf-8")
    script = '"use strict";\n\n' + "\n".join((ASSETS / name).read_text("utf-8") for name in SCRIPTS)
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("style", Html(style)),
    )
    body = el(
        "body",
        el("a", "Skip to the content", href="#overview", class_="skip"),
        header,
        overview,
        el("main", id="call", hidden=True, aria_live="off"),
        el("audio", id="audio", preload="metadata"),
        el(
            "noscript",
            el("p", "Playing calls and reading their traces needs JavaScript; the tables above are complete without it."),
        ),
        json_block("index", {"cases": [_entry(index, page) for index, page in enumerate(pages)], "elsewhere": elsewhere}),
        [json_block(f"case-{index}", call_data(page, summary)) for index, page in enumerate(pages)],
        [_sound(index, page.audio) for index, page in enumerate(pages) if page.audio is not None],
        el("script", Html(script)),
    )
    return "<!doctype html>\n" + el("html", head, body, lang="en") + "\n"


def _policy(style: str, script: str) -> str:
    """Only this page's own style and script run, and nothing is fetched but the recordings beside it."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "media-src 'self' blob: file:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _sound(index: int, flac: bytes) -> Html:
    return el("script", Html(base64.b64encode(flac).decode()), type="application/octet-stream", id=f"audio-{index}")


def _entry(index: int, page: CasePage) -> dict[str, object]:
    case = page.summary
    kind = "embedded" if page.audio is not None else "linked" if page.link is not None else "none"
    return {
        "index": index,
        "case": case.case,
        "scenario": case.scenario,
        "condition": case.condition.value,
        "repeat": case.repeat,
        "audio": kind,
        "href": page.link or "",
    }


def _sound_note(audio: str, pages: Sequence[CasePage]) -> str:
    size = sum(len(page.audio) for page in pages if page.audio is not None)
    if audio == "none":
        return "This run has no recordings."
    if audio == "embedded":
        return f"Recordings are embedded in this file ({size / 1e6:.1f} MB)."
    return "Recordings are linked: keep this file in its run folder, beside cases/."


def _title(summary: Summary) -> list[Html]:
    """What every page of a run begins with."""
    signature = summary.signature
    badge = el("span", "official" if summary.official else "not official", class_="badge good" if summary.official else "badge")
    facts = [
        ("Candidate", signature.candidate),
        ("Caller", signature.caller),
        ("Judge", signature.judge),
        ("Seed", str(signature.seed)),
        ("Repeats", str(signature.repeats)),
    ]
    return [
        el("div", el("p", "Ringback report", class_="kicker"), el("h1", signature.bundle, " ", badge), class_="title"),
        el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in facts], class_="facts"),
    ]


def _header(summary: Summary, pages: Sequence[CasePage], audio: str, back: RoundTrip | None, *, more: bool) -> Html:
    sound = _sound_note(audio, pages)
    if more:
        sound += " This run is told in several pages: keep report.html and report-2.html, ... in one folder."
    shown = {"paired": bool(summary.paired), "attribution": bool(summary.attribution), "slices": bool(summary.slices)}
    shown["roundtrip"] = back is not None
    return el(
        "header",
        *_title(summary),
        None if summary.official else el("p", phrases.standing(summary), class_="quiet"),
        el("p", sound, class_="quiet", id="sound-note"),
        el("nav", [el("a", text, href=f"#{name}") for name, text in LINKS if shown.get(name, True)], aria_label="Sections"),
        class_="top",
    )


def _overview(summary: Summary, audible: Collection[str], back: RoundTrip | None) -> Html:
    return el(
        "main",
        sections.headline(summary),
        sections.paired(summary),
        sections.attribution(summary),
        sections.diagnostics(summary),
        sections.hearing(summary),
        None if back is None else round_trip_section(back),
        sections.slices(summary),
        sections.calls(summary, dict.fromkeys(audible, True)),
        sections.signature(summary),
        id="overview",
    )
