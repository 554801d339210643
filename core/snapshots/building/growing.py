"""Growing a mixed tree T = (V, E, r, phi, sigma, tau) from a profile: B proposes, tau moves, Gamma stops, rho keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.schemas.base import content_hash
from core.schemas.casefile import CaseAbstract, Profile
from core.schemas.snapshots import AgentReply, CallTurn, PathState
from core.schemas.trees import BuildConfig, MixedTree, Proposal, RejectCode, Rejected, TreeNode
from core.seeds import derive
from core.snapshots.building.agents import BRANCHER, TERMINATOR, AgentSet, Moment
from core.snapshots.building.library import CaseLibrary
from core.snapshots.building.plot import CLOSE, OPEN, Plot
from core.snapshots.building.realising import Realiser
from core.snapshots.building.validator import Refusal, refuse
from core.text import collapse_spaces


@dataclass
class Grower:
    """Grows one tree; `rejected` fills as it goes."""

    config: BuildConfig
    """Depth and branching."""
    library: CaseLibrary
    """The actions and the names that are denied."""
    agents: AgentSet
    """The six agents."""
    abstract: CaseAbstract
    """The case."""
    tree_id: str
    """Id of the tree."""
    seed: int
    """Seed of the tree."""
    profile: Profile
    """What its calls share and vary."""
    profiled: tuple[AgentReply, ...] = ()
    """Replies that the profile was read from."""
    rejected: list[Rejected] = field(default_factory=list)
    """What was left out so far."""

    def __post_init__(self) -> None:
        self._plot = Plot(self.library.catalogue)
        self._realiser = Realiser(self.agents, self._plot, self.library.denied, self.seed)

    def grow(self) -> MixedTree:
        """The whole tree: every node that rho kept, parents before children."""
        nodes: list[TreeNode] = []
        root = self._root()
        frontier: list[tuple[TreeNode, tuple[CallTurn, ...]]] = [(root, ())] if root is not None else []
        while frontier:
            node, history = frontier.pop()
            children = self._children(node, (*history, *node.turns)) if node.open else []
            nodes.append(self._closed(node, history) if not node.open and node.path else node)
            frontier.extend((child, (*history, *node.turns)) for child in reversed(children))
        return MixedTree(
            tree_id=self.tree_id,
            seed=self.seed,
            depth=self.config.depth,
            branching=self.config.branching,
            profile=self.profile,
            profile_sha256=content_hash(self.profile.to_json()),
            nodes=tuple(nodes),
            replies=self.profiled,
        )

    def _moment(self, path: tuple[str, ...], history: Sequence[CallTurn], state: PathState) -> Moment:
        return Moment(self.profile, tuple(history), path, state, self.config.depth - len(path))

    def _root(self) -> TreeNode | None:
        """The opening, ambiguous; open if Gamma lets it be."""
        moment = self._moment((), (), PathState.AMBIGUOUS)
        opening = self._realiser.realise(moment, OPEN, self.library.catalogue.opening)
        if opening.refusal is not None:
            self._reject((), opening.refusal, opening.replies)
            return None
        after = self._moment((), opening.turns, PathState.AMBIGUOUS)
        verdict = self.agents.terminator.judge(after, derive(self.seed, "stop"))
        replies = (*opening.replies, *verdict.told_by(TERMINATOR))
        if verdict.refusal is not None:
            self._reject((), verdict.refusal, replies)
            return None
        if not verdict.value.open:
            reason = f"the tree was ended before its first action: {verdict.value.reason}"
            self._reject((), (RejectCode.STOPPED_AT_ROOT, reason))
        return TreeNode(
            path=(),
            state=PathState.AMBIGUOUS,
            open=verdict.value.open,
            stop=verdict.value.reason,
            turns=opening.turns,
            replies=replies,
        )

    def _children(self, node: TreeNode, history: tuple[CallTurn, ...]) -> list[TreeNode]:
        moment = self._moment(node.path, history, node.state)
        answer = self.agents.brancher.propose(moment, self.config.branching, derive(self.seed, "branch", *node.path))
        children: dict[str, TreeNode] = {}
        replies = answer.told_by(BRANCHER)
        if answer.refusal is not None:
            self._reject(node.path, answer.refusal, replies)
            return []
        for place, proposal in enumerate(answer.value):
            action = proposal.action.strip()
            if place >= self.config.branching:
                reason = f"only {self.config.branching} actions may be proposed"
                self._reject((*node.path, action), (RejectCode.TOO_MANY, reason))
                continue
            refusal = refuse(self._plot, self.profile, node.state, proposal, children.keys())
            if refusal is not None:
                self._reject((*node.path, action), refusal)
                continue
            child = self._child(node, history, proposal, replies)
            if child is not None:
                children[action] = child
                replies = ()
        if not children:
            self._reject(node.path, (RejectCode.DEAD_END, "nothing that was proposed here could be kept"), replies)
        return list(children.values())

    def _child(
        self, node: TreeNode, history: tuple[CallTurn, ...], proposal: Proposal, replies: tuple[AgentReply, ...]
    ) -> TreeNode | None:
        """The candidate child of a kept proposal; None where its turns could not be made."""
        action = proposal.action.strip()
        path = (*node.path, action)
        made = self._realiser.realise(self._moment(path, history, node.state), action, self._plot.beats(action))
        if made.refusal is not None:
            self._reject(path, made.refusal, made.replies)
            return None
        state = self._plot.step(node.state, action)
        verdict = self.agents.terminator.judge(
            self._moment(path, (*history, *made.turns), state), derive(self.seed, "stop", *path)
        )
        judged = (*made.replies, *verdict.told_by(TERMINATOR))
        if verdict.refusal is not None:
            self._reject(path, verdict.refusal, judged)
            return None
        full = len(path) >= self.config.depth
        return TreeNode(
            path=path,
            state=state,
            open=verdict.value.open and not full,
            stop=verdict.value.reason if not verdict.value.open else "the greatest depth is reached" if full else "",
            turns=made.turns,
            replies=(*replies, *judged),
        )

    def _closed(self, node: TreeNode, history: tuple[CallTurn, ...]) -> TreeNode:
        """A leaf with the turns that end the call, where its action did not; a leaf without a label stays as it is."""
        if node.state is PathState.AMBIGUOUS or self._plot.ends(node.path[-1]):
            return node
        moment = self._moment(node.path, (*history, *node.turns), node.state)
        closing = self._realiser.realise(moment, CLOSE, self.library.catalogue.closing)
        if closing.refusal is not None:
            self._reject(node.path, closing.refusal)
        return node.model_copy(update={"closing": closing.turns, "replies": (*node.replies, *closing.replies)})

    def _reject(self, path: tuple[str, ...], refusal: Refusal, replies: tuple[AgentReply, ...] = ()) -> None:
        code, reason = refusal
        self.rejected.append(
            Rejected(
                tree_id=self.tree_id,
                abstract_id=self.abstract.id,
                path=path,
                code=code,
                reason=collapse_spaces(reason),
                replies=replies,
            )
        )
