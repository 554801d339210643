"""The table of transitions is total, F and N are absorbing, and words never move a state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.errors import UsageError
from core.schemas.casefile import ActionCatalogue, ActionClass, Content
from core.schemas.snapshots import PathState
from tests.core.snapshot_agents import LIBRARY, PLOT

MIRROR = {
    ActionClass.HARMFUL_REQUEST: ActionClass.PROTECTIVE_ADVICE,
    ActionClass.BLOCKED_CHECK: ActionClass.DECLINED_OFFER,
    ActionClass.TAKEN_OFFER: ActionClass.ALLOWED_CHECK,
    ActionClass.RISK_CUE: ActionClass.RISK_CUE,
}


def test_the_shipped_table_is_total() -> None:
    """Every state has a row for every class."""
    table = LIBRARY.catalogue.transitions
    assert {(state, name) for state in PathState for name in ActionClass} == {
        (s, name) for s, row in table.items() for name in row
    }


@given(st.sampled_from([PathState.FRAUD, PathState.NONFRAUD]), st.lists(st.sampled_from(list(PLOT.kinds))))
def test_what_was_shown_stays_shown(state: PathState, kinds: list[str]) -> None:
    """F and N are absorbing under any actions."""
    for kind in kinds:
        assert state is PLOT.step(state, f"{kind}.code")


@pytest.mark.parametrize(
    ("action", "state"),
    [
        ("demand.code", PathState.FRAUD),
        ("block-check.code", PathState.FRAUD),
        ("take-offer.code", PathState.FRAUD),
        ("advise.code", PathState.NONFRAUD),
        ("decline-offer.code", PathState.NONFRAUD),
        ("allow-check.code", PathState.NONFRAUD),
        ("cite-harm.code", PathState.AMBIGUOUS),
        ("float-harm.code", PathState.AMBIGUOUS),
        ("suppose-safe.code", PathState.AMBIGUOUS),
        ("break-off", PathState.AMBIGUOUS),
        ("complete", PathState.AMBIGUOUS),
        ("explain", PathState.AMBIGUOUS),
        ("block-check.code/propose", PathState.AMBIGUOUS),
        ("open", PathState.AMBIGUOUS),
        ("close", PathState.AMBIGUOUS),
    ],
)
def test_what_each_action_shows(action: str, state: PathState) -> None:
    """Evidence moves an ambiguous path; quotations, suppositions, endings and turns beside the key turn do not."""
    assert state is PLOT.shows(action)


def test_a_hole_in_the_table_is_refused() -> None:
    """A table that misses one class is no catalogue."""
    data = LIBRARY.catalogue.model_dump(mode="json")
    del data["transitions"]["A"]["risk_cue"]
    with pytest.raises(ValidationError, match="no transition from A for risk_cue"):
        ActionCatalogue.model_validate(data)


def test_an_unknown_action_is_refused_by_name() -> None:
    """The known kinds are listed."""
    with pytest.raises(UsageError, match=r"no kind of action 'threaten': there are demand, advise"):
        PLOT.kind("threaten.code")


def test_every_kind_that_carries_a_half_has_a_mirror_image() -> None:
    """Same turns in the same order with the other halves, so that no label has turns of its own."""
    swap = {Content.HARM: Content.SAFE, Content.SAFE: Content.HARM, Content.NONE: Content.NONE}
    shapes = {(kind.action_class, tuple((b.side, b.act, b.content) for b in kind.beats)) for kind in PLOT.kinds.values()}
    for kind in PLOT.kinds.values():
        if kind.at_risk_node:
            opposite = MIRROR.get(kind.action_class) or next(one for one, other in MIRROR.items() if other is kind.action_class)
            assert (opposite, tuple((b.side, b.act, swap[b.content]) for b in kind.beats)) in shapes
