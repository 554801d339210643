"""Who writes the calls of a build: the offline set, or chat models in all roles or in some."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.errors import UsageError
from core.snapshots.building.agents import AgentSet
from core.snapshots.building.library import CaseLibrary
from gateway.defaults import DEFAULT_BUILDERS

MakeAgents = Callable[[CaseLibrary], AgentSet]


def make_agents(names: Sequence[str], library: CaseLibrary) -> AgentSet:
    """The agents that are named.

    Raises:
        UsageError: an unknown party.
    """
    from models.snapshots.offline import offline_agents

    known: Mapping[str, MakeAgents] = {DEFAULT_BUILDERS: offline_agents}
    asked = list(names) or [DEFAULT_BUILDERS]
    if len(asked) == 1 and asked[0] in known:
        return known[asked[0]](library)
    raise UsageError(f"unknown agents {asked[0]!r}: there are {', '.join(known)}")
