"""What a run may cost: no call starts once the budget is spent."""

from __future__ import annotations

from collections.abc import Mapping

from core.errors import UsageError
from core.schemas.usage import Usage


class Budget:
    """US dollars, and how many of them are spent."""

    def __init__(self, limit_usd: float, spent: Mapping[str, Usage]) -> None:
        """`limit_usd` is above 0; `spent` is what each role used so far. Raises UsageError like `add`."""
        self.limit_usd = limit_usd
        self.spent_usd = 0.0
        self.add(spent)

    @property
    def is_spent(self) -> bool:
        """Whether nothing more may start."""
        return self.spent_usd >= self.limit_usd

    def add(self, usage: Mapping[str, Usage]) -> None:
        """Count what each role used.

        Raises:
            UsageError: some of it has no known price, so that no budget could be kept.
        """
        for role, used in usage.items():
            if used.unpriced:
                raise UsageError(
                    f"--budget {self.limit_usd:g}: nobody knows what the {role} costs: give it price_in and price_out, "
                    "in US dollars for a million tokens, or leave out --budget"
                )
            self.spent_usd += used.cost_usd
