"""SPEC 2, audits: matcher types agree with the tool's JSON Schema, and some argument set matches each queue entry."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter

from core.audits.arguments import audit_arguments, audit_options, satisfiable
from core.matchers.evaluate import MISSING, Missing, evaluate
from core.matchers.references import References
from core.schemas.matchers import Extra, Matcher, MatcherSet
from core.schemas.scenario import Fact
from tests.support.scenes import agent

MATCHER: TypeAdapter[Matcher] = TypeAdapter(Matcher)
MATCHERS: TypeAdapter[MatcherSet] = TypeAdapter(MatcherSet)
REFERENCES = References({"card_number": Fact(value="0441"), "weeks_wanted": Fact(value=3)}, {"limit": 2.5, "text": "x"})
TOOL = next(tool for tool in agent().tools if tool.name == "renew_loan")


def _found(argument: str, matcher: dict[str, Any]) -> list[tuple[str, str]]:
    return list(audit_arguments(TOOL, MATCHERS.validate_python({argument: matcher}), REFERENCES, "args"))


@pytest.mark.parametrize(
    ("argument", "matcher", "reason"),
    [
        ("weeks", {"equals": "3"}, "'3' can never be sent: the tool's schema says integer"),
        ("weeks", {"equals": 3.5}, "3.5 can never be sent: the tool's schema says integer"),
        ("weeks", {"equals": True}, "True can never be sent: the tool's schema says integer"),
        ("weeks", {"equals": "$caller.facts.card_number"}, "'0441' can never be sent: the tool's schema says integer"),
        ("weeks", {"one_of": [1, "2"]}, "'2' can never be sent"),
        ("weeks", {"regex": "3"}, "a regex needs text, but the tool's schema says integer"),
        ("weeks", {"contains": 3}, "contains needs text or a list, but the tool's schema says integer"),
        ("weeks", {"subset": {}}, "subset needs an object, but the tool's schema says integer"),
        ("weeks", {"all": [{"present": True}, {"any": [{"not": {"regex": "3"}}]}]}, "a regex needs text"),
        ("title", {"equals": 5}, "5 can never be sent: the tool's schema says string"),
        ("title", {"equals": None}, "None can never be sent: the tool's schema says string"),
        ("title", {"range": {"min": 1}}, "a range needs a number, but the tool's schema says string"),
        ("branch", {"equals": "downtown"}, "'downtown' is not in the tool's enum ['harbor', 'hillside']"),
        ("branch", {"equals": "Harbor"}, "'Harbor' is not in the tool's enum"),
        ("branch", {"one_of": ["harbor", "airport"]}, "'airport' is not in the tool's enum"),
        ("notify", {"equals": 1}, "1 can never be sent: the tool's schema says boolean"),
        ("notify", {"equals": "yes", "compare": "casefold"}, "'yes' can never be sent: the tool's schema says boolean"),
        ("copies", {"equals": "a"}, "'a' can never be sent: the tool's schema says array"),
        ("copies", {"contains": 5}, "5 can never be sent: the tool's schema says string"),
        ("address", {"equals": []}, "[] can never be sent: the tool's schema says object"),
        ("address", {"subset": {"floor": {"regex": "2"}}}, "a regex needs text, but the tool's schema says integer"),
        ("address", {"subset": {"street": {"present": True}}}, "no field 'street' here; fields: city, floor"),
        ("isbn", {"present": True}, "'renew_loan' has no parameter 'isbn'"),
        ("title", {"equals": "a", "aliases": [5]}, "5 can never be sent: the tool's schema says string"),
        ("branch", {"equals": "harbor", "aliases": ["port"]}, "'port' is not in the tool's enum ['harbor', 'hillside']"),
        ("weeks", {"equals": "x", "tolerance": {"abs": 1}}, "'x' can never be sent: the tool's schema says integer"),
        ("title", {"equals": 5, "tolerance": {"abs": 1}}, "5 can never be sent: the tool's schema says string"),
        ("notify", {"equals": "2026-03-14", "kind": "date"}, "'2026-03-14' can never be sent: the tool's schema says boolean"),
    ],
    ids=str,
)
def test_a_matcher_that_contradicts_the_tools_schema(argument: str, matcher: dict[str, Any], reason: str) -> None:
    """A value of the wrong type can never be sent, so an entry or action that wants it can never be met."""
    ((_, found),) = _found(argument, matcher)
    assert reason in found


@pytest.mark.parametrize(
    ("argument", "matcher"),
    [
        ("weeks", {"equals": 3}),
        ("weeks", {"equals": 3.0}),
        ("weeks", {"equals": "$caller.facts.weeks_wanted"}),
        ("weeks", {"equals": "3", "compare": "digits"}),
        ("weeks", {"range": {"min": 1, "max": "$state.limit"}}),
        ("weeks", {"equals": "$state.unknown"}),
        ("weeks", {"absent": True}),
        ("title", {"regex": ".*"}),
        ("title", {"contains": "harbor", "compare": "casefold"}),
        ("title", {"equals": 5, "compare": "digits"}),
        ("title", {"equals": 5, "kind": "number"}),
        ("weeks", {"equals": 2.5, "tolerance": {"abs": 0.5}}),
        ("branch", {"equals": "harbor", "aliases": ["hillside"]}),
        ("branch", {"equals": "HARBOR", "kind": "text"}),
        ("copies", {"equals": ["b", "a"], "unordered": True}),
        ("copies", {"contains": "2026-03-14", "kind": "date"}),
        ("branch", {"equals": "HARBOR", "compare": "casefold"}),
        ("branch", {"not": {"equals": "harbor"}}),
        ("notify", {"equals": False}),
        ("copies", {"contains": "a"}),
        ("copies", {"equals": ["a", "b"]}),
        ("address", {"subset": {"city": {"equals": "Lund"}, "floor": {"range": {"min": 1}}}}),
    ],
    ids=str,
)
def test_a_matcher_that_agrees_with_the_schema(argument: str, matcher: dict[str, Any]) -> None:
    """Comparisons that read numbers as text, and references that are somebody else's fault, are none of this audit."""
    assert [] == _found(argument, matcher)


