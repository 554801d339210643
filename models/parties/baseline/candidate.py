"""The baseline candidate's place in the seam: it hands what it is given to its dialogue."""

from __future__ import annotations

from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswers
from core.schemas.call_trace import PartyRecord
from models.parties.baseline.dialogue import MAX_ASKS, Dialogue
from models.parties.baseline.hearing import Utterance, joined
from models.parties.baseline.moves import BATCH, MAX_ROUNDS

VERSION = "baseline-1"


class BaselineCandidate:
    """Implements `core.candidate.Candidate`. Deterministic: the seed decides nothing."""

    def __init__(self) -> None:
        self._dialogue: Dialogue | None = None

    def record(self) -> PartyRecord:
        """The party, its version and its limits."""
        settings = {"version": VERSION, "read_backs": MAX_ROUNDS, "asks": MAX_ASKS, "values_per_read_back": BATCH}
        return PartyRecord(party="offline:baseline", settings={**settings})

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Greet."""
        del seed
        self._dialogue = Dialogue(view)
        return self._dialogue.start()

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """Answer a caller turn, all its fragments as one utterance, or go on after tool results."""
        if self._dialogue is None:
            raise RuntimeError("respond() before open()")
        if isinstance(observation, Hearing):
            return self._dialogue.hear(Utterance(joined(observation.fragments)))
        return self._dialogue.results(observation)
