"""SPEC 2, matchers: every matcher of the closed set against every kind of value, and why each verdict was given."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter, ValidationError

from core.matchers.comparing import Way, fold, same
from core.matchers.evaluate import MISSING, Missing, evaluate, match_arguments
from core.matchers.references import References
from core.schemas.matchers import Compare, Matcher, MatcherSet
from core.schemas.scenario import Fact

MATCHER: TypeAdapter[Matcher] = TypeAdapter(Matcher)
MATCHERS: TypeAdapter[MatcherSet] = TypeAdapter(MatcherSet)
NONE = References({}, {})

VALUES: list[JsonValue | Missing] = [
    MISSING, None, True, False, 0, 1, 5, 5.0, 5.5, -5, "", "5", "5.0", "05", "yes", "Yes", "  yes ", "ＹＥＳ", "yes yes",
    "yesterday", [], [5], ["5"], ["yes"], [5, "yes"], {}, {"a": 5}, {"a": 5.0, "b": 1}, {"a": "5"}, {"a": None}, {"b": 5},
]  # fmt: skip
HERE: list[JsonValue | Missing] = [value for value in VALUES if value is not None and not isinstance(value, Missing)]
NUMBERS_TO_FIVE: list[JsonValue | Missing] = [0, 1, 5, 5.0, -5]
TABLE: list[tuple[dict[str, Any], list[JsonValue | Missing]]] = [
    ({"present": True}, HERE),
    ({"absent": True}, [MISSING, None]),
    ({"equals": 5}, [5, 5.0]),
    ({"equals": 5.0}, [5, 5.0]),
    ({"equals": 5.5}, [5.5]),
    ({"equals": "5"}, ["5"]),
    ({"equals": ""}, [""]),
    ({"equals": True}, [True]),
    ({"equals": False}, [False]),
    ({"equals": 1}, [1]),
    ({"equals": 0}, [0]),
    ({"equals": None}, []),
    ({"equals": "yes"}, ["yes"]),
    ({"equals": "YES", "compare": "casefold"}, ["yes", "Yes"]),
    ({"equals": "YES", "compare": "normalized"}, ["yes", "Yes", "  yes ", "ＹＥＳ"]),
    ({"equals": "5", "compare": "casefold"}, [5, 5.0, "5"]),
    ({"equals": 5, "compare": "normalized"}, [5, 5.0, "5"]),
    ({"equals": "no. 5", "compare": "digits"}, [5, 5.0, -5, "5"]),
    ({"equals": "05", "compare": "digits"}, ["05"]),
    ({"equals": "no digits", "compare": "digits"}, []),
    ({"equals": []}, [[]]),
    ({"equals": [5]}, [[5]]),
    ({"equals": ["YES"], "compare": "casefold"}, [["yes"]]),
    ({"equals": {}}, [{}]),
    ({"equals": {"a": 5}}, [{"a": 5}]),
    ({"one_of": [5, "yes"]}, [5, 5.0, "yes"]),
    ({"one_of": [True, "YES"], "compare": "casefold"}, [True, "yes", "Yes"]),
    ({"range": {"min": -5, "max": 5}}, NUMBERS_TO_FIVE),
    ({"range": {"min": 5}}, [5, 5.0, 5.5]),
    ({"range": {"max": 0}}, [0, -5]),
    ({"range": {"min": 5.1, "max": 5.4}}, []),
    ({"regex": "5"}, ["5"]),
    ({"regex": "yes"}, ["yes"]),
    ({"regex": "YES", "compare": "casefold"}, ["yes", "Yes"]),
    ({"regex": "yes", "compare": "normalized"}, ["yes", "Yes", "  yes ", "ＹＥＳ"]),
    ({"regex": "[0-9]+", "compare": "digits"}, ["5", "5.0", "05"]),
    ({"contains": "yes"}, ["yes", "  yes ", "yes yes", ["yes"], [5, "yes"]]),
    ({"contains": "YES", "compare": "casefold"}, ["yes", "Yes", "  yes ", "yes yes", ["yes"], [5, "yes"]]),
    ({"contains": 5}, ["5", [5], [5, "yes"]]),
    ({"contains": "5"}, ["5", ["5"]]),
    ({"contains": 5, "compare": "digits"}, ["5", [5], ["5"], [5, "yes"]]),
    ({"contains": ""}, []),
    ({"subset": {}}, [{}, {"a": 5}, {"a": 5.0, "b": 1}, {"a": "5"}, {"a": None}, {"b": 5}]),
    ({"subset": {"a": {"equals": 5}}}, [{"a": 5}, {"a": 5.0, "b": 1}]),
    ({"subset": {"a": {"absent": True}}}, [{}, {"a": None}, {"b": 5}]),
    ({"subset": {"a": {"present": True}, "b": {"absent": True}}}, [{"a": 5}, {"a": "5"}]),
    ({"all": [{"present": True}, {"range": {"min": 5}}]}, [5, 5.0, 5.5]),
    ({"all": [{"regex": "y.*"}, {"regex": ".*y"}]}, ["yesterday"]),
    ({"any": [{"absent": True}, {"equals": "5"}]}, [MISSING, None, "5"]),
    ({"any": [{"equals": True}, {"equals": []}]}, [True, []]),
    ({"not": {"present": True}}, [MISSING, None]),
    ({"not": {"absent": True}}, HERE),
    ({"not": {"not": {"equals": "5"}}}, ["5"]),
    ({"not": {"regex": ".*"}}, [value for value in HERE if not isinstance(value, str)]),
    ({"not": {"any": [{"absent": True}, {"regex": ".*"}]}}, [value for value in HERE if not isinstance(value, str)]),
]  # fmt: skip


def _matcher(data: dict[str, Any]) -> Matcher:
    return MATCHER.validate_python(data)


def _holds(data: dict[str, Any], value: JsonValue | Missing, references: References = NONE) -> bool:
    return evaluate(_matcher(data), value, references).ok


def _shown(values: list[JsonValue | Missing]) -> list[str]:
    return [repr(value) for value in values]


@pytest.mark.parametrize(("data", "accepted"), TABLE, ids=[json.dumps(data) for data, _ in TABLE])
def test_truth_table(data: dict[str, Any], accepted: list[JsonValue | Missing]) -> None:
    """Each matcher accepts exactly these of the thirty-one values, and no other kind of value by accident."""
    assert _shown(accepted) == _shown([value for value in VALUES if _holds(data, value)])


@pytest.mark.parametrize(
    "data",
    [
        {"equals": 5}, {"one_of": [5, None]}, {"range": {"min": 0}}, {"regex": ".*"}, {"contains": "5"}, {"subset": {}},
        {"present": True}, {"not": {"equals": 5}}, {"not": {"regex": "x"}}, {"any": [{"equals": 5}, {"not": {"equals": 6}}]},
    ],
    ids=json.dumps,
)  # fmt: skip
@pytest.mark.parametrize("value", [MISSING, None], ids=repr)
def test_a_missing_argument_fails_all_but_absent(data: dict[str, Any], value: JsonValue | Missing) -> None:
    """A missing or null argument satisfies no matcher that does not speak of absence: not even a negated one."""
    assert not _holds(data, value)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ({"equals": 50}, "50"),
        ({"equals": "50"}, 50),
        ({"equals": 1}, True),
        ({"equals": True}, 1),
        ({"equals": 1093.34}, 109334),
        ({"equals": "04412907"}, "4412907"),
        ({"equals": "04412907", "compare": "digits"}, "4412907"),
        ({"equals": {"a": 1}}, {"a": 1, "b": 2}),
        ({"equals": [1, 2]}, [2, 1]),
        ({"contains": "10"}, "100"),
        ({"contains": "10"}, "110"),
        ({"contains": "10"}, "10.50"),
        ({"contains": "10"}, "1.10"),
        ({"contains": 93}, "$1,093.34"),
        ({"contains": "093"}, "$1,093.34"),
        ({"contains": "10:30"}, "10:30:45"),
        ({"contains": "cat"}, "concatenate"),
        ({"contains": "C++"}, "the C++x course"),
        ({"contains": "नाम"}, "नामा"),
        ({"contains": "नाम"}, "अनाम"),
        ({"contains": "क्"}, "क्\u200dष"),
        ({"contains": "ர"}, "ரி"),
        ({"contains": "中心"}, "中 心"),
        ({"contains": "房10"}, "房100"),
        ({"contains": "10", "compare": "digits"}, "room 110"),
        ({"contains": "10", "compare": "digits"}, "10.50"),
        ({"range": {"min": 1, "max": 9}}, "5"),
        ({"range": {"min": 0, "max": 1}}, True),
        ({"range": {"min": "10"}}, 5),
        ({"regex": "5"}, 5),
        ({"regex": "cat"}, "cats"),
    ],
    ids=str,
)
def test_wrong_comparisons_seen_elsewhere_are_refused(data: dict[str, Any], value: JsonValue) -> None:
    """No matcher calls two different values the same: research/harnesses 1e lists how others did."""
    assert not _holds(data, value)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ({"contains": "10"}, "it is 10."),
        ({"contains": "10"}, "10, please"),
        ({"contains": 10.5}, "that makes 10.5 dollars"),
        ({"contains": "$$1,093.34"}, "you owe $1,093.34."),
        ({"contains": "C++"}, "the C++ course"),
        ({"contains": "C++"}, "学C++课"),
        ({"contains": "中心"}, "城南中心医院"),
        ({"contains": "医院"}, "城南中心医院。"),
        ({"contains": "1093"}, "订单1093号"),
        ({"contains": "ひかり"}, "次はひかり号です"),
        ({"contains": "नाम"}, "मेरा नाम, है"),
        ({"contains": "नाम"}, "नाम\u200c है"),
        ({"contains": "cat"}, "a dog, a cat"),
        ({"contains": "cat"}, "concatenate a cat"),
        ({"equals": "04412907", "compare": "digits"}, "0441-2907"),
        ({"equals": "04412907", "compare": "digits"}, "٠٤٤١٢٩٠٧"),
        ({"equals": "4412907", "compare": "digits"}, 4412907),
        ({"contains": "04412907", "compare": "digits"}, "card 0441 2907, please"),
        ({"equals": "café", "compare": "normalized"}, "CAFÉ"),
        ({"equals": "a b", "compare": "normalized"}, " a\u00a0 b\n"),
        ({"equals": "STRASSE", "compare": "casefold"}, "straße"),
        ({"regex": r"\d{4}-\d{2}"}, "2026-03"),
    ],
    ids=str,
)
def test_equal_values_written_differently_are_the_same(data: dict[str, Any], value: JsonValue) -> None:
    """A comparison option makes exactly the differences it names disappear."""
    assert _holds(data, value)


@given(st.text(), st.text())
def test_a_comparison_is_equality_of_folded_text(a: str, b: str) -> None:
    """Under `casefold` and `normalized` two texts are the same exactly when their folded forms are."""
    for compare in (Compare.CASEFOLD, Compare.NORMALIZED):
        assert (fold(a, compare) == fold(b, compare)) == same(a, b, Way(compare))
        assert same(a, a, Way(compare))
    assert (a == b) == same(a, b)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(JSON, JSON)
def test_equality_is_symmetric_and_every_value_equals_itself(a: JsonValue, b: JsonValue) -> None:
    """Without an option, equality of JSON values is reflexive and symmetric, and `not equals` is its negation."""
    assert same(a, a)
    assert same(a, b) == same(b, a)
    if b is not None and a is not None:
        assert evaluate(_matcher({"not": {"equals": _literal(a)}}), b, NONE).ok != same(_literal(a), b)


def _literal(value: JsonValue) -> JsonValue:
    """A value that holds no reference, whatever text was drawn."""
    return json.loads(json.dumps(value).replace("$", "S"))  # type: ignore[no-any-return]


def test_a_regex_searches_only_where_checks_ask_for_it() -> None:
    """A pattern has to match the whole argument; checks that look into speech say `search`."""
    found = _matcher({"regex": "cat"})
    assert not evaluate(found, "the cat sat", NONE).ok
    assert evaluate(found, "the cat sat", NONE, search=True).ok


def test_search_reaches_patterns_inside_all_any_and_not() -> None:
    """The way of looking holds for nested patterns too."""
    nested = _matcher({"all": [{"any": [{"regex": "cat"}]}, {"not": {"regex": "dog"}}]})
    assert evaluate(nested, "the cat sat", NONE, search=True).ok
    assert not evaluate(nested, "the cat and the dog", NONE, search=True).ok


def test_every_matcher_of_a_set_gives_its_result_and_reason() -> None:
    """Each argument's verdict is kept with what was expected and found, and arguments not listed are free."""
    matchers = MATCHERS.validate_python({"a": {"equals": "$state.x"}, "b": {"present": True}, "c": {"absent": True}})
    results = match_arguments(matchers, {"a": 6, "free": 1}, References({}, {"x": 5}))
    assert [("a", False), ("b", False), ("c", True)] == [(result.argument, result.ok) for result in results]
    assert ["expected 5, found 6", "expected a value, found nothing", "expected nothing, found nothing"] == [
        result.reason for result in results
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"equals": "a", "compare": "digits"}, "expected 'a' (digits), found 'z'"),
        ({"one_of": ["a", "$caller.facts.card_number"]}, "expected one of 'a', '0441', found 'z'"),
        ({"range": {"min": 1}}, "expected a number of at least 1, found 'z'"),
        ({"range": {"min": 1, "max": "$caller.facts.weeks_wanted"}}, "expected a number from 1 to 3, found 'z'"),
        ({"regex": "a+", "compare": "casefold"}, "expected text like /a+/ (casefold), found 'z'"),
        ({"contains": "a"}, "expected something containing 'a', found 'z'"),
        ({"subset": {"k": {"present": True}}}, "expected an object with k: a value, found 'z'"),
        ({"all": [{"present": True}, {"equals": "a"}]}, "expected 'a', found 'z'"),
        ({"any": [{"absent": True}, {"equals": "a"}]}, "expected nothing, found 'z'; expected 'a', found 'z'"),
        ({"not": {"any": [{"equals": "z"}, {"all": [{"present": True}]}]}}, "expected not 'z' or a value, found 'z'"),
    ],
    ids=str,
)
def test_a_reason_says_what_was_expected_and_found(data: dict[str, Any], reason: str) -> None:
    """A verdict names the expectation, references resolved, and the value that was there."""
    references = References({"card_number": Fact(value="0441"), "weeks_wanted": Fact(value=3)}, {})
    assert (False, reason) == evaluate(_matcher(data), "z", references)


