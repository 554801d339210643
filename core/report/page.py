"""The report page: one self-contained HTML file that opens from disk, plays every call and follows its trace."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from core.report import phrases, sections
from core.report.call_data import CasePage, call_data
from core.report.markup import Html, el, json_block
from core.report.roundtrip import round_trip_section
from core.schemas.roundtrip import RoundTrip
from core.schemas.run import Summary

__all__ = ["MAX_EMBEDDED_BYTES", "CasePage", "render_page"]

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
) -> str:
    """The whole page as text; `audio` is what it says about its sound, and each case brings bytes or a link accordingly.

    `back` is what was measured of the agent's own speech, if it was.
    """
    pages = list(cases)
    style = (ASSETS / "page.css").read_text("utf-8")
    script = '"use strict";\n\n' + "\n".join((ASSETS / name).read_text("utf-8") for name in SCRIPTS)
    title = f"Ringback report: {summary.signature.bundle}, {summary.signature.candidate}"
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
        _header(summary, pages, audio, back),
        _overview(summary, pages, back),
        el("main", id="call", hidden=True, aria_live="off"),
        el("audio", id="audio", preload="metadata"),
        el(
            "noscript",
            el("p", "Playing calls and reading their traces needs JavaScript; the tables above are complete without it."),
        ),
        json_block("index", {"cases": [_entry(index, page) for index, page in enumerate(pages)]}),
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


def _header(summary: Summary, pages: list[CasePage], audio: str, back: RoundTrip | None) -> Html:
    size = sum(len(page.audio) for page in pages if page.audio is not None)
    if audio == "none":
        sound = "This run has no recordings."
    elif audio == "embedded":
        sound = f"Recordings are embedded in this file ({size / 1e6:.1f} MB)."
    else:
        sound = "Recordings are linked: keep this file in its run folder, beside cases/."
    signature = summary.signature
    badge = el("span", "official" if summary.official else "not official", class_="badge good" if summary.official else "badge")
    facts = [
        ("Candidate", signature.candidate),
        ("Caller", signature.caller),
        ("Judge", signature.judge),
        ("Seed", str(signature.seed)),
        ("Repeats", str(signature.repeats)),
    ]
    shown = {"paired": bool(summary.paired), "attribution": bool(summary.attribution), "slices": bool(summary.slices)}
    shown["roundtrip"] = back is not None
    return el(
        "header",
        el("div", el("p", "Ringback report", class_="kicker"), el("h1", signature.bundle, " ", badge), class_="title"),
        el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in facts], class_="facts"),
        None if summary.official else el("p", phrases.standing(summary), class_="quiet"),
        el("p", sound, class_="quiet", id="sound-note"),
        el("nav", [el("a", text, href=f"#{name}") for name, text in LINKS if shown.get(name, True)], aria_label="Sections"),
        class_="top",
    )


def _overview(summary: Summary, pages: list[CasePage], back: RoundTrip | None) -> Html:
    audible = {page.summary.case: page.audio is not None or page.link is not None for page in pages}
    return el(
        "main",
        sections.headline(summary),
        sections.paired(summary),
        sections.attribution(summary),
        sections.diagnostics(summary),
        sections.hearing(summary),
        None if back is None else round_trip_section(back),
        sections.slices(summary),
        sections.calls(summary, audible),
        sections.signature(summary),
        id="overview",
    )
