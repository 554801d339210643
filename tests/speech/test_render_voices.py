"""Voices of a month: bound to trees, fitting their people, spread over the trees, blind to labels, or refused."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.schemas.snapshots import Label, Participant, Side, SnapshotCall
from core.schemas.trees import BuildConfig
from core.schemas.voicing import RenderConfig, RoleKind
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import case_languages, load_cases
from models import registry
from models.snapshots.offline import offline_agents
from speech import render
from speech.naming import Named
from speech.rendering.assigning import TreeCast, assign_voices, casts_of
from speech.rendering.pool import WEIGHTS, eligible, fit, snapshot_voices
from speech.rendering.tables import voice_table
from speech.studio import build_studio
from speech.voice_sets import VoiceSet
from tests.speech.dialogues import CALLER, RECEIVER, call

NOWHERE = Path("no-cache-is-needed")
ZH = snapshot_voices("snapshot", "zh", NOWHERE)
PEOPLE = st.builds(
    Participant,
    role=st.sampled_from(["公安局办案民警", "快递公司理赔员", "储蓄卡客户"]),
    gender=st.sampled_from(["female", "male"]),
    age=st.integers(18, 95),
    tones=st.lists(st.sampled_from(["沉稳", "热情", "着急", "紧张"]), max_size=2).map(tuple),
)


@cache
def built(language: str, trees: int = 9) -> tuple[SnapshotCall, ...]:
    """Calls of a few real trees."""
    library = load_cases(language)
    config = BuildConfig(namespace="voices", seed=3, language=language, trees=trees)
    return tuple(found for tree in build_calls(config, library, offline_agents(library)) for found in tree.calls)


def _casts(people: list[tuple[Participant, Participant]]) -> list[TreeCast]:
    return [TreeCast(f"tree-{number}", *pair) for number, pair in enumerate(people)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_siblings_share_two_different_voices_of_the_right_gender(language: str) -> None:
    """Every tree has one caller's and one receiver's voice, never the same, each of the person's gender."""
    calls = built(language)
    voices = render.assign(calls, RenderConfig(seed=1), build_studio(NOWHERE))

    assert {each.tree_id for each in calls} == set(voices)
    for each in calls:
        both = voices[each.tree_id]
        assert both.caller.voice_id != both.receiver.voice_id
        assert each.caller.gender == registry.get(both.caller.voice_id).gender
        assert each.receiver.gender == registry.get(both.receiver.voice_id).gender


def test_one_seed_gives_one_assignment_and_trees_added_later_change_nothing() -> None:
    """The same twice; another with another seed; the first trees of more trees are the same as alone."""
    casts = casts_of(built("zh"))
    once = assign_voices(casts, ZH, voice_table(), 1)

    assert once == assign_voices(casts, ZH, voice_table(), 1)
    assert once != assign_voices(casts, ZH, voice_table(), 2)
    fewer = assign_voices(casts[:4], ZH, voice_table(), 1)
    assert fewer == {tree: once[tree] for tree in fewer}


def test_labels_change_no_voice() -> None:
    """Dropping all calls of one label, or turning the calls of each tree around, leaves every voice as it was."""
    calls = built("zh")
    studio, config = build_studio(NOWHERE), RenderConfig(seed=1)
    every = render.assign(calls, config, studio)

    for label in Label:
        assert every == render.assign([each for each in calls if each.label is label], config, studio)
    turned = [each for _, tree in itertools.groupby(calls, lambda each: each.tree_id) for each in reversed(list(tree))]
    assert every == render.assign(turned, config, studio)


@settings(max_examples=40, deadline=None)
@given(people=st.lists(st.tuples(PEOPLE, PEOPLE), min_size=1, max_size=14), seed=st.integers(0, 2**31))
def test_parts_sum_to_scores_and_no_voice_comes_back_within_its_window(
    people: list[tuple[Participant, Participant]], seed: int
) -> None:
    """For any people: parts add up, a window of half the eligible voices holds no voice twice, and nothing was forced."""
    casts = _casts(people)
    voices = assign_voices(casts, ZH, voice_table(), seed)
    trees = [(voices[each.tree_id].caller, voices[each.tree_id].receiver) for each in casts]

    for choice in itertools.chain.from_iterable(trees):
        assert choice.score == pytest.approx(sum(choice.parts.values()), abs=1e-9)
        assert {*WEIGHTS, "usage"} == choice.parts.keys()
        assert all(0 <= choice.parts[name] <= weight for name, weight in WEIGHTS.items())
        assert -0.25 <= choice.parts["usage"] <= 0
        assert not choice.reused
    for window in range(len(trees)):
        spoken = [choice.voice_id for pair in trees[window : window + 2] for choice in pair]
        assert max(Counter(spoken).values()) == 1  # four voices of each gender: a window of two trees


