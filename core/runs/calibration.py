"""Authored errors of hearing beside real ones: rates by kind and class of word, and real errors as events for authors.

Both are counted on the same turns, those of `asr` calls: the real errors in what the recogniser made of them, the authored
ones in what each scenario's channel program makes of the same words. Traces and the bundles kept with the runs are all it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from core.authored import apply_program
from core.bundle import Bundle
from core.confusions import confusions
from core.errors import UsageError
from core.runs.hearing import TurnValues, case_hearing
from core.runs.store import RunStore
from core.runs.word_errors import Classes, WordError, errors_of
from core.schemas.base import Condition
from core.schemas.calibration import (
    Calibration,
    Confusion,
    ErrorCount,
    ErrorKind,
    ErrorProfile,
    SuggestedEvent,
    WordClass,
)
from core.schemas.call_trace import Trace
from core.schemas.scenario import AsrEvent, EventKind, Place, Scenario
from core.seeds import generator
from core.spoken import Kind, Unit
from core.text import find_span, primary_tag

Z_95 = 1.959964
"""Standard deviations of a 95 % interval."""
_FACTS = "$caller.facts."


@dataclass(frozen=True)
class _Turn:
    """One transcribed turn with everything that is counted of it."""

    scenario: Scenario
    language: str
    place: tuple[str, str, str]
    """Channel, voice and recogniser."""
    values: TurnValues
    real: tuple[WordError, ...]
    authored: tuple[WordError, ...]
    classes: Classes

    @property
    def said(self) -> str:
        """The intended words."""
        return self.values.turn.intended


def asr_calls(store: RunStore) -> Iterator[tuple[Trace, Bundle]]:
    """Every finished call of a run that a recogniser heard, with the run's bundle."""
    bundle = store.bundle()
    for key in store.run().cases:
        if key.condition is Condition.ASR and store.has(key.name):
            yield store.trace(key.name), bundle


def calibrate(calls: Iterable[tuple[Trace, Bundle]], language: str | None = None) -> Calibration:
    """Compare the errors of `asr` calls, or of those in one language (by its primary code), with the authored ones.

    Raises:
        UsageError: no turn was heard by a recogniser in that language.
    """
    bundles: dict[str, None] = {}
    turns: list[_Turn] = []
    for trace, bundle in calls:
        if language is None or primary_tag(trace.header.language) == primary_tag(language):
            bundles[f"{bundle.file.id}@{bundle.file.version}"] = None
            turns += _turns(trace, bundle)
    if not turns:
        wanted = "" if language is None else f" in {language!r}"
        raise UsageError(f"no call{wanted} was heard by a recogniser: play some with --condition asr")
    return Calibration(
        bundles=tuple(bundles),
        profiles=tuple(_profiles(turns)),
        suggestions=tuple(_suggestions(turns)),
        confusions=tuple(_confusions(turns)),
    )


def _turns(trace: Trace, bundle: Bundle) -> Iterator[_Turn]:
    scenario, head = bundle.scenarios[trace.header.scenario], trace.header
    named = tuple(str(fact.value) for fact in scenario.caller.facts.values() if fact.kind is Kind.NAME)
    classes = Classes(head.language, named)
    hearing = case_hearing(trace, scenario)
    recogniser = head.line.get("recognizer")
    model = str(recogniser.get("model", "?")) if isinstance(recogniser, dict) else "?"
    place = (str(head.line.get("channel", "?")), hearing.voice or "?", model)
    for arrived in hearing.turns:
        if arrived.errors is None:
            continue
        turn = arrived.turn
        pieces, _events = apply_program(
            scenario, turn.turn, turn.intended, turn.expressed, generator(head.seeds.line, "turn", turn.turn)
        )
        yield _Turn(
            scenario=scenario,
            language=head.language,
            place=place,
            values=arrived,
            real=tuple(errors_of(turn.intended, arrived.heard, head.language)),
            authored=tuple(errors_of(turn.intended, " ".join(pieces), head.language)),
            classes=classes,
        )


# -- rates ------------------------------------------------------------------------------------------------------------


def _profiles(turns: Sequence[_Turn]) -> Iterator[ErrorProfile]:
    for language in sorted({turn.language for turn in turns}):
        mine = [turn for turn in turns if turn.language == language]
        yield _profile("authored", language, mine)
        yield _profile("measured", language, mine)
        for place in sorted({turn.place for turn in mine}):
            yield _profile("measured", language, [turn for turn in mine if turn.place == place], place)


def _profile(
    source: str, language: str, turns: Sequence[_Turn], place: tuple[str | None, str | None, str | None] = (None, None, None)
) -> ErrorProfile:
    words: Counter[WordClass] = Counter()
    counts: Counter[tuple[ErrorKind, WordClass]] = Counter()
    for turn in turns:
        words.update(turn.classes.count(turn.said))
        for error in turn.authored if source == "authored" else turn.real:
            counts.update((error.kind, turn.classes.of(word)) for word in error.befallen)
    return ErrorProfile.model_validate(
        {
            "source": source,
            "language": language,
            "channel": place[0],
            "voice": place[1],
            "recogniser": place[2],
            "turns": len(turns),
            "words": {each: words[each] for each in WordClass},
            "per_100": _per_100(counts.total(), words.total()),
            "errors": tuple(
                _count(kind, each, counts[kind, each], words[each])
                for kind in ErrorKind
                for each in WordClass
                if counts[kind, each]
            ),
        }
    )