@pytest.mark.parametrize(
    ("matcher", "reason"),
    [
        ({"equals": "soon", "kind": "date"}, "'soon' is no date, so nothing can be the same"),
        ({"one_of": ["2026-03-14", "March"], "kind": "date"}, "'March' is no date, so nothing can be the same"),
        ({"contains": True, "kind": "number"}, "True is no number, so nothing can be the same"),
        ({"equals": "14:30", "aliases": ["$state.text"], "kind": "time"}, "'x' is no time, so nothing can be the same"),
        ({"equals": "5", "tolerance": {"abs": 1}}, "a tolerance needs a number, found '5'"),
        ({"equals": ["a"], "tolerance": {"abs": 1}}, "a tolerance needs a number, found ['a']"),
        ({"equals": "a", "unordered": True}, "unordered needs a list"),
    ],
    ids=str,
)
def test_an_option_that_can_do_nothing(matcher: dict[str, Any], reason: str) -> None:
    """A value that is none of its kind, a tolerance without a number, an order without a list."""
    assert [("args.x", reason)] == list(audit_options(MATCHER.validate_python(matcher), REFERENCES, "args.x"))


@pytest.mark.parametrize(
    "matcher",
    [
        {"equals": "March 14, 2026", "kind": "date"},
        {"equals": "$caller.facts.card_number", "kind": "digits"},
        {"equals": [1, "a"], "tolerance": {"rel": 0.1}, "unordered": True},
        {"one_of": ["x"]},
        {"present": True},
    ],
    ids=str,
)
def test_an_option_with_a_use(matcher: dict[str, Any]) -> None:
    """Nothing is said of options that compare something."""
    assert [] == list(audit_options(MATCHER.validate_python(matcher), REFERENCES, "args.x"))


def test_refusing_further_arguments_needs_a_matcher_for_every_required_one() -> None:
    """Else a call the tool's schema allows could never match."""
    required = TOOL.parameters["required"]
    assert isinstance(required, list)
    assert len(required) > 0
    found = list(audit_arguments(TOOL, {}, REFERENCES, "args", Extra.REFUSE))
    assert [f"'renew_loan' requires {name!r}" for name in required] == [reason.split(",")[0] for _, reason in found]
    assert [] == list(audit_arguments(TOOL, {}, REFERENCES, "args"))


def test_a_schema_without_a_type_allows_every_value() -> None:
    """`anyOf` and the like are not looked into."""
    tool = TOOL.model_copy(
        update={"parameters": {"type": "object", "properties": {"x": {"anyOf": []}, "y": {"type": ["string", "null"]}}}}
    )
    matchers = MATCHERS.validate_python({"x": {"regex": "a"}, "y": {"equals": "a"}})
    assert [] == list(audit_arguments(tool, matchers, REFERENCES, "args"))


def test_the_path_names_the_part_of_a_nested_matcher() -> None:
    """Authors find the fault without counting brackets."""
    found = _found("weeks", {"any": [{"equals": 1}, {"all": [{"equals": "2"}, {"not": {"regex": "3"}}]}]})
    assert ["args.weeks.any[1].all[0]", "args.weeks.any[1].all[1].not"] == [where for where, _ in found]


