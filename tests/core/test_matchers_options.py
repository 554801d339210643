"""Issue 4, matchers as a library: kinds in written and spoken form, tolerance, aliases, lists in any order, extra arguments."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter, ValidationError

from core.grading.resolving import NO_REFERENCES, resolve_matcher
from core.matchers.comparing import Way, same
from core.matchers.evaluate import evaluate, match_arguments
from core.matchers.references import References
from core.schemas.matchers import Extra, Matcher, MatcherSet, Tolerance
from core.schemas.scenario import Fact
from core.spoken import Kind, say

MATCHER: TypeAdapter[Matcher] = TypeAdapter(Matcher)
MATCHERS: TypeAdapter[MatcherSet] = TypeAdapter(MatcherSet)
NOW = "2026-03-10T09:00"
FACTS = {"birth_date": Fact(value="1984-03-02", kind=Kind.DATE), "city_name": Fact(value="Mumbai")}
LANGUAGES = ("en", "zh", "hi", "gu", "mr", "ta", "bn", "te", "kn")


def _references(language: str = "en") -> References:
    return References(FACTS, {"old_name": "Bombay", "total": 129.5}, language=language, now=NOW)


def _holds(data: dict[str, Any], value: JsonValue, language: str = "en") -> bool:
    return evaluate(MATCHER.validate_python(data), value, _references(language)).ok


@pytest.mark.parametrize(
    ("wanted", "kind", "found", "language"),
    [
        ("2026-03-14", "date", "2026-03-14", "en"),
        ("2026-03-14", "date", "2026-03-14T10:00", "en"),
        ("2026-03-14", "date", "March 14, 2026", "en"),
        ("2026-03-14", "date", "the fourteenth of March", "en"),
        ("2026-03-11", "date", "tomorrow", "en"),
        ("2026-04-03", "date", "3/4/2026", "en-GB"),
        ("2026-03-04", "date", "3/4/2026", "en-US"),
        ("2026-03-14", "date", "14 मार्च 2026", "hi"),
        ("2026-03-14", "date", "चौदह मार्च", "hi"),
        ("2026-03-14", "date", "March 14, 2026", "zh"),
        ("2026-03-14", "date", "2026年3月14日", "zh"),
        ("$caller.facts.birth_date", "date", "March 2nd, 1984", "en"),
        ("14:30", "time", "2:30 PM", "en"),
        ("14:30", "time", "14:30:00", "en"),
        ("14:30", "time", "half past two in the afternoon", "en"),
        ("14:30", "time", "下午两点半", "zh"),
        ("044199", "digits", "oh four four one, double nine", "en"),
        ("04412907", "digits", "0441-2907", "en"),
        ("QX338", "code", "Q X three three eight", "en"),
        ("QX33", "code", "Q for quebec X as in x-ray 33", "en"),
        ("QX33", "code", "qx-33", "gu"),
        (45, "number", "forty five", "en"),
        ("$state.total", "money", "$129.50", "en"),
        (1500, "money", "पंद्रह सौ रुपये", "hi"),
        ("ann@example.com", "email", "ann at example dot com", "en"),
        ("Ann O'Brien", "name", "ANN OBRIEN", "en"),
        (True, "yes_no", "yes", "en"),
        ("2026-03-14", "date", "by March 14", "en"),
        (14.5, "number", "14.5 litres", "en"),
    ],
    ids=str,
)
def test_a_kind_is_the_same_in_every_written_and_spoken_form(
    wanted: JsonValue, kind: str, found: JsonValue, language: str
) -> None:
    """Both sides are read as values of the kind, in the scenario's language and its present, or in English."""
    assert _holds({"equals": wanted, "kind": kind}, found, language)
    assert _holds({"one_of": ["$$", wanted], "kind": kind}, found, language)


@pytest.mark.parametrize(
    ("wanted", "kind", "found", "language"),
    [
        ("2026-03-14", "date", "March 15, 2026", "en"),
        ("2026-03-14", "date", "March 14, 2025", "en"),
        ("2026-03-14", "date", "between March 14 and March 15", "en"),
        ("2026-03-04", "date", "3/4/2026", "en-GB"),
        ("2026-03-14", "date", "soon", "en"),
        ("2026-03-14", "date", 20260314, "en"),
        ("14:30", "time", "02:30", "en"),
        ("14:30", "time", "2:30 in the morning", "en"),
        ("0441", "digits", "441", "en"),
        ("QX338", "code", "QX339", "en"),
        (45, "number", "four five six", "en"),
        (1, "number", True, "en"),
        (129.5, "money", 129, "en"),
        ("soon", "date", "soon", "en"),
        ("SKU_12", "code", "SKU_13", "en"),
        ("C-1 / 2", "code", "C-1 / 3", "en"),
        ("QX33", "code", "code QX33", "en"),
        (45, "number", "45 or 6", "en"),
    ],
    ids=str,
)
def test_another_value_of_the_kind_or_none_is_not_the_same(wanted: JsonValue, kind: str, found: JsonValue, language: str) -> None:
    """What is another value, several values, or no value of the kind equals nothing."""
    assert not _holds({"equals": wanted, "kind": kind}, found, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("value", "kind"), [("2026-03-14", Kind.DATE), ("14:30", Kind.TIME), ("40712", Kind.DIGITS), (1250, Kind.MONEY)]
)
def test_what_a_person_says_equals_the_value_in_every_language_with_rules(value: JsonValue, kind: Kind, language: str) -> None:
    """Saying a value and reading the words back is the same value: nine languages."""
    assert _holds({"equals": value, "kind": kind.value}, say(value, kind, language=language), language)


