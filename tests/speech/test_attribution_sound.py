"""Attribution where the damage is in the sound: part of a value's waveform is silence or noise when the recogniser gets it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest
from pydantic import JsonValue

from core.grading.grade import grade
from core.line import Line
from core.runs.attribution import attribute
from core.runs.hearing import case_hearing
from core.runs.play import Parties, Played, play_case
from core.schemas.base import Condition
from core.schemas.call_trace import CodeVersion, Trace
from core.schemas.run import Attribution, CaseKey
from core.schemas.scenario import Scenario
from models.parties.rules import RulesJudge
from speech.channel.presets import ChannelSpec
from speech.clip import Clip
from speech.line import SpokenLine
from speech.studio import Studio
from tests.support.damage import Teller
from tests.support.filling import FACTS, Filler, forms

pytestmark = [pytest.mark.engine, pytest.mark.slow]
NAME = "form-en"


@dataclass
class Torn:
    """A channel that does nothing but replace a part of one turn, as shares of its length, by silence or noise."""

    turn: int
    start: float
    end: float
    noise: float
    """Standard deviation of the noise; 0 is silence."""
    carried: int = 0

    def settings(self) -> dict[str, JsonValue]:
        """What is torn."""
        return {"channel": f"torn:{self.turn}"}

    def apply(self, clip: Clip, rng: np.random.Generator) -> Clip:
        """The clip, torn where it is this turn's."""
        self.carried += 1
        if self.carried != self.turn:
            return clip
        samples = clip.samples.copy()
        part = slice(int(self.start * len(samples)), int(self.end * len(samples)))
        samples[part] = self.noise * rng.standard_normal(len(samples[part]))
        return Clip(samples, clip.sample_rate)


class TornLines:
    """Factory of `asr` lines with one torn turn."""

    def __init__(self, studio: Studio, torn: Torn) -> None:
        self._studio, self._torn = studio, torn

    def settings(self) -> dict[str, JsonValue]:
        """What is torn."""
        return self._torn.settings()

    def open(self, scenario: Scenario, seed: int) -> Line:
        """A line of the studio's voices and recogniser."""
        channel = cast(ChannelSpec, self._torn)
        return SpokenLine(self._studio.booth(scenario, seed), channel, self._studio.listener(scenario.language))


def _played(studio: Studio, torn: Torn) -> tuple[Trace, set[str], list[Attribution]]:
    """The call, its broken actions, and what they are put down to."""
    bundle = forms()
    scenario = bundle.scenarios[NAME]
    parties = Parties(
        caller=lambda _scenario: Teller(1),
        candidate=lambda _scenario: Filler("en", 1),
        lines={Condition.ASR: TornLines(studio, torn)},
    )
    played = play_case(CaseKey(scenario=NAME, condition=Condition.ASR), bundle, parties, 7, CodeVersion(version="0"))
    assert isinstance(played, Played), played
    graded = grade(played.trace, scenario, "You fill in forms.", RulesJudge(), trace_sha256="0" * 64)
    found = attribute("case", played.trace, graded, scenario, case_hearing(played.trace, scenario).turns)
    actions = {action.id for action in scenario.expected}
    return played.trace, {item.id for item in graded.items if item.id in actions and item.value != 1.0}, found


@pytest.mark.parametrize(
    ("fact", "start", "end", "noise"),
    [("account", 0.3, 0.7, 0.0), ("account", 0.5, 0.8, 0.3), ("day", 0.0, 0.5, 0.3), ("amount", 0.0, 0.6, 0.0)],
)
def test_a_value_torn_out_of_the_sound_is_named(studio: Studio, fact: str, start: float, end: float, noise: float) -> None:
    """The call breaks, whole it does not; the torn fact and no other is blamed, in its turn, with its clip."""
    turn = list(FACTS).index(fact) + 1
    trace, broken, found = _played(studio, Torn(turn, start, end, noise))

    assert broken
    assert {fact} == {each.fact for each in found}
    assert {turn} == {each.turn for each in found}
    assert trace.recording is not None
    for each in found:
        assert each.clip == f"clips/{each.message:03d}.flac"
        assert each.clip_sha256 == trace.recording.clips[f"{each.message:03d}"]


def test_a_torn_value_that_nobody_wants_is_not_blamed(studio: Studio) -> None:
    """Nothing breaks without damage, nor by damage to the last fact, which no action wants; so nothing is blamed."""
    _trace, broken, found = _played(studio, Torn(0, 0.0, 0.0, 0.0))
    assert (set(), []) == (broken, found)

    last, broken, found = _played(studio, Torn(len(FACTS), 0.0, 1.0, 0.3))
    assert "7" not in " ".join(piece.text for piece in last.caller_turns[len(FACTS) - 1].heard)
    assert (set(), []) == (broken, found)
