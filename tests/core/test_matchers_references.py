"""SPEC 2: a value may be a reference, `$caller.facts.<key>` or `$state.<path>`; `$$` starts a literal `$`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from core.matchers.references import References, UnresolvedReference, references_in
from core.schemas.scenario import Fact
from tests.support.scenes import scenario

REFERENCES = References(
    {"card_number": Fact(value="0441"), "weeks_wanted": Fact(value=3), "wants_mail": Fact(value=False)},
    {"loan": {"due": "2026-04-06", "history": [{"branch": "hillside"}, 7]}, "price": "$5", "0": "zero", "none": None},
)


@pytest.mark.parametrize(
    ("value", "resolved"),
    [
        ("$caller.facts.card_number", "0441"),
        ("$caller.facts.weeks_wanted", 3),
        ("$caller.facts.wants_mail", False),
        ("$state.loan.due", "2026-04-06"),
        ("$state.loan", {"due": "2026-04-06", "history": [{"branch": "hillside"}, 7]}),
        ("$state.loan.history.0.branch", "hillside"),
        ("$state.loan.history.1", 7),
        ("$state.0", "zero"),
        ("$state.none", None),
        ("$state.price", "$5"),
        ("$$5", "$5"),
        ("$$caller.facts.card_number", "$caller.facts.card_number"),
        ("$$$5", "$$5"),
        ("costs $5", "costs $5"),
        ("", ""),
        (5, 5),
        (None, None),
        (True, True),
        (["$state.loan.due", {"k": "$caller.facts.weeks_wanted"}], ["2026-04-06", {"k": 3}]),
        ({"$state.loan.due": "plain"}, {"$state.loan.due": "plain"}),
    ],
    ids=str,
)
def test_references_resolve_at_any_depth(value: JsonValue, resolved: JsonValue) -> None:
    """Facts and paths of the hidden state are replaced with their type; keys and all other text stay."""
    assert resolved == REFERENCES.resolve(value)
    assert type(resolved) is type(REFERENCES.resolve(value))


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("$caller.facts.card", "known: card_number, wants_mail, weeks_wanted"),
        ("$caller.facts.", "no known fact"),
        ("$caller.context", r"\$\$ for a literal"),
        ("$state.loan.shelf", "stopped at 'shelf'"),
        ("$state.loan.history.2", "stopped at '2'"),
        ("$state.loan.history.-1", "stopped at '-1'"),
        ("$state.loan.due.year", "stopped at 'year'"),
        ("$state.", "stopped at ''"),
        ("$stat.loan", r"no reference"),
        ("$", r"no reference"),
        (["fine", {"k": "$nowhere"}], "nowhere"),
    ],
    ids=str,
)
def test_a_reference_that_names_nothing_is_refused(value: JsonValue, named: str) -> None:
    """A dangling reference raises, and says what there is or where the path stopped."""
    with pytest.raises(UnresolvedReference, match=named):
        REFERENCES.resolve(value)


@given(st.text())
def test_doubling_a_leading_dollar_makes_any_text_literal(text: str) -> None:
    """Whatever text an author means, there is a way to write it."""
    written = f"${text}" if text.startswith("$") else text
    assert text == REFERENCES.resolve(written)


def test_references_are_found_without_resolving_them() -> None:
    """The audits see every reference of a value, and no literal dollar."""
    value: JsonValue = ["$state.a", {"k": "$caller.facts.b", "$state.key": "$$literal"}, "no $state.c", 5]
    assert ["$state.a", "$caller.facts.b"] == list(references_in(value))


def test_the_key_of_a_fact_reference() -> None:
    """Only a reference to a known fact has a fact key."""
    assert "card_number" == REFERENCES.fact_key("$caller.facts.card_number")
    assert REFERENCES.fact_key("$caller.facts.card") is None
    assert REFERENCES.fact_key("card_number") is None


def test_a_scenario_has_references_of_its_own() -> None:
    """Facts of the brief and the backend's state are what a scenario's references name."""
    references = References.of(scenario())
    assert ["04412907", "KX-7714"] == references.resolve(["$caller.facts.card_number", "$state.loan.shelf_mark"])
    assert {"due": "2026-04-06"} == references.resolve_object({"due": "$state.loan.due"})
