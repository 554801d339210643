"""The whole loop of one call. Every condition and every kind of candidate goes through it.

candidate speaks first
repeat up to thirty caller turns:
    caller speaks (validated, one second attempt)  ->  line carries  ->  candidate answers, tools included
until a call-ending tool succeeds, the caller is done, or the agent is gone
"""

from __future__ import annotations

from dataclasses import dataclass

from core.backend import CHAIN_LIMIT, Backend, QueueBackend, parse_arguments
from core.caller import Caller, CallerInvalid, CallerReply, CallerView, PublicTurn, RawReply, parse_reply, reply_faults
from core.candidate import (
    AgentDisconnected,
    AgentProtocolError,
    AgentTurn,
    Candidate,
    CandidateView,
    Hearing,
    ToolAnswer,
    ToolAnswers,
)
from core.errors import UsageError
from core.line import Heard, Line, LineTurn, Sounded
from core.schemas.base import canonical_json, encodable, is_json
from core.schemas.bundle import Agent
from core.schemas.call_trace import (
    CallerTurn,
    EndReason,
    Fragment,
    Message,
    RejectedAttempt,
    Role,
    ToolCall,
    ToolEvent,
    Trace,
    TraceHeader,
)
from core.schemas.scenario import Scenario
from core.seeds import generator

MAX_CALLER_TURNS = 30
MAX_IDLE_TURNS = 3
"""Candidate turns in a row without speech or tool call before the call ends as `agent_idle`."""


@dataclass(frozen=True)
class Stage:
    """Everything one attempt at a call is played with."""

    agent: Agent
    """The agent."""
    scenario: Scenario
    """The scenario."""
    instructions: str
    """The agent's rendered instructions."""
    caller: Caller
    """A fresh caller."""
    line: Line
    """A fresh line."""
    candidate: Candidate
    """A fresh candidate."""
    backend: Backend | None = None
    """A fresh backend, where the scenario's is a program; fixtures need none."""


def run_call(stage: Stage, header: TraceHeader) -> Trace:
    """Play one call to its end; raises CallerInvalid where the caller fails twice in a turn."""
    return _Call(stage, header).run()


class _Ended(Exception):
    """The call is over."""

    def __init__(self, reason: EndReason, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True)
class _Spoken:
    """A caller turn that was accepted."""

    reply: CallerReply
    raw: str
    rejected: tuple[RejectedAttempt, ...]
    attempts: tuple[str, ...]


