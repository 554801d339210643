"""A case, and one scripted model for each role of those that build its calls, for the tests of chat models as agents."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from core.schemas.base import sha256
from core.schemas.snapshots import PathState, Side
from core.schemas.trees import BuildConfig
from core.snapshots.building.agents import ROLES, AgentSet, Moment
from core.snapshots.building.library import load_cases
from core.snapshots.building.plot import Plot
from models.snapshots.chat import chat_agents
from models.snapshots.offline import offline_agents
from tests.support.chat import client
from tests.support.chat_server import (
    Body,
    ChatServer,
)

LIBRARY = load_cases("en")
PLOT = Plot(LIBRARY.catalogue)
CASE = LIBRARY.abstracts["bank-unusual-payment"]
PROFILE = offline_agents(LIBRARY).profiler.profile(CASE, 1).value
NAMES = {Side.CALLER: "Vera Lindqvist", Side.RECEIVER: "Alan Thackeray"}
ROOT = Moment(PROFILE, (), (), PathState.AMBIGUOUS, 3)
DRAFT: dict[str, Any] = {
    "shared": {
        "caller": {"age": 41},
        "receiver": {"age": 66},
        "caller_name": "Vera Lindqvist",
        "receiver_name": "Alan Thackeray",
        "background": "Has an account, savings and one card.",
        "setting": "in the garden",
        "event": "A card payment was stopped and the bank asks about it.",
        "early_context": "Both know that such calls are made.",
        "entities": {slot: values[0] for slot, values in CASE.entities.items()},
        "opening": "The caller names the bank and says what was stopped.",
    },
    "variable": {"objectives": ["clear it up"], "persuasion": ["an even tone"], "risk_nodes": ["code", "callback", "holding"]},
}
"""What a chat profiler returns for the case."""
TWO = [{"action": "demand.code", "meaning": "a", "evidence": "b"}, {"action": "explain", "meaning": "c", "evidence": ""}]
"""Two proposals of a brancher."""


def config_of(**changes: Any) -> BuildConfig:
    """A build of one small tree, with some of its settings otherwise."""
    given = {"namespace": "chat", "seed": 1, "language": "en", "trees": 1, "depth": 2, "branching": 2, "abstracts": [CASE.id]}
    return BuildConfig.model_validate({**given, **changes})


# -- one scripted model for each role -----------------------------------------------------------------------------------


def user_of(body: Body) -> str:
    """What a model is asked."""
    return str(body["messages"][-1]["content"])


def system_of(body: Body) -> str:
    """What a model is told to be."""
    return str(body["messages"][0]["content"])


def role_of(body: Body) -> str:
    """The role that a request is for, by its prompt; every prompt begins with words of its own."""
    beginnings = {
        "profiler": "You prepare reported cases",
        "caller": "You write what one person says in a telephone call that is made up from beginning to end: the caller.",
        "receiver": "You write what one person says in a telephone call that is made up from beginning to end: the receiver",
        "brancher": "You plan telephone calls",
        "terminator": "You watch telephone calls",
        "caller_delivery": "You direct the voice of the caller",
        "receiver_delivery": "You direct the voice of the person who is called",
    }
    (role,) = [role for role, words in beginnings.items() if system_of(body).startswith(words)]
    return role


def _branches(body: Body) -> str:
    """Both ways at the first topic, or what the path still allows."""
    choices = re.search(r"Choose from: (.*)", user_of(body))
    assert choices is not None
    possible = sorted(choices[1].split(", "))
    shown = [action for action in possible if action.partition(".")[0] in ("demand", "advise")]
    cue = [action for action in possible if action.startswith("cite-harm")]
    ways = shown[:1] + shown[-1:] if "nothing yet" not in user_of(body) or "path: 1" in user_of(body) else [*cue[:1], *shown[:1]]
    return json.dumps({"actions": [{"action": way, "meaning": "It happens.", "evidence": "It is said."} for way in ways]})


def sound(body: Body) -> str:
    """A sound reply in every role; words are their own by what they answer."""
    match role_of(body):
        case "profiler":
            return json.dumps(DRAFT)
        case "brancher":
            return _branches(body)
        case "terminator":
            return json.dumps({"open": True, "reason": "Something may follow."})
        case "caller_delivery" | "receiver_delivery":
            return json.dumps({"delivery": "calm"})
        case _:
            return f"I say {_letters(body)} about the matter."


def _letters(body: Body) -> str:
    """Letters that stand for a question, so that every question gets words of its own."""
    return sha256(user_of(body)).translate(str.maketrans("0123456789", "ghijklmnop"))


def agents_on(server: ChatServer, cache: Path, options: str = "cache=off&attempts=1", roles: tuple[str, ...] = ROLES) -> AgentSet:
    """The models of a server as agents."""
    return chat_agents(LIBRARY, {role: client(server.party(role, options), cache, role="caller") for role in roles})
