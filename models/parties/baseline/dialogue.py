"""The turn logic: what the candidate expects to hear, and which move it makes when it has heard it.

One call is a walk over `Expect`: it waits for a goal, fills the slots of the next tool one by one, reads critical values
back, calls, reports, asks for more, and takes leave. `Moves.advance` decides the next move from the goal and the memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from core.candidate import AgentTurn, CandidateView, ToolAnswers
from core.spoken import Kind, Value
from models.parties.baseline import offers, results, wording
from models.parties.baseline.briefing import briefing
from models.parties.baseline.guidance import Guidance
from models.parties.baseline.hearing import Utterance, corrections, partial, values_in
from models.parties.baseline.limits import limits
from models.parties.baseline.memory import Memory
from models.parties.baseline.moves import Moves
from models.parties.baseline.outcomes import Outcomes
from models.parties.baseline.planning import Role, Toolbox
from models.parties.baseline.schema_fields import Slot
from models.parties.baseline.state import Expect, State
from models.parties.words import overlap, stems, words

MAX_ASKS = 2
"""Questions for one slot without a readable answer."""
MAX_SILENCES = 3
"""Silent turns before it takes leave."""


class Dialogue:
    """One call from the candidate's side."""

    def __init__(self, view: CandidateView) -> None:
        brief = briefing(view.instructions)
        toolbox = Toolbox(view)
        guidance = Guidance(view.instructions, toolbox.tools)
        self._state = State(brief, toolbox, Memory(brief.given), guidance, limits(view, toolbox.slots, brief.now))
        self._moves = Moves(self._state)
        self._outcomes = Outcomes(self._state, self._moves)
        self._handlers: Mapping[Expect, Callable[[Utterance], AgentTurn]] = {
            Expect.GOAL: self._goal,
            Expect.IDENTITY: self._identity,
            Expect.VALUE: self._value,
            Expect.CONFIRMATION: self._confirmation,
            Expect.WRONG_PART: self._wrong_part,
            Expect.PICK: self._pick,
            Expect.RESCUE: self._rescue,
            Expect.MORE: self._more,
            Expect.CLOSED: lambda _: self._moves.say(wording.BARE_GOODBYE),
        }

    def start(self) -> AgentTurn:
        """The first words."""
        brief = self._state.brief
        if brief.outbound:
            opening = brief.greeting or wording.introduction(brief.company, brief.agent, brief.callee)
            return self._moves.say(opening, Expect.IDENTITY)
        return self._moves.say(brief.greeting or wording.greeting(brief.company, brief.agent), Expect.GOAL)

    def results(self, answers: ToolAnswers) -> AgentTurn:
        """Go on after tool results."""
        return self._outcomes.handle(answers.answers, answers.calls_allowed)

    def hear(self, heard: Utterance) -> AgentTurn:
        """Answer one caller turn."""
        state = self._state
        if heard.silent:
            return self._silence()
        state.silences = 0
        closed = state.expect is Expect.CLOSED
        if heard.asks_who and not closed:
            return AgentTurn(speech=f"{wording.who(state.brief.company, state.brief.agent)} {self._last_question()}".strip())
        if heard.asks_presence and not closed:
            return AgentTurn(speech=f"{wording.HELLO_AGAIN} {self._last_question()}".strip())
        if heard.wants_repeat and not closed:
            return AgentTurn(speech=state.last)
        if heard.wants_person and state.expect not in (Expect.RESCUE, Expect.CLOSED) and state.toolbox.of_role(Role.HANDOFF):
            return self._moves.rescue(heard)
        if heard.says_goodbye and not closed:
            return self._moves.close()
        return self._handlers[state.expect](heard)

    def _last_question(self) -> str:
        sentences = re.split(r"(?<=[.?!])\s+", self._state.last)
        asked = [sentence for sentence in sentences if sentence.endswith("?")]
        return asked[-1] if asked else ""

    def _silence(self) -> AgentTurn:
        self._state.silences += 1
        if self._state.expect is Expect.CLOSED:
            return AgentTurn(speech=wording.BARE_GOODBYE)
        if self._state.silences >= MAX_SILENCES:
            return self._moves.close()
        return AgentTurn(speech=f"{wording.NOTHING_HEARD} {self._last_question() or self._state.last}".strip())

    # -- before there is a goal ---------------------------------------------------------------------------------------

    def _goal(self, heard: Utterance) -> AgentTurn:
        state = self._state
        tool = state.toolbox.choose(heard.text)
        if tool is not None:
            return self._moves.pursue(tool, heard)
        if heard.leaves:
            return self._moves.close()
        state.misses += 1
        if state.misses >= 3:
            return self._moves.fall_back(wording.NO_HELP)
        return self._moves.say(wording.can_do([*state.toolbox.of_role(Role.WRITE), *state.toolbox.of_role(Role.READ)]))

    def _identity(self, heard: Utterance) -> AgentTurn:
        """The person rung says whether it is the one wanted; then the agent pursues what it rang for."""
        state = self._state
        callbacks = state.toolbox.of_role(Role.CALLBACK)
        if heard.yes_no is False or heard.cannot_talk:
            return self._moves.pursue(callbacks[0], heard) if callbacks else self._moves.close(wording.WRONG_PERSON)
        tool = state.toolbox.choose(state.brief.purpose, state.toolbox.of_role(Role.WRITE)) or state.toolbox.choose(heard.text)
        return self._goal(heard) if tool is None else self._moves.pursue(tool, heard, wording.PREPARED)

    # -- values -------------------------------------------------------------------------------------------------------

    def _value(self, heard: Utterance) -> AgentTurn:
        state, slot = self._state, self._state.slot
        assert slot is not None
        values = values_in(heard.text, state.open_slots(), slot, state.brief.now)
        if slot.name not in values and not heard.does_not_know and not (heard.waits and not values):
            free = _free_value(slot, heard)
            values |= {slot.name: free} if free is not None else {}
        news = any(not state.memory.knows(name, value) for name, value in values.items())
        self._moves.take(values)
        if slot.name in values:
            return self._moves.advance()
        if heard.waits:
            return AgentTurn(speech=wording.TAKE_YOUR_TIME)
        if heard.does_not_know:
            return self._moves.fall_back(wording.missing_value(slot))
        return self._unread(slot, heard, news)

    def _unread(self, slot: Slot, heard: Utterance, progress: bool) -> AgentTurn:
        """Nothing fits the slot: another wish, or one more question."""
        state = self._state
        other = state.toolbox.choose(heard.text)
        if other not in (None, state.goal) and heard.changes and not progress:
            assert other is not None
            return self._moves.pursue(other, heard)
        if progress:
            return self._moves.advance(wording.PREPARED)
        state.asks[slot.name] += 1
        if state.asks[slot.name] >= MAX_ASKS:
            return self._moves.fall_back(wording.missing_value(slot))
        if heard.asks:
            return self._moves.say(f"{wording.UNANSWERABLE} {wording.question(slot)}")
        piece = partial(heard.text, slot, state.brief.now)
        return self._moves.say(wording.again(slot, str(piece) if piece is not None else None))

    def _confirmation(self, heard: Utterance) -> AgentTurn:
        state = self._state
        other = self._other_pick(heard)
        if other is not None:
            return self._moves.take_option(other)
        changed, repeated = self._corrections(heard)
        if changed and (heard.changes or heard.yes_no is None):
            return self._correct(changed)
        if heard.yes_no is True or (repeated and heard.yes_no is None):
            return self._agreed(heard)
        if heard.yes_no is False:
            said = stems(heard.text)
            named = [slot for slot in state.batch if slot.stems & said] or list(state.batch)
            if len(named) == 1:
                return self._right_value(named[0])
            return self._moves.say(wording.WHICH_PART, Expect.WRONG_PART)
        if heard.waits:
            return AgentTurn(speech=wording.TAKE_YOUR_TIME)
        state.misses += 1
        if state.misses >= 2:
            return self._agreed(heard)
        self._moves.take(self._volunteered(heard))
        return AgentTurn(speech=state.last)

    def _other_pick(self, heard: Utterance) -> offers.Option | None:
        """Another of the alternatives, named instead of the one that was read back."""
        state = self._state
        picked = [known for slot in state.batch if (known := state.memory.get(slot)) is not None and known.spoken is not None]
        if not picked or state.offer is None or heard.yes_no is True:
            return None
        option = offers.picked(heard, state.offer.options)
        return option if option is not None and offers.option_words(option) != picked[0].spoken else None

    def _agreed(self, heard: Utterance) -> AgentTurn:
        self._state.misses = 0
        self._confirm(self._state.batch)
        self._moves.take(self._volunteered(heard))
        return self._moves.advance()

    def _wrong_part(self, heard: Utterance) -> AgentTurn:
        changed, _ = self._corrections(heard)
        if changed:
            return self._correct(changed)
        said = stems(heard.text)
        return self._right_value(max(self._state.batch, key=lambda slot: len(slot.stems & said)))

    def _right_value(self, slot: Slot) -> AgentTurn:
        self._state.memory.reject(slot)
        self._state.slot = slot
        return self._moves.say(wording.right_value(slot), Expect.VALUE)

    def _corrections(self, heard: Utterance) -> tuple[dict[str, Value], bool]:
        """Values that differ from those read back, and whether any was repeated as it was."""
        state = self._state
        current = {slot.name: known.value for slot in state.batch if (known := state.memory.get(slot)) is not None}
        said = corrections(heard.text, state.batch, current, state.brief.now)
        changed = {name: value for name, value in said.items() if current.get(name) != value}
        return changed, len(changed) < len(said)

    def _correct(self, changed: Mapping[str, Value]) -> AgentTurn:
        """Put corrected values in; what was not corrected counts as agreed."""
        state = self._state
        self._confirm(tuple(slot for slot in state.batch if slot.name not in changed))
        for slot in state.batch:
            if slot.name in changed:
                state.memory.hear(slot, changed[slot.name])
        state.corrected = True
        return self._moves.advance()

    def _confirm(self, slots: tuple[Slot, ...]) -> None:
        for slot in slots:
            self._state.memory.confirm(slot)

    def _volunteered(self, heard: Utterance) -> dict[str, Value]:
        agreed = {slot.name for slot in self._state.batch}
        rest = [s for s in self._state.open_slots() if s.name not in agreed and self._state.memory.get(s) is None]
        return values_in(heard.text, rest, None, self._state.brief.now)

    def _pick(self, heard: Utterance) -> AgentTurn:
        state = self._state
        assert state.offer is not None
        assert state.goal is not None
        option = offers.picked(heard, state.offer.said) or offers.picked(heard, state.offer.options)
        if option is not None:
            return self._moves.take_option(option)
        if heard.waits:
            return AgentTurn(speech=wording.TAKE_YOUR_TIME)
        values = values_in(heard.text, state.open_slots(), None, state.brief.now)
        if values:
            self._moves.take(values)
            state.succeeded -= {name for name in state.toolbox.order(state.goal) if self._uses(name, values)}
            return self._moves.advance()
        state.misses += 1
        if heard.yes_no is False or state.misses >= 2:
            return self._moves.fall_back(wording.NO_HELP)
        return AgentTurn(speech=f"{state.offer.refusal} {self._last_question()}")

    def _uses(self, tool: str, values: Mapping[str, Value]) -> bool:
        return any(slot.name in values for slot in self._state.toolbox.slots[tool])

    # -- after the goal -----------------------------------------------------------------------------------------------

    def _advice(self, heard: Utterance) -> str | None:
        deeds = [deed for deed in self._state.deeds if deed.worked]
        statuses = [deed.status for deed in deeds if deed.status]
        done = [deed.tool for deed in deeds]
        return self._state.guidance.about(heard.text, done, statuses, self._state.memory.returned())

    def _rescue(self, heard: Utterance) -> AgentTurn:
        if heard.yes_no is True or heard.wants_person:
            return self._moves.rescue(heard)
        if heard.leaves:
            return self._moves.close()
        self._state.misses += 1
        if heard.yes_no is False or self._state.misses >= 3:
            return self._moves.say(wording.ANYTHING_ELSE, Expect.MORE)
        return AgentTurn(speech=self._state.last)

    def _more(self, heard: Utterance) -> AgentTurn:
        state = self._state
        told = results.answer(heard.text, state.memory.returned()) if heard.asks else []
        if told:
            facts = " ".join(results.field_sentence(leaf, state.brief.now) for leaf in told)
            return self._moves.say(f"{facts} {wording.ANYTHING_ELSE}", Expect.MORE)
        if heard.leaves or (heard.yes_no is False and not heard.asks):
            return self._moves.close()
        tool = state.toolbox.choose(heard.text)
        if tool is not None and not (heard.asks and self._advice(heard)):
            return self._moves.pursue(tool, heard)
        if heard.asks:
            return self._moves.say(f"{self._advice(heard) or wording.UNANSWERABLE} {wording.ANYTHING_ELSE}", Expect.MORE)
        if heard.yes_no is True and len(words(heard.text)) <= 3:
            return self._moves.say(wording.WHAT_ELSE, Expect.GOAL)
        state.misses += 1
        return self._moves.close() if state.misses >= 2 else self._moves.say(wording.ANYTHING_ELSE, Expect.MORE)


def _free_value(slot: Slot, heard: Utterance) -> Value | None:
    """Free words where free words are wanted; a thing that is named where it was asked whether there is any."""
    if slot.kind is Kind.TEXT:
        return heard.plain
    if slot.kind is Kind.YES_NO and overlap(slot.description, heard.text):
        return True
    return None