def _count(kind: ErrorKind, word_class: WordClass, count: int, words: int) -> ErrorCount:
    low, high = _wilson(count, max(count, words))
    per_100 = _per_100(count, words)
    return ErrorCount(
        kind=kind, word_class=word_class, count=count, per_100=per_100, low=min(low, per_100), high=max(high, per_100)
    )


def _per_100(count: int, words: int) -> float:
    return round(100 * count / max(1, words), 3)


def _wilson(count: int, of: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share, per hundred."""
    share, square = count / of, Z_95 * Z_95
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = Z_95 / (1 + square / of) * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return round(100 * max(0.0, middle - half), 3), round(100 * min(1.0, middle + half), 3)


# -- for authors ------------------------------------------------------------------------------------------------------

_Found = tuple[str, str, str, str | None]
"""Step, kind, span, replacement."""


def _suggestions(turns: Sequence[_Turn]) -> Iterator[SuggestedEvent]:
    """Scenario by scenario, the most frequent first; none where a program of another sort stands in the way."""
    by_scenario: dict[str, list[_Turn]] = {}
    for turn in turns:
        if turn.values.turn.expressed and not turn.scenario.channel.seeded_word:
            by_scenario.setdefault(turn.scenario.id, []).append(turn)
    for name, mine in sorted(by_scenario.items()):
        steps = Counter(turn.values.turn.expressed[0] for turn in mine)
        found = Counter(event for turn in mine for event in _events(turn))
        taken = {event.id for event in mine[0].scenario.channel.asr_events}
        free = (number for number in range(1, 2 * len(found) + len(taken) + 1) if f"measured_{number}" not in taken)
        for (step, kind, span, instead), count in _distinct(found):
            made = {
                "id": f"measured_{next(free)}",
                "at": Place(step=step),
                "kind": EventKind(kind),
                "span": span,
                "with": instead,
            }
            yield SuggestedEvent(scenario=name, event=AsrEvent.model_validate(made), count=count, turns=steps[step])


def _distinct(found: Mapping[_Found, int]) -> Iterator[tuple[_Found, int]]:
    """The most frequent event of each step and span: two at one place would befall the same words twice."""
    seen: set[tuple[str, str]] = set()
    for event, count in sorted(found.items(), key=lambda item: (-item[1], item[0][0], item[0][2], str(item[0]))):
        if (event[0], event[2]) not in seen:
            seen.add((event[0], event[2]))
            yield event, count


def _events(turn: _Turn) -> set[_Found]:
    """What befell a turn, as events at its step: damaged facts as a whole, other words stretch by stretch."""
    step, said, heard = turn.values.turn.expressed[0], turn.said, turn.values.heard
    events: set[_Found] = set()
    facts: list[tuple[int, int]] = []
    for value in turn.values.values:
        start = said.find(value.said)
        facts.append((start, start + len(value.said)))
        if not value.survived:
            kind = EventKind.SUBSTITUTE if value.heard else EventKind.DROP
            events.add((step, kind.value, f"{_FACTS}{value.key}", value.heard or None))
    for error in turn.real:
        span = _stretch(said, error.said)
        if span is None or any(span[0] < end and start < span[1] for start, end in facts):
            continue
        words = said[span[0] : span[1]]
        if find_span(said, words) == span:
            instead = _stretch(heard, error.heard)
            events.add((step, error.kind.value, words, None if instead is None else heard[instead[0] : instead[1]]))
    return events


def _stretch(text: str, units: Sequence[Unit]) -> tuple[int, int] | None:
    """Where a stretch of units stands in its text, punctuation at its ends left out."""
    if not units:
        return None
    start, end = min(unit.start for unit in units), max(unit.end for unit in units)
    inner = text[start:end].strip(" .,;:!?-…，。？！")
    at = text.find(inner, start)
    return (at, at + len(inner)) if inner else None


def _confusions(turns: Sequence[_Turn]) -> Iterator[Confusion]:
    """One word heard for another, neither a number nor a letter nor a name, the most frequent first."""
    found: Counter[tuple[str, str, str]] = Counter()
    said: Counter[tuple[str, str]] = Counter()
    for turn in turns:
        spoken = primary_tag(turn.language)
        said.update((spoken, text) for text in turn.classes.texts(turn.said))
        for error in turn.real:
            for word, instead in zip(error.said, error.heard, strict=False):
                if turn.classes.of(word) in (WordClass.OTHER, WordClass.FUNCTION):
                    found[spoken, word.text, instead.text] += 1
    for (language, meant, heard), count in sorted(found.items(), key=lambda item: (-item[1], item[0])):
        yield Confusion(
            language=language,
            said=meant,
            heard=heard,
            count=count,
            of=said[language, meant],
            listed=heard in confusions(language).get(meant, ()),
        )
