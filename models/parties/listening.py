"""What a caller makes of an agent's speech: is it a question, about what, does it read something back, and is that right."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from core.caller import PublicTurn
from core.schemas.scenario import Fact
from core.spoken import Kind, Value, occurs, read, same_value
from models.parties.words import has_any, has_phrase, humanised, overlap, stem, stems, words

_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_READ_BACK = (
    "is that right", "is that correct", "is this right", "is this correct", "did i get", "have i got", "do i have that",
    "is it correct", "is it right", "all correct", "sound right", "that correct", "that right", "are these correct",
)  # fmt: skip
_INVITES = (
    "anything else", "something else", "how can i help", "how may i help", "what can i do for you", "how can i assist",
    "how may i assist", "what can i help", "help you with", "help you today", "how can we help", "how may we help",
    "reason for your call", "calling about", "other questions", "what would you like to do", "what you would like to do",
)  # fmt: skip
_HOLDS = (
    "one moment", "a moment", "hold on", "please hold", "bear with me", "let me check", "let me look", "while i check",
    "let me see", "let me try", "one second", "just a second",
)  # fmt: skip
_GOODBYES = ("goodbye", "good bye", "bye", "have a good day", "have a nice day", "have a great day", "take care")
_OFFERS = (
    "would you like", "shall i", "should i", "do you want", "does that work", "work for you", "is that okay", "is that ok",
    "would you prefer", "suit you", "go ahead", "that be okay", "is that all right", "how about",
)  # fmt: skip
_ALTERNATIVE = ("instead", "available", "how about", "earliest", "next free", "i can offer", "other options")
_REPEAT = re.compile(
    r"\b(repeat|say (that|it|this) (again|once more)|once more|come again|pardon|spell (that|it)"
    r"|(which|what) (part|one|of them|value|is|was)( (is|was))? wrong"
    r"|(did not|didn't|couldn't|could not|can't) (quite )?(catch|hear|get|understand|make out))\b"
)
_OWN_REPEAT = re.compile(r"\b(let me|i'll|i will|shall i|should i|to) repeat\b")
_REQUEST = re.compile(
    r"^(and |so |then |now |okay |thank you |thanks )*(please|could you|can you|would you|will you|may i|can i|could i"
    r"|might i|i need|i'll need|i will need|i'd need|tell me|give me|let me have|what|which|who|whom|whose|when|where|why|how)\b"
)
_YES_NO = re.compile(
    r"^(and |so |then |now |okay |thank you |thanks |sorry )*(is|are|am|was|were|do|does|did|have|has|had|shall|should|will|would"
    r"|can|could|may|might|isn't|aren't|don't|didn't|haven't)\b"
)
_ASKING = re.compile(
    r"\b(can|could|may|might|would|will) (you|i) (please )?(have|get|take|give|tell|provide|spell|repeat|confirm|read|say|share"
    r"|ask)\b"
)
_YES = ("yes", "yeah", "correct", "right", "that's", "sure", "no", "actually")
KIND_WORDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.DIGITS: ("number", "digits"),
    Kind.CODE: ("code", "reference", "number", "id"),
    Kind.MONEY: ("amount", "much", "price", "cost", "total", "pay"),
    Kind.NUMBER: ("many", "number"),
    Kind.DATE: ("date", "day", "when"),
    Kind.TIME: ("time", "when", "hour", "clock"),
    Kind.EMAIL: ("email", "mail"),
    Kind.NAME: ("name", "surname", "who", "speaking"),
}
"""Words by which a question asks for a value of a kind."""
_READABLE = (Kind.DIGITS, Kind.CODE, Kind.MONEY, Kind.NUMBER, Kind.DATE, Kind.TIME, Kind.EMAIL)
_LONG = (Kind.DIGITS, Kind.CODE, Kind.EMAIL)
"""Kinds whose misreadings resemble the truth; anything else of that kind is another value."""


@dataclass(frozen=True)
class Speech:
    """What the agent said since the caller last spoke."""

    text: str

    @property
    def silent(self) -> bool:
        """Nothing was said."""
        return not self.text.strip()

    def contains(self, cue: str) -> bool:
        """Whether a cue occurs as whole words."""
        return has_phrase(self.text, cue)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Its sentences."""
        return tuple(part for part in _SENTENCE.split(self.text.strip()) if part)

    @cached_property
    def last_question(self) -> Speech:
        """The last sentence that asks for something; empty where none does."""
        for sentence in reversed(self.sentences):
            if sentence.endswith("?") or _REQUEST.search(_plain(sentence)):
                return Speech(sentence)
        return Speech("")

    @property
    def asks(self) -> bool:
        """Whether anything is asked."""
        return not self.last_question.silent

    @property
    def asks_yes_no(self) -> bool:
        """Whether the last question wants yes or no."""
        plain = _plain(self.last_question.text)
        return _YES_NO.search(plain) is not None and _ASKING.search(plain) is None

    @property
    def asks_to_repeat(self) -> bool:
        """Whether the agent missed something."""
        plain = _plain(self.text)
        return _REPEAT.search(plain) is not None and _OWN_REPEAT.search(plain) is None and self.confirmation.silent

    @property
    def asks_to_spell(self) -> bool:
        """Whether letters are wanted."""
        return "spell" in words(self.last_question.text)

    @property
    def invites(self) -> bool:
        """Whether the caller is free to say what it wants."""
        return has_any(self.last_question.text, _INVITES)

    @property
    def offers(self) -> bool:
        """Whether something is proposed."""
        return has_any(self.last_question.text, _OFFERS)

    @property
    def holds(self) -> bool:
        """Whether the agent asks for patience."""
        return has_any(self.text, _HOLDS)

    @property
    def says_goodbye(self) -> bool:
        """Whether the agent takes leave."""
        return has_any(self.text, _GOODBYES)

    @cached_property
    def confirmation(self) -> Speech:
        """The question that wants to hear whether something is right; empty where none does."""
        for sentence in reversed(self.sentences):
            plain = _plain(sentence)
            if sentence.endswith("?") and (has_any(sentence, _READ_BACK) or f" {plain}".endswith((" right", " correct", " yes"))):
                return Speech(sentence)
        return Speech("")

    @cached_property
    def reads_back(self) -> bool:
        """Whether the agent wants its understanding confirmed."""
        if not self.confirmation.silent:
            return True
        question = self.last_question.text
        if has_any(self.text, _ALTERNATIVE) or self.invites:
            return False
        plain = _plain(question)
        return _YES_NO.search(plain) is not None and any(read(question, kind) for kind in _READABLE if kind is not Kind.NUMBER)

    def values_read(self, facts: Mapping[str, Fact], now: str) -> int:
        """How many of the caller's sorts of value the speech mentions."""
        kinds = {fact.kind for fact in facts.values()}
        right = {fact.kind for fact in facts.values() if fact.kind in _READABLE and occurs(fact.value, fact.kind, self.text)}
        found = sum(1 for kind in _READABLE if kind in kinds and (kind in right or self._strays(kind, facts, now)))
        named = sum(1 for key, fact in facts.items() if fact.kind in (Kind.NAME, Kind.CHOICE) and self._names(key, fact))
        return found + named

    def misread(self, facts: Mapping[str, Fact], said: Set[str], now: str) -> str | None:
        """The first fact whose value the speech has wrong.

        A value is wrong when it is no fact of its kind, and the fact in question was said before, is named, or is the only
        one of its kind; a quantity has to be named. Names and choices are wrong when they are named but do not occur.
        """
        for kind in _READABLE:
            alike = {key: fact for key, fact in facts.items() if fact.kind is kind}
            for value in self._strays(kind, facts, now) if alike else ():
                missing = [key for key, fact in alike.items() if not occurs(fact.value, kind, self.text)]
                meant = said if len(alike) > 1 else set(alike)
                doubted = [key for key in missing if self._mentions(key) or (kind is not Kind.NUMBER and key in meant)]
                likely = [key for key in doubted if kind not in _LONG or _likeness(value, alike[key]) >= 0.5]
                if likely:
                    return max(likely, key=lambda key: (self._mentions(key), _likeness(value, alike[key])))
        for key, fact in facts.items():
            if fact.kind in (Kind.NAME, Kind.CHOICE) and key in said and self._names(key, fact) and not self._has(fact):
                return key
        return None

    def _strays(self, kind: Kind, facts: Mapping[str, Fact], now: str) -> list[Value]:
        """Values of a kind that no fact accounts for: not one of that kind, nor one of another kind in the same words."""
        alike = [fact for fact in facts.values() if fact.kind is kind]
        accounted = [
            (reading.start, reading.end)
            for other in {fact.kind for fact in facts.values() if fact.kind in _READABLE}
            for reading in read(self.text, other, now=now)
            if any(_agrees(reading.value, fact) for fact in facts.values() if fact.kind is other)
        ]
        return [
            reading.value
            for reading in read(self.text, kind, now=now)
            if not any(_agrees(reading.value, fact) for fact in alike)
            and not any(reading.start < end and start < reading.end for start, end in accounted)
        ]

    def _mentions(self, key: str) -> bool:
        return bool(stems(humanised(key)) & stems(self.text))

    def _names(self, key: str, fact: Fact) -> bool:
        """Whether the speech says what the value belongs to."""
        mine = stems(humanised(key))
        common = mine & stems(self.text)
        return common == mine or (fact.kind is Kind.NAME and bool(common))

    def _has(self, fact: Fact) -> bool:
        """Whether the value occurs, for a choice also in part."""
        return occurs(fact.value, fact.kind, self.text) or (fact.kind is Kind.CHOICE and overlap(str(fact.value), self.text) > 0)

    def fact_asked(self, facts: Mapping[str, Fact], unknown: Sequence[str]) -> str | None:
        """The fact the last question is about, by the words of its key and of its kind; None if none or something unknown."""
        question = self.last_question.text
        scores = {key: _asked(question, key, fact) for key, fact in facts.items()}
        best = max(scores, key=lambda key: scores[key], default=None)
        if best is None or scores[best] == 0:
            named = [key for key, fact in facts.items() if self.asks and fact.kind is Kind.CHOICE and self._has(fact)]
            return named[0] if named else None
        return None if _unknown(question, unknown) > scores[best] else best


