"""How a mixed tree grows: its bounds, what rho keeps out and why, where Gamma ends it, and what becomes a labelled call."""

from __future__ import annotations

from collections import Counter

import pytest

from core.schemas.casefile import Beat, CaseAbstract, Profile
from core.schemas.snapshots import AgentReply, Label, PathState
from core.schemas.trees import BuiltTree, Proposal, RejectCode
from core.snapshots.building.agents import AgentSet, Answer, Moment, NoProfileError, Verdict
from core.snapshots.building.build import build_calls
from core.snapshots.building.growing import Grower
from core.snapshots.building.labelling import leaves
from tests.core.snapshot_agents import (
    CASE,
    LIBRARY,
    PLOT,
    ClosedTerminator,
    FixedBrancher,
    FixedDeliverer,
    SayingPlayer,
    SettledTerminator,
    Table,
    agents,
    config,
    profile_data,
)


def _built(given: AgentSet, **changes: object) -> BuiltTree:
    (built,) = build_calls(config(**changes), LIBRARY, given)
    return built


def _codes(built: BuiltTree) -> list[tuple[tuple[str, ...], RejectCode]]:
    return [(entry.path, entry.code) for entry in built.rejected]


MIXED: Table = {
    (): ["cite-harm.code", "demand.code", "advise.code"],
    ("cite-harm.code",): ["recall-safe.callback"],
    ("cite-harm.code", "recall-safe.callback"): ["block-check.callback", "allow-check.callback"],
}


def mixed(**changes: object) -> AgentSet:
    """Agents that grow the small mixed tree above and stop where something was shown."""
    return agents(brancher=FixedBrancher(MIXED), terminator=SettledTerminator(), **changes)


def test_no_tree_leaves_its_bounds() -> None:
    """Over 200 seeds of a brancher that proposes too much: at most 81 leaves, depth 4, three children."""
    seen = set()
    for seed in range(200):
        grower = Grower(config(), LIBRARY, agents(), CASE, f"tree-{seed}", seed, Profile.model_validate(profile_data()))
        tree = grower.grow()
        parents = Counter(node.path[:-1] for node in tree.nodes if node.path)
        assert max(len(node.path) for node in tree.nodes) <= 4
        assert max(parents.values(), default=0) <= 3
        assert len(list(leaves(tree))) <= 81
        assert parents.keys() <= {node.path for node in tree.nodes if node.open and len(node.path) < 4}
        assert all(node.state is PLOT.replay(node.path) for node in tree.nodes)
        seen |= {entry.code for entry in grower.rejected}
    assert {
        RejectCode.TOO_MANY,
        RejectCode.DUPLICATE_SIBLING,
        RejectCode.CONTRADICTION,
        RejectCode.MISSING_EVIDENCE,
    } <= seen


@pytest.mark.parametrize(
    ("proposal", "code"),
    [
        (Proposal(action=" "), RejectCode.EMPTY_ACTION),
        (Proposal(action="threaten", evidence="x"), RejectCode.UNKNOWN_ACTION),
        (Proposal(action="demand.code", evidence="x"), RejectCode.DUPLICATE_SIBLING),
        (Proposal(action="demand.gold", evidence="x"), RejectCode.CONTRADICTION),
        (Proposal(action="demand", evidence="x"), RejectCode.CONTRADICTION),
        (Proposal(action="explain.code"), RejectCode.CONTRADICTION),
        (Proposal(action="demand.holding"), RejectCode.MISSING_EVIDENCE),
        (Proposal(action="demand.holding", evidence="  "), RejectCode.MISSING_EVIDENCE),
    ],
)
def test_rho_keeps_out_what_is_not_sound(proposal: Proposal, code: RejectCode) -> None:
    """Each refusal names its path, a code and a sentence."""
    table: Table = {(): ["demand.code", "advise.code", proposal]}
    built = _built(agents(brancher=FixedBrancher(table), terminator=SettledTerminator()))
    assert [((proposal.action.strip(),), code)] == _codes(built)
    assert all(entry.reason for entry in built.rejected)
    assert {Label.FRAUD, Label.NONFRAUD} == {call.label for call in built.calls}


def test_rho_keeps_out_what_denies_the_path() -> None:
    """A path that has shown fraud does not go on to show a lawful call."""
    table: Table = {
        (): ["demand.code", "advise.code"],
        ("demand.code",): ["advise.callback", "demand.callback"],
    }
    built = _built(agents(brancher=FixedBrancher({**table, ("advise.code",): ["explain"]})), depth=2)
    assert (("demand.code", "advise.callback"), RejectCode.CONTRADICTION) in _codes(built)
    assert [("demand.code", "demand.callback")] == [call.leaf_path for call in built.calls if call.label is Label.FRAUD]


