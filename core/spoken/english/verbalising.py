"""Whole English sentences for the ear: everything written in figures and signs comes out in words, words stay as they are.

The words are those a listener writes back as the same figures: "2:30 PM" is "two thirty P M", not "half past two".
"""

from __future__ import annotations

from collections.abc import Iterator

from core.spoken.english.abbreviations import expanded
from core.spoken.english.calendar_names import MONTHS
from core.spoken.english.claims import Claims, claims_of
from core.spoken.english.clock import SaidTime, clock_words, say_time
from core.spoken.english.dates import SaidDate, say_year
from core.spoken.english.digits import find_codes, find_runs
from core.spoken.english.money import say_amount, say_quantity
from core.spoken.english.number_words import cardinal, digit_words, ordinal
from core.spoken.english.numerals import Chunk
from core.spoken.english.saying import say_address, say_code, say_digits
from core.spoken.english.sentence import RANGE_WORDS, Sentence, is_content

Spoken = tuple[int, int, str]
"""First token, token after the last, words."""

_SIGNS = {"&": "and", "%": "percent", "#": "number", "@": "at", "_": "underscore", "+": "plus"}
_DAY_WORDS = frozenset({"in", "at", "this", "tomorrow", "tonight"})
_BEFORE_YEAR = frozenset("in since of year until till by from before after".split())


def verbalise(text: str, *, region: str = "") -> str:
    """`text` with figures and signs in words."""
    claims = claims_of(text, region)
    sentence = claims.sentence
    kept: list[Spoken] = []
    used: set[int] = set()
    for first, last, words in _candidates(claims):
        if used.isdisjoint(range(first, last)) and _has_figures(sentence, first, last):
            used |= set(range(first, last))
            kept.append((first, last, words))
    short = {at: item for at in range(len(sentence.tokens)) if at not in used and (item := expanded(sentence, at)) is not None}
    kept += [(at, at + 1, item.words) for at, item in short.items()]
    spoken, at = "", 0
    for first, last, words in sorted(kept):
        start, end = sentence.span(first, last)
        hyphen = first in short and text[at:start] == "-"
        spoken = _joined(_joined(spoken, " " if hyphen else text[at:start]), words)
        dotted = first in short and short[first].dotted and text[end : end + 1] == "."
        at = end + (dotted or _abbreviated(text, start, end))
    return _joined(spoken, text[at:])


def _joined(left: str, right: str) -> str:
    """Both sides, with a space where two words would run together ("5kg", "#5")."""
    apart = left[-1:].isalnum() and right[:1].isalnum()
    return f"{left} {right}" if apart else left + right


def _abbreviated(text: str, start: int, end: int) -> bool:
    """Whether a full stop after the span belongs to "p.m." and not to the sentence."""
    inside = text[start:end].lower().endswith(".m") and text[end : end + 1] == "."
    following = text[end + 1 :].lstrip()[:1]
    return inside and bool(following) and not following.isupper()


def _has_figures(sentence: Sentence, first: int, last: int) -> bool:
    tokens = range(first, last)
    return any(sentence.fold(at).isdecimal() or not sentence.fold(at)[0].isalpha() or sentence.sign(at) for at in tokens)


def _candidates(claims: Claims) -> Iterator[Spoken]:
    """Everything that could be put into words, what is surest first."""
    sentence = claims.sentence
    for email in claims.emails:
        yield email.first, email.last, say_address(email.text)
    for day in claims.dates:
        yield from _date(sentence, day)
    for time in claims.times:
        yield from _time(sentence, time)
    for amount in claims.amounts:
        yield amount.first, amount.last, say_amount(amount)
    for code in find_codes(sentence, claims.taken):
        if not code.text.isdecimal() and not code.text.isalpha():
            yield code.first, code.last, say_code(code.text)
    for run in find_runs(sentence, claims.taken):
        yield from _run(sentence, run)
    for chunk in sentence.chunks:
        yield from _number(sentence, chunk)
    for index, token in enumerate(sentence.tokens):
        if token.fold in _SIGNS:
            yield index, index + 1, _SIGNS[token.fold]
        elif sentence.sign(index):
            yield index, index + 1, token.fold
        elif token.fold == "/-" or (token.fold == "/" and _between_figures(sentence, index)):
            yield index, index + 1, ""


def _between_figures(sentence: Sentence, index: int) -> bool:
    return sentence.fold(index - 1).isdecimal() and sentence.fold(index + 1).isdecimal()