@pytest.mark.parametrize(
    "matcher",
    [
        {"equals": None},
        {"equals": "none", "compare": "digits"},
        {"equals": "none", "kind": "date"},
        {"all": [{"equals": "1", "aliases": ["3"]}, {"equals": "2"}]},
        {"all": [{"equals": "1"}, {"equals": "2"}]},
        {"all": [{"equals": 1}, {"range": {"min": 2}}]},
        {"all": [{"range": {"max": 1}}, {"range": {"min": 2}}]},
        {"all": [{"absent": True}, {"present": True}]},
        {"all": [{"absent": True}, {"equals": 1}]},
        {"all": [{"one_of": ["a", "b"]}, {"not": {"one_of": ["b", "a", "c"]}}]},
        {"all": [{"equals": "abc"}, {"regex": "\\d+"}]},
        {"all": [{"equals": "$caller.facts.card_number"}, {"equals": "0442"}]},
        {"any": [{"equals": None}, {"all": [{"equals": 1}, {"equals": 2}]}]},
        {"subset": {"a": {"all": [{"equals": 1}, {"equals": 2}]}}},
        {"range": {"min": "$state.text"}},
        {"all": [{"equals": 5}, {"contains": "5"}]},
    ],
    ids=json.dumps,
)
def test_a_matcher_that_nothing_satisfies(matcher: dict[str, Any]) -> None:
    """Where a finite set of values decides, an impossible matcher is found."""
    assert not satisfiable(MATCHER.validate_python(matcher), REFERENCES)


@pytest.mark.parametrize(
    "matcher",
    [
        {"present": True},
        {"absent": True},
        {"equals": "a"},
        {"range": {"min": 1, "max": 1}},
        {"all": [{"equals": 5, "tolerance": {"abs": 1}}, {"range": {"min": 5.5}}]},
        {"all": [{"equals": "1", "aliases": ["2"]}, {"equals": "2"}]},
        {"all": [{"equals": [1, 2], "unordered": True}, {"not": {"equals": [1, 2]}}]},
        {"all": [{"present": True}, {"regex": "\\d{8}"}]},
        {"all": [{"present": True}, {"contains": "x"}]},
        {"all": [{"range": {"min": 1, "max": 5}}, {"not": {"one_of": [1, 5]}}]},
        {"all": [{"range": {"min": 5}}, {"not": {"equals": 5}}]},
        {"all": [{"range": {"min": 1, "max": 10}}, {"range": {"min": 5, "max": 20}}]},
        {"all": [{"equals": "A", "compare": "casefold"}, {"regex": "a"}]},
        {"all": [{"equals": "04412907", "compare": "digits"}, {"regex": "\\d{4} \\d{4}"}]},
        {"any": [{"equals": None}, {"regex": "x"}]},
        {"not": {"equals": "a"}},
        {"not": {"present": True}},
        {"subset": {"a": {"absent": True}}},
        {"equals": "$state.unknown"},
    ],
    ids=json.dumps,
)
def test_a_matcher_that_something_may_satisfy(matcher: dict[str, Any]) -> None:
    """Nothing that an argument can satisfy is called impossible."""
    assert satisfiable(MATCHER.validate_python(matcher), REFERENCES)


VALUES = st.sampled_from(["a", "A", "1", "12", "a b", 1, 2, 3, 1.5, True, None])
SIMPLE = st.one_of(
    st.builds(lambda v: {"equals": v}, VALUES),
    st.builds(lambda v, c: {"equals": v, "compare": c}, VALUES, st.sampled_from(["casefold", "digits", "normalized"])),
    st.builds(lambda v: {"one_of": v}, st.lists(VALUES, min_size=1, max_size=3)),
    st.builds(lambda a, b: {"range": {"min": min(a, b), "max": max(a, b)}}, st.integers(0, 4), st.integers(0, 4)),
    st.sampled_from([{"present": True}, {"absent": True}, {"regex": "\\w+"}, {"regex": "[0-9]+"}, {"contains": "a"}]),
)
NESTED = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds(lambda items: {"all": items}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda items: {"any": items}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda item: {"not": item}, inner),
    ),
    max_leaves=5,
)
TRIED: list[JsonValue | Missing] = [
    "a",
    "A",
    "1",
    "12",
    "a b",
    "x1",
    "",
    0,
    1,
    2,
    3,
    4,
    0.5,
    1.5,
    2.5,
    3.5,
    True,
    False,
    [],
    ["a"],
    {},
    MISSING,
]


@given(NESTED)
def test_no_matcher_that_a_value_satisfies_is_called_impossible(data: dict[str, Any]) -> None:
    """Whatever matcher an author builds, one satisfying value refutes the charge."""
    matcher = MATCHER.validate_python(data)
    if any(evaluate(matcher, value, REFERENCES).ok for value in TRIED):
        assert satisfiable(matcher, REFERENCES)
