"""The client of chat models: what parties ask, answered from the cache or by the endpoint, with patience and within limits."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from core.errors import ContextOverflowError, ModeratedError, OperatorError, RefusedError
from core.schemas.base import content_hash
from core.schemas.call_trace import PartyRecord
from core.schemas.usage import Usage
from core.seeds import derive
from models.chat import endpoint
from models.chat.limiter import Clock, Limiter, Limits, WallClock
from models.chat.patience import Trouble
from models.chat.pricing import cost_usd
from models.chat.prompts import hashes
from models.chat.reply import Answered, CallRequest, ChatReply, Json
from models.chat.reply_cache import Kept, ReplyCache
from models.chat.request import JSON_PROMPT, build, reckoned_tokens, without
from models.chat.settings import Access, ChatSettings

__all__ = ["CallRequest", "ChatClient", "ChatReply", "Json"]

CHECKS = 2
"""Attempts at the request that only asks whether anybody answers."""
_REMEDY = "; tools=text or tools=schema where it takes no tools"
_LOWER = {"none": "minimal", "minimal": "low"}
"""The next level of thinking for an endpoint that cannot do without it."""
CHECK_TOOL: Json = {
    "type": "function",
    "function": {
        "name": "note",
        "description": "Notes something down.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    },
}
"""What a check offers to a party that will be given tools."""
CHECK_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
"""What a check asks of a party that will answer in JSON."""
_PROBE: tuple[Json, ...] = (
    {"role": "system", "content": "You answer with one word."},
    {"role": "user", "content": "Say: ready"},
)


class ChatClient:
    """One model at one endpoint. Threads may share a client."""

    def __init__(self, settings: ChatSettings, access: Access, clock: Clock | None = None) -> None:
        """Ask for nothing yet; raises MissingExtraError where litellm is not installed."""
        self.settings = settings
        self._version = endpoint.litellm_version()
        self._key = access.key or (endpoint.NO_KEY if settings.api_base else "")
        self._clock = clock or WallClock()
        home = access.cache_root / "chat"
        place = content_hash([settings.provider, settings.api_base])[:16]
        limits = Limits(settings.rpm, settings.tpm, settings.in_flight)
        self._limiter = Limiter(home / "limits" / place, limits, self._clock, settings.model)
        self._cache = ReplyCache(home / "replies", f"litellm {self._version}") if settings.cache else None
        self._lock = threading.Lock()
        self._dropped: tuple[str, ...] = ()

    def record(self, more: Mapping[str, JsonValue]) -> PartyRecord:
        """The party with every setting that decides replies, and with `more`; without secrets, limits and prices."""
        own: dict[str, JsonValue] = {"litellm": self._version, "json_prompt": hashes(JSON_PROMPT)[JSON_PROMPT]}
        return PartyRecord(party=self.settings.party, settings={**self.settings.decisive(), **own, **more})

    def check(
        self,
        messages: Sequence[Json] = _PROBE,
        *,
        tools: Sequence[Json] = (),
        schema: Mapping[str, JsonValue] | None = None,
    ) -> Usage:
        """Ask for a word, with the settings of every other request; returns what it cost.

        `messages`, `tools` and `schema` open a conversation the way the party will, since some endpoints refuse one form or
        another.

        Raises:
            OperatorError: the key, the model, the address or a setting is wrong.
            ProviderError: it does not answer now.
        """
        request = build(self.settings, messages, tools=tools, schema=schema, seed=0)
        try:
            kept = self._ask(request, min(CHECKS, self.settings.attempts), seed=0)
        except RefusedError as refused:
            raise OperatorError(f"{refused}: check the settings{_REMEDY if tools else ''}") from None
        except OperatorError as stopped:
            raise (OperatorError(f"{stopped}{_REMEDY}") if tools and "tool" in str(stopped) else stopped) from None
        return self._usage(kept)

    def complete(
        self,
        messages: Sequence[Json],
        *,
        tools: Sequence[Json] = (),
        tool_choice: str | None = None,
        schema: Mapping[str, JsonValue] | None = None,
        seed: int | None,
    ) -> ChatReply:
        """The reply to a conversation.

        `messages` and `tools` have OpenAI's form. `schema` is the JSON Schema that the reply's text is asked to follow; no
        endpoint can be relied on to do so. `seed` is the component's: a kept reply is known by it even where the endpoint
        takes none, so that two repeats of a case are two replies.

        Raises:
            OperatorError: the key, the model or the address is wrong or nobody is there; no other request would fare better.
            RefusedError: this request is refused and would be again, perhaps by moderation (ModeratedError) or since the
                conversation is longer than the model can read (ContextOverflowError).
            ProviderError: no reply within the attempts and the patience; UnansweredError where the last one was late.
        """
        request = build(self.settings, messages, tools=tools, tool_choice=tool_choice, schema=schema, seed=seed)
        if self._cache is None:
            return self._reply(self._ask(request, self.settings.attempts, seed or 0), cached=False)
        key = self._cache.key({**request, "component_seed": seed})
        kept = self._cache.get(key)
        if kept is not None:
            return self._reply(kept, cached=True)
        return self._reply(self._cache.put(key, self._ask(request, self.settings.attempts, seed or 0)), cached=False)

    def _ask(self, request: dict[str, Any], attempts: int, seed: int) -> Kept:
        """The endpoint's reply, tried again while that may help, without the settings that it does not take."""
        dropped = [name for name in {*self._dropped, *endpoint.unlisted(request)} if name.partition("=")[0] in request]
        trouble = Trouble(self.settings, attempts, derive(seed, "pause", self.settings.model))
        while True:
            outcome, took_s, last_through = self._once(_sent(request, dropped), trouble)
            match outcome:
                case Answered():
                    self._remember(dropped)
                    left_out = [f"{name} left out: the endpoint does not take it" for name in sorted(dropped)]
                    return Kept(reply=outcome, attempts=(*left_out, *trouble.told()), dropped=tuple(sorted(dropped)))
                case endpoint.NotTaken(name):
                    dropped.append(_not_taken(name, request, dropped))
                case endpoint.Stop(said):
                    raise OperatorError(f"{self.settings.party}: {said}: check the model's name, its key and its address")
                case endpoint.Refused(said, moderated):
                    raise (ModeratedError if moderated else RefusedError)(f"{self.settings.party}: {said}")
                case endpoint.TooLong(said):
                    raise ContextOverflowError(
                        f"{self.settings.party}: the conversation is longer than the model can read: {said}"
                    )
                case endpoint.Again(busy=True):
                    trouble.busy(outcome, last_through, self._clock.now())
                case endpoint.Again():
                    trouble.failed(outcome, took_s)
                    self._clock.sleep(outcome.wait_s or 0)

    def _once(self, request: dict[str, Any], trouble: Trouble) -> tuple[endpoint.Outcome, float, float]:
        """What one attempt came to, seconds that it took, and when the provider last took a request for this model.

        A wait that the endpoint leaves to us is filled in.
        """
        with self._limiter.turn(reckoned_tokens(request)) as turn:
            began = self._clock.now()
            outcome = endpoint.ask(request, key=self._key, timeout_s=self.settings.timeout)
            took_s = self._clock.now() - began
            if isinstance(outcome, Answered):
                turn.tokens = outcome.prompt_tokens + outcome.completion_tokens
            elif isinstance(outcome, endpoint.Again):
                outcome = outcome.waiting(trouble.pause_s(outcome.busy))
                turn.pause_s = trouble.pause_for_all_s(outcome)
            turn.through = isinstance(outcome, Answered | endpoint.NotTaken | endpoint.Refused | endpoint.TooLong)
        return outcome, took_s, turn.last_through

    def _remember(self, dropped: Sequence[str]) -> None:
        with self._lock:
            self._dropped = tuple({*self._dropped, *dropped})

    def _reply(self, kept: Kept, *, cached: bool) -> ChatReply:
        answered = kept.reply
        made = ChatReply(
            text=answered.text,
            tool_calls=answered.tool_calls,
            finish_reason=answered.finish_reason,
            refusal=answered.refusal,
            message=answered.message,
            usage=Usage(cached=1, left_out=kept.dropped) if cached else self._usage(kept),
            attempts=kept.attempts,
            dropped=kept.dropped,
        )
        return made.model_copy(update={"attempts": (*made.attempts, made.ending)}) if made.ending else made

    def _usage(self, kept: Kept) -> Usage:
        answered = kept.reply
        cost = cost_usd(self.settings, answered)
        return Usage(
            requests=1,
            prompt_tokens=answered.prompt_tokens,
            completion_tokens=answered.completion_tokens,
            estimated=int(not answered.counted),
            cost_usd=cost or 0.0,
            unpriced=int(cost is None),
            left_out=kept.dropped,
        )


def _sent(request: dict[str, Any], dropped: Sequence[str]) -> dict[str, Any]:
    """The request without what the endpoint does not take; thinking is lowered before it is left to the endpoint."""
    made = without(request, dropped)
    while f"reasoning_effort={made.get('reasoning_effort')}" in dropped:
        made["reasoning_effort"] = _LOWER[made["reasoning_effort"]]
    return made


def _not_taken(name: str, request: dict[str, Any], dropped: Sequence[str]) -> str:
    """What is left out from now on: of thinking that was to be off, one level after the other."""
    level = _sent(request, dropped).get(name) if request.get(name) == "none" else None
    return f"{name}={level}" if name == "reasoning_effort" and level in _LOWER else name
