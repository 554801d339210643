"""Canonical values, their comparison, and finding a known value in a text."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest

from core.errors import InputError
from core.spoken import Kind, canonical, find_value, occurs, same_value

CANONICAL = [
    ("0441-2907", Kind.DIGITS, "04412907"),
    ("(555) 236 7890", Kind.DIGITS, "5552367890"),
    (4412907, Kind.DIGITS, "4412907"),
    ("four four one", Kind.DIGITS, "441"),
    ("４４１", Kind.DIGITS, "441"),
    ("qx-338805", Kind.CODE, "QX338805"),
    ("QX 338805", Kind.CODE, "QX338805"),
    ("Q X three", Kind.CODE, "QX3"),
    ("$129.50", Kind.MONEY, 129.5),
    (129.499999, Kind.MONEY, 129.5),
    ("1,093.34", Kind.MONEY, 1093.34),
    ("forty five pounds", Kind.MONEY, 45.0),
    ("4", Kind.NUMBER, 4),
    (5.0, Kind.NUMBER, 5),
    ("2.5", Kind.NUMBER, 2.5),
    ("four", Kind.NUMBER, 4),
    ("2026-03-14", Kind.DATE, "2026-03-14"),
    ("2026-03-14T10:00", Kind.DATE, "2026-03-14"),
    (date(2026, 3, 14), Kind.DATE, "2026-03-14"),
    (datetime(2026, 3, 14, 10, 5), Kind.DATE, "2026-03-14"),  # noqa: DTZ001 - a caller's clock has no zone
    ("March 14, 2026", Kind.DATE, "2026-03-14"),
    ("3/14/2026", Kind.DATE, "2026-03-14"),
    ("14:30", Kind.TIME, "14:30"),
    ("9:05:00", Kind.TIME, "09:05"),
    ("2:30 PM", Kind.TIME, "14:30"),
    (time(14, 30), Kind.TIME, "14:30"),
    ("Maria.Santos@Example.com", Kind.EMAIL, "maria.santos@example.com"),
    ("maria dot santos at example dot com", Kind.EMAIL, "maria.santos@example.com"),
    ("margaret  okafor", Kind.NAME, "Margaret Okafor"),
    ("MARGARET OKAFOR", Kind.NAME, "Margaret Okafor"),
    ("Ludwig van Berg", Kind.NAME, "Ludwig van Berg"),
    ("basic", Kind.CHOICE, "basic"),
    (" a  b ", Kind.TEXT, "a b"),
    (True, Kind.YES_NO, True),
    ("no", Kind.YES_NO, False),
    ("that's right", Kind.YES_NO, True),
]

NO_VALUE = [
    ("", Kind.DIGITS), ("abc", Kind.DIGITS), (True, Kind.NUMBER), (None, Kind.TEXT), ("", Kind.NAME), ("soon", Kind.DATE),
    ("2026-02-30", Kind.DATE), ("March 14", Kind.DATE), ("25:00", Kind.TIME), ("john", Kind.EMAIL), ("maybe", Kind.YES_NO),
    (float("nan"), Kind.MONEY), (["x"], Kind.TEXT), ("four or five", Kind.NUMBER), ("12 and 34", Kind.DIGITS),
]  # fmt: skip

SAME = [
    ("0441-2907", "04412907", Kind.DIGITS, True),
    ("441", "0441", Kind.DIGITS, False),
    ("441", 441, Kind.DIGITS, True),
    ("qx 33", "QX-33", Kind.CODE, True),
    (5, 5.0, Kind.NUMBER, True),
    ("50", 50, Kind.NUMBER, True),
    ("1.50", "150", Kind.NUMBER, False),
    (129.5, "$129.50", Kind.MONEY, True),
    ("2026-03-14", "March fourteenth, twenty twenty six", Kind.DATE, True),
    ("2:30 PM", "14:30", Kind.TIME, True),
    ("2:30", "02:30", Kind.TIME, True),
    ("A@B.org", "a@b.org", Kind.EMAIL, True),
    ("O'Brien", "o\u2019brien", Kind.NAME, True),
    ("O'Brien", "OBrien", Kind.NAME, True),
    ("Jean-Luc", "jean luc", Kind.NAME, True),
    ("Okafor", "Okafur", Kind.NAME, False),
    ("Premium", "premium", Kind.CHOICE, True),
    ("yes", True, Kind.YES_NO, True),
    ("soon", "soon", Kind.DATE, False),
    (None, None, Kind.TEXT, False),
]

OCCURS = [
    ("04412907", Kind.DIGITS, "My number is 0441 2907.", True),
    ("04412907", Kind.DIGITS, "My number is zero four four one, two nine zero seven.", True),
    ("04412907", Kind.DIGITS, "My number is 441 2907.", False),
    ("441", Kind.DIGITS, "441, 2907", False),
    ("10", Kind.DIGITS, "100", False),
    ("10", Kind.DIGITS, "10.50", False),
    ("10", Kind.NUMBER, "100", False),
    ("10", Kind.NUMBER, "ten", True),
    ("94110", Kind.DIGITS, "94110 2", False),
    ("94110", Kind.DIGITS, "94110, 2 nights", True),
    ("94110", Kind.DIGITS, "94110 and 2", True),
    ("338805", Kind.DIGITS, "QX-338805", False),
    ("QX338805", Kind.CODE, "it's q x three three eight eight oh five", True),
    ("QX338805", Kind.CODE, "QX-338805-2", False),
    (1.5, Kind.MONEY, "$1.50", True),
    (1.5, Kind.MONEY, "$150", False),
    (150, Kind.MONEY, "$1.50", False),
    ("2026-03-14", Kind.DATE, "March fourteenth works", True),
    ("2026-03-14", Kind.DATE, "March fourteenth, 2027", False),
    ("2026-03-14", Kind.DATE, "April fourteenth", False),
    ("1982-03-14", Kind.DATE, "3/14/82", True),
    ("22:15", Kind.TIME, "ten fifteen", True),
    ("22:15", Kind.TIME, "ten fifteen in the morning", False),
    ("22:15", Kind.TIME, "this evening at ten fifteen", True),
    ("10:15", Kind.TIME, "10:15", True),
    ("14:30", Kind.TIME, "two thirty", True),
    ("02:30", Kind.TIME, "14:30", False),
    ("john.smith@gmail.com", Kind.EMAIL, "J-O-H-N dot Smith at gmail.com", True),
    ("Okafor", Kind.NAME, "Mr. OKAFOR's bill", False),
    ("Okafor", Kind.NAME, "that's Okafor, yes", True),
    ("Okafor", Kind.NAME, "O-K-A-F-O-R", True),
    ("Berg", Kind.NAME, "B as in bravo, E, R, G", True),
    ("O'Brien", Kind.NAME, "Mrs. O\u2019Brien", True),
    ("Ann", Kind.NAME, "Anna", False),
    ("Margaret Okafor", Kind.NAME, "Margaret, and Okafor", False),
    ("two bedroom", Kind.CHOICE, "a 2-bedroom flat", True),
    ("video_call", Kind.CHOICE, "a video call", True),
    ("no milk today", Kind.TEXT, "No milk, today!", True),
    ("milk", Kind.TEXT, "milky", False),
    (True, Kind.YES_NO, "yeah", True),
    (True, Kind.YES_NO, "no", False),
]


@pytest.mark.parametrize(("value", "kind", "expected"), CANONICAL)
def test_every_form_has_one_canonical_value(value: object, kind: Kind, expected: object) -> None:
    """Written, typed and spoken values come to the same form and type."""
    found = canonical(value, kind)
    assert (expected, type(expected)) == (found, type(found))


@pytest.mark.parametrize(("value", "kind"), NO_VALUE)
def test_what_is_no_value_is_refused(value: object, kind: Kind) -> None:
    """Nothing is guessed: an incomplete, ambiguous or wrong value raises, and says how to write one."""
    with pytest.raises(InputError, match=f"is no {kind.value}: write it as"):
        canonical(value, kind)


@pytest.mark.parametrize(("left", "right", "kind", "same"), SAME)
def test_values_are_compared_by_kind(left: object, right: object, kind: Kind, same: bool) -> None:
    """Form does not matter, value does; no value equals nothing."""
    assert same == same_value(left, right, kind)
    assert same == same_value(right, left, kind)


@pytest.mark.parametrize(("value", "kind", "text", "expected"), OCCURS)
def test_a_value_occurs_only_as_a_whole(value: object, kind: Kind, text: str, expected: bool) -> None:
    """In any form, never inside a longer number or word, never merged with a neighbour."""
    assert expected == occurs(value, kind, text)


def test_the_place_is_the_span_that_says_it() -> None:
    """Offsets cut out the words of the value alone."""
    text = "Yes, my zip is nine four one one zero, thanks"
    place = find_value("94110", Kind.DIGITS, text)
    assert place is not None
    assert "nine four one one zero" == text[place[0] : place[1]]
