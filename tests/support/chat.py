"""Chat clients for tests, made from a party's name as the gateway makes them."""

from __future__ import annotations

from pathlib import Path

from gateway.party_spec import parse_party
from gateway.settings import chat_access
from models.chat.client import ChatClient
from models.chat.limiter import Clock
from models.chat.settings import Access, Role, chat_settings


def client(party: str, cache_root: Path, *, role: Role = "judge", clock: Clock | None = None) -> ChatClient:
    """A client for `litellm:...` with its caches below `cache_root`."""
    spec = parse_party(party)
    settings = chat_settings(spec.name, spec.options, spec.text, role)
    return ChatClient(settings, Access(cache_root, chat_access(settings).key), clock)
