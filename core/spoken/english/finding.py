"""Finding a known value in an English text, in whatever form it is said or written, and only as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from core.spoken.english.choices import phrase_places, phrase_units, read_yes_no
from core.spoken.english.clock import hint_of
from core.spoken.english.letters import find_spelled
from core.spoken.english.normal import english_units
from core.spoken.english.reading import dates, read_values, times
from core.spoken.english.sentence import Sentence, parse
from core.spoken.kinds import Kind, Value


def find_value(value: Value, kind: Kind, text: str, *, region: str = "", now: date | None = None) -> tuple[int, int] | None:
    """The first place of a canonical value in `text`, None when it does not stand there as a whole."""
    sentence = parse(text)
    if kind is Kind.DATE:
        return next(iter(_date_spans(sentence, date.fromisoformat(str(value)), region, now)), None)
    if kind is Kind.TIME:
        return next(iter(_time_spans(sentence, str(value), region)), None)
    if kind in (Kind.NAME, Kind.CHOICE, Kind.TEXT):
        return _phrase(str(value), text) or (_spelled(sentence, str(value)) if kind is Kind.NAME else None)
    if kind is Kind.YES_NO:
        return next(((item.start, item.end) for item in read_yes_no(sentence) if item.value == value), None)
    readings = read_values(text, kind, region=region, now=now)
    return next(((item.start, item.end) for item in readings if item.value == value), None)


def _date_spans(sentence: Sentence, day: date, region: str, now: date | None) -> Iterable[tuple[int, int]]:
    """A date agrees when every part said agrees; parts left out are counted from `now` in either direction."""
    for said in dates(sentence, region, now):
        near = now is not None and day in (said.resolve(now, "future"), said.resolve(now, "past"))
        if near or said.matches(day):
            yield sentence.span(said.first, said.last)


def _time_spans(sentence: Sentence, clock: str, region: str) -> Iterable[tuple[int, int]]:
    """A time whose half of day was left out agrees with either half."""
    hint = hint_of(sentence)
    for said in times(sentence, region):
        either = not said.sure and not hint and _half_day(said.clock()) == _half_day(clock)
        if said.clock(hint) == clock or either:
            yield sentence.span(said.first, said.last)


def _half_day(clock: str) -> tuple[int, str]:
    return int(clock[:2]) % 12, clock[3:]


def _phrase(phrase: str, text: str) -> tuple[int, int] | None:
    units = english_units(text)
    wanted = phrase_units(phrase)
    places = phrase_places(units, wanted)
    return (units[places[0]].start, units[places[0] + len(wanted) - 1].end) if places else None


def _spelled(sentence: Sentence, name: str) -> tuple[int, int] | None:
    """A one-word name that stands only as spelled letters with phonetic words between."""
    plain = name.casefold().replace("-", "").replace("'", "")
    for letters in find_spelled(sentence):
        if letters.text == plain:
            return sentence.span(letters.first, letters.last)
    return None
