"""Damage planted on purpose in what a candidate hears, and parties that fail on purpose: to try attribution, never shipped.

What was planted, and which action it broke, is known by playing the same call again without it. Nothing here looks at how
attribution decides, and attribution sees nothing but traces.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from itertools import pairwise

import numpy as np
from pydantic import JsonValue

from core.caller import CallerView
from core.candidate import AgentDisconnected, AgentTurn, Candidate, CandidateView, Hearing, ToolAnswers
from core.line import Heard, HeardFragment, Line, LineTurn, TextLine
from core.schemas.base import Condition
from core.schemas.call_trace import ChannelEvent, PartyRecord
from core.schemas.scenario import Fact, Scenario
from core.spoken import Kind, find_value, say
from core.text import Word, graphemes, words
from models.parties.scripted import ScriptedCaller


class Damage(StrEnum):
    """What is done to the words of a value."""

    SUBSTITUTE = "substitute"
    DROP = "drop"
    DOUBLE = "double"
    TRANSPOSE = "transpose"
    HOMOPHONE = "homophone"
    SPLIT = "split"
    """One word is another, and the value arrives in two fragments."""
    LOST = "lost"
    """All its words are gone."""


@dataclass(frozen=True)
class Plant:
    """Damage to one fact, the first `times` times it is said; without a fact, to a word that carries none."""

    fact: str | None
    damage: Damage
    times: int = 99


PLANTED = "planted:"
"""First part of the id of the event by which a call records what was planted; attribution does not read events."""

_HOMOPHONES = {"one": "won", "two": "too", "four": "for", "six": "sicks", "eight": "ate", "nine": "nein", "ten": "den"}
_VOWELS = dict(zip("aeiouAEIOU", "eioauEIOAU", strict=True))


class DamagedLine(TextLine):
    """The words as spoken, but for what is planted."""

    condition = Condition.AUTHORED

    def __init__(self, scenario: Scenario, plants: Sequence[Plant]) -> None:
        self._scenario = scenario
        self._plants = plants
        self._said: dict[Plant, int] = {}

    def settings(self) -> dict[str, JsonValue]:
        """The plants."""
        return {"line": "damaged", "plants": [f"{plant.fact} {plant.damage} {plant.times}" for plant in self._plants]}

    def carry(self, turn: LineTurn, rng: np.random.Generator) -> Heard:
        """The turn with every plant whose fact is said in it."""
        del rng
        text, cut, events = turn.speech, None, []
        for plant in self._plants:
            span = _place(self._scenario, plant.fact, text)
            if span is None or self._said.get(plant, 0) >= plant.times:
                continue
            self._said[plant] = self._said.get(plant, 0) + 1
            text, cut = _damaged(text, span, plant.damage, self._scenario.language, cut)
            events.append(ChannelEvent(id=f"{PLANTED}{plant.fact}", kind="note", applied=True, detail=plant.damage))
        pieces = [text] if cut is None else [text[:cut].strip(), text[cut:].strip()]
        return Heard(tuple(HeardFragment(piece) for piece in pieces if piece) or (HeardFragment(""),), tuple(events))


class DamagedLines:
    """Factory of damaged lines."""

    def __init__(self, plants: Sequence[Plant]) -> None:
        self._plants = plants

    def settings(self) -> dict[str, JsonValue]:
        """Nothing of note."""
        return {"line": "damaged"}

    def open(self, scenario: Scenario, seed: int) -> Line:
        """A line with the plants."""
        del seed
        return DamagedLine(scenario, self._plants)


def _place(scenario: Scenario, fact: str | None, text: str) -> tuple[int, int] | None:
    def place(held: Fact) -> tuple[int, int] | None:
        return find_value(held.value, held.kind, text, language=scenario.language, now=now)

    now = datetime.fromisoformat(scenario.caller.now)
    facts = scenario.caller.facts
    spans = {key: span for key, held in facts.items() if (span := place(held)) is not None}
    if fact is not None:
        found = spans.get(fact)
        address = next((span for key, span in spans.items() if key != fact and facts[key].kind is Kind.EMAIL), (0, 0))
        return None if found is not None and address[0] <= found[0] < address[1] else found
    taken = list(spans.values())
    free = [word for word in words(text) if len(word.text) > 2 and not any(a < word.end and word.start < b for a, b in taken)]
    return (free[-1].start, free[-1].end) if free else None


def _damaged(text: str, span: tuple[int, int], damage: Damage, language: str, cut: int | None) -> tuple[str, int | None]:
    """The text with the words of a span damaged, and where it is cut into fragments."""
    inside = [word for word in words(text) if span[0] <= word.start < span[1]]
    if damage is Damage.LOST or (len(inside) == 1 and damage in (Damage.DROP, Damage.TRANSPOSE)):
        return " ".join((text[: span[0]] + text[span[1] :]).split()), cut
    at = len(inside) // 2
    word = inside[at]
    if damage is Damage.DROP:
        return text[: word.start].rstrip() + text[word.end :], cut
    if damage is Damage.DOUBLE:
        return f"{text[: word.end]} {word.text}{text[word.end :]}", cut
    if damage is Damage.TRANSPOSE:
        return _transposed(text, inside), cut
    if damage is Damage.HOMOPHONE:
        sounding = [word for word in inside if word.fold in _HOMOPHONES]
        word = sounding[0] if sounding else word
        return text[: word.start] + (_HOMOPHONES.get(word.fold) or _other(word, language)) + text[word.end :], cut
    other = _other(word, language)
    return text[: word.start] + other + text[word.end :], word.start if damage is Damage.SPLIT else cut


def _transposed(text: str, inside: Sequence[Word]) -> str:
    for first, second in reversed(list(pairwise(inside))):
        if first.fold != second.fold:
            between = text[first.end : second.start]
            return text[: first.start] + second.text + between + first.text + text[second.end :]
    return text


def _other(word: Word, language: str) -> str:
    """Another word in its place: another digit for a digit, else one of other sounds."""
    digits = _digits(language)
    if word.text in digits:
        return digits[(digits.index(word.text) + 3) % 10]
    changed = "".join(_VOWELS.get(char, char) for char in word.text)
    if changed != word.text:
        return changed
    clusters = graphemes(word.text)
    return "".join(clusters[:-1]) if len(clusters) > 1 else digits[7]


@cache
def _digits(language: str) -> list[str]:
    """Ten digits as they are said one by one."""
    return [say(str(digit), Kind.DIGITS, language=language) for digit in range(10)]


# -- callers ----------------------------------------------------------------------------------------------------------


class Trusting(ScriptedCaller):
    """Agrees to every read-back, right or wrong, as people in a hurry do."""

    def speak(self, view: CallerView, seed: int) -> str:
        """The scripted reply, with every correction a yes."""
        reply = json.loads(super().speak(view, seed))
        if reply["speech"].startswith(("No, it's ", "No, the ")) and not reply["expressed"]:
            reply["speech"] = "Yes, that's right."
        return json.dumps(reply, ensure_ascii=False)


class Mistaken(Trusting):
    """Believes another value than its brief gives it."""

    def __init__(self, scenario: Scenario, fact: str, value: str | int | float | bool) -> None:
        assert scenario.offline is not None
        super().__init__(scenario.offline)
        self._fact, self._value = fact, value

    def speak(self, view: CallerView, seed: int) -> str:
        """What it would say if that were so."""
        facts = view.brief.facts
        wrong = facts[self._fact].model_copy(update={"value": self._value})
        brief = view.brief.model_copy(update={"facts": {**facts, self._fact: wrong}})
        return super().speak(replace(view, brief=brief), seed)


class Teller:
    """Says the facts of its brief one after another, as often in a row as it is asked, in any language."""

    def __init__(self, times: int, wrong: tuple[str, str | int | float | bool] | None = None) -> None:
        self._times = times
        self._wrong = wrong

    def record(self) -> PartyRecord:
        """Who this is."""
        return PartyRecord(party="test:teller")

    def speak(self, view: CallerView, seed: int) -> str:
        """The fact whose turn it is; after the last, the last again and done."""
        del seed
        turn = sum(entry.speaker == "caller" for entry in view.conversation)
        keys = list(view.brief.facts)
        key = keys[min(turn // self._times, len(keys) - 1)]
        fact = view.brief.facts[key]
        value = self._wrong[1] if self._wrong is not None and self._wrong[0] == key else fact.value
        done = turn >= self._times * len(keys)
        return json.dumps({"speech": say(value, fact.kind, language=view.language), "done": done}, ensure_ascii=False)


# -- candidates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slip:
    """How a candidate fails by itself."""

    kind: str
    """`wrong_tool`, `refuse`, `alter`, `omit`, `garble` or `leave`."""
    tool: str = ""
    """The tool whose calls it spoils."""
    to: str = ""
    """The tool it calls in its place, or the argument it spoils."""
    turn: int = 1
    """The caller turn from which it refuses or is gone."""


class Slipping:
    """Another candidate, but for one planned slip."""

    def __init__(self, inner: Candidate, slip: Slip) -> None:
        self._inner, self._slip, self._turns = inner, slip, 0
        self._meant: list[str] = []

    def record(self) -> PartyRecord:
        """The inner party and the slip."""
        return PartyRecord(party="test:slipping", settings={"inner": self._inner.record().party, "slip": str(self._slip)})

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """As the inner one."""
        return self._spoilt(self._inner.open(view, seed))

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """As the inner one, until it slips."""
        self._turns += isinstance(observation, Hearing)
        if self._turns >= self._slip.turn and self._slip.kind == "leave":
            raise AgentDisconnected("hung up")
        if self._turns >= self._slip.turn and self._slip.kind == "refuse":
            return AgentTurn(speech="I am sorry, I am not allowed to help with that.")
        if isinstance(observation, ToolAnswers):
            meant = zip(observation.answers, self._meant, strict=True)
            observation = replace(observation, answers=tuple(replace(answer, tool=tool) for answer, tool in meant))
        return self._spoilt(self._inner.respond(observation))

    def _spoilt(self, turn: AgentTurn) -> AgentTurn:
        slip, calls = self._slip, []
        self._meant = [call.tool for call in turn.calls]
        for call in turn.calls:
            changed: dict[str, JsonValue] = {}
            if call.tool == slip.tool and slip.kind == "wrong_tool":
                changed = {"tool": slip.to}
            elif call.tool == slip.tool and slip.kind == "garble":
                changed = {"arguments": "{" + slip.to}
            elif call.tool == slip.tool and isinstance(call.arguments, dict) and slip.to in call.arguments:
                kept = {name: value for name, value in call.arguments.items() if name != slip.to}
                altered = {slip.to: _altered(call.arguments[slip.to])} if slip.kind == "alter" else {}
                changed = {"arguments": {**kept, **altered}}
            calls.append(call.model_copy(update=changed))
        return replace(turn, calls=tuple(calls))


def _altered(value: JsonValue) -> JsonValue:
    """The value with a mistake of the hand in it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    text = str(value)
    digits = [at for at, char in enumerate(text) if char.isdecimal()]
    if digits:
        return text[: digits[-1]] + str((int(text[digits[-1]]) + 1) % 10) + text[digits[-1] + 1 :]
    return f"{text}s"
