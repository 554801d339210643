"""What a sentence says beyond doubt: its addresses, dates, times and amounts, worked out once and shared by all who need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from core.spoken.english.claims import Claims, apart, covered
from core.spoken.english.clock import SaidTime
from core.spoken.english.digits import SaidDigits, find_codes
from core.spoken.english.emails import find_emails
from core.spoken.english.money import SaidAmount, find_amounts
from core.spoken.indic.clock import find_clocks, hour_of
from core.spoken.indic.dates import find_days
from core.spoken.indic.grammar import Parsed, parse, words_of
from core.spoken.indic.marks import DASHES

CURRENCIES = frozenset({"rupees", "cents", "dollars", "pounds", "euros"})
"""What every language here has words for; an amount of another currency is left as it stands."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A sentence and its claims, which are claims over its view."""

    parsed: Parsed
    claims: Claims
    codes: tuple[SaidDigits, ...]
    """Codes and spelled letters; ids of digits where there are none."""
    shared: frozenset[int]
    """First tokens of amounts whose currency is said once, behind the upper end of their range."""


@lru_cache(maxsize=1024)
def understand(text: str, language: str) -> Understood:
    """The claims of a text, where one token belongs to one value; the same text is worked out once."""
    parsed = parse(text, language)
    emails = find_emails(parsed.view)
    taken = covered(emails)
    dates = apart(find_days(parsed), taken)
    times = apart(find_clocks(parsed), taken | covered(day for day in dates if day.month is not None))
    times = _ranged_times(parsed, times, taken | covered(dates))
    taken |= covered(dates) | covered(time for time in times if time.marked)
    named = [item for item in find_amounts(parsed.view) if item.unit in CURRENCIES]
    amounts, shared = _ranged_amounts(parsed, apart(named, taken))
    taken |= covered(amounts)
    claims = Claims(parsed.view, tuple(emails), tuple(dates), tuple(times), tuple(amounts), frozenset(taken))
    codes = tuple(find_codes(parsed.view, claims.taken | parsed.worded))
    return Understood(parsed, claims, codes, shared)


def minus_of(parsed: Parsed, first: int) -> bool:
    """Whether a minus, a sign or a word, stands right before the token `first`; "plus minus" is none."""
    own, address = parsed.own, parsed.grammar.table.address
    either = own.fold(first - 2) in words_of(address.plus)
    return own.fold(first - 1) in parsed.grammar.lexicon.minus and own.gap(first) == "" and not either


def _ranged_amounts(parsed: Parsed, amounts: Sequence[SaidAmount]) -> tuple[list[SaidAmount], frozenset[int]]:
    """The amounts, and both ends of a range where one of them has the currency of both: "₹20–30", "20 से 30 रुपये"."""
    own = parsed.own
    first, last = {item.first: item for item in amounts}, {item.last: item for item in amounts}
    shared: set[int] = set()
    for at, token in enumerate(own.tokens):
        if token.fold != parsed.grammar.lexicon.to:
            continue
        low, high = last.get(at), first.get(at + 1)
        if low is None and high is not None and high.unit != "cents":
            low = _bare(parsed, at, high, last)
            last |= {at: low} if low is not None else {}
        elif low is not None and high is None and token.text in DASHES and at + 1 in own.at and own.at[at + 1].whole:
            chunk = own.at[at + 1]
            high = first[at + 1] = SaidAmount(at + 1, chunk.last, chunk.value, low.unit)
        dashed = token.text in DASHES or (low is not None and low not in amounts)
        if low is not None and high is not None and dashed and low.unit == high.unit and low.value % 1 == 0:
            shared.add(low.first)
    found = {item.first: item for item in (*first.values(), *last.values())}
    return sorted(found.values(), key=lambda item: item.first), frozenset(shared)


def _bare(parsed: Parsed, at: int, high: SaidAmount, ends: Mapping[int, SaidAmount]) -> SaidAmount | None:
    """The numeral that ends before the token `at`, as the lower end of a range of amounts."""
    chunk = parsed.own.ending.get(at)
    if chunk is None or not chunk.whole or chunk.value >= high.value or chunk.first in ends or parsed.own.gap(at):
        return None
    return SaidAmount(chunk.first, chunk.last, chunk.value, high.unit)


def _ranged_times(parsed: Parsed, times: Sequence[SaidTime], taken: Set[int]) -> list[SaidTime]:
    """The times, and the hour that a range begins with: "10–12 बजे". It may be something else, so it is not marked."""
    found = {time.last: time for time in times}
    for time in times:
        at = time.first - 1
        if not time.marked or parsed.own.fold(at) != parsed.grammar.lexicon.to:
            continue
        low, chunk = found.get(at), parsed.own.ending.get(at)
        hour = hour_of(chunk)
        if low is not None and low.last - low.first > 1:
            found[at] = replace(low, marked=True)
        elif chunk is not None and hour is not None and low is None and chunk.first not in taken:
            found[at] = replace(time, first=chunk.first, last=chunk.last, hour=hour[0], minute=hour[1], marked=False)
    return sorted(found.values(), key=lambda item: item.first)
