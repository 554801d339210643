"""How often a backtracking matcher may have to try: ambiguity of a pattern's position automaton.

A pattern becomes an automaton with one position per character it can match (Glushkov). Two different ways round a loop on
the same text mean exponential time. Two loops that can share a text, one after the other, multiply: each such link of a
chain costs another factor of the text's length. Character sets are compared on a sample of characters without regard to
case; look-arounds are measured by themselves, back references count as any text, and atomic groups as plain ones, all of
which errs towards refusal.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from re import _constants as constants  # type: ignore[attr-defined]
from typing import Any, NamedTuple

TEXT_LENGTH = 500
"""Characters of the text that cost is estimated for: a long turn of speech."""
MAX_POSITIONS = 400
_MAX_COPIES = 20
_SAMPLE = frozenset(map(chr, range(9, 127))) | frozenset("\u00a0éßİ\u0301ص٥क१中\u2019\u2014")
_LINE = _SAMPLE - {"\n"}
_REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)


class TooLarge(ValueError):
    """A pattern with more positions than are worth looking at."""


class Cost(NamedTuple):
    """What a pattern may cost."""

    exponential: bool
    """Whether some text takes time exponential in its length."""
    steps: float
    """Otherwise an upper estimate of steps to search a text of TEXT_LENGTH characters."""


def cost_of(tree: Any) -> Cost:
    """The cost of a parsed pattern; raises TooLarge."""
    automaton = Automaton(tree)
    costs = [_cost(automaton), *map(cost_of, automaton.asides)]
    return Cost(any(cost.exponential for cost in costs), sum(cost.steps for cost in costs))


class _Piece(NamedTuple):
    """A part of a pattern: whether it matches nothing at all, and the positions it can begin and end with."""

    nullable: bool
    first: frozenset[int]
    last: frozenset[int]


_EMPTY = _Piece(True, frozenset(), frozenset())


class Automaton:
    """The position automaton of a parsed pattern."""

    def __init__(self, tree: Any) -> None:
        self.chars: list[frozenset[str]] = []
        """Sample characters that each position matches."""
        self.bounds: list[int] = []
        """How often the innermost repeat around each position goes round."""
        self.edges: Counter[tuple[int, int]] = Counter()
        """Steps from position to position, and in how many ways each can be taken."""
        self.asides: list[Any] = []
        """Trees of look-arounds."""
        self.empty_twice = False
        """Whether something that goes round has two ways to match nothing at one place."""
        self._bound = 1
        self._repeating = False
        self._any = _SAMPLE if tree.state.flags & re.DOTALL else _LINE
        self._sequence(tree)

    def _sequence(self, tree: Iterable[Any]) -> _Piece:
        done = _EMPTY
        for op, argument in tree:
            done = self._joined(done, self._node(op, argument))
        return done

    def _joined(self, left: _Piece, right: _Piece) -> _Piece:
        self._link(left.last, right.first)
        return _Piece(
            left.nullable and right.nullable,
            left.first | right.first if left.nullable else left.first,
            right.last | left.last if right.nullable else right.last,
        )

    def _link(self, last: Iterable[int], first: frozenset[int]) -> None:
        self.edges.update((p, q) for p in last for q in first)

    def _node(self, op: Any, argument: Any) -> _Piece:
        if op in _REPEATS:
            return self._repeat(*argument)
        if op is constants.SUBPATTERN:
            if argument[1] & re.DOTALL:
                self._any = _SAMPLE
            return self._sequence(argument[3])
        if op is constants.ATOMIC_GROUP:
            return self._sequence(argument)
        if op is constants.BRANCH:
            return self._either(argument[1])
        if op is constants.GROUPREF_EXISTS:
            return self._either(item or () for item in argument[1:])
        if op in (constants.ASSERT, constants.ASSERT_NOT):
            self.asides.append(argument[1])
            return _EMPTY
        if op is constants.AT:
            return _EMPTY
        if op is constants.GROUPREF:
            return self._repeat(0, TEXT_LENGTH, ((constants.ANY, None),))
        return self._position(self._any if op is constants.ANY else _characters(op, argument))

    def _either(self, alternatives: Iterable[Any]) -> _Piece:
        parts = [self._sequence(item) for item in alternatives]
        # Python takes the common beginning out of alternatives, so `(a|a)` arrives as `a` and two ways to match nothing.
        self.empty_twice |= self._repeating and sum(part.nullable for part in parts) > 1
        return _Piece(
            any(part.nullable for part in parts),
            frozenset[int]().union(*(part.first for part in parts)),
            frozenset[int]().union(*(part.last for part in parts)),
        )

    def _position(self, chars: frozenset[str]) -> _Piece:
        if len(self.chars) >= MAX_POSITIONS:
            raise TooLarge
        self.chars.append(chars)
        self.bounds.append(self._bound)
        here = frozenset((len(self.chars) - 1,))
        return _Piece(False, here, here)

    def _repeat(self, least: int, most: Any, item: Any) -> _Piece:
        """Copies for the turns that must be taken, then further ones, or one that goes round where there are many."""
        most = TEXT_LENGTH if most is constants.MAXREPEAT else int(most)
        outside, self._repeating = self._repeating, self._repeating or most > 1
        piece = self._turns(least, most, item)
        self._repeating = outside
        return piece

    def _turns(self, least: int, most: int, item: Any) -> _Piece:
        done = _EMPTY
        copies = min(least, _MAX_COPIES)
        for _copy in range(copies):
            done = self._joined(done, self._sequence(item))
        if most > max(_MAX_COPIES, least):
            around, self._bound = self._bound, min(most, TEXT_LENGTH)
            piece = self._sequence(item)
            self._bound = around
            self._link(piece.last, piece.first)
            return self._joined(done, _Piece(True, piece.first, piece.last))
        rest = _EMPTY
        for _copy in range(min(most, _MAX_COPIES) - copies):
            rest = self._joined(self._sequence(item), rest)._replace(nullable=True)
        return self._joined(done, rest)


def _characters(op: Any, argument: Any) -> frozenset[str]:
    """Sample characters, and those the pattern names, that one place in a pattern matches."""
    if op is constants.LITERAL:
        return _cases(chr(argument))
    if op is constants.NOT_LITERAL:
        return _SAMPLE - {chr(argument)}
    negated, found = False, frozenset[str]()
    for kind, value in argument:
        if kind is constants.NEGATE:
            negated = True
        elif kind is constants.RANGE:
            named = frozenset(char for char in _SAMPLE if value[0] <= ord(char) <= value[1])
            found = found.union(named, _cases(chr(value[0])), *map(_cases, named))
        elif kind is constants.CATEGORY:
            found |= frozenset(filter(_CATEGORIES[value], _SAMPLE))
        else:
            found |= _cases(chr(value))
    return _SAMPLE - found if negated else found


def _cases(char: str) -> frozenset[str]:
    return frozenset((char, char.lower(), char.upper()))


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    constants.CATEGORY_DIGIT: str.isdecimal,
    constants.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    constants.CATEGORY_SPACE: str.isspace,
    constants.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    constants.CATEGORY_WORD: _is_word,
    constants.CATEGORY_NOT_WORD: lambda char: not _is_word(char),
}


def _cost(automaton: Automaton) -> Cost:
    follow = [[q for q in range(len(automaton.chars)) if (p, q) in automaton.edges] for p in range(len(automaton.chars))]
    reach = [_reached(p, follow) for p in range(len(follow))]
    loops = [p for p in range(len(follow)) if p in reach[p]]
    component = {p: frozenset(q for q in reach[p] if p in reach[q]) for p in loops}
    twice = automaton.empty_twice or any(count > 1 and q in component.get(p, ()) for (p, q), count in automaton.edges.items())
    if twice or any(_two_ways_round(p, component[p], follow, automaton.chars) for p in loops):
        return Cost(True, 0.0)
    links: dict[frozenset[int], dict[frozenset[int], int]] = {component[p]: {} for p in loops}
    for p in loops:
        for q in loops:
            if q in reach[p] and component[p] != component[q]:
                shared = _shared_text(p, q, component, follow, automaton.chars)
                if shared is not None:
                    nearest = links[component[p]]
                    nearest[component[q]] = min(shared, nearest.get(component[q], shared))
    return Cost(False, _dearest_chain(links, automaton.bounds))


def _reached(start: int, follow: list[list[int]]) -> set[int]:
    found: set[int] = set()
    waiting = [start]
    while waiting:
        for q in follow[waiting.pop()]:
            if q not in found:
                found.add(q)
                waiting.append(q)
    return found


def _two_ways_round(p: int, component: frozenset[int], follow: list[list[int]], chars: list[frozenset[str]]) -> bool:
    """Whether two different paths lead from a position back to itself on one text."""

    def steps(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
        for a in follow[pair[0]]:
            for b in follow[pair[1]]:
                if a in component and b in component and chars[a] & chars[b]:
                    yield a, b

    before: dict[tuple[int, int], set[tuple[int, int]]] = {(p, p): set()}
    waiting = [(p, p)]
    while waiting:
        pair = waiting.pop()
        for other in steps(pair):
            if other not in before:
                before[other] = set()
                waiting.append(other)
            before[other].add(pair)
    found, waiting = {(p, p)}, [(p, p)]
    while waiting:
        for other in before[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return any(a != b for a, b in found)


def _shared_text(
    p: int, q: int, component: dict[int, frozenset[int]], follow: list[list[int]], chars: list[frozenset[str]]
) -> int | None:
    """Length of the shortest text that p's loop, the way from p to q, and q's loop all match; None if there is none."""
    seen, waiting = {(p, p, q)}, deque([(p, p, q, 0)])
    while waiting:
        *place, length = waiting.popleft()
        for a in follow[place[0]]:
            if a not in component[p]:
                continue
            for c in follow[place[2]]:
                shared = chars[a] & chars[c]
                if c not in component[q] or not shared:
                    continue
                for b in follow[place[1]]:
                    if shared & chars[b]:
                        if (a, b, c) == (p, q, q):
                            return length + 1
                        if (a, b, c) not in seen:
                            seen.add((a, b, c))
                            waiting.append((a, b, c, length + 1))
    return None


def _dearest_chain(links: dict[frozenset[int], dict[frozenset[int], int]], bounds: list[int]) -> float:
    """Steps of the dearest chain of loops that share a text: k of them divide a text in about length**k / k! ways."""

    @cache
    def beyond(loop: frozenset[int], place: int) -> float:
        ways = max(1.0, max(bounds[p] for p in loop) / place)
        return ways * max([1.0, *(beyond(other, place + 1) / shared for other, shared in links[loop].items())])

    # A search begins anew at every character of the text.
    return TEXT_LENGTH * max([1.0, *(beyond(loop, 2) for loop in links)])
