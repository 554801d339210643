"""Whole sentences for the ear: everything written in figures and signs comes out in words, words stay as they are."""

from __future__ import annotations

from collections.abc import Iterator

from core.spoken.english.clock import SaidTime
from core.spoken.english.dates import SaidDate
from core.spoken.english.digits import find_runs, is_range
from core.spoken.english.money import SaidAmount
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import Sentence, is_content
from core.spoken.indic.claims import Understood, understand
from core.spoken.indic.clock import say_clock, say_hour, say_time
from core.spoken.indic.dates import say_day
from core.spoken.indic.grammar import Grammar, words_of
from core.spoken.indic.normal import currency
from core.spoken.indic.numerals import cardinal, say_number, say_year
from core.spoken.indic.saying import say_address, say_code, say_digits, say_money

Spoken = tuple[int, int, str]
"""First token, token after the last, words."""


def verbalise(text: str, language: str) -> str:
    """`text` with figures, signs and abbreviations in words; `language` is a primary subtag."""
    understood = understand(text, language)
    own = understood.parsed.own
    kept: list[Spoken] = []
    used: set[int] = set()
    for first, last, words in _candidates(understood):
        if used.isdisjoint(range(first, last)) and _has_figures(own, first, last):
            used |= set(range(first, last))
            kept.append((first, last, words))
    kept += [(at, at + 1, words) for at, words in _short(understood) if at not in used]
    pieces, at = "", 0
    for first, last, words in sorted(kept):
        start, end = own.span(first, last)
        pieces = _joined(_joined(pieces, text[at:start]), words)
        at = end + (own.fold(first) in understood.parsed.grammar.short and _abbreviates(text, end))
        if own.glued(last) and own.fold(last) in understood.parsed.grammar.lexicon.endings:
            at = own.tokens[last].end
            pieces += text[end:at]
    return _joined(pieces, text[at:])


def _joined(left: str, right: str) -> str:
    """Both sides, with a space where two words would run together ("5kg", "#5")."""
    apart = left[-1:].strip(" \t\n.,;:!?()'\"-।") and right[:1].isalnum()
    return f"{left} {right}" if apart else left + right


def _abbreviates(text: str, at: int) -> bool:
    """Whether a full stop stands at a place and the sentence goes on behind it."""
    return text[at : at + 1] == "." and text[at + 1 :].strip() != ""


def _has_figures(own: Sentence, first: int, last: int) -> bool:
    return any(token.fold.isdecimal() or token.fold in "$£€₹@%_+#&/" for token in own.tokens[first:last])


def _short(understood: Understood) -> Iterator[tuple[int, str]]:
    """Abbreviations."""
    short = understood.parsed.grammar.short
    for index, token in enumerate(understood.parsed.own.tokens):
        if token.fold in short:
            yield index, short[token.fold]


def _candidates(understood: Understood) -> Iterator[Spoken]:
    """Everything that could be put into words, what is surest first."""
    claims, own, grammar = understood.claims, understood.parsed.own, understood.parsed.grammar
    for email in claims.emails:
        yield email.first, email.last, say_address(email.text, grammar)
    for day in claims.dates:
        yield from _date(own, day, grammar)
    for time in claims.times:
        yield from _time(understood, time)
    for amount in claims.amounts:
        yield amount.first, amount.last, _amount(amount, grammar)
    for code in understood.codes:
        if not code.text.isalpha():
            yield code.first, code.last, say_code(code.text, grammar)
    yield from _years(own, grammar)
    for run in find_runs(claims.sentence, claims.taken):
        yield from _run(claims.sentence, run, grammar)
    for chunk in own.chunks:
        yield from _number(own, chunk, grammar)
    yield from _signs(own, grammar)


def _date(own: Sentence, day: SaidDate, grammar: Grammar) -> Iterator[Spoken]:
    """A date in figures; of one with its month in words only the figures."""
    if day.month is None or day.day is None:
        return
    year = f" {say_year(day.year, grammar.lexicon)}" if day.year is not None else ""
    if not day.worded:
        yield day.first, day.last, f"{say_day(day.day, day.month, grammar)}{year}"
        return
    for at in range(day.first, day.last):
        chunk = own.at.get(at)
        if chunk is not None and len(chunk.digits) == 4:
            yield chunk.first, chunk.last, say_year(int(chunk.digits), grammar.lexicon)


