"""The client of chat models: what parties ask, answered from the cache or by the endpoint, with patience and within limits."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from core.errors import ContextOverflowError, ModeratedError, OperatorError, ProviderError, RefusedError
from core.schemas.base import content_hash
from core.schemas.call_trace import PartyRecord
from core.schemas.usage import Usage
from models.chat import endpoint
from models.chat.limiter import Clock, Limiter, Limits, WallClock
from models.chat.pricing import cost_usd
from models.chat.prompts import hashes
from models.chat.reply import Answered, CallRequest, ChatReply, Json
from models.chat.reply_cache import Kept, ReplyCache
from models.chat.request import JSON_PROMPT, build, reckoned_tokens, without
from models.chat.settings import Access, ChatSettings

__all__ = ["CallRequest", "ChatClient", "ChatReply", "Json"]

log = logging.getLogger("ringback.models.chat.client")

FIRST_PAUSE_S = 1.0
"""Pause before the second attempt where the server asks for none; it doubles with each further one."""
LONGEST_PAUSE_S = 30.0
"""Where that ends, seconds."""
CHECKS = 2
"""Attempts at the request that only asks whether anybody answers."""
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
        self._limiter = Limiter(home / "limits" / place, limits, self._clock)
        self._cache = ReplyCache(home / "replies") if settings.cache else None
        self._lock = threading.Lock()
        self._dropped: tuple[str, ...] = ()

    def record(self, more: Mapping[str, JsonValue]) -> PartyRecord:
        """The party with every setting that decides replies, and with `more`; without secrets, limits and prices."""
        own: dict[str, JsonValue] = {"litellm": self._version, "json_prompt": hashes(JSON_PROMPT)[JSON_PROMPT]}
        return PartyRecord(party=self.settings.party, settings={**self.settings.decisive(), **own, **more})

    def check(self, messages: Sequence[Json] = _PROBE) -> Usage:
        """Ask for a word, with the settings of every other request; returns what it cost.

        `messages` open a conversation the way the party will, since some endpoints refuse one form or another.

        Raises:
            OperatorError: the key, the model, the address or a setting is wrong.
            ProviderError: it does not answer now.
        """
        try:
            kept = self._ask(build(self.settings, messages, seed=0), min(CHECKS, self.settings.attempts))
        except RefusedError as refused:
            raise OperatorError(f"{refused}: check the settings") from None
        return self._usage(kept.reply)

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
            ProviderError: no reply within the attempts and the patience.
        """
        request = build(self.settings, messages, tools=tools, tool_choice=tool_choice, schema=schema, seed=seed)
        if self._cache is None:
            return self._reply(self._ask(request, self.settings.attempts), cached=False)
        key = self._cache.key({**request, "component_seed": seed})
        kept = self._cache.get(key)
        if kept is not None:
            return self._reply(kept, cached=True)
        return self._reply(self._cache.put(key, self._ask(request, self.settings.attempts)), cached=False)

    def _ask(self, request: dict[str, Any], attempts: int) -> Kept:
        """The endpoint's reply, tried again while that may help, without the settings that it does not take."""
        began = self._clock.now()
        dropped = [name for name in {*self._dropped, *endpoint.unlisted(request)} if name in request]
        failed: list[str] = []
        while True:
            outcome = self._once(without(request, dropped), FIRST_PAUSE_S * 2 ** len(failed))
            match outcome:
                case Answered():
                    self._remember(dropped)
                    left_out = [f"{name} left out: the endpoint does not take it" for name in sorted(dropped)]
                    return Kept(reply=outcome, attempts=(*left_out, *failed), dropped=tuple(sorted(dropped)))
                case endpoint.NotTaken(name):
                    dropped.append(name)
                case endpoint.Stop(said):
                    raise OperatorError(f"{self.settings.party}: {said}: check the model's name, its key and its address")
                case endpoint.Refused(said, moderated):
                    raise (ModeratedError if moderated else RefusedError)(f"{self.settings.party}: {said}")
                case endpoint.TooLong(said):
                    raise ContextOverflowError(
                        f"{self.settings.party}: the conversation is longer than the model can read: {said}"
                    )
                case endpoint.Again(said, wait_s):
                    late = self._clock.now() - began + (wait_s or 0) > self.settings.patience
                    if late or len(failed) + 1 >= attempts:
                        raise ProviderError(f"{self.settings.party}: {said}, in the last of {len(failed) + 1} attempts")
                    failed.append(f"{said}; waited {wait_s or 0:g} s")
                    log.warning("%s: %s", self.settings.party, failed[-1])
                    if not outcome.busy:  # else the limiter lets everybody wait
                        self._clock.sleep(wait_s or 0)

    def _once(self, request: dict[str, Any], pause_s: float) -> endpoint.Outcome:
        """What one attempt came to; a wait that the endpoint leaves to us is filled in."""
        with self._limiter.turn(reckoned_tokens(request)) as turn:
            outcome = endpoint.ask(request, key=self._key, timeout_s=self.settings.timeout)
            if isinstance(outcome, Answered):
                turn.tokens = outcome.prompt_tokens + outcome.completion_tokens or turn.tokens
            elif isinstance(outcome, endpoint.Again):
                outcome = outcome.waiting(min(pause_s, LONGEST_PAUSE_S))
                wait_s = outcome.wait_s or 0.0
                turn.pause_s = wait_s if outcome.busy and wait_s <= self.settings.patience else 0.0
        return outcome

    def _remember(self, dropped: Sequence[str]) -> None:
        with self._lock:
            self._dropped = tuple({*self._dropped, *dropped})

    def _reply(self, kept: Kept, *, cached: bool) -> ChatReply:
        answered = kept.reply
        return ChatReply(
            text=answered.text,
            tool_calls=answered.tool_calls,
            finish_reason=answered.finish_reason,
            message=answered.message,
            usage=Usage(cached=1) if cached else self._usage(answered),
            attempts=kept.attempts,
            dropped=kept.dropped,
        )

    def _usage(self, answered: Answered) -> Usage:
        cost = cost_usd(self.settings, answered)
        return Usage(
            requests=1,
            prompt_tokens=answered.prompt_tokens,
            completion_tokens=answered.completion_tokens,
            cost_usd=cost or 0.0,
            unpriced=int(cost is None),
        )
