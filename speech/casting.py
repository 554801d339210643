"""Who speaks with which voice: the caller by its traits, scored and recorded; the agent with another voice; both with fallbacks.

A caller's voice follows from its scenario and the voices considered, and from nothing else, so it stays the same over
conditions, repeats and candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from core.errors import UsageError
from core.schemas.scenario import Pace, Scenario, Voice
from core.seeds import derive
from models.specs import ModelSpec
from speech.engines import Options, Synthesizer
from speech.naming import Named
from speech.voice_sets import VoiceSet

PACES = {Pace.SLOW: 0.88, Pace.NORMAL: 1.0, Pace.FAST: 1.15}
"""Trait to factor on a normal speaking rate."""
WEIGHTS = {"gender": 32, "natural": 16, "accent": 8, "age": 4, "mood": 2, "pace": 1}
"""Points of each trait that a voice has as wanted; each outweighs all that follow. `natural`: no robot, which all want."""
ROBOTIC = "robotic"
"""Tone of a voice made by rule, which nobody takes for a person."""
LISTED = 3
"""Voices kept for each side: the wanted one, then those that stand in for it."""


@dataclass(frozen=True)
class Cast:
    """The voices of one call: first the wanted one, then those that stand in when its clip fails quality control."""

    caller: tuple[Synthesizer, ...]
    """The caller's voices."""
    agent: tuple[Synthesizer, ...]
    """The agent's; its first is never the caller's first."""
    caller_pace: float
    """Factor on the caller's voice's own speaking rate."""
    score: int = 0
    """Points of the caller's voice, by WEIGHTS."""
    matched_traits: tuple[str, ...] = ()
    """Traits the scenario asks for that the caller's voice has."""
    unmet_traits: tuple[str, ...] = ()
    """Traits it asks for that the voice neither has nor can act."""
    considered: VoiceSet | None = None
    """The voices it was chosen from; None where it was cast by hand."""

    def settings(self) -> dict[str, JsonValue]:
        """Voices and pace, why they were chosen, and the signature of every engine that may be heard."""
        return {
            **(self.considered.settings() if self.considered else {}),
            "caller_voices": [voice.spec.id for voice in self.caller],
            "agent_voices": [voice.spec.id for voice in self.agent],
            "caller_pace": self.caller_pace,
            "caller_score": self.score,
            "matched_traits": list(self.matched_traits),
            "unmet_traits": list(self.unmet_traits),
            "synthesizers": {voice.spec.id: dict(voice.signature()) for voice in (*self.caller, *self.agent)},
        }


def cast(scenario: Scenario, considered: VoiceSet, make: Callable[[ModelSpec, Options], Synthesizer]) -> Cast:
    """The voices for a scenario: the caller's by its traits, the agent's by being another person, best of the other gender.

    Between equals a hash decides, of the scenario's id for the caller and of the agent's id for the agent.

    Raises:
        UsageError: fewer than two voices serve the language.
    """
    voices = considered.voices
    if len(voices) < 2:
        there = ", ".join(voice.text for voice in voices) or "none"
        raise UsageError(
            f"scenario {scenario.id!r} needs two distinct voices for {scenario.language!r}, but among the voices"
            f" {considered.choice!r} there is {there}: name more with --voices, or take --voices all"
        )
    wanted = scenario.caller.voice
    callers = sorted(voices, key=lambda voice: (-_score(wanted, voice.spec), derive("caller", scenario.id, voice.spec.id)))
    caller = callers[0].spec
    agents = sorted(
        callers[1:],
        key=lambda voice: (
            voice.spec.tone == ROBOTIC,
            voice.spec.gender == caller.gender,
            derive("agent", scenario.agent, voice.spec.id),
        ),
    )
    return Cast(
        caller=tuple(make(voice.spec, voice.options) for voice in _listed(callers, agents[0])),
        agent=tuple(make(voice.spec, voice.options) for voice in _listed(agents, callers[0])),
        caller_pace=round(PACES[wanted.pace] / PACES[Pace(caller.pace or Pace.NORMAL)], 4),
        score=_score(wanted, caller),
        matched_traits=tuple(f"{name} {value}" for name, value in _asked(wanted) if _has(caller, name, value)),
        unmet_traits=tuple(f"{name} {value}" for name, value in _asked(wanted) if not _acted(caller, name, value)),
        considered=considered,
    )


def _score(wanted: Voice, spec: ModelSpec) -> int:
    points = sum(WEIGHTS[name] for name, value in _asked(wanted) if _has(spec, name, value))
    return points + WEIGHTS["natural"] * (spec.tone != ROBOTIC)


def _asked(wanted: Voice) -> list[tuple[str, str]]:
    """The traits a scenario asks for, by name."""
    traits = {"gender": wanted.gender, "accent": wanted.accent, "age": wanted.age, "mood": wanted.mood, "pace": wanted.pace}
    return [(name, str(value)) for name, value in traits.items() if value not in ("", "any")]


def _has(spec: ModelSpec, name: str, value: str) -> bool:
    """Whether a voice has a trait by itself; an accent also answers to its language alone."""
    if name == "accent":
        own, asked = (spec.accent or "").casefold(), value.casefold()
        return own == asked or own.startswith(f"{asked}-")
    if name == "mood":
        return value in (spec.tone, *spec.styles)
    return value == str(getattr(spec, name))


def _acted(spec: ModelSpec, name: str, value: str) -> bool:
    """Whether a voice has a trait or can be made to show it: a pace is a factor on its speaking rate."""
    return name == "pace" or _has(spec, name, value)


def _listed(ranked: Sequence[Named], other: Named) -> list[Named]:
    """The first LISTED of a ranking without the other side's voice, which stands in last of all."""
    return [*(voice for voice in ranked if voice != other), other][:LISTED]
