"""The few phrases by which the scripted caller gets along in languages other than English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Manners:
    """What a caller says besides its lines, and the two things it must understand."""

    hello: str
    """Into silence."""
    waits: str
    """To an agent that told something."""
    yes: str
    """To a right read-back."""
    no: str
    """Before the value that a read-back has wrong; `{}` is the value."""
    goodbye: str
    """At the end."""
    again: tuple[str, ...]
    """Phrases of an agent that wants to hear the last words once more."""


MANNERS: Mapping[str, Manners] = {
    "hi": Manners(
        hello="हैलो?",
        waits="ठीक है।",
        yes="जी हाँ, सही है।",
        no="नहीं, {}।",
        goodbye="धन्यवाद, नमस्ते।",
        again=("दोबारा", "फिर से", "सुनाई नहीं"),
    ),
    "zh": Manners(
        hello="喂？",
        waits="好的。",
        yes="对，没错。",
        no="不对，是{}。",
        goodbye="谢谢，再见。",
        again=("再说一遍", "再说一次", "重复一遍", "没听清"),
    ),
}
"""Language to manners."""
LANGUAGES = ("en", *MANNERS)
"""What the scripted caller speaks; anything else it refuses."""
