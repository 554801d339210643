"""The run and the comparison as plain text for a terminal: ASCII layout, no colour unless asked."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.report import phrases
from core.report.figures import condition_rows, slice_rows
from core.runs.notes import INTERVAL_NOTE
from core.schemas.run import ConditionSummary, Paired, Summary

SHOWN_ATTRIBUTIONS = 8


@dataclass(frozen=True)
class Ink:
    """Terminal emphasis; without colour every text stays as it is."""

    colour: bool

    def bold(self, text: str) -> str:
        """Headings."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def dim(self, text: str) -> str:
        """Notes."""
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text


def columns(text: str) -> int:
    """Terminal columns a text takes: wide characters two, marks that stand on another character none."""
    narrow = [c for c in text if unicodedata.category(c) not in ("Mn", "Me")]
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in narrow)


def clean(text: str) -> str:
    """A text on one line without control characters, so that nothing heard in a call can steer a terminal."""
    return " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in text).split())


def pad(text: str, width: int, right: bool = False) -> str:
    """A text filled up with spaces to a number of columns."""
    space = " " * max(0, width - columns(text))
    return space + text if right else text + space


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows of cells as lines, every column as wide as its widest cell; `right` names the columns set flush right."""
    widths = [max(columns(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = ["  ".join(pad(cell, widths[i], i in right) for i, cell in enumerate(row)).rstrip() for row in rows]
    return [lines[0], "-" * max(columns(line) for line in lines), *lines[1:]]


def render_table(summary: Summary, width: int = 100, colour: bool = False) -> str:
    """The run for a terminal of `width` columns (80 or more reads best): scores, pairs, what hearing cost, notes."""
    ink = Ink(colour)
    parts = [wrapped(phrases.identity(summary), width), wrapped(phrases.standing(summary), width), ""]
    parts += _condition_blocks(summary, width, ink)
    if summary.paired:
        parts += ["", ink.bold("Paired differences"), *paired_lines(summary.paired)]
    spoken = summary.hearing_slices.get("language", {})
    if len(spoken) > 1:
        parts += [
            "",
            ink.bold("Hearing by language"),
            *table([[clean(cell) for cell in row] for row in slice_rows(summary, "language")]),
        ]
    if summary.attribution:
        sentences = [phrases.attribution_text(each) for each in summary.attribution]
        parts += ["", ink.bold("What hearing cost"), *_sentences(sentences, width)]
    parts += ["", *(ink.dim(wrapped(note, width)) for note in phrases.all_notes(summary))]
    return "\n".join(parts) + "\n"


def render_compare(
    paired: Sequence[Paired],
    attribution: Sequence[str] = (),
    hearing: Mapping[str, float | None] | None = None,
    differing: Sequence[str] = (),
    width: int = 100,
    colour: bool = False,
) -> str:
    """Conditions or runs side by side.

    `paired`: one entry per pair and measure; of a single pair the first measure's scenarios are listed. `attribution`: finished
    sentences.
    `hearing`: scenario to word error rate (0 and up) of the side that was transcribed, set beside each difference.
    `differing`: what differs between the two sides although it should not.
    """
    ink = Ink(colour)
    parts = [ink.bold("Paired differences"), *paired_lines(paired)]
    short = [f"{_measure(each.measure)} is withheld: {each.withheld}." for each in paired if each.withheld]
    known = [told for each in paired if (told := phrases.precision_text(each)) is not None]
    parts += [wrapped(reason, width) for reason in (*short, *known)]
    if differing:
        parts += ["", ink.bold("Compared although these differ"), *_sentences(differing, width, limit=len(differing))]
    if paired and len({each.measure for each in paired}) == len(paired) and paired[0].differences:
        first = paired[0]
        parts += ["", ink.bold(f"{_measure(first.measure)} by scenario: {clean(first.a)} - {clean(first.b)}")]
        rows = [["scenario", "difference", *(["WER"] if hearing else [])]]
        for name, difference in sorted(first.differences.items(), key=lambda pair: (-abs(pair[1]), pair[0])):
            rows.append([clean(name), phrases.signed(difference), *([phrases.number(hearing.get(name), 3)] if hearing else [])])
        parts += table(rows, right=(1, 2))
    if attribution:
        parts += ["", ink.bold("What hearing cost"), *_sentences(attribution, width)]
    parts += ["", ink.dim(wrapped(INTERVAL_NOTE, width))]
    return "\n".join(parts) + "\n"


def paired_lines(paired: Sequence[Paired]) -> list[str]:
    """One line per paired comparison."""
    head = ["a - b", "measure", "n", "mean", "95 % interval", "win/loss/tie"]
    rows = [[clean(f"{each.a} - {each.b}"), clean(each.measure), str(each.n), *phrases.paired_cells(each)] for each in paired]
    return table([head, *rows], right=(2, 3))


def _measure(name: str) -> str:
    return phrases.TITLES.get(name, name)


def _condition_blocks(summary: Summary, width: int, ink: Ink) -> list[str]:
    """Conditions as columns, cut into blocks that fit the width."""
    rows = _condition_rows(summary)
    label = max(columns(row[0]) for row in rows) + 2
    column = max((columns(cell) for row in rows for cell in row[1:]), default=0) + 2
    fit = max(1, (width - label + 2) // column)
    count = len(summary.conditions)
    lines: list[str] = []
    for start in range(1, count + 1, fit):
        block = [[row[0], *row[start : start + fit]] for row in rows]
        texts = [(pad(row[0], label) + "".join(pad(cell, column) for cell in row[1:])).rstrip() for row in block]
        rule = "-" * max(columns(text) for text in texts)
        lines += [*([""] if lines else []), ink.bold(texts[0]), rule, *texts[1:]]
    lines.append("")
    dropped = [f"{name.value}: {phrases.dropped_text(held)}" for name, held in summary.conditions.items() if held.dropped]
    if dropped:
        lines.append(wrapped(f"Dropped by reason: {'; '.join(dropped)}", width))
    faults = [(name.value, phrases.agent_faults_detail(held)) for name, held in summary.conditions.items()]
    if any(detail for _name, detail in faults):
        listed = "; ".join(f"{name}: {detail}" for name, detail in faults if detail)
        lines.append(wrapped(f"Ended by agent's fault: {listed}", width))
    lines.append(f"Success: {phrases.cutoff_text(summary)}.")
    return lines


def _condition_rows(summary: Summary) -> list[list[str]]:
    """The head and one row per measure; the first cell is its name."""
    held = list(summary.conditions.values())
    return [
        ["score [95 % interval]", *(name.value for name in summary.conditions)],
        ["Task", *(phrases.score_text(each.task) for each in held)],
        ["Conversation", *(phrases.score_text(each.conversation) for each in held)],
        ["Overall", *(phrases.score_text(each.overall) for each in held)],
        ["Success rate", *(phrases.success_text(each) for each in held)],
        *phrases.passes_rows(held),
        *phrases.precision_rows(held),
        ["Graded / planned", *(_counts(each) for each in held)],
        *([["Ungraded", *(str(each.ungraded) for each in held)]] if any(each.ungraded for each in held) else []),
        ["Ended by agent's fault", *(phrases.agent_faults_text(each) for each in held)],
        ["Task points", *(phrases.points_text(each.task) for each in held)],
        ["Conversation points", *(phrases.points_text(each.conversation) for each in held)],
        ["Coverage task, conv.", *(_coverage(each) for each in held)],
        ["Dropped", *(str(phrases.dropped_count(each)) for each in held)],
        ["WER, normalised", *(phrases.rate_text(each.wer) for each in held)],
        ["WER, raw", *(phrases.raw_text(each.wer) for each in held)],
        ["CER, normalised", *(phrases.rate_text(each.cer) for each in held)],
        ["CER, raw", *(phrases.raw_text(each.cer) for each in held)],
        ["Known values heard", *(phrases.values_text(each.known_value_accuracy) for each in held)],
        *condition_rows(held),
    ]


def _coverage(held: ConditionSummary) -> str:
    return f"{phrases.number(held.task.coverage, 2)}, {phrases.number(held.conversation.coverage, 2)}"


def _counts(held: ConditionSummary) -> str:
    return f"{held.n} / {held.planned}"


def wrapped(text: str, width: int) -> str:
    """A text in lines of at most `width` columns, all but the first indented."""
    return textwrap.fill(clean(text), width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _sentences(sentences: Sequence[str], width: int, limit: int = SHOWN_ATTRIBUTIONS) -> list[str]:
    lines = [wrapped(f"- {sentence}", width) for sentence in sentences[:limit]]
    if len(sentences) > limit:
        lines.append(f"- and {len(sentences) - limit} more in the report")
    return lines
