"""Candidates as a user might bring them, good and bad: named on the command line as python:tests.support.candidates:<object>."""

from __future__ import annotations

import threading

from core.candidate import AgentDisconnected, AgentTurn, CandidateView, Hearing, ToolAnswers
from core.schemas.call_trace import PartyRecord, ToolCall
from core.schemas.usage import Usage

GREETING = "Corner Library, how can I help?"
CHAINED = 11


class Polite:
    """Greets, then says one thing for ever. The others differ in how they answer."""

    def __init__(self, words: str = "Could you say that again?") -> None:
        self.words = words
        self.turns = 0

    def record(self) -> PartyRecord:
        """Who this is."""
        return PartyRecord(party=f"python:{type(self).__name__}", settings={"words": self.words})

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Greet."""
        return AgentTurn(speech=GREETING)

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """Count the caller's turns and answer."""
        if isinstance(observation, ToolAnswers):
            return self.after(observation)
        self.turns += 1
        return self.answer(observation)

    def answer(self, heard: Hearing) -> AgentTurn:
        """Answer the caller."""
        return AgentTurn(speech=self.words)

    def after(self, answers: ToolAnswers) -> AgentTurn:
        """Go on after tools."""
        return AgentTurn(speech=f"I got {answers.answers[-1].result}.")


class Short(Polite):
    """Asks for the card number and hangs up whatever the answer, so that a call is over after two caller turns."""

    def answer(self, heard: Hearing) -> AgentTurn:
        """Ask, then end the call."""
        if self.turns == 1:
            return AgentTurn(speech="What is your card number?")
        return AgentTurn(speech="Thank you. Goodbye.", calls=(ToolCall(id="end", tool="end_call", arguments={}),))


class Leaves(Polite):
    """Is gone at the second caller turn."""

    def answer(self, heard: Hearing) -> AgentTurn:
        """Leave."""
        if self.turns == 2:
            raise AgentDisconnected("the socket was closed")
        return super().answer(heard)


class Hangs(Polite):
    """Does not answer the second caller turn."""

    def answer(self, heard: Hearing) -> AgentTurn:
        """Wait for what never comes."""
        if self.turns == 2:
            threading.Event().wait()
        return super().answer(heard)


class Paid(Short):
    """Says what it used: a cent for every turn."""

    asked = 0

    def usage(self) -> Usage:
        """All turns so far."""
        return Usage(requests=self.asked, prompt_tokens=100 * self.asked, cost_usd=0.01 * self.asked)

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Greet."""
        self.asked += 1
        return super().open(view, seed)

    def answer(self, heard: Hearing) -> AgentTurn:
        """Answer."""
        self.asked += 1
        return super().answer(heard)


class Crashes(Polite):
    """Has a bug."""

    def answer(self, heard: Hearing) -> AgentTurn:
        """Fail."""
        raise ZeroDivisionError("division by zero")


class Silent(Polite):
    """Never says anything."""

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Say nothing."""
        return AgentTurn()

    def answer(self, heard: Hearing) -> AgentTurn:
        """Say nothing but blanks."""
        return AgentTurn(speech=" \n\t ")


class Calls(Polite):
    """Calls tools in its own ways at the first caller turn."""

    sent: tuple[ToolCall, ...] = ()

    def answer(self, heard: Hearing) -> AgentTurn:
        """Call."""
        return AgentTurn(calls=self.sent) if self.turns == 1 else super().answer(heard)


class BrokenJson(Calls):
    """Sends arguments that are no JSON."""

    sent = (ToolCall(id="a", tool="find_card", arguments='{"card_number": "0441'),)


class UnknownTool(Calls):
    """Calls a tool that is not there."""

    sent = (ToolCall(id="b", tool="open_vault", arguments={"code": 1}),)


class Chains(Calls):
    """Sends eleven calls, one after another, before it speaks."""

    sent = (ToolCall(id="c", tool="find_card", arguments={"card_number": "04412907"}),)

    def after(self, answers: ToolAnswers) -> AgentTurn:
        """Call again, more often than is allowed."""
        self.called = getattr(self, "called", 1) + 1
        return AgentTurn(calls=self.sent) if self.called <= CHAINED else super().after(answers)
