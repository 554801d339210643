"""rho: whether a proposed action may become a child, and whether finished calls are what they claim to be."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from core.schemas.casefile import ActionClass, Profile
from core.schemas.snapshots import PathState, SnapshotCall
from core.schemas.trees import Proposal, RejectCode
from core.snapshots.building.ids import normalised
from core.snapshots.building.plot import Plot

Refusal = tuple[RejectCode, str]
"""Code and reason."""


def refuse(plot: Plot, profile: Profile, state: PathState, proposal: Proposal, beside: Collection[str]) -> Refusal | None:
    """Why a proposal may not become a child of a node in `state` that has the children `beside`; None where it may."""
    action = proposal.action.strip()
    if not action:
        return RejectCode.EMPTY_ACTION, "no action is named"
    if action.partition(".")[0] not in plot.kinds:
        return RejectCode.UNKNOWN_ACTION, f"no kind of action {action!r}"
    if action in beside:
        return RejectCode.DUPLICATE_SIBLING, f"{action!r} stands beside it already"
    if (reason := _contradiction(plot, profile, state, action)) is not None:
        return RejectCode.CONTRADICTION, reason
    if plot.shows(action) is not PathState.AMBIGUOUS and not proposal.evidence.strip():
        return RejectCode.MISSING_EVIDENCE, f"{action!r} changes the state, but nothing is named that would show it"
    return None


def _contradiction(plot: Plot, profile: Profile, state: PathState, action: str) -> str | None:
    kind, node = plot.kind(action), plot.risk_node(action)
    nodes = [known.id for known in profile.variable.risk_nodes]
    if kind.at_risk_node != (node is not None):
        return f"{action!r} {'needs a' if kind.at_risk_node else 'takes place at no'} risk node"
    if node is not None and node not in nodes:
        return f"the profile has no risk node {node!r}; it has {', '.join(nodes)}"
    shown = plot.shows(action)
    if PathState.AMBIGUOUS not in (state, shown) and shown is not state:
        return f"the path has shown {state.value}, and {action!r} would show {shown.value}"
    return None


def faults_of_call(call: SnapshotCall, plot: Plot) -> list[str]:
    """What is wrong with a call against its recorded actions: states, label, path, opening, evidence."""
    faults = []
    state = PathState.AMBIGUOUS
    for turn in call.turns:
        state = plot.step(state, turn.action)
        if turn.after is not state:
            faults.append(f"turn {turn.i} says {turn.after.value}, but its actions lead to {state.value}")
    if state.label is not call.label:
        faults.append(f"the label is {call.label.value}, but the recorded actions lead to {state.value}")
    if tuple(turn.action for turn in call.turns if plot.is_key(turn.action)) != call.leaf_path:
        faults.append("the turns do not realise the actions of the path in their order")
    if any(plot.class_of(turn.action) is not ActionClass.CONTEXT for turn in call.turns[: call.opening_turns]):
        faults.append("an action stands within the opening")
    if not all(plot.shows(call.turns[i].action) is state for i in call.rationale.evidence_turns):
        faults.append(f"the evidence turns {list(call.rationale.evidence_turns)} are not those whose actions show the label")
    return faults


def faults_of_calls(calls: Iterable[SnapshotCall], plot: Plot) -> list[str]:
    """The faults of every call and of all together: ids, words, and what the calls of a tree must share."""
    known = tuple(calls)
    faults = [f"{call.sample_id}: {fault}" for call in known for fault in faults_of_call(call, plot)]
    return faults + faults_between(known)


def faults_between(calls: Iterable[SnapshotCall]) -> list[str]:
    """What is wrong with calls beside each other: ids and words that stand twice, and what the calls of a tree must share."""
    faults: list[str] = []
    ids: set[str] = set()
    texts: dict[str, str] = {}
    shared: dict[str, object] = {}
    for call in calls:
        if call.sample_id in ids:
            faults.append(f"{call.sample_id}: the id stands twice")
        ids.add(call.sample_id)
        other = texts.setdefault(normalised(call.text), call.sample_id)
        if other != call.sample_id:
            faults.append(f"{call.sample_id}: the same words as {other}")
        opening = tuple((turn.side, turn.text, turn.delivery) for turn in call.turns[: call.opening_turns])
        context = (opening, call.caller, call.receiver, call.rationale.shared_context, call.generation.profile_sha256)
        if shared.setdefault(call.tree_id, context) != context:
            faults.append(f"{call.sample_id}: another opening or context than its siblings of {call.tree_id}")
    return faults
