"""A candidate that writes replies no voice can say, among plain ones: python:tests.support.written:Written."""

from __future__ import annotations

from core.candidate import AgentDisconnected, AgentTurn, CandidateView, Hearing, ToolAnswers
from core.schemas.call_trace import PartyRecord

PLAIN = ("Hello, how can I help you today?", "Thank you, I will look that up for you.")
PLANTED = {
    "**Please** read https://example.com/help first.": {"markdown", "an address of the web", "a symbol"},
    "That is ticket #4 | shelf <9>.": {"a symbol"},
    "请稍等一下。": {"another script"},
    "Your reference is 8827364510.": {"a long run of digits"},
    "Your repair is done 🎉 and waiting.": {"an emoji or pictogram"},
}
"""Each reply with what in it no voice says."""
SAID = (PLAIN[0], *list(PLANTED)[:4], PLAIN[1])
"""What it says in a call, as many replies as the caller of a short one hears."""


class Written:
    """Says one reply after the other and hangs up."""

    def __init__(self) -> None:
        self._left = list(SAID)

    def record(self) -> PartyRecord:
        """Who this is."""
        return PartyRecord(party="python:Written")

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """The first reply."""
        return AgentTurn(speech=self._left.pop(0))

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """The next reply, until there is none."""
        if not self._left:
            raise AgentDisconnected("said everything")
        return AgentTurn(speech=self._left.pop(0))
