"""How a chat model is reached and sampled: the options of `litellm:<provider>/<model>?key=value&...`, read and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlencode, urlsplit

from pydantic import Field, JsonValue, ValidationError, field_validator, model_validator

from core.errors import UsageError
from core.options import refuse_unknown
from core.schemas.base import Model, canonical_json

Role = Literal["caller", "candidate", "judge", "detector"]

_CANDIDATES_ONLY = ("user_first", "fragments", "tools", "speech_or_tools", "parallel_tools", "thoughts")
JUDGES_ONLY = ("protocol", "per", "votes")
"""Options of judges that say how they are asked; `models/chat/judge.py` reads them."""
_JSON_ONLY = ("json",)
"""What means nothing to those who are never asked for JSON, which are detectors."""
DETECTOR_TOKENS = 2048
"""Longest reply of a detector where nobody says otherwise: one word, and room for the thoughts before it."""
_MEANS = ("auth", "timeout", "attempts", "patience", "in_flight", "rpm", "tpm", "price_in", "price_out", "cache")
"""What decides whether and at what price an answer comes, not which."""


@dataclass(frozen=True)
class Access:
    """What a client is given from outside: where its caches are, and its key."""

    cache_root: Path
    """Folder below which replies and limits are kept."""
    key: str = field(default="", repr=False)
    """Bearer token; empty where the provider's own variable of the environment, or none, is meant."""


class ChatSettings(Model):
    """Every setting of a chat model; None is the endpoint's own default. Switches are written `on` and `off`."""

    model: str = Field(pattern=r"^[^/\s?]+/\S+$")
    """Provider and model, such as `openai/gpt-5.2`; `openai/<name>` with `api_base` for a server of one's own."""
    api_base: str = ""
    """Address of a server other than the provider's, such as `http://127.0.0.1:8790/v1`."""
    auth: str = Field(default="", pattern=r"^([A-Z_][A-Z0-9_]*)?$")
    """Name of the environment's variable that holds the key, where it is not the usual one."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    """Randomness of sampling."""
    top_p: float | None = Field(default=None, gt=0, le=1)
    """Share of the probability that is sampled from."""
    top_k: int | None = Field(default=None, ge=1)
    """Number of tokens that are sampled from."""
    seed: bool = True
    """Whether the component's seed is sent."""
    max_tokens: int | None = Field(default=None, ge=1)
    """Longest reply, tokens."""
    reasoning: Literal["off", "minimal", "low", "medium", "high"] | None = None
    """How much a model thinks before it answers."""
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    """Further fields of the request, as a JSON object."""

    system: bool = True
    """Off: the system message becomes the beginning of the first user message."""
    replies: Literal["schema", "prompt"] = Field(default="schema", alias="json")
    """JSON replies: `schema` hands the JSON Schema to the endpoint, `prompt` writes it into the first message."""

    user_first: bool = False
    """Candidates: an empty user message goes first."""
    fragments: Literal["separate", "joined"] = "separate"
    """Candidates: the fragments of one caller turn as messages of their own or as one."""
    tools: Literal["native", "text", "schema"] = "native"
    """Candidates: tool calls as the endpoint's own feature, written in the text, or in a JSON reply."""
    speech_or_tools: bool = False
    """Candidates: speech and tool calls never come together, so call-ending tools take the last words."""
    parallel_tools: bool = True
    """Candidates: off asks the endpoint for one tool call at a time."""
    thoughts: bool = True
    """Candidates: off leaves what the model thought out of the conversation that it is sent back."""

    timeout: float = Field(default=120.0, gt=0, le=3600)
    """Longest wait for a reply, seconds."""
    attempts: int = Field(default=5, ge=1, le=100)
    """How often one request is tried."""
    patience: float = Field(default=300.0, ge=0, le=86_400)
    """Longest time for all attempts at one request and the waits between them, seconds; and how long a provider may take none."""
    in_flight: int = Field(default=16, ge=1, le=1000)
    """Requests that wait for the provider at one time, over all threads and processes."""
    rpm: int | None = Field(default=None, ge=1)
    """Requests a minute."""
    tpm: int | None = Field(default=None, ge=1)
    """Tokens a minute, sent and received."""
    price_in: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens sent."""
    price_out: float | None = Field(default=None, ge=0)
    """US dollars for a million tokens received."""
    cache: bool = True
    """Whether a reply that was paid for once is used again for the same request with the same seed."""

    @field_validator("extra_body", mode="before")
    @classmethod
    def _object(cls, value: Any) -> Any:
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError:
            raise ValueError("this is no JSON object") from None

    @field_validator("api_base")
    @classmethod
    def _address(cls, value: str) -> str:
        parts = urlsplit(value)
        plain = parts.scheme in ("http", "https") and parts.hostname and not (parts.username or parts.query or parts.fragment)
        if value and not plain:
            raise ValueError("this is no plain address such as https://chat.example/v1")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _both_prices(self) -> Self:
        if (self.price_in is None) != (self.price_out is None):
            raise ValueError("price_in and price_out are given together")
        return self

    @property
    def provider(self) -> str:
        """What stands before the first slash."""
        return self.model.partition("/")[0]

    @property
    def party(self) -> str:
        """The party's name with the options that decide its replies and are not the defaults, in alphabetical order."""
        made = {name: value for name, value in self.decisive().items() if name != "model" and value != _DEFAULTS[name]}
        query = urlencode({name: _written(made[name]) for name in sorted(made)}, safe="/:")
        return f"litellm:{self.model}?{query}" if made else f"litellm:{self.model}"

    def decisive(self) -> dict[str, JsonValue]:
        """The settings that decide replies: all but the key's place, patience, limits, prices and the cache."""
        return {name: value for name, value in self.model_dump(mode="json", by_alias=True).items() if name not in _MEANS}


