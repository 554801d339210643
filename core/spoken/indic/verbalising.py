"""Whole sentences for the ear: everything written in figures and signs comes out in words, words stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from core.spoken.english.clock import SaidTime
from core.spoken.english.dates import SaidDate
from core.spoken.english.digits import find_runs
from core.spoken.english.money import SaidAmount
from core.spoken.english.numerals import Chunk
from core.spoken.english.sentence import Sentence, is_content
from core.spoken.indic.claims import Understood, understand
from core.spoken.indic.clock import say_clock, say_hour, say_time
from core.spoken.indic.dates import say_day
from core.spoken.indic.folded import FRACTIONS, folded
from core.spoken.indic.grammar import Grammar, words_of
from core.spoken.indic.marks import DASHES
from core.spoken.indic.normal import currency, latin_ordinal
from core.spoken.indic.numerals import cardinal, digit_words, say_mixed, say_number, say_year
from core.spoken.indic.saying import say_address, say_code, say_digits, say_money

_SIGNS = DASHES | frozenset({*"$£€₹৳૱௹@%_+#&/.", "/-"}) | frozenset(FRACTIONS)
"""Signs that are put into words."""
Spoken = tuple[int, int, str]
"""First token, token after the last, words."""


def verbalise(text: str, language: str) -> str:
    """`text` with figures, signs and abbreviations in words; `language` is a primary subtag."""
    understood = understand(text, language)
    own, lexicon = understood.parsed.own, understood.parsed.grammar.lexicon
    ends = {own.tokens[chunk.last - 1].end for chunk in own.chunks}
    priced = {amount.last for amount in understood.claims.amounts}
    pieces, at = "", 0
    for first, last, words in sorted(_kept(understood)):
        start, end = own.span(first, last)
        cased = lexicon.ordinals.with_case(pieces, words) if own.fold(first) in lexicon.ordinals.cases else ""
        if cased and not text[at:start].strip():
            pieces, at = cased, end
            continue
        pause = at in ends and text[at:start].strip(" ") in DASHES
        pieces = _joined(_joined(pieces, ", " if pause else text[at:start]), words)
        dotted = own.fold(first) in understood.parsed.grammar.short or "." in own.tokens[first].text.strip(".")
        at = end + (dotted and _abbreviates(text, end))
        if own.glued(last) and own.fold(last) in lexicon.endings and last not in priced:
            at = own.tokens[last].end
            pieces += text[end:at]
    return _joined(pieces, text[at:])


def _kept(understood: Understood) -> list[Spoken]:
    """What is put into words, none overlapping."""
    own, ordinals = understood.parsed.own, understood.parsed.grammar.lexicon.ordinals
    cases = {at for at, token in enumerate(own.tokens) if token.fold in ordinals.cases and own.fold(at - 1).isdecimal()}
    kept: list[Spoken] = []
    used: set[int] = set()
    for first, last, words in _candidates(understood):
        if used.isdisjoint(range(first, last)) and (first in cases or _has_figures(own, first, last)):
            used |= set(range(first, last))
            kept.append((first, last, words))
    return [*kept, *(item for item in _short(understood) if used.isdisjoint(range(item[0], item[1])))]


def _joined(left: str, right: str) -> str:
    """Both sides, with a space where two words would run together ("5kg", "#5")."""
    apart = left[-1:].strip(" \t\n.,;:!?()'\"-।") and right[:1].isalnum()
    return f"{left} {right}" if apart else left + right


def _abbreviates(text: str, at: int) -> bool:
    """Whether a full stop stands at a place and the sentence goes on behind it."""
    return text[at : at + 1] == "." and text[at + 1 :].strip() != ""


def _has_figures(own: Sentence, first: int, last: int) -> bool:
    return any(token.fold.isdecimal() or token.text in _SIGNS for token in own.tokens[first:last])


def _short(understood: Understood) -> Iterator[Spoken]:
    """Abbreviations, signs before numbers and units behind them."""
    grammar, own = understood.parsed.grammar, understood.parsed.own
    called = grammar.signs.ahead | grammar.signs.units
    for index, token in enumerate(own.tokens):
        if token.fold in grammar.short:
            yield index, index + 1, grammar.short[token.fold]
            continue
        words = called.get(folded(token.text), ())
        if words and token.fold == words[0] != folded(token.text):
            yield index, index + len(words), grammar.called[folded(token.text)]


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
        yield amount.first, amount.last, _amount(amount, grammar, shared=amount.first in understood.shared)
    for code in understood.codes:
        if not code.text.isalpha() and not code.text.isdecimal():
            yield code.first, code.last, say_code(code.text, grammar)
    yield from _years(own, grammar)
    for run in find_runs(claims.sentence, claims.taken):
        yield from _run(understood, run)
    for chunk in own.chunks:
        yield from _number(understood, chunk)
    yield from _signs(understood)


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
    """Figures that a word or the dash of a range beside them makes a year."""
    beside = words_of(grammar.table.days.year) | {grammar.lexicon.to}
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


def _amount(amount: SaidAmount, grammar: Grammar, *, shared: bool) -> str:
    """An amount in its own currency; only the rupee has small change that every language names."""
    if shared:
        return cardinal(int(amount.value), grammar.lexicon)
    if amount.unit in ("rupees", "cents"):
        return say_money(float(amount.value), grammar)
    if amount.value == 1 and amount.unit in grammar.table.money.one:
        return grammar.table.money.one[amount.unit]
    written = format(amount.value, "f") if amount.value % 1 else str(int(amount.value))
    return f"{_quantity(written, grammar, noun=True)} {currency(amount.unit, grammar)}"


def _quantity(written: str, grammar: Grammar, *, noun: bool = False) -> str:
    numbers = grammar.table.numbers
    return say_number(written, grammar.lexicon, minus=numbers.minus[0], point=numbers.point[0], noun=noun)


def _run(understood: Understood, run: list[Chunk]) -> Iterator[Spoken]:
    """Ids digit by digit; a lone short number is left to be a quantity."""
    dotted = any(understood.claims.sentence.sign(at) for at in range(run[0].first, run[-1].last))
    if not dotted and all(chunk.literal for chunk in run) and (len(run) > 1 or _is_id(understood, run[0])):
        digits = "".join(chunk.digits + chunk.fraction for chunk in run)
        yield run[0].first, run[-1].last, say_digits(digits, understood.parsed.grammar)


def _is_id(understood: Understood, chunk: Chunk) -> bool:
    """Whether figures are an id: five of them and more, a leading zero, or four that count nothing and end in no case."""
    own, single = understood.parsed.own, chunk.last == chunk.first + 1
    if (chunk.digits.startswith("0") and len(chunk.digits) > 1) or (len(chunk.digits) >= 5 and single):
        return True
    ranged = any(0 <= at < len(own.tokens) and own.tokens[at].text in DASHES for at in (chunk.first - 1, chunk.last))
    free = not own.glued(chunk.last) and not is_content(understood.claims.sentence, chunk.last)
    return len(chunk.digits) == 4 and single and free and not ranged


def _number(understood: Understood, chunk: Chunk) -> Iterator[Spoken]:
    """A quantity, with its half or quarter, or an ordinal."""
    own, grammar = understood.parsed.own, understood.parsed.grammar
    tokens = own.tokens[chunk.first : chunk.last]
    if not any(token.fold.isdecimal() for token in tokens):
        return
    number = int(chunk.digits)
    latin = latin_ordinal(own, chunk)
    if latin:
        yield chunk.first, chunk.last + 1, latin
        return
    if len(chunk.digits) == 3 and "." in (_text(own, chunk.first - 1), _text(own, chunk.last)):
        yield chunk.first, chunk.last, digit_words(chunk.digits, grammar.lexicon)
        return
    if chunk.ordinal:
        ending = grammar.lexicon.ordinal(chunk, own.tokens)
        yield chunk.first, chunk.last, grammar.lexicon.ordinals.say(number, cardinal(number, grammar.lexicon), ending)
        return
    mixed = ""
    if any(token.fold in FRACTIONS for token in tokens) and number:
        mixed = say_mixed(number, Decimal(f"0.{chunk.fraction}"), grammar.lexicon)
    written = f"{chunk.digits}.{chunk.fraction}" if chunk.fraction else chunk.digits
    yield chunk.first, chunk.last, mixed or _quantity(written, grammar, noun=_counts(understood, chunk))


def _text(own: Sentence, index: int) -> str:
    return own.tokens[index].text if 0 <= index < len(own.tokens) else ""


def _counts(understood: Understood, chunk: Chunk) -> bool:
    """Whether a number stands before what it counts; for "one" only before what makes it sure to be a number."""
    known = understood.parsed.own.fold(chunk.last) in understood.parsed.grammar.lexicon.support
    return known or (chunk.value != 1 and is_content(understood.claims.sentence, chunk.last))


def _signs(understood: Understood) -> Iterator[Spoken]:
    own, grammar = understood.parsed.own, understood.parsed.grammar
    table = grammar.table
    words = {"&": table.signs.conjunction[0], "%": table.signs.percent, "#": table.signs.number, "@": table.address.at[0]}
    words |= {"_": table.address.underscore[0], "+": table.address.plus[0]}
    for index, token in enumerate(own.tokens):
        if token.fold in words:
            yield index, index + 1, words[token.fold]
        elif token.text == ".":
            yield index, index + 1, table.address.dot[0]
        elif token.fold == "/-":
            yield index, index + 1, ""
        elif token.text in DASHES:
            yield index, index + 1, table.signs.to if token.fold == grammar.lexicon.to else table.numbers.minus[0]
        elif token.fold in grammar.lexicon.ordinals.cases and own.glued(index):
            yield index, index + 1, token.text
        elif token.text in table.numbers.parts and token.fold not in FRACTIONS:
            last = next((at for at in range(index, len(own.tokens)) if own.tokens[at].start != token.start), len(own.tokens))
            yield index, last, table.numbers.parts[token.text]
        elif token.fold == "/" and own.fold(index - 1).isdecimal() and own.fold(index + 1).isdecimal():
            yield index, index + 1, ""
