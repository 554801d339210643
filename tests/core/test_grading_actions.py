"""Expected actions are graded from the calls alone: one call serves one action, arguments, count and order decide."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.grading.actions import grade_actions
from core.schemas.call_trace import Outcome, Trace
from core.schemas.grade import Item, Label
from tests.core.grading_samples import Called, CallScript, scenario

FIND = {"id": "find_1", "tool": "find", "args": {"number": {"equals": "$caller.facts.account_no"}}}
RIGHT = {"number": "4820197355"}
WRONG = {"number": "4820197365"}


def _grade(trace: Trace, *actions: dict[str, Any]) -> list[Item]:
    return list(grade_actions(trace, scenario(expected=list(actions))))


def _calls(*calls: Called) -> Trace:
    script = CallScript()
    for call in calls:
        script.agent("One moment.", call)
    return script.trace()


def _labels(trace: Trace, *actions: dict[str, Any]) -> list[Label | None]:
    return [item.label for item in _grade(trace, *actions)]


def test_a_right_call_is_met_and_cites_event_and_messages() -> None:
    """Met: value 1, the tool event that counts, and the indices of its call and its result."""
    (item,) = _grade(_calls(Called("find", RIGHT)), FIND)

    assert Label.MET == item.label
    assert 1.0 == item.value
    assert (0,) == item.tool_events
    assert (1, 2) == item.evidence


def test_a_wrong_argument_is_not_met_and_shows_the_closest_call() -> None:
    """Not met: the matcher results of the closest call and the reason in words."""
    action = {**FIND, "args": {**FIND["args"], "zip": {"equals": "47906"}}}  # type: ignore[dict-item]
    trace = _calls(Called("find", {"number": "1", "zip": "1"}), Called("find", {**WRONG, "zip": "47906"}), Called("other", {}))
    (item,) = _grade(trace, action)

    assert Label.NOT_MET == item.label
    assert 0.0 == item.value
    assert [False, True] == [result.ok for result in item.matchers]
    assert "closest call is tool event 1: number: expected '4820197355', found '4820197365'" == item.reason


def test_arguments_without_a_matcher_are_free() -> None:
    """An argument the action does not name cannot fail it."""
    assert [Label.MET] == _labels(_calls(Called("find", {**RIGHT, "note": "x"})), FIND)


def test_an_action_may_refuse_arguments_it_does_not_name() -> None:
    """With `extra: refuse` a call with a further argument does not count, and the item shows which one it was."""
    trace = _calls(Called("find", {**RIGHT, "note": "x"}))
    (item,) = _grade(trace, {**FIND, "extra": "refuse"})

    assert (Label.NOT_MET, [True, False]) == (item.label, [result.ok for result in item.matchers])
    assert "closest call is tool event 0: note: expected no further argument, found 'x'" == item.reason
    assert [Label.MET] == _labels(_calls(Called("find", {**RIGHT, "note": None})), {**FIND, "extra": "refuse"})


def test_a_forbidden_action_may_be_about_exact_arguments() -> None:
    """Refusing further arguments narrows what is forbidden: only the call with nothing else breaks it."""
    action = {**FIND, "forbidden": True, "extra": "refuse"}

    assert [Label.MET] == _labels(_calls(Called("find", {**RIGHT, "note": "x"})), action)
    assert [Label.NOT_MET] == _labels(_calls(Called("find", RIGHT)), action)


def test_a_missing_argument_fails_all_but_absent() -> None:
    """An argument that is not there, or null, satisfies `absent` alone."""
    absent = {**FIND, "args": {"number": {"absent": True}}}

    for sent in ({}, {"number": None}):
        assert [Label.NOT_MET, Label.MET] == _labels(_calls(Called("find", sent)), FIND, {**absent, "id": "no_number"})


def test_no_call_at_all_is_not_met() -> None:
    """The reason says that the tool was never called."""
    (item,) = _grade(_calls(Called("other", {})), FIND)

    assert (Label.NOT_MET, "no call to 'find'", ()) == (item.label, item.reason, item.tool_events)


@pytest.mark.parametrize("outcome", [Outcome.CHAIN_LIMIT, Outcome.UNKNOWN_TOOL])
def test_refused_calls_are_no_calls(outcome: Outcome) -> None:
    """A call past the chain limit or to an unknown tool meets nothing and breaks no prohibition."""
    trace = _calls(Called("find", RIGHT, outcome=outcome))

    assert [Label.NOT_MET, Label.MET] == _labels(trace, FIND, {**FIND, "id": "never_1", "forbidden": True})


def test_unparseable_calls_match_nothing() -> None:
    """Even an action without matchers is not met by broken JSON, and the parse error is the reason."""
    (item,) = _grade(_calls(Called("find", "{broken")), {"id": "find_1", "tool": "find"})

    assert Label.NOT_MET == item.label
    assert "could not be parsed: arguments are not valid JSON" in item.reason


@pytest.mark.parametrize(
    ("calls", "low", "high", "expected"),
    [
        (1, 1, 1, Label.MET),
        (2, 1, 1, Label.PARTIAL),
        (2, 1, 2, Label.MET),
        (3, 1, 2, Label.PARTIAL),
        (1, 2, 3, Label.PARTIAL),
        (0, 0, 2, Label.MET),
        (0, 2, 3, Label.NOT_MET),
        (1, 0, 0, Label.PARTIAL),
    ],
)
def test_the_number_of_matching_calls_decides(calls: int, low: int, high: int, expected: Label) -> None:
    """Met within [min, max]; a full match with a wrong count is partial."""
    action = {**FIND, "calls": {"min": low, "max": high}}

    assert [expected] == _labels(_calls(*[Called("find", RIGHT)] * calls), action)


def test_wrong_calls_beside_a_right_one_do_not_count() -> None:
    """A mistaken try and then the right call: only the right one is counted."""
    assert [Label.MET] == _labels(_calls(Called("find", WRONG), Called("find", RIGHT)), FIND)


def test_one_call_never_serves_two_actions() -> None:
    """Two equal actions and one call: one is met, the other says whose call it was."""
    items = _grade(_calls(Called("find", RIGHT)), FIND, {**FIND, "id": "find_2"})

    assert [Label.MET, Label.NOT_MET] == [item.label for item in items]
    assert "tool event 0 fits but counts for 'find_1'" == items[1].reason


def test_matching_is_maximal() -> None:
    """The loose action comes first but takes the call the strict one cannot use: both are met."""
    loose = {"id": "any_1", "tool": "find"}
    trace = _calls(Called("find", RIGHT), Called("find", WRONG))

    assert [Label.MET, Label.MET] == _labels(trace, loose, FIND)


def test_minimums_are_served_before_extra_slots() -> None:
    """An action that may take up to three calls leaves another the one it needs."""
    greedy = {"id": "any_1", "tool": "find", "calls": {"min": 1, "max": 3}}
    trace = _calls(Called("find", RIGHT), Called("find", RIGHT))

    assert [Label.MET, Label.MET] == _labels(trace, greedy, FIND)


def test_surplus_calls_are_held_against_one_action_only() -> None:
    """Two equal actions of one call each and three calls: the third is surplus of the first alone."""
    trace = _calls(*[Called("find", RIGHT)] * 3)

    assert [Label.PARTIAL, Label.MET] == _labels(trace, FIND, {**FIND, "id": "find_2"})


def test_order_off_is_partial() -> None:
    """`after` compares the first counted calls; the reason names the action that must come first."""
    book = {"id": "book_1", "tool": "book", "after": ["find_1"]}
    trace = _calls(Called("book", {}), Called("find", RIGHT))
    items = _grade(trace, FIND, book)

    assert [Label.MET, Label.PARTIAL] == [item.label for item in items]
    assert 0.5 == items[1].value
    assert "it came before 'find_1', which must come first" == items[1].reason


def test_order_without_the_earlier_action_is_partial() -> None:
    """The action it depends on never happened: a full match exists, the order does not hold."""
    (_find, item) = _grade(_calls(Called("book", {})), FIND, {"id": "book_1", "tool": "book", "after": ["find_1"]})

    assert (Label.PARTIAL, "'find_1', which must come before it, did not happen") == (item.label, item.reason)


def test_order_holds_within_one_message() -> None:
    """Parallel calls of one message are in the order in which they were sent."""
    trace = CallScript().agent("", Called("find", RIGHT), Called("book", {})).trace()

    assert [Label.MET, Label.MET] == _labels(trace, FIND, {"id": "book_1", "tool": "book", "after": ["find_1"]})


def test_equal_actions_in_order_take_equal_calls_in_order() -> None:
    """Two equal actions, the second listed first: the assignment does not break an order that can hold."""
    second = {**FIND, "id": "find_2", "after": ["find_1"]}

    assert [Label.MET, Label.MET] == _labels(_calls(Called("find", RIGHT), Called("find", RIGHT)), second, FIND)


def test_a_forbidden_call_is_not_met_and_a_missing_one_met() -> None:
    """A forbidden action is met only if no call matches; a call with other arguments does not match."""
    forbidden = {**FIND, "forbidden": True}

    assert [Label.MET] == _labels(_calls(Called("find", WRONG)), forbidden)
    (item,) = _grade(_calls(Called("find", RIGHT)), forbidden)
    assert (Label.NOT_MET, (0,)) == (item.label, item.tool_events)


def test_a_forbidden_action_takes_no_call_from_an_expected_one() -> None:
    """The same call meets the expected action and breaks the prohibition."""
    never = {"id": "never_1", "tool": "find", "forbidden": True}

    assert [Label.MET, Label.NOT_MET] == _labels(_calls(Called("find", RIGHT)), FIND, never)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(["a", "b", "c"]), max_size=7),
    st.lists(
        st.tuples(st.sampled_from([["a"], ["b"], ["a", "b"], ["a", "b", "c"]]), st.integers(0, 2), st.integers(0, 2)),
        min_size=1,
        max_size=4,
    ),
)
def test_counted_calls_are_disjoint_and_fit(sent: list[str], wanted: list[tuple[list[str], int, int]]) -> None:
    """Whatever the calls and actions: no event counts twice, every counted event fits, and no fitting call is left over."""
    actions = [
        {"id": f"act_{n}", "tool": "find", "args": {"v": {"one_of": values}}, "calls": {"min": low, "max": low + extra}}
        for n, (values, low, extra) in enumerate(wanted)
    ]
    items = _grade(_calls(*[Called("find", {"v": value}) for value in sent]), *actions)
    counted = [(n, event) for n, item in enumerate(items) if item.label is not Label.NOT_MET for event in item.tool_events]
    events = [event for _n, event in counted]

    assert len(events) == len(set(events))
    assert all(sent[event] in wanted[n][0] for n, event in counted)
    assert {i for i, v in enumerate(sent) if any(v in values for values, _l, _e in wanted)} == set(events)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from("abc"), max_size=5),
    st.lists(st.sampled_from([["a"], ["b"], ["a", "b"], ["b", "c"], ["a", "b", "c"]]), min_size=1, max_size=4),
)
def test_as_many_actions_are_met_as_can_be(sent: list[str], wanted: list[list[str]]) -> None:
    """One call per action: no choice of different calls for the actions, all tried, serves more of them."""
    actions = [{"id": f"act_{n}", "tool": "find", "args": {"v": {"one_of": values}}} for n, values in enumerate(wanted)]
    items = _grade(_calls(*[Called("find", {"v": value}) for value in sent]), *actions)
    choices = product(*[[None, *(n for n, value in enumerate(sent) if value in values)] for values in wanted])
    taken = ([call for call in choice if call is not None] for choice in choices)

    assert max(len(calls) for calls in taken if len(set(calls)) == len(calls)) == sum(
        bool(item.tool_events) and item.label is not Label.NOT_MET for item in items
    )
