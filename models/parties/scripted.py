"""The scripted caller: a person on the phone with a plan, played from a scenario's `offline` block and its brief alone.

A turn is a pure function of what was said so far, so the same view and seed give the same reply. In order, it:

1. answers silence ("Hello?", then "Are you still there?", then hangs up);
2. corrects a wrong read-back of something it knows;
3. takes the next step when its cue was heard (no cues: at once), or when the agent asks for the fact that step tells;
4. confirms a right read-back; takes up an open invitation ("anything else?") with the next step, or says goodbye;
5. repeats or spells when asked to; answers questions from its facts; says that it does not know the rest;
6. otherwise acknowledges, and after two turns without a cue takes the next step anyway, so that it never waits for ever.

It says one thing at a time and at most one step per turn. Having said the same words three times, it gives up politely.

These rules read English questions. In the other languages of `manners.py` it follows its cues: see `following.py`.
"""

from __future__ import annotations

import json

from core.caller import CallerView
from core.errors import UsageError
from core.schemas.call_trace import PartyRecord
from core.schemas.scenario import Fact, Offline
from core.seeds import derive
from core.spoken import Kind, occurs, say
from models.parties import listening
from models.parties.following import Follower
from models.parties.listening import Speech
from models.parties.manners import LANGUAGES, MANNERS
from models.parties.script import Turn, line_of, script_of
from models.parties.words import overlap

VERSION = "scripted-2"
PATIENCE = 2
"""Turns without a cue after which the next step is taken anyway."""
REPETITIONS = 3
"""How often it says the same words before it gives up."""

_FILLERS = ("Okay.", "Sure, take your time.")
_YES = ("Yes, that's right.", "Yes, that's correct.", "Yes, correct.")
_UNKNOWN = ("I'm sorry, I don't know that.", "I don't know that, sorry.")
_GOODBYE = ("Thank you, goodbye.", "Thanks for your help, goodbye.")
_SPELT = (Kind.NAME, Kind.EMAIL, Kind.CODE)


class ScriptedCaller:
    """Implements `core.caller.Caller` for scenarios in one of `manners.LANGUAGES` that carry an `offline` block."""

    def __init__(self, offline: Offline) -> None:
        self._offline = offline

    def record(self) -> PartyRecord:
        """The party and the version of its rules."""
        return PartyRecord(
            party="offline:scripted", settings={"version": VERSION, "patience": PATIENCE, "repetitions": REPETITIONS}
        )

    def speak(self, view: CallerView, seed: int) -> str:
        """The next turn as JSON of a CallerReply.

        Raises:
            UsageError: a language it does not speak, a step without a line, or a line that names an unknown fact.
        """
        language = view.language.split("-")[0]
        if language not in LANGUAGES:
            spoken = ", ".join(LANGUAGES)
            raise UsageError(f"offline:scripted speaks {spoken}, not {view.language!r}: choose another caller for this scenario")
        if language in MANNERS:
            turn = Follower(self._offline, view, MANNERS[language], PATIENCE, REPETITIONS).decide()
        else:
            turn = _Mind(self._offline, view, seed).decide()
        expressed = [turn.step] if turn.step else []
        speech = turn.speech[:1].upper() + turn.speech[1:]
        return json.dumps({"speech": speech, "expressed": expressed, "done": turn.done}, ensure_ascii=False)


