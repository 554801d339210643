"""Mixed trees: how a build is set, what its nodes are, and what was left out on the way and why."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, model_validator

from core.schemas.base import Model, Sha256, Slug
from core.schemas.casefile import Profile
from core.schemas.snapshots import AgentReply, CallTurn, PathState, SnapshotCall


class BuildConfig(Model):
    """What decides a build beside its cases and agents."""

    namespace: Slug
    """Name of the month; part of every id, so that no two months share one."""
    seed: int = Field(ge=0)
    """Seed of everything drawn."""
    language: str = Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")
    """BCP 47 tag of the calls."""
    trees: int = Field(ge=1)
    """Trees to grow; cases take turns."""
    depth: int = Field(default=4, ge=1, le=8)
    """Greatest number of plot actions on a path."""
    branching: int = Field(default=3, ge=1, le=6)
    """Greatest number of actions proposed at a node."""
    abstracts: tuple[Slug, ...] = ()
    """Cases to use; empty for all of the language."""


class Proposal(Model):
    """A plot action that the branch agent proposes; wording comes later."""

    action: str
    """Kind and, where it takes place at one, the risk node: `block-check.code`, `explain`."""
    meaning: str = ""
    """What is meant to happen."""
    evidence: str = ""
    """What in it will show the label; needed where the action changes the state of a path."""


class RejectCode(StrEnum):
    """Why something was left out."""

    EMPTY_ACTION = "empty_action"
    """A proposal without an action."""
    UNKNOWN_ACTION = "unknown_action"
    """No such kind of action."""
    DUPLICATE_SIBLING = "duplicate_sibling"
    """The same action stands beside it already."""
    CONTRADICTION = "contradiction"
    """The action does not fit the profile, or denies what the path has shown."""
    MISSING_EVIDENCE = "missing_evidence"
    """The action changes the state but names nothing that would show it."""
    TOO_MANY = "too_many"
    """More proposals than the greatest number of branches."""
    EMPTY_UTTERANCE = "empty_utterance"
    """No words came for a turn."""
    UNKNOWN_DELIVERY = "unknown_delivery"
    """The delivery is not among the known ones."""
    UNSAFE = "unsafe"
    """The words hold what no call may say."""
    DEAD_END = "dead_end"
    """An open node of which no child could be kept."""
    AMBIGUOUS_LEAF = "ambiguous_leaf"
    """The path ended without showing a label."""
    DUPLICATE_TEXT = "duplicate_text"
    """Another call has the same words."""
    ONE_SIDED = "one_sided"
    """The tree has leaves of one label only, or none."""
    STOPPED_AT_ROOT = "stopped_at_root"
    """The termination agent ended the tree before its first action."""
    BAD_PROFILE = "bad_profile"
    """The profile does not fit its schema or its case."""
    UNREADABLE = "unreadable"
    """No reply of an agent could be read, however often it was asked."""
    REFUSED = "refused"
    """The endpoint of an agent refuses to answer."""

    @property
    def stage(self) -> Literal["structural", "label", "safety", "duplicate"]:
        """The check that was failed, as manifests name it."""
        match self:
            case RejectCode.UNSAFE:
                return "safety"
            case RejectCode.AMBIGUOUS_LEAF | RejectCode.ONE_SIDED | RejectCode.STOPPED_AT_ROOT:
                return "label"
            case RejectCode.DUPLICATE_TEXT:
                return "duplicate"
            case _:
                return "structural"


class Rejected(Model):
    """Something that was left out of a build; a line of `rejected.jsonl`."""

    tree_id: Slug
    """Its tree."""
    abstract_id: Slug
    """Case of the tree."""
    path: tuple[str, ...]
    """Actions from the root to it; empty for a whole tree."""
    code: RejectCode
    """Why, in one word."""
    reason: str
    """Why, in a sentence."""
    replies: tuple[AgentReply, ...] = ()
    """Replies of chat agents that led to it, in order, where no kept node holds them."""


class TreeNode(Model):
    """A node of a mixed tree with the turns that realise the action that leads to it."""

    path: tuple[str, ...]
    """Actions from the root; empty for the root."""
    state: PathState
    """What the path has shown."""
    open: bool
    """Whether it may be expanded."""
    stop: str
    """The termination agent's reason."""
    turns: tuple[CallTurn, ...]
    """Turns of the last action; of the root, the opening."""
    closing: tuple[CallTurn, ...] = ()
    """Turns that end the call after a leaf whose action did not."""
    replies: tuple[AgentReply, ...] = ()
    """Replies of chat agents for this node, in order, failed ones too."""


class MixedTree(Model):
    """A tree of calls under one profile and one opening."""

    format: Literal[1] = 1
    """Version of this format."""
    tree_id: Slug
    """Hash of namespace, seed, case and number."""
    seed: int
    """Seed of the tree, derived from the build's."""
    depth: int
    """Greatest depth."""
    branching: int
    """Greatest number of branches."""
    profile: Profile
    """What its calls share and what they vary."""
    profile_sha256: Sha256
    """Hash of the profile."""
    nodes: tuple[TreeNode, ...]
    """Nodes in the order they were made, the root first."""
    replies: tuple[AgentReply, ...] = ()
    """Replies of a chat profiler, in order, failed ones too."""

    @model_validator(mode="after")
    def _whole(self) -> MixedTree:
        known: set[tuple[str, ...]] = set()
        for node in self.nodes:
            if node.path in known:
                raise ValueError(f"the node {list(node.path)} stands twice")
            if bool(known) is not bool(node.path):
                raise ValueError("the first node, and it alone, is the root, whose path is empty")
            if node.path and node.path[:-1] not in known:
                raise ValueError(f"the node {list(node.path)} has no node before it that it follows on")
            known.add(node.path)
        return self


class BuiltTree(Model):
    """What came of one tree: its calls and what was left out."""

    tree_id: Slug
    """Its id."""
    abstract_id: Slug
    """Its case."""
    tree: MixedTree | None
    """The tree; null where no profile could be made."""
    calls: tuple[SnapshotCall, ...]
    """Labelled leaves as calls; empty where the tree was dropped."""
    rejected: tuple[Rejected, ...]
    """What was left out."""
