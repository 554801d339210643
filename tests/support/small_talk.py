"""A scripted provider whose models hold the shortest calls of the small bundle, the same whatever the order of requests."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable

from tests.support.chat_server import Answer, Body, ChatServer, say
from tests.support.scenes import MINIMAL

CENT = "price_in=100&price_out=0"
"""A cent for each request, at the 100 tokens that the server says were sent."""
REQUESTS = {"caller": 1, "candidate": 2, "judge": 2}
"""Requests of one call: what each role is asked."""


def caller(_body: Body) -> Answer:
    """Wants nothing."""
    return say(json.dumps({"speech": "That is all, goodbye.", "expressed": [], "done": True}))


def candidate(body: Body) -> Answer:
    """Greets, then says goodbye."""
    return say("Goodbye." if body["messages"][-1]["role"] == "user" else "Corner Library, how can I help?")


def judge(body: Body) -> Answer:
    """The best of every item it is asked about."""
    asked = body["messages"][1]["content"].rpartition("# What you judge")[2]
    items = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", asked, re.MULTILINE | re.DOTALL)
    best = {name: "met" if "- met: " in text else "5" for name, text in items}
    return say(json.dumps({name: {"reason": "So it is.", "evidence": [1], "verdict": verdict} for name, verdict in best.items()}))


def slowly(answer: Callable[[Body], Answer], seconds: float) -> Callable[[Body], Answer]:
    """The same after a while, so that a kill finds a call in the middle."""

    def late(body: Body) -> Answer:
        time.sleep(seconds)
        return answer(body)

    return late


SCRIPT = {"caller": caller, "candidate": candidate, "judge": judge}


def run_of(server: ChatServer, *roles: str, options: str = CENT, repeats: int = 4, out: str = "run") -> list[str]:
    """`ringback run` with these roles played by the server, the others offline: one call for each repeat."""
    parties = [word for role in roles for word in (f"--{role}", server.party(role, options))]
    return ["run", str(MINIMAL), "--scenarios", "renew-loan", "--repeats", str(repeats), "--out", out, *parties]
