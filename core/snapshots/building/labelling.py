"""From the leaves of a tree to labelled calls, each with the reason for its label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.schemas.casefile import CaseAbstract, Profile
from core.schemas.snapshots import CallTurn, Generation, PathState, Rationale, SnapshotCall, Stop
from core.schemas.trees import MixedTree, TreeNode
from core.snapshots.building.agents import AgentSet
from core.snapshots.building.ids import sample_id
from core.snapshots.building.plot import Plot


def leaves(tree: MixedTree) -> Iterator[TreeNode]:
    """The terminal nodes of a tree, labelable or not; a root that was never opened is none."""
    return (node for node in tree.nodes if node.path and not node.open)


def turns_of(tree: MixedTree, leaf: TreeNode) -> tuple[CallTurn, ...]:
    """All turns of the path to a leaf, its closing included."""
    nodes = {node.path: node for node in tree.nodes}
    path = [nodes[leaf.path[:depth]] for depth in range(len(leaf.path) + 1)]
    return tuple(turn for node in path for turn in node.turns) + leaf.closing


def call_of(
    tree: MixedTree, leaf: TreeNode, plot: Plot, abstract: CaseAbstract, agents: AgentSet, namespace: str, build_seed: int
) -> SnapshotCall | None:
    """The call of a leaf; None where its path shows no label, or nothing on it shows the label that it has."""
    turns = turns_of(tree, leaf)
    evidence = tuple(turn.i for turn in turns if plot.shows(turn.action) is leaf.state)
    label = leaf.state.label
    if label is None or not evidence:
        return None
    shared = tree.profile.shared
    return SnapshotCall(
        sample_id=sample_id(namespace, build_seed, leaf.path, turns),
        tree_id=tree.tree_id,
        family_id=abstract.family,
        abstract_id=abstract.id,
        language=abstract.language,
        leaf_path=leaf.path,
        label=label,
        rationale=_rationale(tree.profile, turns, evidence, leaf.state, plot),
        turns=turns,
        opening_turns=len(tree.nodes[0].turns),
        stop=Stop(reason=leaf.stop, depth=len(leaf.path), early=len(leaf.path) < tree.depth),
        caller=shared.caller,
        receiver=shared.receiver,
        generation=_generation(tree, leaf, agents),
    )


def _rationale(
    profile: Profile, turns: tuple[CallTurn, ...], evidence: tuple[int, ...], state: PathState, plot: Plot
) -> Rationale:
    """Context, separating action, evidence and label, in the words of the profile and of the turns themselves."""
    label = state.label
    if label is None:
        raise ValueError("an ambiguous path has no rationale")
    action = turns[evidence[0]].action
    node = next((known for known in profile.variable.risk_nodes if known.id == plot.risk_node(action)), None)
    meaning = "" if node is None else f": {node.escalate if state is PathState.FRAUD else node.verify}"
    return Rationale(
        shared_context=f"{profile.shared.event} {profile.shared.opening}",
        separating_action=f"{action}{meaning}",
        separating_turn=evidence[0],
        evidence=" ".join(f"[{i}] {turns[i].text}" for i in evidence),
        evidence_turns=evidence,
        final_label=label,
    )


def _generation(tree: MixedTree, leaf: TreeNode, agents: AgentSet) -> Generation:
    nodes: Mapping[tuple[str, ...], TreeNode] = {node.path: node for node in tree.nodes}
    path = [nodes[leaf.path[:depth]] for depth in range(len(leaf.path) + 1)]
    return Generation(
        agents=dict(agents.parties),
        prompts=dict(agents.prompts),
        settings=dict(agents.settings),
        profile_sha256=tree.profile_sha256,
        seed=tree.seed,
        replies=(*tree.replies, *(reply for node in path for reply in node.replies)),
    )
