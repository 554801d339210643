"""Which day is meant where not all of it is said: the same count in every language."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

PIVOT = 40
"""Years written with two digits are 20xx up to here where no now is known."""
Step = Literal[1, -1]
"""1 for days to come, -1 for days gone by."""


def day_of(year: int, month: int, day: int) -> date | None:
    """The day, None where the calendar has none such."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def full_year(short: int, now: date | None) -> int:
    """A year of two digits in its century: at most ten years ahead of now."""
    pivot = (now.year + 10) % 100 if now is not None else PIVOT
    return 2000 + short if short <= pivot else 1900 + short


def nearest_weekday(now: date, weekday: int, step: Step) -> date:
    """The first such weekday (Monday 0) after today, or the last one before it."""
    return now + timedelta(days=step * ((step * (weekday - now.weekday())) % 7 or 7))


def nearest_day(now: date, month: int | None, day: int, step: Step) -> date | None:
    """The nearest day of that month, or of any month where none is said, from today on in one direction."""
    if month is not None:
        candidates = [day_of(now.year + step * years, month, day) for years in range(9)]
    else:
        months = [now.year * 12 + now.month - 1 + step * count for count in range(13)]
        candidates = [day_of(total // 12, total % 12 + 1, day) for total in months]
    return next((found for found in candidates if found is not None and (found - now).days * step >= 0), None)
