"""A scenario's `offline` block as words: what the scripted caller says to take a step, in any language that has spoken forms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.errors import UsageError
from core.schemas.scenario import Fact, Offline, OfflineStep
from core.spoken import say

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class Turn:
    """What the caller decides to say."""

    speech: str
    step: str | None = None
    done: bool = False


def script_of(offline: Offline, step: str) -> OfflineStep:
    """Cues and line of a plan step; raises UsageError where there are none."""
    if step not in offline.steps:
        raise UsageError(f"offline.steps has no line for plan step {step!r}: add one, or choose another caller")
    return offline.steps[step]


def line_of(offline: Offline, step: str, facts: Mapping[str, Fact], language: str) -> str:
    """The line of a step with its facts said; raises UsageError where it names an unknown one."""

    def spoken(found: re.Match[str]) -> str:
        key = found.group(1)
        if key not in facts:
            raise UsageError(f"offline.steps.{step}.line names {key!r}, which is no fact of the brief")
        return say(facts[key].value, facts[key].kind, language=language)

    return _PLACEHOLDER.sub(spoken, script_of(offline, step).line)