class _Call:
    """The growing record of one call."""

    def __init__(self, stage: Stage, header: TraceHeader) -> None:
        self.stage = stage
        self.header = header
        self.backend = _backend(stage)
        self.messages: list[Message] = []
        self.turns: list[CallerTurn] = []
        self.events: list[ToolEvent] = []
        self.conversation: list[PublicTurn] = []
        self.expressed: list[str] = []
        self.idle_turns = 0

    def run(self) -> Trace:
        """Play until the call ends, and give its record."""
        try:
            self._play()
        except _Ended as end:
            return self._trace(end.reason, end.detail)
        except AgentDisconnected as gone:
            return self._trace(EndReason.AGENT_DISCONNECTED, str(gone))
        except AgentProtocolError as broken:
            return self._trace(EndReason.PROTOCOL_ERROR, str(broken))
        return self._trace(EndReason.TURN_LIMIT, "")

    def _play(self) -> None:
        stage = self.stage
        self._add(Role.SYSTEM, stage.instructions)
        tools = tuple(tool.model_copy(update={"success": None}) for tool in stage.agent.tools)
        view = CandidateView(instructions=stage.instructions, tools=tools)
        self._agent_speaks(stage.candidate.open(view, self.header.seeds.candidate))
        for number in range(1, MAX_CALLER_TURNS + 1):
            spoken = self._caller_speaks()
            reply = spoken.reply
            turn = LineTurn(number=number, speech=reply.speech, expressed=reply.expressed)
            heard = stage.line.carry(turn, generator(self.header.seeds.line, "turn", number))
            self._caller_heard(turn, spoken, heard)
            self._agent_speaks(stage.candidate.respond(Hearing(tuple(piece.text for piece in heard.fragments))))
            if reply.done:
                raise _Ended(EndReason.CALLER_DONE)

    # -- the caller ---------------------------------------------------------------------------------------------------

    def _caller_speaks(self) -> _Spoken:
        rejected: list[RejectedAttempt] = []
        attempts: list[str] = []
        for _attempt in range(2):
            view = CallerView(
                brief=self.stage.scenario.caller,
                language=self.stage.scenario.language,
                script=self.stage.scenario.script,
                conversation=tuple(self.conversation),
                expressed=tuple(self.expressed),
                rejection=rejected[-1].reasons if rejected else (),
            )
            came = self.stage.caller.speak(view, self.header.seeds.caller)
            came = came if isinstance(came, RawReply) else RawReply(came)
            raw = encodable(came.text)
            attempts += map(encodable, came.attempts)
            try:
                reply = parse_reply(raw)
                faults = reply_faults(reply, self.stage.scenario, tuple(self.expressed))
            except ValueError as error:
                faults = (f"{error}, {encodable(came.ending)}" if came.ending else str(error),)
            if not faults:
                return _Spoken(reply, raw, tuple(rejected), tuple(attempts))
            rejected.append(RejectedAttempt(raw=raw, reasons=faults))
        raise CallerInvalid(len(self.turns) + 1, tuple(rejected))

    def _caller_heard(self, turn: LineTurn, spoken: _Spoken, heard: Heard) -> None:
        fragments = []
        for piece in heard.fragments:
            message = self._add(Role.CALLER, piece.text, caller_turn=turn.number, audio=piece.span)
            fragments.append(Fragment(text=piece.text, message=message.index, clip=piece.clip, confidence=piece.confidence))
        self.turns.append(
            CallerTurn(
                turn=turn.number,
                intended=turn.speech,
                expressed=turn.expressed,
                done=spoken.reply.done,
                heard=tuple(fragments),
                events=heard.events,
                rejected=spoken.rejected,
                raw=spoken.raw,
                attempts=spoken.attempts,
                audio=heard.audio,
            )
        )
        self.expressed.extend(turn.expressed)
        self.conversation.append(PublicTurn("caller", turn.speech, turn.expressed))

    # -- the candidate ------------------------------------------------------------------------------------------------

    def _agent_speaks(self, turn: AgentTurn) -> None:
        """Record the candidate's turn and answer its tool calls until it waits for the caller."""
        before, acted = len(self.conversation), False
        chained = 0
        while True:
            acted = acted or bool(turn.calls)
            over_limit = chained > CHAIN_LIMIT
            answers, chained = self._record_agent(turn, chained)
            if not turn.calls or over_limit:
                break
            turn = self.stage.candidate.respond(ToolAnswers(answers, calls_allowed=chained <= CHAIN_LIMIT))
        spoke = len(self.conversation) > before
        if not spoke:
            self.conversation.append(PublicTurn("agent", ""))
        self.idle_turns = 0 if spoke or acted else self.idle_turns + 1
        if self.idle_turns >= MAX_IDLE_TURNS:
            raise _Ended(EndReason.AGENT_IDLE, f"{MAX_IDLE_TURNS} turns without speech or tool call")

    def _record_agent(self, turn: AgentTurn, chained: int) -> tuple[tuple[ToolAnswer, ...], int]:
        """Append one agent message and the results of its calls; raises _Ended on a successful call-ending tool."""
        first = len(self.events)
        calls = tuple(_as_recorded(call, f"call_{first + n}") for n, call in enumerate(turn.calls))
        parsed = [parse_arguments(call, self.stage.agent.tool(call.tool)) for call in calls]
        farewells = [item.concluding_message for item in parsed if item.concluding_message]
        speech = encodable(" ".join([turn.speech.strip(), *farewells]).strip())
        sounded = (self.stage.line.reply(speech) if speech else None) or Sounded(None)
        message = self._add(
            Role.AGENT,
            speech,
            tool_calls=calls,
            audio=sounded.span,
            voice=sounded.voice,
            spoken=sounded.spoken,
            retakes=sounded.retakes,
            attempts=tuple(map(encodable, turn.attempts)),
            raw=encodable(turn.raw),
        )
        if speech:
            self.conversation.append(PublicTurn("agent", speech))
        answers = []
        ended = False
        for call, arguments in zip(calls, parsed, strict=True):
            chained += 1
            allowed = chained <= CHAIN_LIMIT
            answer = self.backend.call(call.tool, arguments) if allowed else self.backend.chain_limit()
            content = canonical_json(answer.result).decode()
            result = self._add(Role.TOOL, content, tool_call_id=call.id)
            self.events.append(
                ToolEvent(
                    index=len(self.events),
                    message=message.index,
                    result_message=result.index,
                    call_id=call.id,
                    tool=call.tool,
                    call_number=answer.call_number,
                    entry=answer.entry,
                    raw_arguments=call.arguments,
                    arguments=arguments.arguments,
                    parse_error=arguments.error,
                    matchers=answer.matchers,
                    outcome=answer.outcome,
                    result=answer.result,
                    ended_call=answer.ended_call,
                )
            )
            answers.append(ToolAnswer(call.id, call.tool, answer.result))
            ended = ended or answer.ended_call
        if ended:
            raise _Ended(EndReason.TOOL_END)
        return tuple(answers), chained

    # -- the record ---------------------------------------------------------------------------------------------------

    def _add(self, role: Role, content: str, **fields: object) -> Message:
        message = Message.model_validate({"index": len(self.messages), "role": role, "content": content, **fields})
        self.messages.append(message)
        return message

    def _trace(self, reason: EndReason, detail: str) -> Trace:
        return Trace(
            header=self.header,
            messages=tuple(self.messages),
            caller_turns=tuple(self.turns),
            tool_events=tuple(self.events),
            end=reason,
            end_detail=detail,
            recording=self.stage.line.recording(self.messages),
            state_diff=self.backend.state_diff(),
        )


def _backend(stage: Stage) -> Backend:
    if stage.backend is not None:
        return stage.backend
    if stage.scenario.backend.program is not None:
        raise UsageError(code_refused(stage.scenario))
    return QueueBackend(stage.agent, stage.scenario)


def code_refused(scenario: Scenario) -> str:
    """Why a scenario whose tools are a program is not played."""
    program = scenario.backend.program
    return f"scenario {scenario.id!r} runs code of its bundle ({program}): read it, then allow it with --allow-code"


def _as_recorded(call: ToolCall, call_id: str) -> ToolCall:
    """A call as the trace can carry it: under the loop's own id, and as text where JSON has no way to write it."""
    sent = call.arguments
    if not is_json(sent):
        sent = encodable(sent if isinstance(sent, str) else repr(sent))
    return ToolCall(id=call_id, tool=encodable(call.tool), arguments=sent)
