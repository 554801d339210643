"""Whether figures of hearing can be trusted: by how the recogniser hears such voices when nothing lies between.

A recogniser that hears a language badly even on a clean line measures itself, not the line and not the agent. The table of
hearing that ships says how badly, on held-out phrases, whole languages at a time. On a clean line alone: what a bad line
costs is what is to be measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from statistics import fmean

from pydantic import JsonValue

from core.hearing_table import read_table
from core.phrases import TABLE, phrase_folder
from core.schemas.call_trace import Trace
from core.schemas.hearing import Trust, Verdict
from core.schemas.phrases import HearingRow, HearingTable, PhraseSplit
from core.text import headline_of, primary_tag

WEAK, UNUSABLE = 0.25, 0.5
"""Rates (characters where they are the headline, else words) above which hearing is weak, and unusable."""
PRESET = "clean"
"""Channel preset of the rows that count."""


def shipped_table() -> HearingTable | None:
    """The table that ships, None where there is none; raises FileError where it is damaged."""
    path = phrase_folder() / TABLE
    return read_table(path) if path.is_file() else None


Hearer = tuple[str, str, str]
"""Language, recogniser and engine of the caller's voice."""


def trust_of(found: Iterable[Hearer], table: HearingTable | None) -> tuple[Trust, ...]:
    """How far the figures of calls with these hearers can be trusted, once for each of them."""
    return tuple(trust(table, *hearer) for hearer in sorted(set(found)))


def trust(table: HearingTable | None, language: str, recogniser: str, engine: str) -> Trust:
    """How far hearing of `language` (a BCP 47 tag) by a recogniser, as it is named, from voices of an engine can be trusted.

    A recogniser with options that nobody measured is judged by its model without options.
    """
    primary, measure = primary_tag(language), headline_of(language)
    rows = list(_rows(table, primary, recogniser, engine)) or list(_rows(table, primary, recogniser.partition("?")[0], engine))
    who = f"{recogniser} hearing {engine} voices"
    if not rows:
        statement = f"Hearing figures in {primary} were not surveyed: nothing is known of {who}."
        return Trust(
            language=primary,
            recogniser=recogniser,
            engine=engine,
            verdict=Verdict.NOT_SURVEYED,
            measure=measure,
            statement=statement,
        )
    rate = fmean(getattr(row, measure).rate for row in rows)
    folded = [row.folded_cer.rate for row in rows if row.folded_cer is not None]
    verdict = Verdict.UNUSABLE if rate > UNUSABLE else Verdict.WEAK if rate > WEAK else Verdict.TRUSTED
    says = {
        Verdict.UNUSABLE: f"Hearing figures in {primary} cannot be trusted",
        Verdict.WEAK: f"Hearing figures in {primary} are weak",
        Verdict.TRUSTED: f"Hearing figures in {primary} can be trusted",
    }[verdict]
    aside = f", {fmean(folded):.2f} whatever Indic script it writes" if folded and verdict is not Verdict.TRUSTED else ""
    return Trust(
        language=primary,
        recogniser=recogniser,
        engine=engine,
        verdict=verdict,
        measure=measure,
        rate=round(rate, 4),
        folded_cer=round(fmean(folded), 4) if folded else None,
        n=min(row.n for row in rows),
        statement=f"{says}: {who} has {measure.upper()} {rate:.2f}{aside} on held-out phrases over a clean line.",
    )


def _rows(table: HearingTable | None, language: str, recogniser: str, engine: str) -> Iterator[HearingRow]:
    for row in table.rows if table is not None else ():
        same = primary_tag(row.language) == language and row.recogniser == recogniser and row.engine == engine
        if same and row.preset == PRESET and row.split is PhraseSplit.HELD_OUT:
            yield row


def hearers(trace: Trace) -> Iterator[Hearer]:
    """The hearer of every turn that was spoken and transcribed."""
    settings = trace.header.line
    recogniser = _part(settings, "recogniser_chosen") or _part(settings, "recognizer", "model")
    for turn in trace.caller_turns:
        if turn.audio is not None and recogniser and any(fragment.clip is not None for fragment in turn.heard):
            engine = _part(settings, "synthesizers", turn.audio.engine, "engine")
            yield primary_tag(trace.header.language), recogniser, engine or turn.audio.engine


def _part(settings: JsonValue, *keys: str) -> str:
    """A text among nested settings, empty where it is not there."""
    for key in keys:
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings if isinstance(settings, str) else ""
