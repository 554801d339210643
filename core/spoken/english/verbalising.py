"""Whole English sentences for the ear: everything written in figures and signs comes out in words, words stay as they are.

The words are those a listener writes back as the same figures: "2:30 PM" is "two thirty P M", not "half past two".
"""

from __future__ import annotations

from collections.abc import Iterator

from core.spoken.english.claims import Claims, claims_of
from core.spoken.english.clock import SaidTime, clock_words, say_time
from core.spoken.english.dates import MONTHS, SaidDate, say_year
from core.spoken.english.digits import find_codes, find_runs, is_range
from core.spoken.english.money import SaidAmount, say_money, say_number
from core.spoken.english.numerals import Chunk, cardinal, ordinal
from core.spoken.english.saying import say_address, say_code, say_digits
from core.spoken.english.sentence import Sentence, is_content

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
    spoken, at = "", 0
    for first, last, words in sorted(kept):
        start, end = sentence.span(first, last)
        spoken = _joined(_joined(spoken, text[at:start]), words)
        at = end + _abbreviated(text, start, end)
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
    return any(token.fold.isdecimal() or not token.fold[0].isalpha() for token in sentence.tokens[first:last])


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
        yield amount.first, amount.last, _amount(amount)
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
        elif token.fold == "/" and index and sentence.fold(index - 1).isdecimal() and sentence.fold(index + 1).isdecimal():
            yield index, index + 1, ""


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
        yield chunk.first, chunk.last, f"{article}{ordinal(day.day)} of" if month_next else ordinal(day.day)


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


_SMALL = {"dollars": "cents", "euros": "cents", "pounds": "pence", "rupees": "paise"}


def _amount(amount: SaidAmount) -> str:
    """An amount in its own currency."""
    if amount.unit in ("cents", "pence"):
        count = int(amount.value * 100)
        return (
            f"{cardinal(count)} {'penny' if amount.unit == 'pence' else 'cent'}"
            if count == 1
            else f"{cardinal(count)} {amount.unit}"
        )
    return say_money(float(amount.value), amount.unit, _SMALL[amount.unit])


def _run(sentence: Sentence, run: list[Chunk]) -> Iterator[Spoken]:
    """Ids digit by digit; a range as "three to five"; a lone short number is left to be a quantity."""
    first, last = run[0].first, run[-1].last
    digits = "".join(chunk.digits + chunk.fraction for chunk in run)
    if is_range(sentence, run):
        yield first, last, f"{cardinal(int(run[0].digits))} to {cardinal(int(run[1].digits))}"
    elif all(chunk.literal for chunk in run) and (len(run) > 1 or _is_id(sentence, run[0])):
        yield first, last, say_digits(digits)


def _is_id(sentence: Sentence, chunk: Chunk) -> bool:
    if (chunk.digits.startswith("0") and len(chunk.digits) > 1) or (len(chunk.digits) >= 5 and chunk.last == chunk.first + 1):
        return True
    return (
        len(chunk.digits) == 4
        and chunk.last == chunk.first + 1
        and not is_content(sentence, chunk.last)
        and not _is_year(sentence, chunk)
    )


def _is_year(sentence: Sentence, chunk: Chunk) -> bool:
    return sentence.fold(chunk.first - 1) in _BEFORE_YEAR and 1900 <= int(chunk.digits) <= 2099


def _number(sentence: Sentence, chunk: Chunk) -> Iterator[Spoken]:
    """A quantity, an ordinal or a year."""
    if not chunk.literal:
        return
    number = int(chunk.digits)
    if chunk.ordinal:
        spoken = ordinal(number) if 0 < number < 100 else f"{cardinal(number)}th"
    elif chunk.whole and len(chunk.digits) == 4 and _is_year(sentence, chunk):
        spoken = say_year(number)
    else:
        spoken = say_number(f"{chunk.digits}.{chunk.fraction}" if chunk.fraction else chunk.digits)
    yield chunk.first, chunk.last, spoken
