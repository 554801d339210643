"""What the call-ending tool is told: how the call went, in the words its schema allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from core.spoken import Kind, Value
from models.parties.baseline.memory import Memory
from models.parties.baseline.schema_fields import Slot
from models.parties.words import humanised, overlap, words

_GOOD = frozenset("resolved completed complete done success successful handled fulfilled satisfied ok solved finished".split())
_BAD = frozenset("unresolved failed failure incomplete abandoned unsuccessful not no none cancelled other".split())


@dataclass(frozen=True)
class Deed:
    """One goal that was pursued to its end."""

    tool: str
    """The tool it was about."""
    worked: bool
    """Whether it was reached."""
    status: str | None
    """The status the tool returned, in plain words."""


def arguments(slots: Sequence[Slot], deeds: Sequence[Deed], memory: Memory) -> dict[str, JsonValue]:
    """Arguments of a call-ending tool: choices and required fields by what happened; nothing that did not happen."""
    found: dict[str, JsonValue] = {}
    for slot in slots:
        known = memory.get(slot) if slot.required and slot.kind not in (Kind.CHOICE, Kind.YES_NO, Kind.TEXT) else None
        value: Value | None = known.value if known is not None else None
        if slot.kind is Kind.CHOICE:
            value = _outcome(slot.choices, deeds)
        elif slot.kind is Kind.YES_NO and slot.required:
            value = bool(deeds) and deeds[-1].worked
        elif slot.kind is Kind.TEXT and slot.required:
            value = summary(deeds)
        if value is not None:
            found[slot.name] = slot.argument(value)
    return found


def _outcome(choices: Sequence[str], deeds: Sequence[Deed]) -> str:
    """The choice that names what was done, else the one that says how it went."""
    last = deeds[-1] if deeds else Deed("", False, None)
    if last.worked:
        about = [_likeness(choice, last) for choice in choices]
        if max(about) > 0 and about.count(max(about)) == 1:
            return choices[about.index(max(about))]
    for choice in choices:
        parts = set(words(humanised(choice)))
        if parts & (_GOOD if last.worked else _BAD) and not (last.worked and parts & _BAD):
            return choice
    return choices[0] if last.worked else choices[-1]


def _likeness(choice: str, deed: Deed) -> int:
    """How much a choice is about a deed: common words, also where one writes "call back" and the other "callback"."""
    joined = humanised(choice).replace(" ", "") in humanised(deed.tool).replace(" ", "")
    return overlap(humanised(choice), f"{humanised(deed.tool)} {deed.status or ''}") + joined


def summary(deeds: Sequence[Deed]) -> str:
    """What happened, in one line."""
    if not deeds:
        return "No request was settled."
    return "; ".join(f"{humanised(deed.tool)}: {'done' if deed.worked else 'not done'}" for deed in deeds)


def inferred(slot: Slot, about: str, request: str) -> Value | None:
    """What a transfer is told without asking: the department the request is about, the caller's own words as the reason."""
    if slot.kind is Kind.CHOICE:
        shares = [overlap(humanised(choice), about) for choice in slot.choices]
        return slot.choices[shares.index(max(shares))] if max(shares) > 0 else None
    if slot.kind is Kind.TEXT and request:
        return request
    return None
