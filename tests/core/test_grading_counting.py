"""Which call counts for which action: no other choice grades higher, whatever the order in which the actions are written."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.grading.counting import Want, choose


def _grades(wants: list[Want], counted: dict[str, tuple[int, ...]]) -> dict[str, int]:
    """Two for met, one for partly met, nothing for no call, by the rules as an author reads them."""
    found = {}
    for want in wants:
        mine = counted.get(want.id, ())
        in_order = all(counted.get(name) and counted[name][0] < mine[0] for name in want.after) if mine else True
        is_met = want.least <= len(mine) <= want.most and in_order
        found[want.id] = 2 if is_met else 1 if mine else 0
    return found


def _total(wants: list[Want], counted: dict[str, tuple[int, ...]]) -> int:
    grades = _grades(wants, counted)
    return sum(want.weight * grades[want.id] for want in wants)


def _best_by_trying_everything(wants: list[Want]) -> int:
    """The highest total of all ways to give each call to one of the actions that it fits."""
    calls = sorted({call for want in wants for call in want.fits})
    takers = [[want.id for want in wants if call in want.fits] for call in calls]
    ways = (
        {want.id: tuple(call for call, taker in zip(calls, way, strict=True) if taker == want.id) for want in wants}
        for way in product(*takers)
    )
    return max(_total(wants, way) for way in ways)


@st.composite
def _wants(draw: st.DrawFn) -> list[Want]:
    ids = ["a_1", "b_2", "c_3", "d_4"][: draw(st.integers(1, 4))]
    wants = []
    for name in ids:
        least = draw(st.integers(0, 2))
        fits = draw(st.sets(st.integers(0, 5)))
        after = draw(st.sets(st.sampled_from([*ids, "never_9"]), max_size=2))
        wants.append(
            Want(name, tuple(sorted(fits)), least, least + draw(st.integers(0, 1)), draw(st.integers(1, 3)), tuple(sorted(after)))
        )
    return wants


@settings(max_examples=400, deadline=None)
@given(_wants(), st.randoms(use_true_random=False))
def test_no_other_choice_grades_higher(wants: list[Want], chance: object) -> None:
    """Counts, order and importance together, against all choices; shuffled, every action gets the same calls."""
    counted = choose(wants)
    assert _best_by_trying_everything(wants) == _total(wants, counted)
    shuffled = list(wants)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert counted == choose(shuffled)


@settings(max_examples=200, deadline=None)
@given(_wants())
def test_each_call_that_fits_counts_for_one_action_that_it_fits(wants: list[Want]) -> None:
    """One call never satisfies two actions, and none that fits is left over."""
    counted = choose(wants)
    given_away = sorted(call for calls in counted.values() for call in calls)
    assert sorted({call for want in wants for call in want.fits}) == given_away
    assert all(set(counted[want.id]) <= set(want.fits) for want in wants)


def _want(name: str, *fits: int, weight: int = 1, after: tuple[str, ...] = (), least: int = 1, most: int = 1) -> Want:
    return Want(name, fits, least, most, weight, after)


@pytest.mark.parametrize(
    ("wants", "expected"),
    [
        # Calls y, x, z: only x fits a, and b comes after a, so that the first call is c's.
        (
            [_want("a_1", 1), _want("b_2", 0, 1, 2, after=("a_1",)), _want("c_3", 0, 1, 2)],
            {"a_1": (1,), "b_2": (2,), "c_3": (0,)},
        ),
        # A message before and one after the booking, the later one written first.
        (
            [_want("n_2", 0, 2, after=("book_1",)), _want("book_1", 1), _want("n_1", 0, 2)],
            {"n_2": (2,), "book_1": (1,), "n_1": (0,)},
        ),
        # One call and two actions: the one that matters more.
        ([_want("any_1", 0), _want("strict_2", 0, weight=3)], {"any_1": (), "strict_2": (0,)}),
        # One call too many is held against what matters less.
        ([_want("a_1", 0, 1, 2, weight=3), _want("b_2", 0, 1, 2)], {"a_1": (0,), "b_2": (1, 2)}),
        # Two calls for two actions of two calls each: one that is met rather than two by half.
        ([_want("a_1", 0, 1, least=2, most=2), _want("b_2", 0, 1, least=2, most=2)], {"a_1": (0, 1), "b_2": ()}),
    ],
)
def test_cases_told_one_by_one(wants: list[Want], expected: dict[str, tuple[int, ...]]) -> None:
    """Order, importance and number decide, and not who was written first."""
    grades = _grades(wants, expected)
    for order in (wants, wants[::-1]):
        counted = choose(order)
        assert grades == _grades(order, counted)
    assert {name: len(calls) for name, calls in expected.items()} == {name: len(calls) for name, calls in choose(wants).items()}


def test_large_calls_are_counted_too() -> None:
    """Thirty equal actions and sixty calls, all met; thirty in a chain of shared calls, two of them too many."""
    calls = tuple(range(60))
    equal = [_want(f"a_{n:02}", *calls, most=2) for n in range(30)]
    assert 60 == _total(equal, choose(equal))
    chain = [_want(f"a_{n:02}", *calls[n : n + 3], weight=1 + n % 3) for n in range(30)]
    assert sum(2 * want.weight for want in chain) - _total(chain, choose(chain)) in (1, 2)
