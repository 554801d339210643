"""What a text says beyond doubt: its addresses, dates, times and amounts, worked out once and shared by all who need them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

from core.spoken.english.clock import SaidTime, find_times
from core.spoken.english.dates import DAY_FIRST_REGIONS, SaidDate, find_dates
from core.spoken.english.emails import SaidEmail, find_emails
from core.spoken.english.money import SaidAmount, find_amounts
from core.spoken.english.sentence import Sentence, parse


class Spanning(Protocol):
    """Anything said over the tokens `first` to `last` (exclusive)."""

    @property
    def first(self) -> int:
        """The first token."""
        ...

    @property
    def last(self) -> int:
        """The token after the last."""
        ...


Said = TypeVar("Said", bound=Spanning)


@dataclass(frozen=True, slots=True)
class Claims:
    """The values of a sentence, where one token belongs to one value: addresses come first, then dates, times and amounts."""

    sentence: Sentence
    emails: tuple[SaidEmail, ...]
    dates: tuple[SaidDate, ...]
    times: tuple[SaidTime, ...]
    """Also those that are not marked, which other readers may understand otherwise."""
    amounts: tuple[SaidAmount, ...]
    """Those whose currency is said."""
    taken: frozenset[int]
    """Every token of a value that could be nothing else."""


@lru_cache(maxsize=1024)
def claims_of(text: str, region: str = "") -> Claims:
    """The claims of a text by the habits of a region; the same text is worked out once."""
    sentence = parse(text)
    emails = find_emails(sentence)
    taken = covered(emails)
    dates = apart(find_dates(sentence, region in DAY_FIRST_REGIONS), taken)
    times = apart(find_times(sentence), taken | covered(day for day in dates if day.month is not None))
    taken |= covered(dates) | covered(time for time in times if time.marked)
    amounts = apart(find_amounts(sentence, foreign=True), taken)
    return Claims(sentence, tuple(emails), tuple(dates), tuple(times), tuple(amounts), frozenset(taken | covered(amounts)))


def covered(spans: Iterable[Spanning]) -> set[int]:
    """Every token of the spans."""
    return {at for span in spans for at in range(span.first, span.last)}


def apart(spans: Sequence[Said], taken: set[int]) -> list[Said]:
    """The spans that touch none of the tokens `taken`."""
    return [span for span in spans if taken.isdisjoint(range(span.first, span.last))]
