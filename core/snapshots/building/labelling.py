"""From the leaves of a tree to labelled calls, each with the reason for its label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from pydantic import JsonValue

from core.schemas.casefile import Profile
from core.schemas.snapshots import CallTurn, Generation, PathState, Rationale, SnapshotCall, Stop
from core.schemas.trees import MixedTree, TreeNode
from core.snapshots.building.ids import sample_id
from core.snapshots.building.plot import Plot, risk_node_of


class Writers(Protocol):
    """Who wrote calls, as an `AgentSet` and a recipe know it."""

    @property
    def parties(self) -> Mapping[str, str]:
        """Role to the party that played it."""

    @property
    def prompts(self) -> Mapping[str, str]:
        """Role to the hash of its prompt."""

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """Settings of the parties."""


def leaves(tree: MixedTree) -> Iterator[TreeNode]:
    """The terminal nodes of a tree, labelable or not; a root that was never opened is none."""
    return (node for node in tree.nodes if node.path and not node.open)


def turns_of(tree: MixedTree, leaf: TreeNode) -> tuple[CallTurn, ...]:
    """All turns of the path to a leaf, its closing included."""
    nodes = {node.path: node for node in tree.nodes}
    path = [nodes[leaf.path[:depth]] for depth in range(len(leaf.path) + 1)]
    return tuple(turn for node in path for turn in node.turns) + leaf.closing


def call_of(
    tree: MixedTree, leaf: TreeNode, plot: Plot, writers: Writers, namespace: str, build_seed: int
) -> SnapshotCall | None:
    """The call of a leaf; None where its path shows no label, or nothing on it shows the label that it has."""
    facts = facts_of(tree, leaf, writers, namespace, build_seed)
    evidence = evidence_of(facts["turns"], leaf.state, plot)
    if leaf.state.label is None or not evidence:
        return None
    why = rationale_of(tree.profile, facts["turns"], evidence, leaf.state)
    return SnapshotCall(**facts, label=leaf.state.label, rationale=why)


def facts_of(tree: MixedTree, leaf: TreeNode, writers: Writers, namespace: str, build_seed: int) -> dict[str, Any]:
    """Field of SnapshotCall to value, all but its label and the reason for it: what follows without knowing what actions show."""
    turns = turns_of(tree, leaf)
    profile = tree.profile
    return {
        "sample_id": sample_id(namespace, build_seed, leaf.path, turns),
        "tree_id": tree.tree_id,
        "family_id": profile.family_id,
        "abstract_id": profile.abstract_id,
        "language": profile.language,
        "leaf_path": leaf.path,
        "turns": turns,
        "opening_turns": len(tree.nodes[0].turns),
        "stop": Stop(reason=leaf.stop, depth=len(leaf.path), early=len(leaf.path) < tree.depth),
        "caller": profile.shared.caller,
        "receiver": profile.shared.receiver,
        "generation": _generation(tree, leaf, writers),
    }


def evidence_of(turns: Sequence[CallTurn], state: PathState, plot: Plot) -> tuple[int, ...]:
    """The turns whose actions show the state that a path ends in; raises UsageError on an unknown action."""
    return tuple(turn.i for turn in turns if plot.shows(turn.action) is state)


def rationale_of(profile: Profile, turns: Sequence[CallTurn], evidence: Sequence[int], state: PathState) -> Rationale:
    """Context, separating action, evidence and label, in the words of the profile and of the turns themselves."""
    label = state.label
    if label is None:
        raise ValueError("an ambiguous path has no rationale")
    action = turns[evidence[0]].action
    node = next((known for known in profile.variable.risk_nodes if known.id == risk_node_of(action)), None)
    meaning = "" if node is None else f": {node.escalate if state is PathState.FRAUD else node.verify}"
    return Rationale(
        shared_context=f"{profile.shared.event} {profile.shared.opening}",
        separating_action=f"{action}{meaning}",
        separating_turn=evidence[0],
        evidence=" ".join(f"[{i}] {turns[i].text}" for i in evidence),
        evidence_turns=tuple(evidence),
        final_label=label,
    )


def _generation(tree: MixedTree, leaf: TreeNode, writers: Writers) -> Generation:
    nodes: Mapping[tuple[str, ...], TreeNode] = {node.path: node for node in tree.nodes}
    path = [nodes[leaf.path[:depth]] for depth in range(len(leaf.path) + 1)]
    return Generation(
        agents=dict(writers.parties),
        prompts=dict(writers.prompts),
        settings=dict(writers.settings),
        profile_sha256=tree.profile_sha256,
        seed=tree.seed,
        replies=(*tree.replies, *(reply for node in path for reply in node.replies)),
    )
