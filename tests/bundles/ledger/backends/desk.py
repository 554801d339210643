"""The tools of the order desk: a program over the state of one call."""

from __future__ import annotations

import random
from typing import Any


class Desk:
    """Each tool is a method of its name; what it changes in the state is recorded when the call is over."""

    def __init__(self, state: dict[str, Any], seed: int) -> None:
        self.orders: dict[str, Any] = state["orders"]
        self.refunds: list[Any] = state["refunds"]
        self.chance = random.Random(seed)

    def find_order(self, order_number: str) -> dict[str, Any]:
        """The order, or that there is none."""
        order = self.orders.get(order_number)
        return {"status": "not_found"} if order is None else {"status": "found", "item": order["item"], "order": order["status"]}

    def cancel_order(self, order_number: str) -> dict[str, Any]:
        """Cancel an order; an unknown number is an error of the caller of this tool, as in any program."""
        order = self.orders[order_number]
        if order["status"] == "sent":
            return {"status": "refused", "reason": "the order is on its way"}
        order["status"] = "cancelled"
        reference = f"R{self.chance.randrange(10_000):04d}"
        self.refunds.append({"order": order_number, "cents": order["cents"], "reference": reference})
        return {"status": "cancelled", "reference": reference}

    def end_call(self) -> dict[str, Any]:
        """Hang up."""
        return {"status": "ended"}
