"""The caller's side of the seam: its view, its reply, and the rules a reply must keep."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from pydantic import Field, ValidationError

from core.schemas.base import Model
from core.schemas.call_trace import PartyRecord, RejectedAttempt
from core.schemas.scenario import Brief, Scenario
from core.text import script_share

MIN_SCRIPT_SHARE = 0.6
"""Smallest share of a caller turn's letters that must be in the required script."""

_SCHEMA_FIELDS = ("speech", "expressed", "done")
_MARKDOWN = re.compile(r"(^|\n)\s*([-*•]\s+|\d+[.)]\s+|#{1,6}\s)|\*\*|__|`|\[[^\]]*\]\([^)]*\)|^\s*\|.*\|\s*$", re.MULTILINE)


@dataclass(frozen=True)
class PublicTurn:
    """One spoken turn as the caller knows it."""

    speaker: str
    """`agent` or `caller`."""
    speech: str
    """The words; the caller's own are the intended ones."""


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

    def speak(self, view: CallerView, seed: int) -> str:
        """The raw reply: JSON of a CallerReply, possibly fenced."""
        ...


class CallerInvalid(Exception):
    """The caller failed twice in one turn: the conversation is run again, then dropped."""

    def __init__(self, attempts: tuple[RejectedAttempt, ...]) -> None:
        self.attempts = attempts
        super().__init__("; ".join(attempts[-1].reasons))


def parse_reply(raw: str) -> CallerReply:
    """Read a caller's reply; raises ValueError with one clear reason."""
    text = raw.strip()
    fenced = re.fullmatch(r"```(?:json)?\s*(.*?)\s*```", text, re.DOTALL)
    try:
        return CallerReply.model_validate(json.loads(fenced.group(1) if fenced else text))
    except json.JSONDecodeError as error:
        raise ValueError(f"not valid JSON: {error.msg} at character {error.pos}") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "reply"
        raise ValueError(f"wrong reply: {field}: {first['msg']}") from None


def reply_faults(reply: CallerReply, scenario: Scenario, expressed: tuple[str, ...]) -> tuple[str, ...]:
    """Every rule of SPEC 3.3 the reply breaks; empty when it may be carried."""
    faults: list[str] = []
    brief = scenario.caller
    if not reply.speech.strip():
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
    leaked = _leaks(reply.speech, (*_SCHEMA_FIELDS, *plan, *brief.facts))
    if leaked:
        faults.append(f"internal name in speech: {leaked!r}")
    if _MARKDOWN.search(reply.speech):
        faults.append("markdown or list syntax in speech")
    values = [str(fact.value) for fact in brief.facts.values()]
    share = script_share(_without(reply.speech, values), scenario.script)
    if share < MIN_SCRIPT_SHARE:
        faults.append(f"wrong script: {share:.0%} of the letters are {scenario.script}")
    return tuple(faults)


def _leaks(speech: str, names: Iterable[str]) -> str | None:
    """A schema field, step id or fact key said as a whole token; plain words without `_` or digit are sayable."""
    for name in names:
        sayable = re.fullmatch(r"[a-z]+", name) is not None
        if not sayable and re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", speech):
            return name
    return None


def _without(speech: str, values: Iterable[str]) -> str:
    """The speech without known values and Latin acronyms, which may stand in any script."""
    for value in sorted(values, key=len, reverse=True):
        speech = re.sub(re.escape(value), " ", speech, flags=re.IGNORECASE)
    return re.sub(r"\b[A-Z]{2,}\b", " ", speech)