def _date(sentence: Sentence, day: SaidDate) -> Iterator[Spoken]:
    """Figures of a date; the words around them stay, so only day and year change in a date with its month in words."""
    if day.month is None or day.day is None:
        return
    year = f", {say_year(day.year)}" if day.year is not None and not day.short else ""
    if not day.worded:
        yield day.first, day.last, f"{MONTHS[day.month - 1]} {ordinal(day.day)}{year}"
        return
    chunks = [sentence.at[at] for at in range(day.first, day.last) if at in sentence.at and sentence.at[at].literal]
    for chunk in chunks:
        if len(chunk.digits) > 2:
            yield chunk.first, chunk.last, say_year(int(chunk.digits))
            continue
        article = "" if sentence.fold(chunk.first - 1) == "the" else "the "
        month_next = sentence.fold(chunk.last)[:3] == MONTHS[day.month - 1][:3].lower()
        if not month_next and (day.first < chunk.first or sentence.fold(day.first - 1) in RANGE_WORDS):
            article = ""
        yield chunk.first, chunk.last, f"{article}{ordinal(day.day)}{' of' if month_next else ''}"


def _time(sentence: Sentence, time: SaidTime) -> Iterator[Spoken]:
    """The clock and the letters of the half of day; parts of day in words stay, and so does "half past"."""
    figures = time.first in sentence.at and sentence.at[time.first].literal
    if not figures or any(sentence.fold(at) in ("past", "to", "till", "of", "after") for at in range(time.first, time.last)):
        return
    last = next((at for at in range(time.first + 1, time.last) if sentence.fold(at) in _DAY_WORDS), time.last)
    letters = sentence.fold(last - 1) in ("am", "pm", "m")
    half = {"am": " A M", "pm": " P M"}.get(time.half, "") if letters else ""
    if not 1 <= time.hour <= 23 or (time.hour > 12 and time.minute == 0):
        yield time.first, last, say_time(time.clock())
    elif time.minute == 0 and not time.half:
        oclock = " o'clock" if last - time.first > 1 else ""
        yield time.first, last, f"{cardinal(time.hour)}{oclock}"
    else:
        yield time.first, last, f"{clock_words(time.hour, time.minute)}{half}"


def _run(sentence: Sentence, run: list[Chunk]) -> Iterator[Spoken]:
    """Ids digit by digit; a lone short number is left to be a quantity."""
    first, last = run[0].first, run[-1].last
    digits = "".join(chunk.digits + chunk.fraction for chunk in run)
    dotted = any(sentence.sign(at) for at in range(first, last))
    if not dotted and all(chunk.literal for chunk in run) and (len(run) > 1 or _is_id(sentence, run[0])):
        yield first, last, say_digits(digits)


def _is_id(sentence: Sentence, chunk: Chunk) -> bool:
    if (chunk.digits.startswith("0") and len(chunk.digits) > 1) or (len(chunk.digits) >= 5 and chunk.last == chunk.first + 1):
        return True
    return (
        len(chunk.digits) == 4
        and chunk.last == chunk.first + 1
        and not is_content(sentence, chunk.last)
        and not _is_year(sentence, chunk)
        and not _ranged(sentence, chunk)
    )


def _is_year(sentence: Sentence, chunk: Chunk) -> bool:
    cued = sentence.fold(chunk.first - 1) in _BEFORE_YEAR or _ranged(sentence, chunk)
    return cued and 1900 <= int(chunk.digits) <= 2099


def _ranged(sentence: Sentence, chunk: Chunk) -> bool:
    """Whether the number is one end of a range with a dash."""
    return sentence.ranged(chunk.first - 1) or sentence.ranged(chunk.last)


def _number(sentence: Sentence, chunk: Chunk) -> Iterator[Spoken]:
    """A quantity, an ordinal or a year."""
    if not chunk.literal:
        for at in range(chunk.first, chunk.last):  # 250 thousand: the scale stays
            if sentence.fold(at).isdecimal():
                yield at, at + 1, cardinal(int(sentence.fold(at)))
        return
    number = int(chunk.digits)
    if chunk.ordinal:
        spoken = ordinal(number) if number else "zeroth"
    elif chunk.whole and len(chunk.digits) == 4 and _is_year(sentence, chunk):
        spoken = say_year(number)
    elif "dot" in (sentence.sign(chunk.first - 1), sentence.sign(chunk.last)) and len(chunk.digits) == 3:
        spoken = digit_words(chunk.digits)
    else:
        spoken = say_quantity(chunk)
    yield chunk.first, chunk.last, spoken
