"""Who speaks with which voice."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.schemas.scenario import Pace, Scenario
from speech.casting import cast
from speech.studio import Studio, build_studio


@pytest.fixture
def plain(tmp_path: Path) -> Studio:
    """A studio over an empty cache: casting loads nothing."""
    return build_studio(tmp_path, "clean")


def _with_voice(scenario: Scenario, **traits: object) -> Scenario:
    brief = scenario.caller.model_copy(update={"voice": scenario.caller.voice.model_copy(update=traits)})
    return scenario.model_copy(update={"caller": brief})


@pytest.mark.parametrize(
    ("gender", "caller", "agent"),
    [
        ("male", "piper-joe", "hibari-heart"),
        ("female", "hibari-heart", "piper-joe"),
        ("any", "hibari-heart", "piper-joe"),
    ],
)
def test_the_caller_gets_its_gender_and_the_agent_the_other_voice(
    plain: Studio, scenario: Scenario, gender: str, caller: str, agent: str
) -> None:
    """Both sides always speak with distinct voices, and each has the other as its recorded fallback."""
    chosen = cast(_with_voice(scenario, gender=gender), plain.voice)

    assert [caller, agent] == [voice.spec.id for voice in chosen.caller]
    assert [agent, caller] == [voice.spec.id for voice in chosen.agent]
    assert [caller, agent] == chosen.settings()["caller_voices"]


def test_pace_is_a_trait_of_the_caller(plain: Studio, scenario: Scenario) -> None:
    """Slow, normal and fast callers speak at rising factors; a normal one at the voice's own pace."""
    slow, normal, fast = (
        cast(_with_voice(scenario, pace=pace), plain.voice).caller_pace for pace in (Pace.SLOW, Pace.NORMAL, Pace.FAST)
    )

    assert slow < normal < fast
    assert 1.0 == normal


def test_a_language_without_two_voices_is_refused(plain: Studio, scenario: Scenario) -> None:
    """No silent stand-in in another language: the scenario, its language and what there is are named."""
    with pytest.raises(UsageError, match="'move-appointment' needs two distinct voices for 'ta', but there is none"):
        cast(scenario.model_copy(update={"language": "ta"}), plain.voice)


def test_traits_no_voice_has_are_recorded(plain: Studio, scenario: Scenario) -> None:
    """What a scenario asks and no voice here can give stands in the trace's settings instead of being passed over."""
    chosen = cast(_with_voice(scenario, gender="female", accent="en-GB", age="senior", mood="calm"), plain.voice)

    assert ["accent en-GB", "age senior", "mood calm"] == chosen.settings()["unmet_traits"]
