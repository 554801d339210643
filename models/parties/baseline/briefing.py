"""What a form filler takes from its instructions: who it is, whom it rings, what day it is, and lines of `label: value`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time

from core.spoken import Kind, read

_PROPER = r"[A-Z][\w'&-]*(?: (?:[A-Z&][\w'&-]*|and(?= [A-Z])|of(?= [A-Z])))*"
_AGENT = re.compile(r"\b(?:You are|Your name is|You're) (?!the\b|an?\b|calling\b)([A-Z][\w'-]+)")
_COMPANY = re.compile(
    rf"\b(?:You are|Your name is|You're|You (?:work|speak|answer))\b[^.\n]*?\b(?:of|for|at|from) (?:the )?({_PROPER})"
)
_TITLE = re.compile(rf"^# (?:The )?({_PROPER})", re.MULTILINE)
_OUTBOUND = re.compile(
    r"\b(outbound|outgoing calls?|you (place|make) calls|(you are|you're) (calling|ringing)|you call(?! it)|you ring"
    r"|you (place|make|made) (this|the|a) call)\b",
    re.IGNORECASE,
)
_CALLEE = re.compile(rf"\b(?:calling|call|ringing|ring|speak (?:to|with)|reach) (?:(?:Mr|Mrs|Ms|Dr)\.? )?({_PROPER})")
_LABEL = re.compile(r"^\s*(?:[-*]\s+)?\**([A-Z][A-Za-z' -]{2,40}?)\**:\**\s+(\S.{0,80}?)\.?\s*$", re.MULTILINE)
_SECTION = re.compile(r"^#+ (.*)$\n+((?:(?!^#).*\n?)*)", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_DAY_WORDS = re.compile(r"\b(today|current date|date|now)\b", re.IGNORECASE)
_TIME_WORDS = re.compile(r"\b(time|now)\b", re.IGNORECASE)
_NAME_LABELS = ("name", "customer", "patient", "callee", "person", "client", "guest", "member", "contact")


@dataclass(frozen=True)
class Briefing:
    """The few facts found in instructions; whatever no pattern finds stays empty."""

    agent: str | None
    """The agent's own name."""
    company: str | None
    """The company it speaks for."""
    callee: str | None
    """Whom it rings."""
    outbound: bool
    """Whether it places the call."""
    purpose: str
    """For an outbound call: the sentences that say why."""
    greeting: str | None
    """The opening words, where the instructions quote them."""
    now: datetime | None
    """The day, and the time where it is given, against which "tomorrow" is read."""
    given: dict[str, str]
    """Lines of `label: value`."""


def briefing(instructions: str) -> Briefing:
    """Read instructions; nothing in them is required."""
    head = instructions[:2000]
    agent = _first(_AGENT, head)
    company = _first(_COMPANY, head) or _first(_TITLE, head)
    given = {label.strip(): value.strip() for label, value in _LABEL.findall(instructions)}
    outbound = _OUTBOUND.search(head) is not None
    sentences = [part.strip() for part in _SENTENCE.split(instructions) if part.strip()]
    return Briefing(
        agent=agent,
        company=company if company != agent else None,
        callee=_callee(given, sentences) if outbound else None,
        outbound=outbound,
        purpose=_purpose(instructions, sentences) if outbound else "",
        greeting=_greeting(instructions),
        now=_now(sentences),
        given=given,
    )


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1).strip() if found else None


def _greeting(instructions: str) -> str | None:
    """A quotation under a heading about the greeting, or one that says who is speaking."""
    for heading, body in _SECTION.findall(instructions):
        quoted = re.search(r"[\"\u201c]([^\"\u201d]{12,200})[\"\u201d]", body)
        if quoted and re.search(r"\b(greet\w*|opening|start\w*|beginning)\b", heading, re.IGNORECASE):
            return quoted.group(1).strip()
    return None


def _purpose(instructions: str, sentences: list[str]) -> str:
    """Why the agent calls: the first clause under a heading about it, else the sentences that speak of calling."""
    for heading, body in _SECTION.findall(instructions):
        if re.search(r"\b(purpose|reason|goal|task|objective|aim)\b", heading, re.IGNORECASE):
            return re.split(r"[,.:;]", body.strip(), maxsplit=1)[0]
    return " ".join(
        [s for s in sentences if re.search(r"\b(you are calling|you call|to ask|in order to)\b", s, re.IGNORECASE)][:3]
    )


def _callee(given: dict[str, str], sentences: list[str]) -> str | None:
    for label, value in given.items():
        if any(word in label.casefold().split() for word in _NAME_LABELS) and re.fullmatch(_PROPER, value):
            return value
    for sentence in sentences[:20]:
        found = _CALLEE.search(sentence)
        if found and len(found.group(1).split()) >= 2:
            return found.group(1)
    return None


def _now(sentences: list[str]) -> datetime | None:
    """The first full date in a sentence that speaks of today, with the first time of day there or in a sentence near it."""
    for number, sentence in enumerate(sentences):
        days = read(sentence, Kind.DATE) if _DAY_WORDS.search(sentence) else []
        if not days:
            continue
        near = [s for s in sentences[number : number + 2] if _TIME_WORDS.search(s)]
        times = [reading.value for s in near for reading in read(s, Kind.TIME)]
        clock = time.fromisoformat(str(times[0])) if times else time()
        return datetime.combine(date.fromisoformat(str(days[0].value)), clock)
    return None