def chat_settings(name: str, options: Mapping[str, str], shown: str, role: Role) -> ChatSettings:
    """Settings from `<provider>/<model>` and a party's options; `shown` is what messages call the party.

    Raises:
        UsageError: no provider, an option that this role does not have (the valid ones are listed), or a value out of range.
    """
    known = [field.alias or field_name for field_name, field in ChatSettings.model_fields.items() if field_name != "model"]
    foreign = {"candidate": (), "detector": _CANDIDATES_ONLY + _JSON_ONLY}.get(role, _CANDIDATES_ONLY)
    valid = tuple(option for option in known if option not in foreign)
    others = JUDGES_ONLY if role == "judge" else ()
    refuse_unknown(options, valid + others, shown)
    own: dict[str, Any] = {key: value for key, value in options.items() if key not in others}
    if role == "detector":
        own.setdefault("max_tokens", DETECTOR_TOKENS)
    try:
        return ChatSettings.model_validate({**own, "model": name})
    except ValidationError as error:
        first = error.errors()[0]
        where = str(first["loc"][0]) if first["loc"] else ""
        raise UsageError(f"{shown!r}: {_told(where, first, options, shown)}") from None


def _told(where: str, fault: Mapping[str, Any], options: Mapping[str, str], shown: str) -> str:
    if where == "model":
        scheme = shown.partition(":")[0]
        return f"write {scheme}:<provider>/<model>, such as {scheme}:openai/gpt-5.2"
    # These two are not repeated: a key may have been written into them.
    if where == "auth":
        return "auth takes the name of a variable in capitals, never a key"
    reason = str(fault["msg"]).removeprefix("Value error, ")
    if where == "api_base":
        return f"api_base: {reason}"
    return f"{where}={options.get(where, '')!r}: {reason}" if where else reason


def _written(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return value if isinstance(value, str) else canonical_json(value).decode()


_DEFAULTS = ChatSettings(model="any/any").decisive()
