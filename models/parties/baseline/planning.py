"""Which tool comes next: what each tool is for, what must be called before it, and which one the caller's words ask for."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from math import fsum

from pydantic import JsonValue

from core.candidate import CandidateView
from core.schemas.tools import Tool
from models.parties.baseline.memory import Memory
from models.parties.baseline.schema_fields import IDENTIFYING, Slot, slots_of
from models.parties.words import humanised, stem, stems, words


class Role(StrEnum):
    """What a tool does in a call."""

    READ = "read"
    """Finds something out."""
    WRITE = "write"
    """Changes something."""
    HANDOFF = "handoff"
    """Passes the caller on."""
    CALLBACK = "callback"
    """Arranges that somebody calls back."""
    END = "end"
    """Hangs up."""


_READ = frozenset(
    """find get look lookup check search list verify identify fetch query read locate quote validate authenticate track
    show""".split()
)
_HANDOFF = frozenset("transfer escalate handoff forward connect human".split())
_END = frozenset("end hang hangup finish close conclude disconnect".split())
_FIRST = re.compile(
    r"\b(use|call|run|do) (it|this|this tool) (always )?first\b|\balways first\b|\bfirst,? before\b"
    r"|\bbefore (any(thing)?|all|every|you (do|change|record|book|make|give|say|tell))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_SYNONYMS = (
    "move reschedule change rebook shift postpone rearrange amend update correct",
    "cancel annul drop call-off",
    "book schedule reserve arrange appointment reservation",
    "refund reimburse money-back",
    "broken repair fix fault defect damage damaged problem",
    "lost stolen missing",
    "pay payment bill invoice settle",
    "track where status progress state ready finished",
    "confirm attend keep",
)
_CLASS = {stem(word): group.split()[0] for group in reversed(_SYNONYMS) for word in group.split()}
_NAME, _FIRST_SENTENCE, _REST, _PARAMETERS, _INSTRUCTIONS = 3.0, 2.0, 1.0, 1.0, 0.5
_CHOICE = 2.0
_FREE = frozenset("free available availability openings slots options".split())
"""Words of a tool that lists what can be chosen."""
ENOUGH = 0.6
"""Least score at which the caller's words are taken to ask for a tool."""


def _meanings(text: str) -> frozenset[str]:
    """Stems, with like-meaning words as one."""
    return frozenset(_CLASS.get(item, item) for item in stems(text))


@dataclass(frozen=True)
class Step:
    """What is to be done next for a goal."""

    tool: str
    """The tool it serves."""
    missing: Slot | None = None
    """A required slot without a value; None when the tool can be called."""


