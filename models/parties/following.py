"""The scripted caller in a language whose questions it cannot read: it follows cues, question marks and the values it told.

In order, it answers silence, takes the next step when its cue was heard, says its last words again when asked to, confirms
or corrects a read-back, repeats the line of an earlier step that is asked for once more, takes the next step at any other
question, and says goodbye when its plan is done. An agent that only tells something is given `scripted.PATIENCE` turns before
the next step is taken anyway.
"""

from __future__ import annotations

from core.caller import CallerView
from core.grading.sentences import is_question, sentences
from core.schemas.scenario import Fact, Offline
from core.spoken import Kind, Reading, find_value, occurs, read, say
from core.text import find_span
from models.parties.listening import since_last_caller, trailing_silences
from models.parties.manners import Manners
from models.parties.script import Turn, line_of, script_of

_READABLE = (Kind.DIGITS, Kind.CODE, Kind.MONEY, Kind.DATE, Kind.TIME)
"""Kinds that are confirmed and corrected."""
MAX_SILENCES = 4
"""Silent agent turns after which it hangs up."""


class Follower:
    """One decision: everything the caller remembers is in the view."""

    def __init__(self, offline: Offline, view: CallerView, manners: Manners, patience: int, repetitions: int) -> None:
        self._offline, self._view, self._manners = offline, view, manners
        self._patience, self._repetitions = patience, repetitions
        self._mine = [turn.speech for turn in view.conversation if turn.speaker == "caller"]
        plan = [step.id for step in view.brief.plan]
        self._next = plan[len(view.expressed)] if len(view.expressed) < len(plan) else None

    def decide(self) -> Turn:
        """The turn, by the order of rules in the module's docstring."""
        turn = self._choose()
        if turn.step is None and self._mine.count(turn.speech) >= self._repetitions:
            return self._goodbye()
        return turn

    def _choose(self) -> Turn:
        agent = since_last_caller(self._view.conversation)
        if agent.silent:
            silences = trailing_silences(self._view.conversation)
            return self._goodbye() if silences >= MAX_SILENCES else Turn(self._manners.hello)
        if self._next is not None and (not script_of(self._offline, self._next).cues or self._cued(self._next, agent.text)):
            return self._step(self._next)
        if any(find_span(agent.text, phrase) is not None for phrase in self._manners.again):
            return Turn(self._telling()[-1] if self._telling() else self._manners.hello)
        asked = " ".join(sentence for sentence in sentences(agent.text) if is_question(sentence))
        reaction = self._read_back(agent.text) if asked else None
        if reaction is not None:
            return Turn(reaction)
        for step in reversed(self._view.expressed):
            if self._cued(step, asked):
                return Turn(self._step(step).speech)
        if self._next is None:
            return self._goodbye()
        return self._step(self._next) if asked or self._waited() >= self._patience else Turn(self._manners.waits)

    def _cued(self, step: str, text: str) -> bool:
        return any(find_span(text, cue) is not None for cue in script_of(self._offline, step).cues)

    def _step(self, step: str) -> Turn:
        line = line_of(self._offline, step, self._view.brief.facts, self._view.language)
        return Turn(line, step=step, done=script_of(self._offline, step).ends)

    def _goodbye(self) -> Turn:
        return Turn(self._manners.goodbye, done=True)

    def _telling(self) -> list[str]:
        """Its own words that told something."""
        empty = (self._manners.hello, self._manners.waits)
        return [speech for speech in self._mine if speech not in empty]

    def _waited(self) -> int:
        """Turns in a row, up to now, in which it told nothing."""
        told = [speech in self._telling() for speech in self._mine]
        return len(told) if True not in told else told[::-1].index(True)

    def _read_back(self, text: str) -> str | None:
        """Yes, or no with the right value; None where nothing is read back that the caller has told."""
        language, now = self._view.language, self._view.brief.now
        told = [fact for fact in self._view.brief.facts.values() if fact.kind in _READABLE and self._said(fact)]
        places = [find_value(fact.value, fact.kind, text, language=language, now=now) for fact in told]
        right = [place for place in places if place is not None]
        for fact, place in zip(told, places, strict=True):
            strays = [
                reading
                for reading in read(text, fact.kind, language=language, now=now)
                if _of_its_size(reading, fact) and all(reading.end <= start or end <= reading.start for start, end in right)
            ]
            if place is None and strays:
                return self._manners.no.format(say(fact.value, fact.kind, language=language))
        return self._manners.yes if right else None

    def _said(self, fact: Fact) -> bool:
        language, now = self._view.language, self._view.brief.now
        return any(occurs(fact.value, fact.kind, speech, language=language, now=now) for speech in self._mine)


def _of_its_size(reading: Reading, fact: Fact) -> bool:
    """Whether what was read could be meant for the fact: "from nine to one" is no order number of ten digits."""
    return reading.kind not in (Kind.DIGITS, Kind.CODE) or 2 * len(str(reading.value)) >= len(str(fact.value))
