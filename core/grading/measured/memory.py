"""Memory: nothing is asked again that was answered in words the agent heard right."""

from __future__ import annotations

from core.grading.checks import agent_speech
from core.grading.measured.english import ANSWER, CONFIRMATION, FILLER, KINDS_ASKED, NO_ANSWER, REFUSES
from core.grading.measured.turns import HeardTurn, caller_turns
from core.grading.sentences import is_question, sentences
from core.grading.views import ConversationView
from core.schemas.base import Diagnostic
from core.schemas.grade import Judgement
from core.spoken import Kind, read
from core.text import normalise

MIN_TURNS = 2
SAME_TOPIC = 0.75
"""Smallest share of common words (Jaccard) by which two questions ask for the same."""
RATINGS = (5, 3, 2, 1)
"""Rating by number of needless questions; the last for three and more."""

_Topic = frozenset[str]


def rate_memory(view: ConversationView) -> Judgement | None:
    """Rate memory; None for languages whose questions it cannot read."""
    if view.language.split("-")[0] != "en":
        return None
    name = Diagnostic.MEMORY.value
    turns = caller_turns(view)
    if len(turns) < MIN_TURNS:
        return Judgement(id=name, not_applicable=True, reason="fewer than two caller turns: nothing to remember")
    asked: list[tuple[int, _Topic]] = []
    needless: list[int] = []
    for message in agent_speech(view):
        for topic in _topics(message.content):
            earlier = [index for index, other in asked if index < message.index and _same(topic, other)]
            if (earlier and _answered(earlier[-1], message.index, topic, turns)) or _volunteered(topic, message.index, turns):
                needless.append(message.index)
            asked.append((message.index, topic))
    rating = RATINGS[min(len(needless), len(RATINGS) - 1)]
    reason = f"{len(needless)} questions for what had been answered and heard right"
    return Judgement(id=name, rating=rating, reason=reason, evidence=tuple(dict.fromkeys(needless)))


def _topics(speech: str) -> list[_Topic]:
    """What each question of a message asks for; confirmations, offers and readings back ask for nothing new."""
    found = []
    for sentence in sentences(speech):
        if not is_question(sentence) or CONFIRMATION.search(sentence):
            continue
        words = normalise(sentence, "en-v4").split()
        if any(word.isdigit() for word in words):
            continue
        topic = frozenset(word for word in words if word not in FILLER)
        if topic:
            found.append(topic)
    return found


def _same(a: _Topic, b: _Topic) -> bool:
    return len(a & b) / len(a | b) >= SAME_TOPIC


def _answered(asked: int, again: int, topic: _Topic, turns: tuple[HeardTurn, ...]) -> bool:
    """Whether the turn after message `asked` answered in words that arrived, and the one before `again` denied nothing."""
    between = [turn for turn in turns if asked < turn.messages[0] < again]
    if not between or not _is_clear(between[0]) or REFUSES.search(between[-1].intended):
        return False
    answer = between[0].intended
    kinds = next((kinds for words, kinds in KINDS_ASKED if words & topic), None)
    if kinds is not None:
        return _has_value(answer, kinds)
    return ANSWER.search(answer) is not None and NO_ANSWER.search(answer) is None


def _has_value(answer: str, kinds: tuple[Kind, ...]) -> bool:
    """Whether the answer holds a value of these kinds that is not rather a day, a time or an amount."""
    others = [kind for kind in (Kind.DATE, Kind.TIME, Kind.MONEY) if kind not in kinds]
    taken = [(reading.start, reading.end) for kind in others for reading in read(answer, kind)]
    return any(
        all(reading.end <= start or end <= reading.start for start, end in taken)
        for kind in kinds
        for reading in read(answer, kind)
    )


def _volunteered(topic: _Topic, index: int, turns: tuple[HeardTurn, ...]) -> bool:
    """Whether an earlier turn said all words of the topic, at least two, and a number no more than two words behind them."""
    if len(topic) < 2:
        return False
    for turn in turns:
        if turn.messages[-1] > index or not _is_clear(turn):
            continue
        words = normalise(turn.intended, "en-v4").split()
        places = [at for at, word in enumerate(words) if word in topic]
        if topic <= set(words) and any(word.isdigit() for at in places[-1:] for word in words[at + 1 : at + 3]):
            return True
    return False


def _is_clear(turn: HeardTurn) -> bool:
    return not turn.applied and turn.heard_right("en")
