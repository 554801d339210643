"""What a Chinese text says beyond doubt, addresses, dates, times, amounts, and its numerals, worked out once for all readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from core.spoken.chinese.clock import SaidTime, find_times
from core.spoken.chinese.dates import SaidDate, find_dates
from core.spoken.chinese.emails import SaidEmail, find_emails
from core.spoken.chinese.fixed import Fixed, find_fixed
from core.spoken.chinese.money import SaidAmount, find_amounts
from core.spoken.chinese.numerals import Fraction, Numeral, find_fractions, find_numerals
from core.spoken.chinese.passage import Passage, masked, passage_of


class Spanning(Protocol):
    """Anything said over the plain characters `start` to `end`."""

    @property
    def start(self) -> int:
        """The first character."""
        ...

    @property
    def end(self) -> int:
        """The character after the last."""
        ...


@dataclass(frozen=True, slots=True)
class Claims:
    """The values of a text, where one character belongs to one value: addresses come first, then dates, times and amounts."""

    passage: Passage
    emails: tuple[SaidEmail, ...]
    dates: tuple[SaidDate, ...]
    times: tuple[SaidTime, ...]
    """Also those that are not marked, which other readers may understand otherwise."""
    amounts: tuple[SaidAmount, ...]
    """Those whose currency is said."""
    rest: str
    """The plain text without any of the values above that could be nothing else."""
    numerals: tuple[Numeral, ...]
    """The numerals of the rest."""
    fractions: tuple[Fraction, ...]
    """Fractions in figures, whose parts are no numbers of their own."""
    fixed: tuple[Fixed, ...]
    """Figures with a way of saying of their own: internet addresses, versions, 24/7."""
    loose: str
    """The plain text without addresses, named dates, times, amounts and fractions; a day alone or a bare hour is still in it."""
    loose_numerals: tuple[Numeral, ...]
    """The numerals of the loose text."""


@lru_cache(maxsize=1024)
def claims_of(text: str) -> Claims:
    """The claims of a text; the same text is worked out once."""
    passage = passage_of(text)
    emails = find_emails(passage.plain)
    fixed = find_fixed(_without(passage.plain, emails))
    clear = _without(_without(passage.plain, emails), fixed)
    dates = find_dates(clear)
    # 今晚 and 明早 are day and part of day at once, so days without a number stay readable for times
    times = find_times(_without(clear, (said for said in dates if said.day is not None)))
    loose = _without(_without(clear, (said for said in dates if said.fixed)), (said for said in times if said.marked))
    rest = _without(loose, dates)
    amounts = find_amounts(rest, find_numerals(rest))
    loose, rest = _without(loose, amounts), _without(rest, amounts)
    fractions = tuple(find_fractions(loose))
    loose, rest = _without(loose, fractions), _without(rest, fractions)
    numerals, loose_numerals = tuple(find_numerals(rest)), tuple(find_numerals(loose))
    values = tuple(emails), tuple(dates), tuple(times), tuple(amounts)
    return Claims(passage, *values, rest, numerals, fractions, tuple(fixed), loose, loose_numerals)


def _without(plain: str, spans: Iterable[Spanning]) -> str:
    for span in spans:
        plain = masked(plain, span.start, span.end)
    return plain
