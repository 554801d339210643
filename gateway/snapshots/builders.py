"""Who writes the calls of a build, by name: one party for all roles, and others for single ones. A new one is one entry here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from core.errors import UsageError
from core.snapshots.building.agents import ROLES, AgentSet
from core.snapshots.building.library import CaseLibrary
from gateway.defaults import DEFAULT_BUILDERS
from gateway.parties import CHAT_PARTY, chat_client
from gateway.party_registry import PartyRegistry
from gateway.party_spec import PartySpec, redacted

if TYPE_CHECKING:
    from models.chat.client import ChatClient

Plays: TypeAlias = "ChatClient | None"
"""The model that plays a role; None for the offline agents."""
_ROLE = re.compile(r"^([A-Za-z_-]+)=(.*)$", re.DOTALL)


def make_builders(texts: Sequence[str], library: CaseLibrary) -> AgentSet:
    """The agents that are named: `PARTY` for all roles, `<role>=PARTY` for one; the offline agents where nothing is said.

    A chat model is not asked for anything yet.

    Raises:
        UsageError: an unknown party or role, one that is named twice, or options that a party cannot take.
    """
    everywhere, single = _named(texts)
    made = {text: BUILDERS.make(text) for text in dict.fromkeys((everywhere, *single.values()))}
    playing = {role: made[single.get(role, everywhere)] for role in ROLES}
    clients = {role: client for role, client in playing.items() if client is not None}
    if not clients:
        from models.snapshots.offline import offline_agents

        return offline_agents(library)
    from models.snapshots.chat import chat_agents

    return chat_agents(library, clients)


def _named(texts: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The party of all roles, and those of single ones."""
    everywhere: list[str] = []
    single: dict[str, str] = {}
    for text in texts:
        found = _ROLE.match(text)
        if found is None:
            everywhere.append(text)
            continue
        role, party = found[1], found[2]
        if role not in ROLES:
            raise UsageError(f"{redacted(text)!r}: no role {role!r}: there are {', '.join(ROLES)}")
        if role in single:
            raise UsageError(f"{redacted(text)!r}: the role {role!r} is given twice: name one party for it")
        single[role] = party
    if len(everywhere) > 1:
        shown = " and ".join(repr(redacted(text)) for text in everywhere[:2])
        raise UsageError(f"{shown}: one party plays all roles: write <role>=PARTY for the others")
    return (everywhere or [DEFAULT_BUILDERS])[0], single


def _offline(_spec: PartySpec) -> Plays:
    return None


def _chat(spec: PartySpec) -> Plays:
    return chat_client(spec, "caller")  # a builder takes the settings that a caller takes


BUILDERS: PartyRegistry[Plays] = PartyRegistry("builder")
BUILDERS.register(DEFAULT_BUILDERS, _offline)
BUILDERS.register(CHAT_PARTY, _chat, options=True)
