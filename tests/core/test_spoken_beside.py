"""Known values right beside values of other kinds: found where it is plain whose words are whose, never in a longer one."""

from __future__ import annotations

from itertools import permutations

import pytest

from core.spoken import Kind, find_value, occurs, say

WRITTEN: dict[Kind, tuple[object, str]] = {
    Kind.DIGITS: ("04412907", "04412907"),
    Kind.CODE: ("QX338805", "QX338805"),
    Kind.MONEY: (129.5, "$129.50"),
    Kind.DATE: ("2026-03-14", "March 14, 2026"),
    Kind.TIME: ("14:30", "2:30 PM"),
    Kind.EMAIL: ("ann@example.com", "ann@example.com"),
    Kind.NAME: ("Margaret Okafor", "Margaret Okafor"),
}


@pytest.mark.parametrize(("first", "second"), list(permutations(WRITTEN, 2)))
@pytest.mark.parametrize("parted_by", [" ", ", "])
def test_two_written_values_side_by_side_are_both_there(first: Kind, second: Kind, parted_by: str) -> None:
    """Whatever the kinds, in capitals or not, as a recogniser writes them."""
    text = WRITTEN[first][1] + parted_by + WRITTEN[second][1]
    for heard in (text, text.lower()):
        for kind in (first, second):
            assert occurs(WRITTEN[kind][0], kind, heard), (kind, heard)


@pytest.mark.parametrize("second", [Kind.MONEY, Kind.DATE, Kind.TIME, Kind.EMAIL, Kind.NAME])
@pytest.mark.parametrize("first", [Kind.DIGITS, Kind.CODE])
def test_a_spoken_id_before_another_spoken_value_is_there(first: Kind, second: Kind) -> None:
    """An id said digit by digit ends where an amount, a date, a time, an address or a name begins."""
    said = say(WRITTEN[second][0], second)
    if second in (Kind.MONEY, Kind.TIME):
        said = WRITTEN[second][1]  # said in words, the first number could be the id's last
    text = f"it is {say(WRITTEN[first][0], first)} {said}"
    assert occurs(WRITTEN[first][0], first, text)
    assert occurs(WRITTEN[second][0], second, text)


BESIDE = [
    ("QX338805", Kind.CODE, "code qx338805 ann at example dot com", True),
    ("ann@example.com", Kind.EMAIL, "code qx338805 ann at example dot com", True),
    ("QX33880", Kind.CODE, "code qx338805 ann at example dot com", False),
    ("nn@example.com", Kind.EMAIL, "code qx338805 ann at example dot com", False),
    ("smith@gmail.com", Kind.EMAIL, "john smith at gmail dot com", False),
    ("johnsmith@gmail.com", Kind.EMAIL, "john smith at gmail dot com", True),
    ("lee@gmail.com", Kind.EMAIL, "ann 84 lee at gmail dot com", False),
    ("94110", Kind.DIGITS, "94110 2", False),
    ("94110", Kind.DIGITS, "94110, 2", False),
    ("805", Kind.DIGITS, "QX 338 805", False),
    ("QX338", Kind.CODE, "QX 338, 805", False),
    ("2907", Kind.DIGITS, "0441 2907 2:30 PM", False),
    ("04412907", Kind.DIGITS, "0441 2907 2:30 PM", True),
    ("14:30", Kind.TIME, "twenty two thirty pm", False),
    (50.0, Kind.MONEY, "one hundred and fifty dollars", False),
    (50.0, Kind.MONEY, "one hundred twenty three thousand four hundred fifty dollars", False),
    ("2026-03-04", Kind.DATE, "March 14, 2026", False),
    ("Margaret Okafor", Kind.NAME, "Margaret Okafor ann at example dot com", True),
]


@pytest.mark.parametrize(("value", "kind", "text", "expected"), BESIDE)
def test_a_value_ends_only_where_that_is_plain(value: object, kind: Kind, text: str, expected: bool) -> None:
    """A part of a longer id, address, amount or time is not there, whatever stands beside it."""
    assert expected == occurs(value, kind, text)


def test_the_place_is_that_of_the_value_alone() -> None:
    """Offsets cut out its own words, not those it was run together with."""
    text = "code qx338805 ann at example dot com"
    places = [find_value("QX338805", Kind.CODE, text), find_value("ann@example.com", Kind.EMAIL, text)]
    assert ["qx338805", "ann at example dot com"] == [text[place[0] : place[1]] for place in places if place]
