"""Normalisers: what must come out equal, what must stay different, and where words stand in the original."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import UsageError
from core.spoken import say_text, units
from core.spoken.languages import LANGUAGES
from core.text import (
    NORMALISERS,
    collapse_spaces,
    find_span,
    folded_of,
    graphemes,
    headline_of,
    is_indic,
    nfkc_casefold,
    normalise,
    normalised_units,
    normaliser_of,
    script_share,
    words,
)

EQUAL = [
    # ids, however they are grouped or written
    ("My account number is four seven two, nine one five, three zero eight.", "My account number is 472-915-308."),
    ("It's eight six zero five, one one two four.", "It's 8605-1124."),
    ("It's eight six zero five, one one two four.", "It's 86051124."),
    ("It's eight six zero five, one one two four.", "It's 8 6 0 5 1 1 2 4"),
    ("It's eight six zero five, one one two four.", "It's 8-6-0-5, 1-1-2-4."),
    ("four four one, two nine zero seven", "441. 2907."),
    ("four four one dash two nine zero seven", "441-2907"),
    ("zero four four one", "0441"),
    ("oh four four one", "0441"),
    ("double five oh nine, triple nine", "5509999"),
    ("forty two seventeen", "4217"),
    ("My phone number is five five five, two three six, seven eight nine zero.", "My phone number is (555) 236-7890."),
    ("one eight hundred five five five one two one two", "1-800-555-1212"),
    ("four million four hundred twelve thousand nine hundred seven", "4,412,907"),
    ("ZIP code ９４１１０", "zip code nine four one one zero"),
    ("the code is \u0967\u0968\u0969", "the code is one two three"),
    # codes and spelled letters
    ("The policy number is Q X three three eight zero five.", "The policy number is QX 33805."),
    ("The policy number is Q X three three eight zero five.", "The policy number is QX-33805."),
    ("The policy number is Q, X, three three eight, zero five.", "The policy number is Q-X-3-3-8-0-5"),
    ("The order number is A B four five nine one zero.", "The order number is AB45910."),
    ("That's b as in bravo, k as in kilo, seven four one.", "That's B as in Bravo, K as in Kilo, 741."),
    ("It's spelled p a t e l.", "It's spelled P-A-T-E-L."),
    ("It's spelled p a t e l.", "It's spelled Patel."),
    ("O, K, A, F, O, R", "O-K-A-F-O-R."),
    ("o k a f o r", "Okafor"),
    ("spelled O, K, A, F, O, R", "spelled okay, AFOR."),
    ("spelled p a t e l", "spelled PA-T-E-L"),
    ("double t", "TT"),
    # money
    ("I was charged one hundred and twenty nine dollars and fifty cents twice.", "I was charged $129.50 twice."),
    ("one hundred twenty nine dollars and fifty cents", "129 dollars and 50 cents"),
    ("The refund should be forty five pounds.", "The refund should be £45."),
    ("The refund should be forty five pounds.", "The refund should be 45 lb."),
    ("forty five dollars", "$45.00"),
    ("two hundred and fifty", "250"),
    ("one thousand and ninety three dollars and thirty four cents", "$1,093.34"),
    ("twelve hundred dollars", "$1,200"),
    ("one point five million dollars", "$1.5 million"),
    ("fifty cents", "50 cents"),
    ("five dollars fifty", "$5.50"),
    ("one thousand six hundred sixty dollars and twenty seven cents", "$1,660 and $27 cents."),
    ("twenty bucks", "$20"),
    # numbers and ordinals
    ("a hundred and five", "105"),
    ("three point five", "3.5"),
    ("two and a half", "2.5"),
    ("twenty two Maple Street, apartment five", "22 Maple Street, Apt. 5"),
    ("I've been waiting for forty minutes.", "I've been waiting for 40 minutes."),
    ("a table for four people", "A table for 4 people."),
    ("the fifteenth, not the fiftieth", "the 15th, not the 50th."),
    ("on the second floor", "on the 2nd floor"),
    ("twenty percent", "20%"),
    ("twenty-four seven", "24/7"),
    ("three to five days", "3-5 days"),
    ("sixty-four", "sixty four"),
    # dates
    ("My date of birth is March fourteenth, nineteen eighty two.", "My date of birth is March 14th, 1982."),
    ("My date of birth is March fourteenth, nineteen eighty two.", "My date of birth is March 14, 1982."),
    ("March fourteenth, nineteen eighty two", "3/14/1982"),
    ("March fourteenth, nineteen eighty two", "1982-03-14"),
    ("the twenty third of October", "the 23rd of October"),
    ("the first of June", "the 1st of June"),
    ("twenty twenty six", "2026"),
    ("two thousand and six", "2006"),
    ("nineteen oh five", "1905"),
    ("Sept. 3rd", "September third"),
    # times
    ("next Tuesday at ten fifteen in the morning", "next Tuesday at 10:15 in the morning"),
    ("next Tuesday at ten fifteen in the morning", "next Tuesday at 10.15 in the morning"),
    ("ten fifteen a.m.", "10:15 AM"),
    ("ten fifteen A M", "10.15am"),
    ("two thirty p.m.", "2:30 PM"),
    ("two p.m.", "2:00 p.m."),
    ("at half past two", "at 2:30"),
    ("at half past two", "at half past 2"),
    ("quarter to nine", "8:45"),
    ("ten o'clock", "10:00"),
    ("ten o'clock", "10 o'clock"),
    ("nine oh five", "9:05"),
    ("seven thirty", "7:30"),
    ("on Saturday at seven thirty", "on Saturday at 7.30."),
    # e-mail
    ("My email is j o h n dot s m i t h at gmail dot com.", "My email is john.smith@gmail.com."),
    ("My email is j o h n dot s m i t h at gmail dot com.", "My e-mail is J-O-H-N dot Smith at gmail.com."),
    ("john dot smith at gmail dot com", "John.Smith@Gmail.com"),
    ("maria santos at example dot com", "mariasantos@example.com"),
    ("maria underscore santos four two at example dot com", "maria_santos42@example.com"),
    ("our site is example dot com", "our site is example.com"),
    # words
    ("Okay.", "OK"),
    ("Okay.", "O.K."),
    ("my ID", "my I.D."),
    ("Plan B, okay", "plan B OK"),
    ("I NEED HELP", "I need help"),
    ("I need it NOW", "I need it now"),
    ("That's plan A, YES", "that's plan A yes"),
    ("I'm calling", "I am calling"),
    ("I can\u2019t log in", "I can't log in"),
    ("I can't", "I cannot"),
    ("It's wrong, isn't it?", "it is wrong is not it"),
    ("My favourite colour is grey", "My favorite color is gray."),
    ("I cancelled it", "I canceled it"),
    ("Um, my, uh, account", "my account"),
    ("Doctor Patel", "Dr. Patel"),
    ("Mister Okafor", "Mr. Okafor"),
    ("O\u2019Brien", "O'Brien"),
    ("Seán", "Sean"),
    ("check-in", "check in"),
    ("I can't log in to it", "I can't log into it"),
    ("cafe\u0301", "café"),
    ("ＡＢＣ", "abc"),
    ("WiFi", "Wi-Fi"),
    ("bread & butter", "bread and butter"),
]

DIFFERENT = [
    ("$1.50", "$150"),
    ("1.50", "150"),
    ("1.5", "15"),
    ("$1,093.34", "$109,334"),
    ("$1,093.34", "$1,093"),
    ("one dollar fifty", "one hundred fifty dollars"),
    ("0441", "441"),
    ("oh four four one", "four four one"),
    ("007", "7"),
    ("10", "100"),
    ("one hundred and five", "100, 5"),
    ("thirty six", "306"),
    ("3006", "thirty six"),
    ("twenty one", "20 1"),
    ("room 12, 3 nights", "room 1, 23 nights"),
    ("four four one two, three nights", "4412, 33 nights"),
    ("the fifteenth", "the fiftieth"),
    ("the fifteenth", "the fourteenth"),
    ("fifteen", "fifty"),
    ("the second", "two"),
    ("10:15", "10:50"),
    ("10:00 AM", "1:00 AM"),
    ("10:00 AM", "100 AM"),
    ("10 AM", "10 PM"),
    ("half past two", "half past three"),
    ("quarter to nine", "quarter past nine"),
    ("March 14", "May 14"),
    ("March 14, 1982", "March 14, 1992"),
    ("3/4/1982", "4/3/1982"),
    ("john.smith@gmail.com", "johnsmith@gmail.com"),
    ("john.smith@gmail.com", "jon.smith@gmail.com"),
    ("john.smith@gmail.com", "john.smith@gmail.co"),
    ("john_smith@gmail.com", "john-smith@gmail.com"),
    ("QX 33805", "QX 33850"),
    ("QX 33805", "QS 33805"),
    ("A B four five", "AB 54"),
    ("KR72P", "KR, 72 pence"),
    ("Okafor", "Okafur"),
    ("$45", "£45"),
    ("minus five", "five"),
    ("can", "can't"),
    ("20%", "20"),
    ("$20 and 7 cents", "$20 and $7"),
    ("yes", "no"),
    ("", "yes"),
    ("21st", "21 saint"),
    ("four", "for"),
    ("two", "to"),
    ("5, 94110", "594111"),
    ("3-5 days", "35 days"),
    ("2.5 hours", "25 hours"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_ways_of_writing_cost_nothing(left: str, right: str) -> None:
    """The same words and values come to the same units whatever the way they are written."""
    assert normalise(left, "en-v4") == normalise(right, "en-v4")


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different_values_stay_different(left: str, right: str) -> None:
    """Decimal points, leading zeros, boundaries of ids, halves of day and currencies are never normalised away."""
    assert normalise(left, "en-v4") != normalise(right, "en-v4")


@pytest.mark.parametrize("text", sorted({side for pair in EQUAL + DIFFERENT for side in pair}))
def test_normalising_twice_changes_nothing(text: str) -> None:
    """The normal form of words is a normal form."""
    once = normalise(text, "generic-v1")
    assert once == normalise(once, "generic-v1")


@pytest.mark.parametrize(
    ("language", "heard", "same"),
    [
        ("en-NZ", "on April third", True),
        ("en-GB", "on April 3rd", True),
        ("en-GB", "on March 4th", False),
        ("en-IN", "on 4/3", False),
        ("en-US", "on March 4th", True),
        ("en", "on April 3rd", False),
    ],
)
def test_a_date_in_figures_is_that_of_its_region(language: str, heard: str, same: bool) -> None:
    """3/4 is in April where the day comes first: errors are counted as the voice says it and as values are read."""
    name = normaliser_of(language)
    assert same == (normalise("on 3/4", name) == normalise(heard, name))
    assert normalise("on 3/4", name) == normalise(say_text("on 3/4", language), name)


def test_every_digit_is_a_unit_of_its_own() -> None:
    """One wrong digit of an id is one error, not one per id."""
    assert ["my", "id", "is", "0", "4", "4", "1"] == [unit.text for unit in units("My ID is 0441.")]


def test_units_point_to_where_they_came_from() -> None:
    """Each unit carries the offsets of its words in the original text."""
    text = "Call\u2019s at 10:15 a.m., José!"
    places = {unit.text: text[unit.start : unit.end] for unit in normalised_units(text, "en-v4")}
    assert {"calls": "Call\u2019s", "am": "10:15 a.m", "jose": "José"}.items() <= places.items()


@pytest.mark.parametrize("name", sorted(NORMALISERS))
@given(text=st.text(max_size=60))
@example(text="ß ﬁ ① e\u0301 İ")
@example(text="❶ ² Ⅳ ½ 三")
@example(text="\u0600\u200d1.2.3:4/5@@..--''")
@example(text="12" * 30)
@example(text="ann@" + "a1 " * 18)
def test_no_text_breaks_a_normaliser(name: str, text: str) -> None:
    """Any text gives units without spaces, in order, with offsets inside the text."""
    found = normalised_units(text, name)
    assert all(unit.text and not unit.text.isspace() and " " not in unit.text for unit in found)
    assert all(0 <= unit.start < unit.end <= len(text) for unit in found)
    starts = [unit.start for unit in found]
    assert sorted(starts) == starts


def test_raw_keeps_words_as_written() -> None:
    """The raw normaliser collapses spaces and composes, nothing else."""
    assert "Hi, it's $1.50. OK" == normalise(" Hi,  it's\n$1.50. OK ", "raw-v1")
    assert normalise("Yes.", "raw-v1") != normalise("yes", "raw-v1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("नमस्ते, मेरा नंबर १२३ है।", "नमस्ते मेरा नंबर 123 है"),
        ("ગુજરાતી ૪૫", "ગુજરાતી 45"),
        ("தமிழ்!", "தமிழ்"),
        ("我叫王小明。", "我 叫 王 小 明"),
        ("Straße ÄÖ", "strasse äö"),
        ("don\u2019t", "dont"),
        ("مرحبا، ١٢", "مرحبا 12"),
    ],
)
def test_generic_keeps_letters_marks_and_numbers(text: str, expected: str) -> None:
    """Punctuation goes, combining marks stay, native digits become 0-9, unsegmented scripts go character by character."""
    assert unicodedata.normalize("NFKC", expected) == normalise(text, "generic-v1")


def test_unknown_normalisers_are_refused_by_name() -> None:
    """The message names what was asked for and what there is."""
    with pytest.raises(
        UsageError, match=r"'en-v9'.*en-v4, en-v4-day-first, en-v4-day-first-folded, en-v4-folded, generic-v1, .*raw-v1"
    ):
        normalise("text", "en-v9")


def test_each_language_has_a_normaliser() -> None:
    """A language whose values can be read has its own, every other language the generic one."""
    found = [normaliser_of(language) for language in ("en", "en-US", "en-GB", "en-IN", "fr-CA")]
    assert ["en-v4", "en-v4", "en-v4-day-first", "en-v4-day-first", "generic-v1"] == found
    assert "en-v4-day-first-folded" == folded_of("en-AU")
    assert all(normaliser_of(language).startswith(f"{language}-v") for language in LANGUAGES)
    assert {normaliser_of(language) for language in LANGUAGES} < NORMALISERS.keys()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("ગુજરાતી", "गुजराती"), ("తెలుగు", "तॆलुगु"), ("ಕನ್ನಡ", "कन्नड"), ("தமிழ்", "तमिऴ्"), ("૪૫ ৪৫", "45 45"), ("Straße", "strasse")],
)
def test_indic_scripts_fold_into_one(text: str, expected: str) -> None:
    """Every Indic letter comes to the place it has in Devanagari (Unicode lays the blocks out alike); others stay."""
    assert expected == normalise(text, "generic-v1-folded")


@pytest.mark.parametrize(
    ("language", "headline", "indic"),
    [
        ("en-IN", "wer", False),
        ("hi", "cer", True),
        ("gu-IN", "cer", True),
        ("zh", "cer", False),
        ("ja", "cer", False),
        ("de", "wer", False),
        ("xx", "wer", False),
    ],
)
def test_the_headline_follows_the_script(language: str, headline: str, indic: bool) -> None:
    """Characters are read first where words are not parted by spaces or are written in an Indic script."""
    assert (headline, indic) == (headline_of(language), is_indic(language))


@pytest.mark.parametrize(
    ("text", "span", "expected"),
    [
        ("My name is Okafor.", "okafor", "Okafor"),
        ("ten or 100 or 10", "10", "10"),
        ("It is 10.50, or 10", "10", "10"),
        ("at 10:15 or 10", "10", "10"),
        ("I can't, but you can", "can", "can"),
        ("STRASSE und Straße", "straße", "STRASSE"),
        ("the ﬁne print", "fine", "ﬁne"),
        ("it's  four\nfour one", "four four", "four\nfour"),
        ("cafe\u0301 au lait", "café", "cafe\u0301"),
        ("cafe\u0301", "cafe", None),
        ("नमस्ते जी", "नमस्ते", "नमस्ते"),
        ("नमस्ते", "नमस", None),
        ("我叫王小明", "王小明", "王小明"),
        ("O\u2019Brien here", "O'Brien", "O\u2019Brien"),
        ("mail john.smith@gmail.com now", "john.smith@gmail.com", "john.smith@gmail.com"),
        ("nothing", "", None),
        ("nothing", "   ", None),
        ("", "x", None),
        ("１００", "100", "１００"),
    ],
)
def test_a_span_is_found_as_whole_words_in_the_original(text: str, span: str, expected: str | None) -> None:
    """Offsets are of the original text, also where folding changes lengths, and never cut a word or a number."""
    place = find_span(text, span)
    assert expected == (None if place is None else text[place[0] : place[1]])


def test_the_first_occurrence_is_found() -> None:
    """Of several occurrences the first counts."""
    assert (3, 6) == find_span("a. Bob, bob", "BOB")


@given(before=st.text(max_size=12), span=st.text(max_size=8), after=st.text(max_size=12))
def test_a_phrase_between_spaces_is_always_found(before: str, span: str, after: str) -> None:
    """Any non-blank phrase parted from its surroundings is found at or before its place, and folds to what was sought."""
    text = f"{before} {span} {after}"
    if not nfkc_casefold(span).split():
        assert find_span(text, span) is None
        return
    place = find_span(text, span)
    if span[0].isspace() or unicodedata.category(span[0])[0] == "M" or unicodedata.category((after or " ")[0])[0] == "M":
        return
    assert place is not None
    assert nfkc_casefold(span).split() == nfkc_casefold(text[place[0] : place[1]]).split()


def test_words_carry_offsets() -> None:
    """Whole words with apostrophes inside, numbers and combined letters, at their place."""
    text = "Don't say \u201cnaïve\u201d 42 times: rock-and-roll"
    found = words(text)
    assert ["Don't", "say", "naïve", "42", "times", "rock", "and", "roll"] == [word.text for word in found]
    assert [word.text for word in found] == [text[word.start : word.end] for word in found]
    assert "don't" == found[0].fold


@given(st.text(max_size=40))
def test_words_are_in_order_and_apart(text: str) -> None:
    """Words never overlap and cut out what they say."""
    found = words(text)
    assert all(text[word.start : word.end] == word.text for word in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@pytest.mark.parametrize(
    ("word", "count"),
    [("four", 4), ("नमस्ते", 3), ("தமிழ்", 3), ("cafe\u0301", 4), ("👩\u200d👧", 1), ("ક્ષત્રિય", 3), ("", 0)],
)
def test_graphemes_are_what_a_reader_counts(word: str, count: int) -> None:
    """Marks stay with their base, joined sequences and tied consonants are one (Unicode Standard Annex 29)."""
    clusters = graphemes(word)
    assert count == len(clusters)
    assert word == "".join(clusters)


@pytest.mark.parametrize(
    ("text", "script", "share"),
    [
        ("hello", "Latn", 1.0),
        ("नमस्ते OK", "Deva", 4 / 6),
        ("हाँ", "Deva", 1.0),
        ("你好 ok", "Hans", 0.5),
        ("ગુજરાત", "Gujr", 1.0),
        ("தமிழ்", "Taml", 1.0),
        ("తెలుగు", "Telu", 1.0),
        ("বাংলা", "Beng", 1.0),
        ("ಕನ್ನಡ", "Knda", 1.0),
        ("привет", "Cyrl", 1.0),
        ("مرحبا", "Arab", 1.0),
        ("12345", "Deva", 1.0),
        ("", "Latn", 1.0),
        ("hello", "Deva", 0.0),
    ],
)
def test_share_of_a_script_counts_letters(text: str, script: str, share: float) -> None:
    """Digits, marks and punctuation are no letters; a text without letters is in every script."""
    assert share == pytest.approx(script_share(text, script))


def test_unknown_scripts_are_refused_by_name() -> None:
    """The message names the script and the known ones."""
    with pytest.raises(UsageError, match=r"'Latin'.*Latn"):
        script_share("hello", "Latin")


def test_spaces_collapse() -> None:
    """Whitespace of every kind becomes one space."""
    assert "a b c" == collapse_spaces("\ta \n b\u00a0c ")
