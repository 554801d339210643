"""One-to-one assignment by maximum matching: of two lists in any order, each element stands for one of the other's at most."""

from __future__ import annotations

from collections.abc import Sequence


def assign(candidates: Sequence[Sequence[int]]) -> list[int | None]:
    """For each slot, the element it gets, so that as many slots as possible get one and no element serves two.

    `candidates[i]` lists the elements that fit slot i, in order of preference. Augmenting paths (Kuhn's algorithm), in
    slot order, so the result is deterministic; a slot once served stays served, so earlier slots go first. A slot takes
    a free element before it moves another slot, so equal slots get equal elements in order.
    """
    owner: dict[int, int] = {}

    def place(slot: int, seen: set[int]) -> bool:
        """Give the slot an element, moving others where needed; whether that was possible."""
        for item in candidates[slot]:
            if item not in owner:
                owner[item] = slot
                return True
        for item in candidates[slot]:
            if item in seen:
                continue
            seen.add(item)
            if place(owner[item], seen):
                owner[item] = slot
                return True
        return False

    for slot in range(len(candidates)):
        place(slot, set())
    result: list[int | None] = [None] * len(candidates)
    for item, slot in owner.items():
        result[slot] = item
    return result
