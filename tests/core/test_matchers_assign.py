"""SPEC 6: lists in any order are compared by maximum matching, one to one."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from core.matchers.assign import assign

FITS = st.lists(st.lists(st.integers(0, 5), unique=True, max_size=4), max_size=5)


def _best_by_trying_everything(candidates: list[list[int]]) -> int:
    """Size of the largest one-to-one assignment, found by trying all."""
    best = 0
    for chosen in product(*[[None, *calls] for calls in candidates]):
        calls = [call for call in chosen if call is not None]
        if len(calls) == len(set(calls)):
            best = max(best, len(calls))
    return best


@given(FITS)
def test_as_many_slots_as_possible_get_a_call(candidates: list[list[int]]) -> None:
    """No assignment serves more slots, as a search through all of them shows."""
    assert _best_by_trying_everything(candidates) == sum(call is not None for call in assign(candidates))


@given(FITS)
def test_no_call_serves_two_slots_and_each_fits_its_own(candidates: list[list[int]]) -> None:
    """The assignment is one to one, and a slot gets only a call that fits it."""
    assigned = assign(candidates)
    calls = [call for call in assigned if call is not None]
    assert len(candidates) == len(assigned)
    assert len(set(calls)) == len(calls)
    assert all(call is None or call in fitting for call, fitting in zip(assigned, candidates, strict=True))


@given(FITS)
def test_earlier_slots_go_first(candidates: list[list[int]]) -> None:
    """A slot that is served without the later slots is served with them too."""
    served = [call is not None for call in assign(candidates)]
    for length in range(len(candidates)):
        alone = [call is not None for call in assign(candidates[:length])]
        assert alone == served[:length]


def test_a_call_moves_to_make_room() -> None:
    """The first slot gives up the only call that fits the second, since another fits it too."""
    assert [1, 0] == assign([[0, 1], [0]])


def test_one_call_never_satisfies_two_actions() -> None:
    """Two actions that one call would fit leave one of them without a call."""
    assert [4, None] == assign([[4], [4]])


def test_equal_slots_get_equal_calls_in_order() -> None:
    """An action wanted twice takes its calls in the order in which they were made."""
    assert [0, 1, 2] == assign([[0, 1, 2], [0, 1, 2], [0, 1, 2]])


def test_nothing_to_assign() -> None:
    """No slots, or no fitting calls, is an answer too."""
    assert [] == assign([])
    assert [None, None] == assign([[], []])
