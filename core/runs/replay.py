"""Replaying a trace: recorded words, real line, real backend. Any difference is named by its index.

The caller's raw replies and the candidate's turns are taken from the trace; everything between them (validation, line,
hearing, backend, the end of the call) runs again and must give the same trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from core.backend import Backend, parse_arguments
from core.bundle import Bundle
from core.call import Stage, run_call
from core.caller import CallerInvalid, CallerView
from core.candidate import (
    AgentDisconnected,
    AgentProtocolError,
    AgentTurn,
    CandidateView,
    Hearing,
    ToolAnswers,
)
from core.errors import FileError
from core.line import LineFactory
from core.schemas.base import sha256
from core.schemas.bundle import Agent
from core.schemas.call_trace import EndReason, Message, PartyRecord, Role, Trace, TraceHeader
from core.schemas.scenario import Scenario
from core.seeds import component_seeds


@dataclass(frozen=True)
class Difference:
    """One place where the replay and the trace disagree."""

    where: str
    """Path in the trace, such as `messages[5].content`."""
    recorded: JsonValue
    """What the trace says."""
    replayed: JsonValue
    """What came out again."""

    def __str__(self) -> str:
        return f"{self.where}: recorded {_short(self.recorded)}, replayed {_short(self.replayed)}"


@dataclass(frozen=True)
class Mismatch(Difference):
    """A setting of the line (engine, version, CPU features) that is another one here: nothing behind it can be compared."""

    def __str__(self) -> str:
        return f"{self.where}: recorded {_short(self.recorded)}, here {_short(self.replayed)}"


class RecordedCaller:
    """Says again what a trace's caller said in each turn, rejected attempts included."""

    def __init__(self, trace: Trace) -> None:
        self._record = trace.header.caller
        self._turns = [[*(attempt.raw for attempt in turn.rejected), turn.raw] for turn in trace.caller_turns]

    def record(self) -> PartyRecord:
        """The recorded party."""
        return self._record

    def speak(self, view: CallerView, seed: int) -> str:
        """The recorded reply to this attempt at this turn; an empty one where there is none, which the loop rejects."""
        del seed
        turn = sum(item.speaker == "caller" for item in view.conversation)
        attempts = self._turns[turn] if turn < len(self._turns) else []
        attempt = 1 if view.rejection else 0
        return attempts[attempt] if attempt < len(attempts) else ""


class RecordedCandidate:
    """Answers again what a trace's candidate answered."""

    def __init__(self, trace: Trace, agent: Agent) -> None:
        self._trace = trace
        turns = [_turn(message, agent) for message in trace.messages if message.role is Role.AGENT]
        self._turns: Iterator[AgentTurn] = iter(turns)

    def record(self) -> PartyRecord:
        """The recorded party."""
        return self._trace.header.candidate

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """The first recorded turn."""
        del view, seed
        return self._next()

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """The next recorded turn."""
        del observation
        return self._next()

    def _next(self) -> AgentTurn:
        turn = next(self._turns, None)
        if turn is not None:
            return turn
        if self._trace.end is EndReason.PROTOCOL_ERROR:
            raise AgentProtocolError(self._trace.end_detail)
        raise AgentDisconnected(self._trace.end_detail)


def replay(
    trace: Trace, bundle: Bundle, lines: LineFactory, backend: Callable[[Scenario, int], Backend | None] | None = None
) -> list[Difference]:
    """Every difference between a trace and its replay; empty when they agree.

    `backend` makes that of a scenario whose tools are a program; without it such a trace is refused with UsageError.
    Where the line's settings differ (another engine, other CPU features), these Mismatches are all that is reported.
    """
    header = trace.header
    if header.bundle_hash != bundle.bundle_hash:
        raise FileError(
            f"{bundle.root}: the trace belongs to bundle {header.bundle_hash[:12]}, this one is {bundle.bundle_hash[:12]}"
        )
    scenario = bundle.scenarios.get(header.scenario)
    if scenario is None:
        raise FileError(f"{bundle.root}: no scenario {header.scenario!r}, which the trace names")
    agent = bundle.agent_of(scenario)
    line = lines.open(scenario, header.seeds.speech)
    settings = differences(header.line, line.settings(), "header.line")
    mismatches: list[Difference] = [Mismatch(item.where, item.recorded, item.replayed) for item in settings]
    if mismatches:
        return mismatches
    derived = list(differences(header.to_json(), _derived(header, bundle, scenario).to_json(), "header"))
    if derived:
        return derived
    stage = Stage(
        agent=agent,
        scenario=scenario,
        instructions=bundle.prompt(scenario),
        caller=RecordedCaller(trace),
        line=line,
        candidate=RecordedCandidate(trace, agent),
        backend=None if backend is None else backend(scenario, header.seeds.backend),
    )
    try:
        again = run_call(stage, header)
    except CallerInvalid as invalid:
        return [Difference(f"caller_turns[{invalid.turn - 1}]", "accepted", f"rejected: {invalid}")]
    return list(differences(trace.to_json(), again.to_json(), ""))


def _derived(header: TraceHeader, bundle: Bundle, scenario: Scenario) -> TraceHeader:
    """The header with everything in it that the bundle, the run's seed and the case decide."""
    seeds = component_seeds(header.seeds.run, header.scenario, header.repeat, header.rerun, header.condition)
    return header.model_copy(
        update={
            "bundle": bundle.file.id,
            "bundle_version": bundle.file.version,
            "agent": scenario.agent,
            "language": scenario.language,
            "prompt_sha256": sha256(bundle.prompt(scenario)),
            "seeds": seeds,
        }
    )


def differences(recorded: JsonValue, replayed: JsonValue, where: str) -> Iterator[Difference]:
    """Every leaf in which two JSON values differ."""
    if isinstance(recorded, dict) and isinstance(replayed, dict):
        for key in sorted(recorded.keys() | replayed.keys()):
            path = f"{where}.{key}" if where else key
            yield from differences(recorded.get(key), replayed.get(key), path)
    elif isinstance(recorded, list) and isinstance(replayed, list):
        for index in range(max(len(recorded), len(replayed))):
            a = recorded[index] if index < len(recorded) else None
            b = replayed[index] if index < len(replayed) else None
            yield from differences(a, b, f"{where}[{index}]")
    elif recorded != replayed or type(recorded) is not type(replayed):
        yield Difference(where, recorded, replayed)


def _turn(message: Message, agent: Agent) -> AgentTurn:
    """An agent message as the turn it came from: a farewell carried by an argument is not said twice."""
    speech = message.content
    for call in reversed(message.tool_calls):
        farewell = parse_arguments(call, agent.tool(call.tool)).concluding_message
        if farewell and speech.endswith(farewell.strip()):
            speech = speech[: -len(farewell.strip())].rstrip()
    return AgentTurn(speech=speech, calls=message.tool_calls)


def _short(value: JsonValue) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