@pytest.mark.parametrize("limit", ["$caller.facts.card_number", "$state.text", "$state.flag", "$state.nothing"])
def test_a_range_whose_end_is_no_number_holds_for_nothing(limit: str) -> None:
    """An end that turns out to be no number makes the range fail; it never opens it."""
    references = References({"card_number": Fact(value="12")}, {"text": "1", "flag": True, "nothing": None})
    assert not _holds({"range": {"min": limit}}, 99, references)
    assert not _holds({"range": {"max": limit}}, 0, references)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({}, "exactly one of"),
        ({"equal": 5}, "exactly one of"),
        ({"equals": 5, "present": True}, "exactly one of"),
        (5, "exactly one of"),
        ({"equals": 5, "compare": "sounds_like"}, "casefold"),
        ({"range": {}}, "min or max"),
        ({"range": {"min": 2, "max": 1}}, "above max"),
        ({"one_of": []}, "at least 1"),
        ({"all": []}, "at least 1"),
        ({"present": False}, "True"),
        ({"regex": 5}, "string"),
    ],
    ids=str,
)
def test_the_set_of_matchers_is_closed(data: Any, why: str) -> None:
    """Anything but one well-formed matcher is refused when it is read."""
    with pytest.raises(ValidationError, match=why):
        MATCHER.validate_python(data)
