"""Reading what a judge wrote, tolerantly in form and strictly in meaning: nothing is rounded, clipped or guessed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from core.schemas.grade import Judgement, Label

NOT_APPLICABLE = "not_applicable"
LABELS = (*(label.value for label in Label), NOT_APPLICABLE)
RATINGS = ("5", "4", "3", "2", "1", NOT_APPLICABLE)
_YES, _NO = ("yes", "true", "y"), ("no", "false", "n")


@dataclass(frozen=True)
class Request:
    """One thing a judge is asked."""

    items: tuple[str, ...]
    """Ids of the items it is about."""
    text: str
    """What is asked, below the call."""
    schema: Mapping[str, JsonValue]
    """JSON Schema of the reply."""
    read: Callable[[Mapping[str, JsonValue]], tuple[list[Judgement], dict[str, str]]]
    """From the reply's object to judgements, and item id to what is wrong with its own."""


def read_verdict(name: str, entry: JsonValue, is_rating: bool) -> Judgement:
    """A judgement from `{verdict, reason, evidence}`; raises ValueError with one reason that can be given back."""
    if not isinstance(entry, dict):
        raise ValueError("no judgement of it in the reply")
    found = next((entry[key] for key in ("verdict", "rating" if is_rating else "label") if key in entry), None)
    verdict = _word(found)
    allowed = RATINGS if is_rating else LABELS
    if verdict not in allowed:
        raise ValueError(f"verdict {found!r} is none of {', '.join(allowed)}")
    reason = entry.get("reason", "")
    if not isinstance(reason, str):
        raise ValueError(f"reason {reason!r} is no text")
    absent = verdict == NOT_APPLICABLE
    return Judgement(
        id=name,
        label=None if is_rating or absent else Label(verdict),
        rating=int(verdict) if is_rating and not absent else None,
        not_applicable=absent,
        reason=reason,
        evidence=read_evidence(entry.get("evidence")),
    )


def read_evidence(value: JsonValue) -> tuple[int, ...]:
    """Message numbers, sorted, each once; digits as text and `[3]` are read. Raises ValueError."""
    given = value if isinstance(value, list) else [] if value is None or value == "" else [value]
    return tuple(sorted({_index(item) for item in given}))


def read_answer(key: str, value: JsonValue) -> bool:
    """A yes or no, also as true or false; raises ValueError."""
    word = _word(value)
    if word not in (*_YES, *_NO):
        raise ValueError(f"answer {key!r} is {value!r}, not yes or no")
    return word in _YES


def reply_schema(properties: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The schema of an object with exactly these properties, in this order."""
    names: list[JsonValue] = list(properties)
    return {"type": "object", "properties": dict(properties), "required": names, "additionalProperties": False}


def one_of(values: Sequence[str]) -> dict[str, JsonValue]:
    """The schema of one of some words."""
    return {"type": "string", "enum": list(values)}


SHOWN_NUMBERS = ["message numbers"]
"""Evidence in the shape that a judge is shown: no numbers, since a small model would copy them."""
NUMBERS: dict[str, JsonValue] = {"type": "array", "items": {"type": "integer"}}
"""The schema of evidence. Bounds are checked here and not there, since not every endpoint takes them."""


def _word(value: JsonValue) -> str:
    """A value as the one word it stands for: `Not met.` is `not_met`, 4 and 4.0 are `4`, true is `true`."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return re.sub(r"[\s-]+", "_", str(value).strip().strip(".\"'").strip().lower())


def _index(item: JsonValue) -> int:
    word = _word(item).strip("[]")
    if isinstance(item, bool | list | dict) or not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise ValueError(f"evidence {item!r} is no message number")
    return int(word)
