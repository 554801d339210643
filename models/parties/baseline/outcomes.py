"""What the candidate does with a tool's answer: go on, report, try again, ask for the value in doubt, or give up."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from core.candidate import AgentTurn, ToolAnswer
from core.spoken import Kind
from models.parties.baseline import closing, offers, results, wording
from models.parties.baseline.hearing import Utterance
from models.parties.baseline.moves import PARTICULAR, Moves
from models.parties.baseline.planning import Role
from models.parties.baseline.results import Verdict
from models.parties.baseline.state import Expect, State

ATTEMPTS = {Role.READ: 3, Role.WRITE: 2, Role.CALLBACK: 2, Role.HANDOFF: 2, Role.END: 2}
"""Calls to one tool for one goal."""


class Outcomes:
    """Turns results into moves."""

    def __init__(self, state: State, moves: Moves) -> None:
        self._state = state
        self._moves = moves

    def handle(self, answers: tuple[ToolAnswer, ...], calls_allowed: bool) -> AgentTurn:
        """Go on after the call that was made."""
        answer = answers[-1]
        role = self._state.toolbox.roles[answer.tool]
        if not calls_allowed:
            return self._moves.say(f"{wording.LIMIT} {wording.ANYTHING_ELSE}", Expect.MORE)
        if role is Role.END:
            return self._still_open(answer.tool)
        outcome = results.verdict(answer.result)
        if outcome is Verdict.DONE and not self._state.toolbox.tools[answer.tool].ends_call:
            return self._worked(answer)
        offer = offers.offer(answer.result)
        if outcome is Verdict.VALUES and offer is not None and self._moves.useful(offer):
            return self._moves.propose(offer, wording.refused(results.told_message(answer.result)))
        return self._failed(answer, outcome)

    def _still_open(self, tool: str) -> AgentTurn:
        """The call-ending tool did not end the call."""
        if self._state.attempts[tool] < ATTEMPTS[Role.END]:
            return self._moves.call(tool, self._moves.closing_arguments(tool), wording.CLOSING_FAILED)
        return self._moves.say(wording.STILL_OPEN, Expect.CLOSED)

    def _worked(self, answer: ToolAnswer) -> AgentTurn:
        state = self._state
        state.succeeded.add(answer.tool)
        sent = self._moves.arguments(answer.tool)
        state.memory.learn(answer.result)
        if answer.tool != state.goal:
            return self._prepared(answer)
        state.deeds.append(closing.Deed(answer.tool, True, results.status_word(answer.result)))
        report = self._report(answer, sent)
        following = state.toolbox.follow_up(answer.tool, sent)
        if following is not None and following not in state.succeeded:
            return self._moves.pursue(following, Utterance(""), report)
        state.goal = None
        return self._moves.say(f"{report} {wording.ANYTHING_ELSE}", Expect.MORE)

    def _prepared(self, answer: ToolAnswer) -> AgentTurn:
        """A step before the goal is done: propose what it found, or tell it where the next question is about it."""
        state = self._state
        offer = offers.offer(answer.result)
        if offer is not None and self._moves.useful(offer):
            return self._moves.propose(offer)
        assert state.goal is not None
        step = state.toolbox.next_step(state.goal, state.memory, state.succeeded)
        about_it = state.toolbox.roles[answer.tool] is Role.READ and step.missing is not None and step.missing.kind is Kind.YES_NO
        found = " ".join(self._told(answer, {})) if about_it else ""
        return self._moves.advance(f"{wording.PREPARED} {found}".strip())

    def _told(self, answer: ToolAnswer, sent: Mapping[str, JsonValue]) -> list[str]:
        """The fields of a result; of what was sent, only what, when and how much."""
        repeated = {slot.name for slot in self._state.toolbox.slots[answer.tool] if slot.kind in PARTICULAR}
        fields = results.tellable(answer.result, list(sent.values()), repeated)
        return [results.field_sentence(leaf, self._state.brief.now) for leaf in fields]

    def _report(self, answer: ToolAnswer, sent: dict[str, JsonValue]) -> str:
        """What came of the goal, in sentences."""
        status = results.status_word(answer.result)
        reading = self._state.toolbox.roles[answer.tool] is Role.READ
        parts = [wording.FOUND if reading else wording.outcome(status, answer.tool)]
        message = results.told_message(answer.result)
        if message is not None:
            parts.append(wording.sentence(message))
        parts += self._told(answer, sent)
        offer = offers.offer(answer.result)
        if offer is not None:
            parts.append(wording.listed([offers.option_words(option) for option in offer.said]))
        for advice in self._state.guidance.after(answer.tool, status or "", self._state.memory.returned()):
            if advice not in self._state.told:
                self._state.told.add(advice)
                parts.append(advice)
        return " ".join(parts)

    def _failed(self, answer: ToolAnswer, outcome: Verdict) -> AgentTurn:
        state, moves = self._state, self._moves
        role = state.toolbox.roles[answer.tool]
        message = results.told_message(answer.result)
        tried = state.attempts[answer.tool]
        spent = tried >= ATTEMPTS[role]
        repeat = moves.hand_off_arguments(answer.tool) if role is Role.HANDOFF else moves.arguments(answer.tool)
        if tried < 2 and (outcome is not Verdict.VALUES or role is Role.HANDOFF):
            return moves.call(answer.tool, repeat, wording.retrying(message, role is Role.HANDOFF))
        if outcome is Verdict.VALUES:
            state.refused[answer.tool] = repeat
        doubtful = moves.doubtful(answer.tool, message or "") if outcome is Verdict.VALUES and not spent else None
        if doubtful is not None:
            return moves.doubt(doubtful, wording.not_found(message) if role is Role.READ else wording.refused(message))
        if tried < 2:
            return moves.call(answer.tool, repeat, wording.TRYING_AGAIN)
        return moves.fall_back(wording.gave_up(message), results.status_word(answer.result))
