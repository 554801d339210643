"""A caller and a candidate that follow lists, and one call played with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from core.call import Stage, run_call
from core.caller import Caller, CallerView
from core.candidate import AgentTurn, Candidate, CandidateView, Hearing, ToolAnswers
from core.line import AuthoredLine, Line, TextLine
from core.prompt import render_prompt
from core.schemas.base import Condition, sha256
from core.schemas.bundle import Agent
from core.schemas.call_trace import CodeVersion, PartyRecord, ToolCall, Trace, TraceHeader
from core.schemas.scenario import Scenario
from core.seeds import component_seeds
from tests.support.scenes import agent as library_agent
from tests.support.scenes import minimal
from tests.support.scenes import scenario as library_scenario


def say(speech: str, *steps: str, done: bool = False) -> str:
    """A caller's reply as the JSON it sends."""
    return json.dumps({"speech": speech, "expressed": list(steps), "done": done}, ensure_ascii=False)


def call(tool: str, arguments: Any = None, **named: Any) -> ToolCall:
    """A tool call; `arguments`, where given, is sent as it is."""
    return ToolCall(id="as-sent", tool=tool, arguments=named if arguments is None else arguments)


def turn(speech: str = "", *calls: ToolCall) -> AgentTurn:
    """What a candidate answers."""
    return AgentTurn(speech=speech, calls=calls)


class ListCaller:
    """Says its replies one after another, the last one for ever, and keeps what it was shown."""

    def __init__(self, replies: Sequence[str | Exception]) -> None:
        self._replies = list(replies)
        self.views: list[CallerView] = []
        self.seeds: list[int] = []

    def record(self) -> PartyRecord:
        return PartyRecord(party="test:caller")

    def speak(self, view: CallerView, seed: int) -> str:
        self.views.append(view)
        self.seeds.append(seed)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


class ListCandidate:
    """Answers its turns one after another, the last one for ever, and keeps what it was shown."""

    def __init__(self, turns: Iterable[AgentTurn | Exception]) -> None:
        self._turns = list(turns)
        self.view: CandidateView | None = None
        self.seed: int | None = None
        self.observations: list[Hearing | ToolAnswers] = []

    def record(self) -> PartyRecord:
        return PartyRecord(party="test:candidate")

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        self.view, self.seed = view, seed
        return self._next()

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        self.observations.append(observation)
        return self._next()

    def _next(self) -> AgentTurn:
        answer = self._turns.pop(0) if len(self._turns) > 1 else self._turns[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


GREETING = "Corner Library, how can I help?"
DONE = (say("That is all, thank you.", done=True),)
"""A caller that wants nothing."""


def header(
    scenario: Scenario,
    agent: Agent,
    line: Line,
    *,
    run_seed: int = 7,
    repeat: int = 0,
    rerun: int = 0,
) -> TraceHeader:
    """The header of a call of the small bundle."""
    bundle = minimal()
    prompt = render_prompt(bundle.templates[agent.id], scenario.variables)
    return TraceHeader(
        bundle=bundle.file.id,
        bundle_version=bundle.file.version,
        bundle_hash=bundle.bundle_hash,
        scenario=scenario.id,
        agent=agent.id,
        language=scenario.language,
        condition=line.condition,
        repeat=repeat,
        rerun=rerun,
        prompt_sha256=sha256(prompt),
        seeds=component_seeds(run_seed, scenario.id, repeat, rerun, line.condition),
        caller=PartyRecord(party="test:caller"),
        candidate=PartyRecord(party="test:candidate"),
        line=line.settings(),
        code=CodeVersion(version="0.0.0"),
    )


def play(
    turns: Iterable[AgentTurn | Exception] | Candidate,
    replies: Sequence[str | Exception] | Caller = DONE,
    *,
    scenario: Scenario | None = None,
    agent: Agent | None = None,
    line: Line | None = None,
    condition: Condition = Condition.TEXT,
    run_seed: int = 7,
) -> Trace:
    """Play one call of the small bundle with listed replies and turns, or with parties of any kind."""
    scenario, agent = scenario or library_scenario(), agent or library_agent()
    line = line or (TextLine() if condition is Condition.TEXT else AuthoredLine(scenario))
    stage = Stage(
        agent=agent,
        scenario=scenario,
        instructions=render_prompt(minimal().templates[agent.id], scenario.variables),
        caller=ListCaller(replies) if isinstance(replies, Sequence) else replies,
        line=line,
        candidate=ListCandidate(turns) if isinstance(turns, Iterable) else turns,
    )
    return run_call(stage, header(scenario, agent, line, run_seed=run_seed))
