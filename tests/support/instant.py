"""Runs of any size at no cost: a bundle of many agents and scenarios, and parties that answer at once from memory."""

from __future__ import annotations

import json
from pathlib import Path

from core.caller import CallerView
from core.candidate import AgentTurn, CandidateView, Hearing, ToolAnswers
from core.schemas.call_trace import PartyRecord
from tests.support.parties import say
from tests.support.runs import TURNS
from tests.support.scenes import AGENT_FILE, MINIMAL, SCENARIO_FILE, data_of

SAID = (
    say("Hello, I would like to renew a book, please.", "ask_renewal"),
    say("It is 0441 2907.", "give_card"),
    say("Thank you, that is all.", done=True),
)
"""What every caller says; the call ends before the last of it."""
PARTIES = ("--candidate", "python:tests.support.instant:Candidate", "--caller", "python:tests.support.instant:Caller")


class Caller:
    """Says one thing after another."""

    def __init__(self) -> None:
        self._turn = 0

    def record(self) -> PartyRecord:
        """Who this is."""
        return PartyRecord(party="python:instant-caller")

    def speak(self, view: CallerView, seed: int) -> str:
        """The next line."""
        self._turn += 1
        return SAID[min(self._turn, len(SAID)) - 1]


class Candidate:
    """Greets, asks for the card, looks it up, says goodbye."""

    def __init__(self) -> None:
        self._turn = 0

    def record(self) -> PartyRecord:
        """Who this is."""
        return PartyRecord(party="python:instant-candidate")

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Greet."""
        return self._next()

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """The next turn."""
        return self._next()

    def _next(self) -> AgentTurn:
        self._turn += 1
        turn = TURNS[min(self._turn, len(TURNS)) - 1]
        assert isinstance(turn, AgentTurn)
        return turn


def write_bundle(folder: Path, agents: int, scenarios: int) -> Path:
    """A bundle of `agents` copies of the small bundle's agent with `scenarios` copies of its first scenario each."""
    head = {
        "format": "ringback-bundle-1",
        "id": folder.name,
        "version": "1.0.0",
        "languages": ["en"],
        "licence": "Apache-2.0",
        "generation": {"method": "hand-written"},
    }
    _write(folder / "bundle.yaml", head)
    instructions = (MINIMAL / AGENT_FILE).with_name("instructions.md").read_text(encoding="utf-8")
    for number in range(agents):
        agent = f"desk-{number:03}"
        _write(folder / "agents" / agent / "agent.yaml", data_of(AGENT_FILE) | {"id": agent})
        (folder / "agents" / agent / "instructions.md").write_text(instructions, encoding="utf-8")
        for position in range(scenarios):
            name = f"{agent}-call-{position:03}"
            _write(folder / "scenarios" / agent / f"{name}.yaml", data_of(SCENARIO_FILE) | {"id": name, "agent": agent})
    return folder


def _write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
