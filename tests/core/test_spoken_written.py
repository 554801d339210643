"""What is written on a page and said on the phone: addresses whatever their words, amounts before clocks, abbreviations."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.spoken import Kind, occurs, read, say, say_text, units
from core.spoken.english.function_words import FUNCTION_WORDS
from core.spoken.indic import CODES

LANGUAGES = ("en", "zh", *CODES)
WORDS = sorted(word for word in FUNCTION_WORDS if word.isalpha() and len(word) > 1)
LABELS = st.sampled_from([*WORDS, "ann", "shop", "one", "two", "bank", "info"])
ENDINGS = st.sampled_from("com in it is me us at to so as my be no am co.in co.uk".split())


def texts(text: str, language: str) -> list[str]:
    """The normalised units of a text."""
    return [unit.text for unit in units(text, language)]


@given(LABELS, LABELS, ENDINGS, st.sampled_from(LANGUAGES))
@example("ann", "shop", "in", "hi")
@example("me", "the", "is", "gu")
@example("two", "one", "com", "en")
def test_a_written_address_is_one_whatever_its_words(local: str, host: str, ending: str, language: str) -> None:
    """Words that end a spoken address are labels of a written one, and what is said for it is found again."""
    address = f"{local}@{host}.{ending}"
    for text in (address, f"({address})", f"to {address}."):
        assert occurs(address, Kind.EMAIL, text, language=language)
    assert occurs(address, Kind.EMAIL, say(address, Kind.EMAIL, language=language), language=language)
    spoken = say_text(f"to {address}." if language == "en" else address, language)
    assert occurs(address, Kind.EMAIL, spoken, language=language), spoken


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("look at me. it is late", []),
        ("Ann @ me. It is late", []),
        ("reach me at home. in short", []),
        ("me and you at x dot io", []),
        ("my address is me at x dot io", ["me@x.io"]),
        ("my e-mail is info at shop dot in", ["info@shop.in"]),
        ("john seven two@example.com", ["john72@example.com"]),
        ("a n n dot lee@example.com", ["ann.lee@example.com"]),
    ],
)
def test_words_still_end_a_spoken_address(text: str, found: list[str]) -> None:
    """Only what is written with its signs and no space is taken whole; digits said before the sign stay digits."""
    assert found == [item.value for item in read(text, Kind.EMAIL)]


@given(
    st.integers(1, 60),
    st.integers(1, 60),
    st.sampled_from("$£€₹"),
    st.sampled_from(["{0}{1}-{2}", "{0}{1}\u2013{2}", "{0}{1} to {2}"]),
    st.sampled_from(["", "Pay ", "at ", "it is "]),
)
@example(5, 10, "$", "{0}{1}-{2}", "at ")
@example(50, 55, "₹", "{0}{1}\u2013{2}", "")
def test_an_amount_is_no_clock(low: int, more: int, sign: str, shape: str, before: str) -> None:
    """$5-10 is five to ten dollars, as it is said, and never five minutes to ten."""
    text = before + shape.format(sign, low, low + more)
    assert [] == read(text, Kind.TIME)
    spoken = say_text(text)
    for heard in (text, spoken):
        assert [low, low + more] == [item.value for item in read(heard, Kind.MONEY)]
    assert texts(text, "en") == texts(spoken, "en")


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("twenty to nine", ["08:40"]),
        ("at ten to five", ["16:50"]),
        ("It's 10 to 5.", ["16:50"]),
        ("the time is ten to five", ["16:50"]),
        ("ten to five pm", ["16:50"]),
        ("five minutes to ten", ["09:55"]),
        ("page 5 to 10", []),
        ("pages five to ten", []),
        ("a temperature of -5 to 10", []),
        ("5 to 10\u20ac", []),
        ("5 to 10 dollars", []),
        ("from ten to five", ["10:00", "17:00"]),
    ],
)
def test_ten_to_five_is_a_time_where_something_says_so(text: str, times: list[str]) -> None:
    """Alone, behind "at" or "it is", with its half of day or its minutes; not of pages, degrees or money."""
    assert times == [item.value for item in read(text, Kind.TIME)]


@pytest.mark.parametrize(
    ("language", "text", "amounts"),
    [
        ("en", "five to ten dollars", [5.0, 10.0]),
        ("en", "two to three million dollars", [2e6, 3e6]),
        ("en", "$5 to 10 people", [5.0]),
        ("en", "$1.50-2.00", [1.5, 2.0]),
        ("en", "I gave 5 to 2 dollars", [2.0]),
        ("zh", "五到十美元", [5.0, 10.0]),
        ("zh", "￥1万\u20132万", [10000.0, 20000.0]),
        ("zh", "一到两万元", [20000.0]),
    ],
)
def test_both_ends_of_a_range_are_amounts(language: str, text: str, amounts: list[float]) -> None:
    """Where the currency is named once for both; a lower end that may mean something else is left out."""
    assert amounts == [item.value for item in read(text, Kind.MONEY, language=language)]


ABBREVIATIONS = [
    ("No. 5", "Number five"),
    ("house no. 12, ok", "house number twelve, ok"),
    ("I said no. 5 people came.", "I said no. five people came."),
    ("Is it? No. 5 people came.", "Is it? No. five people came."),
    ("ext. 21", "extension twenty one"),
    ("Apt. 4", "Apartment four"),
    ("a 5-kg bag, 1 kg, 10 kg.", "a five kilogram bag, one kilogram, ten kilograms."),
    ("$5/kg", "five dollars per kilogram"),
    ("0.5 km in 30 mins", "zero point five kilometers in thirty minutes"),
    ("walk 10 min. then stop", "walk ten minutes then stop"),
    ("6 ft, 70 mph, 2 hrs", "six feet, seventy miles per hour, two hours"),
    ("1430 hrs", "fourteen thirty"),
    ("12 Main St", "twelve Main Street"),
    ("12 Main St. Springfield", "twelve Main Street. Springfield"),
    ("5th Ave", "fifth Avenue"),
    ("12 Elm Dr", "twelve Elm Drive"),
    ("Dr. Lee at St. Mary", "Doctor Lee at Saint Mary"),
    ("the Dr. is in", "the Dr. is in"),
    ("the st is long, km by km", "the st is long, km by km"),
]


@pytest.mark.parametrize(("written", "spoken"), ABBREVIATIONS)
def test_abbreviations_are_said_in_full_where_they_are_sure(written: str, spoken: str) -> None:
    """Beside a number or a name that leaves one meaning; all others stay. What is written and said comes to the same units."""
    assert spoken == say_text(written)
    assert texts(written, "en") == texts(spoken, "en")


@given(
    st.integers(1, 999),
    st.sampled_from(["{}°C", "{} km/h", "{} kg", "~{}", "±{}", "≥{}", "<{}", ">{}", "{}×3", "{}÷3", "{}\u2030", "{}³", "{}.0.2"]),
    st.sampled_from(LANGUAGES),
)
def test_a_sign_is_never_lost(number: int, shape: str, language: str) -> None:
    """A number with a sign is not the number alone, and costs no error when it is heard as it is said."""
    number = number % 90 + 1 if ".0." in shape else number
    written = shape.format(number)
    plain = "".join(char for char in written if char.isdecimal() and char.isascii())
    assert texts(written, language) not in (texts(plain, language), texts(str(number), language))
    assert texts(written, language) == texts(say_text(written, language), language)


@given(st.integers(1, 999), st.sampled_from(CODES))
@example(2, "hi")
@example(11, "ta")
def test_a_latin_ordinal_is_said_in_english(number: int, language: str) -> None:
    """ "2nd floor" is mixed script as it stands: nothing of another language is made up for it, and it is not 2 floors."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    written = f"{number}{ending} floor"
    spoken = say_text(written, language)
    assert say_text(written, "en") == spoken
    assert texts(written, language) == texts(spoken, language) != texts(f"{number} floor", language)
