"""How a command that played or judged calls ends: with its exit code, and one line where something is missing."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from core.errors import EXIT_GATE, EXIT_OK, ProviderError
from gateway.reporting import Outcome

_AGAIN = "run the same command to do what is missing"


def ended(outcomes: Sequence[Outcome], budget_usd: float | None) -> int:
    """The exit code of a command that played runs: 1 where the budget stopped it.

    Raises:
        ProviderError: the infrastructure dropped calls, or the judge failed.
    """
    _complain([case for each in outcomes for case in each.lost], [case for each in outcomes for case in each.unjudged])
    planned = sum(held.planned for each in outcomes for held in each.summary.conditions.values())
    unplayed = sum(held.unplayed for each in outcomes for held in each.summary.conditions.values())
    if budget_usd is None or not unplayed:
        return EXIT_OK
    spent = sum(used.cost_usd for each in outcomes for used in each.summary.usage.values())
    told = (
        f"ringback: the budget of {budget_usd:.2f} USD is spent ({spent:.2f} USD): {unplayed} of {planned} calls were not "
        "started; run the same command with a larger --budget to go on"
    )
    print(told, file=sys.stderr)
    return EXIT_GATE


def judged(outcome: Outcome, remedy: str = _AGAIN) -> int:
    """The exit code of a command that judged; raises ProviderError where calls are not judged, with the `remedy`."""
    _complain([], outcome.unjudged, remedy)
    return EXIT_OK


def _complain(lost: Sequence[str], unjudged: Sequence[str], remedy: str = _AGAIN) -> None:
    told = [f"could not {what} {cases[0]}{_more(cases)}" for what, cases in (("play", lost), ("judge", unjudged)) if cases]
    if told:
        raise ProviderError(f"{'; '.join(told)}; {remedy}")


def _more(cases: Sequence[str]) -> str:
    return f", and {len(cases) - 1} more" if len(cases) > 1 else ""