@pytest.mark.parametrize(
    ("tolerance", "wanted", "accepted", "refused"),
    [
        ({"abs": 0.1}, 0.3, [0.2, 0.3, 0.4], [0.41, 0.19, "0.3", True, None]),
        ({"abs": 0}, 5, [5, 5.0], [5.0001]),
        ({"rel": 0.01}, 200, [198, 202], [197.9, 202.1]),
        ({"rel": 0.5}, -4, [-6, -2], [-6.1, -1.9, 4]),
        ({"abs": 1, "rel": 0.1}, 100, [90, 110], [89.9]),
        ({"abs": 20, "rel": 0.1}, 100, [80, 120], [79.9]),
    ],
)
def test_a_tolerance_is_closed_and_counted_in_decimals(
    tolerance: dict[str, float], wanted: float, accepted: list[JsonValue], refused: list[JsonValue]
) -> None:
    """The wider of both limits counts, its ends are inside, the share is one of the expected number, and text is no number."""
    matcher = {"equals": wanted, "tolerance": tolerance}
    assert accepted == [value for value in [*accepted, *refused] if _holds(matcher, value)]


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(0, 500))
def test_within_a_tolerance_means_a_difference_no_larger(found: int, wanted: int, limit: int) -> None:
    """For every pair of hundredths: the same exactly when they are at most the limit apart."""
    way = Way(tolerance=Tolerance(abs=limit / 100))
    assert (abs(found - wanted) <= limit) == same(found / 100, wanted / 100, way)


def test_a_tolerance_reaches_numbers_said_in_words_only_with_a_kind() -> None:
    """`kind: money` reads "about" nothing: the amount is read first, then compared."""
    assert _holds({"equals": 100, "kind": "money", "tolerance": {"abs": 1}}, "one hundred and one dollars")
    assert not _holds({"equals": 100, "kind": "money", "tolerance": {"abs": 1}}, "one hundred and two dollars")


@pytest.mark.parametrize(
    ("wanted", "found", "language", "expected"),
    [
        ("1500 rupees", "1500 dollars", "en", False),
        ("1500 rupees", "EUR 1500", "en", False),
        ("1500 rupees", "fifteen hundred dollars", "en", False),
        ("1500 rupees", "₹1,500", "en", True),
        ("1500 rupees", "Rs. 1500", "en", True),
        ("INR 1500", "पंद्रह सौ रुपये", "hi", True),
        ("INR 1500", "1500 डॉलर", "hi", False),
        ("₹1,500", "fifteen hundred rupees", "hi", True),
        ("₹1,500", "fifteen hundred dollars", "hi", False),
        ("1500元", "一千五百块钱", "zh", True),
        ("CNY 1500", "一千五百元", "zh", True),
        ("1500元", "1500美元", "zh", False),
        ("USD 1500", "1500美元", "zh", True),
        ("1500 dollars", "HK$1500", "en", True),
        ("US$1500", "1500 pounds", "en", False),
        ("A$1500", "HK$1500", "en", False),
        ("¥1500", "1500 yuan", "en", True),
        ("1500 rupees", "1500", "en", True),
        ("1500 rupees", 1500, "en", True),
        (1500, "EUR 1500", "en", True),
        ("1500", "EUR 1500", "en", True),
        ("USD 0.50", "fifty cents", "en", True),
        ("₹0.50", "fifty cents", "en", False),
        ("₹0.50", "fifty paise", "en", True),
    ],
    ids=str,
)
def test_amounts_that_both_name_a_currency_must_name_the_same(
    wanted: JsonValue, found: JsonValue, language: str, expected: bool
) -> None:
    """An amount without a currency is in any; dollars alone may be those of any country."""
    assert expected == _holds({"equals": wanted, "kind": "money"}, found, language)
    assert expected == _holds({"one_of": [wanted], "kind": "money"}, found, language)
    if isinstance(found, str) and isinstance(wanted, str):
        assert expected == _holds({"equals": found, "kind": "money"}, wanted, language)


