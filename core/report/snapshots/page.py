"""The page of a snapshot report: one self-contained HTML file without a script, light and dark, that asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from core.report.markup import Html, el
from core.report.snapshots.assemble import Month, Told
from core.report.snapshots.audit_sections import audit_section
from core.report.snapshots.lines import alone
from core.report.snapshots.sections import change_section, month_section, ratio_section

ASSETS = Path(__file__).resolve().parents[1] / "assets"
STYLES = ("page.css", "snapshots.css")


def render_snapshot_page(told: Told) -> str:
    """The whole page as text."""
    months = [(month, f"month-{number}") for number, month in enumerate(told.months, 1)]
    audits = [(audit, f"audit-{number}") for number, audit in enumerate(told.report.audits, 1)]
    ratios, changes = ratio_section(months), change_section(told.report.transitions)
    links = [(identifier, month.board.snapshot_id) for month, identifier in months]
    links += [("ratios", "Other ratios")] if ratios else []
    links += [("changes", "From month to month")] if changes else []
    links += [(identifier, f"Audit of {audit.snapshot_id}") for audit, identifier in audits]
    body = el(
        "body",
        el("a", "Skip to the content", href="#overview", class_="skip"),
        _header(told.months, links),
        el(
            "main",
            [month_section(month, identifier) for month, identifier in months],
            ratios,
            changes,
            [audit_section(audit, identifier) for audit, identifier in audits],
            _signature(told.months),
            id="overview",
        ),
    )
    return "<!doctype html>\n" + el("html", _head(told.months), body, lang="en") + "\n"


def _names(months: Sequence[Month]) -> str:
    return ", ".join(month.board.snapshot_id + alone(month) for month in months)


def _head(months: Sequence[Month]) -> Html:
    style = "".join((ASSETS / name).read_text("utf-8") for name in STYLES)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"Ringback snapshot report: {_names(months)}"),
        el("style", Html(style)),
    )


def _header(months: Sequence[Month], links: Sequence[tuple[str, str]]) -> Html:
    facts = [
        ("Calls", " + ".join(str(month.calls) for month in months)),
        ("Fraud", " + ".join(str(month.fraud) for month in months)),
        ("Configurations", " + ".join(str(month.board.counted) for month in months)),
        ("Order", months[0].board.sort_by.value.replace("_", " ")),
    ]
    use = (
        "Telecom fraud against lawful calls of the same kind. For defensive use: to find out which detectors follow what happens."
    )
    return el(
        "header",
        el("div", el("p", "Ringback snapshot report", class_="kicker"), el("h1", _names(months)), class_="title"),
        el("dl", [el("div", el("dt", name), el("dd", value)) for name, value in facts], class_="facts"),
        el("p", use, class_="quiet"),
        el("nav", [el("a", text, href=f"#{name}") for name, text in links], aria_label="Sections"),
        class_="top",
    )


def _signature(months: Sequence[Month]) -> Html:
    """What decides the figures, folded away."""
    first = months[0].counted[0]
    facts = [("Parser", first.parser), ("Errors", first.error_policy), ("Collapse rules", first.rules.version)]
    for month in months:
        facts.append((f"Root of {month.board.snapshot_id}", month.board.root_sha256))
        facts += [(f"#{number} {one.run.detector}", one.run.config_key) for number, one in enumerate(month.counted, 1)]
    listed = el("dl", [[el("dt", name), el("dd", value)] for name, value in facts])
    return el("details", el("summary", "What decides these figures"), listed, class_="signature")
