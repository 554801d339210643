"""Every call of a month made again from its tree and the recipe, and held against its row field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.errors import UsageError
from core.schemas.base import Json, content_hash
from core.schemas.months import Recipe
from core.schemas.snapshots import ManifestRow, SnapshotCall
from core.schemas.trees import MixedTree, TreeNode
from core.seeds import derive
from core.snapshots.building.ids import tree_id
from core.snapshots.building.labelling import evidence_of, facts_of, rationale_of
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.plot import Plot
from core.snapshots.freezing.checking import Fault
from core.snapshots.freezing.naming import difference


@dataclass(frozen=True)
class _Written:
    """Who wrote a month, as its recipe says."""

    parties: Mapping[str, str]
    prompts: Mapping[str, str]
    settings: Mapping[str, Json]


def faults_against_trees(
    rows: Iterable[ManifestRow], trees: Mapping[str, MixedTree | None], recipe: Recipe, library: CaseLibrary | None
) -> list[Fault]:
    """What calls say other than their trees and the recipe give.

    What an action shows and the family of a case are held against the library the month was written from, where it is given.
    """
    written = _written(recipe)
    faults_of_tree = {name: _faults_of_tree(tree, recipe, library) for name, tree in trees.items() if tree is not None}
    faults: list[Fault] = []
    for row in rows:
        call = row.call
        tree = trees.get(call.tree_id)
        if tree is not None:
            told = [*faults_of_tree[call.tree_id], *_faults_of_call(call, tree, recipe, written, library)]
            faults += [(call.sample_id, fault) for fault in told]
    return faults


def _written(recipe: Recipe) -> _Written:
    parties, prompts, settings = (recipe.words.get(name) for name in ("agents", "prompts", "settings"))
    return _Written(
        {name: str(party) for name, party in parties.items()} if isinstance(parties, dict) else {},
        {name: str(prompt) for name, prompt in prompts.items()} if isinstance(prompts, dict) else {},
        settings if isinstance(settings, dict) else {},
    )


def _faults_of_tree(tree: MixedTree, recipe: Recipe, library: CaseLibrary | None) -> list[str]:
    """What a tree says other than its profile and the recipe give."""
    config, profile = recipe.build, tree.profile
    faults = []
    if tree.profile_sha256 != content_hash(profile.to_json()):
        faults.append("the profile_sha256 of its tree is not the hash of the tree's profile")
    if (tree.depth, tree.branching) != (config.depth, config.branching):
        faults.append("depth or branching of its tree are not the recipe's")
    numbers = range(config.trees)
    ids = (tree_id(config.namespace, config.seed, profile.abstract_id, number) for number in numbers)
    number = next((number for number, known in zip(numbers, ids, strict=True) if known == tree.tree_id), None)
    if number is None:
        faults.append(f"its tree {tree.tree_id!r} is none that the recipe's seed gives for the case {profile.abstract_id!r}")
    elif tree.seed != derive(config.seed, config.namespace, "tree", profile.abstract_id, number):
        faults.append("the seed of its tree is not what the recipe's seed gives")
    if library is not None:
        case = library.abstracts.get(profile.abstract_id)
        if case is None or (case.family, case.language) != (profile.family_id, profile.language):
            faults.append(f"the case {profile.abstract_id!r} of its tree is none of the family {profile.family_id!r}")
    return faults


def _faults_of_call(
    call: SnapshotCall, tree: MixedTree, recipe: Recipe, written: _Written, library: CaseLibrary | None
) -> Iterator[str]:
    leaf = next((node for node in tree.nodes if node.path == call.leaf_path), None)
    if tree.tree_id != call.tree_id or leaf is None or leaf.open:
        yield f"it is no leaf of the tree {call.tree_id!r}"
        return
    if leaf.state.label is not call.label:
        yield f"its label is {call.label.value}, but its leaf ends in state {leaf.state.value}"
    facts = facts_of(tree, leaf, written, recipe.build.namespace, recipe.build.seed)
    if facts.pop("turns") != call.turns:
        yield "its turns are not those of its leaf"
        return
    for name, value in facts.items():
        if (told := difference(name, getattr(call, name), value)) is not None:
            yield told
    yield from _fault_of_rationale(call, tree, leaf, library)


def _fault_of_rationale(call: SnapshotCall, tree: MixedTree, leaf: TreeNode, library: CaseLibrary | None) -> Iterator[str]:
    evidence = call.rationale.evidence_turns
    if library is not None:
        try:
            evidence = evidence_of(call.turns, leaf.state, Plot(library.catalogue))
        except UsageError as error:
            yield str(error)
            return
    if leaf.state.label is None or not evidence or evidence[-1] >= len(call.turns):
        yield "nothing in its turns shows its label"
    elif (
        told := difference("rationale", call.rationale, rationale_of(tree.profile, call.turns, evidence, leaf.state))
    ) is not None:
        yield told
