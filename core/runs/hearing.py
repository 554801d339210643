"""What hearing cost in one call: errors of the recogniser and known values, turn by turn and pooled.

Known values are counted wherever the candidate got text; word and character errors only where a recogniser made that text,
that is under `asr`, in turns whose fragments name the clip they were transcribed from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from core.errors import UsageError
from core.hearing import KnownValue, WordErrors, char_errors, known_values, pool, word_errors
from core.schemas.base import Condition
from core.schemas.call_trace import CallerTurn, Trace
from core.schemas.run import ErrorRate, TurnHearing, ValueAccuracy
from core.schemas.scenario import Scenario
from core.spoken import Kind
from core.text import RAW, find_span, normaliser_of


@dataclass(frozen=True)
class TurnValues:
    """The known values said in one caller turn."""

    turn: CallerTurn
    """The turn."""
    heard: str
    """What arrived, fragments joined by a space."""
    values: tuple[KnownValue, ...]
    """Each fact said here, and whether it survived."""


class TurnErrors(NamedTuple):
    """Errors of one turn, in words and characters, normalised and as written."""

    words: WordErrors
    raw_words: WordErrors
    chars: WordErrors
    raw_chars: WordErrors


@dataclass(frozen=True)
class CaseHearing:
    """Hearing of one call."""

    turns: tuple[TurnValues, ...]
    """Every turn that arrived as text; empty under `audio`."""
    errors: tuple[TurnErrors, ...]
    """Errors of every transcribed turn."""
    shown: tuple[TurnHearing, ...]
    """Turn by turn for the report; empty on lines that change nothing."""
    voice: str | None
    """Voice of the caller, if spoken."""
    normaliser: str
    """Normaliser of the language."""


def case_hearing(trace: Trace, scenario: Scenario) -> CaseHearing:
    """Measure the hearing of one call."""
    condition = trace.header.condition
    normaliser = normaliser_of(trace.header.language)
    turns = () if condition is Condition.AUDIO else tuple(_turn_values(turn, scenario) for turn in trace.caller_turns)
    errors = []
    shown = []
    for turn in turns:
        if condition is Condition.TEXT:
            continue
        found = _errors(turn.turn.intended, turn.heard, normaliser)
        shown.append(_shown(turn, found, normaliser))
        if condition is Condition.ASR and any(fragment.clip is not None for fragment in turn.turn.heard):
            errors.append(found)
    voices = (turn.audio.voice for turn in trace.caller_turns if turn.audio is not None)
    return CaseHearing(turns, tuple(errors), tuple(shown), next(voices, None), normaliser)


def word_rate(cases: Iterable[CaseHearing]) -> ErrorRate | None:
    """Word errors of the recogniser pooled over calls; None where nothing was transcribed."""
    listed = list(cases)
    errors = [turn for case in listed for turn in case.errors]
    return _pooled(listed, [turn.words for turn in errors], [turn.raw_words for turn in errors])


def char_rate(cases: Iterable[CaseHearing]) -> ErrorRate | None:
    """Character errors of the recogniser pooled over calls; None where nothing was transcribed."""
    listed = list(cases)
    errors = [turn for case in listed for turn in case.errors]
    return _pooled(listed, [turn.chars for turn in errors], [turn.raw_chars for turn in errors])


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


def _pooled(cases: Sequence[CaseHearing], errors: Sequence[WordErrors], raw: Sequence[WordErrors]) -> ErrorRate | None:
    if not errors:
        return None
    return error_rate(errors, raw, "+".join(sorted({case.normaliser for case in cases if case.errors})))


@lru_cache(maxsize=4096)
def _errors(intended: str, heard: str, normaliser: str) -> TurnErrors:
    """Errors of one turn; most turns arrive whole, and conditions share their callers, so many come up more than once."""
    return TurnErrors(
        words=word_errors(intended, heard, normaliser),
        raw_words=word_errors(intended, heard, RAW),
        chars=char_errors(intended, heard, normaliser),
        raw_chars=char_errors(intended, heard, RAW),
    )


def _rate(errors: WordErrors) -> float | None:
    return round(errors.edits / errors.reference_units, 6) if errors.reference_units else None


def _turn_values(turn: CallerTurn, scenario: Scenario) -> TurnValues:
    heard = " ".join(fragment.text for fragment in turn.heard)
    facts = tuple((key, fact.value, fact.kind) for key, fact in scenario.caller.facts.items())
    return TurnValues(turn, heard, _values(facts, turn.intended, heard, scenario.language, scenario.caller.now))


@lru_cache(maxsize=4096)
def _values(
    facts: tuple[tuple[str, str | int | float | bool, Kind], ...], intended: str, heard: str, language: str, now: str
) -> tuple[KnownValue, ...]:
    """Known values of one turn. Conditions share their callers, so most turns of a run come up more than once."""
    table = {key: (value, kind) for key, value, kind in facts}
    moment = datetime.fromisoformat(now)
    try:
        if heard != intended:
            return tuple(known_values(table, intended, heard, language=language, now=moment))
        said = known_values(table, intended, "", language=language, now=moment)
        return tuple(replace(value, survived=True, heard=value.said) for value in said)
    except UsageError:
        return tuple(_written_values(table, intended, heard))


def _written_values(facts: Mapping[str, tuple[str | int | float | bool, Kind]], intended: str, heard: str) -> list[KnownValue]:
    """Known values of a language whose spoken forms cannot be read: only whole written forms are found."""
    found = []
    for key, (value, kind) in facts.items():
        if find_span(intended, str(value)) is not None:
            survived = find_span(heard, str(value)) is not None
            found.append(KnownValue(key, kind, str(value), survived, str(value) if survived else None))
    return found


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
    )