def test_an_amount_in_a_sentence_is_in_its_currency() -> None:
    """Of several places where the figure is said, one in the right currency is enough."""
    wanted = {"contains": "1500 rupees", "kind": "money"}
    assert not _holds(wanted, "that is 1500 dollars in all")
    assert _holds(wanted, "that is 1500 dollars, or rather 1500 rupees, in all")
    assert _holds({"contains": 1500, "kind": "money"}, "that is 1500 dollars in all")


def test_aliases_are_other_names_of_the_same_thing() -> None:
    """References and comparisons reach aliases too; what is on neither list is refused, and the reason lists all names."""
    matcher = {"equals": "$caller.facts.city_name", "aliases": ["$state.old_name", "BOM"], "compare": "casefold"}
    assert ["mumbai", "BOMBAY", "bom"] == [name for name in ("mumbai", "BOMBAY", "bom", "Pune") if _holds(matcher, name)]
    verdict = evaluate(MATCHER.validate_python(matcher), "Pune", _references())
    assert "expected 'Mumbai' or 'Bombay' or 'BOM' (casefold), found 'Pune'" == verdict.reason


@pytest.mark.parametrize(
    ("wanted", "found", "expected"),
    [
        ([1, 2, 3], [3, 1, 2], True),
        ([1, 1, 2], [1, 2, 2], False),
        ([1, 2], [1, 2, 2], False),
        ([], [], True),
        ([[1, 2], [3]], [[3], [2, 1]], True),
        ({"codes": ["a", "b"]}, {"codes": ["b", "a"]}, True),
        ([1, "1"], ["1", 1], True),
        ([1, 2], "12", False),
    ],
)
def test_unordered_lists_hold_the_same_elements(wanted: JsonValue, found: JsonValue, expected: bool) -> None:
    """Each element stands for one, at any depth."""
    assert expected == _holds({"equals": wanted, "unordered": True}, found)


@given(st.lists(st.integers(0, 30), max_size=4), st.lists(st.integers(0, 30), max_size=4), st.integers(0, 12))
def test_an_unordered_comparison_is_one_of_some_order(wanted: list[int], found: list[int], limit: int) -> None:
    """Where elements are only near each other, the lists are the same exactly when some order of one is the other's."""
    loose = Way(tolerance=Tolerance(abs=limit))
    tried = any(same(list(order), [*wanted], loose) for order in permutations(found))
    assert tried == same([*found], [*wanted], loose._replace(unordered=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("So that is the fourteenth of March at half past two.", True),
        ("So that is March 14th, 2026.", True),
        ("So that is the fifteenth of March.", False),
        ("So that is the fourteenth.", True),
        ("So that is a Friday in April.", False),
    ],
)
def test_contains_with_a_kind_finds_a_value_in_speech(text: str, expected: bool) -> None:
    """A date is found in whatever form it is said; nothing else is."""
    assert expected == _holds({"contains": "2026-03-14", "kind": "date"}, text)


def test_contains_with_a_kind_looks_into_lists() -> None:
    """One element of a list is the value."""
    assert _holds({"contains": "14:30", "kind": "time"}, ["9:00", "2:30 PM"])
    assert not _holds({"contains": "14:30", "kind": "time"}, ["9:00", "2:30 AM"])


@pytest.mark.parametrize(
    ("data", "value", "reason"),
    [
        (
            {"equals": "2026-03-14", "kind": "date"},
            "March 14",
            "expected '2026-03-14' (date), found 'March 14', read as '2026-03-14'",
        ),
        ({"equals": "2026-03-14", "kind": "date"}, "soon", "expected '2026-03-14' (date), found 'soon', which is no date"),
        ({"equals": "2026-03-14", "kind": "date"}, "2026-03-14", "expected '2026-03-14' (date), found '2026-03-14'"),
        (
            {"equals": "1500 rupees", "kind": "money"},
            "1500 dollars",
            "expected '1500 rupees' (money), found '1500 dollars', read as 1500.0 in dollars",
        ),
        ({"equals": 100, "tolerance": {"abs": 2, "rel": 0.01}}, 101, "expected 100 (within 2, within 1 %), found 101"),
        ({"equals": [1, 2], "unordered": True}, [2, 1], "expected [1, 2] (in any order), found [2, 1]"),
        ({"one_of": ["a", "b"]}, "b", "expected one of 'a', 'b', found 'b'"),
        ({"contains": "14:30", "kind": "time"}, "at 2:30 PM", "expected something containing '14:30' (time), found 'at 2:30 PM'"),
    ],
    ids=str,
)
def test_every_result_says_what_was_expected_found_and_read(data: dict[str, Any], value: JsonValue, reason: str) -> None:
    """Passed or not, the reason names the expectation with its options, the value, and what it was read as."""
    assert reason == evaluate(MATCHER.validate_python(data), value, _references()).reason