def test_an_ambiguous_path_may_go_on_and_is_never_labelled() -> None:
    """Two ambiguous levels and then both labels; the leaf that showed nothing is counted, not called lawful."""
    table: Table = {
        **MIXED,
        ("cite-harm.code", "recall-safe.callback"): ["block-check.callback", "allow-check.callback", "explain"],
    }
    built = _built(agents(brancher=FixedBrancher(table), terminator=SettledTerminator()), depth=3)
    late = [call for call in built.calls if len(call.leaf_path) == 3]
    assert {Label.FRAUD, Label.NONFRAUD} == {call.label for call in late}
    assert {8} == {call.rationale.separating_turn for call in late}
    assert [("cite-harm.code", "recall-safe.callback", "explain")] == [
        path for path, code in _codes(built) if code is RejectCode.AMBIGUOUS_LEAF
    ]
    assert all(call.turns[-1].after.label is call.label for call in built.calls)


def test_a_tree_that_is_stopped_at_its_root_has_no_calls() -> None:
    """Nothing is labelled, and the reason is kept."""
    built = _built(agents(terminator=ClosedTerminator()))
    assert () == built.calls
    assert [RejectCode.STOPPED_AT_ROOT, RejectCode.ONE_SIDED] == [code for _, code in _codes(built)]


@pytest.mark.parametrize("action", ["demand.code", "advise.code", "explain"])
def test_a_tree_of_one_label_is_dropped(action: str) -> None:
    """Near-domain calls need both labels under one profile."""
    built = _built(agents(brancher=FixedBrancher({(): [action]}), terminator=SettledTerminator()))
    assert () == built.calls
    assert RejectCode.ONE_SIDED in {code for _, code in _codes(built)}
    assert built.tree is not None


@pytest.mark.parametrize(("ending", "label"), [("break-off", Label.FRAUD), ("complete", Label.NONFRAUD)])
def test_a_call_may_end_early_with_evidence(ending: str, label: Label) -> None:
    """The receiver sees through the caller, or a lawful matter is settled, before the greatest depth."""
    table: Table = {
        (): ["block-check.code", "allow-check.code"],
        ("block-check.code",): ["break-off"],
        ("allow-check.code",): ["complete"],
    }
    built = _built(agents(brancher=FixedBrancher(table)))
    (call,) = (call for call in built.calls if call.label is label)
    assert (ending, True, 2) == (call.leaf_path[-1], call.stop.early, call.stop.depth)
    assert (4,) == call.rationale.evidence_turns
    assert call.rationale.separating_turn == 4
    assert "close" not in {turn.action for turn in call.turns}


def test_every_turn_keeps_its_action_and_states() -> None:
    """Replaying the recorded actions through the table gives the stored states, turn by turn."""
    built = _built(mixed())
    assert built.calls
    for call in built.calls:
        state = PathState.AMBIGUOUS
        for turn in call.turns:
            assert (state, PLOT.step(state, turn.action)) == (turn.before, turn.after)
            state = turn.after
        keys = tuple(turn.action for turn in call.turns if PLOT.is_key(turn.action))
        assert call.leaf_path == keys
    block = next(call for call in built.calls if call.leaf_path[-1] == "block-check.callback")
    assert [
        "open",
        "open",
        "open",
        "cite-harm.code/react",
        "cite-harm.code",
        "recall-safe.callback/recall",
        "recall-safe.callback",
        "block-check.callback/propose",
        "block-check.callback",
        "close",
        "close",
    ] == [turn.action for turn in block.turns]


def test_words_never_move_a_state() -> None:
    """The same actions in other words: the same labels on the same paths."""
    loud = SayingPlayer(lambda _, asked: f"This is fraud, fraud, fraud {asked}!")
    plain = _built(mixed())
    other = _built(mixed(caller=loud, receiver=loud))
    assert [(c.leaf_path, c.label) for c in plain.calls] == [(c.leaf_path, c.label) for c in other.calls]


def test_an_unknown_delivery_is_asked_for_again_and_never_stored() -> None:
    """After three attempts the action is left out."""
    gleeful = FixedDeliverer("gleeful")
    built = _built(agents(caller_delivery=gleeful))
    assert () == built.calls
    assert (((), RejectCode.UNKNOWN_DELIVERY)) == _codes(built)[0]
    assert 3 == gleeful.asked


def test_a_known_delivery_on_the_second_attempt_is_stored() -> None:
    """The failed reply is kept beside the one that was taken."""

    class Second(FixedDeliverer):
        def deliver(self, moment, text, seed):  # type: ignore[no-untyped-def]  # the same shape as its parent
            self._said = "calm" if self.asked % 2 else "gleeful"
            return super().deliver(moment, text, seed)

    built = _built(mixed(caller_delivery=Second()))
    assert {"calm"} == {turn.delivery.value for call in built.calls for turn in call.turns if turn.side.value == "caller"}
    assert AgentReply(agent="caller_delivery", raw="gleeful") in built.calls[0].generation.replies


