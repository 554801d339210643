"""SPEC 2, audits: no hidden-state value, expected-action value or grader text is reachable from the brief."""

from __future__ import annotations

from typing import Any

import pytest

from core.audits.isolation import audit_isolation
from tests.support.scenes import Edit, agent, put, scenario

AGENT = agent()


def _found(*edits: Edit) -> list[tuple[str, str]]:
    return list(audit_isolation(scenario(*edits), AGENT))


PLACES = [
    ("caller.context", "caller.context"),
    ("caller.reason", "caller.reason"),
    ("caller.unknown.0", "caller.unknown[0]"),
    ("caller.plan.1.trigger", "caller.plan[1].trigger"),
    ("caller.plan.2.meaning", "caller.plan[2].meaning"),
    ("offline.steps.give_card.line", "offline.steps.give_card.line"),
]


@pytest.mark.parametrize(("path", "field"), PLACES)
def test_a_hidden_value_is_found_in_every_part_of_the_brief(path: str, field: str) -> None:
    """Whatever of the caller's texts holds it, the field is named, and where the value comes from."""
    ((where, reason),) = _found(put(path, "The shelf is KX-7714, they say."))
    assert field == where
    assert "'KX-7714' (backend state) is in the caller's brief but is no known fact: the caller must not know it" == reason


@pytest.mark.parametrize(
    ("hidden", "told"),
    [
        ("KX-7714", "it stands at kx-7714"),
        ("KX-7714", "ＫＸ-7714"),
        ("Hillside branch", "the  hillside\nBRANCH has it"),
        (7714, "locker 7714"),
        (129.5, "the fee is 129.5"),
        (129.5, "the fee is $129.50"),
        (1093, "the fee is 1,093 dollars"),
        (1093.34, "the fee is $1,093.34"),
        ("55190368", "number 5519 0368"),
        ("5519 0368", "number 55190368"),
        ("2026-04-06", "due on 2026-04-06"),
        ("2026-04-06", "due on April 6th"),
        ("14:35", "it closes at 14:35"),
        ("14:35", "it closes at two thirty-five in the afternoon"),
        ("KX-7714", "the shelf is K X seven seven one four"),
        ("kx 7714", "the shelf is K for king X seven seven one four"),
        ("77148802", "seven seven one four, double eight zero two"),
        (1093, "one thousand and ninety three dollars"),
        (129.5, "one hundred and twenty nine dollars and fifty cents"),
        (412, "four hundred and twelve"),
    ],
    ids=str,
)
def test_a_value_is_found_however_it_is_written(hidden: Any, told: str) -> None:
    """Case, width, spaces, digit grouping and words instead of figures do not hide it."""
    ((where, _),) = _found(
        put("backend.state", {"loan": {"due": "x", "shelf_mark": "y", "more": [hidden]}}), put("caller.context", told)
    )
    assert "caller.context" == where


@pytest.mark.parametrize(
    ("edits", "source"),
    [
        ([put("backend.fixtures.find_card.queue.0.result.desk", "Desk Nine")], "result of find_card"),
        ([put("backend.fixtures.find_card.queue.1.mismatch.desk", "Desk Nine")], "result of find_card"),
        ([put("backend.fixtures.end_call.default.desk", "Desk Nine")], "result of end_call"),
        ([put("expected.0.args.card_number", {"any": [{"equals": "Desk Nine"}]})], "expected action look_up"),
        ([put("expected.1.args.title", {"contains": "Desk Nine", "compare": "casefold"})], "expected action renew_it"),
        ([put("expected.1.args.title", {"one_of": ["x", "Desk Nine"]})], "expected action renew_it"),
    ],
)  # fmt: skip
def test_results_and_pinned_arguments_are_hidden_too(edits: list[Edit], source: str) -> None:
    """What the backend may answer and what actions expect belong to backend and graders."""
    ((where, reason),) = _found(*edits, put("caller.reason", "Go to desk nine."))
    assert "caller.reason" == where
    assert source in reason


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("goal", "goal"),
        ("criteria.0.statement", "criterion card_first"),
        ("criteria.1.anchors.met", "anchor of said_goodbye"),
        ("criteria.1.anchors.partial", "anchor of said_goodbye"),
        ("criteria.1.anchors.not_met", "anchor of said_goodbye"),
    ],
)
def test_a_graders_sentence_in_the_brief_is_found(path: str, source: str) -> None:
    """Whole sentences of five words or more, whatever stands around them."""
    text = "Short one. The reader hears the new due date! Short again."
    ((where, reason),) = _found(put(path, text), put("caller.context", "Listen: the reader  hears the NEW due date, then leave."))
    assert "caller.context" == where
    assert f"grader text ({source}) is in the caller's brief: 'the reader hears the new due date'" == reason


