"""Which call counts for which expected action: the choice that gives the highest total grade.

Every call that fits an action counts for exactly one of those it fits. An action is met by the wanted number of calls, the first
of them after the first of each action named in its `after`; it is partly met by any other calls. The calls are gone through in
the order in which they were made. What can still become of the actions hangs on few things: how many calls each has, and
whether it is partly met for good, because a call too many came or its first call came too early. So of all the ways to the same
standing one is kept, and in the end the best standing wins. The order in which the actions were written down decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

MOST_STANDINGS = 1_000
"""Standings that are kept after each call, those that can still win most; only beyond them may the choice miss the best one."""
_MET, _PARTLY = 2, 1
_SPOILT = -1
"""In a standing: partly met, whatever comes."""


@dataclass(frozen=True)
class Want:
    """What the choice needs to know of an expected action."""

    id: str
    """Name."""
    fits: tuple[int, ...]
    """The calls that fit it, ascending."""
    least: int
    """Fewest calls wanted."""
    most: int
    """Most calls wanted."""
    weight: int
    """Importance."""
    after: tuple[str, ...] = ()
    """Actions whose first call must come earlier; one that is not among the wants never comes."""


Standing: TypeAlias = tuple[int, ...]
"""For each action how many calls it has, or `_SPOILT`."""


class _Way(NamedTuple):
    """How a standing was reached: who got the last call, and the way before."""

    taker: int
    before: _Way | None


def choose(wants: Sequence[Want]) -> dict[str, tuple[int, ...]]:
    """Action to the calls that count for it, ascending.

    Of choices with the same total one that meets more by weight is taken, then the first, with the actions by their ids.
    """
    chosen: dict[str, tuple[int, ...]] = {}
    for group in _groups(sorted(wants, key=lambda want: want.id)):
        chosen |= _choose(group)
    return chosen


def _groups(wants: Sequence[Want]) -> Iterator[list[Want]]:
    """Actions that share a call, or of which one must come after another, directly or by others between."""
    left = list(wants)
    while left:
        group = [left.pop(0)]
        for member in group:  # grows while it is gone through
            near = [want for want in left if _near(member, want)]
            group += near
            left = [want for want in left if want not in near]
        yield sorted(group, key=lambda want: want.id)


def _near(one: Want, other: Want) -> bool:
    return one.id in other.after or other.id in one.after or not set(one.fits).isdisjoint(other.fits)


def _choose(group: Sequence[Want]) -> dict[str, tuple[int, ...]]:
    calls = sorted({call for want in group for call in want.fits})
    takers = [[place for place, want in enumerate(group) if call in want.fits] for call in calls]
    is_open = any(len(places) > 1 for places in takers)
    got = _best(group, calls, takers) if is_open else [places[0] for places in takers]
    return {
        want.id: tuple(call for call, taker in zip(calls, got, strict=True) if taker == place) for place, want in enumerate(group)
    }


def _best(group: Sequence[Want], calls: Sequence[int], takers: Sequence[Sequence[int]]) -> list[int]:
    """Who gets each call."""
    places = {want.id: place for place, want in enumerate(group)}
    firsts = [[places.get(name, -1) for name in want.after] for want in group]
    alike = _alike(group)
    ways: dict[Standing, _Way | None] = {(0,) * len(group): None}
    for number, call in enumerate(calls):
        reached: dict[Standing, _Way | None] = {}
        for standing, way in ways.items():
            tried = set()
            for taker in takers[number]:
                # Of actions between which nothing tells, the first alone is tried.
                if (alike[taker], standing[taker]) not in tried:
                    tried.add((alike[taker], standing[taker]))
                    reached.setdefault(_given(standing, taker, group[taker], firsts[taker]), _Way(taker, way))
        if len(reached) > MOST_STANDINGS:
            to_come = [sum(later > call for later in want.fits) for want in group]
            ranked = sorted(reached, key=lambda standing: _total(group, standing, to_come), reverse=True)
            reached = {standing: reached[standing] for standing in ranked[:MOST_STANDINGS]}
        ways = reached
    way = ways[max(ways, key=lambda standing: _total(group, standing, [0] * len(group)))]
    got: list[int] = []
    while way is not None:
        got.append(way.taker)
        way = way.before
    return got[::-1]


def _given(standing: Standing, taker: int, want: Want, firsts: Sequence[int]) -> Standing:
    """The standing once an action has got the next call."""
    count = standing[taker]
    early = count == 0 and any(place < 0 or standing[place] == 0 for place in firsts)
    count = _SPOILT if early or count == _SPOILT or count == want.most else count + 1
    return (*standing[:taker], count, *standing[taker + 1 :])


def _total(group: Sequence[Want], standing: Standing, to_come: Sequence[int]) -> tuple[int, int]:
    """The most that the total, and of it the weight that is met, can be with so many calls to come for each action."""
    total = met = 0
    for want, count, more in zip(group, standing, to_come, strict=True):
        if count != _SPOILT and count + more >= want.least:
            total += _MET * want.weight
            met += want.weight
        elif count or more:
            total += _PARTLY * want.weight
    return total, met


def _alike(group: Sequence[Want]) -> list[int]:
    """For each action the first one that no rule tells from it."""
    before = {want.id: {other.id for other in group if want.id in other.after} for want in group}
    looks = [(want.fits, want.least, want.most, want.weight, set(want.after), before[want.id]) for want in group]
    return [looks.index(look) for look in looks]