def _plain(sentence: str) -> str:
    return " ".join(words(sentence))


def _agrees(value: Value, fact: Fact) -> bool:
    """Whether a value read is the fact's, or a piece of a long one such as its last four digits."""
    if same_value(value, fact.value, fact.kind):
        return True
    piece = "".join(words(str(value)))
    return fact.kind in (Kind.DIGITS, Kind.CODE) and len(piece) >= 2 and piece in "".join(words(str(fact.value)))


def _likeness(value: Value, fact: Fact) -> float:
    return SequenceMatcher(None, str(value).casefold(), str(fact.value).casefold(), autojunk=False).ratio()


def _asked(question: str, key: str, fact: Fact) -> float:
    """How much a question is about a fact: the share of its key's words, else a little for a word of its kind."""
    asked = set(words(question))
    kind_words = {stem(word) for word in KIND_WORDS.get(fact.kind, ())}
    mine = stems(humanised(key))
    special = mine - kind_words
    hits = special & stems(question)
    if hits:
        return 1 + len(hits) / len(special) + 0.1 * len(mine & stems(question))
    if {"birth", "born"} & set(words(humanised(key))):
        return 0
    if not {stem(word) for word in asked} & kind_words:
        return 0
    return 0.5 if special else 0.75


def _unknown(question: str, unknown: Sequence[str]) -> float:
    """How much a question is about something the caller does not know, on the scale of `_asked`."""
    asked = stems(question)
    shares = [len(stems(item) & asked) / max(1, len(stems(item))) for item in unknown]
    best = max(shares, default=0.0)
    return 1 + best if best > 0 else 0.0


def since_last_caller(conversation: Sequence[PublicTurn]) -> Speech:
    """Everything the agent said since the caller last spoke, as one speech."""
    said: list[str] = []
    for turn in reversed(conversation):
        if turn.speaker == "caller":
            break
        said.insert(0, turn.speech.strip())
    return Speech(" ".join(part for part in said if part))


def trailing_silences(conversation: Sequence[PublicTurn]) -> int:
    """How many agent turns in a row, up to now, were silent."""
    silences, spoken = 0, False
    for turn in reversed(conversation):
        if turn.speaker == "agent":
            spoken = spoken or bool(turn.speech.strip())
        elif spoken:
            return silences
        else:
            silences += 1
    return silences if spoken else silences + 1


def affirms(line: str) -> bool:
    """Whether a line already begins with an answer to yes or no."""
    return any(word in _YES for word in words(line)[:1])


def denies(line: str) -> bool:
    """Whether a line begins with no."""
    return words(line)[:1] == ["no"]


def noun(key: str) -> str:
    """A fact's key in plain words."""
    return humanised(key) or "right one"
