"""Chat parties over a scripted provider, and what it was sent."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gateway.party_spec import parse_party
from gateway.settings import chat_access
from models.chat.client import ChatClient
from models.chat.settings import Role, chat_settings
from tests.support.chat_server import Answer, Body, ChatServer, Item, chat_server, error

Sent = dict[str, Any]
"""A request's body."""


class Provider:
    """One scripted server for the tests of a module: what it answers and what it was sent start anew with `script`."""

    def __init__(self) -> None:
        self._items: dict[str, list[Item]] = {}
        self._from = 0
        self.server: ChatServer

    def script(self, role: Role, *items: Item) -> None:
        """What the model named like that role answers from now on, one item for each request."""
        self._items = {}
        self._from = len(self.server.requests)
        self.also(role, *items)

    def also(self, role: Role, *items: Item) -> None:
        """The same for one more model, with nothing forgotten."""
        self._items[role] = list(items)

    def sent(self) -> list[Sent]:
        """Every body since then."""
        return [body for _, body in self.server.requests[self._from :]]

    def client(self, role: Role, cache: Path, options: str = "") -> ChatClient:
        """A client for the model named like its role, with the options of a party's name."""
        spec = parse_party(self.server.party(role, options))
        settings = chat_settings(spec.name, spec.options, spec.text, role)
        return ChatClient(settings, replace(chat_access(settings), cache_root=cache))

    def answer(self, body: Body) -> Answer | str:
        """The next item of the model that is asked."""
        left = self._items.get(str(body["model"]))
        item: Item = left.pop(0) if left else error(400, "the script is at its end")
        return item(body) if callable(item) else item


@contextlib.contextmanager
def provider() -> Iterator[Provider]:
    """A provider while the context is open."""
    made = Provider()
    with chat_server(dict.fromkeys(("caller", "candidate", "judge"), made.answer)) as made.server:
        yield made


def contents(body: Sent) -> list[tuple[str, Any]]:
    """Role and content of every message of a request."""
    return [(message["role"], message.get("content")) for message in body["messages"]]
