"""Who speaks with which voice."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.schemas.scenario import Pace, Scenario
from models import registry
from speech.casting import LISTED, WEIGHTS, Cast, cast
from speech.naming import Named
from speech.studio import Studio, build_studio
from speech.voice_sets import VoiceSet, check_choice, voice_set

HINDI = ("kokoro-hf-alpha", "kokoro-hf-beta", "kokoro-hm-omega", "kokoro-hm-psi")
BRITISH = "kokoro-bf-emma,kokoro-bm-george,kokoro-af-heart,kokoro-am-michael"


@pytest.fixture
def plain(tmp_path: Path) -> Studio:
    """A studio over an empty cache: casting loads nothing."""
    return build_studio(tmp_path, "clean")


def _cast(studio: Studio, scenario: Scenario, choice: str = "standard") -> Cast:
    return cast(scenario, voice_set(choice, scenario.language, studio.cache_root), studio.voice)


def _with_voice(scenario: Scenario, **traits: object) -> Scenario:
    brief = scenario.caller.model_copy(update={"voice": scenario.caller.voice.model_copy(update=traits)})
    return scenario.model_copy(update={"caller": brief})


def _ids(scenarios: Scenario, count: int) -> list[Scenario]:
    return [scenarios.model_copy(update={"id": f"scenario-{number}"}) for number in range(count)]


@pytest.mark.parametrize(
    ("gender", "caller", "agent"), [("male", "piper-joe", "hibari-heart"), ("female", "hibari-heart", "piper-joe")]
)
def test_the_caller_gets_its_gender_and_the_agent_the_other_voice(
    plain: Studio, scenario: Scenario, gender: str, caller: str, agent: str
) -> None:
    """Both sides always speak with distinct voices, and each has the other as its recorded fallback."""
    chosen = _cast(plain, _with_voice(scenario, gender=gender))

    assert [caller, agent] == [voice.spec.id for voice in chosen.caller]
    assert [agent, caller] == [voice.spec.id for voice in chosen.agent]
    assert [caller, agent] == chosen.settings()["caller_voices"]


def test_pace_is_acted_on_top_of_the_voices_own(plain: Studio, scenario: Scenario) -> None:
    """Slow, normal and fast callers speak at rising factors; a normal one at a normal voice's own pace."""
    slow, normal, fast = (
        _cast(plain, _with_voice(scenario, pace=pace)).caller_pace for pace in (Pace.SLOW, Pace.NORMAL, Pace.FAST)
    )

    assert slow < normal < fast
    assert 1.0 == normal


def test_a_voice_that_is_fast_by_itself_is_not_hurried(plain: Studio, scenario: Scenario) -> None:
    """The factor is the wanted pace over the voice's own: a fast voice is slowed for a normal caller."""
    entries = (registry.get(name).model_copy(update={"pace": "fast"}) for name in ("hibari-heart", "piper-joe"))
    fast = tuple(Named(spec.id, spec) for spec in entries)

    hurried, calm = (
        cast(_with_voice(scenario, pace=pace), VoiceSet("by hand", fast), plain.voice).caller_pace
        for pace in (Pace.FAST, Pace.NORMAL)
    )

    assert 1.0 == hurried
    assert calm < 0.9


def test_a_language_without_two_voices_is_refused(plain: Studio, scenario: Scenario) -> None:
    """No silent stand-in in another language: the scenario, its language and what there is are named."""
    with pytest.raises(
        UsageError, match=r"'move-appointment' needs two distinct voices for 'xx', but .* 'standard' there is none"
    ):
        _cast(plain, scenario.model_copy(update={"language": "xx"}))
    with pytest.raises(UsageError, match="'piper-joe' there is piper-joe: name more with --voices"):
        _cast(plain, scenario, "piper-joe")


def test_the_score_and_what_it_is_made_of_are_recorded(plain: Studio, scenario: Scenario) -> None:
    """Traits count by their weights; those met and those that no voice here can give stand in the trace's settings."""
    chosen = _cast(plain, _with_voice(scenario, gender="female", accent="en-GB", age="senior", mood="calm"))

    recorded = chosen.settings()
    assert ["accent en-GB", "age senior", "mood calm"] == recorded["unmet_traits"]
    assert ["gender female", "pace normal"] == recorded["matched_traits"]
    assert WEIGHTS["gender"] + WEIGHTS["natural"] + WEIGHTS["pace"] == recorded["caller_score"]
    assert ("standard", ["hibari-heart", "piper-joe"], []) == (
        recorded["voices"],
        recorded["voices_considered"],
        recorded["voices_absent"],
    )


@pytest.mark.parametrize(
    ("traits", "caller"),
    [
        ({"gender": "male", "accent": "en-GB"}, "kokoro-bm-george"),
        ({"gender": "female", "accent": "en-GB"}, "kokoro-bf-emma"),
        ({"gender": "female", "accent": "en-US"}, "kokoro-af-heart"),
        ({"gender": "male", "accent": "en-us"}, "kokoro-am-michael"),
    ],
)
def test_an_accent_decides_between_voices_of_a_gender(
    plain: Studio, scenario: Scenario, traits: dict[str, str], caller: str
) -> None:
    """With voices of two accents the wanted one is taken, however it is written."""
    chosen = _cast(plain, _with_voice(scenario, **traits), BRITISH)

    assert caller == chosen.caller[0].spec.id
    assert chosen.agent[0].spec.gender != traits["gender"]


