"""What a listener reads out of words: tables of texts and the values in them."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from core.errors import InputError, UsageError
from core.spoken import Kind, Value, read

NOW = datetime(2026, 3, 10, 9, 0)  # noqa: DTZ001 - a caller's wall clock has no zone
"""A Tuesday."""


def values(text: str, kind: Kind, **options: object) -> list[Value]:
    """The canonical values read, with the fixed now."""
    return [reading.value for reading in read(text, kind, now=NOW, **options)]  # type: ignore[arg-type]


DIGITS = [
    ("My account number is four seven two, nine one five, three zero eight.", ["472915308"]),
    ("My account number is 472-915-308.", ["472915308"]),
    ("It's eight six zero five, one one two four.", ["86051124"]),
    ("It's 8605 1124.", ["86051124"]),
    ("It's 86051124", ["86051124"]),
    ("The last four digits are nine zero three two.", ["9032"]),
    ("the last 4 digits are 9032", ["9032"]),
    ("My zip code is nine four one one zero.", ["94110"]),
    ("My ZIP code is 94110.", ["94110"]),
    ("My phone number is five five five, two three six, seven eight nine zero.", ["5552367890"]),
    ("My phone number is (555) 236-7890.", ["5552367890"]),
    ("My phone number is 555.236.7890", ["5552367890"]),
    ("+1 555 236 7890", ["15552367890"]),
    ("one eight hundred five five five one two one two", ["18005551212"]),
    ("1-800-555-1212", ["18005551212"]),
    ("zero four four one, two nine zero seven", ["04412907"]),
    ("oh four four one, two nine oh seven", ["04412907"]),
    ("0441, 2907", ["04412907"]),
    ("0-4-4-1-2-9-0-7.", ["04412907"]),
    ("0 4 4 1. 2 9 0 7.", ["04412907"]),
    ("0 4 4 1, 2 9 0 7", ["04412907"]),
    ("4.4.1.2.9.0.7", ["4412907"]),
    ("4,412,907", ["4412907"]),
    ("44 12 907", ["4412907"]),
    ("double five oh nine, triple nine", ["5509999"]),
    ("double oh seven", ["007"]),
    ("forty two seventeen", ["4217"]),
    ("four one seven", ["417"]),
    ("thirty six", ["36"]),
    ("four four one dash two nine zero seven", ["4412907"]),
    ("441 2907, for 3 nights", ["4412907"]),
    ("441 2907, 3 nights", ["4412907"]),
    ("four four one two nine zero seven, three nights please", ["4412907"]),
    ("It's 4412907. My zip is 94110.", ["4412907", "94110"]),
    ("4412907 and 94110", ["4412907", "94110"]),
    ("94110, 5552367890", ["94110", "5552367890"]),
    ("Oh, four four one two", ["4412"]),
    ("The meter says zero six four eight two.", ["06482"]),
    ("ZIP code ４７９０３", ["47903"]),
    ("\u096a\u0967\u0966\u096d", ["4107"]),
    ("March fourteenth at 10:15 a.m., that's all", []),
    ("$129.50", []),
    ("the twenty third", []),
    ("I have one question", []),
    ("This one please", []),
    ("a table for four people", []),
    ("QX-338805", []),
    ("Q X three three eight zero five", []),
    ("john42@gmail.com", []),
    ("hello there", []),
    ("", []),
]

CODES = [
    ("The policy number is Q X three three eight zero five.", ["QX33805"]),
    ("The policy number is QX33805.", ["QX33805"]),
    ("The policy number is QX 338805.", ["QX338805"]),
    ("The policy number is QX-338805.", ["QX338805"]),
    ("The policy number is qx-338805", ["QX338805"]),
    ("Q. X. 3, 3, 8, 8, 0, 5.", ["QX338805"]),
    ("Q-X-3-3-8-8-0-5", ["QX338805"]),
    ("Q, X, three three eight, eight zero five", ["QX338805"]),
    ("q x double three double eight oh five", ["QX338805"]),
    ("The order number is A B four five nine one zero.", ["AB45910"]),
    ("The order number is AB45910", ["AB45910"]),
    ("The order number is A-B-4-5-9-1-0", ["AB45910"]),
    ("That's b as in bravo, k as in kilo, seven four one.", ["BK741"]),
    ("That's B is in bravo, K as in Kilo, 741.", ["BK741"]),
    ("A as in apple, one two, C for Charlie", ["A12C"]),
    ("bravo kilo seven four one", ["BK741"]),
    ("D as in bravo, seven", ["B7"]),
    ("the code is K X W Q T Z", ["KXWQTZ"]),
    ("It's 7F3K9", ["7F3K9"]),
    ("A, five", ["A5"]),
    ("I have a 5 dollar bill", []),
    ("I 441", []),
    ("my PIN 4455", ["4455"]),
    ("QX-338805, 3 nights", ["QX338805"]),
    ('the code is "QX" 338805', ["QX338805"]),
    ("no idea", []),
]

MONEY = [
    ("I was charged one hundred and twenty nine dollars and fifty cents twice.", [129.5]),
    ("I was charged $129.50 twice.", [129.5]),
    ("I was charged 129 dollars and 50 cents twice.", [129.5]),
    ("a hundred and twenty nine fifty", []),
    ("129.50", [129.5]),
    ("The refund should be forty five pounds.", [45.0]),
    ("The refund should be £45.", [45.0]),
    ("45 GBP", [45.0]),
    ("Can I pay two hundred and fifty now and the rest on the first of June?", [250.0]),
    ("Can I pay 250 now and the rest on June 1st?", [250.0]),
    ("a hundred and five", [105.0]),
    ("twelve hundred", [1200.0]),
    ("twelve hundred dollars", [1200.0]),
    ("$1,093.34", [1093.34]),
    ("$1,660 and $27 cents", [1660.27]),
    ("$1,020 and $7", [1020.0, 7.0]),
    ("$109,334", [109334.0]),
    ("one thousand ninety three dollars and thirty four cents", [1093.34]),
    ("€12,50", [12.5]),
    ("$1.5 million", [1500000.0]),
    ("one point five million dollars", [1500000.0]),
    ("five dollars fifty", [5.5]),
    ("fifty cents", [0.5]),
    ("ninety nine p", [0.99]),
    ("one twenty nine dollars", [129.0]),
    ("twelve fifty", []),
    ("twenty bucks", [20.0]),
    ("three hundred twelve dollars and forty cents", [312.4]),
    ("three hundred and twelve forty", []),
    ("312.4 dollars", [312.4]),
    ("eighty seven fifteen", []),
    ("$45, and then $12.99", [45.0, 12.99]),
    ("a few hundred dollars", []),
    ("on March 14th at 10:15", []),
    ("that one please", []),
    ("four four one two", []),
    ("a thousand dollars", [1000.0]),
    ("zero dollars", [0.0]),
    ("10%", []),
]

NUMBERS = [
    ("a table for four people", [4]),
    ("4 people", [4]),
    ("I've been waiting for forty minutes.", [40]),
    ("two and a half hours", [2.5]),
    ("three point one four", [3.14]),
    ("3.14", [3.14]),
    ("minus five degrees", [-5]),
    ("it is -5 now", [-5]),
    ("one two three", [123]),
    ("three, maybe four", [3, 4]),
    ("1,200 items", [1200]),
    ("twelve hundred", [1200]),
    ("a dozen eggs", [12]),
    ("this one", []),
    ("one moment", []),
    ("one forty seven point three", []),
    ("on the third floor", []),
    ("at half past two on March 5th", []),
    ("two at half past two", [2]),
]

DATES = [
    ("My date of birth is March fourteenth, nineteen eighty two.", ["1982-03-14"]),
    ("My date of birth is March 14th, 1982.", ["1982-03-14"]),
    ("March 14, 1982", ["1982-03-14"]),
    ("14 March 1982", ["1982-03-14"]),
    ("the fourteenth of March, nineteen eighty-two", ["1982-03-14"]),
    ("3/14/1982", ["1982-03-14"]),
    ("3/14/82", ["1982-03-14"]),
    ("03-14-1982", ["1982-03-14"]),
    ("14.03.1982", ["1982-03-14"]),
    ("1982-03-14", ["1982-03-14"]),
    ("31/12/2026", ["2026-12-31"]),
    ("the twenty third of October at half past two", ["2026-10-23"]),
    ("October 23rd", ["2026-10-23"]),
    ("the 23rd of October", ["2026-10-23"]),
    ("the first of June", ["2026-06-01"]),
    ("Sept. 3rd", ["2026-09-03"]),
    ("March fifth", ["2027-03-05"]),
    ("March tenth", ["2026-03-10"]),
    ("May 5", ["2026-05-05"]),
    ("you may 5 times", []),
    ("May the fourth", ["2026-05-04"]),
    ("February twenty ninth", ["2028-02-29"]),
    ("February thirtieth", []),
    ("next Tuesday", ["2026-03-17"]),
    ("this Friday", ["2026-03-13"]),
    ("on Friday afternoon", ["2026-03-13"]),
    ("last Monday", ["2026-03-09"]),
    ("tomorrow", ["2026-03-11"]),
    ("the day after tomorrow", ["2026-03-12"]),
    ("yesterday evening", ["2026-03-09"]),
    ("in three days", ["2026-03-13"]),
    ("in two weeks", ["2026-03-24"]),
    ("Tuesday, March 17th", ["2026-03-17"]),
    ("Tuesday the seventeenth", ["2026-03-17"]),
    ("the fifteenth", ["2026-03-15"]),
    ("the third option", []),
    ("two thousand six, no", []),
    ("March fourteenth, two thousand six", ["2006-03-14"]),
    ("March fourteenth nineteen oh five", ["1905-03-14"]),
    ("March fourteenth, twenty twenty six", ["2026-03-14"]),
    ("March fourteenth two thousand and twenty six", ["2026-03-14"]),
    ("on March 14 at ten fifteen", ["2026-03-14"]),
    ("March 14, 10:15", ["2026-03-14"]),
    ("between April 3rd and April 5th", ["2026-04-03", "2026-04-05"]),
    ("441-290-7", []),
    ("24/7", []),
    ("I want to march on", []),
]

TIMES = [
    ("half past two", ["14:30"]),
    ("half past 2 in the afternoon", ["14:30"]),
    ("quarter to nine", ["08:45"]),
    ("a quarter past ten", ["10:15"]),
    ("quarter of nine", ["08:45"]),
    ("twenty to five", ["16:40"]),
    ("five past seven p.m.", ["19:05"]),
    ("ten minutes to eight", ["07:50"]),
    ("half past noon", ["12:30"]),
    ("ten fifteen in the morning", ["10:15"]),
    ("10:15 AM", ["10:15"]),
    ("10:15 a.m.", ["10:15"]),
    ("10.15 a.m.", ["10:15"]),
    ("10:15", ["10:15"]),
    ("1015 a.m.", ["10:15"]),
    ("at 635 in the evening", ["18:35"]),
    ("comment 1003 in the morning", ["10:03"]),
    ("call 5552 in the morning", []),
    ("6-35 in the evening", ["18:35"]),
    ("6-35", []),
    ("at 10.15", ["10:15"]),
    ("10.15 in the morning", ["10:15"]),
    ("10.30 and the morning would be great", ["10:30"]),  # a recogniser's "in the"
    ("10.30 would be great", ["10:30"]),
    ("The bill was 10.30.", []),
    ("10.30 dollars", []),
    ("14:30", ["14:30"]),
    ("fourteen thirty", ["14:30"]),
    ("two thirty p.m.", ["14:30"]),
    ("2:30 PM", ["14:30"]),
    ("230pm", ["14:30"]),
    ("two p m", ["14:00"]),
    ("two o'clock", ["14:00"]),
    ("ten o'clock", ["10:00"]),
    ("10 o'clock at night", ["22:00"]),
    ("noon", ["12:00"]),
    ("twelve noon", ["12:00"]),
    ("midnight", ["00:00"]),
    ("12:30 a.m.", ["00:30"]),
    ("12:30 p.m.", ["12:30"]),
    ("twelve thirty", ["12:30"]),
    ("seven thirty", ["07:30"]),
    ("seven thirty tonight", ["19:30"]),
    ("tomorrow evening at seven thirty", ["19:30"]),
    ("Friday afternoon at two", ["14:00"]),
    ("nine oh five", ["09:05"]),
    ("nine oh five, two people", ["09:05"]),
    ("my mobile is four zero four, five five five, zero one seven seven", []),
    ("07:30", ["07:30"]),
    ("02:30", ["02:30"]),
    ("six thirty-five in the evening", ["18:35"]),
    ("6:35", ["18:35"]),
    ("at seven", ["07:00"]),
    ("eleven", ["11:00"]),
    ("between two and four p.m.", ["14:00", "16:00"]),
    ("1430 hours", ["14:30"]),
    ("my id is four four one two", []),
    ("ten fifteen twenty", []),
    ("at 10 Maple Street", []),
    ("ten dollars", []),
    ("I have two", []),
    ("half of it", []),
    ("two to one", []),
    ("March fourteenth nineteen eighty two", []),
    ("25:30", []),
]

EMAILS = [
    ("My email is j o h n dot s m i t h at gmail dot com.", ["john.smith@gmail.com"]),
    ("My email is john.smith@gmail.com.", ["john.smith@gmail.com"]),
    ("My email is J-O-H-N dot Smith at gmail.com.", ["john.smith@gmail.com"]),
    ("J-O-H-N dot S-M-I-T-H at gmail dot com", ["john.smith@gmail.com"]),
    ("D-A-N-I-E-L dot-O-K-A-F-O-R at example dot com", ["daniel.okafor@example.com"]),
    ("D-A-N-I-E-L.-O-K-A-F-O-R at example.com", ["daniel.okafor@example.com"]),
    ("J-O-H-N underscore SM-IT-H4-2 at gmail.com", ["john_smith42@gmail.com"]),
    ("colleen-baptiste at example.org", ["colleen-baptiste@example.org"]),
    ("J. O. H. N. dot S. M. I. T. H. at Gmail.com", ["john.smith@gmail.com"]),
    ("J, O, H, N dot S, M, I, T, H, at gmail dot com", ["john.smith@gmail.com"]),
    ("john dot smith at gmail dot com", ["john.smith@gmail.com"]),
    ("John.Smith at gmail.com", ["john.smith@gmail.com"]),
    ("john . smith @ gmail . com", ["john.smith@gmail.com"]),
    ("John. smith@gmail.com", ["john.smith@gmail.com"]),
    ("It's maria underscore santos at example dot com", ["maria_santos@example.com"]),
    ("maria dash santos at example dot co dot uk", ["maria-santos@example.co.uk"]),
    ("maria.santos@example.co.uk", ["maria.santos@example.co.uk"]),
    ("john four two at example dot com", ["john42@example.com"]),
    ("john42 at example.com", ["john42@example.com"]),
    ("john forty two at example dot com", ["john42@example.com"]),
    ("It's mariasantos at hot mail dot com thanks", ["mariasantos@hotmail.com"]),
    ("maria santos, all one word, at example dot com", ["mariasantos@example.com"]),
    ("k dot lindqvist at web-mail dot org", ["k.lindqvist@web-mail.org"]),
    ("k.lindqvist@web-mail.org", ["k.lindqvist@web-mail.org"]),
    ("first.last+tag@example.com", ["first.last+tag@example.com"]),
    ("write to a@b.org or c@d.org", ["a@b.org", "c@d.org"]),
    ("john at gmail", []),
    ("meet me at noon", []),
    ("look at example dot com", []),
    ("@gmail.com", []),
    ("I'm at home. Come by", []),
]

NAMES = [
    ("My name is Daniel Okafor.", ["Daniel Okafor"]),
    ("My name is Daniel Okafor and I have a question", ["Daniel Okafor"]),
    ("my name's daniel okafor", ["Daniel Okafor"]),
    ("Hi, this is Margaret Thompson, I'm calling about my electricity bill.", ["Margaret Thompson"]),
    ("This is a mistake", []),
    ("I'm calling about my bill", []),
    ("Margaret Okafor", ["Margaret Okafor"]),
    ("Margaret Okafor.", ["Margaret Okafor"]),
    ("Yes, it's Margaret Okafor, please", ["Margaret Okafor"]),
    ("Margaret Okafor speaking", ["Margaret Okafor"]),
    ("margaret okafor", ["Margaret Okafor"]),
    ("It's Okafor.", ["Okafor"]),
    ("Okafur, it's spelled O K A F O R", ["Okafor"]),
    ("Okafer. O-K-A-F-O-R.", ["Okafor"]),
    ("My name is Daniel Okofur, spelled O, K, A, F, O, R.", ["Daniel Okafor"]),
    ("O-K-A-F-O-R", ["Okafor"]),
    ("Margaret Akafer, that spelled okay, AFOR.", ["Margaret Okafor"]),
    ("Okay, Margaret", ["Margaret"]),
    ("It's spelled p a t e l.", ["Patel"]),
    ("No, it's Aconquo, spelled O-K-O-N-K-W-O.", ["Okonkwo"]),
    ("It's Aconquo, spelled-o-k-o-n-k-w-o.", ["Okonkwo"]),
    ("P-A-T-E-L", ["Patel"]),
    ("D A N I E L, O K A F O R", ["Daniel Okafor"]),
    ("D-A-N-I-E-L. O-K-A-F-O-R.", ["Daniel Okafor"]),
    ("My name is Daniel Okofur. D, A, N, I, E, L. O, K, A, F, O, R.", ["Daniel Okafor"]),
    ("O'Brien, that's O B R I E N", ["Obrien"]),
    ("first name Maria, last name Santos", ["Maria Santos"]),
    ("My last name is Lindqvist, L I N D Q V I S T", ["Lindqvist"]),
    ("last name is spelled S A N T O S", ["Santos"]),
    ("Anna double t spelled A double N A", ["Anna"]),
    ("My name is Dr. Patel", ["Patel"]),
    ("My name is Ludwig van der Berg", ["Ludwig van der Berg"]),
    ("my name is Seán O'Brien", ["Seán O'Brien"]),
    ("Jean-Luc Picard", ["Jean-Luc Picard"]),
    ("Mc Donald? No, McDonald", []),
    ("My name is McDonald", ["McDonald"]),
    ("B as in bravo, E as in echo, R as in Romeo, G as in golf", ["Berg"]),
    ("It's QX-338805", []),
    ("It's Q X three three", []),
    ("It's for March fifth", []),
    ("It's Tuesday", []),
    ("Yes please", []),
    ("No, thank you", []),
    ("the premium plan", []),
    ("My account number is four four one", []),
    ("What is this about", []),
    ("", []),
]

YES_NO = [
    ("Yes, that's correct.", [True]),
    ("yeah", [True]),
    ("Yep.", [True]),
    ("That's right.", [True]),
    ("that is right", [True]),
    ("Correct.", [True]),
    ("Sure, go ahead.", [True]),
    ("Okay.", [True]),
    ("Sounds good", [True]),
    ("Yes please do", [True]),
    ("No, not yet.", [False]),
    ("No.", [False]),
    ("nope", [False]),
    ("No, that's wrong.", [False]),
    ("not yet", [False]),
    ("That's not right", [False]),
    ("that isn't right", [False]),
    ("That's incorrect.", [False]),
    ("no thanks", [False]),
    ("Yes, no problem", [True]),
    ("yes... no, wait", []),
    ("No, that's right", []),
    ("My name is Daniel", []),
    ("right now", []),
    ("I want to know", []),
    ("", []),
]

CHOICES = [
    ("the premium plan please", ("basic", "premium"), ["premium"]),
    ("I'd rather have Premium.", ("basic", "premium"), ["premium"]),
    ("video call", ("video_call", "phone_call"), ["video_call"]),
    ("a video-call", ("video_call", "phone_call"), ["video_call"]),
    ("100 please", ("10", "20"), []),
    ("ten please", ("10", "20"), ["10"]),
    ("10.5", ("10",), []),
    ("two bedroom", ("2 bedroom", "3 bedroom"), ["2 bedroom"]),
    ("basic or premium?", ("basic", "premium"), ["basic", "premium"]),
    ("basic plus", ("basic", "basic plus"), ["basic plus"]),
    ("whole house", ("whole", "part"), ["whole"]),
    ("wholesale", ("whole", "part"), []),
    ("the gray one", ("grey", "blue"), ["grey"]),
    ("none of them", ("basic",), []),
]


def table(rows: list[tuple[str, list[Value]]], kind: Kind) -> list[object]:
    """Rows as parameters that name their kind."""
    return [pytest.param(kind, text, expected, id=f"{kind}: {text[:60]}") for text, expected in rows]


ROWS = [
    *table(DIGITS, Kind.DIGITS),  # type: ignore[arg-type]
    *table(CODES, Kind.CODE),  # type: ignore[arg-type]
    *table(MONEY, Kind.MONEY),  # type: ignore[arg-type]
    *table(NUMBERS, Kind.NUMBER),  # type: ignore[arg-type]
    *table(DATES, Kind.DATE),  # type: ignore[arg-type]
    *table(TIMES, Kind.TIME),  # type: ignore[arg-type]
    *table(EMAILS, Kind.EMAIL),  # type: ignore[arg-type]
    *table(NAMES, Kind.NAME),  # type: ignore[arg-type]
    *table(YES_NO, Kind.YES_NO),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("kind", "text", "expected"), ROWS)
def test_reads_exactly_the_values_said(kind: Kind, text: str, expected: list[Value]) -> None:
    """Every form of a value reads as its canonical form, and nothing else in the text does."""
    assert expected == values(text, kind)


@pytest.mark.parametrize(("text", "choices", "expected"), CHOICES)
def test_reads_a_choice_only_as_whole_words(text: str, choices: tuple[str, ...], expected: list[str]) -> None:
    """An option counts where all its words stand, spelled either way, never inside another word or number."""
    assert expected == values(text, Kind.CHOICE, choices=choices)


@pytest.mark.parametrize(("kind", "text", "expected"), ROWS)
def test_readings_point_into_the_text(kind: Kind, text: str, expected: list[Value]) -> None:
    """Offsets cut out exactly the span, in order, without overlap, and the span alone reads as the value or not at all."""
    readings = read(text, kind, now=NOW)
    assert len(expected) == len(readings)
    assert [reading.text for reading in readings] == [text[reading.start : reading.end] for reading in readings]
    ends = [0, *(reading.end for reading in readings)]
    assert all(end <= reading.start < reading.end for end, reading in zip(ends, readings, strict=False))


def test_region_decides_the_order_of_day_and_month() -> None:
    """3/4 is in March for the United States and in April for Great Britain."""
    assert ["1982-03-04"] == values("3/4/1982", Kind.DATE, language="en-US")
    assert ["1982-04-03"] == values("3/4/1982", Kind.DATE, language="en-GB")


def test_the_past_is_counted_backwards() -> None:
    """A date without a year is the last such day when the past is preferred."""
    assert ["2025-10-23"] == values("the twenty third of October", Kind.DATE, prefer="past")
    assert ["2026-03-03"] == values("Tuesday", Kind.DATE, prefer="past")


def test_relative_dates_need_a_now() -> None:
    """Without a now nothing is invented, but a full date is read."""
    assert [] == read("next Tuesday", Kind.DATE)
    assert [] == read("March fifth", Kind.DATE)
    assert ["2026-03-05"] == [reading.value for reading in read("March fifth 2026", Kind.DATE)]


@pytest.mark.parametrize("now", [NOW, date(2026, 3, 10), "2026-03-10T09:00", "2026-03-10", "2026-03-10T09:00:00-05:00"])
def test_now_may_be_a_moment_a_day_or_iso_text(now: datetime | date | str) -> None:
    """Whatever carries the day, the same day is counted from."""
    assert ["2026-03-11"] == [reading.value for reading in read("tomorrow", Kind.DATE, now=now)]


def test_a_now_that_is_no_date_is_refused() -> None:
    """A caller's wrong now is said, not ignored."""
    with pytest.raises(InputError, match=r"'soon'.*ISO 8601"):
        read("tomorrow", Kind.DATE, now="soon")


@pytest.mark.parametrize("tag", ["", "english", "e", "12", "-en"])
def test_what_names_no_language_is_refused(tag: str) -> None:
    """The message shows what was given and how a language is named."""
    with pytest.raises(UsageError, match=f"'{tag}' names no language: write a BCP 47 tag"):
        read("hello", Kind.TEXT, language=tag)


def test_text_is_the_whole_text() -> None:
    """Free text reads as itself with its spaces collapsed."""
    (reading,) = read("  no  milk  today ", Kind.TEXT)
    assert ("no milk today", 2, 17) == (reading.value, reading.start, reading.end)
    assert [] == read("   ", Kind.TEXT)
