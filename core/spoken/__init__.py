"""How values sound: reading typed values out of words, finding known ones, and saying them.

`read` is what a listener understands, `occurs` whether a known value was said, `say` and `say_text` how a person says it.
Values have one canonical form per `Kind`. Offsets always point into the text that was given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, TypeAlias

from core.errors import InputError
from core.spoken.beside import find_beside
from core.spoken.canonical import canonical, same_value
from core.spoken.kinds import Kind, Reading, Unit, Value
from core.spoken.languages import Language, has_rules, language_of
from core.spoken.plain import PLAIN

Now: TypeAlias = datetime | date | str | None
"""The caller's present: a moment, a day, or either as ISO 8601 text; None when it is not known."""

RULES = "spoken-3"
"""Version of what `say` and `say_text` put into words, of all languages together."""
_NAMED = frozenset({"Lu", "Ll", "Lo", "Sc"})
"""Categories of characters that a currency is named with: letters and signs."""
_ENDLESS = re.compile(r"\d[\d,.]{999}")
"""Figures longer than anything that is said; Python itself refuses to count beyond 4,300 of them."""
AS_WRITTEN = "as-written"
"""What stands for it in languages without rules."""

__all__ = [
    "AS_WRITTEN",
    "RULES",
    "Kind",
    "Now",
    "Reading",
    "Unit",
    "Value",
    "canonical",
    "find_value",
    "occurs",
    "read",
    "rules_of",
    "same_value",
    "say",
    "say_text",
    "units",
]


def read(
    text: str,
    kind: Kind,
    *,
    language: str = "en",
    now: Now = None,
    choices: Sequence[str] = (),
    prefer: Literal["future", "past"] = "future",
) -> list[Reading]:
    """Values of `kind` said in `text`, in order, none overlapping; nothing where there is none or where it is ambiguous.

    `now` settles relative dates and missing years, towards `prefer`. `choices` are the options of `Kind.CHOICE`. The
    language is a BCP 47 tag; its region decides whether 3/4 is in March or April. A language without rules here is read as
    it is written.
    """
    spoken, region = _language_for(text, language)
    return spoken.read(text, kind, region=region, now=_day(now), choices=choices, past=prefer == "past")


def say(value: object, kind: Kind, *, language: str = "en", spell: bool = False) -> str:
    """How a person says a value, grouped by breath; `spell` gives names and addresses letter by letter.

    A bare amount is said in the money of the language; one that comes with its currency keeps it. Raises InputError when
    the value is none of that kind.
    """
    known, spoken = canonical(value, kind, language), language_of(language)[0]
    if kind is Kind.MONEY and isinstance(value, str) and any(unicodedata.category(char) in _NAMED for char in value):
        return spoken.say_text(value.strip(), region="")
    return spoken.say(known, kind, spell=spell)


def rules_of(language: str) -> str:
    """The version of the rules by which a BCP 47 language is put into words, `as-written` for one without rules."""
    return RULES if has_rules(language) else AS_WRITTEN


def say_text(text: str, language: str = "en") -> str:
    """A sentence with every number, amount, date, time, address and code in words."""
    spoken, region = _language_for(text, language)
    return spoken.say_text(text, region=region)


def find_value(value: object, kind: Kind, text: str, *, language: str = "en", now: Now = None) -> tuple[int, int] | None:
    """Offsets of the first place where `text` carries the value as a whole, in any spoken or written form; else None.

    A value that stands right beside one of another kind is found too, wherever it is plain which words are whose. A date
    agrees when every part said agrees (with `now`, relative dates count too), a time said without its half of day agrees
    with either half. Raises InputError when the value is none of that kind.
    """
    spoken, region = _language_for(text, language)
    known, day = canonical(value, kind, language), _day(now)
    place = spoken.find(known, kind, text, region=region, now=day)
    if place is not None or spoken is PLAIN:
        return place
    return find_beside(known, kind, text, tag=language, now=day)


def occurs(value: object, kind: Kind, text: str, *, language: str = "en", now: Now = None) -> bool:
    """Whether `text` carries the value as a whole: see `find_value`."""
    return find_value(value, kind, text, language=language, now=now) is not None


def units(text: str, language: str = "en") -> list[Unit]:
    """The language's normalised units of a text, each with its place in the text; its region decides what 3/4 is."""
    spoken, region = _language_for(text, language)
    return spoken.units(text, region=region)


def _language_for(text: str, tag: str) -> tuple[Language, str]:
    """The language of a tag, `PLAIN` for a text with figures that are no number anybody says."""
    language, region = language_of(tag)
    return (PLAIN if _ENDLESS.search(text) else language), region


def _day(now: Now) -> date | None:
    if isinstance(now, str):
        try:
            return datetime.fromisoformat(now).date()
        except ValueError as error:
            raise InputError(
                f"{now!r} is no moment to count dates from: write it as ISO 8601, such as 2026-03-10T09:00"
            ) from error
    return now.date() if isinstance(now, datetime) else now
