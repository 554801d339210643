"""What each effect costs, for a terminal and as Markdown."""

from __future__ import annotations

from core.report import markdown, phrases, text
from core.schemas.ablation import Ablation, Difference, VariantKind, VariantResult

HEAD = ("line", "WER", "CER", "known values", "overall", "WER change", "score change")
TITLES = {VariantKind.CLEAN: "no channel", VariantKind.WHOLE: "whole channel", VariantKind.BARE: "every effect off"}


def render_ablation(found: Ablation, width: int = 100) -> str:
    """The table in plain text, with what was played above it and how to read it below."""
    lines = [text.wrapped(_identity(found), width), text.wrapped(f"channel: {found.channel}", width), ""]
    lines += text.table([HEAD, *(_cells(variant) for variant in found.variants)], right=(1, 2, 4))
    return "\n".join([*lines, "", *(text.wrapped(note, width) for note in found.notes)]) + "\n"


def ablation_markdown(found: Ablation) -> str:
    """The same as Markdown."""
    escape = markdown.escape
    rows = [[escape(cell) for cell in _cells(variant)] for variant in found.variants]
    lines = ["# What each effect of a channel costs", "", escape(_identity(found)), "", f"Channel: `{found.channel}`", ""]
    return "\n".join([*lines, *markdown.table([HEAD, *rows]), *(f"- {escape(note)}" for note in found.notes)]) + "\n"


def _identity(found: Ablation) -> str:
    repeats = f", {found.repeats} repeats" if found.repeats > 1 else ""
    calls = f"{found.variants[0].n} calls a line{repeats}"
    return f"{found.bundle}, candidate {found.candidate}, caller {found.caller}, judge {found.judge}, seed {found.seed}, {calls}"


def _cells(variant: VariantResult) -> list[str]:
    title = TITLES.get(variant.kind, f"{variant.kind.value} {variant.effect}")
    dropped = f" ({variant.dropped} dropped)" if variant.dropped else ""
    return [
        text.clean(title + dropped),
        phrases.rate_text(variant.wer),
        phrases.rate_text(variant.cer),
        phrases.values_text(variant.known_values),
        phrases.WITHHELD if phrases.withheld(variant.overall) else phrases.number(variant.overall.score),
        _change(variant.wer_change, 3),
        _change(variant.score_change, 1),
    ]


def _change(found: Difference | None, digits: int) -> str:
    if found is None:
        return "-"
    return f"{phrases.signed(found.mean, digits)} {phrases.interval(found.low, found.high, digits, sign=True)}".rstrip()
