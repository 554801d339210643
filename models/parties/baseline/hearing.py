"""What the candidate makes of a caller's words: the act (yes, no, wait, repeat, goodbye) and the values in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from functools import cached_property

from core.spoken import Kind, Reading, Value, read
from models.parties.baseline.schema_fields import Slot
from models.parties.words import has_any, stems, words

_REPEAT = (
    "repeat that",
    "say that again",
    "say it again",
    "come again",
    "pardon",
    "didn't catch that",
    "what did you say",
    "repeat",
)
_WAIT = (
    "hold on", "one moment", "a moment", "let me check", "let me look", "let me find", "let me get", "one second", "a second",
    "wait a", "bear with me", "give me a", "just a minute", "one minute", "hang on",
)  # fmt: skip
_WHO = (
    "who is this",
    "who are you",
    "who's this",
    "who's calling",
    "who is calling",
    "who am i speaking",
    "where are you calling from",
)
_THERE = ("are you there", "are you still there", "can you hear me", "anyone there", "is anybody there")
_GOODBYE = ("goodbye", "good bye")
_LEAVE = (*_GOODBYE, "that's all", "that's everything", "that is all", "nothing else", "that'll be all")
_UNKNOWN = (
    "don't know", "do not know", "not sure", "no idea", "don't have", "do not have", "can't remember", "don't remember",
    "couldn't say",
)  # fmt: skip
_PERSON = (
    "human",
    "real person",
    "a person",
    "representative",
    "operator",
    "supervisor",
    "manager",
    "someone else",
    "to somebody",
    "connect me",
    "put me through",
    "transfer me",
)
_BUSY = (
    "bad time", "bad moment", "not a good time", "not a good moment", "can't talk", "can't speak", "cannot talk", "driving",
    "busy", "call back", "call me back", "call again", "later", "not now",
)  # fmt: skip
_CHANGE = ("actually", "instead", "rather", "wait", "change", "sorry", "i meant", "wrong", "not")
_ASK = frozenset("what when where which who whose why how is are do does did can could will would".split())
_NAME_CUE = re.compile(
    r"\b(name'?s?( is)?|surname( is)?|last name( is)?|this is|i am|i'm|speaking|under|it's for|called|spelled|spelt)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^((yes|yeah|well|um|uh|oh|okay|ok|so|hi|hello|sure|please|it's|it is|that's|just)\b[,.! ]*)+", re.IGNORECASE
)
_ORDINALS = (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"))
_ORDER = (Kind.EMAIL, Kind.DATE, Kind.TIME, Kind.MONEY, Kind.CODE, Kind.DIGITS, Kind.NUMBER, Kind.CHOICE, Kind.NAME)
_PASSING = frozenset({"today", "yesterday", "tonight", "now", "this morning", "this afternoon", "this evening"})
"""Days that a story mentions in passing: taken only where a day was asked for."""
_BIRTH = stems("born birth")
_CONTEXT = 45
"""Characters before a value in which its name is looked for."""


def joined(fragments: Sequence[str]) -> str:
    """The fragments of one turn as one utterance; a full stop that a pause put inside a number goes."""
    parts = [part.strip() for part in fragments if part.strip()]
    text = ""
    for part in parts:
        inside = re.search(r"[0-9][.,]?$", text) is not None and part[0].isdigit()
        text = f"{text.rstrip('.,') if inside else text} {part}".strip()
    return text


@dataclass(frozen=True)
class Utterance:
    """One caller turn as heard."""

    text: str

    @property
    def silent(self) -> bool:
        """Nothing was heard."""
        return not words(self.text)

    @cached_property
    def yes_no(self) -> bool | None:
        """Agreement or denial, where the words carry either."""
        readings = read(self.text, Kind.YES_NO)
        return bool(readings[0].value) if readings else None

    @property
    def wants_repeat(self) -> bool:
        """The caller missed what was said."""
        return has_any(self.text, _REPEAT) and len(words(self.text)) <= 12

    @property
    def waits(self) -> bool:
        """The caller needs time, and gives nothing else."""
        return has_any(self.text, _WAIT)

    @property
    def asks_who(self) -> bool:
        """The caller wants to know whom it speaks to."""
        return has_any(self.text, _WHO)

    @property
    def asks_presence(self) -> bool:
        """ "Hello?" and its like."""
        return has_any(self.text, _THERE) or words(self.text) == ["hello"]

    @property
    def leaves(self) -> bool:
        """The caller is done."""
        return has_any(self.text, _LEAVE)

    @property
    def says_goodbye(self) -> bool:
        """The caller takes leave in so many words."""
        return has_any(self.text, _GOODBYE) or words(self.text)[-1:] == ["bye"]

    @property
    def does_not_know(self) -> bool:
        """The caller lacks what was asked for."""
        return has_any(self.text, _UNKNOWN)

    @property
    def wants_person(self) -> bool:
        """The caller asks for a human being."""
        return has_any(self.text, _PERSON)

    @property
    def cannot_talk(self) -> bool:
        """The person rung has no time now."""
        return has_any(self.text, _BUSY)

    @property
    def changes(self) -> bool:
        """The caller takes something back."""
        return self.yes_no is False or has_any(self.text, _CHANGE)

    @property
    def asks(self) -> bool:
        """The caller asks something."""
        spoken = words(_FILLER.sub("", self.text))
        return "?" in self.text or (bool(spoken) and spoken[0] in _ASK)

    @property
    def plain(self) -> str:
        """The words without opening fillers and closing stop, for a free text."""
        return _FILLER.sub("", self.text).strip().rstrip(".").strip() or self.text.strip()

    def ordinal(self) -> int | None:
        """Which of several offers is meant, counted from 0."""
        spoken = words(self.text)
        for number, marks in enumerate(_ORDINALS):
            if any(mark in spoken for mark in marks):
                return number
        return -1 if {"last", "latest"} & set(spoken) else None


def readings_of(text: str, slot: Slot, now: datetime | None) -> list[Reading]:
    """Values in the text that fit the slot; neighbouring pieces of a long number are also tried as one."""
    if slot.kind is Kind.TEXT:
        return []
    if slot.kind is Kind.CHOICE:
        return _choices(text, slot)
    found = read(text, slot.kind, now=now)
    if slot.kind is Kind.TIME and not found:
        found = read(clock_text(text), slot.kind, now=now)
    if slot.kind is Kind.DATE and not slot.stems & _BIRTH:
        found = [reading for reading in found if not stems(text[max(0, reading.start - _CONTEXT) : reading.start]) & _BIRTH]
    fitting = [reading for reading in found if slot.fits(reading.value)]
    if fitting or slot.pattern is None or slot.kind not in (Kind.DIGITS, Kind.CODE):
        return fitting
    for first in range(len(found)):
        for last in range(first + 1, len(found)):
            value = "".join(str(piece.value) for piece in found[first : last + 1])
            if slot.fits(value):
                start, end = found[first].start, found[last].end
                return [Reading(slot.kind, value, start, end, text[start:end])]
    return []


def clock_text(text: str) -> str:
    """The text, as long as before, with "10.30" written as a time of day: for places where nothing but a time is meant."""
    return re.sub(r"\b(\d{1,2})\.(\d{2})\b", r"\1:\2", text)


def _choices(text: str, slot: Slot) -> list[Reading]:
    """The choice that is named, or the only one whose words are."""
    found = read(text, Kind.CHOICE, choices=slot.choices)
    if found:
        return found
    said = stems(text)
    common = sorted(((len(stems(choice) & said), choice) for choice in slot.choices), reverse=True)
    if common and common[0][0] > 0 and (len(common) == 1 or common[1][0] < common[0][0]):
        return [Reading(Kind.CHOICE, common[0][1], 0, len(text), text)]
    return []


def values_in(text: str, slots: Iterable[Slot], asked: Slot | None, now: datetime | None) -> dict[str, Value]:
    """Values for slots, by slot name: first for the one asked for, then what was volunteered for others.

    A volunteered value goes to a slot only if it is the only one it fits, or if the slot's name stands before it. No words
    serve two slots.
    """
    found: dict[str, Value] = {}
    taken: list[tuple[int, int]] = []
    if asked is not None:
        for reading in readings_of(text, asked, now)[:1]:
            found[asked.name] = reading.value
            if asked.kind is not Kind.CHOICE:
                taken.append((reading.start, reading.end))
    if asked is None or asked.kind is not Kind.DATE:
        taken += [(r.start, r.end) for r in read(text, Kind.DATE, now=now) if r.text.casefold() in _PASSING]
    rest = [slot for slot in slots if slot.name not in found and (asked is None or slot.name != asked.name)]
    for kind in _ORDER:
        alike = [slot for slot in rest if slot.kind is kind]
        places = {(r.start, r.end) for slot in alike for r in readings_of(text, slot, now)}
        for start, end in sorted(places):
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            home = _home(text, start, end, alike, found, now)
            if home is not None:
                slot, value = home
                found[slot.name] = value
                taken.append((start, end))
    return found


def _home(
    text: str, start: int, end: int, slots: Sequence[Slot], found: dict[str, Value], now: datetime | None
) -> tuple[Slot, Value] | None:
    """The slot a volunteered value belongs to."""
    fitting = []
    for slot in slots:
        if slot.name in found:
            continue
        fitting += [(slot, r.value) for r in readings_of(text, slot, now) if (r.start, r.end) == (start, end)]
    before = text[max(0, start - _CONTEXT) : start]
    named = [(len(slot.stems & stems(before)), slot, value) for slot, value in fitting]
    best = sorted(named, key=lambda item: item[0], reverse=True)
    if best and best[0][0] > 0 and (len(best) == 1 or best[1][0] < best[0][0]):
        return best[0][1], best[0][2]
    if len(fitting) != 1:
        return None
    slot, value = fitting[0]
    if slot.kind is Kind.NAME and not _NAME_CUE.search(text):
        return None
    if slot.kind in (Kind.NUMBER, Kind.DIGITS, Kind.CODE) and slot.pattern is None:
        return None
    return slot, value


def corrections(text: str, slots: Sequence[Slot], current: dict[str, Value], now: datetime | None) -> dict[str, Value]:
    """Values that a caller's answer to a read-back puts in place of wrong ones, by slot name.

    With several slots of a kind, the one that is named is meant, else the one whose wrong value is most like the right one.
    """
    found: dict[str, Value] = {}
    for slot in slots:
        for reading in readings_of(text, slot, now)[-1:]:
            alike = [other for other in slots if other.kind is slot.kind and other.fits(reading.value)]
            if max(alike, key=lambda other: _claim(text, reading.value, other, current)).name == slot.name:
                found[slot.name] = reading.value
    return found


def _claim(text: str, value: Value, slot: Slot, current: dict[str, Value]) -> tuple[int, float]:
    likeness = SequenceMatcher(None, str(value), str(current.get(slot.name, "")), autojunk=False).ratio()
    return len(slot.stems & stems(text)), likeness


def partial(text: str, slot: Slot, now: datetime | None) -> Value | None:
    """What was read of the slot's kind but does not fit it, such as nine digits of ten."""
    if slot.kind not in (Kind.DIGITS, Kind.CODE) or slot.pattern is None:
        return None
    found = read(text, slot.kind, now=now)
    return found[0].value if found else None
