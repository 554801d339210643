"""Languages of India: what is said is read back, what is written is spoken and costs no word errors, values stay apart."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.spoken import Kind, find_value, read, say, say_text, units
from core.spoken.indic import CODES
from core.spoken.indic.grammar import grammar_of

NOW = date(2026, 3, 10)
"""A Tuesday."""

languages = st.sampled_from(CODES)


def back(spoken: str, kind: Kind, language: str) -> list[object]:
    """What a listener reads."""
    return [reading.value for reading in read(spoken, kind, language=language, now=NOW)]


def texts(text: str, language: str) -> list[str]:
    """The normalised units."""
    return [unit.text for unit in units(text, language)]


@pytest.mark.parametrize("language", CODES)
def test_every_number_has_its_own_words(language: str) -> None:
    """No two numbers sound alike, and each is read back: the library's own slips are mended."""
    numbers = [*range(100), *range(100, 1000, 37), *range(1000, 100_000, 1000), *range(100_001, 200_000, 3000)]
    assert numbers == [back(say(number, Kind.NUMBER, language=language), Kind.NUMBER, language)[0] for number in numbers]


@given(languages, st.integers(0, 10**11))
def test_numbers_come_back(language: str, value: int) -> None:
    """Any number up to thousands of crores reads back."""
    assert [value] == back(say(value, Kind.NUMBER, language=language), Kind.NUMBER, language)


@given(languages, st.decimals(-1000, 1000, places=3, allow_nan=False).map(float))
def test_decimals_come_back(language: str, value: float) -> None:
    """Decimals and negative numbers read back."""
    assert [value] == back(say(value, Kind.NUMBER, language=language), Kind.NUMBER, language)


@given(languages, st.text(alphabet="0123456789", min_size=1, max_size=20))
def test_digits_come_back(language: str, value: str) -> None:
    """Any id reads back, leading zeros included."""
    assert [value] == back(say(value, Kind.DIGITS, language=language), Kind.DIGITS, language)


@given(languages, st.integers(0, 10**11))
def test_money_comes_back(language: str, cents: int) -> None:
    """Any amount reads back to the last paisa."""
    assert [cents / 100] == back(say(cents / 100, Kind.MONEY, language=language), Kind.MONEY, language)


@given(languages, st.dates(date(1100, 1, 1), date(2099, 12, 31)))
def test_dates_come_back(language: str, value: date) -> None:
    """Any date from 1100 to 2099 reads back."""
    assert [value.isoformat()] == back(say(value, Kind.DATE, language=language), Kind.DATE, language)


@given(languages, st.integers(0, 23), st.integers(0, 59))
def test_times_come_back(language: str, hour: int, minute: int) -> None:
    """Every minute of the day reads back."""
    value = f"{hour:02d}:{minute:02d}"
    assert [value] == back(say(value, Kind.TIME, language=language), Kind.TIME, language)


codes = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=2, max_size=10).filter(
    lambda text: not text.isdigit() and not text.isalpha()
)
letters = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)
addresses = st.tuples(
    letters, st.sampled_from(["", ".kumar", "_42", "-7x"]), letters, st.sampled_from(["com", "in", "co.in"])
).map(lambda parts: f"{parts[0]}{parts[1]}@{parts[2]}.{parts[3]}")


@given(languages, codes)
def test_codes_come_back(language: str, value: str) -> None:
    """Any code reads back."""
    assert [value] == back(say(value, Kind.CODE, language=language), Kind.CODE, language)


@given(languages, addresses)
def test_addresses_come_back(language: str, value: str) -> None:
    """Any address reads back: words that would mislead are spelled."""
    assert [value] == back(say(value, Kind.EMAIL, language=language), Kind.EMAIL, language)


written = st.one_of(
    st.integers(0, 10**8).map(str),
    st.integers(0, 10**8).map(lambda number: f"₹{number / 100:.2f}"),
    st.text(alphabet="0123456789", min_size=6, max_size=12),
    st.dates(date(1950, 1, 1), date(2049, 12, 31)).map(lambda day: f"{day.day}/{day.month}/{day.year}"),
    st.times().map(lambda time: f"{time.hour}:{time.minute:02d}"),
    st.tuples(st.integers(1, 12), st.integers(0, 59), st.sampled_from(["AM", "PM"])).map(
        lambda it: f"{it[0]}:{it[1]:02d} {it[2]}"
    ),
    st.decimals(0, 1000, places=2).map(str),
    st.integers(1, 100).map(lambda number: f"{number}%"),
    st.from_regex("[A-Z]{1,3}[0-9]{1,6}[A-Z]{0,2}", fullmatch=True),
    addresses,
)


@given(languages, st.lists(written, min_size=1, max_size=2))
def test_spoken_text_costs_no_word_errors(language: str, parts: list[str]) -> None:
    """What is written and what is said in its place come to the same units, and no figure is left."""
    text = f" {grammar_of(language).table.signs.conjunction[0]} ".join(parts)
    spoken = say_text(text, language)
    assert texts(text, language) == texts(spoken, language)
    assert not any(char.isdecimal() for char in spoken)


@given(languages, st.text(alphabet="0123456789", min_size=1, max_size=8), st.text(alphabet="0123456789", min_size=1, max_size=8))
def test_different_digits_stay_apart(language: str, left: str, right: str) -> None:
    """Two ids come to the same units only when they are the same, leading zeros included."""
    spoken = [say(value, Kind.DIGITS, language=language) for value in (left, right)]
    assert (left == right) == (texts(spoken[0], language) == texts(spoken[1], language))


@given(languages, st.integers(0, 10**9), st.integers(0, 10**9))
def test_different_amounts_stay_apart(language: str, left: int, right: int) -> None:
    """Two amounts come to the same units only when they are the same."""
    spoken = [say(value / 100, Kind.MONEY, language=language) for value in (left, right)]
    assert (left == right) == (texts(spoken[0], language) == texts(spoken[1], language))


@given(languages, st.sampled_from([Kind.DIGITS, Kind.MONEY]), st.integers(10**5, 10**9))
def test_what_is_said_occurs(language: str, kind: Kind, number: int) -> None:
    """A value is found where it is said."""
    value: object = str(number) if kind is Kind.DIGITS else number / 100
    spoken = say(value, kind, language=language)
    assert (0, len(spoken)) == find_value(value, kind, spoken, language=language)


@given(languages, st.text(max_size=30))
def test_units_keep_their_places(language: str, text: str) -> None:
    """Whatever the text, units stand in order inside it, and its spoken form can be made."""
    found = units(text, language)
    assert all(0 <= unit.start < unit.end <= len(text) for unit in found)
    assert [unit.start for unit in found] == sorted(unit.start for unit in found)
    assert isinstance(say_text(text, language), str)


@pytest.mark.parametrize("language", CODES)
def test_native_digits_are_digits(language: str) -> None:
    """Figures of the language's own script count as 0 to 9."""
    month = grammar_of(language).table.days.months[0][0]
    zero = 0x0966 + (ord(month[0]) & ~0x7F) - 0x0900
    native = "".join(chr(zero + digit) for digit in (9, 0, 5, 1))
    assert ["9051"] == back(native, Kind.DIGITS, language)
