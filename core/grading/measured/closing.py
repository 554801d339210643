"""Closing: a goodbye is heard before the end, and no talk comes after it."""

from __future__ import annotations

from core.grading.checks import agent_speech
from core.grading.measured.english import FAREWELL
from core.grading.views import ConversationView
from core.schemas.base import Diagnostic
from core.schemas.grade import Judgement


def rate_closing(view: ConversationView) -> Judgement | None:
    """5: the last speech says goodbye; 3: a goodbye, then more talk; 1: none. None for languages it cannot read."""
    if view.language.split("-")[0] != "en":
        return None
    name = Diagnostic.CLOSING.value
    spoken = agent_speech(view)
    farewells = [message.index for message in spoken if FAREWELL.search(message.content)]
    if not farewells:
        last = tuple(message.index for message in spoken[-1:])
        return Judgement(id=name, rating=1, reason=f"no goodbye before the end ({view.end.value})", evidence=last)
    if farewells[-1] == spoken[-1].index:
        return Judgement(id=name, rating=5, reason="the last speech says goodbye", evidence=(farewells[-1],))
    after = tuple(message.index for message in spoken if message.index > farewells[-1])
    return Judgement(id=name, rating=3, reason="the agent talked on after its goodbye", evidence=(farewells[-1], *after))
