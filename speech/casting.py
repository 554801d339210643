"""Who speaks with which voice: the caller by its traits, the agent with another one, both with recorded fallbacks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from core.errors import UsageError
from core.schemas.scenario import Pace, Scenario, Voice
from models import registry
from models.specs import ModelSpec
from speech.engines import Synthesizer

PACES = {Pace.SLOW: 0.88, Pace.NORMAL: 1.0, Pace.FAST: 1.15}
"""Trait to factor on the voice's own speaking rate."""


@dataclass(frozen=True)
class Cast:
    """The voices of one call: first the wanted one, then those that stand in when its clip fails quality control."""

    caller: tuple[Synthesizer, ...]
    """The caller's voices."""
    agent: tuple[Synthesizer, ...]
    """The agent's; its first is never the caller's first."""
    caller_pace: float
    """Factor on the caller's speaking rate."""
    unmet_traits: tuple[str, ...] = ()
    """Traits the scenario asks of the caller's voice that no voice here has or can act."""

    def settings(self) -> dict[str, JsonValue]:
        """Voices and pace, with the signature of every engine that may be heard."""
        return {
            "caller_voices": [voice.spec.id for voice in self.caller],
            "agent_voices": [voice.spec.id for voice in self.agent],
            "caller_pace": self.caller_pace,
            "unmet_traits": list(self.unmet_traits),
            "synthesizers": {voice.spec.id: dict(voice.signature()) for voice in self.caller},
        }


def cast(scenario: Scenario, make: Callable[[ModelSpec], Synthesizer]) -> Cast:
    """The voices for a scenario: the caller's by gender where asked for, else the language's first; the agent gets the next.

    Raises:
        UsageError: the language has fewer than two voices.
    """
    specs = registry.voices(scenario.language)
    if len(specs) < 2:
        there = ", ".join(spec.id for spec in specs) or "none"
        raise UsageError(f"scenario {scenario.id!r} needs two distinct voices for {scenario.language!r}, but there is {there}")
    wanted = scenario.caller.voice
    callers = sorted(specs, key=lambda spec: wanted.gender not in ("any", spec.gender))
    agents = [*callers[1:], callers[0]]
    voices = {spec.id: make(spec) for spec in specs}
    return Cast(
        caller=tuple(voices[spec.id] for spec in callers),
        agent=tuple(voices[spec.id] for spec in agents),
        caller_pace=PACES[wanted.pace],
        unmet_traits=_unmet(wanted, callers[0]),
    )


def _unmet(wanted: Voice, spec: ModelSpec) -> tuple[str, ...]:
    """What the chosen voice lacks: gender and accent are compared, age and mood are no property of these voices."""
    unmet = []
    if wanted.gender not in ("any", spec.gender):
        unmet.append(f"gender {wanted.gender}")
    if wanted.accent and wanted.accent != spec.accent:
        unmet.append(f"accent {wanted.accent}")
    unmet += [f"{name} {value}" for name, value in (("age", wanted.age), ("mood", wanted.mood)) if value not in ("", "any")]
    return tuple(unmet)