class Toolbox:
    """The tools of a call, understood."""

    def __init__(self, view: CandidateView) -> None:
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in view.tools}
        self.slots: Mapping[str, tuple[Slot, ...]] = {tool.name: slots_of(tool) for tool in view.tools}
        self._sentences = [sentence for sentence in _SENTENCE.split(view.instructions) if sentence.strip()]
        self._sections = _HEADING.split(view.instructions)
        self.roles: Mapping[str, Role] = {tool.name: _role(tool) for tool in view.tools}

    def of_role(self, role: Role) -> tuple[str, ...]:
        """Names of the tools of one role, in the order given."""
        return tuple(name for name in self.tools if self.roles[name] is role)

    def required(self, name: str) -> tuple[Slot, ...]:
        """The slots a tool needs."""
        return tuple(slot for slot in self.slots[name] if slot.required)

    @cached_property
    def prerequisites(self) -> Mapping[str, tuple[str, ...]]:
        """Tool to the tools that have to succeed before it."""
        found: dict[str, list[str]] = {name: [] for name in self.tools}
        for name in self.tools:
            for other in self.tools:
                if other != name and name not in found[other] and self._must_precede(other, name):
                    found[name].append(other)
        return {name: tuple(others) for name, others in found.items()}

    def _must_precede(self, earlier: str, later: str) -> bool:
        if self.roles[later] not in (Role.READ, Role.WRITE) or self.roles[earlier] not in (Role.READ, Role.WRITE):
            return False
        return (
            self._comes_first(earlier)
            or self._ordered(earlier, later)
            or self._in_section(earlier, later)
            or any(self._provides(earlier, slot) for slot in self.required(later))
        )

    def _comes_first(self, name: str) -> bool:
        """Whether the tool's description, or the only sentence rule that names it alone, wants it before everything."""
        if self.roles[name] is not Role.READ:
            return False
        about = [self.tools[name].description, *(s for s in self._sentences if self._named(s) == [name])]
        return any(_FIRST.search(text) for text in about)

    def _ordered(self, earlier: str, later: str) -> bool:
        """Whether a sentence puts one before the other: "X before Y", "X, then Y", "after X, Y", "only after X"."""
        own = [f"{later}: {sentence}" for sentence in _SENTENCE.split(self.tools[later].description)]
        for sentence in (*self._sentences, *own):
            if self._named(sentence)[:2] not in ([earlier, later], [later, earlier]):
                continue
            first, second = self._named(sentence)[:2]
            before, between = sentence.split(first, 1)[0].casefold(), sentence.split(first, 1)[1].split(second, 1)[0].casefold()
            if first == earlier and (re.search(r"\b(before|then)\b", between) or re.search(r"\b(after|once|when)\b", before)):
                return True
            if first == later and re.search(r"\b(after|once|requires|needs|from|returned by)\b", between):
                return True
        return False

    def _in_section(self, earlier: str, later: str) -> bool:
        """Whether the instructions name a lookup before a deed under the same heading."""
        if self.roles[earlier] is not Role.READ or self.roles[later] is not Role.WRITE:
            return False
        for section in self._sections:
            named = self._named(section)
            if earlier in named and later in named and named.index(earlier) < named.index(later):
                return True
        return False

    def follow_up(self, name: str, arguments: Mapping[str, JsonValue]) -> str | None:
        """What the instructions want done after a deed: "use X with recognized false, and then ..."."""
        for sentence in self._sentences:
            if name not in self._named(sentence):
                continue
            condition, then, rest = sentence.split(name, 1)[1].partition(" then ")
            said = set(words(condition))
            values = {str(value).casefold() for value in arguments.values() if isinstance(value, bool)}
            if then and said & {"true", "false"} == values:
                others = [n for n in self.tools if n != name and self.roles[n] is Role.WRITE]
                return self.choose(rest, others)
        return None

    def _named(self, sentence: str) -> list[str]:
        """Tools a sentence names, in its order, each once."""
        return list(_named(tuple(self.tools), sentence))

    def _provides(self, name: str, slot: Slot) -> bool:
        """Whether a tool returns what a slot needs and the caller need not know."""
        if any(own.name == slot.name for own in self.slots[name]):
            return False
        if re.search(rf"\b{re.escape(name)}\b", slot.description):
            return True
        returns = re.search(
            r"\b(returns?|answers?|gives?|lists?|provides?|finds?)\b(.*)", self.tools[name].description, re.I | re.S
        )
        if returns is None or slot.kind not in IDENTIFYING:
            return False
        return slot.name in returns.group(2) or humanised(slot.name) in returns.group(2).casefold()

    def destination(self, choices: Collection[str], failed: str) -> str | None:
        """Where the instructions send a caller when a tool, or one before it, has not helped."""
        for section in self._sections:
            if not {failed, *self.order(failed)} & set(self._named(section)):
                continue
            for sentence in _SENTENCE.split(section):
                named = [c for c in choices if re.search(rf"\b{re.escape(humanised(c))}\b", sentence, re.IGNORECASE)]
                if len(named) == 1 and re.search(r"\b(transfer|connect|put\w* .*through)\b", sentence, re.IGNORECASE):
                    return named[0]
        return None

    def next_step(self, goal: str, memory: Memory, succeeded: Collection[str]) -> Step:
        """The first prerequisite that has not succeeded, else the goal itself; and what it still misses."""
        for name in (*self.order(goal), goal):
            if name == goal or name not in succeeded:
                missing = next((slot for slot in self.required(name) if memory.get(slot) is None), None)
                return Step(name, missing)
        raise AssertionError("a goal is its own last step")

    def order(self, goal: str) -> tuple[str, ...]:
        """Everything to be called before a goal, in order."""
        ordered: list[str] = []

        def visit(name: str, above: tuple[str, ...]) -> None:
            for earlier in self.prerequisites[name]:
                if earlier not in above and earlier not in ordered:
                    visit(earlier, (*above, earlier))
                    ordered.append(earlier)

        visit(goal, (goal,))
        return tuple(ordered)

    @cached_property
    def _weights(self) -> Mapping[str, Mapping[str, float]]:
        """Tool to meaning to weight: where a word stands decides its weight, divided by how many tools have it."""
        raw: dict[str, dict[str, float]] = {}
        for name, tool in self.tools.items():
            first, _, rest = tool.description.partition(".")
            about = " ".join(s for s in self._sentences if self._named(s) == [name])
            options = " ".join(slot.name for slot in self.slots[name])
            weights: dict[str, float] = {}
            places = ((_INSTRUCTIONS, about), (_PARAMETERS, options), (_REST, rest), (_FIRST_SENTENCE, first), (_NAME, name))
            for weight, text in places:
                weights.update(dict.fromkeys(_meanings(text), weight))
            raw[name] = weights
        shared = {m: sum(1 for weights in raw.values() if m in weights) for weights in raw.values() for m in weights}
        return {name: {m: weight / shared[m] for m, weight in weights.items()} for name, weights in raw.items()}

    def score(self, name: str, text: str) -> float:
        """How much a text asks for a tool: by its words, and by every choice of it that is named in full."""
        said = _meanings(text)
        by_words = fsum(self._weights[name].get(meaning, 0.0) for meaning in said)
        choices = [_meanings(humanised(choice)) for slot in self.slots[name] for choice in slot.choices]
        named = any(choice and choice <= said for choice in choices) and self.roles[name] in (Role.READ, Role.WRITE)
        return by_words + (_CHOICE if named else 0.0)

    def choose(self, text: str, among: Collection[str] | None = None) -> str | None:
        """The tool a text asks for, or None.

        A tool that comes before every deed is hardly ever what is asked for. One that lists what is free speaks for the deed
        it prepares.
        """
        names = [n for n in self.tools if self.roles[n] is not Role.END and (among is None or n in among)]
        scores = {name: self._total(name, text) for name in names if not (self._lists(name) and self._prepares(name))}
        best = max(scores, key=lambda name: scores[name], default=None)
        return best if best is not None and scores[best] >= ENOUGH else None

    def _total(self, name: str, text: str) -> float:
        prepared = self._prepares(name)
        always_first = len(prepared) > 1 and len(prepared) >= len(self.of_role(Role.WRITE))
        own = self.score(name, text) * (0.5 if always_first else 1.0)
        return own + fsum(self.score(earlier, text) for earlier in self.prerequisites[name] if self._lists(earlier))

    def _prepares(self, name: str) -> list[str]:
        return [other for other in self.tools if name in self.prerequisites[other] and self.roles[other] is Role.WRITE]

    def _lists(self, name: str) -> bool:
        about = set(words(f"{humanised(name)} {self.tools[name].description}"))
        return self.roles[name] is Role.READ and bool(about & _FREE)


@lru_cache(maxsize=4096)
def _named(names: tuple[str, ...], sentence: str) -> tuple[str, ...]:
    """The names that stand in a sentence, in its order, each once. The same sentences are asked about in every call."""
    places = [
        (match.start(), name)
        for name in names
        if name in sentence
        for match in [re.search(rf"\b{re.escape(name)}\b", sentence)]
        if match
    ]
    return tuple(name for _, name in sorted(places))


def _role(tool: Tool) -> Role:
    named = set(words(humanised(tool.name)))
    described = {stem(word) for word in words(tool.description)}
    if "callback" in named or {"call", "back"} <= named:
        return Role.CALLBACK
    if named & _HANDOFF or "put the caller through" in tool.description.casefold():
        return Role.HANDOFF
    if tool.ends_call and (named & _END or described & {stem("hang"), stem("goodbye")}):
        return Role.END
    if tool.ends_call:
        return Role.HANDOFF
    first = words(humanised(tool.name))[:1]
    return Role.READ if set(first) & _READ else Role.WRITE
