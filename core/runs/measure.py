"""What `ringback measure` tells: the hearing of a run from its traces alone, and that of utterances given as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.bundle import Bundle
from core.errors import UsageError
from core.hearing import KnownValue, alignment, known_values
from core.runs.figures import figures, sliced
from core.runs.hearing import CaseHearing, PooledHearing, TurnFigures, case_hearing, error_rate, turn_errors
from core.runs.store import RunStore
from core.runs.trust import hearers, trust_of
from core.schemas.base import Condition
from core.schemas.call_trace import Trace
from core.schemas.hearing import AlignedWords, CallHearing, ConditionHearing, HeardPair, HeardValue, HearingReport, PairsReport
from core.schemas.phrases import HearingTable
from core.spoken import AS_WRITTEN, Kind, Reading, canonical, read, rules_of
from core.text import is_indic, normaliser_of

READ = (Kind.EMAIL, Kind.DATE, Kind.TIME, Kind.DIGITS, Kind.CODE, Kind.NUMBER)
"""Kinds that are read out of any words, beside amounts of money; names and choices must be given."""

Given = tuple[Kind, str]
"""A value that a user knows to be in what was said: its kind and the value in any form."""


def measure_run(store: RunStore, bundle: Bundle, wanted: Condition | None, table: HearingTable | None) -> HearingReport:
    """The hearing of a run's finished calls under one condition, or under every one whose candidate got text.

    Raises:
        UsageError: the run was not played under that condition.
    """
    run = store.run()
    there = [condition for condition in Condition if any(key.condition is condition for key in run.cases)]
    if wanted is not None and wanted not in there:
        raise UsageError(f"{store.root} holds no condition {wanted.value!r}: use one of {', '.join(there)}")
    conditions: dict[Condition, ConditionHearing] = {}
    traces: list[Trace] = []
    for condition in there if wanted is None else [wanted]:
        if condition is Condition.AUDIO:
            continue
        named = [(key.name, store.trace(key.name)) for key in run.cases if key.condition is condition and store.has(key.name)]
        traces += [trace for _name, trace in named]
        conditions[condition] = _condition([(name, trace, _hearing(trace, bundle)) for name, trace in named])
    return HearingReport(
        bundle=f"{run.bundle}@{run.bundle_version}",
        conditions=conditions,
        trust=trust_of((found for trace in traces for found in hearers(trace)), table),
    )


def measure_pairs(pairs: Iterable[tuple[str, str]], language: str, given: Sequence[Given] = ()) -> PairsReport:
    """Utterances as said and as heard: errors, alignment and values of each, and everything pooled.

    `given` are values known to be said, such as names, beside those that can be read. An utterance without words to hear
    pools its insertions and adds nothing to the reference.

    Raises:
        InputError: a given value is none of its kind.
    """
    normaliser, indic = normaliser_of(language), is_indic(language)
    found: list[HeardPair] = []
    turns: list[TurnFigures] = []
    for number, (said, heard) in enumerate(pairs, 1):
        errors = turn_errors(said, heard, normaliser, indic)
        values = _values(said, heard, language, given)
        turns.append(TurnFigures(heard, tuple(known for _value, known in values or ()), errors))
        found.append(
            HeardPair(
                number=number,
                said=said,
                heard=heard,
                wer=error_rate([errors.words], [errors.raw_words], normaliser),
                cer=error_rate([errors.chars], [errors.raw_chars], normaliser),
                alignment=tuple(
                    AlignedWords(op=step.operation, said=" ".join(step.reference), heard=" ".join(step.heard))
                    for step in alignment(said, heard, normaliser)
                ),
                values=None if values is None else tuple(value for value, _known in values),
            )
        )
    whole = PooledHearing(tuple(turns), language, "", None, normaliser)
    return PairsReport(language=language, figures=figures([whole]), pairs=tuple(found))


def _hearing(trace: Trace, bundle: Bundle) -> CaseHearing:
    return case_hearing(trace, bundle.scenarios[trace.header.scenario])


def _condition(calls: Sequence[tuple[str, Trace, CaseHearing]]) -> ConditionHearing:
    return ConditionHearing(
        figures=figures(hearing for _name, _trace, hearing in calls),
        slices=sliced([hearing for _name, _trace, hearing in calls]),
        calls=tuple(
            CallHearing(
                case=name,
                scenario=trace.header.scenario,
                language=hearing.language,
                script=hearing.script,
                voice=hearing.voice,
                figures=figures([hearing]),
                turns=hearing.shown,
            )
            for name, trace, hearing in calls
        ),
    )


def _values(said: str, heard: str, language: str, given: Sequence[Given]) -> list[tuple[HeardValue, KnownValue]] | None:
    """Every value given or read that was said, and what became of it; None in a language whose values cannot be read."""
    if rules_of(language) == AS_WRITTEN:
        return None
    readings = _readings(said, language)
    facts = {f"{kind}={value}": (canonical(value, kind, language), kind) for kind, value in given}
    known = {(kind, value) for value, kind in facts.values()}
    facts |= {
        str(number): (reading.value, reading.kind)
        for number, reading in enumerate(readings)
        if (reading.kind, reading.value) not in known
    }
    return [
        (
            HeardValue(kind=item.kind, value=facts[item.key][0], said=item.said, heard=item.heard, survived=item.survived),
            item,
        )
        for item in known_values(facts, said, heard, language=language)
    ]


def _readings(text: str, language: str) -> list[Reading]:
    """Readings of every kind that can be told apart, in order; of those that overlap, the longest, then the first kind's."""
    # Bare numbers count as amounts only where no currency is said at all, so one is said behind the text.
    amounts = [reading for reading in read(f"{text}\n$1", Kind.MONEY, language=language) if reading.end <= len(text)]
    found = amounts + [reading for kind in READ for reading in read(text, kind, language=language)]
    chosen: list[Reading] = []
    for reading in sorted(found, key=lambda item: item.start - item.end):
        if all(reading.end <= other.start or other.end <= reading.start for other in chosen):
            chosen.append(reading)
    return sorted(chosen, key=lambda item: item.start)
