"""The agents that build calls as chat models, each role with a prompt of its own; offline agents play the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from core.errors import UsageError
from core.schemas.snapshots import Side
from core.snapshots.building.agents import (
    BRANCHER,
    CALLER,
    CALLER_DELIVERY,
    PROFILER,
    RECEIVER,
    RECEIVER_DELIVERY,
    ROLES,
    TERMINATOR,
    AgentSet,
)
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.plot import Plot
from models.chat.client import ChatClient
from models.chat.prompts import prompt
from models.snapshots.chat_plots import ChatBrancher, ChatTerminator
from models.snapshots.chat_profiles import ChatProfiler
from models.snapshots.chat_words import ChatDeliverer, ChatPlayer
from models.snapshots.offline import offline_agents

PROMPTS: Mapping[str, str] = {role: f"snapshot-{role.replace('_', '-')}-1" for role in ROLES}
"""Role to the name of its prompt."""


def chat_agents(library: CaseLibrary, clients: Mapping[str, ChatClient]) -> AgentSet:
    """A full set in which `clients` play the roles they are listed under, and the offline agents all others.

    Raises:
        UsageError: no such role, or the catalogue asks for an act that no prompt has a task for.
    """
    unknown = sorted(clients.keys() - set(ROLES))
    if unknown:
        raise UsageError(f"no role {unknown[0]!r}: there are {', '.join(ROLES)}")
    others = offline_agents(library)
    agents: dict[str, Any] = {role: _agent(role, client, library) for role, client in clients.items()}
    models: dict[str, JsonValue] = {client.settings.party: dict(client.record({}).settings) for client in clients.values()}
    return replace(
        others,
        **agents,
        parties={**others.parties, **{role: client.settings.party for role, client in clients.items()}},
        prompts={**others.prompts, **{role: prompt(PROMPTS[role]).sha256 for role in clients}},
        settings={**others.settings, "models": models},
    )


def _agent(role: str, client: ChatClient, library: CaseLibrary) -> object:
    name, plot = PROMPTS[role], Plot(library.catalogue)
    made: Mapping[str, Any] = {
        PROFILER: lambda: ChatProfiler(client, library, name),
        CALLER: lambda: ChatPlayer(client, library, Side.CALLER, name),
        RECEIVER: lambda: ChatPlayer(client, library, Side.RECEIVER, name),
        BRANCHER: lambda: ChatBrancher(client, plot, name),
        TERMINATOR: lambda: ChatTerminator(client, library, name),
        CALLER_DELIVERY: lambda: ChatDeliverer(client, name),
        RECEIVER_DELIVERY: lambda: ChatDeliverer(client, name),
    }
    return made[role]()