@pytest.mark.parametrize("data", [{"equals": "2026-03-14"}, {"one_of": ["2026-03-14"]}, {"contains": "2026-03-14"}], ids=str)
def test_a_resolved_matcher_reads_as_its_scenario_does(data: dict[str, Any]) -> None:
    """Judges get no scenario: language and present stand in the matcher, and give the same verdict."""
    matcher, references = MATCHER.validate_python({**data, "kind": "date"}), _references("hi")
    resolved = resolve_matcher(matcher, references)
    for value in ("चौदह मार्च", "पंद्रह मार्च"):
        assert evaluate(matcher, value, references).ok == evaluate(resolved, value, NO_REFERENCES).ok
    assert evaluate(resolved, "चौदह मार्च", NO_REFERENCES).ok


def test_a_resolved_alias_is_its_value() -> None:
    """References in aliases are replaced too."""
    matcher = MATCHER.validate_python({"equals": "x", "aliases": ["$state.old_name"]})
    assert evaluate(resolve_matcher(matcher, _references()), "Bombay", NO_REFERENCES).ok


def test_an_author_may_name_language_and_moment() -> None:
    """A matcher's own language and moment go before the scenario's."""
    matcher = {"equals": "2030-04-03", "kind": "date", "language": "en-GB", "now": "2030-01-01T00:00"}
    assert _holds(matcher, "3/4", "en-US")
    assert not _holds({"equals": "2030-04-03", "kind": "date"}, "3/4", "en-US")


def test_arguments_without_a_matcher_are_free_unless_refused() -> None:
    """Allowed by default; refused, each gets a failing result with its value. A null argument is one that is not there."""
    matchers = MATCHERS.validate_python({"a": {"equals": 1}, "b": {"absent": True}})
    arguments: dict[str, JsonValue] = {"a": 1, "note": "x", "empty": None}
    free = match_arguments(matchers, arguments, NO_REFERENCES)
    assert [("a", True), ("b", True)] == [(result.argument, result.ok) for result in free]
    refused = match_arguments(matchers, arguments, NO_REFERENCES, Extra.REFUSE)
    assert free == refused[:2]
    assert [("note", False, "expected no further argument, found 'x'")] == [(r.argument, r.ok, r.reason) for r in refused[2:]]


@given(st.dictionaries(st.sampled_from("abcd"), st.none() | st.integers(0, 1)))
def test_missing_fails_and_extra_is_refused(arguments: dict[str, JsonValue]) -> None:
    """Whatever is sent: listed arguments that are missing fail all but `absent`, and only unlisted ones add results."""
    matchers = MATCHERS.validate_python({"a": {"present": True}, "b": {"absent": True}})
    results = match_arguments(matchers, arguments, NO_REFERENCES, Extra.REFUSE)
    there = {name for name, value in arguments.items() if value is not None}
    assert ("a" in there, "b" not in there) == (results[0].ok, results[1].ok)
    assert there - {"a", "b"} == {result.argument for result in results[2:] if not result.ok}
    assert len(results) == 2 + len(there - {"a", "b"})


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"equals": "a", "kind": "date", "compare": "digits"}, "one of them"),
        ({"equals": "a", "language": "en"}, "belong to `kind`"),
        ({"equals": "a", "now": NOW}, "belong to `kind`"),
        ({"equals": "a", "kind": "date", "now": "2026-02-30T09:00"}, "day is out of range"),
        ({"equals": "a", "kind": "date", "language": "English"}, "pattern"),
        ({"equals": "a", "kind": "birthday"}, "digits"),
        ({"equals": 5, "tolerance": {}}, "abs or rel"),
        ({"equals": 5, "tolerance": {"abs": -1}}, "greater than or equal to 0"),
        ({"equals": 5, "tolerance": {"abs": 1}, "compare": "digits"}, "tolerance is for numbers"),
        ({"equals": 5, "tolerance": {"abs": 1}, "kind": "date"}, "tolerance is for numbers"),
        ({"one_of": [5], "aliases": [6]}, "Extra inputs"),
        ({"contains": 5, "tolerance": {"abs": 1}}, "Extra inputs"),
        ({"range": {"min": 1}, "kind": "number"}, "Extra inputs"),
    ],
    ids=str,
)
def test_options_that_say_nothing_together_are_refused(data: dict[str, Any], why: str) -> None:
    """An option that would be ignored is an error when the file is read."""
    with pytest.raises(ValidationError, match=why):
        MATCHER.validate_python(data)
