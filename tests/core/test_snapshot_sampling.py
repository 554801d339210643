"""A month's calls are exactly its contract, and where they come from tells no label."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.schemas.snapshots import Contract, Label, PathState, SnapshotCall
from core.schemas.trees import BuildConfig
from core.snapshots.audits.overlap import near_pairs
from core.snapshots.building.build import build_calls
from core.snapshots.freezing.sampling import next_in_place_of, sample, trees_needed
from models.snapshots.offline import offline_agents
from tests.core.snapshot_months import LIBRARY

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@cache
def _built(trees: int = 6) -> tuple[SnapshotCall, ...]:
    config = BuildConfig(namespace="test", seed=5, language="en", trees=trees)
    return tuple(call for tree in build_calls(config, LIBRARY, offline_agents(LIBRARY)) for call in tree.calls)


def _call(tree: int, number: int, label: Label, words: str | None = None) -> SnapshotCall:
    """A call with a place and a label of its own; words unlike all others, unless some are given."""
    like = next(call for call in _built() if call.label is label)
    drawn = np.random.Generator(np.random.PCG64([tree, number, label is Label.FRAUD])).integers(26, size=60)
    first = like.turns[0].model_copy(update={"text": words or "".join(LETTERS[letter] for letter in drawn)})
    turns = (first, *(turn.model_copy(update={"text": str(turn.i)}) for turn in like.turns[1:]))
    name = f"t{tree}-{label.value.lower()}-{number}"
    return like.model_copy(
        update={"sample_id": name, "tree_id": f"tree-{tree}", "family_id": f"family-{tree % 3}", "turns": turns}
    )


def _calls(trees: list[tuple[int, int]]) -> list[SnapshotCall]:
    return [
        _call(tree, number, label)
        for tree, counts in enumerate(trees)
        for label, count in zip((Label.FRAUD, Label.NONFRAUD), counts, strict=True)
        for number in range(count)
    ]


def _contract(fraud: int, nonfraud: int) -> Contract:
    return Contract(fraud=fraud, nonfraud=nonfraud, language="en", audio=False)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=6),
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(0, 5),
)
def test_a_sample_is_the_contract_and_the_rest_is_the_reserve(
    trees: list[tuple[int, int]], fraud: int, nonfraud: int, seed: int
) -> None:
    """Exact counts, every call once, the order given kept; or one error that says how many are missing."""
    calls = _calls(trees)
    there = Counter(call.label for call in calls)
    contract = _contract(fraud, nonfraud)
    if there[Label.FRAUD] < fraud or there[Label.NONFRAUD] < nonfraud:
        with pytest.raises(UsageError, match="calls are missing"):
            sample(calls, contract, seed)
        return
    found = sample(calls, contract, seed)
    assert {Label.FRAUD: fraud, Label.NONFRAUD: nonfraud} == Counter(call.label for call in found.chosen)
    assert sorted(c.sample_id for c in calls) == sorted(c.sample_id for c in (*found.chosen, *found.reserve))
    assert [call for call in calls if call in found.chosen] == list(found.chosen)
    backwards = sample(reversed(calls), contract, seed)
    assert list(reversed(backwards.chosen)) == list(found.chosen)
    assert backwards.reserve == found.reserve


@given(st.integers(2, 6), st.integers(1, 3), st.integers(1, 3), st.integers(0, 3))
def test_every_tree_gives_the_contracts_ratio_where_it_can(trees: int, times: int, ratio: int, seed: int) -> None:
    """With calls enough in all of them, trees give equally many of either label, so that no tree tells a label."""
    calls = _calls([(times * ratio + 2, times + 2)] * trees)
    found = sample(calls, _contract(trees * times * ratio, trees * times), seed)
    given_ = Counter((call.tree_id, call.label) for call in found.chosen)
    assert {times * ratio} == {given_[f"tree-{tree}", Label.FRAUD] for tree in range(trees)}
    assert {times} == {given_[f"tree-{tree}", Label.NONFRAUD] for tree in range(trees)}


def test_fewer_units_than_trees_stay_whole() -> None:
    """Four times two to one over six trees: four trees give two to one, and two give nothing; families are used alike."""
    found = sample(_calls([(3, 3)] * 6), _contract(8, 4), 1)
    units = Counter(call.tree_id for call in found.chosen)
    assert [3, 3, 3, 3] == list(units.values())
    assert max(Counter(call.family_id for call in found.chosen).values()) <= 6


def test_a_poor_tree_gives_as_many_in_ratio_as_it_can() -> None:
    """A tree with one fraud call cannot give two to one; others give more, and no tree gives fraud calls alone."""
    found = sample(_calls([(1, 5), (6, 5), (6, 5)]), _contract(8, 4), 1)
    given_ = Counter((call.tree_id, call.label) for call in found.chosen)
    assert [(0, 0), (4, 2), (4, 2)] == [tuple(given_[f"tree-{tree}", label] for label in Label) for tree in range(3)]


def test_too_few_calls_are_told_by_label() -> None:
    """How many of which, in how many trees, and what to do."""
    with pytest.raises(UsageError) as caught:
        sample(_calls([(1, 2), (1, 3)]), _contract(4, 8), 1)
    assert (
        "2 FRAUD calls are missing (2 of 4) and 3 NONFRAUD calls are missing (5 of 8) in 2 trees: grow more with --trees,"
        " or ask for fewer calls"
    ) == str(caught.value)


def test_of_near_duplicates_one_is_taken_while_others_are_left() -> None:
    """Both twins come only where nothing else does; until then the second waits at the end of the reserve."""
    words = "the quick brown fox jumps over the lazy dog and runs away again and again"
    twins = [_call(0, 8, Label.FRAUD, f"{words} a"), _call(1, 9, Label.FRAUD, f"{words} b")]
    calls = [*twins, *_calls([(1, 2), (1, 2)])]
    texts = [call.text for call in calls]
    assert [(0, 1)] == [(first, second) for _shared, first, second in near_pairs(texts, 0)]
    for seed in range(8):
        found = sample(calls, _contract(3, 3), seed)
        assert 1 == sum(call in found.chosen for call in twins)
        assert 1 == len(found.twins)
        assert found.reserve[-1].sample_id in found.twins
        assert all(call in sample(calls, _contract(4, 3), seed).chosen for call in twins)


def test_a_failed_call_is_replaced_by_its_likes() -> None:
    """The same label always, the same tree before others, near-duplicates last, in the order of the reserve; else nobody."""
    failed = _call(0, 0, Label.FRAUD)
    lawful, far, near, twin = (
        _call(0, 1, Label.NONFRAUD),
        _call(1, 1, Label.FRAUD),
        _call(0, 2, Label.FRAUD),
        _call(0, 3, Label.FRAUD),
    )
    assert near is next_in_place_of(failed, [lawful, far, near, twin])
    assert twin is next_in_place_of(failed, [twin, near])
    assert near is next_in_place_of(failed, [twin, far, near], {twin.sample_id})
    assert far is next_in_place_of(failed, [twin, far], {twin.sample_id})
    assert twin is next_in_place_of(failed, [lawful, twin], {twin.sample_id})
    assert None is next_in_place_of(failed, [lawful])


def test_another_seed_chooses_others() -> None:
    """The choice is drawn, not fixed by the order of ids."""
    calls = _calls([(6, 6)] * 4)
    chosen = {frozenset(call.sample_id for call in sample(calls, _contract(8, 4), seed).chosen) for seed in range(5)}
    assert 5 == len(chosen)


def test_depth_and_length_stay_as_they_are_in_all_calls() -> None:
    """Of real calls, either label's mean length and share of deepest leaves is nearer to all calls' than chance would keep it."""
    calls = _built()
    found = sample(calls, _contract(24, 12), 5)
    everything = np.array([[len(call.text), call.stop.depth == 4] for call in calls], dtype=np.float64)
    for label in Label:
        own = np.array([[len(call.text), call.stop.depth == 4] for call in found.chosen if call.label is label], dtype=float)
        away = np.abs(own.mean(axis=0) - everything.mean(axis=0)) / everything.std(axis=0)
        # the standard error of a mean of twelve drawn at random is 0.29 standard deviations
        assert (away < 0.2).all(), (label, away)


@pytest.mark.parametrize(("fraud", "nonfraud", "trees"), [(600, 300, 66), (40, 20, 23), (4, 2, 3), (1, 1, 2), (300, 600, 66)])
def test_trees_grow_with_the_contract(fraud: int, nonfraud: int, trees: int) -> None:
    """About as many as the paper's 57 for 900 calls, 20 for a small month, and a margin of 15 %."""
    assert trees == trees_needed(_contract(fraud, nonfraud))


def test_no_ambiguous_call_can_be_sampled() -> None:
    """A call that ends in no state has no label, and so no place in any list that is sampled from."""
    assert {PathState.FRAUD, PathState.NONFRAUD} == {call.turns[-1].after for call in _built()}
