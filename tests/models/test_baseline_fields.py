"""From JSON Schema to slots: kinds, nouns, questions, and which values fit."""

from __future__ import annotations

from typing import Any

import pytest

from core.spoken import Kind
from models.parties.baseline.schema_fields import Slot, second_person, slots_of
from models.parties.baseline.wording import again, question
from tests.models.fixtures.desk import tool


def slot(name: str, **schema: Any) -> Slot:
    """The one slot of a tool with one parameter."""
    return slots_of(tool("do_it", "Does it.", (), False, **{name: schema}))[0]


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("when", {"type": "string", "format": "date"}, Kind.DATE),
        ("when", {"type": "string", "format": "time"}, Kind.TIME),
        ("contact", {"type": "string", "format": "email"}, Kind.EMAIL),
        ("start", {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}, Kind.DATE),
        ("start", {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}, Kind.TIME),
        ("number", {"type": "string", "pattern": "^[0-9]{8}$"}, Kind.DIGITS),
        ("ticket", {"type": "string", "pattern": "^[A-Z]{2}[0-9]{4}$"}, Kind.CODE),
        ("size", {"type": "string", "enum": ["small", "large"]}, Kind.CHOICE),
        ("urgent", {"type": "boolean"}, Kind.YES_NO),
        ("people", {"type": "integer", "description": "number of people"}, Kind.NUMBER),
        ("job_id", {"type": "integer"}, Kind.DIGITS),
        ("refund_amount", {"type": "number"}, Kind.MONEY),
        ("value", {"type": "number", "description": "value of the goods, in dollars"}, Kind.MONEY),
        ("phone", {"type": "string"}, Kind.DIGITS),
        ("account_number", {"type": "string", "description": "account number, ten digits"}, Kind.DIGITS),
        ("order_number", {"type": "string"}, Kind.CODE),
        ("customer_name", {"type": "string"}, Kind.NAME),
        ("holder", {"type": "string", "description": "surname of the holder"}, Kind.NAME),
        ("email_address", {"type": "string"}, Kind.EMAIL),
        ("delivery_day", {"type": "string"}, Kind.DATE),
        ("remarks", {"type": "string"}, Kind.TEXT),
        ("remarks", {"type": ["string", "null"]}, Kind.TEXT),
        ("sizes", {"type": "array", "items": {"type": "string", "enum": ["small"]}}, Kind.CHOICE),
    ],
)
def test_the_schema_tells_the_kind(name: str, schema: dict[str, Any], kind: Kind) -> None:
    """Enumeration, type, format, pattern, then the words of name and description decide."""
    assert kind is slot(name, **schema).kind


def test_objects_are_left_out() -> None:
    """What words cannot fill is no slot."""
    assert () == slots_of(tool("do_it", "Does it.", address={"type": "object", "properties": {}}))


@pytest.mark.parametrize(
    ("name", "schema", "asked"),
    [
        ("surname", {"type": "string"}, "What is your surname, please?"),
        (
            "dob",
            {"type": "string", "format": "date", "description": "date of birth of the patient"},
            "What is your date of birth, please?",
        ),
        ("order_number", {"type": "string"}, "What is the order number, please?"),
        (
            "digits",
            {"type": "string", "description": "last four digits of the card", "pattern": "^[0-9]{4}$"},
            "What are the last four digits of the card, please?",
        ),
        ("size", {"type": "string", "enum": ["extra_small", "large"]}, "What is the size: extra small or large?"),
        ("smoke", {"type": "boolean", "description": "smoke in the house"}, "Is there any smoke in the house?"),
        (
            "wants",
            {"type": "boolean", "description": "Whether the customer wants a letter"},
            "Could you tell me whether you want a letter?",
        ),
        (
            "agrees",
            {"type": "boolean", "description": "The caller agrees to the price"},
            "Is it right that you agree to the price?",
        ),
        ("problem", {"type": "string", "description": "What is broken"}, "Could you tell me what is broken?"),
    ],
)
def test_questions_come_from_the_description(name: str, schema: dict[str, Any], asked: str) -> None:
    """A question names the thing as the description does, and belongs to the caller where it does."""
    assert asked == question(slot(name, **schema))


def test_values_must_fit_pattern_and_bounds() -> None:
    """A value of the wrong length or size is none."""
    assert slot("number", type="string", pattern="^[0-9]{8}$").fits("12345678")
    assert not slot("number", type="string", pattern="^[0-9]{8}$").fits("1234567")
    assert slot("days", type="integer", minimum=1, maximum=7).fits(7)
    assert not slot("days", type="integer", minimum=1, maximum=7).fits(8)
    assert not slot("days", type="integer").fits(1.5)


def test_arguments_take_the_type_of_the_schema() -> None:
    """Values are put into the JSON type that the schema declares."""
    assert 5 == slot("days", type="integer").argument(5.0)
    assert 12.5 == slot("amount", type="number").argument(12.5)
    assert "0077" == slot("number", type="string").argument("0077")
    assert ["small"] == slot("sizes", type="array", items={"type": "string", "enum": ["small"]}).argument("small")


def test_too_few_digits_are_counted_aloud() -> None:
    """Asked again for a number, the caller hears how many digits arrived and how many there should be."""
    said = again(slot("account_number", type="string", pattern="^[0-9]{10}$"), "730551826")
    assert said.startswith("I heard nine digits, but there should be ten.")


def test_descriptions_turn_to_the_caller() -> None:
    """Third person becomes second person, verbs included."""
    assert "price you agree to" == second_person("price the customer agrees to")
    assert "whether you are at home and have your key" == second_person("whether the caller is at home and have the caller's key")