def test_words_that_never_come_leave_the_action_out() -> None:
    """Empty replies are asked for again, then the child is left out; its siblings stay."""
    silent = SayingPlayer(lambda action, asked: "  " if action == "cite-harm.code" else f"Word {asked}.")
    built = _built(mixed(caller=silent))
    assert [(("cite-harm.code",), RejectCode.EMPTY_UTTERANCE)] == _codes(built)
    assert {("demand.code",), ("advise.code",)} == {call.leaf_path for call in built.calls}


def test_unsafe_words_are_counted_and_left_out() -> None:
    """A safe second attempt is taken; three unsafe ones leave the action out."""
    once = SayingPlayer(lambda _, asked: "Ring 020 7946 0123." if asked == 2 else f"Word {asked}.")
    built = _built(mixed(caller=once))
    assert [] == _codes(built)
    always = SayingPlayer(lambda action, asked: f"See www.example.org {asked}" if action == "demand.code" else f"Word {asked}.")
    built = _built(mixed(caller=always))
    assert [(("demand.code",), RejectCode.UNSAFE)] == _codes(built)
    assert "safety" == built.rejected[0].code.stage
    assert all("www" not in call.text for call in built.calls)


@pytest.mark.parametrize(("code", "asked"), [(RejectCode.UNREADABLE, 3), (RejectCode.REFUSED, 1)])
def test_an_agent_without_an_answer_leaves_the_action_out_with_its_replies(code: RejectCode, asked: int) -> None:
    """What could not be read is asked for three times, what is refused once; every reply is kept with the reason."""

    class Unable:
        def __init__(self) -> None:
            self.rejected: list[str] = []

        def speak(self, moment: Moment, action: str, beat: Beat, seed: int) -> Answer[str]:
            if action != "demand.code":
                return Answer(f"{beat.act} of {action} after {moment.path}.".replace(".", " "))
            self.rejected.append(moment.rejected)
            return Answer("", ("raw",), (code, "it made no sense"))

    unable = Unable()
    built = _built(mixed(caller=unable))
    (left_out,) = built.rejected
    assert (("demand.code",), code, "it made no sense") == (left_out.path, left_out.code, left_out.reason)
    assert ["", *["it made no sense"] * (asked - 1)] == unable.rejected
    assert [("receiver_delivery", "neutral"), *[("caller", "raw")] * asked] == [
        (said.agent, said.raw) for said in left_out.replies
    ]


@pytest.mark.parametrize("role", ["brancher", "terminator"])
def test_a_brancher_or_terminator_without_an_answer_ends_what_needed_it(role: str) -> None:
    """At the root that is the whole tree: it has no calls, and the reason and the reply are kept."""

    class Unable:
        def propose(self, moment: Moment, most: int, seed: int) -> Answer[tuple[Proposal, ...]]:
            return Answer((), ("raw",), (RejectCode.UNREADABLE, "no list"))

        def judge(self, moment: Moment, seed: int) -> Answer[Verdict]:
            return Answer(Verdict(True, ""), ("raw",), (RejectCode.UNREADABLE, "no list"))

    built = _built(agents(**{role: Unable()}))
    assert () == built.calls
    assert [((), RejectCode.UNREADABLE), ((), RejectCode.ONE_SIDED)] == _codes(built)
    assert AgentReply(agent=role, raw="raw") == built.rejected[0].replies[-1]


def test_the_replies_of_a_profiler_are_kept_in_the_tree_and_its_calls_or_with_the_reason() -> None:
    """Whether a profile came of them or not."""

    class Speaking:
        def profile(self, abstract: CaseAbstract, seed: int) -> Answer[Profile]:
            return Answer(Profile.model_validate(profile_data(abstract)), ("bad", "good"))

    class Unable:
        def profile(self, abstract: CaseAbstract, seed: int) -> Answer[Profile]:
            raise NoProfileError("shared.event: missing", ("bad", "worse"))

    said = tuple(AgentReply(agent="profiler", raw=raw) for raw in ("bad", "good"))
    built = _built(mixed(profiler=Speaking()))
    assert built.tree is not None
    assert said == built.tree.replies
    assert all(said == call.generation.replies[:2] for call in built.calls)
    (left_out,) = _built(mixed(profiler=Unable())).rejected
    assert (RejectCode.BAD_PROFILE, "shared.event: missing") == (left_out.code, left_out.reason)
    assert ["bad", "worse"] == [reply.raw for reply in left_out.replies]


def test_a_call_with_the_words_of_another_is_left_out() -> None:
    """Players that always say the same make one call of each set of words, whatever the path."""
    same = SayingPlayer(lambda action, _: f"{action.partition('.')[0]}.")
    table: Table = {(): ["demand.code", "demand.callback", "allow-check.code"]}
    players = {"brancher": FixedBrancher(table), "terminator": SettledTerminator(), "caller": same, "receiver": same}
    built = _built(agents(**players))
    assert [(("demand.callback",), RejectCode.DUPLICATE_TEXT)] == _codes(built)
    assert [("demand.code",), ("allow-check.code",)] == [call.leaf_path for call in built.calls]
