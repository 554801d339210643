"""The kinds of value a call can hang on, and what reading one out of words yields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

Value: TypeAlias = str | int | float | bool
"""A canonical value: see `Kind` for the form each kind takes."""


class Kind(StrEnum):
    """How a value is said and compared. The canonical form is given beside each kind."""

    DIGITS = "digits"
    """Ids, account and phone numbers, postcodes of digits: str of 0-9, leading zeros kept."""
    CODE = "code"
    """Letters and digits, such as a booking reference: upper-case str without separators, "QX338805"."""
    MONEY = "money"
    """An amount, whatever the currency: float rounded to cents, 129.5."""
    NUMBER = "number"
    """A quantity: int when whole, else float."""
    DATE = "date"
    """A day: str, "2026-03-14"."""
    TIME = "time"
    """A time of day: str, 24 hours, "14:30"."""
    EMAIL = "email"
    """An address: lower-case str."""
    NAME = "name"
    """A person's or company's name: str in title case, "Margaret Okafor"."""
    CHOICE = "choice"
    """One of the options given: str, spelled as in the options."""
    TEXT = "text"
    """Free words: str, whitespace collapsed."""
    YES_NO = "yes_no"
    """Agreement: bool."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One value found in a text; `text[start:end]` of that text is where it stands."""

    kind: Kind
    value: Value
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One normalised token and the place in the original text that it came from."""

    text: str
    start: int
    end: int
