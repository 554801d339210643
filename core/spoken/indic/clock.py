"""Times of day: "सुबह दस बजे", "साढ़े दस बजे", "दस बजकर पंद्रह मिनट", "பத்தரை மணி", "সকাল দশটা পনেরো মিনিট", "10:15 बजे".

The part of day stands before the hour, or elsewhere in the sentence. Without one a time is read as English reads it: one to six
is the afternoon, seven to eleven the morning.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from core.spoken.english.clock import Half, SaidTime, find_times
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import is_content
from core.spoken.indic.grammar import Grammar, Parsed, words_of
from core.spoken.indic.numerals import cardinal, say_mixed

_REACH = 3
"""How many tokens before the hour its part of day may stand."""
_HALF = Decimal("0.5")
_PARTS = (Decimal("0.25"), _HALF, Decimal("0.75"))
_QUARTERS = {"": 0, "25": 15, "5": 30, "75": 45}


def find_clocks(parsed: Parsed) -> list[SaidTime]:
    """Every time, in order; those not `marked` may be something else."""
    found: list[SaidTime] = []
    written = {item.first: item for item in find_times(parsed.view)}
    for index in range(len(parsed.own.tokens)):
        if found and index < found[-1].last:
            continue
        said = _spoken(parsed, index) or _written(parsed, written.get(index))
        if said is not None:
            found.append(said)
    return found


def part_of_day(parsed: Parsed) -> Half:
    """The half of day that the sentence names, "" when none or more than one."""
    halves = {parsed.grammar.parts[token.fold] for token in parsed.own.tokens if token.fold in parsed.grammar.parts}
    return halves.pop() if len(halves) == 1 else ""


def _half_before(parsed: Parsed, index: int) -> Half:
    """The part of day said right before an hour."""
    for at in range(index - 1, max(-1, index - 1 - _REACH), -1):
        if parsed.own.fold(at) in parsed.grammar.parts:
            return parsed.grammar.parts[parsed.own.fold(at)]
        if at in parsed.own.ending or parsed.own.gap(at + 1) not in ("", ","):
            break
    return ""


def _written(parsed: Parsed, said: SaidTime | None) -> SaidTime | None:
    """A time in figures, or one that English words tell, with the word after the hour."""
    if said is None:
        return None
    clock = parsed.grammar.table.clock
    named = parsed.own.gap(said.last) == "" and parsed.own.fold(said.last) in words_of(clock.hour, clock.ambiguous)
    half = said.half or _half_before(parsed, said.first)
    return replace(said, last=said.last + named, half=half, marked=said.marked or named, full=said.full and not half)


def _spoken(parsed: Parsed, index: int) -> SaidTime | None:
    """An hour with the word that makes it one, and its minutes."""
    own, clock = parsed.own, parsed.grammar.table.clock
    chunk = own.at.get(index)
    said = hour_of(chunk)
    point = parsed.grammar.lexicon.point
    if chunk is None or said is None or _follows(parsed, chunk):
        return None
    if any(own.fold(at) in point for at in range(chunk.first, chunk.last)):
        return None
    hour, minute = said
    at, half = chunk.last, _half_before(parsed, index)
    named = own.gap(at) == "" and own.fold(at) in words_of(clock.hour, clock.ambiguous)
    if named and own.fold(at + 1) in words_of(clock.duration):
        return None
    joined = own.gap(at + named) == "" and own.fold(at + named) in words_of(clock.past)
    back = own.gap(at) == "" and _to(parsed, at)
    if not (named or joined or back):
        return None
    sure = joined or bool(half) or (named and own.fold(at) in words_of(clock.hour))
    at = back or at + named + joined
    minutes = _minutes(parsed, at)
    if minutes is not None and (chunk.fraction or minutes[0] > 59):
        return None
    if minutes is None and not sure and is_content(parsed.view, at):
        return None
    sure = sure or bool(named and minute and not chunk.literal)
    if minutes is None:
        return None if joined or back else SaidTime(index, at, hour, minute, half, marked=sure)
    if back:
        return SaidTime(index, minutes[1], (hour - 2) % 12 + 1, 60 - minutes[0], half)
    return SaidTime(index, minutes[1], hour, minutes[0], half)


def _follows(parsed: Parsed, chunk: Chunk) -> bool:
    """Whether the numeral goes on from another one, as in 10:30."""
    return chunk.first in parsed.own.ending and parsed.own.gap(chunk.first) in ("", "-", ":", ".", "/")


def hour_of(chunk: Chunk | None) -> tuple[int, int] | None:
    """Hour and minute that a numeral can be: whole, with a half or quarter in words, or with minutes behind a full stop."""
    if chunk is None or chunk.ordinal or len(chunk.digits) > 2 or not 0 <= int(chunk.digits) <= 24:
        return None
    if chunk.literal and chunk.fraction:
        minutes = len(chunk.fraction) == 2 and int(chunk.fraction) < 60
        return (int(chunk.digits), int(chunk.fraction)) if minutes else None
    if chunk.fraction not in _QUARTERS:
        return None
    hour, minute = int(chunk.digits), _QUARTERS[chunk.fraction]
    if minute and not hour:
        return (12, minute) if minute == _QUARTERS["75"] else None
    return hour, minute


def _to(parsed: Parsed, index: int) -> int:
    """The token after words such as "बजने में", 0 where they do not stand at `index`."""
    for phrase in parsed.grammar.table.clock.to:
        words = tuple(words_of((part,)) for part in phrase.split())
        if all(parsed.own.fold(index + place) in word for place, word in enumerate(words)):
            return index + len(words)
    return 0


def _minutes(parsed: Parsed, index: int) -> tuple[int, int] | None:
    """Minutes said from a token on, and the token after them and their word."""
    chunk = parsed.own.at.get(index)
    if chunk is None or not chunk.whole or len(chunk.digits) > 2 or parsed.own.gap(index) != "":
        return None
    named = parsed.own.fold(chunk.last) in words_of(parsed.grammar.table.clock.minute) and parsed.own.gap(chunk.last) == ""
    return (int(chunk.digits), chunk.last + 1) if named else None


def say_hour(hour: int, minute: int, grammar: Grammar) -> str:
    """An hour without the word for it, with its half or quarter: "दस", "साढ़े दस"; "" where the minutes need a word."""
    if minute == 0:
        return cardinal(hour, grammar.lexicon, noun=True)
    part = Decimal(minute) / 60
    if not 1 <= hour <= 12 or part not in _PARTS:
        return ""
    if hour == 12 and part > _HALF:
        return say_mixed(0, part, grammar.lexicon)
    return say_mixed(hour, part, grammar.lexicon)


def say_clock(hour: int, minute: int, grammar: Grammar) -> str:
    """Hour and minute as they are named: "दस बजे", "साढ़े दस बजे", "दस बजकर बीस मिनट"."""
    clock, lexicon = grammar.table.clock, grammar.lexicon
    if hour == 1 and clock.one and minute == 0:
        return clock.one
    said = say_hour(hour, minute, grammar)
    if said:
        return clock.say_hour.format(said)
    minutes = cardinal(minute, lexicon, noun=True)
    if hour == 1 and clock.one_minutes:
        return clock.one_minutes.format(minutes)
    return clock.say_minutes.format(cardinal(hour, lexicon, noun=True), minutes)


def say_time(value: str, grammar: Grammar) -> str:
    """A time for the ear, with its part of day: "14:30" is "दोपहर ढाई बजे"."""
    hour, minute = (int(part) for part in value.split(":"))
    return f"{say_part(value, grammar)} {say_clock((hour - 1) % 12 + 1, minute, grammar)}"


def say_part(value: str, grammar: Grammar) -> str:
    """The part of day of a time "HH:MM"."""
    hour, clock = int(value[:2]), grammar.table.clock
    if 4 <= hour < 12:
        return clock.morning[0]
    if 12 <= hour < 16:
        return clock.noon[0]
    return clock.evening[0] if 16 <= hour < 20 else clock.night[0]