def test_weights_rank_traits() -> None:
    """Each trait outweighs all that follow it, so that a score tells at once which were met."""
    weights = list(WEIGHTS.values())
    assert all(weight > sum(weights[number + 1 :]) for number, weight in enumerate(weights))


def test_between_equals_the_scenario_decides_and_nothing_else(plain: Studio, scenario: Scenario) -> None:
    """One scenario keeps its caller, several scenarios share out the voices, and one agent keeps its voice where it can."""
    hindi = _with_voice(scenario.model_copy(update={"language": "hi"}), gender="any", pace=Pace.NORMAL, accent="", age="any")
    callers, agents = [], []
    for one in _ids(hindi, 12):
        first, again = _cast(plain, one), _cast(plain, one)
        assert first.settings() == again.settings()
        assert first.caller[0].spec.id != first.agent[0].spec.id
        assert first.caller[0].spec.gender != first.agent[0].spec.gender
        callers.append(first.caller[0].spec.id)
        agents.append(first.agent[0].spec.id)

    assert len(set(callers)) > 1
    assert len(set(agents)) <= 2


def test_stand_ins_are_few_and_the_other_sides_voice_comes_last(plain: Studio, scenario: Scenario) -> None:
    """Each side has LISTED voices at most; with enough of them neither falls back on the other's voice."""
    chosen = _cast(plain, scenario.model_copy(update={"language": "hi"}))
    caller, agent = ([voice.spec.id for voice in side] for side in (chosen.caller, chosen.agent))

    assert LISTED == len(caller) == len(agent)
    assert agent[0] not in caller
    assert caller[0] not in agent
    assert set(caller + agent) == set(dict(chosen.settings())["synthesizers"])  # type: ignore[arg-type]  # a JSON object


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("hibari-heart", "piper-joe")),
        ("en-GB", ("hibari-heart", "piper-joe")),
        ("hi-IN", HINDI),
        ("ta", HINDI),
        ("kn", HINDI),
    ],
)
def test_the_standard_voices_are_the_same_on_every_machine(tmp_path: Path, language: str, expected: tuple[str, ...]) -> None:
    """`standard` is decided by the catalogue alone: whatever is installed, these voices are considered."""
    assert expected == tuple(voice.text for voice in voice_set("standard", language, tmp_path).voices)


def test_a_tier_with_one_voice_is_filled_from_the_next(tmp_path: Path) -> None:
    """French has one Kokoro voice, so espeak-ng's join; Polish has none, so it is espeak-ng's alone."""
    french, polish = (voice_set("standard", language, tmp_path).voices for language in ("fr", "pl"))

    assert {"kokoro", "espeak"} == {voice.spec.engine for voice in french}
    assert {"espeak"} == {voice.spec.engine for voice in polish}


def test_all_is_what_is_installed_and_says_what_is_not(tmp_path: Path) -> None:
    """With an empty cache no Kokoro voice can speak: `all` passes them over, by name."""
    found = voice_set("all", "en", tmp_path)

    considered = {voice.spec.engine for voice in found.voices}
    assert {"hibari", "piper", "espeak"} == considered
    assert 28 == len(found.absent)
    assert all(name.startswith("kokoro-") for name in found.absent)


@pytest.mark.parametrize("gender", ["female", "male"])
def test_a_robot_is_the_last_choice(plain: Studio, scenario: Scenario, gender: str) -> None:
    """A voice made by rule is taken only where no other has the gender, though it alone has the age."""
    chosen = _cast(
        plain, _with_voice(scenario, gender=gender, age="senior"), "hibari-heart,piper-joe,espeak-grandma,espeak-grandpa"
    )

    assert chosen.caller[0].spec.id in ("hibari-heart", "piper-joe")
    assert chosen.caller[0].spec.gender == gender


def test_voices_by_name(tmp_path: Path) -> None:
    """Ids are taken as listed, once each, where they serve the language; an unknown one is refused with the valid ones."""
    found = voice_set("piper-joe, kokoro-hf-beta,kokoro-hf-alpha,kokoro-hf-beta", "mr", tmp_path)

    assert ("kokoro-hf-beta", "kokoro-hf-alpha") == tuple(voice.text for voice in found.voices)
    with pytest.raises(UsageError, match=r"unknown voice 'nobody': choose one of .*piper-joe"):
        check_choice("piper-joe,nobody")
    with pytest.raises(UsageError, match="is the voice 'piper-joe' a second time"):
        check_choice("piper-joe,piper-joe?")
    with pytest.raises(UsageError, match="no voices in ',': name standard, all, or ids"):
        check_choice(",")
