"""The offline agents build whole months without a network, the same bytes everywhere, with delivery blind to labels."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from core.schemas.base import canonical_json
from core.schemas.casefile import Content
from core.schemas.snapshots import Delivery, Label, PathState, Side, SnapshotCall
from core.schemas.trees import BuildConfig, BuiltTree
from core.snapshots.building.build import build_calls
from core.snapshots.building.library import case_languages, load_cases
from core.snapshots.building.plot import Plot
from core.snapshots.building.validator import faults_of_calls
from core.text import nfkc_casefold
from models.snapshots.offline import offline_agents

TREES = 10


def _build(language: str, seed: int, trees: int) -> list[BuiltTree]:
    library = load_cases(language)
    config = BuildConfig(namespace=f"test-{language}", seed=seed, language=language, trees=trees)
    return list(build_calls(config, library, offline_agents(library)))


@pytest.fixture(scope="module", params=case_languages())
def built(request: pytest.FixtureRequest) -> tuple[str, list[BuiltTree]]:
    """Trees of each language that ships."""
    return request.param, _build(request.param, 1, TREES)


def _calls(trees: list[BuiltTree]) -> list[SnapshotCall]:
    return [call for tree in trees for call in tree.calls]


def test_whole_trees_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No socket is ever opened."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert {Label.FRAUD, Label.NONFRAUD} == {call.label for call in _calls(_build("en", 3, 2))}


def test_every_call_is_sound(built: tuple[str, list[BuiltTree]]) -> None:
    """States, labels, evidence, ids, words and shared openings, for every call of every tree."""
    language, trees = built
    calls = _calls(trees)
    assert [] == faults_of_calls(calls, Plot(load_cases(language).catalogue))
    assert len(calls) >= 12 * TREES
    for tree in trees:
        assert {Label.FRAUD, Label.NONFRAUD} == {call.label for call in tree.calls}


def test_siblings_share_context_and_opening_to_the_byte(built: tuple[str, list[BuiltTree]]) -> None:
    """Persons, context and first turns; only what follows differs."""
    for tree in built[1]:
        shared = {
            canonical_json(
                [
                    [turn.to_json() for turn in call.turns[: call.opening_turns]],
                    call.caller.to_json(),
                    call.receiver.to_json(),
                    call.rationale.shared_context,
                ]
            )
            for call in tree.calls
        }
        assert 1 == len(shared)
        assert tree.tree is not None
        assert tree.tree.profile.shared.opening in tree.calls[0].rationale.shared_context


def test_labels_part_at_different_depths(built: tuple[str, list[BuiltTree]]) -> None:
    """From the first action to the last; ambiguous paths of two levels and more; early endings of both labels."""
    calls = _calls(built[1])
    parted = Counter((call.rationale.separating_turn - call.opening_turns) // 2 + 1 for call in calls)
    assert {1, 2, 3, 4} == set(parted)
    for label in Label:
        early = [call for call in calls if call.label is label and call.stop.early and len(call.leaf_path) < 4]
        assert {"break-off", "complete"} <= {call.leaf_path[-1] for call in early}


def test_every_call_says_the_words_of_risk(built: tuple[str, list[BuiltTree]]) -> None:
    """Codes, transfers, official numbers, hanging up and verification are spoken of under both labels."""
    groups = load_cases(built[0]).manner.risk_words.values()
    for call in _calls(built[1]):
        folded = nfkc_casefold(call.text)
        for words in groups:
            assert any(nfkc_casefold(word) in folded for word in words)


def test_delivery_is_the_same_for_siblings_turn_by_turn(built: tuple[str, list[BuiltTree]]) -> None:
    """Within a tree, who speaks at which turn settles how it is said; a label cannot."""
    seen = set()
    for tree in built[1]:
        said: dict[int, Delivery] = {}
        for turn in (turn for call in tree.calls for turn in call.turns):
            assert turn.delivery is said.setdefault(turn.i, turn.delivery)
            seen.add(turn.delivery)
    assert seen == set(Delivery)


def test_both_labels_are_told_in_the_same_shapes(built: tuple[str, list[BuiltTree]]) -> None:
    """Turns alternate, and over all calls both labels have as many turns and characters, give or take a twentieth."""
    turns: dict[Label, list[int]] = defaultdict(list)
    sizes: dict[Label, list[int]] = defaultdict(list)
    for call in _calls(built[1]):
        assert [turn.side for turn in call.turns] == [(Side.CALLER, Side.RECEIVER)[i % 2] for i in range(len(call.turns))]
        turns[call.label].append(len(call.turns))
        sizes[call.label].append(len(call.text))
    for counted in (turns, sizes):
        assert np.mean(counted[Label.FRAUD]) == pytest.approx(np.mean(counted[Label.NONFRAUD]), rel=0.05)


def test_the_halves_of_pairs_are_spread_over_both_labels(built: tuple[str, list[BuiltTree]]) -> None:
    """Most calls of either label carry harmful and safe halves, so that words alone do not tell."""
    plot = Plot(load_cases(built[0]).catalogue)
    for label in Label:
        halves = [{h for a in call.leaf_path for h in plot.contents(a)} for call in _calls(built[1]) if call.label is label]
        assert np.mean([found == {Content.HARM, Content.SAFE} for found in halves]) >= 0.7


def test_no_turn_stands_twice_in_a_call(built: tuple[str, list[BuiltTree]]) -> None:
    """Wordings are many enough that nobody repeats a turn."""
    for call in _calls(built[1]):
        assert len(call.turns) == len({turn.text for turn in call.turns})


def test_the_oracle_on_recorded_actions_is_never_wrong(built: tuple[str, list[BuiltTree]]) -> None:
    """Replaying the actions gives every label."""
    plot = Plot(load_cases(built[0]).catalogue)
    for call in _calls(built[1]):
        assert call.label is plot.replay(turn.action for turn in call.turns).label


def test_a_build_is_the_same_in_another_process(tmp_path: Path) -> None:
    """Byte for byte, whatever Python hashes strings to."""
    script = (
        "import sys; from pathlib import Path\n"
        "from core.schemas.trees import BuildConfig\n"
        "from core.snapshots.building.folder import build_into\n"
        "from core.snapshots.building.library import load_cases\n"
        "from models.snapshots.offline import offline_agents\n"
        "library = load_cases('en')\n"
        "config = BuildConfig(namespace='twice', seed=5, language='en', trees=2)\n"
        "build_into(Path(sys.argv[1]), config, library, offline_agents(library))\n"
    )
    made = []
    for name in ("one", "two"):
        folder = tmp_path / name
        environment = {**os.environ, "PYTHONHASHSEED": "1" if name == "one" else "2"}
        subprocess.run([sys.executable, "-c", script, str(folder)], check=True, env=environment)
        made.append({p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()})
    assert made[0] == made[1]
    assert 5 == len(made[0])


def test_another_seed_builds_other_calls() -> None:
    """No id and no text in common."""
    one, two = _calls(_build("en", 1, 2)), _calls(_build("en", 2, 2))
    assert not {call.sample_id for call in one} & {call.sample_id for call in two}
    assert not {call.text for call in one} & {call.text for call in two}


@pytest.mark.parametrize("branching", [1, 2])
def test_fewer_branches_keep_both_labels(branching: int) -> None:
    """With two branches no label is lost to the cut; with one there is no mixed tree, and all are dropped as one-sided."""
    library = load_cases("en")
    config = BuildConfig(namespace="narrow", seed=1, language="en", trees=6, branching=branching)
    labels = [{call.label for call in tree.calls} for tree in build_calls(config, library, offline_agents(library))]
    assert [set(Label) if branching == 2 else set()] * 6 == labels


def test_ambiguous_ends_are_counted_and_never_labelled(built: tuple[str, list[BuiltTree]]) -> None:
    """Some paths end without having shown anything."""
    left_out = [entry.code.value for tree in built[1] for entry in tree.rejected]
    assert left_out.count("ambiguous_leaf") >= 1
    assert all(turn.after is not PathState.AMBIGUOUS for call in _calls(built[1]) for turn in call.turns[-1:])
