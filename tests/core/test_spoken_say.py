"""Saying values: what people say, and that a listener who hears every word reads the same value back."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import InputError
from core.spoken import Kind, find_value, read, say, say_text
from core.text import normalise

NOW = date(2026, 3, 10)

SAID = [
    ("04412907", Kind.DIGITS, "zero four four one, two nine zero seven"),
    ("4412907", Kind.DIGITS, "four four one, two nine zero seven"),
    ("5552367890", Kind.DIGITS, "five five five, two three six, seven eight nine zero"),
    ("94110", Kind.DIGITS, "nine four one one zero"),
    ("417", Kind.DIGITS, "four one seven"),
    ("QX338805", Kind.CODE, "Q, X, three three eight, eight zero five"),
    ("7F3K9", Kind.CODE, "seven, F, three, K, nine"),
    (129.5, Kind.MONEY, "one hundred twenty nine dollars and fifty cents"),
    (45, Kind.MONEY, "forty five dollars"),
    (1.01, Kind.MONEY, "one dollar and one cent"),
    (0.5, Kind.MONEY, "fifty cents"),
    (1200, Kind.MONEY, "one thousand two hundred dollars"),
    (4, Kind.NUMBER, "four"),
    (-3.25, Kind.NUMBER, "minus three point two five"),
    ("2026-03-14", Kind.DATE, "March fourteenth, twenty twenty six"),
    ("1982-10-23", Kind.DATE, "October twenty third, nineteen eighty two"),
    ("2006-01-01", Kind.DATE, "January first, two thousand six"),
    ("1905-05-05", Kind.DATE, "May fifth, nineteen oh five"),
    ("14:30", Kind.TIME, "two thirty in the afternoon"),
    ("10:15", Kind.TIME, "ten fifteen in the morning"),
    ("09:05", Kind.TIME, "nine oh five in the morning"),
    ("10:00", Kind.TIME, "ten o'clock in the morning"),
    ("18:35", Kind.TIME, "six thirty five in the evening"),
    ("22:10", Kind.TIME, "ten ten at night"),
    ("12:00", Kind.TIME, "noon"),
    ("00:00", Kind.TIME, "midnight"),
    ("maria.santos@example.com", Kind.EMAIL, "maria dot santos at example dot com"),
    ("k_lindqvist42@web-mail.org", Kind.EMAIL, "k underscore lindqvist four two at web dash mail dot org"),
    ("Margaret Okafor", Kind.NAME, "Margaret Okafor"),
    ("video_call", Kind.CHOICE, "video call"),
    (True, Kind.YES_NO, "yes"),
    (False, Kind.YES_NO, "no"),
]

SPELLED = [
    ("Okafor", Kind.NAME, "O, K, A, F, O, R"),
    ("Daniel Okafor", Kind.NAME, "D, A, N, I, E, L. O, K, A, F, O, R"),
    ("O'Brien", Kind.NAME, "O, B, R, I, E, N"),
    ("john.smith@example.com", Kind.EMAIL, "J, O, H, N, dot S, M, I, T, H, at example dot com"),
]

SENTENCES = [
    ("Your balance is $129.50.", "Your balance is one hundred twenty nine dollars and fifty cents."),
    ("That's £45 or €12,50.", "That's forty five pounds or twelve euros and fifty cents."),
    ("It is due on March 14, 2026.", "It is due on March fourteenth, twenty twenty six."),
    ("It is due on 3/14/2026.", "It is due on March fourteenth, twenty twenty six."),
    ("It is due on 2026-03-14.", "It is due on March fourteenth, twenty twenty six."),
    ("Tuesday, the 23rd of October", "Tuesday, the twenty third of October"),
    ("on 14 March", "on the fourteenth of March"),
    ("at 2:30 PM", "at two thirty P M"),
    ("at 2:30 p.m. sharp", "at two thirty P M sharp"),
    ("at 10:00", "at ten o'clock"),
    ("at 14:30", "at fourteen thirty"),
    ("at 9:05 in the morning", "at nine oh five in the morning"),
    ("2pm", "two P M"),
    ("half past 2", "half past two"),
    ("Call 555-236-7890 now.", "Call five five five, two three six, seven eight nine zero now."),
    ("Your ticket is 73916.", "Your ticket is seven three nine one six."),
    ("ending in 9032", "ending in nine zero three two"),
    ("code QX-338805, 15% off", "code Q, X, three three eight, eight zero five, fifteen percent off"),
    ("Write to a.b@example.com!", "Write to a dot b at example dot com!"),
    ("the 2nd floor", "the second floor"),
    ("1,200 items", "one thousand two hundred items"),
    ("1500 people since 1999", "one thousand five hundred people since nineteen ninety nine"),
    ("3.50 percent", "three point five zero percent"),
    ("3-5 days", "three to five days"),
    ("5kg", "five kilograms"),
    ("open 24/7", "open twenty four seven"),
    ("item #5 & more", "item number five and more"),
    ("No figures here; nothing changes, not \u201cone\u201d bit.", "No figures here; nothing changes, not \u201cone\u201d bit."),
    ("", ""),
]


@pytest.mark.parametrize(("value", "kind", "spoken"), SAID)
def test_values_are_said_as_people_say_them(value: object, kind: Kind, spoken: str) -> None:
    """Digits are grouped by breath, amounts and dates are in words, times name their part of day."""
    assert spoken == say(value, kind)


@pytest.mark.parametrize(("value", "kind", "spoken"), SPELLED)
def test_values_are_spelled_on_request(value: str, kind: Kind, spoken: str) -> None:
    """Spelling gives single letters, and reads back as the value."""
    assert spoken == say(value, kind, spell=True)
    plain = value.replace("'", "").casefold()
    assert [plain] == [str(item.value).casefold() for item in read(spoken, kind)]


@pytest.mark.parametrize(("written", "spoken"), SENTENCES)
def test_sentences_are_verbalised(written: str, spoken: str) -> None:
    """Everything written in figures or signs comes out in words, the rest stays letter by letter."""
    assert spoken == say_text(written)


@pytest.mark.parametrize(("written", "spoken"), SENTENCES)
def test_verbalised_sentences_cost_no_word_errors(written: str, spoken: str) -> None:
    """What is written and what is said in its place come to the same units."""
    assert normalise(written, "en-v4") == normalise(spoken, "en-v4")


@given(st.text(alphabet="abc 0123456789.,:/-$%@#'\u2013\u2212½°~±₹kMst", max_size=30))
def test_verbalised_text_has_no_figures_left(text: str) -> None:
    """Whatever the text, nothing is left that a voice would have to guess how to say."""
    assert not any(char.isdigit() for char in say_text(text))


def test_a_value_of_another_kind_is_refused() -> None:
    """The message names the value and how to write it."""
    with pytest.raises(InputError, match=r"'soon' is no date.*YYYY-MM-DD"):
        say("soon", Kind.DATE)


def test_no_language_is_said_in_the_words_of_another() -> None:
    """Where there are no rules a value stays as it is written, and the voice says it."""
    assert ("4820", "129.5", "Anna") == (
        say("4820", Kind.DIGITS, language="de"),
        say(129.5, Kind.MONEY, language="de"),
        say("Anna", Kind.NAME, language="de"),
    )


digit_strings = st.text(alphabet="0123456789", min_size=1, max_size=20)
codes = st.text(alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=2, max_size=12).filter(
    lambda text: not text.isdigit() and (not text.isalpha() or len(text) >= 3)
)
letters = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=10)
local_parts = st.lists(
    st.tuples(st.one_of(letters, digit_strings.map(lambda text: text[:4])), st.sampled_from([".", "_", "-", ""])),
    min_size=1,
    max_size=4,
).map(lambda parts: "".join(word + sign for word, sign in parts).rstrip("._-"))
domains = st.tuples(letters, st.sampled_from(["com", "org", "co.uk", "net", "example"])).map(".".join)
addresses = st.tuples(local_parts, domains).map("@".join)
names = (
    st.lists(st.text(alphabet="bcdfghklmnprstvz", min_size=3, max_size=9), min_size=1, max_size=3)
    .filter(lambda words: "mrs" not in words)
    .map(lambda words: " ".join(word.capitalize() for word in words))
)
"""No word of these is anything but a name; titles are no part of one."""


def back(spoken: str, kind: Kind) -> list[object]:
    """What a listener reads."""
    return [reading.value for reading in read(spoken, kind, now=NOW)]


@given(digit_strings)
def test_digits_come_back(value: str) -> None:
    """Any id reads back, leading zeros and repeats included, also in the middle of a sentence."""
    assert [value] == back(say(value, Kind.DIGITS), Kind.DIGITS)
    assert [value] == back(f"My number is {say(value, Kind.DIGITS)}, thank you.", Kind.DIGITS)


@given(codes)
@example("AI5")
@example("O0O")
@example("5O")
@example("A1")
def test_codes_come_back(value: str) -> None:
    """Any code reads back, the letter O apart from zero."""
    assert [value] == back(say(value, Kind.CODE), Kind.CODE)


@given(st.integers(0, 10**11))
def test_money_comes_back(cents: int) -> None:
    """Any amount reads back to the cent."""
    assert [cents / 100] == back(say(cents / 100, Kind.MONEY), Kind.MONEY)


@given(st.one_of(st.integers(-(10**11), 10**11), st.decimals(-1000, 1000, places=3, allow_nan=False).map(float)))
@example(100)
@example(1_000_001)
@example(0.05)
def test_numbers_come_back(value: float) -> None:
    """Any number reads back, negative and decimal ones included."""
    assert [value] == back(say(value, Kind.NUMBER), Kind.NUMBER)


@given(st.dates(date(1100, 1, 1), date(2099, 12, 31)))
@example(date(2010, 10, 10))
@example(date(1900, 1, 1))
@example(date(2000, 2, 29))
def test_dates_come_back(value: date) -> None:
    """Any date from 1100 to 2099 reads back."""
    assert [value.isoformat()] == back(say(value, Kind.DATE), Kind.DATE)


@given(st.integers(0, 23), st.integers(0, 59))
def test_times_come_back(hour: int, minute: int) -> None:
    """Every minute of the day reads back."""
    value = f"{hour:02d}:{minute:02d}"
    assert [value] == back(say(value, Kind.TIME), Kind.TIME)


@given(addresses)
@example("is@example.com")
@example("dot.at@example.com")
@example("a.double.one@example.com")
@example("mail@example.co.uk")
def test_addresses_come_back(value: str) -> None:
    """Any address reads back: words that would mislead are spelled."""
    assert [value] == back(say(value, Kind.EMAIL), Kind.EMAIL)
    assert [value] == back(f"It's {say(value, Kind.EMAIL)}.", Kind.EMAIL)


@given(addresses)
@example("john_smith42@example.com")
def test_spelled_addresses_come_back(value: str) -> None:
    """Any address reads back from its spelling."""
    assert [value] == back(say(value, Kind.EMAIL, spell=True), Kind.EMAIL)


@given(names)
def test_names_come_back(value: str) -> None:
    """A name reads back, alone and after a cue."""
    assert [value] == back(say(value, Kind.NAME), Kind.NAME)
    assert [value] == back(f"My name is {say(value, Kind.NAME)}.", Kind.NAME)


@given(st.text(alphabet="bcdfghjklmnopqrstuvwxyz", min_size=3, max_size=10))
def test_spelled_names_come_back(value: str) -> None:
    """A spelled name reads back letter by letter."""
    assert [value.capitalize()] == back(say(value, Kind.NAME, spell=True), Kind.NAME)


@given(st.booleans())
def test_agreement_comes_back(value: bool) -> None:
    """Yes is yes and no is no."""
    assert [value] == back(say(value, Kind.YES_NO), Kind.YES_NO)


@given(st.sampled_from(["basic", "premium plus", "video_call", "10", "100"]))
def test_choices_come_back(value: str) -> None:
    """An option reads back among its neighbours."""
    options = ["basic", "premium", "premium plus", "video_call", "10", "100"]
    assert [value] == [item.value for item in read(say(value, Kind.CHOICE), Kind.CHOICE, choices=options)]


@given(
    st.one_of(
        st.tuples(digit_strings, st.just(Kind.DIGITS)),
        st.tuples(codes, st.just(Kind.CODE)),
        st.tuples(st.integers(0, 10**6).map(lambda cents: cents / 100), st.just(Kind.MONEY)),
        st.tuples(st.dates(date(1900, 1, 1), date(2099, 12, 31)).map(date.isoformat), st.just(Kind.DATE)),
        st.tuples(addresses, st.just(Kind.EMAIL)),
        st.tuples(names, st.just(Kind.NAME)),
    )
)
def test_what_is_said_occurs(pair: tuple[object, Kind]) -> None:
    """A value is found in the sentence that says it, at the place where it is said."""
    value, kind = pair
    spoken = say(value, kind)
    text = f"Well, it's {spoken}, okay?"
    place = find_value(value, kind, text)
    assert place is not None
    assert place[0] >= text.index(spoken)
    assert place[1] <= text.index(spoken) + len(spoken)
