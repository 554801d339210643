"""What a sentence says beyond doubt: its addresses, dates, times and amounts, worked out once and shared by all who need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.spoken.english.claims import Claims, apart, covered
from core.spoken.english.digits import SaidDigits, find_codes
from core.spoken.english.emails import find_emails
from core.spoken.english.money import find_amounts
from core.spoken.indic.clock import find_clocks
from core.spoken.indic.dates import find_days
from core.spoken.indic.grammar import Parsed, parse


@dataclass(frozen=True, slots=True)
class Understood:
    """A sentence and its claims, which are claims over its view."""

    parsed: Parsed
    claims: Claims
    codes: tuple[SaidDigits, ...]
    """Codes and spelled letters, no ids of digits."""


@lru_cache(maxsize=1024)
def understand(text: str, language: str) -> Understood:
    """The claims of a text, where one token belongs to one value; the same text is worked out once."""
    parsed = parse(text, language)
    emails = find_emails(parsed.view)
    taken = covered(emails)
    dates = apart(find_days(parsed), taken)
    times = apart(find_clocks(parsed), taken | covered(day for day in dates if day.month is not None))
    taken |= covered(dates) | covered(time for time in times if time.marked)
    amounts = apart(find_amounts(parsed.view), taken)
    taken |= covered(amounts)
    claims = Claims(parsed.view, tuple(emails), tuple(dates), tuple(times), tuple(amounts), frozenset(taken))
    codes = tuple(code for code in find_codes(parsed.view, claims.taken) if not code.text.isdecimal())
    return Understood(parsed, claims, codes)
