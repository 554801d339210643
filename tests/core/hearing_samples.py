"""Spoken calls written by hand for the tests of hearing: what was said, what was heard, and how sure the recogniser was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.schemas.base import Condition
from core.schemas.call_trace import CallerTurn, ChannelEvent, Fragment, Trace, TurnAudio
from core.schemas.scenario import Scenario
from tests.core.grading_samples import HASH, CallScript, scenario

LINE: dict[str, Any] = {
    "recognizer": {"engine": "faster-whisper", "model": "whisper-base"},
    "synthesizers": {"joe": {"engine": "piper", "model": "joe"}, "heart": {"engine": "hibari", "model": "heart"}},
}


@dataclass(frozen=True)
class Turn:
    """One turn of a spoken call."""

    said: str
    heard: str
    confidence: float | None = None
    guard: tuple[str, ...] = ()


def call(
    *turns: Turn,
    language: str = "en",
    voice: str = "joe",
    condition: Condition = Condition.ASR,
    name: str = "outage",
    line: dict[str, Any] = LINE,
) -> Trace:
    """A transcribed call of these turns."""
    made = CallScript(condition, name).agent("Hello.").trace()
    spoken = tuple(
        CallerTurn(
            turn=number,
            intended=turn.said,
            heard=(Fragment(text=turn.heard, message=number, clip=HASH, confidence=turn.confidence),),
            events=tuple(ChannelEvent(id=f"hearing_guard:{kind}", kind="note", applied=True) for kind in turn.guard),
            audio=TurnAudio(voice=voice, engine=voice, spoken=turn.said, clip=HASH),
        )
        for number, turn in enumerate(turns, 1)
    )
    header = made.header.model_copy(update={"language": language, "line": line})
    return made.model_copy(update={"header": header, "caller_turns": spoken})


def spoken_scenario(language: str = "en", script: str = "Latn", name: str = "outage") -> Scenario:
    """A scenario in a language; its facts are an account number and a zip code."""
    return scenario(id=name, language=language, script=script)
