"""Spoken form: every message could be read aloud as written."""

from __future__ import annotations

import re
import unicodedata

from core.grading.checks import agent_speech
from core.grading.views import ConversationView
from core.schemas.base import Diagnostic
from core.schemas.grade import Judgement

MAX_WORDS = 60
MAX_DIGITS = 4
"""Digits a voice reads as one number or year; a longer run without a space is a document's."""

PICTOGRAM = "an emoji or pictogram"
_FAULTS = {
    "markdown": re.compile(
        r"(^|\n)\s*([-*•]\s+|\d+[.)]\s+\S+.*\n\s*\d+[.)]\s|#{1,6}\s)|\*\*|__|`|\[[^\]]*\]\([^)]*\)|^\s*\|.*\|\s*$", re.MULTILINE
    ),
    "an address of the web": re.compile(r"https?://|\bwww\.", re.IGNORECASE),
    "a symbol": re.compile(r"[#*_|<>{}\[\]=\\~^@]"),
    "an internal name": re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+[A-Z][A-Za-z]*[a-z]\b(?<!Mc)|[{\[]\s*\""),
    "a long run of digits": re.compile(rf"\d{{{MAX_DIGITS + 1},}}"),
}


def spoken_faults(text: str) -> tuple[str, ...]:
    """What in a message cannot be spoken as written; empty when all of it can."""
    faults = [name for name, pattern in _FAULTS.items() if pattern.search(text)]
    if any(unicodedata.category(char) == "So" for char in text):
        faults.append(PICTOGRAM)
    words = len(text.split())
    if words > MAX_WORDS:
        faults.append(f"{words} words")
    return tuple(faults)


def unspoken(text: str) -> tuple[tuple[str, str], ...]:
    """What in a message no voice says as written, each once: what it is, and the piece of text."""
    found = [(name, match.group().strip()) for name, pattern in _FAULTS.items() for match in pattern.finditer(text)]
    found += [(PICTOGRAM, char) for char in text if unicodedata.category(char) == "So"]
    return tuple(dict.fromkeys(found))


def rate_spoken_form(view: ConversationView) -> Judgement | None:
    """Rate by the share of messages without a fault; not applicable where the agent never spoke."""
    name = Diagnostic.SPOKEN_FORM.value
    spoken = agent_speech(view)
    if not spoken:
        return Judgement(id=name, not_applicable=True, reason="the agent never spoke")
    found = {message.index: faults for message in spoken if (faults := spoken_faults(message.content))}
    kinds = ", ".join(sorted({fault for faults in found.values() for fault in faults}))
    reason = (
        f"{len(found)} of {len(spoken)} messages hold {kinds}"
        if found
        else f"all {len(spoken)} messages can be spoken as written"
    )
    rating = 1 + int(4 * (1 - len(found) / len(spoken)))
    return Judgement(id=name, rating=rating, reason=reason, evidence=tuple(found))
