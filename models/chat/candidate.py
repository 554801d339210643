"""The chat candidate: the rendered instructions as system message, exactly, and the call as a conversation."""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from core.candidate import AgentProtocolError, AgentTurn, CandidateView, Hearing, ToolAnswer, ToolAnswers
from core.errors import ContextOverflowError, ModeratedError
from core.metered import Meter, Told
from core.schemas.call_trace import PartyRecord, ToolCall
from core.schemas.usage import Usage
from models.chat.client import CHECK_TOOL, ChatClient
from models.chat.prompts import hashes
from models.chat.reply import Json, without_thinking
from models.chat.tooling import Dialect, NativeTools, SchemaTools, WrittenTools, functions

PROBE = "You answer the phone. Say hello."
"""What a check instructs the endpoint to do."""
SILENCE = "(silence)"
"""What stands for a caller that was not heard: many endpoints refuse an empty message."""
_DIALECTS: dict[str, type[NativeTools | WrittenTools | SchemaTools]] = {
    "native": NativeTools,
    "text": WrittenTools,
    "schema": SchemaTools,
}


class ChatCandidate:
    """Implements `core.candidate.Candidate` for one call."""

    def __init__(self, client: ChatClient) -> None:
        self._client = client
        self._settings = client.settings
        self._dialect: Dialect = _DIALECTS[self._settings.tools](())
        self._messages: list[Json] = []
        self._unanswered: tuple[ToolCall, ...] = ()
        self._seed = 0
        self._meter = Meter()

    def record(self) -> PartyRecord:
        """The model with all its settings, and the prompts its tools need by hash."""
        return self._client.record({"role": "candidate", "prompts": dict(hashes(*self._dialect.prompts)), "silence": SILENCE})

    def check(self) -> None:
        """Ask the endpoint for a greeting the way a call is opened, with a tool; raises OperatorError or ProviderError."""
        dialect: Dialect = _DIALECTS[self._settings.tools]((CHECK_TOOL,))
        ask = dialect.ask(calls_allowed=True)
        opening = self._opening(dialect.instructions(PROBE))
        self._meter.add(self._client.check(opening, tools=ask.tools, schema=ask.schema))

    def usage(self) -> Usage:
        """What this candidate used so far."""
        return self._meter.total()

    def tell(self, told: Told) -> None:
        """Tell of what is used from now on."""
        self._meter.tell(told)

    def open(self, view: CandidateView, seed: int) -> AgentTurn:
        """Speak first: to nobody or, where the endpoint's template wants a user's message, to an empty one.

        Where there are no system messages, the instructions are the first user's message.
        """
        self._seed = seed
        self._dialect = _DIALECTS[self._settings.tools](functions(view.tools, self._settings.speech_or_tools))
        instructions = self._dialect.instructions(view.instructions)
        self._messages += self._opening(instructions)
        return self._turn(calls_allowed=True)

    def _opening(self, instructions: str) -> list[Json]:
        nobody: list[Json] = [{"role": "user", "content": ""}] if self._settings.user_first and self._settings.system else []
        return [{"role": "system" if self._settings.system else "user", "content": instructions}, *nobody]

    def respond(self, observation: Hearing | ToolAnswers) -> AgentTurn:
        """Answer what was heard, or go on after tool results."""
        if isinstance(observation, ToolAnswers):
            # The loop numbers calls anew; the endpoint knows them by the ids it gave.
            own = zip(observation.answers, self._unanswered, strict=True)
            self._messages += self._dialect.results([replace(answer, call_id=call.id) for answer, call in own])
            return self._turn(observation.calls_allowed)
        if self._unanswered:
            self._messages += self._dialect.results([_ignored(call) for call in self._unanswered])
        heard = [text.strip() or SILENCE for text in observation.fragments]
        if self._settings.fragments == "joined":
            heard = ["\n".join(heard)]
        self._messages += [{"role": "user", "content": text} for text in heard]
        return self._turn(calls_allowed=True)

    def _turn(self, calls_allowed: bool) -> AgentTurn:
        ask = self._dialect.ask(calls_allowed)
        try:
            reply = self._client.complete(
                self._messages, tools=ask.tools, tool_choice=ask.tool_choice, schema=ask.schema, seed=self._seed
            )
        except (ContextOverflowError, ModeratedError) as error:
            # What a model can read and may answer is a property of the agent, which cannot go on with this call.
            raise AgentProtocolError(f"{error.word}: {error}") from error
        self._meter.add(reply.usage)
        said = self._dialect.read(reply)
        if said.message is not None:
            self._messages.append(said.message if self._settings.thoughts else without_thinking(said.message))
        self._unanswered = said.calls
        raw = "" if reply.raw.strip() == said.speech else reply.raw
        return AgentTurn(speech=said.speech, calls=said.calls, raw=raw, attempts=reply.attempts)


def _ignored(call: ToolCall) -> ToolAnswer:
    """The answer to a call made when only speech was wanted: the loop has recorded it, and endpoints want one for every call."""
    result: dict[str, JsonValue] = {"error": "chain_limit"}
    return ToolAnswer(call.id, call.tool, result)