class _Mind:
    """One decision: everything the caller remembers is in the view."""

    def __init__(self, offline: Offline, view: CallerView, seed: int) -> None:
        self._offline = offline
        self._brief = view.brief
        self._facts = view.brief.facts
        self._seed = seed
        self._mine = [turn.speech for turn in view.conversation if turn.speaker == "caller"]
        self._agent = listening.since_last_caller(view.conversation)
        self._silences = listening.trailing_silences(view.conversation)
        plan = [step.id for step in view.brief.plan]
        self._next = plan[len(view.expressed)] if len(view.expressed) < len(plan) else None
        self._last_step = view.expressed[-1] if view.expressed else None

    def decide(self) -> Turn:
        """The turn, by the order of rules in the module's docstring."""
        turn = self._choose()
        if turn.step is None and not turn.done and self._mine.count(turn.speech) >= REPETITIONS:
            return Turn("I'm sorry, I have to go now. Goodbye.", done=True)
        return turn

    def _choose(self) -> Turn:
        agent = self._agent
        if agent.silent:
            return self._silence()
        wrong = self._misread(agent) if agent.reads_back else None
        if wrong is not None:
            return self._correct(wrong)
        cued = self._cued(agent)
        if cued is not None:
            return cued
        if agent.asks_to_repeat:
            return Turn(self._again(agent))
        if agent.reads_back:
            return Turn(self._pick(_YES))
        if agent.invites:
            return self._step() if self._next else Turn("No, that's everything, thank you. Goodbye.", done=True)
        if agent.asks:
            return self._answer(agent)
        return self._statement(agent)

    def _silence(self) -> Turn:
        if self._silences >= 4:
            return Turn("I can't hear you. Goodbye.", done=True)
        return Turn("Hello?" if self._silences <= 1 else "Are you still there?")

    def _cued(self, agent: Speech) -> Turn | None:
        """The next step, if its cue was heard or the fact it tells was asked for."""
        if self._next is None:
            return None
        cues = script_of(self._offline, self._next).cues
        heard = [cue for cue in cues if agent.contains(cue)]
        if not cues or heard:
            agrees_too = agent.reads_back and bool(heard) and not any(agent.confirmation.contains(cue) for cue in heard)
            return self._step("Yes. " if agrees_too else "")
        if agent.asks and not agent.reads_back and not agent.asks_to_repeat:
            key = self._asked_fact(agent)
            if key is not None and f"{{{key}}}" in script_of(self._offline, self._next).line:
                return self._step()
        return None

    def _step(self, prefix: str = "") -> Turn:
        assert self._next is not None
        line = self._line(self._next)
        speech = line if listening.affirms(line) else prefix + line
        return Turn(speech, step=self._next, done=script_of(self._offline, self._next).ends)

    def _statement(self, agent: Speech) -> Turn:
        """The agent told something and asked nothing."""
        if agent.holds:
            return Turn(_FILLERS[1])
        if self._next is None or agent.says_goodbye:
            return Turn(self._pick(_GOODBYE), done=True)
        return self._step() if self._turns_waited() >= PATIENCE else Turn(_FILLERS[0])

    def _answer(self, agent: Speech) -> Turn:
        """A question that no rule before has answered."""
        key = self._asked_fact(agent)
        if key is not None:
            return Turn(self._tell(key, agent))
        if self._next is not None and overlap(agent.last_question.text, self._trigger()) > 0:
            return self._step()
        if agent.offers:
            return Turn("Yes, please.")
        return Turn("I'm not sure." if agent.asks_yes_no else self._pick(_UNKNOWN))

    def _tell(self, key: str, agent: Speech) -> str:
        fact = self._facts[key]
        if fact.kind is Kind.YES_NO:
            return "Yes." if fact.value is True else "No."
        if agent.asks_yes_no and fact.kind is Kind.NAME and occurs(fact.value, fact.kind, agent.text):
            return "Yes, speaking."
        return f"It's {self._said(fact, spell=agent.asks_to_spell)}."

    def _correct(self, key: str) -> Turn:
        """Say what is right; from the second time on, spell what can be spelled."""
        fact = self._facts[key]
        right = self._said(fact)
        before = sum(1 for speech in self._mine if listening.denies(speech) and right in speech)
        subject = "it's" if self._agent.values_read(self._facts, self._brief.now) <= 1 else f"the {listening.noun(key)} is"
        if before and fact.kind in _SPELT:
            return Turn(f"No, {subject} {self._spelled(fact)}.")
        return Turn(f"No, {subject} {right}.")

    def _again(self, agent: Speech) -> str:
        """Repeat: the fact asked for, else the last words that told something; spelled on request or when asked twice."""
        asked = self._asked_fact(agent)
        key = asked or self._last_told()
        telling = [speech for speech in self._mine if speech not in _FILLERS]
        if key is not None:
            fact = self._facts[key]
            told = sum(1 for speech in self._mine if self._said(fact) in speech)
            if fact.kind in _SPELT and (agent.asks_to_spell or told > 1):
                return f"It's {self._spelled(fact)}."
            if asked is not None or not telling:
                return f"It's {self._said(fact)}."
        return telling[-1] if telling else "Hello?"

    def _spelled(self, fact: Fact) -> str:
        """A value with its spelling, where that differs from saying it."""
        said, letters = self._said(fact), self._said(fact, spell=True)
        return said if said == letters else f"{said}, spelled {letters}"

    def _last_told(self) -> str | None:
        """The fact the caller's last telling words were about, where they told exactly one."""
        for speech in reversed(self._mine):
            if speech not in _FILLERS:
                keys = [key for key, fact in self._facts.items() if self._said(fact) in speech]
                return keys[0] if len(keys) == 1 else None
        return None

    def _misread(self, agent: Speech) -> str | None:
        """The fact a read-back has wrong, if any."""
        said = {key for key, fact in self._facts.items() if any(self._said(fact) in speech for speech in self._mine)}
        return agent.misread(self._facts, said, self._brief.now)

    def _asked_fact(self, agent: Speech) -> str | None:
        """The fact a question is about, unless it is rather about something unknown to the caller."""
        return agent.fact_asked(self._facts, self._brief.unknown)

    def _turns_waited(self) -> int:
        """Caller turns since the last step was expressed."""
        if self._last_step is None:
            return len(self._mine)
        line = self._line(self._last_step)
        for waited, speech in enumerate(reversed(self._mine)):
            if speech.endswith(line):
                return waited
        return len(self._mine)

    def _trigger(self) -> str:
        return next(step.trigger for step in self._brief.plan if step.id == self._next)

    def _line(self, step: str) -> str:
        return line_of(self._offline, step, self._facts, "en")

    @staticmethod
    def _said(fact: Fact, spell: bool = False) -> str:
        return say(fact.value, fact.kind, spell=spell)

    def _pick(self, ways: tuple[str, ...]) -> str:
        """One of several ways to say the same, by seed and turn."""
        return ways[derive(self._seed, len(self._mine), "wording") % len(ways)]