@pytest.mark.parametrize(
    ("hidden", "told"),
    [
        (True, "it is true"),
        (None, "none of it"),
        (42, "for 42 weeks"),
        ("fee", "a fee is due"),
        ("KX-7714", "the shelf KX-77145"),
        ("KX-7714", "the shelf AKX-7714"),
        ("7714", "77145 or 17714"),
        ("04412907", "my card is 04412907"),
        ("Long Harbor", "I read The Long Harbor"),
        ("harbor", "I live near the harbor"),
        ("2026-04-06", "due on April 7th"),
        ("KX-7714", "the shelf is K X seven seven one five"),
        ("77148802", "seven seven one four"),
        (1093, "one thousand or ninety three"),
        ("----", "it is so"),
    ],
    ids=str,
)
def test_what_says_nothing_or_is_known_is_no_leak(hidden: Any, told: str) -> None:
    """Booleans, short numbers and texts, parts of other words, known facts, and words of a tool's published choices."""
    state = {"loan": {"due": "x", "shelf_mark": "y", "more": [hidden]}}
    assert [] == _found(put("backend.state", state), put("caller.context", told))


def test_a_single_plain_word_of_a_result_is_everyday_language() -> None:
    """`renewed` and the like may be said by anybody; the same word in the hidden state may not."""
    assert [] == _found(put("caller.context", "You hope that it is renewed."))
    assert 1 == len(_found(put("caller.context", "You hope that it is renewed."), put("backend.state.loan.end", "renewed")))


def test_each_value_is_reported_once_per_field() -> None:
    """A value hidden in several places is one fault of the field that tells it."""
    edits = [put("backend.state.again", "KX-7714"), put("expected.1.args.title", {"equals": "KX-7714"})]
    found = _found(*edits, put("caller.context", "KX-7714, KX-7714"), put("caller.reason", "KX-7714"))
    assert ["caller.context", "caller.reason"] == [where for where, _ in found]


@pytest.mark.parametrize(
    ("language", "script", "hidden", "told"),
    [
        ("zh", "Hans", "55190368", "密码是五五一九零三六八"),
        ("zh", "Hans", "55190368", "密码55190368就对了"),
        ("zh", "Hans", "城南中心医院", "他在城南中心医院等"),
        ("hi", "Deva", "5519", "नंबर पाँच पाँच एक नौ है"),
        ("hi", "Deva", 1500, "पंद्रह सौ रुपये"),
    ],
)
def test_values_are_found_in_the_words_of_the_scenarios_language(language: str, script: str, hidden: Any, told: str) -> None:
    """Figures in words, and texts of scripts that put no spaces between words."""
    edits = [put("language", language), put("script", script), put("backend.state", {"loan": {"due": "x", "shelf_mark": hidden}})]
    assert "caller.context" in [where for where, _ in _found(*edits, put("caller.context", told))]


def test_a_language_without_spoken_forms_is_still_searched_as_written() -> None:
    """Hidden values in another language's brief are found where they are written out."""
    edits = [put("language", "hi"), put("script", "Deva"), put("caller.context", "2026-04-06 और KX-7714")]
    assert 2 == len(_found(*edits))
