"""The caller's side of the seam: its view, its reply, and the rules a reply must keep."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from pydantic import Field, ValidationError

from core.replies import json_object
from core.schemas.base import Model
from core.schemas.call_trace import PartyRecord, RejectedAttempt
from core.schemas.scenario import Brief, Scenario
from core.text import script_share

CALLER_SCRIPT_SHARE = 0.6
"""Smallest share of a caller turn's letters that must be in the required script."""

_SCHEMA_FIELDS = ("speech", "expressed", "done")
_MARKDOWN = re.compile(
    r"^\s*([-*+•]\s+|\d+[.)]\s+|#{1,6}\s|>\s|\|.*\|\s*$)|\*\*|__|`|\[[^\]]*\]\([^)]*\)|(?<!\w)\*[^\s*][^*]*\*(?!\w)", re.MULTILINE
)


@dataclass(frozen=True)
class PublicTurn:
    """One spoken turn as the caller knows it."""

    speaker: str
    """`agent` or `caller`."""
    speech: str
    """The words; the caller's own are the intended ones."""
    expressed: tuple[str, ...] = ()
    """For the caller's own turn: the plan steps it took."""


@dataclass(frozen=True)
class CallerView:
    """All a caller may see: its brief, the language and the spoken public conversation."""

    brief: Brief
    """The brief."""
    language: str
    """BCP 47 tag to speak."""
    script: str
    """ISO 15924 script to write."""
    conversation: tuple[PublicTurn, ...]
    """What was said so far, the agent first."""
    expressed: tuple[str, ...]
    """Plan steps already expressed, in order."""
    rejection: tuple[str, ...] = ()
    """On a second attempt: why the first was rejected."""


@dataclass(frozen=True)
class RawReply:
    """A caller's reply as it came, and what it took to get it."""

    text: str
    """JSON of a CallerReply, possibly fenced."""
    attempts: tuple[str, ...] = ()
    """Requests that failed before this reply came, each with the reason."""
    ending: str = ""
    """What ended it where it was not the model itself, such as its largest length; empty for an ordinary end."""


class CallerReply(Model):
    """The typed JSON a caller returns."""

    speech: str
    """What is said aloud."""
    expressed: tuple[str, ...] = Field(default=())
    """Plan steps newly expressed: at most one, the next in order."""
    done: bool = False
    """Whether the caller considers the call over."""


class Caller(Protocol):
    """One caller in one call; a new object is made for every attempt at a call."""

    def record(self) -> PartyRecord:
        """The party with all its settings, for the trace."""
        ...

    def speak(self, view: CallerView, seed: int) -> str | RawReply:
        """The raw reply: JSON of a CallerReply, possibly fenced."""
        ...


class CallerInvalid(Exception):
    """The caller failed twice in one turn: the conversation is run again, then dropped."""

    def __init__(self, turn: int, attempts: tuple[RejectedAttempt, ...]) -> None:
        self.turn = turn
        self.attempts = attempts
        super().__init__("; ".join(attempts[-1].reasons))


def parse_reply(raw: str) -> CallerReply:
    """Read a caller's reply, fenced, after thoughts or amid a few words; raises ValueError with one clear reason."""
    try:
        return CallerReply.model_validate(json_object(raw))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "reply"
        raise ValueError(f"wrong reply: {field}: {first['msg']}") from None


def reply_faults(reply: CallerReply, scenario: Scenario, expressed: tuple[str, ...]) -> tuple[str, ...]:
    """Every rule of SPEC 3.3 the reply breaks; empty when it may be carried."""
    faults: list[str] = []
    brief = scenario.caller
    if not any(char.isalnum() for char in reply.speech):
        faults.append("empty speech")
    plan = [step.id for step in brief.plan]
    if len(reply.expressed) > 1:
        faults.append(f"more than one step expressed: {', '.join(reply.expressed)}")
    for step in reply.expressed[:1]:
        if step not in plan:
            faults.append(f"unknown step {step!r}")
        elif step in expressed:
            faults.append(f"step {step!r} was already expressed")
        elif plan.index(step) != len(expressed):
            faults.append(f"step {step!r} is out of order: {plan[len(expressed)]!r} is next")
    leaked = _leaks(reply.speech, (*plan, *brief.facts))
    if leaked:
        faults.append(f"internal name in speech: {leaked!r}")
    if _MARKDOWN.search(reply.speech):
        faults.append("markdown or list syntax in speech")
    values = [str(fact.value) for fact in brief.facts.values()]
    share = script_share(_without(reply.speech, values), scenario.script)
    if share < CALLER_SCRIPT_SHARE:
        faults.append(f"wrong script: {share:.0%} of the letters are {scenario.script}")
    return tuple(faults)


def _leaks(speech: str, names: Iterable[str]) -> str | None:
    """A step id or fact key said as a whole token, or a field of the reply written as a field; plain words are sayable."""
    for name in names:
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", speech, re.IGNORECASE):
            return name
    for field in _SCHEMA_FIELDS:
        if re.search(rf"""(["'`]){field}\1|(?<!\w){field}\s*[:=]""", speech, re.IGNORECASE):
            return field
    return None


def _without(speech: str, values: Iterable[str]) -> str:
    """The speech without known values and Latin acronyms, which may stand in any script."""
    for value in sorted(values, key=len, reverse=True):
        speech = re.sub(re.escape(value), " ", speech, flags=re.IGNORECASE)
    return re.sub(r"\b[A-Z]{2,}\b", " ", speech)