def test_equal_voices_are_used_equally_often() -> None:
    """Voices that fit exactly as well differ by one use at most, at every moment."""
    spec = registry.get("kokoro-zf-xiaoni")
    twins = VoiceSet("twins", tuple(Named(f"v{n}", spec.model_copy(update={"id": f"v{n}"})) for n in range(7)))
    casts = _casts([(CALLER, CALLER)] * 40)
    uses: Counter[str] = Counter({voice.spec.id: 0 for voice in twins.voices})

    for both in assign_voices(casts, twins, voice_table(), 5).values():
        uses.update([both.caller.voice_id, both.receiver.voice_id])
        assert max(uses.values()) - min(uses.values()) <= 1


def test_the_better_fit_comes_first_more_often() -> None:
    """Over many first trees, the voices that fit an officer best speak most often, and others too."""
    officer = Participant(role="police officer", gender="male", age=45, tones=("grave",))
    pool = snapshot_voices("snapshot", "en", NOWHERE)
    firsts = Counter(
        assign_voices([TreeCast(f"t{seed}", officer, CALLER)], pool, voice_table(), seed)[f"t{seed}"].caller.voice_id
        for seed in range(300)
    )
    scores = {spec.id: sum(fit(spec, officer, Side.CALLER, voice_table()).values()) for spec in eligible(pool, officer)}
    best = sorted(scores, key=lambda voice: -scores[voice])[:5]

    assert RoleKind.AUTHORITY is voice_table().kind_of(officer.role, Side.CALLER)
    assert set(firsts) <= {voice for voice in scores if scores[voice] >= scores[best[4]]}
    top = sum(count for voice, count in firsts.items() if registry.get(voice).tone == "deep")
    assert top > 150


def test_a_pool_that_cannot_serve_is_refused() -> None:
    """One voice of each gender serves a woman and a man, but not two women; the message says what is there."""
    two = snapshot_voices("hibari-heart,piper-joe", "en", NOWHERE)
    served = assign_voices(_casts([(CALLER, RECEIVER)] * 2), two, voice_table(), 1)

    assert {("hibari-heart", "piper-joe")} == {(both.caller.voice_id, both.receiver.voice_id) for both in served.values()}
    with pytest.raises(
        UsageError, match=r"receiver of tree 'tree-0', .* other than 'hibari-heart', .* hold hibari-heart: name more"
    ):
        assign_voices(_casts([(CALLER, CALLER)]), two, voice_table(), 1)
    with pytest.raises(UsageError, match=r"caller of tree 'tree-0', a female .* needs a voice, but .* hold none: name more"):
        assign_voices(_casts([(CALLER, RECEIVER)]), snapshot_voices("piper-joe", "en", NOWHERE), voice_table(), 1)


def test_calls_of_several_languages_are_refused() -> None:
    """A month has one language, and so have its voices."""
    with pytest.raises(UsageError, match="several languages, en, zh"):
        render.assign([call(), call(language="zh")], RenderConfig(seed=1), build_studio(NOWHERE))


def test_siblings_with_other_people_are_refused() -> None:
    """Voices belong to a tree's people, so a tree has the same ones in all its calls."""
    other = call(Label.NONFRAUD).model_copy(update={"caller": RECEIVER})

    with pytest.raises(UsageError, match=f"call {other.sample_id!r} has other people than its siblings of tree 'tree-a'"):
        casts_of([call(), other])


def test_people_speak_where_a_language_has_enough_of_them() -> None:
    """English and Mandarin are spoken by Kokoro's voices, 28 and 8; Swedish, which it has not, by rule."""
    for language, engine, count in (("en", "kokoro", 28), ("zh", "kokoro", 8), ("sv", "espeak", 6)):
        voices = snapshot_voices("snapshot", language, NOWHERE).voices
        assert (count, {engine}) == (len(voices), {voice.spec.engine for voice in voices})


def test_a_voice_of_unknown_gender_may_stand_in_and_scores_less() -> None:
    """It is eligible for everybody, with half of the points for gender."""
    spec = registry.get("kokoro-zf-xiaoni").model_copy(update={"gender": None, "id": "unlisted"})
    pool = VoiceSet("x", (Named("x", spec), Named("y", registry.get("kokoro-zm-yunxi"))))

    assert ["unlisted", "kokoro-zm-yunxi"] == [found.id for found in eligible(pool, RECEIVER)]
    assert 0.05 == fit(spec, RECEIVER, Side.RECEIVER, voice_table())["gender"]


def test_every_tone_of_a_shipped_case_is_known() -> None:
    """A word that the table has not would make voices no worse and no better; none of the shipped ones is such a word."""
    unknown = {
        word
        for language in case_languages()
        for case in load_cases(language).abstracts.values()
        for word in (*case.caller.tones, *case.receiver.tones)
        if not voice_table().traits_of((word,))
    }
    assert set() == unknown


def test_what_the_datasheet_says_of_mandarin_voices_is_what_the_catalogue_lists() -> None:
    """The four women's have one tone and one age; no voice is senior, and the only young one is a man's."""
    voices = {name: model for name, model in registry.catalogue().items() if name.startswith("kokoro-z")}
    women = [model for model in voices.values() if model.gender == "female"]
    assert [("bright", "adult")] * 4 == [(model.tone, model.age) for model in women]
    assert [("young", "male")] == [(model.age, model.gender) for model in voices.values() if model.age != "adult"]
