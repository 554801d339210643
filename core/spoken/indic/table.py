"""What one language says: the words of its numbers, days, hours, money and letters. One YAML file per language in `tables/`."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

from core.yamlfile import read_data


def _parted(value: object) -> object:
    return tuple(part.strip() for part in value.split("|") if part.strip()) if isinstance(value, str) else value


Words = Annotated[tuple[str, ...], BeforeValidator(_parted)]
"""Every way to write one thing, in a file parted by "|"; the first is how it is said."""


class Part(BaseModel):
    """Settings of a part of a table: frozen, unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Scale(Part):
    """A hundred, a thousand, a lakh or a crore."""

    value: int
    say: str
    """As said after a count, when nothing follows."""
    linked: str = ""
    """As said after a count, when a smaller part follows; "" for the same word."""
    one: str = ""
    """All of it for a count of one, when nothing follows; "" for the word for one and `say`."""
    one_linked: str = ""
    also: Words = ()


class Ordinals(Part):
    """How a number becomes an ordinal. An ending is named as it is said; the name is also what texts are compared by."""

    endings: dict[str, Words]
    """An ending as it is said behind the stem, and what is written behind figures, or behind the stem, for it."""
    stems: dict[str, str] = {}
    """What the end of a number becomes before an ending; the longest fits, "" fits all others."""
    words: dict[int, dict[str, Words]] = {}
    """Numbers whose ordinals are words of their own, by ending. The tail of such a word is what is written behind the figure."""
    never: Words = ()
    """Tails that mean something else behind a figure."""


class Numbers(Part):
    """Numerals beyond what the number library knows, and corrections of it."""

    say: dict[str, int] = {}
    """Words for numbers from 0 to 99 that are said otherwise than the library says them."""
    also: dict[str, int] = {}
    """Other spellings that are read, of hundreds too."""
    loan: tuple[Words, ...]
    """The English digits 0 to 9 as callers say them."""
    weak: Words = ()
    """Numerals that are also everyday words: read as numerals only beside another one."""
    behind: Words = ()
    """Numerals that mean something else behind a word: নয় is nine, and after a word "not"."""
    scales: tuple[Scale, ...]
    """Largest first."""
    hundreds: Words = ()
    """100 to 900 where each is one word."""
    hundreds_linked: Words = ()
    hundred_inside: bool = False
    """Whether a plain hundred is linked when a larger part stands before it: "एक हजार एकशे"."""
    hundreds_joined: bool = False
    """Whether the library's one-word forms of 101 to 999 are read."""
    thousands_joined: bool = False
    """Whether 2000 to 99000 are said in the library's forms, where count and thousand are one word."""
    year_hundreds: str = ""
    """How 1100 to 1900 begin in a year, such as "{} सौ"; "" where a year is an ordinary number."""
    double: Words
    triple: Words
    never: Words = ()
    """Words that are no numeral with an ending, though they look like one."""
    point: Words
    minus: Words
    before: dict[str, Decimal] = {}
    """Words before a number that add to it: "साढ़े" 0.5, "पौने" -0.25."""
    fractions: dict[str, Decimal] = {}
    """Words that are a number and a half or a quarter: "ढाई" 2.5."""
    parts: dict[str, str]
    """A half, a quarter and three quarters as they are said alone, by their sign."""
    before_noun: dict[str, str] = {}
    """What the end of a number becomes before what it counts: "వేలు" becomes "వేల"."""
    endings: Words = ()
    """What is written onto a number word: classifiers and cases."""
    cases: Words = ()
    """Cases written onto the stem of a number, before which it changes as before an ordinal's ending: ಐದು, ಐದರಿಂದ."""
    ordinals: Ordinals


class Days(Part):
    """Months, weekdays and days counted from today."""

    months: tuple[Words, ...]
    weekdays: tuple[Words, ...]
    """Monday first."""
    month_endings: Words = ()
    """Cases written onto the name of a month."""
    today: Words
    tomorrow: Words
    yesterday: Words
    either: Words = ()
    """Tomorrow or yesterday, as the tense has it."""
    two_ahead: Words = ()
    two_back: Words = ()
    two_either: Words = ()
    next: Words
    this: Words
    last: Words
    future: Words = ()
    """Words and endings (written "-गा") that tell that what is ahead is meant."""
    past: Words = ()
    date: Words
    """The word after a bare day of the month."""
    day: Words
    week: Words
    year: Words
    """Words beside a year."""
    later: Words
    """After a number of days: "दिन बाद"."""


class Clock(Part):
    """Times of day."""

    hour: Words
    """The word after the hour."""
    ambiguous: Words = ()
    """Words after the hour that also count things: a time only beside a part of day or minutes."""
    unit: str
    """The word after the hour by which times are compared."""
    duration: Words = ()
    """Words behind it that make the hours a length of time."""
    past: Words = ()
    """Between hour and minutes, where it is not the word after the hour."""
    to: Words = ()
    """Between the hour and the minutes that are missing to it."""
    minute: Words
    say_hour: str
    say_minutes: str
    one: str = ""
    """One o'clock where it is said otherwise than `say_hour` says it: "ఒంటి గంటకు"."""
    one_minutes: str = ""
    """The same with minutes."""
    morning: Words
    noon: Words
    evening: Words
    night: Words


class Money(Part):
    """Currencies."""

    rupees: Words
    marks: Words
    """Signs and abbreviations of it that stand before figures."""
    one: dict[str, str] = {}
    """One rupee, one paisa, one dollar, where the word is another than for two of them: by the plural in English."""
    cents: Words
    dollars: Words
    pounds: Words
    euros: Words


class Address(Part):
    """E-mail addresses."""

    at: Words
    dot: Words
    underscore: Words
    dash: Words
    plus: Words
    hosts: dict[str, Words]
    """Labels that callers say in their own script: "gmail"."""


class Signs(Part):
    """Signs in words."""

    percent: str
    number: str
    conjunction: Words
    """The word for "and", which "&" is read as."""
    to: str
    """Between the ends of a range."""
    ids: Words
    """What figures are an id behind: "कोड"."""
    measures: Words
    """What halves and quarters are taken of: "1/2 कप" is no day in February."""
    ahead: dict[str, str]
    """Signs before a number, or between two, and what is said for them: "~" is about."""
    units: dict[str, str]
    """Signs and abbreviations of units behind figures, in small letters, and what is said for them."""


class Talk(Part):
    """Words of conversation."""

    function: Words
    """Words that are never counted things: verbs, postpositions, conjunctions."""
    fillers: Words = ()
    moments: Words
    """What follows "one" where it is no number: "one minute"."""
    name: Words
    """What stands before a name."""
    self: Words
    """"I": before a name only where `speaking` follows it."""
    speaking: Words
    name_ends: Words
    titles: Words
    yes: Words
    no: Words
    neither: Words = ()


class Table(Part):
    """A language."""

    language: str
    numbers: Numbers
    days: Days
    clock: Clock
    money: Money
    address: Address
    signs: Signs
    talk: Talk
    letters: dict[str, Words]
    """The names of the Latin letters."""
    weak_letters: Words
    """Names of letters that are also everyday words: read as letters only beside another one."""
    short: dict[str, str] = {}
    """Abbreviations and what they stand for."""
    alike: dict[str, Words] = {}
    """Words that have several spellings: the one they are compared as, and the others."""


_FOLDER = Path(__file__).parent / "tables"


@lru_cache
def load_table(language: str) -> Table:
    """The table of a language that has one, by its primary subtag."""
    return Table.model_validate(read_data(_FOLDER / f"{language}.yaml"))
