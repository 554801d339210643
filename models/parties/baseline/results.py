"""Reading what a tool returned: did it work, what does it offer, and what can be told of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from enum import StrEnum

from pydantic import JsonValue

from core.errors import InputError
from core.spoken import Kind, say
from models.parties.baseline import wording
from models.parties.baseline.memory import Leaf, leaves
from models.parties.words import has_any, humanised, stem, stems, words


class Verdict(StrEnum):
    """How a call went."""

    DONE = "done"
    """It worked."""
    SYSTEM = "system"
    """It failed for no fault of the values: the same call may work."""
    VALUES = "values"
    """It was refused: a value may be wrong."""


_STATUS = ("status", "result", "outcome", "state", "error", "code", "reason")
_FLAGS = ("ok", "success", "successful", "found", "verified", "valid", "accepted", "available", "recorded", "matched")
_SYSTEM = frozenset(
    stem(w) for w in "unavailable timeout error failed failure busy down offline internal temporary retry".split()
)
_REFUSED = frozenset(
    stem(w)
    for w in """mismatch mismatched rejected declined denied invalid implausible refused unknown incorrect wrong missing
    unverified unmatched nonexistent ambiguous conflict taken full""".split()
)
_AGAIN = ("try again", "did not answer", "temporarily", "timed out", "time out", "try later", "in a moment", "not responding")
_MESSAGE = ("message", "detail", "details", "note", "explanation", "reason", "error")
_MONEY = frozenset(stem(w) for w in "amount price cost fee total bill balance refund charge deposit payment due rate".split())
_HIDDEN = re.compile(r"(^|_)(uuid|token|hash|url|internal)($|_)")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ISO_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(Z|[+-]\d{2}:\d{2})?")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):[0-5]\d")
_CODE = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z0-9-]{3,20}")
MAX_TOLD = 5
"""Most fields told in one breath."""


def verdict(result: Mapping[str, JsonValue]) -> Verdict:
    """How the call went, by its status words, its truth flags and its error field; empty lists mean that nothing was found."""
    message = told_message(result) or ""
    for name, value in result.items():
        if name.casefold() in _FLAGS and value is False:
            return Verdict.SYSTEM if has_any(message, _AGAIN) else Verdict.VALUES
        if name.casefold() == "error" and value not in (None, False, ""):
            return _failure(str(value), message)
        if name.casefold() in _STATUS and name.casefold() != "reason" and isinstance(value, str) and _reads_as_failure(value):
            return _failure(value, message)
    lists = [value for value in result.values() if isinstance(value, list)]
    return Verdict.VALUES if lists and not any(lists) else Verdict.DONE


def _reads_as_failure(status: str) -> bool:
    parts = words(status.replace("_", " "))
    return bool({"not", "no", "un"} & set(parts)) or bool({stem(part) for part in parts} & (_SYSTEM | _REFUSED))


def _failure(status: str, message: str) -> Verdict:
    parts = words(status.replace("_", " "))
    refused = "not" in parts or "no" in parts or bool({stem(part) for part in parts} & _REFUSED)
    return Verdict.SYSTEM if has_any(message, _AGAIN) or not refused else Verdict.VALUES


def told_message(result: Mapping[str, JsonValue]) -> str | None:
    """A sentence in the result that was written for people."""
    for name in _MESSAGE:
        value = result.get(name)
        if isinstance(value, str) and len(value.split()) >= 3:
            return value
    return None


def status_word(result: Mapping[str, JsonValue]) -> str | None:
    """The status in plain words."""
    for name in _STATUS[:4]:
        value = result.get(name)
        if isinstance(value, str) and len(value.split()) <= 3:
            return humanised(value)
    return None


def spoken(name: str, value: JsonValue, now: datetime | None = None) -> str:
    """One returned value as a person says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        kind = Kind.MONEY if stems(name) & _MONEY else Kind.NUMBER
        return _say(value, kind)
    text = str(value).strip()
    moment = _ISO_MOMENT.fullmatch(text)
    if moment:
        return f"{wording.day(moment[1], now)} at {_say(moment[2], Kind.TIME)}"
    if _ISO_DATE.fullmatch(text):
        return wording.day(text, now)
    for pattern, kind in ((_CLOCK, Kind.TIME), (re.compile(r"\d{3,}"), Kind.DIGITS), (_CODE, Kind.CODE)):
        if pattern.fullmatch(text):
            return _say(text, kind)
    if "@" in text and " " not in text:
        return _say(text, Kind.EMAIL)
    return text.replace("_", " ")


def _say(value: JsonValue, kind: Kind) -> str:
    try:
        return say(value, kind)
    except InputError:
        return str(value)


def tellable(result: Mapping[str, JsonValue], known: Sequence[JsonValue], repeated: Set[str]) -> list[Leaf]:
    """The fields worth telling: not the status, nothing internal, of what was sent only the `repeated`; what is new first."""
    fields = []
    for leaf in leaves(dict(result)):
        name = leaf.path[-1].casefold()
        if name in _STATUS or name in _MESSAGE or name in _FLAGS or isinstance(leaf.value, bool) or _HIDDEN.search(name):
            continue
        fields.append(leaf)
    new = [leaf for leaf in fields if leaf.value not in known]
    again = [leaf for leaf in fields if leaf.value in known and leaf.path[-1] in repeated]
    return ((new + again) or fields)[:MAX_TOLD]


def field_sentence(leaf: Leaf, now: datetime | None) -> str:
    """ "The ticket number is seven three nine one six." """
    name = " ".join(humanised(part) for part in leaf.path[-2:]) if leaf.path[-1] in ("id", "name", "number") else leaf.path[-1]
    if re.search(r"_(on|at|by|until|from|in)$", name):
        return f"It is {humanised(name)} {spoken(name, leaf.value, now)}."
    return f"The {humanised(name)} is {spoken(leaf.path[-1], leaf.value, now)}."


def answer(question: str, returned: Sequence[Leaf]) -> list[Leaf]:
    """The returned fields a caller's question is about, by their names or by how long, when, how much."""
    asked = stems(question)
    named = [leaf for leaf in returned if stems(leaf.path[-1]) & asked]
    spoken_words = set(words(question))
    looked_for: list[Leaf] = []
    if spoken_words & {"when", "long", "time", "until"}:
        looked_for += [leaf for leaf in returned if moment_kind(leaf.value) is not None]
    if spoken_words & {"much", "cost", "pay", "price"}:
        looked_for += [leaf for leaf in returned if isinstance(leaf.value, float | int) and stems(leaf.path[-1]) & _MONEY]
    unique: list[Leaf] = []
    for leaf in (*named, *looked_for):
        if leaf not in unique and not isinstance(leaf.value, bool) and leaf.path[-1] not in _STATUS:
            unique.append(leaf)
    return unique[:3]


def moment_kind(value: JsonValue) -> Kind | None:
    """Whether a returned value is written as a day or as a time of day."""
    for pattern, kind in ((_ISO_DATE, Kind.DATE), (_ISO_MOMENT, Kind.DATE), (_CLOCK, Kind.TIME)):
        if isinstance(value, str) and pattern.fullmatch(value.strip()):
            return kind
    return None
