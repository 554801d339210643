"""The channel program in text: authored recognition errors, the seeded one-word mode, and splits at real pauses.

Spans are found as the first NFKC-casefolded whole-word occurrence, or, for `$caller.facts.<key>`, wherever the fact is
said in any spoken or written form.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

import numpy as np

from core.confusions import confusions
from core.schemas.call_trace import ChannelEvent
from core.schemas.scenario import AsrEvent, EventKind, Fact, Place, Scenario, Split
from core.spoken import find_value
from core.text import find_span, graphemes, words

MAX_FRAGMENTS = 3
MIN_GRAPHEMES = 4
"""Shortest word, in grapheme clusters that are letters, that the seeded mode may change."""
_FACTS = "$caller.facts."


def apply_program(
    scenario: Scenario, turn: int, speech: str, expressed: Sequence[str], rng: np.random.Generator
) -> tuple[tuple[str, ...], tuple[ChannelEvent, ...]]:
    """The fragments a turn arrives as (one to three) and every event meant for it, applied or not."""
    events: list[ChannelEvent] = []
    text = speech
    for event in scenario.channel.asr_events:
        if _is_here(event.at, turn, expressed):
            text, record = _apply_event(scenario, event, text)
            events.append(record)
    if scenario.channel.seeded_word and turn == 1:
        text, record = _seeded_word(scenario, text, rng)
        events.append(record)
    events.extend(interruption_notes(scenario, turn, expressed))
    pieces, split_events = split_text(scenario, turn, text, expressed)
    return pieces, (*events, *split_events)


def split_text(
    scenario: Scenario, turn: int, text: str, expressed: Sequence[str]
) -> tuple[tuple[str, ...], tuple[ChannelEvent, ...]]:
    """Cut a turn at its authored pauses; also used by spoken lines, where the cuts become real pauses."""
    cuts = {
        number: _cut(scenario, split, text)
        for number, split in enumerate(scenario.channel.splits)
        if _is_here(split.at, turn, expressed)
    }
    kept = sorted({cut for cut in cuts.values() if cut is not None})[: MAX_FRAGMENTS - 1]
    events = [_split_event(number, scenario.channel.splits[number], text, cut, kept) for number, cut in cuts.items()]
    edges = [0, *kept, len(text)]
    pieces = tuple(text[a:b].strip() for a, b in pairwise(edges))
    return tuple(piece for piece in pieces if piece) or (text,), tuple(events)


def _split_event(number: int, split: Split, text: str, cut: int | None, kept: Sequence[int]) -> ChannelEvent:
    wanted = split.inside or split.after or ""
    detail = after = ""
    if cut is None:
        detail = f"{wanted!r} was not said, or has no place to pause"
    elif cut not in kept:
        detail = f"a turn arrives in at most {MAX_FRAGMENTS} messages"
    else:
        after = f"{text[:cut].strip()} | {text[cut:].strip()}"
    return ChannelEvent(id=f"split_{number}", kind="split", applied=not detail, before=wanted, after=after, detail=detail)


def interruption_notes(scenario: Scenario, turn: int, expressed: Sequence[str]) -> list[ChannelEvent]:
    """Interruptions meant for this turn: a half-duplex line cannot play them, and says so."""
    return [
        ChannelEvent(
            id=f"interruption_{number}",
            kind="interruption",
            applied=False,
            detail=f"after {item.after_ms} ms; only full-duplex lines play interruptions",
        )
        for number, item in enumerate(scenario.channel.interruptions)
        if _is_here(item, turn, expressed)
    ]


def _is_here(place: Place, turn: int, expressed: Sequence[str]) -> bool:
    return place.turn == turn if place.turn is not None else place.step in expressed


def _locate(scenario: Scenario, span: str, text: str) -> tuple[int, int] | None:
    if span.startswith(_FACTS):
        fact = scenario.caller.facts[span.removeprefix(_FACTS)]
        return find_value(fact.value, fact.kind, text, language=scenario.language, now=_now(scenario))
    return find_span(text, span)


def _now(scenario: Scenario) -> datetime:
    return datetime.fromisoformat(scenario.caller.now)


def _apply_event(scenario: Scenario, event: AsrEvent, text: str) -> tuple[str, ChannelEvent]:
    found = _locate(scenario, event.span, text)
    if found is None:
        return text, ChannelEvent(id=event.id, kind=event.kind.value, applied=False, detail=f"{event.span!r} was not said")
    start, end = found
    before = text[start:end]
    changed, after = _damage(text, start, end, event.kind, event.with_ or "")
    return changed, ChannelEvent(id=event.id, kind=event.kind.value, applied=changed != text, before=before, after=after)


def _damage(text: str, start: int, end: int, kind: EventKind, replacement: str) -> tuple[str, str]:
    before = text[start:end]
    after = {EventKind.DROP: "", EventKind.DOUBLE: f"{before} {before}", EventKind.SUBSTITUTE: replacement}[kind]
    if kind is EventKind.DROP:
        left, right = text[:start].rstrip(), text[end:]
        apart = left != text[:start] and right[:1].isalnum()  # a script without spaces gets none
        joined = f"{left} {right}" if apart else left + right
        return joined.strip(" ,") if not left else joined, after
    return text[:start] + after + text[end:], after


def _seeded_word(scenario: Scenario, text: str, rng: np.random.Generator) -> tuple[str, ChannelEvent]:
    """Change one eligible word: four letters or more, overlapping no known value in any form."""
    protected = [span for fact in scenario.caller.facts.values() for span in _every_place(scenario, fact, text)]
    eligible = [
        (word.start, word.end)
        for word in words(text)
        if _letters(word.text) >= MIN_GRAPHEMES and not any(word.start < end and start < word.end for start, end in protected)
    ]
    if not eligible:
        return text, ChannelEvent(id="seeded_word", kind="seeded_word", applied=False, detail="no eligible word")
    start, end = eligible[int(rng.integers(len(eligible)))]
    before = text[start:end]
    table = confusions(scenario.language)
    choices = table.get(before.casefold(), ())
    kinds = [EventKind.DROP, EventKind.DOUBLE, *([EventKind.SUBSTITUTE] if choices else [])]
    kind = kinds[int(rng.integers(len(kinds)))]
    replacement = choices[int(rng.integers(len(choices)))] if kind is EventKind.SUBSTITUTE else ""
    changed, after = _damage(text, start, end, kind, replacement)
    return changed, ChannelEvent(
        id="seeded_word", kind="seeded_word", applied=True, before=before, after=after, detail=kind.value
    )


def _every_place(scenario: Scenario, fact: Fact, text: str) -> Iterator[tuple[int, int]]:
    """Every place where a fact is said; each one found is blanked, so that the next comes up."""
    while span := find_value(fact.value, fact.kind, text, language=scenario.language, now=_now(scenario)):
        yield span
        text = text[: span[0]] + " " * (span[1] - span[0]) + text[span[1] :]


def _letters(word: str) -> int:
    """Grapheme clusters of a word that are letters; a number has none."""
    return sum(not cluster[0].isdigit() for cluster in graphemes(word))


def _cut(scenario: Scenario, split: Split, text: str) -> int | None:
    """Offset of a pause: after a span, or at the word boundary nearest the middle of a span (commas preferred)."""
    found = _locate(scenario, split.inside or split.after or "", text)
    if found is None:
        return None
    start, end = found
    if split.after is not None:
        cut = end
        while cut < len(text) and not text[cut].isalnum() and not text[cut].isspace():
            cut += 1
        return cut if text[cut:].strip() else None
    boundaries = [word.start for word in words(text[start:end])][1:]
    if not boundaries:
        return None
    middle = (end - start) / 2
    commas = [b for b in boundaries if text[start : start + b].rstrip().endswith((",", "，", "、"))]
    best = min(commas or boundaries, key=lambda b: (abs(b - middle), b))
    return start + best
