"""The chat caller: a brief as instructions, the call as a conversation, the next turn as JSON.

The agent's words are the user's messages and the caller's own replies the assistant's, so that a request begins with all that
the one before it held, and only its last message tells what changes from turn to turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from core.caller import CallerReply, CallerView, PublicTurn, RawReply
from core.metered import Meter, Told
from core.schemas.base import canonical_json
from core.schemas.call_trace import PartyRecord
from core.schemas.scenario import Brief
from core.schemas.usage import Usage
from models.chat.client import CHECK_SCHEMA, ChatClient
from models.chat.naming import language_and_script
from models.chat.prompts import hashes, prompt
from models.chat.reply import Json

SYSTEM, TURN = "caller-1", "caller-turn-1"
SILENCE = "(silence)"
"""What stands for an agent that says nothing."""
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class ChatCaller:
    """Implements `core.caller.Caller`; a turn depends on nothing but the view and the seed."""

    def __init__(self, client: ChatClient) -> None:
        self._client = client
        self._meter = Meter()

    def record(self) -> PartyRecord:
        """The model with all its settings, and the prompts by hash."""
        return self._client.record({"role": "caller", "prompts": dict(hashes(SYSTEM, TURN)), "silence": SILENCE})

    def check(self) -> None:
        """Ask the endpoint for the smallest reply; raises OperatorError or ProviderError."""
        self._meter.add(self._client.check(schema=CHECK_SCHEMA))

    def usage(self) -> Usage:
        """What this caller used so far."""
        return self._meter.total()

    def tell(self, told: Told) -> None:
        """Tell of what is used from now on."""
        self._meter.tell(told)

    def speak(self, view: CallerView, seed: int) -> RawReply:
        """The next turn as it came; raises OperatorError or ProviderError."""
        reply = self._client.complete(caller_messages(view), schema=reply_schema(view.brief), seed=seed)
        self._meter.add(reply.usage)
        return RawReply(reply.raw, reply.attempts, reply.ending)


def caller_messages(view: CallerView) -> list[Json]:
    """The whole request: instructions, the call so far, and on the last message what to do now."""
    messages: list[Json] = [{"role": "system", "content": _instructions(view)}]
    for turn in _joined(view.conversation):
        if turn.speaker == "agent":
            messages.append({"role": "user", "content": turn.speech or SILENCE})
        else:
            said = CallerReply(speech=turn.speech, expressed=turn.expressed)
            messages.append({"role": "assistant", "content": canonical_json(said.to_json()).decode()})
    messages[-1] = {"role": "user", "content": _now_speak(view, str(messages[-1]["content"]))}
    return messages


def reply_schema(brief: Brief) -> dict[str, JsonValue]:
    """JSON Schema of a reply; the same in every turn of a call."""
    steps: list[JsonValue] = [step.id for step in brief.plan]
    return {
        "type": "object",
        "properties": {
            "speech": {"type": "string"},
            "expressed": {"type": "array", "items": {"type": "string", "enum": steps}},
            "done": {"type": "boolean"},
        },
        "required": ["speech", "expressed", "done"],
        "additionalProperties": False,
    }


def _instructions(view: CallerView) -> str:
    brief = view.brief
    facts = [f"- [{key}] {_shown(fact.value)} ({fact.kind.value})" for key, fact in brief.facts.items()]
    steps = [
        f"{place}. [{step.id}] When: {step.trigger} Then get across: {step.meaning}"
        for place, step in enumerate(brief.plan, start=1)
    ]
    return prompt(SYSTEM).fill(
        context=brief.context,
        reason=brief.reason,
        now=_moment(brief.now),
        traits=_traits(brief),
        facts="\n".join(facts) or "- nothing in particular",
        unknown="\n".join(f"- {item}" for item in (*brief.unknown, "anything else that is not written here")),
        plan="\n".join(steps),
        language=language_and_script(view.language, view.script),
    )


def _now_speak(view: CallerView, heard: str) -> str:
    left = view.brief.plan[len(view.expressed) :]
    coming = f"next is {left[0].id}, once this has come true: {left[0].trigger}" if left else "no step is left."
    rejected = f" Your last reply was not accepted: {'; '.join(view.rejection)}. Do it again, rightly." if view.rejection else ""
    return prompt(TURN).fill(
        heard=heard,
        taken=", ".join(view.expressed) or "none",
        next=coming,
        rejected=rejected,
        language=language_and_script(view.language, view.script),
    )


def _joined(conversation: Sequence[PublicTurn]) -> list[PublicTurn]:
    """What the agent said between two turns of the caller as one turn, since it spoke on without a pause for an answer."""
    turns: list[PublicTurn] = []
    for turn in conversation:
        if turns and turn.speaker == turns[-1].speaker == "agent":
            turns[-1] = PublicTurn("agent", f"{turns[-1].speech}\n{turn.speech}".strip())
        else:
            turns.append(turn)
    return turns


def _shown(value: str | int | float | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _moment(now: str) -> str:
    """The weekday, since people speak of days by it, and the moment as the brief has it."""
    moment = datetime.fromisoformat(now)
    return f"{_DAYS[moment.weekday()]}, {moment:%Y-%m-%d, %H:%M}"


def _traits(brief: Brief) -> str:
    """How the caller comes across, where the brief says so: grammar and manner depend on it."""
    voice = brief.voice
    told = [trait for trait in (voice.gender, voice.age, voice.mood) if trait not in ("", "any")]
    return f" You come across as: {', '.join(told)}." if told else ""
