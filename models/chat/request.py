"""A request to a chat model, as litellm takes it, from messages and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from core.schemas.base import canonical_json
from models.chat.prompts import prompt
from models.chat.reply import Json
from models.chat.settings import ChatSettings

JSON_PROMPT = "json-1"
"""The prompt that asks for JSON where the endpoint is not given the schema."""
AUDIO_PART = "input_audio"
"""Type of the part of a message that is a recording: base64 of a file of sound."""
SEEDS = 2**31
"""Seeds are sent modulo this: some endpoints take no larger ones."""
_SAMPLING = ("temperature", "top_p", "top_k", "max_tokens")
_AUDIO_BYTES_PER_TOKEN = 1920
"""Bytes of a recording that are reckoned as a token: 25 tokens a second at 24 kHz; providers count between 10 and 32."""
_TOKENS_TO_COME = 512
"""Reckoned for a reply whose length nobody limits."""


def build(
    settings: ChatSettings,
    messages: Sequence[Json],
    *,
    seed: int | None,
    tools: Sequence[Json] = (),
    tool_choice: str | None = None,
    schema: Mapping[str, JsonValue] | None = None,
) -> dict[str, Any]:
    """Every field of the request but the key and what concerns patience."""
    request: dict[str, Any] = {"model": settings.model, "messages": _messages(settings, messages, schema)}
    request |= {name: getattr(settings, name) for name in _SAMPLING if getattr(settings, name) is not None}
    if settings.api_base:
        request["api_base"] = settings.api_base
    if settings.seed and seed is not None:
        request["seed"] = seed % SEEDS
    if settings.reasoning is not None:
        request["reasoning_effort"] = "none" if settings.reasoning == "off" else settings.reasoning
    if settings.extra_body:
        request["extra_body"] = settings.extra_body
    if tools:
        request["tools"] = list(tools)
        if tool_choice is not None:
            request["tool_choice"] = tool_choice
        if not settings.parallel_tools:
            request["parallel_tool_calls"] = False
    if schema is not None and settings.replies == "schema":
        request["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": dict(schema), "strict": True},
        }
    return request


def without(request: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The request without some settings; a schema that cannot be handed over is written into the first message."""
    if "response_format" in names and "response_format" in request:
        schema = request["response_format"]["json_schema"]["schema"]
        request = {**request, "messages": _asked_in_words(request["messages"], schema)}
    return {name: value for name, value in request.items() if name not in names}


def recordings(messages: Sequence[Json]) -> tuple[str, ...]:
    """The recordings in a conversation, as they are written into it."""
    contents = [message.get("content") for message in messages]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    return tuple(part[AUDIO_PART]["data"] for part in parts if part.get("type") == AUDIO_PART)


def reckoned_sent(request: Mapping[str, Any]) -> int:
    """About how many tokens a request comes to."""
    sound = sum(map(len, recordings(request["messages"])))
    words = len(canonical_json([request["messages"], request.get("tools")])) - sound
    return words // 4 + sound * 3 // 4 // _AUDIO_BYTES_PER_TOKEN


def reckoned_reply(text: str) -> int:
    """About how many tokens a reply comes to."""
    return len(text.encode(errors="replace")) // 4 + 1


def reckoned_tokens(request: Mapping[str, Any]) -> int:
    """About how many tokens a request and its reply come to, for a limit that has to know before."""
    return reckoned_sent(request) + int(request.get("max_tokens") or _TOKENS_TO_COME)


def _messages(settings: ChatSettings, messages: Sequence[Json], schema: Mapping[str, JsonValue] | None) -> list[Json]:
    made = list(messages)
    if schema is not None and settings.replies == "prompt":
        made = _asked_in_words(made, schema)
    if not settings.system and len(made) > 1 and made[0]["role"] == "system" and made[1]["role"] == "user":
        made[:2] = [{"role": "user", "content": _after(str(made[0]["content"]), made[1]["content"])}]
    return made


def _after(instructions: str, content: Any) -> Any:
    """A message's content with instructions before it; one in parts gets another part."""
    if isinstance(content, list):
        return [{"type": "text", "text": instructions}, *content]
    return f"{instructions}\n\n{content}"


def _asked_in_words(messages: Sequence[Json], schema: Mapping[str, JsonValue]) -> list[Json]:
    """The first message with the schema below it: it stays the same through a call, so that endpoints can keep what they read."""
    words = prompt(JSON_PROMPT).fill(schema=canonical_json(dict(schema)).decode())
    return [{**messages[0], "content": f"{messages[0]['content']}\n\n{words}"}, *messages[1:]]
