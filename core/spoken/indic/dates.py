"""Dates: "पंद्रह मार्च दो हज़ार छब्बीस", "15/03/2026" (the day first), "अगले सोमवार", "परसों", "तीन दिन बाद", "पंद्रह तारीख".

Words that mean tomorrow as well as yesterday are read as the tense of the sentence has it, and not at all where it tells neither.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from core.spoken.english.dates import SaidDate, find_dates
from core.spoken.indic.folded import folded
from core.spoken.indic.grammar import Grammar, Parsed, phrase_at, phrases, words_of
from core.spoken.indic.numerals import cardinal, say_year

_ROUND_THE_CLOCK = (24, 7)
""""24/7" is no day in July."""


def find_days(parsed: Parsed) -> list[SaidDate]:
    """Every date, in order; a weekday and the date it names are one."""
    own = [said for index in range(len(parsed.own.tokens)) if (said := _own(parsed, index)) is not None]
    taken = {at for said in own for at in range(said.first, said.last)}
    others = [said for said in find_dates(parsed.view, day_first=True) if taken.isdisjoint(range(said.first, said.last))]
    others = [said for said in others if said.worded or said.year is not None or (said.day, said.month) != _ROUND_THE_CLOCK]
    found: list[SaidDate] = []
    for said in sorted([*own, *others], key=lambda item: item.first):
        named = found and found[-1].weekday is not None and found[-1].last == said.first
        whole = named and said.weekday is None and said.offset is None
        found.append(replace(said, first=found.pop().first) if whole else said)
    return found


def _own(parsed: Parsed, index: int) -> SaidDate | None:
    """Dates that English has no shape for."""
    days = parsed.grammar.table.days
    for words, offset in ((days.two_ahead, 2), (days.two_back, -2), (days.either, 1), (days.two_either, 2)):
        size = phrase_at(parsed.own, index, phrases(words))
        if size:
            way = _tense(parsed) if words in (days.either, days.two_either) else 1
            return SaidDate(index, index + size, offset=way * offset) if way else None
    chunk = parsed.own.at.get(index)
    if chunk is None or chunk.fraction or len(chunk.digits) > 2 or parsed.own.gap(chunk.last) != "":
        return None
    after, number = parsed.own.fold(chunk.last), int(chunk.digits)
    if after in words_of(days.date) and 1 <= number <= 31:
        return SaidDate(index, chunk.last + 1, day=number)
    span = 1 if after in words_of(days.day) else 7 if after in words_of(days.week) else 0
    if span and parsed.own.fold(chunk.last + 1) in words_of(days.later):
        return SaidDate(index, chunk.last + 2, offset=span * number)
    return None


def _tense(parsed: Parsed) -> int:
    """1 where the sentence speaks of what is ahead, -1 of what is past, 0 where it does neither or both."""
    days = parsed.grammar.table.days
    ahead, back = (any(_tells(token.fold, words) for token in parsed.own.tokens) for words in (days.future, days.past))
    return int(ahead) - int(back)


def _tells(word: str, signs: tuple[str, ...]) -> bool:
    """Whether a folded word is one of the signs, or ends in one written with a hyphen."""
    return any(word.endswith(folded(sign[1:])) if sign.startswith("-") else word == folded(sign) for sign in signs)


def say_date(value: str, grammar: Grammar) -> str:
    """ "2026-03-15" is "पंद्रह मार्च दो हज़ार छब्बीस"."""
    day = date.fromisoformat(value)
    return f"{say_day(day.day, day.month, grammar)} {say_year(day.year, grammar.lexicon)}"


def say_day(day: int, month: int, grammar: Grammar) -> str:
    """Day and month."""
    return f"{cardinal(day, grammar.lexicon)} {grammar.table.days.months[month - 1][0]}"