def _years(own: Sentence, grammar: Grammar) -> Iterator[Spoken]:
    """Figures that a word beside them makes a year."""
    beside = words_of(grammar.table.days.year)
    for chunk in own.chunks:
        year = chunk.literal and chunk.whole and len(chunk.digits) == 4 and 1900 <= int(chunk.digits) <= 2099
        if year and beside & {own.fold(chunk.first - 1), own.fold(chunk.last)}:
            yield chunk.first, chunk.last, say_year(int(chunk.digits), grammar.lexicon)


def _time(understood: Understood, time: SaidTime) -> Iterator[Spoken]:
    """The clock, with its part of day where letters ("PM") told it; what stands in words stays."""
    parsed = understood.parsed
    if not time.marked:
        return
    if parsed.view.fold(time.last - 1) in ("am", "pm", "m"):
        yield time.first, time.last, say_time(time.clock(), parsed.grammar)
        return
    clock = parsed.grammar.table.clock
    named = parsed.own.fold(time.last - 1) in words_of(clock.hour, clock.ambiguous)
    hour = say_hour(time.hour, time.minute, parsed.grammar)
    if named and hour:
        yield time.first, time.last - 1, hour
    elif time.last - time.first > 1:
        yield time.first, time.last, say_clock(time.hour, time.minute, parsed.grammar)


def _amount(amount: SaidAmount, grammar: Grammar) -> str:
    """An amount in its own currency; only the rupee has small change that every language names."""
    if amount.unit in ("rupees", "cents"):
        return say_money(float(amount.value), grammar)
    numbers = grammar.table.numbers
    spoken = say_number(str(amount.value), grammar.lexicon, minus=numbers.minus[0], point=numbers.point[0])
    return f"{spoken} {currency(amount.unit, grammar)}"


def _run(view: Sentence, run: list[Chunk], grammar: Grammar) -> Iterator[Spoken]:
    """Ids digit by digit; a range as "three to five"; a lone short number is left to be a quantity."""
    first, last = run[0].first, run[-1].last
    if is_range(view, run):
        ends = [cardinal(int(chunk.digits), grammar.lexicon) for chunk in run]
        yield first, last, f" {grammar.table.signs.to} ".join(ends)
    elif all(chunk.literal for chunk in run) and (len(run) > 1 or _is_id(view, run[0])):
        yield first, last, say_digits("".join(chunk.digits + chunk.fraction for chunk in run), grammar)


def _is_id(view: Sentence, chunk: Chunk) -> bool:
    single = chunk.last == chunk.first + 1
    if (chunk.digits.startswith("0") and len(chunk.digits) > 1) or (len(chunk.digits) >= 5 and single):
        return True
    return len(chunk.digits) == 4 and single and not is_content(view, chunk.last)


def _number(own: Sentence, chunk: Chunk, grammar: Grammar) -> Iterator[Spoken]:
    """A quantity, or an ordinal with its ending."""
    if not any(token.fold.isdecimal() for token in own.tokens[chunk.first : chunk.last]):
        return
    table = grammar.table
    written = f"{chunk.digits}.{chunk.fraction}" if chunk.fraction else chunk.digits
    spoken = say_number(written, grammar.lexicon, minus=table.numbers.minus[0], point=table.numbers.point[0])
    yield chunk.first, chunk.last, spoken + own.tokens[chunk.last - 1].text if chunk.ordinal else spoken


def _signs(own: Sentence, grammar: Grammar) -> Iterator[Spoken]:
    table = grammar.table
    words = {"&": table.signs.conjunction[0], "%": table.signs.percent, "#": table.signs.number, "@": table.address.at[0]}
    words |= {"_": table.address.underscore[0], "+": table.address.plus[0]}
    for index, token in enumerate(own.tokens):
        if token.fold in words:
            yield index, index + 1, words[token.fold]
        elif token.fold == "/" and own.fold(index - 1).isdecimal() and own.fold(index + 1).isdecimal():
            yield index, index + 1, ""
