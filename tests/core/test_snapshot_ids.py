"""Ids come from content, path and namespace; what is given twice, mislabelled or not shared is found."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from core.errors import UsageError
from core.schemas.snapshots import Label, SnapshotCall
from core.schemas.trees import BuiltTree
from core.snapshots.building.build import build_calls, plan_trees
from core.snapshots.building.ids import Book, sample_id
from core.snapshots.building.validator import faults_of_call, faults_of_calls
from tests.core.snapshot_agents import LIBRARY, PLOT, FixedBrancher, SettledTerminator, Table, agents, config

TREE: Table = {
    (): ["cite-harm.code", "demand.code", "advise.code"],
    ("cite-harm.code",): ["block-check.code", "allow-check.code"],
}


def _calls(**changes: object) -> list[SnapshotCall]:
    given = agents(brancher=FixedBrancher(TREE), terminator=SettledTerminator())
    return [call for built in build_calls(config(**changes), LIBRARY, given) for call in built.calls]


def test_ids_are_content_path_and_namespace() -> None:
    """Each of the three changes the id; nothing else does."""
    call = _calls()[0]
    assert call.sample_id == sample_id("test", 1, call.leaf_path, call.turns)
    assert call.sample_id != sample_id("other", 1, call.leaf_path, call.turns)
    assert call.sample_id != sample_id("test", 2, call.leaf_path, call.turns)
    assert call.sample_id != sample_id("test", 1, ("explain", *call.leaf_path), call.turns)
    assert call.sample_id != sample_id("test", 1, call.leaf_path, call.turns[:-1])
    assert call.sample_id == sample_id("test", 1, call.leaf_path, [t.model_copy(update={"delivery": "calm"}) for t in call.turns])


@pytest.mark.parametrize("changes", [{"seed": 2}, {"namespace": "next-month"}])
def test_another_seed_or_month_shares_no_id(changes: dict[str, object]) -> None:
    """Neither sample ids nor tree ids."""
    one, two = _calls(), _calls(**changes)
    assert not {call.sample_id for call in one} & {call.sample_id for call in two}
    assert not {call.tree_id for call in one} & {call.tree_id for call in two}


def test_an_id_that_is_given_twice_is_an_error() -> None:
    """A collision is never written over."""
    call = _calls()[0]
    book = Book()
    book.enter(call)
    assert call.sample_id == book.twin(call)
    with pytest.raises(UsageError, match="was given twice"):
        book.enter(call)


def test_cases_take_turns() -> None:
    """Every case once before any comes again, in an order of the seed's."""
    laps = [planned.abstract.id for planned in plan_trees(config(trees=16, abstracts=()), LIBRARY)]
    assert [sorted(LIBRARY.abstracts)] * 2 == [sorted(laps[:8]), sorted(laps[8:])]
    with pytest.raises(UsageError, match="no case 'unheard-of'"):
        plan_trees(config(abstracts=("unheard-of",)), LIBRARY)


def test_built_calls_have_no_faults() -> None:
    """Structure, labels, ids, words and what siblings share."""
    calls = _calls()
    assert 4 == len(calls)
    assert [] == faults_of_calls(calls, PLOT)


def test_a_flipped_label_is_found() -> None:
    """By the schema where the call disagrees with itself, by the recorded actions where all of it was flipped."""
    call = next(call for call in _calls() if call.label is Label.FRAUD)
    data: Any = call.to_json()
    with pytest.raises(ValidationError, match="the label is NONFRAUD, but the last turn ends in state F"):
        SnapshotCall.model_validate({**data, "label": "NONFRAUD"})
    data["label"] = data["rationale"]["final_label"] = "NONFRAUD"
    for turn in data["turns"]:
        turn["before"], turn["after"] = (side.replace("F", "N") for side in (turn["before"], turn["after"]))
    flipped = SnapshotCall.model_validate(data)
    assert "the label is NONFRAUD, but the recorded actions lead to F" in faults_of_call(flipped, PLOT)


def test_a_call_that_was_tampered_with_is_found() -> None:
    """A path, evidence, an opening or words that do not belong."""
    calls = _calls()
    first = next(call for call in calls if len(call.leaf_path) == 2)
    assert "the turns do not realise the actions of the path in their order" in faults_of_call(
        first.model_copy(update={"leaf_path": first.leaf_path[:1]}), PLOT
    )
    why = first.rationale.model_copy(update={"evidence_turns": (first.rationale.separating_turn + 1,)})
    assert any("evidence turns" in fault for fault in faults_of_call(first.model_copy(update={"rationale": why}), PLOT))
    opening = first.turns[0].model_copy(update={"text": "Hello."})
    other = first.model_copy(update={"turns": (opening, *first.turns[1:])})
    found = faults_of_calls([*(call for call in calls if call is not first), other, other], PLOT)
    assert any("another opening or context than its siblings" in fault for fault in found)
    assert any("the id stands twice" in fault for fault in found)
    twin = first.model_copy(update={"sample_id": "0"})
    assert [f"0: the same words as {first.sample_id}"] == faults_of_calls([first, twin], PLOT)


def test_every_call_says_why_it_has_its_label() -> None:
    """Four fields; the evidence exists, shows the label, and does not come before the separating action."""
    for call in _calls():
        why = call.rationale
        assert why.final_label is call.label
        assert why.separating_action.startswith(call.turns[why.separating_turn].action)
        assert min(why.evidence_turns) == why.separating_turn >= call.opening_turns
        assert all(call.turns[i].text in why.evidence for i in why.evidence_turns)
        assert all(PLOT.shows(call.turns[i].action).label is call.label for i in why.evidence_turns)
        assert "A payment was stopped." in why.shared_context


def test_a_tree_survives_its_file() -> None:
    """What is written is what is read."""
    given = agents(brancher=FixedBrancher(TREE), terminator=SettledTerminator())
    (built,) = build_calls(config(), LIBRARY, given)
    assert built == BuiltTree.model_validate_json(built.model_dump_json())
