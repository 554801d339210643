"""One-to-one assignment of calls to expected actions by maximum matching: one call never satisfies two actions."""

from __future__ import annotations

from collections.abc import Sequence


def assign(candidates: Sequence[Sequence[int]]) -> list[int | None]:
    """For each slot, the call it gets, so that as many slots as possible get one and no call serves two.

    `candidates[i]` lists the calls that fit slot i, in order of preference. Augmenting paths (Kuhn's algorithm), in
    slot order, so the result is deterministic; a slot once served stays served, so earlier slots go first. A slot takes
    a free call before it moves another slot, so equal slots get equal calls in order.
    """
    owner: dict[int, int] = {}

    def place(slot: int, seen: set[int]) -> bool:
        """Give the slot a call, moving others where needed; whether that was possible."""
        for call in candidates[slot]:
            if call not in owner:
                owner[call] = slot
                return True
        for call in candidates[slot]:
            if call in seen:
                continue
            seen.add(call)
            if place(owner[call], seen):
                owner[call] = slot
                return True
        return False

    for slot in range(len(candidates)):
        place(slot, set())
    result: list[int | None] = [None] * len(candidates)
    for call, slot in owner.items():
        result[slot] = call
    return result
