"""What hearing cost in one call: errors of the recogniser and known values, turn by turn and pooled.

Known values are counted wherever the candidate got text; word and character errors only where a recogniser made that text,
that is under `asr`, in turns whose fragments name the clip they were transcribed from.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from statistics import fmean

from core.hearing import KnownValue, WordErrors, char_errors, known_values, pool, word_errors
from core.schemas.base import Condition
from core.schemas.call_trace import CallerTurn, Trace
from core.schemas.hearing import ErrorRate, TurnHearing, ValueAccuracy
from core.schemas.scenario import Scenario
from core.spoken import Kind
from core.spoken.indic.folded import script_folded
from core.text import RAW, is_indic, normaliser_of

GUARD = "hearing_guard"
"""First part of the id of a note by which a line records that the guard found made-up words; the kind comes after a colon."""


@dataclass(frozen=True)
class TurnErrors:
    """Errors of one turn, in words and characters, normalised and as written."""

    words: WordErrors
    raw_words: WordErrors
    chars: WordErrors
    raw_chars: WordErrors
    folded: WordErrors | None
    """Characters with all Indic scripts folded into one; None for other languages."""
    raw_folded: WordErrors | None
    """The same as written."""


@dataclass(frozen=True)
class TurnFigures:
    """What one caller turn adds to figures of hearing."""

    heard: str
    """What arrived, fragments joined by a space."""
    values: tuple[KnownValue, ...]
    """Each fact said here, and whether it survived."""
    errors: TurnErrors | None = None
    """Errors of the recogniser; None where none made this text."""
    confidences: tuple[float, ...] = ()
    """Mean log-probability of each fragment that has one."""
    guard_hits: tuple[str, ...] = ()
    """Kinds of made-up words that the guard found, one entry per hit."""


@dataclass(frozen=True, kw_only=True)
class TurnValues(TurnFigures):
    """One caller turn as it arrived: the known values said in it, and its errors."""

    turn: CallerTurn
    """The turn."""


@dataclass(frozen=True)
class PooledHearing:
    """What the hearing of one call adds to figures over many: a run keeps this of each call, and not the call."""

    turns: tuple[TurnFigures, ...]
    """Every turn that arrived as text; empty under `audio`."""
    language: str
    """BCP 47 tag of the call."""
    script: str
    """ISO 15924 script of the call."""
    voice: str | None
    """Voice of the caller, if spoken."""
    normaliser: str
    """Normaliser of the language."""


@dataclass(frozen=True)
class CaseHearing(PooledHearing):
    """Hearing of one call."""

    turns: tuple[TurnValues, ...]
    """Every turn that arrived as text; empty under `audio`."""
    shown: tuple[TurnHearing, ...]
    """Turn by turn for the report; empty on lines that change nothing."""

    def pooled(self) -> PooledHearing:
        """The same without the turns themselves, and without those that no figure counts."""
        turns = (
            TurnFigures(turn.heard, turn.values, turn.errors, turn.confidences, turn.guard_hits)
            for turn in self.turns
            if turn.values or turn.errors is not None
        )
        return PooledHearing(tuple(turns), self.language, self.script, self.voice, self.normaliser)


def case_hearing(trace: Trace, scenario: Scenario) -> CaseHearing:
    """Measure the hearing of one call."""
    condition, language = trace.header.condition, trace.header.language
    normaliser = normaliser_of(language)
    turns = []
    shown = []
    for turn in trace.caller_turns if condition is not Condition.AUDIO else ():
        arrived = _turn_values(turn, scenario)
        if condition is not Condition.TEXT:
            found = _errors(turn.intended, arrived.heard, normaliser, is_indic(language))
            shown.append(_shown(arrived, found, normaliser))
            if condition is Condition.ASR and any(fragment.clip is not None for fragment in turn.heard):
                arrived = replace(arrived, errors=found)
        turns.append(arrived)
    voices = (turn.audio.voice for turn in trace.caller_turns if turn.audio is not None)
    return CaseHearing(tuple(turns), language, scenario.script, next(voices, None), normaliser, tuple(shown))


def turn_errors(intended: str, heard: str, normaliser: str, indic: bool) -> TurnErrors:
    """Errors of one utterance; those with folded scripts only where the language is `indic`."""
    return TurnErrors(
        words=word_errors(intended, heard, normaliser),
        raw_words=word_errors(intended, heard, RAW),
        chars=char_errors(intended, heard, normaliser),
        raw_chars=char_errors(intended, heard, RAW),
        folded=char_errors(intended, heard, f"{normaliser}-folded") if indic else None,
        raw_folded=char_errors(script_folded(intended), script_folded(heard), RAW) if indic else None,
    )


def accuracy(values: Iterable[KnownValue]) -> ValueAccuracy:
    """Survived over occurring; the rate is null where no known value was said."""
    listed = list(values)
    survived = sum(value.survived for value in listed)
    rate = round(survived / len(listed), 6) if listed else None
    return ValueAccuracy(rate=rate, survived=survived, occurring=len(listed))


def error_rate(errors: Iterable[WordErrors], raw: Iterable[WordErrors], normaliser: str) -> ErrorRate:
    """Summed edits over summed reference units, rounded to 6 digits; null without reference."""
    total, as_written = pool(errors), pool(raw)
    return ErrorRate(
        rate=_rate(total),
        substitutions=total.substitutions,
        deletions=total.deletions,
        insertions=total.insertions,
        reference=total.reference_units,
        raw=_rate(as_written),
        normaliser=normaliser,
    )


@lru_cache(maxsize=4096)
def _errors(intended: str, heard: str, normaliser: str, indic: bool) -> TurnErrors:
    """Errors of one turn; most turns arrive whole, and conditions share their callers, so many come up more than once."""
    return turn_errors(intended, heard, normaliser, indic)


def _rate(errors: WordErrors) -> float | None:
    return round(errors.edits / errors.reference_units, 6) if errors.reference_units else None


def _turn_values(turn: CallerTurn, scenario: Scenario) -> TurnValues:
    heard = " ".join(fragment.text for fragment in turn.heard)
    facts = tuple((key, fact.value, fact.kind) for key, fact in scenario.caller.facts.items())
    return TurnValues(
        heard,
        _values(facts, turn.intended, heard, scenario.language, scenario.caller.now),
        confidences=tuple(fragment.confidence for fragment in turn.heard if fragment.confidence is not None),
        guard_hits=_guard_hits(turn),
        turn=turn,
    )


def _guard_hits(turn: CallerTurn) -> tuple[str, ...]:
    ids = (event.id.split(":", 1) for event in turn.events if event.kind == "note")
    return tuple(parts[1] for parts in ids if parts[0] == GUARD and len(parts) == 2)


@lru_cache(maxsize=4096)
def _values(
    facts: tuple[tuple[str, str | int | float | bool, Kind], ...], intended: str, heard: str, language: str, now: str
) -> tuple[KnownValue, ...]:
    """Known values of one turn. Conditions share their callers, so most turns of a run come up more than once."""
    table = {key: (value, kind) for key, value, kind in facts}
    moment = datetime.fromisoformat(now)
    if heard != intended:
        return tuple(known_values(table, intended, heard, language=language, now=moment))
    said = known_values(table, intended, "", language=language, now=moment)
    return tuple(replace(value, survived=True, heard=value.said) for value in said)


def _shown(turn: TurnValues, errors: TurnErrors, normaliser: str) -> TurnHearing:
    return TurnHearing(
        turn=turn.turn.turn,
        messages=tuple(fragment.message for fragment in turn.turn.heard),
        intended=turn.turn.intended,
        heard=turn.heard,
        wer=error_rate([errors.words], [errors.raw_words], normaliser),
        cer=error_rate([errors.chars], [errors.raw_chars], normaliser),
        damaged=tuple(value.key for value in turn.values if not value.survived),
        values=len(turn.values),
        confidence=round(fmean(turn.confidences), 6) if turn.confidences else None,
        guard=turn.guard_hits,
    )
