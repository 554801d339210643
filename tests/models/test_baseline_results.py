"""Reading results: did it work, what can be told, what is offered."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from models.parties.baseline.hearing import Utterance
from models.parties.baseline.memory import leaves
from models.parties.baseline.offers import Offer, fillings, offer, option_words, picked
from models.parties.baseline.results import Verdict, answer, field_sentence, tellable, verdict
from models.parties.baseline.schema_fields import slots_of
from models.parties.baseline.wording import sentence
from tests.models.fixtures.desk import tool

NOW = datetime.fromisoformat("2026-06-08")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"status": "ok"}, Verdict.DONE),
        ({"status": "booked", "reference": "AB12"}, Verdict.DONE),
        ({"job_id": 5, "state": "waiting"}, Verdict.DONE),
        ({}, Verdict.DONE),
        ({"times": ["09:00"]}, Verdict.DONE),
        ({"status": "not_found"}, Verdict.VALUES),
        ({"status": "not_recorded"}, Verdict.VALUES),
        ({"status": "code_mismatch"}, Verdict.VALUES),
        ({"status": "declined", "reason": "Too late."}, Verdict.VALUES),
        ({"ok": False}, Verdict.VALUES),
        ({"verified": False}, Verdict.VALUES),
        ({"error": "invalid_code"}, Verdict.VALUES),
        ({"times": []}, Verdict.VALUES),
        ({"status": "unavailable"}, Verdict.SYSTEM),
        ({"status": "error", "message": "The service did not respond."}, Verdict.SYSTEM),
        ({"status": "failed"}, Verdict.SYSTEM),
        ({"status": "busy"}, Verdict.SYSTEM),
        ({"ok": False, "message": "Please try again in a moment."}, Verdict.SYSTEM),
        ({"error": "timeout"}, Verdict.SYSTEM),
    ],
)
def test_failure_is_read_from_status_flags_and_errors(result: dict[str, Any], expected: Verdict) -> None:
    """Refusals and breakdowns are told apart from success."""
    assert expected is verdict(result)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("ticket_number", "73916", "The ticket number is seven three nine one six."),
        ("new_bill", 87.15, "The new bill is eighty seven dollars and fifteen cents."),
        ("due_date", "2026-06-11", "The due date is Thursday, June eleventh."),
        ("due_date", "2028-06-11", "The due date is June eleventh, twenty twenty eight."),
        ("start", "20:45", "The start is eight forty five in the evening."),
        ("ready_on", "2026-06-11", "It is ready on Thursday, June eleventh."),
        ("crew", "on_the_way", "The crew is on the way."),
        ("seats", 4, "The seats is four."),
    ],
)
def test_fields_are_told_in_words(field: str, value: Any, said: str) -> None:
    """Values are spoken by what they look like, never as JSON."""
    (leaf,) = leaves({field: value})
    assert said == field_sentence(leaf, NOW)


def test_the_status_what_was_sent_and_flags_are_not_told() -> None:
    """A report tells what is new, and of what was sent only what, when and how much."""
    result: dict[str, Any] = {
        "status": "booked",
        "member": "204511",
        "day": "2026-06-11",
        "desk": "East",
        "ok": True,
        "message": "All is well here.",
    }
    told = tellable(result, ["204511", "2026-06-11"], {"day"})
    assert ["desk", "day"] == [leaf.path[-1] for leaf in told]


def test_questions_are_answered_from_what_was_returned() -> None:
    """A field is found by its name, by how long and when, or by how much."""
    returned = tuple(leaves({"estimated_end": "20:45", "fee": 12.0, "crew": "East", "status": "ok"}))
    assert ["estimated_end"] == [leaf.path[-1] for leaf in answer("How long will it take?", returned)]
    assert ["fee"] == [leaf.path[-1] for leaf in answer("What does it cost?", returned)]
    assert ["crew"] == [leaf.path[-1] for leaf in answer("Which crew is it?", returned)]
    assert [] == answer("Is it raining?", returned)


def test_offers_are_named_without_ids() -> None:
    """An alternative is said by day, time and price."""
    option: dict[str, Any] = {"slot_id": "S-17", "date": "2026-06-11", "time": "09:00", "open": True}
    assert "June eleventh, twenty twenty six, nine o'clock in the morning" == option_words(option)
    assert Offer(({"time": "09:00"}, {"time": "10:30"})) == offer({"day": "x", "times": ["09:00", "10:30"]})
    assert offer({"status": "ok"}) is None


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("Half past ten, please.", 1),
        ("10.30 and the morning would be great.", 1),
        ("The first one.", 0),
        ("The last one.", 2),
        ("The earliest would be two.", None),
        ("Hmm.", None),
    ],
)
def test_the_words_pick_an_alternative(words: str, number: int | None) -> None:
    """By value in any form, by place; nothing is picked for nothing said."""
    options = tuple({"time": time} for time in ("09:00", "10:30", "15:15"))
    expected = options[number] if number is not None else None
    assert expected == picked(Utterance(words), options)


def test_a_plain_yes_takes_the_only_alternative() -> None:
    """Yes is an answer to one offer, not to two."""
    one, two = ({"time": "09:00"},), ({"time": "09:00"}, {"time": "10:00"})
    assert one[0] == picked(Utterance("Yes, please."), one)
    assert picked(Utterance("Yes, please."), two) is None


def test_an_alternative_fills_slots_by_name_and_by_shape() -> None:
    """A free time fills the only slot for a time, whatever it is called."""
    pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
    slots = slots_of(tool("book", "Book.", start_time={"type": "string", "pattern": pattern}, slot_id={"type": "string"}))
    assert {"start_time": "10:30", "slot_id": "S1"} == fillings({"time": "10:30", "slot_id": "S1"}, slots)


def test_messages_lose_markup_and_what_is_meant_for_the_agent() -> None:
    """A tool's message is spoken without symbols, figures or orders to the agent."""
    assert "The *system* is down for two hours.".replace("*", "") == sentence(
        "The *system* is down for 2 hours. Please try again."
    )
